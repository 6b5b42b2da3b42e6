"""The Device: one switch as a whole."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.device.evpn import Evpn
from fabricgen.device.interfaces import Interfaces
from fabricgen.device.management import Management
from fabricgen.device.qos import LoadBalancing, Qos
from fabricgen.device.routing import Routing
from fabricgen.device.telemetry import Telemetry


class RawLines(NamedTuple):
    """Configuration lines from the user for one artifact (empty: the main one).

    where  path in the intent; references in the lines that the intent declares as secrets are marked (`device.secret`)
    """

    artifact: str
    lines: tuple[str, ...]
    where: str


class Hardware(NamedTuple):
    """What a platform needs to know about the hardware to render its configuration.

    spellings  names of the model and its chip as this operating system writes them
    """

    model: str
    asic: str
    spellings: Mapping[str, str]


class Device(NamedTuple):
    """The complete configuration of one switch.

    role    border-leaf, leaf, spine, superspine
    system  platform name; version is its release
    state   active, drained or dead; the configuration of a dead switch is for its replacement
    """

    name: str
    site: str
    fabric: str
    kind: str
    role: str
    system: str
    version: str
    state: str
    hardware: Hardware
    management: Management
    interfaces: Interfaces
    routing: Routing
    evpn: Evpn | None
    qos: Qos | None
    load_balancing: LoadBalancing
    telemetry: Telemetry
    raw: tuple[RawLines, ...]
