"""One fabric as it is without a further failure: drained, dead and absent parts are counted already."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.links import AnyLink, links_of_switch, unit_of
from fabricgen.failures.parts import HostLink, Unit, Wire
from fabricgen.intent.fabric import Backend, overlay_of
from fabricgen.intent.scalars import Span
from fabricgen.plan.exceptions import ABSENT, AWAY, DRAINED, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of, places, port_text, state_of
from fabricgen.plan.links import slice_name
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.server_ports import takes_over
from fabricgen.plan.wiring import host_ports, leaf_of, standing_slots, uplink
from fabricgen.resolve.links import link_state
from fabricgen.topologies.shape import GroupShape


class Rails(NamedTuple):
    """NIC ports of a server by rail, and the GPUs that a rail serves. On a frontend all ports are one rail."""

    ports: tuple[tuple[int, ...], ...]
    gpus: Fraction


class Network(NamedTuple):
    """A fabric before a failure.

    slots    servers that are there, by unit
    down     links of servers that carry nothing: by unit
    gone     uplinks that carry nothing, by the lower switch; drained_links: those that are drained
    dead     switches that are dead or absent; drained: those that are drained
    speeds   Gb/s of a link from leaf to spine, and from spine to superspine
    policy   link_loss, as overrides of the fabric leave it
    vteps    whether leaves are next hops of the overlay
    """

    fabric: FabricPlan
    rails: dict[str, Rails]
    slots: dict[Unit, frozenset[int]]
    down: dict[Unit, frozenset[HostLink]]
    gone: dict[Place, frozenset[int]]
    drained_links: dict[Place, frozenset[int]]
    dead: frozenset[Place]
    drained: frozenset[Place]
    speeds: tuple[int, int]
    policy: str
    vteps: bool

    def leaves(self, unit: Unit, plane: int) -> Iterator[Place]:
        """Leaves of a unit in a plane, by column."""
        group = group_of(self.fabric, unit.group)
        for rail in range(group.rails):
            for index in range(group.indexes):
                yield Place(self.fabric.name, Tier.LEAF, unit.group, plane, unit.pod, unit.su, rail, index)


def make_network(plan: Plan, fabric: FabricPlan) -> Network:
    """The fabric of a plan, its exceptions in force."""
    states = fabric.exceptions.devices
    named = {place_of(fabric, name): state for name, state in states.items()}
    standing = {place: state for place, state in named.items() if place is not None}
    links = dict(_stated_links(fabric))
    gone: dict[Place, set[int]] = {}
    slow: dict[Place, set[int]] = {}
    down: dict[Unit, set[HostLink]] = {}
    for link, is_drained in links.items():
        if isinstance(link, Wire):
            (slow if is_drained else gone).setdefault(link.lower, set()).add(link.number)
        else:
            down.setdefault(unit_of(group_of(fabric, link.group), link.slot), set()).add(link)
    return Network(
        fabric=fabric,
        rails={group.name: _rails(plan, fabric, group) for group in fabric.shape.groups},
        slots=dict(_slots(fabric)),
        down={unit: frozenset(found) for unit, found in down.items()},
        gone={place: frozenset(found) for place, found in gone.items()},
        drained_links={place: frozenset(found) for place, found in slow.items()},
        dead=frozenset(place for place, state in standing.items() if state in AWAY),
        drained=frozenset(place for place, state in standing.items() if state == DRAINED),
        speeds=_speeds(fabric),
        policy=_policy(fabric),
        vteps=overlay_of(fabric.fabric) is not None,
    )


def _speeds(fabric: FabricPlan) -> tuple[int, int]:
    shape = fabric.shape
    up = next((group.leaf.up[0].speed_gbps for group in shape.groups if group.leaf.up), 0)
    core = shape.spine.up[0].speed_gbps if shape.cores and shape.spine is not None and shape.spine.up else 0
    return up, core


def _policy(fabric: FabricPlan) -> str:
    """What `link_loss` is. An override of it is of a whole fabric, and every switch has it in its settings."""
    own = fabric.exceptions.settings
    first = next((place for place in places(fabric) if place.tier is Tier.LEAF), None) if own else None
    found = own.get(name_of(fabric, first)) if first is not None else None
    return (found.fabric if found is not None else fabric.fabric).link_loss


def _rails(plan: Plan, fabric: FabricPlan, group: GroupShape) -> Rails:
    """Rails of a server: a backend has one for each GPU's NIC, a frontend's ports all serve the server."""
    found: dict[int, list[int]] = {}
    for nic, port in enumerate(group.nics.ports):
        found.setdefault(port.rail if isinstance(fabric.fabric, Backend) else 0, []).append(nic)
    gpus = plan.catalog.servers[plan.intent.servers[group.name].model].gpus
    return Rails(tuple(tuple(found[rail]) for rail in sorted(found)), Fraction(gpus, len(found)))


def _slots(fabric: FabricPlan) -> Iterator[tuple[Unit, frozenset[int]]]:
    for group in fabric.shape.groups:
        for span in group.present:
            for number in range(span.first, span.last + 1):
                first = number * group.slots_a_unit
                slots = standing_slots(fabric, group, Span(first, first + group.slots_a_unit - 1))
                yield unit_of(group, first), slots


def _stated_links(fabric: FabricPlan) -> Iterator[tuple[AnyLink, bool]]:
    """Links that are not simply active, and whether that is because they are drained."""
    found = fabric.exceptions
    switches = {place_of(fabric, key.device) for key in found.ports} | {
        place_of(fabric, key.device) for key in found.broken
    }
    switches |= {place_of(fabric, name) for name in found.devices}
    for place in sorted(place for place in switches if place is not None):
        for _, link in links_of_switch(fabric, place):
            yield from _stated(fabric, link)
    yield from _stated_at_servers(fabric)


def _stated(fabric: FabricPlan, link: AnyLink) -> Iterator[tuple[AnyLink, bool]]:
    if isinstance(link, HostLink):
        if _is_down(fabric, link):
            yield link, False
        return
    state = _wire_state(fabric, link)
    if state in AWAY:
        yield link, False
    elif state == DRAINED:
        yield link, True


def _wire_state(fabric: FabricPlan, wire: Wire) -> str:
    """State of a link by itself; a switch that is dead takes it along without a word."""
    found = uplink(fabric, wire.lower, wire.number)
    if any(state_of(fabric, place) in AWAY for place in (found.lower, found.upper)):
        return "active"
    return link_state(fabric, found)


def _stated_at_servers(fabric: FabricPlan) -> Iterator[tuple[AnyLink, bool]]:
    """Links named by the server's end alone."""
    keys = {key.device for key in (*fabric.exceptions.ports, *fabric.exceptions.broken)}
    keys = {device for device in keys if place_of(fabric, device) is None}
    if not keys:
        return
    for unit, slots in _slots(fabric):
        for slot in slots:
            if server_name(fabric.exceptions, unit.group, slot) in keys:
                for nic in range(len(group_of(fabric, unit.group).columns)):
                    for plane in range(fabric.shape.planes):
                        link = HostLink(plane, unit.group, slot, nic)
                        if _is_down(fabric, link):
                            yield link, False


def _is_down(fabric: FabricPlan, link: HostLink) -> bool:
    """Whether a server's link carries nothing though its leaf is there: dead, absent, or shut by a drain."""
    group = group_of(fabric, link.group)
    leaf, number = leaf_of(fabric, group, link.slot, link.nic, link.plane)
    if state_of(fabric, leaf) in AWAY:
        return False
    host = next(each for each in host_ports(fabric, leaf) if each.number == number)
    found = fabric.exceptions
    near = PortKey(server_name(found, link.group, link.slot), slice_name(group.nics, link.nic, link.plane))
    far = PortKey(name_of(fabric, leaf), port_text(fabric, leaf, host.port))
    states = {found.ports.get(near), found.ports.get(far)}
    if ABSENT in states or near in found.broken or far in found.broken:
        return True
    is_drained = DRAINED in states or state_of(fabric, leaf) == DRAINED
    return is_drained and takes_over(fabric, leaf, host)


def bound_links(fabric: FabricPlan) -> Iterator[tuple[Place, AnyLink]]:
    """Links in cages that differ from those of the model: a dead port has handed its cable on there."""
    for name in fabric.bindings:
        place = place_of(fabric, name)
        if place is not None:
            for cage in _cages(replace(fabric, bindings={}), place) ^ _cages(fabric, place):
                yield from ((place, link) for link in cage)


def _cages(fabric: FabricPlan, place: Place) -> set[frozenset[AnyLink]]:
    """Links of a switch that share a cage."""
    found: dict[int, set[AnyLink]] = {}
    for cage, link in links_of_switch(fabric, place):
        found.setdefault(cage, set()).add(link)
    return {frozenset(each) for each in found.values()}
