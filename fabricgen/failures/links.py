"""The switches and cages of a link by its number: the arithmetic of `plan/wiring.py` for single links."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from fabricgen.failures.parts import HostLink, Unit, Wire
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, group_of
from fabricgen.plan.links import nic_cage
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import downlinks, host_ports, leaf_of, uplink, uplinks
from fabricgen.topologies.shape import GroupShape

AnyLink = HostLink | Wire
K = TypeVar("K")
L = TypeVar("L")


class CageLink(NamedTuple):
    """One link of a switch, and its cage at this switch."""

    cage: int
    link: AnyLink


def by_cage(links: Iterable[tuple[K, L]]) -> dict[K, tuple[L, ...]]:
    """Return cage → its links, from links that each come with their cage."""
    links_of: dict[K, list[L]] = {}
    for cage, link in links:
        links_of.setdefault(cage, []).append(link)
    return {cage: tuple(links) for cage, links in links_of.items()}


def cage_of_nic(group: GroupShape, nic: int) -> str:
    """Return the name of the cage of a NIC port at the server: a port without one is its own."""
    return nic_cage(group.nics, nic) or group.nics.ports[nic].name


def unit_of(group: GroupShape, slot: int) -> Unit:
    """Return the unit of a slot."""
    pod, su = divmod(slot // group.slots_a_unit, group.units_a_pod)
    return Unit(pod, group.name, su)


def leaf_unit(leaf: Place) -> Unit:
    """Return the unit of a leaf."""
    return Unit(leaf.pod, leaf.group, leaf.su)


def leaf_of_link(fabric: FabricPlan, link: HostLink) -> Place:
    """Return the leaf of a server's link."""
    return leaf_of(fabric, group_of(fabric, link.group), link.slot, link.nic, link.plane)[0]


def upper_of(fabric: FabricPlan, wire: Wire) -> Place:
    """Return the switch at the upper end of a link."""
    return uplink(fabric, wire.lower, wire.number).upper


def turn_of(fabric: FabricPlan, wire: Wire) -> tuple[int, int]:
    """Return the index of the upper switch, and the number of the link among the parallel links of the pair."""
    shape = fabric.shape
    turn, index = divmod(wire.number, shape.cores if wire.lower.tier is Tier.SPINE else shape.spines)
    return index, turn


def links_of_switch(fabric: FabricPlan, place: Place) -> Iterator[CageLink]:
    """Return the links of a switch to present servers and to other switches, with their cages."""
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
    """Return the links of a server, each with the name of its cage at the server."""
    group = group_of(fabric, key.group)
    for nic in range(len(group.columns)):
        for plane in group.planes_of(nic):
            yield cage_of_nic(group, nic), HostLink(plane, key.group, key.slot, nic)


def nics_of(group: GroupShape) -> dict[str, tuple[int, ...]]:
    """Return name of a NIC → numbers of its ports. Two halves of a port, for a pair of leaves, are one NIC."""
    ports_by_nic: dict[str, tuple[int, ...]] = {}
    nics = group.nics
    for number, port in enumerate(nics.ports):
        name, slash, half = port.name.rpartition("/")
        is_half = bool(slash) and half in ("0", "1") and port.cage != ""
        nic = nics.pci_addresses[number] if nics.pci_addresses else name if is_half else port.name
        ports_by_nic[nic] = (*ports_by_nic.get(nic, ()), number)
    return ports_by_nic
