"""Input of the split of a leaf into ports to servers and uplinks, and the ports that can be the former."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError
from fabricgen.hardware.model import NicGroup
from fabricgen.hardware.ports import PanelPort, ports
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.request import Request
from fabricgen.topologies.server_cages import joined
from fabricgen.topologies.upper import no_ports


class SplitInput(NamedTuple):
    """Input of the split of a leaf into downlinks and uplinks.

    above   Gb/s of an uplink
    rows    ports of one server on a leaf, by server group
    each    servers per unit, by server group; a group left out has as many as the leaf has ports for
    shared  groups on the leaves of one of them, by that one, in the order of their ports: see `shared_leaves`
    asked   uplinks that the intent asks for; None: the fewest that keep the ratio
    """

    above: int
    ratio: Ratio
    rows: Mapping[str, int]
    each: Mapping[str, int]
    shared: Mapping[str, tuple[str, ...]]
    asked: int | None = None


def port_speed(nics: NicGroup) -> int:
    """Return Gb/s of one link of a NIC: its slice of one plane."""
    return nics.speed_gbps // nics.planes


def server_ports(request: Request, name: str) -> tuple[PanelPort, ...]:
    """Return the ports that a group's leaf could give to its servers if it had no uplinks. Raises FabricError."""
    speed, leaf = port_speed(request.nics[name]), request.leaf(name)
    candidates = ports(request.switch(leaf), speed)
    if not candidates:
        raise FabricError([no_ports(request, speed, "leaf", leaf)])
    return joined(request.catalog.media, request.switch(leaf), request.nics[name], candidates)


def units_text(each: Mapping[str, int]) -> str:
    """Return servers per unit as the intent writes them: one number, or a number per group."""
    first, *others = each.values()
    return f"{first}" if not others else f"{{{', '.join(f'{name}: {number}' for name, number in each.items())}}}"
