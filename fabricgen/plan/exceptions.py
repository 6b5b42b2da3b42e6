"""Deviations from the rule: states, and settings of single parts. Sparse, looked up by name."""

import re
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from fabricgen.intent.fabric import Fabric, ServerPorts
from fabricgen.intent.model import Intent
from fabricgen.intent.site import Management


class SlotKey(NamedTuple):
    """One server slot of a group."""

    group: str
    slot: int


class PortKey(NamedTuple):
    """One port of a device, as the device's operating system names it."""

    device: str
    port: str


class AsBuilt(NamedTuple):
    """One cable of the cable file: its length in metres, and the medium if it names one."""

    length_m: float
    medium: str


class PlacedServer(NamedTuple):
    """One slot of the placement file."""

    hostname: str
    rack: str
    unit: str
    serial: str
    mac: str


class DeviceSettings(NamedTuple):
    """The fabric's settings with the overrides of one switch. Switches with the same overrides share one object.

    system   operating system and release of its own; empty: its role's
    sources  key with dots, e.g. "roce.watchdog.detect_ms" → the selector that sets it
    """

    fabric: Fabric
    management: Management
    system: str
    sources: Mapping[str, str]


def settings_digest(own: DeviceSettings) -> str:
    """Digest of a switch's own settings and of the overrides that set them."""
    settings = f"{own.system} {own.fabric.model_dump_json()} {own.management.model_dump_json()}"
    return sha256(f"{settings} {sorted(own.sources.items())}".encode()).hexdigest()


class PortSettings(NamedTuple):
    """Overrides of one port; 0 and empty: none. `sources`: key → selector."""

    mtu: int = 0
    fec: str = ""
    description: str = ""
    headroom_octets: int = 0
    server_ports: ServerPorts | None = None
    sources: tuple[tuple[str, str], ...] = ()


NO_PORT_SETTINGS = PortSettings()


NOTHING: Mapping[Any, Any] = {}
"""Default for no exceptions of a kind. A plain dict, because plans are pickled; it is never written to."""


class Exceptions(NamedTuple):
    """All exceptions of a site.

    devices   device name → state; ports: → state; slots: slots without a server although the intent counts them
    cables    either end of a cable → cable as built; servers: slot → its server
    broken    either end of dead cables: configured as usual, but not expected to be up
    settings  device name → its settings; port_settings: of ports; systems: device name → its own operating system
    floor     minimum share of its uplinks that a leaf must keep with an overlay's absent links; None: enough for its
              servers
    """

    devices: Mapping[str, str] = NOTHING
    ports: Mapping[PortKey, str] = NOTHING
    slots: Mapping[SlotKey, str] = NOTHING
    cables: Mapping[PortKey, AsBuilt] = NOTHING
    servers: Mapping[SlotKey, PlacedServer] = NOTHING
    floor: Fraction | None = None
    broken: frozenset[PortKey] = frozenset()
    settings: Mapping[str, DeviceSettings] = NOTHING
    port_settings: Mapping[PortKey, PortSettings] = NOTHING
    systems: Mapping[str, str] = NOTHING


ACTIVE, DRAINED, DEAD, ABSENT = "active", "drained", "dead", "absent"
"""States. docs/overrides.md has their meaning for a slot, a port, a cable and a switch."""
AWAY = (DEAD, ABSENT)
"""States in which a switch or a cable carries no traffic."""

SLOT_SELECTOR = re.compile(r"^(?P<group>[a-z][a-z0-9-]*)\[(?P<slots>[\d,-]+)\]$")


def server_name(exceptions: Exceptions, group: str, slot: int) -> str:
    """Hostname of a slot: the placement file's, else the group and a number of three digits or more."""
    server = exceptions.servers.get(SlotKey(group, slot)) if exceptions.servers else None
    if server is not None and server.hostname:
        return server.hostname
    return f"{group}-{slot:03d}"


def is_plain(intent: Intent) -> bool:
    """Whether an intent itself has no exceptions: neither overrides nor raw lines for single switches."""
    return not intent.overrides and all(raw.device is None for raw in intent.raw)
