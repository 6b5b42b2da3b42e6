"""Measures of a failure: servers cut off, remaining capacity per leaf pair, unit and fabric, the hottest link.

    leaf    minimum over all leaf pairs with servers: cut(a, b) / demand of the leaf with the smaller demand; 0 where
            the servers of a leaf without uplink send
    unit    minimum over all units: max-flow of its leaves, over all uplinks, to the top tier / demand of its servers
    fabric  max-flow of all leaves to the top tier / demand of all servers; with equal pods, the share of bisection

The demand is the rate at which servers with a link to a live leaf send, limited to the planned capacity. A live leaf
without an uplink still has its demand, and no capacity. A dead leaf has neither. In a two-tier fabric, the spines are
the top tier. Drained switches and links carry nothing in these figures; they still forward where no other path is left.
"""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.load import Dimensions, Plane, PlaneLoad, PlanePod
from fabricgen.failures.network import Network
from fabricgen.failures.parts import NOTHING_LOST, Lost, Unit
from fabricgen.failures.remaining import LeafState, PodState, Remaining, Remains, Spines, UnitState

WHOLE = Fraction(1)
DIGITS = 6
"""Decimals of the load of a link: smaller differences come from rounding sums in another order."""


MOST_KEPT = 3000
"""Size limit of each cache: a fabric with many exceptions has hundreds of thousands of pairs."""


class Outcome(NamedTuple):
    """The cost of a failure.

    gpus      GPUs cut off: their rail has no link left to a leaf with an uplink; servers: servers with no rail left
    rails     rails of servers that are cut off; narrowed: GPUs whose rail has lost some, but not all, of its ports
    leaf, unit, fabric  remaining share of capacity, as defined in the module's docstring
    hottest   load of the hottest link between switches; 1 is line rate
    apart     pairs of leaves with servers that have no route to each other; detours over a third leaf do not count
    vteps     next hops of the overlay that disappear
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
        """The smallest of the three shares of capacity."""
        return min(self.leaf, self.unit, self.fabric)


class Measures:
    """Measures the outcomes of failures of one fabric, with caches."""

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
        """Return the outcome without a failure. Like every outcome, it counts what servers lose from there on."""
        return self.of(NOTHING_LOST)

    def as_it_is(self) -> Outcome:
        """Return the outcome without a failure, with what servers have lost already."""
        servers = self._remains.lost_before()
        return self.base()._replace(
            gpus=round(servers.gpus), servers=servers.servers, rails=servers.rails, narrowed=round(servers.narrowed)
        )

    def of(self, lost: Lost) -> Outcome:
        """Return the outcome of losing some parts."""
        outcome = self._outcomes.get(lost)
        if outcome is None:
            for cache in (self._outcomes, self._loads, self._pod_shares):
                if len(cache) > MOST_KEPT:
                    cache.clear()
            outcome = self._outcomes[lost] = self._measured(self._remains.after(lost))
        return outcome

    def cut_off(self, lost: Lost) -> dict[Unit, frozenset[int]]:
        """Return the slots of servers that lose a whole rail by a failure, by unit."""
        return self._remains.cut_off(lost)

    def split(self, lost: Lost) -> int:
        """Return the pairs of leaves with servers that have an uplink each and no route to each other."""
        remaining = self._remains.after(lost)
        return sum(self._load(remaining, plane).split for plane in range(self._planes)) if self._of.spines else 0

    def _measured(self, remaining: Remaining) -> Outcome:
        loads = [self._load(remaining, plane) for plane in range(self._planes)] if self._of.spines else []
        unit, fabric = self._shares(remaining)
        return Outcome(
            gpus=round(remaining.lost.gpus),
            servers=remaining.lost.servers,
            rails=remaining.lost.rails,
            narrowed=round(remaining.lost.narrowed),
            leaf=min((min(WHOLE, Fraction(load.cut, load.want)) for load in loads), default=WHOLE),
            unit=unit,
            fabric=fabric,
            hottest=round(max((load.hottest for load in loads), default=0.0), DIGITS),
            apart=sum(load.apart for load in loads),
            vteps=remaining.vteps,
        )

    def _load(self, remaining: Remaining, plane: int) -> PlaneLoad:
        pods = Counter[tuple[tuple[tuple[LeafState, int], ...], Spines]]()
        for state, count in remaining.pods:
            leaves = Counter[LeafState]()
            for unit, unit_count in state.units:
                for leaf, leaf_count in unit[plane]:
                    leaves[leaf] += leaf_count * unit_count
            pods[tuple(sorted(leaves.items())), state.spines[plane]] += count
        key = (frozenset(pods.items()), remaining.cores[plane])
        load = self._loads.get(key)
        if load is None:
            plane_pods = [PlanePod(count, leaves, spines) for (leaves, spines), count in pods.items()]
            load = self._loads[key] = Plane(self._of, plane_pods, remaining.cores[plane]).load()
        return load

    def _shares(self, remaining: Remaining) -> tuple[Fraction, Fraction]:
        """Return the smallest share of a unit and the share of all pods: max-flow to the top tier / demand."""
        if not self._of.spines:
            return WHOLE, WHOLE
        least, flow, want = WHOLE, 0, 0
        for state, count in remaining.pods:
            key = state, remaining.cores
            if key not in self._pod_shares:
                self._pod_shares[key] = self._of_pod(state, remaining)
            unit_share, pod_flow, pod_want = self._pod_shares[key]
            least, flow, want = min(least, unit_share), flow + count * pod_flow, want + count * pod_want
        return least, min(WHOLE, Fraction(flow, want)) if want else WHOLE

    def _of_pod(self, state: PodState, remaining: Remaining) -> tuple[Fraction, int, int]:
        """Return the smallest share of a unit of a pod, and the pod's max-flow to the top tier and demand in Gb/s."""
        flows = [self._flow(((unit, 1),), state, remaining) for unit, _ in state.units]
        least = min((Fraction(flow, want) for flow, want in flows if want), default=WHOLE)
        return least, *self._flow(state.units, state, remaining)

    def _flow(self, units: tuple[tuple[UnitState, int], ...], pod: PodState, remaining: Remaining) -> tuple[int, int]:
        """Return the max-flow of some units of a pod to the top tier, and their demand, in Gb/s."""
        flow = want = 0
        planned = self._of.spines * self._of.cores * self._of.core_links * self._of.core_gbps
        for plane in range(self._planes):
            leaves = [(leaf, leaf_count * unit_count) for unit, unit_count in units for leaf, leaf_count in unit[plane]]
            flow += self._to_top(leaves, pod.spines[plane], remaining.cores[plane])
            asked = sum(leaf.wanted * leaf_count for leaf, leaf_count in leaves)
            want += min(asked, planned) if self._of.cores else asked
        return min(flow, want), want

    def _to_top(
        self, leaves: list[tuple[LeafState, int]], spines: Spines, cores: tuple[tuple[int, int, object], ...]
    ) -> int:
        shape = self._of
        states = dict(spines)
        touched = {*states, *(group for group, _, _ in cores), *(k for leaf, _ in leaves for k, _, _ in leaf.short)}
        alive = sum(count for leaf, count in leaves if leaf.alive)
        core_gbps = shape.cores * shape.core_links * shape.core_gbps
        leaf_gbps = alive * shape.links * shape.up_gbps
        flow = (shape.spines - len(touched)) * (min(leaf_gbps, core_gbps) if shape.cores else leaf_gbps)
        for k in touched:
            spine = states.get(k)
            if spine is not None and (spine.drained or not spine.alive):
                continue
            missing_uplinks = sum(
                count * (shape.links - live) for leaf, count in leaves for number, live, _ in leaf.short if number == k
            )
            up_gbps = leaf_gbps - missing_uplinks * shape.up_gbps
            missing_by_core = {j: shape.core_links - live for j, live, _ in spine.short} if spine is not None else {}
            unused_cores = {j for group, j, _ in cores if group == k}
            missing_links = (
                sum(links for j, links in missing_by_core.items() if j not in unused_cores)
                + len(unused_cores) * shape.core_links
            )
            flow += min(up_gbps, core_gbps - missing_links * shape.core_gbps) if shape.cores else up_gbps
        return flow
