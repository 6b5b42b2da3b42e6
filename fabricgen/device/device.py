"""One switch, whole."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.device.evpn import Evpn
from fabricgen.device.interfaces import Interfaces
from fabricgen.device.management import Management
from fabricgen.device.qos import LoadBalancing, Qos
from fabricgen.device.routing import Routing
from fabricgen.device.telemetry import Telemetry


class RawLines(NamedTuple):
    """Lines of the user's own for one artifact (empty: the main one), and where the intent says them.

    References among them that the intent says are secrets are marked (`device.secret`).
    """

    artifact: str
    lines: tuple[str, ...]
    where: str


class Hardware(NamedTuple):
    """What a platform must know of the box to spell its configuration.

    spellings  this operating system's words for the model and its chip
    """

    model: str
    asic: str
    spellings: Mapping[str, str]


class Device(NamedTuple):
    """The complete configuration of one switch.

    role    border-leaf, leaf, spine, superspine
    system  platform name; version its release
    state   active, drained or dead: of a dead one the configuration waits for the box that replaces it
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
