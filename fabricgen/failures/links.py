"""Which spine, superspine and cage the link of a number has: the arithmetic of `plan/wiring.py`, port by port."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.failures.parts import HostLink, Unit, Wire
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, group_of
from fabricgen.plan.links import nic_cage
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import downlinks, host_ports, leaf_of, uplink, uplinks
from fabricgen.topologies.shape import GroupShape

AnyLink = HostLink | Wire


class CageLink(NamedTuple):
    """One link of a switch, and the cage that it is plugged into there."""

    cage: int
    link: AnyLink


def unit_of(group: GroupShape, slot: int) -> Unit:
    """The unit of a slot."""
    pod, su = divmod(slot // group.slots_a_unit, group.units_a_pod)
    return Unit(pod, group.name, su)


def leaf_unit(leaf: Place) -> Unit:
    """The unit of a leaf."""
    return Unit(leaf.pod, leaf.group, leaf.su)


def leaf_of_link(fabric: FabricPlan, link: HostLink) -> Place:
    """The leaf that a server's link ends on."""
    return leaf_of(fabric, group_of(fabric, link.group), link.slot, link.nic, link.plane)[0]


def upper_of(fabric: FabricPlan, wire: Wire) -> Place:
    """The switch at the upper end."""
    return uplink(fabric, wire.lower, wire.number).upper


def turn_of(fabric: FabricPlan, wire: Wire) -> tuple[int, int]:
    """(number of the switch above, which of the parallel links of the pair)."""
    shape = fabric.shape
    turn, index = divmod(wire.number, shape.cores if wire.lower.tier is Tier.SPINE else shape.spines)
    return index, turn


def links_of_switch(fabric: FabricPlan, place: Place) -> Iterator[CageLink]:
    """Links of a switch, of servers that are there and to switches, with their cages."""
    if place.tier is Tier.LEAF:
        for host in host_ports(fabric, place):
            if host.present:
                yield CageLink(host.port.cage, HostLink(place.plane, host.group, host.slot, host.nic))
    for link in uplinks(fabric, place):
        yield CageLink(link.lower_port.cage, Wire(place, link.number))
    if place.tier in UPPER:
        for link in downlinks(fabric, place):
            yield CageLink(link.upper_port.cage, Wire(link.lower, link.number))


def links_of_server(fabric: FabricPlan, key: SlotKey) -> Iterator[tuple[str, HostLink]]:
    """Links of a server with the name of the cage at its end."""
    group = group_of(fabric, key.group)
    for nic in range(len(group.columns)):
        cage = nic_cage(group.nics, nic) or group.nics.ports[nic].name
        for plane in range(fabric.shape.planes):
            yield cage, HostLink(plane, key.group, key.slot, nic)


def nics_of(group: GroupShape) -> dict[str, tuple[int, ...]]:
    """NICs of a server by name → its NIC ports; the halves of a port for a pair of leaves are one NIC."""
    found: dict[str, tuple[int, ...]] = {}
    nics = group.nics
    for at, port in enumerate(nics.ports):
        name, slash, half = port.name.rpartition("/")
        is_half = bool(slash) and half in ("0", "1") and port.cage != ""
        key = nics.pci_addresses[at] if nics.pci_addresses else name if is_half else port.name
        found[key] = (*found.get(key, ()), at)
    return found
