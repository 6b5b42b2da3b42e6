"""What a failure leaves, as figures: servers cut off, capacity by leaf, unit and fabric, the hottest link.

    leaf    least of all leaf pairs with servers: cut(a, b) / what the smaller of the two wants
    unit    least of all units: max-flow of its leaves to the top tier / what its servers want of it
    fabric  max-flow of all leaves to the top tier / what servers want: of even pods this is the share of bisection

What servers want is what those send that are not cut off, at most what is planned for it. Two tiers: the top tier are
the spines. A drained switch or link carries nothing here; it still forwards where nothing else is left.
"""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.load import Dimensions, Plane, PlaneLoad, PlanePod
from fabricgen.failures.network import Network
from fabricgen.failures.parts import NOTHING_LOST, Lost
from fabricgen.failures.remaining import LeafState, PodState, Remaining, Remains, Spines, UnitState

WHOLE = Fraction(1)
DIGITS = 6
"""Of the load of a link: what differs less is the rounding of sums in another order."""


MOST_KEPT = 3000
"""Answers of each kind that are kept: pairs of a fabric with many exceptions are hundreds of thousands."""


class Outcome(NamedTuple):
    """What a failure costs.

    gpus      GPUs cut off: no link of their rail is left to a leaf with an uplink; servers: those with no rail left
    rails     rails of servers that are cut off; narrowed: GPUs whose rail has lost some of its ports, not all
    leaf, unit, fabric  capacity left, as above
    hottest   load of the hottest link between switches, 1 is line rate
    apart     pairs of leaves with servers that have no route to each other; no detour over a third leaf is taken
    vteps     next hops of the overlay that vanish
    """

    gpus: int
    servers: int
    rails: int
    narrowed: int
    leaf: Fraction
    unit: Fraction
    fabric: Fraction
    hottest: float
    apart: int
    vteps: int

    @property
    def least(self) -> Fraction:
        """The least of the shares of capacity."""
        return min(self.leaf, self.unit, self.fabric)


class Measures:
    """A fabric, asked for what failures leave of it."""

    def __init__(self, network: Network) -> None:
        self._remains = Remains(network)
        shape = network.fabric.shape
        self._of = Dimensions(
            spines=shape.spines,
            links=shape.links,
            cores=shape.cores,
            core_links=shape.core_links,
            up_gbps=network.speeds[0],
            core_gbps=network.speeds[1],
            policy=network.policy,
        )
        self._planes = shape.planes
        self._loads: dict[Hashable, PlaneLoad] = {}
        self._pod_shares: dict[Hashable, tuple[Fraction, int, int]] = {}
        self._outcomes: dict[Lost, Outcome] = {}

    def base(self) -> Outcome:
        """The fabric as it is."""
        return self.of(NOTHING_LOST)

    def of(self, lost: Lost) -> Outcome:
        """The fabric without what is lost."""
        found = self._outcomes.get(lost)
        if found is None:
            for kept in (self._outcomes, self._loads, self._pod_shares):
                if len(kept) > MOST_KEPT:
                    kept.clear()
            found = self._outcomes[lost] = self._measured(self._remains.after(lost))
        return found

    def _measured(self, left: Remaining) -> Outcome:
        loads = [self._load(left, plane) for plane in range(self._planes)] if self._of.spines else []
        unit, fabric = self._shares(left)
        return Outcome(
            gpus=round(left.lost.gpus),
            servers=left.lost.servers,
            rails=left.lost.rails,
            narrowed=round(left.lost.narrowed),
            leaf=min((min(WHOLE, Fraction(each.cut, each.want)) for each in loads), default=WHOLE),
            unit=unit,
            fabric=fabric,
            hottest=round(max((each.hottest for each in loads), default=0.0), DIGITS),
            apart=sum(each.apart for each in loads),
            vteps=left.vteps,
        )

    def _load(self, left: Remaining, plane: int) -> PlaneLoad:
        pods = Counter[tuple[tuple[tuple[LeafState, int], ...], Spines]]()
        for state, count in left.pods:
            leaves = Counter[LeafState]()
            for unit, units in state.units:
                for leaf, many in unit[plane]:
                    leaves[leaf] += many * units
            pods[tuple(sorted(leaves.items())), state.spines[plane]] += count
        key = (frozenset(pods.items()), left.cores[plane])
        found = self._loads.get(key)
        if found is None:
            rows = [PlanePod(count, leaves, spines) for (leaves, spines), count in pods.items()]
            found = self._loads[key] = Plane(self._of, rows, left.cores[plane]).load()
        return found

    def _shares(self, left: Remaining) -> tuple[Fraction, Fraction]:
        """Least share of a unit, and share of all pods, of what they want of the top tier."""
        if not self._of.spines:
            return WHOLE, WHOLE
        least, flow, want = WHOLE, 0, 0
        for state, count in left.pods:
            key = state, left.cores
            if key not in self._pod_shares:
                self._pod_shares[key] = self._of_pod(state, left)
            of_unit, found, wanted = self._pod_shares[key]
            least, flow, want = min(least, of_unit), flow + count * found, want + count * wanted
        return least, min(WHOLE, Fraction(flow, want)) if want else WHOLE

    def _of_pod(self, state: PodState, left: Remaining) -> tuple[Fraction, int, int]:
        """Least share of its units; Gb/s of all of them to the top tier, and what they want."""
        units = [self._flow(((unit, 1),), state, left) for unit, _ in state.units]
        least = min((Fraction(found, wanted) for found, wanted in units if wanted), default=WHOLE)
        return least, *self._flow(state.units, state, left)

    def _flow(self, units: tuple[tuple[UnitState, int], ...], pod: PodState, left: Remaining) -> tuple[int, int]:
        """Max-flow of the leaves of some units of a pod to the top tier, and what they want, in Gb/s."""
        flow = want = 0
        planned = self._of.spines * self._of.cores * self._of.core_links * self._of.core_gbps
        for plane in range(self._planes):
            leaves = [(leaf, many * count) for unit, count in units for leaf, many in unit[plane]]
            flow += self._to_top(leaves, pod.spines[plane], left.cores[plane])
            asked = sum(leaf.asked * many for leaf, many in leaves)
            want += min(asked, planned) if self._of.cores else asked
        return min(flow, want), want

    def _to_top(
        self, leaves: list[tuple[LeafState, int]], spines: Spines, cores: tuple[tuple[int, int, object], ...]
    ) -> int:
        of = self._of
        states = dict(spines)
        touched = {*states, *(group for group, _, _ in cores), *(k for leaf, _ in leaves for k, _, _ in leaf.short)}
        alive = sum(many for leaf, many in leaves if leaf.alive)
        core = of.cores * of.core_links * of.core_gbps
        plain = alive * of.links * of.up_gbps
        flow = (of.spines - len(touched)) * (min(plain, core) if of.cores else plain)
        for k in touched:
            spine = states.get(k)
            if spine is not None and (spine.drained or not spine.alive):
                continue
            short = sum(many * (of.links - live) for leaf, many in leaves for at, live, _ in leaf.short if at == k)
            up = plain - short * of.up_gbps
            missing = {j: of.core_links - live for j, live, _ in spine.short} if spine is not None else {}
            silent = {j for group, j, _ in cores if group == k}
            gone = sum(count for j, count in missing.items() if j not in silent) + len(silent) * of.core_links
            flow += min(up, core - gone * of.core_gbps) if of.cores else up
        return flow
