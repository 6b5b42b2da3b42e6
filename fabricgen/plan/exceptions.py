"""What differs from the rule: states, and settings of a part's own. Sparse, looked up by name."""

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
    """One port of a device, as the device's operating system calls it."""

    device: str
    port: str


class AsBuilt(NamedTuple):
    """What the cable file says of one cable: its length in metres, and the medium where it names one."""

    length_m: float
    medium: str


class PlacedServer(NamedTuple):
    """What the placement file says of one slot."""

    hostname: str
    rack: str
    unit: str
    serial: str
    mac: str


class DeviceSettings(NamedTuple):
    """The fabric's settings as overrides make them for one switch. Switches with the same overrides share one.

    system   operating system and release of its own; empty: its role's
    sources  key with dots, e.g. "roce.watchdog.detect_ms" → the selector that gives it
    """

    fabric: Fabric
    management: Management
    system: str
    sources: Mapping[str, str]


def settings_digest(own: DeviceSettings) -> str:
    """What a switch has of its own and which overrides give it, as one digest."""
    words = f"{own.system} {own.fabric.model_dump_json()} {own.management.model_dump_json()}"
    return sha256(f"{words} {sorted(own.sources.items())}".encode()).hexdigest()


class PortSettings(NamedTuple):
    """What overrides say of one port; 0 and empty: nothing. `sources`: key → selector."""

    mtu: int = 0
    fec: str = ""
    description: str = ""
    headroom_octets: int = 0
    server_ports: ServerPorts | None = None
    sources: tuple[tuple[str, str], ...] = ()


NO_PORT_SETTINGS = PortSettings()


NOTHING: Mapping[Any, Any] = {}
"""No exception of a kind. A dict, as plans are pickled; nobody writes to it."""


class Exceptions(NamedTuple):
    """All exceptions of a site.

    devices  device name → state; ports: → state; slots: slots without a server though the intent counts them
    cables   either end of a cable → what was built; servers: slot → what stands there
    broken   either end of cables that are dead: configured as ever, and not expected to be up
    settings device name → its settings; port_settings: of ports; systems: device name → its own operating system
    floor    share of its uplinks that an overlay's absent links may leave a leaf; None: all that its servers need
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
"""States. What they mean of a slot, a port, a cable and a switch: docs/overrides.md."""
AWAY = (DEAD, ABSENT)
"""States in which a switch or a cable carries nothing."""

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
