"""The state of a fabric after a failure: counts of equal pods, units and leaves, and servers cut off.

Leaves differ by the rate that their servers send and by missing uplinks; pods differ by their units and by missing
links of their spines. Equal states are one value with a count, so the run time depends on the number of missing parts
and not on the size of the fabric.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from fabricgen.failures.links import leaf_of_link, leaf_unit, turn_of, unit_of
from fabricgen.failures.network import Network
from fabricgen.failures.parts import HostLink, Lost, Unit, Wire
from fabricgen.plan.fabric import group_of, places, pod_exists
from fabricgen.plan.place import Place, Tier

MOST_KEPT = 3000
"""Size limit of the cache of states of units."""
Short = tuple[tuple[int, int, int], ...]
"""(Number, live links, drained links) of each upper switch to which a lower switch misses links."""


class LeafState(NamedTuple):
    """One leaf.

    sent     Gb/s that its servers send, at most what its uplinks are planned for; 0 where the leaf is dead
    wanted   Gb/s of all ports, as built, of rails with a link left to a live leaf, with the same limit
    alive    whether it forwards at all; joined: whether it is alive and has an uplink left
    """

    sent: int
    wanted: int
    alive: bool
    joined: bool
    drained: bool
    short: Short


class SpineState(NamedTuple):
    """A spine that is not fully working."""

    alive: bool
    drained: bool
    short: Short


class CoreState(NamedTuple):
    """A superspine that is not fully working."""

    alive: bool
    drained: bool


Spines = tuple[tuple[int, SpineState], ...]
UnitState = tuple[tuple[tuple[LeafState, int], ...], ...]
"""By plane, the states of its leaves with the number of equal leaves."""


class PodState(NamedTuple):
    """A pod in all planes: states of its units with the number of equal units; by plane, spines that are not whole."""

    units: tuple[tuple[UnitState, int], ...]
    spines: tuple[Spines, ...]


class Servers(NamedTuple):
    """What servers have lost. narrowed: GPUs whose rail has lost some of its ports, but not all."""

    gpus: Fraction = Fraction(0)
    rails: int = 0
    servers: int = 0
    narrowed: Fraction = Fraction(0)

    def plus(self, other: "Servers", sign: int = 1) -> "Servers":
        """Return the sum, or with sign -1 the difference."""
        return Servers(
            self.gpus + sign * other.gpus,
            self.rails + sign * other.rails,
            self.servers + sign * other.servers,
            self.narrowed + sign * other.narrowed,
        )

    def times(self, count: int) -> "Servers":
        """Return the loss of several servers that have lost the same."""
        return Servers(self.gpus * count, self.rails * count, self.servers * count, self.narrowed * count)


class Remaining(NamedTuple):
    """The state of a fabric after a failure.

    pods   states of pods with the number of equal pods
    cores  by plane, superspines that are not whole, as (group, index, state)
    lost   what servers have lost in addition to their state before; vteps: next hops of the overlay that are lost
    """

    pods: tuple[tuple[PodState, int], ...]
    cores: tuple[tuple[tuple[int, int, CoreState], ...], ...]
    lost: Servers
    vteps: int


class _UnitServers(NamedTuple):
    """Servers in service of one group in a unit: their slots, and the links of the group's servers that are down."""

    unit: Unit
    slots: frozenset[int]
    down_links: frozenset[HostLink]


class _Damage:
    """A loss, indexed by switch and unit."""

    def __init__(self, network: Network, lost: Lost) -> None:
        self.lost = lost
        self.switches = lost.switches
        self.lost_uplinks: dict[Place, set[int]] = {}
        for wire in lost.wires:
            self.lost_uplinks.setdefault(wire.lower, set()).add(wire.number)
        self.hosts: dict[Unit, set[HostLink]] = {}
        for link in lost.hosts:
            self.hosts.setdefault(unit_of(group_of(network.fabric, link.group), link.slot), set()).add(link)
        self.servers: dict[Unit, set[int]] = {}
        for key in lost.servers:
            self.servers.setdefault(unit_of(group_of(network.fabric, key.group), key.slot), set()).add(key.slot)

    def units(self, network: Network) -> set[Unit]:
        """Return the units of lost leaves, uplinks, server links and servers: those that the leaves belong to."""
        leaves = {place for place in self.switches if place.tier is Tier.LEAF}
        leaves |= {place for place in self.lost_uplinks if place.tier is Tier.LEAF}
        units = {leaf_unit(leaf) for leaf in leaves} | self.hosts.keys() | self.servers.keys() | self.lost.units
        return {network.owner(unit) for unit in units if unit in network.slots}

    def spines(self) -> set[tuple[int, int]]:
        """Return (plane, pod) of spines that are lost or lose uplinks."""
        touched = (*self.switches, *self.lost_uplinks)
        return {(place.plane, place.pod) for place in touched if place.tier is Tier.SPINE}


class Remains:
    """Computes the state of a fabric after failures, with a cache."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._shape = network.fabric.shape
        self._plain: dict[tuple[object, ...], tuple[UnitState, Servers]] = {}
        self._planes = frozenset(range(self._shape.planes))
        self._by_pod: dict[int, list[Unit]] = {}
        self._owners = tuple(unit for unit in network.slots if network.owner(unit) == unit)
        for unit in self._owners:
            self._by_pod.setdefault(unit.pod, []).append(unit)

    @cached_property
    def _base(self) -> tuple[dict[Unit, tuple[UnitState, Servers]], dict[int, PodState], dict[tuple[int, int], Spines]]:
        no_damage, spines, stored = _Damage(self.network, Lost()), self._base_spines, self._base_stored
        units = {unit: self._unit(unit, no_damage, spines, stored) for unit in self._owners}
        pods = {pod: self._pod(pod, {unit: result[0] for unit, result in units.items()}, spines) for pod in self._pods}
        return units, pods, spines

    @cached_property
    def _base_spines(self) -> dict[tuple[int, int], Spines]:
        no_damage = _Damage(self.network, Lost())
        keys = [(plane, pod) for plane in range(self._shape.planes) for pod in self._pods]
        return {key: self._spines(*key, no_damage) if self._shape.spines else () for key in keys}

    @cached_property
    def _base_nodes(self) -> dict[Unit, frozenset[int]]:
        """Planes in which a storage node of a unit has a live link, before any failure."""
        no_damage, units = _Damage(self.network, Lost()), self.network.slots
        nodes = self.network.nodes
        return {unit: self._node_planes(unit, no_damage, self._base_spines) for unit in units if unit.group in nodes}

    @cached_property
    def _base_stored(self) -> frozenset[int]:
        return self._stored(frozenset().union(*self._base_nodes.values()))

    def _stored(self, planes: frozenset[int]) -> frozenset[int]:
        """Return the planes in which servers have storage. Without a storage node on the fabric: all of them."""
        return planes if self.network.nodes else self._planes

    def _stored_after(
        self, damage: _Damage, spines: Mapping[tuple[int, int], Spines], touched: set[Unit]
    ) -> frozenset[int]:
        """Return the planes in which a storage node has a live link after a loss."""
        if not self.network.nodes:
            return self._planes
        counts = Counter(plane for planes in self._base_nodes.values() for plane in planes)
        for unit in {each for owner in touched for each in self.network.sharing(owner)} & self._base_nodes.keys():
            counts.subtract(self._base_nodes[unit])
            counts.update(self._node_planes(unit, damage, spines))
        return frozenset(plane for plane, count in counts.items() if count > 0)

    def _node_planes(self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines]) -> frozenset[int]:
        """Return the planes in which a server of a unit has a link to a leaf that is joined to the others."""
        is_gone = self.network.owner(unit) in damage.lost.units or unit.pod in damage.lost.pods
        leaves = self._leaves(unit, damage, spines, is_gone=is_gone)
        slots = self.network.slots[unit] - damage.servers.get(unit, set())
        broken = Counter(
            (link.nic, link.plane)
            for link in self.network.down.get(unit, frozenset()) | damage.hosts.get(unit, set())
            if link.slot in slots
        )
        ports = self._ports(unit.group)
        return frozenset(port[1] for port in ports if leaves[self._leaf(unit, *port)][1] and broken[port] < len(slots))

    def _ports(self, group: str) -> list[tuple[int, int]]:
        """NIC port and plane of each link of a server."""
        shape = group_of(self.network.fabric, group)
        return [(nic, plane) for nic in range(len(shape.columns)) for plane in shape.planes_of(nic)]

    def _useful(self, group: str, stored: frozenset[int]) -> frozenset[int]:
        """Return the planes whose links are of use: for a server with GPUs on a storage fabric, those with storage."""
        return self._planes if group in self.network.nodes else stored

    @cached_property
    def _pods(self) -> list[int]:
        return [pod for pod in range(self._shape.pods) if pod_exists(self.network.fabric, pod)]

    @cached_property
    def _counted(self) -> Counter[PodState]:
        return Counter(self._base[1].values())

    def lost_before(self) -> Servers:
        """Return what servers have lost before any failure, by parts that are dead, drained or absent."""
        servers = Servers()
        for _, unit_loss in self._base[0].values():
            servers = servers.plus(unit_loss)
        return servers

    def cut_off(self, lost: Lost) -> dict[Unit, frozenset[int]]:
        """Return the slots of servers that lose a whole rail by a failure, or as storage nodes all, by unit."""
        damage, no_damage = _Damage(self.network, lost), _Damage(self.network, Lost())
        _, spines, touched, stored = self._affected(damage)
        slots_by_unit = {}
        for unit in (each for owner in touched for each in self.network.sharing(owner)):
            others, lost_of = self._lost_rails(unit, damage, spines, stored)
            others_before, lost_before = self._lost_rails(unit, no_damage, self._base_spines, self._base_stored)
            named = lost_of.keys() | lost_before.keys()
            slots = {slot for slot in named if lost_of.get(slot, others) > lost_before.get(slot, others_before)}
            if others > others_before:
                slots |= self.network.slots[unit] - named
            if slots:
                slots_by_unit[unit] = frozenset(slots)
        return slots_by_unit

    def _lost_rails(
        self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines], stored: frozenset[int]
    ) -> tuple[int, dict[int, int]]:
        """Return the number of lost rails of a server, and of each one that is gone or has broken links, by slot.

        A storage node has lost 1 where none is left, else 0: jobs do not run on it.
        """
        network = self.network
        is_gone = network.owner(unit) in damage.lost.units or unit.pod in damage.lost.pods
        leaves = self._leaves(unit, damage, spines, is_gone=is_gone)
        useful = self._useful(unit.group, stored)
        ports = self._ports(unit.group)
        working = {port for port in ports if port[1] in useful and leaves[self._leaf(unit, *port)][1]}
        broken_by_slot: dict[int, set[tuple[int, int]]] = {}
        for link in network.down.get(unit, frozenset()) | damage.hosts.get(unit, set()):
            if link.slot in network.slots[unit]:
                broken_by_slot.setdefault(link.slot, set()).add((link.nic, link.plane))

        def lost(working_ports: set[tuple[int, int]]) -> int:
            servers = self._rails_lost(unit.group, working_ports)
            return servers.servers if unit.group in network.nodes else servers.rails

        lost_of = {slot: lost(working - broken) for slot, broken in broken_by_slot.items()}
        gone = damage.servers.get(unit, set()) & network.slots[unit]
        return lost(working), lost_of | dict.fromkeys(gone, lost(set()))

    def _affected(
        self, damage: _Damage
    ) -> tuple[set[tuple[int, int]], dict[tuple[int, int], Spines], set[Unit], frozenset[int]]:
        """Return what a loss touches, and what is left.

        (plane, pod) of spines that it touches, all spines after it, units that it touches, planes with storage.
        """
        base_spines = self._base_spines
        touched_spines = {key for key in damage.spines() if key in base_spines}
        spines = {**base_spines, **{key: self._spines(*key, damage) for key in touched_spines}}
        touched = self._touched(damage, touched_spines, spines)
        stored = self._stored_after(damage, spines, touched)
        if stored != self._base_stored:
            touched |= set(self._owners)
        return touched_spines, spines, touched, stored

    def after(self, lost: Lost) -> Remaining:
        """Return the state after a failure."""
        damage = _Damage(self.network, lost)
        base_units, base_pods, _ = self._base
        touched_spines, spines, touched, stored = self._affected(damage)
        units = {unit: self._unit(unit, damage, spines, stored) for unit in touched}
        states = {unit: result[0] for unit, result in units.items()}
        pods = Counter(self._counted)
        for pod in {unit.pod for unit in touched} | {pod for _, pod in touched_spines} | lost.pods:
            pods[base_pods[pod]] -= 1
            if pod not in lost.pods:
                pods[self._pod(pod, states, spines)] += 1
        servers = Servers()
        for unit, (_, unit_loss) in units.items():
            servers = servers.plus(unit_loss).plus(base_units[unit][1], -1)
        return Remaining(
            pods=tuple((state, count) for state, count in pods.items() if count),
            cores=tuple(self._cores(plane, damage) for plane in range(self._shape.planes)),
            lost=servers,
            vteps=self._vteps(damage, states, spines) if self.network.vteps else 0,
        )

    def _touched(
        self, damage: _Damage, touched_spines: set[tuple[int, int]], spines: Mapping[tuple[int, int], Spines]
    ) -> set[Unit]:
        lost = damage.lost
        units = damage.units(self.network)
        pods = set(lost.pods) | (set(self._by_pod) if lost.planes else set())
        # A lost spine takes the last uplink of a leaf only if no spine is left, or if the leaf already misses links.
        for key in touched_spines:
            if not self._live(spines[key]):
                pods.add(key[1])
            units |= self._missing.get(key[1], set())
        for pod in pods:
            units |= set(self._by_pod.get(pod, ()))
        return units

    @cached_property
    def _missing(self) -> dict[int, set[Unit]]:
        """Units with a leaf that misses links before the failure, by pod."""
        units_by_pod: dict[int, set[Unit]] = {}
        for leaf in self.network.dead_uplinks:
            if leaf.tier is Tier.LEAF:
                units_by_pod.setdefault(leaf.pod, set()).add(leaf_unit(leaf))
        return units_by_pod

    def _live(self, spines: Spines) -> int:
        """Return the number of spines of a pod that forward."""
        return self._shape.spines - sum(not state.alive for _, state in spines)

    def _spines(self, plane: int, pod: int, damage: _Damage) -> Spines:
        """Return the spines of a pod that are not fully working."""
        network, shape = self.network, self._shape
        states = []
        is_plane_lost = plane in damage.lost.planes
        places = self._spine_places(plane, pod, damage)
        for place in sorted(places):
            alive = place not in network.dead and place not in damage.switches and not is_plane_lost
            short = self._short(place, damage) if alive else ()
            state = SpineState(alive, alive and place in network.drained, short)
            if state != (True, False, ()):
                states.append((place.index, state))
        if is_plane_lost:
            return tuple((index, SpineState(False, False, ())) for index in range(shape.spines))
        return tuple(states)

    def _spine_places(self, plane: int, pod: int, damage: _Damage) -> set[Place]:
        network = self.network
        place_sets = (network.dead, network.drained, network.dead_uplinks, network.drained_links)
        plane_and_pod = (plane, pod)
        return {
            place
            for places in (*place_sets, damage.switches, damage.lost_uplinks)
            for place in places
            if place.tier is Tier.SPINE and (place.plane, place.pod) == plane_and_pod
        }

    def _short(self, lower: Place, damage: _Damage) -> Short:
        """Return the missing links of a lower switch by upper switch. A dead upper switch alone misses no link."""
        network, shape = self.network, self._shape
        dead_links = network.dead_uplinks.get(lower, frozenset()) | damage.lost_uplinks.get(lower, set())
        drained_links = network.drained_links.get(lower, frozenset()) - dead_links
        if not dead_links and not drained_links:
            return ()
        links = shape.core_links if lower.tier is Tier.SPINE else shape.links
        missing = Counter(turn_of(network.fabric, Wire(lower, number))[0] for number in (*dead_links, *drained_links))
        drained = Counter(turn_of(network.fabric, Wire(lower, number))[0] for number in drained_links)
        return tuple((index, links - missing[index], drained[index]) for index in sorted(missing))

    def _cores(self, plane: int, damage: _Damage) -> tuple[tuple[int, int, CoreState], ...]:
        network = self.network
        if not self._shape.cores or plane in damage.lost.planes:
            return ()
        touched = {
            place
            for places in (network.dead, network.drained, damage.switches)
            for place in places
            if place.tier is Tier.SUPERSPINE and place.plane == plane
        }
        return tuple(
            (place.su, place.index, CoreState(place not in network.dead and place not in damage.switches, True))
            if place in network.drained and place not in damage.switches
            else (place.su, place.index, CoreState(alive=False, drained=False))
            for place in sorted(touched)
        )

    def _pod(self, pod: int, units: Mapping[Unit, UnitState], spines: Mapping[tuple[int, int], Spines]) -> PodState:
        """Return the state of a pod. Units that are not in `units` keep their state before the failure."""
        unit_counts = Counter(
            units[unit] if unit in units else self._base[0][unit][0] for unit in self._by_pod.get(pod, ())
        )
        above = tuple(spines[plane, pod] for plane in range(self._shape.planes))
        return PodState(tuple(sorted(unit_counts.items())), above)

    def _unit(
        self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines], stored: frozenset[int]
    ) -> tuple[UnitState, Servers]:
        """Return the leaves that belong to a unit by plane, and what the servers on them have lost."""
        network, lost = self.network, damage.lost
        is_gone = unit in lost.units or unit.pod in lost.pods
        leaves = self._leaves(unit, damage, spines, is_gone=is_gone)
        servers, lost_servers = [], Servers()
        for each in network.sharing(unit):
            slots = frozenset() if is_gone else network.slots[each] - damage.servers.get(each, set())
            down_links = network.down.get(each, frozenset()) | damage.hosts.get(each, set())
            servers.append(_UnitServers(each, slots, down_links))
            rails, lost_slots = network.rails[each.group], len(network.slots[each]) - len(slots)
            lost_rails = lost_slots * len(rails.ports)
            lost_servers = lost_servers.plus(Servers(lost_rails * rails.gpus, lost_rails, lost_slots))
        if any(each.down_links for each in servers):
            state, lost_of_links = self._counted_unit(servers, leaves, stored)
        else:
            # Without broken server links, the result depends on the number of servers and the state of each leaf.
            counts = tuple(len(each.slots) for each in servers)
            key = unit.group, stored, counts, tuple((place[3], *place[6:], leaf) for place, leaf in leaves.items())
            if len(self._plain) > MOST_KEPT:
                self._plain.clear()
            if key not in self._plain:
                self._plain[key] = self._counted_unit(servers, leaves, stored)
            state, lost_of_links = self._plain[key]
        return state, lost_of_links.plus(lost_servers)

    def _leaves(
        self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines], *, is_gone: bool
    ) -> dict[Place, tuple[bool, bool, bool, Short]]:
        """Return for each leaf: alive, joined, drained, and the links that it misses."""
        network = self.network
        leaf_states = {}
        for plane in range(self._shape.planes):
            is_lost = is_gone or plane in damage.lost.planes
            for leaf in network.leaves(unit, plane):
                alive = not is_lost and leaf not in network.dead and leaf not in damage.switches
                short = self._short(leaf, damage) if alive else ()
                joined = alive and self._is_joined(short, spines.get((plane, unit.pod), ()))
                leaf_states[leaf] = (alive, joined, alive and leaf in network.drained, short)
        return leaf_states

    def _is_joined(self, short: Short, spines: Spines) -> bool:
        """Return whether a link to a forwarding spine is left; always true in a fabric without spines."""
        if not self._shape.spines:
            return True
        dead = {index for index, state in spines if not state.alive}
        cut = {index for index, live, drained in short if not live + drained}
        return len(dead | cut) < self._shape.spines

    def _counted_unit(
        self,
        all_servers: Iterable[_UnitServers],
        leaves: Mapping[Place, tuple[bool, bool, bool, Short]],
        stored: frozenset[int],
    ) -> tuple[UnitState, Servers]:
        shape = self._shape
        planned = shape.spines * shape.links * self.network.speeds[0] if shape.spines else None
        sent, asked, lost = Counter[Place](), Counter[Place](), Servers()
        for servers in all_servers:
            lost = lost.plus(self._counted_servers(servers, leaves, stored, (sent, asked)))
        states: list[Counter[LeafState]] = [Counter() for _ in range(shape.planes)]
        for leaf, (alive, joined, drained, short) in leaves.items():
            sent_gbps, asked_gbps = sent[leaf], asked[leaf]
            if planned is not None:
                sent_gbps, asked_gbps = min(sent_gbps, planned), min(asked_gbps, planned)
            states[leaf.plane][LeafState(sent_gbps, asked_gbps, alive, joined, drained, short)] += 1
        return tuple(tuple(sorted(plane_leaves.items())) for plane_leaves in states), lost

    def _counted_servers(
        self,
        servers: _UnitServers,
        leaves: Mapping[Place, tuple[bool, bool, bool, Short]],
        stored: frozenset[int],
        gbps: tuple[Counter[Place], Counter[Place]],
    ) -> Servers:
        """Return what the servers of one group have lost; add what they send and ask for to Gb/s by leaf."""
        unit, slots, down_links = servers
        sent, asked = gbps
        group = group_of(self.network.fabric, unit.group)
        speed = group.nics.speed_gbps // group.nics.planes
        ports, useful = self._ports(unit.group), self._useful(unit.group, stored)
        leaf_of = {(nic, plane): self._leaf(unit, nic, plane) for nic, plane in ports}
        working = {port for port in ports if port[1] in useful and leaves[leaf_of[port]][1]}
        broken_by_slot: dict[int, set[tuple[int, int]]] = {}
        for link in down_links:
            if link.slot in slots:
                broken_by_slot.setdefault(link.slot, set()).add((link.nic, link.plane))
        intact, lost = len(slots) - len(broken_by_slot), Servers()
        for broken_ports, count in (
            *((slot_ports, 1) for slot_ports in broken_by_slot.values()),
            (set[tuple[int, int]](), intact),
        ):
            joined_ports = working - broken_ports
            alive_ports = {port for port in ports if leaves[leaf_of[port]][0]} - broken_ports
            for port in alive_ports:
                sent[leaf_of[port]] += count * speed
            lost = lost.plus(self._rails_lost(unit.group, joined_ports).times(count))
            for port in self._asked_ports(unit.group, alive_ports):
                asked[leaf_of[port]] += count * speed
        return lost

    def _leaf(self, unit: Unit, nic: int, plane: int) -> Place:
        group = group_of(self.network.fabric, unit.group)
        first = (unit.pod * group.units_a_pod + unit.su) * group.slots_a_unit
        return leaf_of_link(self.network.fabric, HostLink(plane, unit.group, first, nic))

    def _rails(self, group: str) -> Iterator[list[tuple[int, int]]]:
        """Return the ports of each rail of a server, in all planes."""
        planes_of = group_of(self.network.fabric, group).planes_of
        return ([(nic, plane) for nic in nics for plane in planes_of(nic)] for nics in self.network.rails[group].ports)

    def _rails_lost(self, group: str, working_ports: set[tuple[int, int]]) -> Servers:
        """Return what one server with these working ports has lost."""
        rails = self.network.rails[group]
        lost = narrowed = 0
        for ports in self._rails(group):
            remaining = sum(port in working_ports for port in ports)
            lost += not remaining
            narrowed += 0 < remaining < len(ports)
        return Servers(lost * rails.gpus, lost, int(lost == len(rails.ports)), narrowed * rails.gpus)

    def _asked_ports(self, group: str, alive_ports: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Return the ports of a server's rails that still send: at least one of their links ends at a live leaf."""
        return (port for ports in self._rails(group) if not alive_ports.isdisjoint(ports) for port in ports)

    @cached_property
    def _borders(self) -> list[Place]:
        """Border leaves that other leaves reach before any failure."""
        spines, no_damage = self._base[2], _Damage(self.network, Lost())
        borders = (place for place in places(self.network.fabric) if place.tier is Tier.BORDER)
        return [border for border in borders if self._reaches(border, no_damage, spines)]

    def _reaches(self, border: Place, damage: _Damage, spines: Mapping[tuple[int, int], Spines]) -> bool:
        """Return whether a border leaf forwards and has an uplink left. It has as many links to a spine as a leaf."""
        lost = damage.lost
        is_lost = border in lost.switches or border.pod in lost.pods or border.plane in lost.planes
        alive = not is_lost and border not in self.network.dead
        return alive and self._is_joined(self._short(border, damage), spines[border.plane, border.pod])

    def _vteps(self, damage: _Damage, units: Mapping[Unit, UnitState], spines: Mapping[tuple[int, int], Spines]) -> int:
        """Return the number of leaves and border leaves that other leaves reached only before the failure."""
        lost_borders = sum(not self._reaches(border, damage, spines) for border in self._borders)
        lost_leaves = 0
        for unit, state in units.items():
            before = self._base[0][unit][0]
            lost_leaves += sum(count for plane in before for leaf, count in plane if leaf.joined)
            lost_leaves -= sum(count for plane in state for leaf, count in plane if leaf.joined)
        return lost_borders + lost_leaves
