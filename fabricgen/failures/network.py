"""One fabric before a failure, with its drained, dead and absent parts."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.links import AnyLink, leaf_of_link, links_of_server, links_of_switch, unit_of, upper_of
from fabricgen.failures.parts import HostLink, Unit, Wire
from fabricgen.intent.fabric import overlay_of
from fabricgen.intent.scalars import Span
from fabricgen.plan.exceptions import ABSENT, AWAY, DRAINED, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of, places, port_text, state_of
from fabricgen.plan.links import slice_name
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.server_ports import takes_over
from fabricgen.plan.wiring import host_ports, leaf_of, slots_with_servers, uplink
from fabricgen.resolve.links import link_state
from fabricgen.topologies.shape import GroupShape


class Rails(NamedTuple):
    """NIC ports of a server by rail, and the GPUs per rail.

    Elsewhere than in a backend each port serves the whole server, so all of them are one rail. A storage node has a
    rail per port: what it loses is named, and it has no GPU to cut off.
    """

    ports: tuple[tuple[int, ...], ...]
    gpus: Fraction


class OutOfService(NamedTuple):
    """What is out of service before a failure: names for `--fail` of switches and servers, by their state.

    drained  also links between switches; links: other links that are dead, absent or shut, with both ends in service
    """

    drained: tuple[str, ...]
    dead: tuple[str, ...]
    absent: tuple[str, ...]
    links: tuple[str, ...]


class Network(NamedTuple):
    """A fabric before a failure.

    nodes    groups of storage nodes, i.e. of servers without GPUs on a fabric of kind storage
    slots    slots of servers in service by unit: neither dead nor absent, nor drained and without jobs
    down     server links that carry nothing, by unit
    dead_uplinks  numbers of uplinks that carry nothing, by lower switch; drained_links: numbers of drained uplinks
    dead     switches that are dead or absent; drained: switches that are drained
    speeds   Gb/s of a link from leaf to spine, and from spine to superspine
    policy   link_loss after overrides of the fabric
    vteps    whether leaves are next hops of the overlay
    """

    fabric: FabricPlan
    rails: dict[str, Rails]
    nodes: frozenset[str]
    slots: dict[Unit, frozenset[int]]
    down: dict[Unit, frozenset[HostLink]]
    dead_uplinks: dict[Place, frozenset[int]]
    drained_links: dict[Place, frozenset[int]]
    dead: frozenset[Place]
    drained: frozenset[Place]
    speeds: tuple[int, int]
    policy: str
    vteps: bool

    def leaves(self, unit: Unit, plane: int) -> Iterator[Place]:
        """Return the leaves of a unit in a plane, sorted by column."""
        group = group_of(self.fabric, unit.group)
        for rail in range(group.rails):
            for index in range(group.indexes):
                yield Place(self.fabric.name, Tier.LEAF, group.leaves_of, plane, unit.pod, unit.su, rail, index)

    def owner(self, unit: Unit) -> Unit:
        """Return the unit that the leaves of a unit belong to: itself, or the one that it shares them with."""
        return unit._replace(group=group_of(self.fabric, unit.group).leaves_of)

    def sharing(self, owner: Unit) -> tuple[Unit, ...]:
        """Return the units whose servers are on the leaves of one, which is among them."""
        return tuple(owner._replace(group=group.name) for group in self.fabric.shape.sharing(owner.group))

    def carries(self, link: AnyLink) -> bool:
        """Return whether a link carries traffic before the failure."""
        if isinstance(link, Wire):
            ends = {link.lower, upper_of(self.fabric, link)}
            return link.number not in self.dead_uplinks.get(link.lower, ()) and ends.isdisjoint(self.dead)
        unit = unit_of(group_of(self.fabric, link.group), link.slot)
        is_down = link in self.down.get(unit, ()) or not self.is_counted(link)
        return not is_down and leaf_of_link(self.fabric, link) not in self.dead

    def is_counted(self, link: AnyLink) -> bool:
        """Return whether a link is one of the parts: those of a server that is out of service are not."""
        if isinstance(link, Wire):
            return True
        return link.slot in self.slots.get(unit_of(group_of(self.fabric, link.group), link.slot), ())


def make_network(plan: Plan, fabric: FabricPlan) -> Network:
    """Return the network of a fabric, with the exceptions of its plan applied."""
    states = fabric.exceptions.devices
    states_by_place = {place_of(fabric, name): state for name, state in states.items()}
    switch_states = {place: state for place, state in states_by_place.items() if place is not None}
    link_states = dict(_stated_links(fabric))
    dead_uplinks: dict[Place, set[int]] = {}
    drained_links: dict[Place, set[int]] = {}
    down: dict[Unit, set[HostLink]] = {}
    for link, is_drained in link_states.items():
        if isinstance(link, Wire):
            (drained_links if is_drained else dead_uplinks).setdefault(link.lower, set()).add(link.number)
        else:
            down.setdefault(unit_of(group_of(fabric, link.group), link.slot), set()).add(link)
    nodes = _nodes(plan, fabric)
    return Network(
        fabric=fabric,
        rails={group.name: _rails(plan, fabric, group, nodes) for group in fabric.shape.groups},
        nodes=nodes,
        slots=dict(_slots(fabric)),
        down={unit: frozenset(unit_links) for unit, unit_links in down.items()},
        dead_uplinks={place: frozenset(numbers) for place, numbers in dead_uplinks.items()},
        drained_links={place: frozenset(numbers) for place, numbers in drained_links.items()},
        dead=frozenset(place for place, state in switch_states.items() if state in AWAY),
        drained=frozenset(place for place, state in switch_states.items() if state == DRAINED),
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
    """Return `link_loss`. An override of it is valid for a whole fabric, so every switch has it in its settings."""
    settings = fabric.exceptions.settings
    leaf = next((place for place in places(fabric) if place.tier is Tier.LEAF), None) if settings else None
    override = settings.get(name_of(fabric, leaf)) if leaf is not None else None
    return (override.fabric if override is not None else fabric.fabric).link_loss


def _nodes(plan: Plan, fabric: FabricPlan) -> frozenset[str]:
    if fabric.fabric.kind != "storage":
        return frozenset()
    return frozenset(group.name for group in fabric.shape.groups if not _gpus(plan, group))


def _gpus(plan: Plan, group: GroupShape) -> int:
    return plan.catalog.servers[plan.intent.servers[group.name].model].gpus


def _rails(plan: Plan, fabric: FabricPlan, group: GroupShape, nodes: frozenset[str]) -> Rails:
    """Return the rails of a server: those of its ports in a backend, and of a storage node; elsewhere one of all."""
    is_by_rail = fabric.fabric.kind == "backend" or group.name in nodes
    nics_by_rail: dict[int, list[int]] = {}
    for nic, port in enumerate(group.nics.ports):
        nics_by_rail.setdefault(port.rail if is_by_rail else 0, []).append(nic)
    rails = tuple(tuple(nics_by_rail[rail]) for rail in sorted(nics_by_rail))
    return Rails(rails, Fraction(_gpus(plan, group), len(rails)))


def _slots(fabric: FabricPlan) -> Iterator[tuple[Unit, frozenset[int]]]:
    drained: dict[str, set[int]] = {}
    for key, state in fabric.exceptions.slots.items():
        if state == DRAINED:
            drained.setdefault(key.group, set()).add(key.slot)
    for group in fabric.shape.groups:
        for span in group.present:
            for number in range(span.first, span.last + 1):
                first = number * group.slots_a_unit
                slots = slots_with_servers(fabric, group, Span(first, first + group.slots_a_unit - 1))
                yield unit_of(group, first), slots - drained.get(group.name, set())


def _stated_links(fabric: FabricPlan) -> Iterator[tuple[AnyLink, bool]]:
    """Return the links that are not active, each with whether it is drained."""
    exceptions = fabric.exceptions
    switches = {place_of(fabric, key.device) for key in exceptions.ports} | {
        place_of(fabric, key.device) for key in exceptions.broken
    }
    switches |= {place_of(fabric, name) for name in exceptions.devices}
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
    """Return the state of a link; "active" at a dead or absent switch, which `Network.dead` already counts."""
    link = uplink(fabric, wire.lower, wire.number)
    if any(state_of(fabric, place) in AWAY for place in (link.lower, link.upper)):
        return "active"
    return link_state(fabric, link)


def _stated_at_servers(fabric: FabricPlan) -> Iterator[tuple[AnyLink, bool]]:
    """Return the down links that exceptions name at the server's end only."""
    servers = {port.device for port in (*fabric.exceptions.ports, *fabric.exceptions.broken)}
    servers = {device for device in servers if place_of(fabric, device) is None}
    if not servers:
        return
    for unit, slots in _slots(fabric):
        for slot in slots:
            if server_name(fabric.exceptions, unit.group, slot) in servers:
                for _, link in links_of_server(fabric, SlotKey(unit.group, slot)):
                    if _is_down(fabric, link):
                        yield link, False


def _is_down(fabric: FabricPlan, link: HostLink) -> bool:
    """Return whether a server's link carries nothing though its leaf is present: dead, absent, or shut by a drain."""
    group = group_of(fabric, link.group)
    leaf, number = leaf_of(fabric, group, link.slot, link.nic, link.plane)
    if state_of(fabric, leaf) in AWAY:
        return False
    host_port = next(port for port in host_ports(fabric, leaf) if port.number == number)
    exceptions = fabric.exceptions
    server_port = PortKey(server_name(exceptions, link.group, link.slot), slice_name(group, link.nic, link.plane))
    leaf_port = PortKey(name_of(fabric, leaf), port_text(fabric, leaf, host_port.port))
    states = {exceptions.ports.get(server_port), exceptions.ports.get(leaf_port)}
    if ABSENT in states or server_port in exceptions.broken or leaf_port in exceptions.broken:
        return True
    is_drained = DRAINED in states or state_of(fabric, leaf) == DRAINED
    return is_drained and takes_over(fabric, leaf, host_port)


def bound_links(fabric: FabricPlan) -> Iterator[tuple[Place, AnyLink]]:
    """Return the links in cages that differ from the model's, because the cable of a dead port has moved."""
    for name in fabric.bindings:
        place = place_of(fabric, name)
        if place is not None:
            for cage in _cages(replace(fabric, bindings={}), place) ^ _cages(fabric, place):
                yield from ((place, link) for link in cage)


def _cages(fabric: FabricPlan, place: Place) -> set[frozenset[AnyLink]]:
    """Return the sets of links of a switch that share a cage."""
    links_by_cage: dict[int, set[AnyLink]] = {}
    for cage, link in links_of_switch(fabric, place):
        links_by_cage.setdefault(cage, set()).add(link)
    return {frozenset(links) for links in links_by_cage.values()}
