"""What a failure leaves of a fabric: pods of leaves and spines, equal ones counted together, and servers cut off.

A leaf differs from another by what its servers send and by the uplinks that it misses; a pod by its units and by
the links that its spines miss. All that is alike is one value with a count, so that cost follows what is missing and
not the size of the fabric.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from fabricgen.failures.links import leaf_of_link, leaf_unit, turn_of, unit_of
from fabricgen.failures.network import Network
from fabricgen.failures.parts import HostLink, Lost, Unit, Wire
from fabricgen.plan.fabric import group_of, pod_stands
from fabricgen.plan.place import Place, Tier

MOST_KEPT = 3000
"""States of units that are kept."""
Short = tuple[tuple[int, int, int], ...]
"""Of a lower switch: (number of the switch above, links that are live, links that are drained), where links miss."""


class LeafState(NamedTuple):
    """One leaf.

    sent     Gb/s that its servers send, and its uplinks are planned for; 0 where it is dead or has no uplink left
    asked    Gb/s that servers which are not lost would send over it
    alive    whether it forwards at all; joined: and has an uplink left
    """

    sent: int
    asked: int
    alive: bool
    joined: bool
    drained: bool
    short: Short


class SpineState(NamedTuple):
    """One spine that differs from a whole one."""

    alive: bool
    drained: bool
    short: Short


class CoreState(NamedTuple):
    """One superspine that differs from a whole one."""

    alive: bool
    drained: bool


Spines = tuple[tuple[int, SpineState], ...]
UnitState = tuple[tuple[tuple[LeafState, int], ...], ...]
"""By plane, its leaves with how many are equal."""


class PodState(NamedTuple):
    """One pod in all planes: its units with how many are equal, and spines that differ, by plane."""

    units: tuple[tuple[UnitState, int], ...]
    spines: tuple[Spines, ...]


class Servers(NamedTuple):
    """What servers have lost. narrowed: GPUs whose rail has fewer ports than it is built with, and still one."""

    gpus: Fraction = Fraction(0)
    rails: int = 0
    servers: int = 0
    narrowed: Fraction = Fraction(0)

    def plus(self, other: "Servers", sign: int = 1) -> "Servers":
        """Sum, or with sign -1 the difference."""
        return Servers(
            self.gpus + sign * other.gpus,
            self.rails + sign * other.rails,
            self.servers + sign * other.servers,
            self.narrowed + sign * other.narrowed,
        )

    def times(self, many: int) -> "Servers":
        """As many servers that have lost the same."""
        return Servers(self.gpus * many, self.rails * many, self.servers * many, self.narrowed * many)


class Remaining(NamedTuple):
    """What is left.

    pods   with how many are equal; cores: superspines that differ, by plane, as (group, index, state)
    lost   of servers, more than before; vteps: next hops of the overlay that are gone
    """

    pods: tuple[tuple[PodState, int], ...]
    cores: tuple[tuple[tuple[int, int, CoreState], ...], ...]
    lost: Servers
    vteps: int


class _Damage:
    """A loss, sorted by where it is looked for."""

    def __init__(self, network: Network, lost: Lost) -> None:
        self.lost = lost
        self.switches = lost.switches
        self.gone: dict[Place, set[int]] = {}
        for wire in lost.wires:
            self.gone.setdefault(wire.lower, set()).add(wire.number)
        self.hosts: dict[Unit, set[HostLink]] = {}
        for link in lost.hosts:
            self.hosts.setdefault(unit_of(group_of(network.fabric, link.group), link.slot), set()).add(link)
        self.servers: dict[Unit, set[int]] = {}
        for key in lost.servers:
            self.servers.setdefault(unit_of(group_of(network.fabric, key.group), key.slot), set()).add(key.slot)

    def units(self, network: Network) -> set[Unit]:
        """Units with a leaf, a link or a server that is touched."""
        leaves = {place for place in self.switches if place.tier is Tier.LEAF}
        leaves |= {place for place in self.gone if place.tier is Tier.LEAF}
        found = {leaf_unit(leaf) for leaf in leaves} | self.hosts.keys() | self.servers.keys() | self.lost.units
        return {unit for unit in found if unit in network.slots}

    def spines(self) -> set[tuple[int, int]]:
        """Plane and pod of spines that are touched."""
        touched = (*self.switches, *self.gone)
        return {(place.plane, place.pod) for place in touched if place.tier is Tier.SPINE}


class Remains:
    """A fabric, and what any failure leaves of it. What is asked twice is computed once."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._shape = network.fabric.shape
        self._plain: dict[tuple[object, ...], tuple[UnitState, Servers]] = {}
        self._by_pod: dict[int, list[Unit]] = {}
        for unit in network.slots:
            self._by_pod.setdefault(unit.pod, []).append(unit)

    @cached_property
    def _base(self) -> tuple[dict[Unit, tuple[UnitState, Servers]], dict[int, PodState], dict[tuple[int, int], Spines]]:
        nothing = _Damage(self.network, Lost())
        keys = [(plane, pod) for plane in range(self._shape.planes) for pod in self._pods]
        spines = {key: self._spines(*key, nothing) if self._shape.spines else () for key in keys}
        units = {unit: self._unit(unit, nothing, spines) for unit in self.network.slots}
        pods = {pod: self._pod(pod, {unit: found[0] for unit, found in units.items()}, spines) for pod in self._pods}
        return units, pods, spines

    @cached_property
    def _pods(self) -> list[int]:
        return [pod for pod in range(self._shape.pods) if pod_stands(self.network.fabric, pod)]

    @cached_property
    def _counted(self) -> Counter[PodState]:
        return Counter(self._base[1].values())

    def after(self, lost: Lost) -> Remaining:
        """What a failure leaves."""
        damage = _Damage(self.network, lost)
        base_units, base_pods, base_spines = self._base
        touched_spines = {key for key in damage.spines() if key in base_spines}
        spines = {**base_spines, **{key: self._spines(*key, damage) for key in touched_spines}}
        touched = self._touched(damage, touched_spines, spines)
        units = {unit: self._unit(unit, damage, spines) for unit in touched}
        states = {unit: found[0] for unit, found in units.items()}
        pods = Counter(self._counted)
        for pod in {unit.pod for unit in touched} | {pod for _, pod in touched_spines} | lost.pods:
            pods[base_pods[pod]] -= 1
            if pod not in lost.pods:
                pods[self._pod(pod, states, spines)] += 1
        servers = Servers()
        for unit, (_, found) in units.items():
            servers = servers.plus(found).plus(base_units[unit][1], -1)
        return Remaining(
            pods=tuple((state, count) for state, count in pods.items() if count),
            cores=tuple(self._cores(plane, damage) for plane in range(self._shape.planes)),
            lost=servers,
            vteps=self._vteps(damage, states) if self.network.vteps else 0,
        )

    def _touched(
        self, damage: _Damage, touched: set[tuple[int, int]], spines: Mapping[tuple[int, int], Spines]
    ) -> set[Unit]:
        lost = damage.lost
        found = damage.units(self.network)
        pods = set(lost.pods) | (set(self._by_pod) if lost.planes else set())
        # Leaves lose their last uplink only where no spine is left, or where they miss links already.
        for key in touched:
            if not self._live(spines[key]):
                pods.add(key[1])
            found |= self._missing.get(key[1], set())
        for pod in pods:
            found |= set(self._by_pod.get(pod, ()))
        return found

    @cached_property
    def _missing(self) -> dict[int, set[Unit]]:
        """Units with a leaf that misses links before the failure, by pod."""
        found: dict[int, set[Unit]] = {}
        for leaf in self.network.gone:
            if leaf.tier is Tier.LEAF:
                found.setdefault(leaf.pod, set()).add(leaf_unit(leaf))
        return found

    def _live(self, spines: Spines) -> int:
        """Spines of a pod that forward."""
        return self._shape.spines - sum(not state.alive for _, state in spines)

    def _spines(self, plane: int, pod: int, damage: _Damage) -> Spines:
        """Spines of a pod that differ from whole ones."""
        network, shape = self.network, self._shape
        found = []
        dark = plane in damage.lost.planes
        places = self._spine_places(plane, pod, damage)
        for place in sorted(places):
            alive = place not in network.dead and place not in damage.switches and not dark
            short = self._short(place, damage) if alive else ()
            state = SpineState(alive, alive and place in network.drained, short)
            if state != (True, False, ()):
                found.append((place.index, state))
        if dark:
            return tuple((index, SpineState(False, False, ())) for index in range(shape.spines))
        return tuple(found)

    def _spine_places(self, plane: int, pod: int, damage: _Damage) -> set[Place]:
        network = self.network
        named = (network.dead, network.drained, network.gone, network.drained_links, damage.switches, damage.gone)
        here = (plane, pod)
        return {
            place
            for places in named
            for place in places
            if place.tier is Tier.SPINE and (place.plane, place.pod) == here
        }

    def _short(self, lower: Place, damage: _Damage) -> Short:
        """Links that a lower switch misses, by the switch above; one that is dead itself takes them along unsaid."""
        network, shape = self.network, self._shape
        gone = network.gone.get(lower, frozenset()) | damage.gone.get(lower, set())
        slow = network.drained_links.get(lower, frozenset()) - gone
        if not gone and not slow:
            return ()
        links = shape.core_links if lower.tier is Tier.SPINE else shape.links
        missing = Counter(turn_of(network.fabric, Wire(lower, number))[0] for number in (*gone, *slow))
        drained = Counter(turn_of(network.fabric, Wire(lower, number))[0] for number in slow)
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
        """A pod; a unit that is not among `units` is as it was."""
        found = Counter(units[unit] if unit in units else self._base[0][unit][0] for unit in self._by_pod.get(pod, ()))
        above = tuple(spines[plane, pod] for plane in range(self._shape.planes))
        return PodState(tuple(sorted(found.items())), above)

    def _unit(self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines]) -> tuple[UnitState, Servers]:
        """Leaves of a unit by plane, and what its servers have lost."""
        network, lost = self.network, damage.lost
        is_gone = unit in lost.units or unit.pod in lost.pods
        slots = frozenset() if is_gone else network.slots[unit] - damage.servers.get(unit, set())
        down = network.down.get(unit, frozenset()) | damage.hosts.get(unit, set())
        leaves = self._leaves(unit, damage, spines, is_gone=is_gone)
        if down:
            state, servers = self._counted_unit(unit, slots, down, leaves)
        else:
            # Units differ by how many servers they have, and by their leaves, column by column.
            key = unit.group, len(slots), tuple((place[3], *place[6:], found) for place, found in leaves.items())
            if len(self._plain) > MOST_KEPT:
                self._plain.clear()
            if key not in self._plain:
                self._plain[key] = self._counted_unit(unit, slots, down, leaves)
            state, servers = self._plain[key]
        away = len(network.slots[unit]) - len(slots)
        rails = network.rails[unit.group]
        whole = Servers(away * len(rails.ports) * rails.gpus, away * len(rails.ports), away)
        return state, servers.plus(whole)

    def _leaves(
        self, unit: Unit, damage: _Damage, spines: Mapping[tuple[int, int], Spines], *, is_gone: bool
    ) -> dict[Place, tuple[bool, bool, bool, Short]]:
        """Of each leaf: alive, joined, drained, and the links that it misses."""
        network = self.network
        found = {}
        for plane in range(self._shape.planes):
            dark = is_gone or plane in damage.lost.planes
            for leaf in network.leaves(unit, plane):
                alive = not dark and leaf not in network.dead and leaf not in damage.switches
                short = self._short(leaf, damage) if alive else ()
                joined = alive and self._is_joined(short, spines.get((plane, unit.pod), ()))
                found[leaf] = (alive, joined, alive and leaf in network.drained, short)
        return found

    def _is_joined(self, short: Short, spines: Spines) -> bool:
        """Whether a link to a spine that forwards is left; without spines there is nothing to be joined to."""
        if not self._shape.spines:
            return True
        dead = {index for index, state in spines if not state.alive}
        cut = {index for index, live, drained in short if not live + drained}
        return len(dead | cut) < self._shape.spines

    def _counted_unit(
        self,
        unit: Unit,
        slots: frozenset[int],
        down: Iterable[HostLink],
        leaves: Mapping[Place, tuple[bool, bool, bool, Short]],
    ) -> tuple[UnitState, Servers]:
        group = group_of(self.network.fabric, unit.group)
        speed = group.nics.speed_gbps // group.nics.planes
        shape = self._shape
        most = shape.spines * shape.links * self.network.speeds[0] if shape.spines else None
        ports = [(nic, plane) for nic in range(len(group.columns)) for plane in range(shape.planes)]
        of = {(nic, plane): self._leaf(unit, nic, plane) for nic, plane in ports}
        working = {port for port in ports if leaves[of[port]][1]}
        broken: dict[int, set[tuple[int, int]]] = {}
        for link in down:
            if link.slot in slots:
                broken.setdefault(link.slot, set()).add((link.nic, link.plane))
        plain = len(slots) - len(broken)
        sent, asked, servers = Counter[Place](), Counter[Place](), Servers()
        for bad, count in (*((each, 1) for each in broken.values()), (set[tuple[int, int]](), plain)):
            fine = working - bad
            lit = {port for port in ports if leaves[of[port]][0]} - bad
            for port in lit:
                sent[of[port]] += count
            lost, ask = self._rails_lost(unit.group, fine)
            servers = servers.plus(lost.times(count))
            for port in ask:
                asked[of[port]] += count
        states: list[Counter[LeafState]] = [Counter() for _ in range(shape.planes)]
        for leaf, (alive, joined, drained, short) in leaves.items():
            send, ask_for = sent[leaf] * speed, asked[leaf] * speed
            if most is not None:
                send, ask_for = min(send, most), min(ask_for, most)
            states[leaf.plane][LeafState(send, ask_for, alive, joined, drained, short)] += 1
        return tuple(tuple(sorted(each.items())) for each in states), servers

    def _leaf(self, unit: Unit, nic: int, plane: int) -> Place:
        group = group_of(self.network.fabric, unit.group)
        first = (unit.pod * group.units_a_pod + unit.su) * group.slots_a_unit
        return leaf_of_link(self.network.fabric, HostLink(plane, unit.group, first, nic))

    def _rails_lost(self, group: str, fine: set[tuple[int, int]]) -> tuple[Servers, list[tuple[int, int]]]:
        """What one server with these ports has lost; ports of the rails that it still has."""
        rails = self.network.rails[group]
        lost = narrowed = 0
        asked: list[tuple[int, int]] = []
        for nics in rails.ports:
            ports = [(nic, plane) for nic in nics for plane in range(self._shape.planes)]
            left = sum(port in fine for port in ports)
            lost += not left
            narrowed += 0 < left < len(ports)
            if left:
                asked += ports
        return Servers(lost * rails.gpus, lost, int(lost == len(rails.ports)), narrowed * rails.gpus), asked

    def _vteps(self, damage: _Damage, units: Mapping[Unit, UnitState]) -> int:
        """Leaves and border leaves that no other leaf reaches any more, and that were there before."""
        borders = sum(place.tier is Tier.BORDER for place in damage.switches - self.network.dead)
        gone = 0
        for unit, state in units.items():
            before = self._base[0][unit][0]
            gone += sum(count for plane in before for leaf, count in plane if leaf.joined)
            gone -= sum(count for plane in state for leaf, count in plane if leaf.joined)
        return borders + gone
