"""Leaves as servers see them: port rows and marking, resolved once per leaf and cached."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.device.interfaces import Ethernet
from fabricgen.intent.fabric import Fabric
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import FabricPlan, group_of, port_text, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports, leaf_of
from fabricgen.policy.marking import Marking
from fabricgen.resolve.context import FabricContext, make_context, make_site
from fabricgen.resolve.interfaces import resolve_interfaces

KEPT = 256
"""Number of cached leaves: several times those of one unit on all fabrics and planes of a site."""


class ServerLeaf(NamedTuple):
    """One leaf. rows: server group, slot and NIC port → its port; marking: None where no class is lossless."""

    name: str
    settings: Fabric
    marking: Marking | None
    rows: Mapping[tuple[str, int, int], Ethernet]


class ServerPort(NamedTuple):
    """A server's NIC port, or its slice of a plane, with its leaf port. row: None where the leaf is not configured."""

    nic: int
    plane: int
    leaf: ServerLeaf
    row: Ethernet | None


class LeafCache:
    """Leaves of a plan, resolved on request. The last `KEPT` of them are cached."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._sites = {name: make_site(plan, name) for name in plan.fabrics}
        self._kept: OrderedDict[Place, ServerLeaf] = OrderedDict()

    def plugged(self, fabric: FabricPlan, group: str, slot: int) -> Iterator[ServerPort]:
        """Every port of a server on a fabric, by NIC port and plane."""
        shape = group_of(fabric, group)
        for nic in range(len(shape.nics.ports)):
            for plane in shape.planes_of(nic):
                place, _ = leaf_of(fabric, shape, slot, nic, plane)
                leaf = self.leaf(place)
                yield ServerPort(nic, plane, leaf, leaf.rows.get((group, slot, nic)))

    def leaf(self, place: Place) -> ServerLeaf:
        """Return one leaf."""
        if place not in self._kept:
            self._kept[place] = _leaf(self._sites[place.fabric], place)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(place)
        return self._kept[place]


def _leaf(site: FabricContext, place: Place) -> ServerLeaf:
    context = make_context(site, place)
    marking = context.lossless.marking if context.lossless is not None else None
    if state_of(site.fabric, place) == ABSENT:
        return ServerLeaf(context.name, context.settings, marking, {})
    rows = {row.name: row for row in resolve_interfaces(context).ethernet}
    hosts = host_ports(site.fabric, place)
    ports = {(host.group, host.slot, host.nic): port_text(site.fabric, place, host.port) for host in hosts}
    return ServerLeaf(
        context.name, context.settings, marking, {key: rows[port] for key, port in ports.items() if port in rows}
    )
