"""Largest flows between leaves where links and switches are missing, computed from the missing ones only.

Leaves of a pod are connected by its spines, leaves of two pods also by the core group of each spine number. Paths over
different spine numbers share no link, so a flow is the sum over them of the smallest part: the links of one leaf, those
of the other, and what the two spines carry over their core group. That is exactly the max-flow.

Where nothing is missing every number carries the same. So a flow is that of complete leaves, less what is missing at
the affected spine numbers, which are as few as the exceptions.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from fabricgen.base.grouping import grouped_sets
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Uplink


class LostLinks(NamedTuple):
    """Links that are declared absent or dead, and spines and superspines without traffic.

    drained  by the operator's choice; away: dead or absent, so that their capacity is missing
    """

    links: frozenset[Uplink]
    drained: frozenset[Place]
    away: frozenset[Place] = frozenset()

    @property
    def silent(self) -> frozenset[Place]:
        """Switches that carry no traffic, for either reason."""
        return self.drained | self.away


class PodPaths(NamedTuple):
    """Links between complete leaves of two pods.

    whole  over a complete spine number; less: over the other numbers, by number; total: over all
    """

    whole: int
    less: Mapping[int, int]
    total: int


NONE_MISSING: Mapping[int, int] = {}


class Flows:
    """Largest flows between the leaves of a fabric, in links. Drained spines and superspines carry nothing."""

    def __init__(self, fabric: FabricPlan, missing: LostLinks) -> None:
        self._shape, self._name = fabric.shape, fabric.name
        # Lower switch → number of the upper switch in its pod or core group → missing links.
        self._gone: dict[Place, dict[int, int]] = {}
        for link in missing.links:
            missing_by_upper = self._gone.setdefault(link.lower, {})
            missing_by_upper[link.upper.index] = missing_by_upper.get(link.upper.index, 0) + 1
        self._spines = {place for place in missing.silent if place.tier is Tier.SPINE}
        self._cores: dict[tuple[int, int], set[int]] = {}
        for place in missing.silent - self._spines:
            self._cores.setdefault((place.plane, place.su), set()).add(place.index)
        self._ways: dict[tuple[int, int, int], PodPaths] = {}
        # Spine numbers by (plane, pod): of spines that carry nothing, of those with links missing above them; and
        # core groups with a superspine that carries nothing, by plane.
        self._silent = _by_pod(self._spines)
        self._low = _by_pod(place for place in self._gone if place.tier is Tier.SPINE)
        self._groups: dict[int, set[int]] = {}
        for plane, group in self._cores:
            self._groups.setdefault(plane, set()).add(group)

    def between(self, near: Place, other: Place | None) -> int:
        """Return the largest flow between two leaves of a plane. `other` None: a complete leaf of the same pod."""
        far = self._gone.get(other, NONE_MISSING) if other is not None else NONE_MISSING
        return self._to(near, other.pod if other is not None else near.pod, far)

    def to_pod(self, near: Place, pod: int) -> int:
        """Return the largest flow from a leaf to a complete leaf of a pod."""
        return self._to(near, pod, NONE_MISSING)

    def _to(self, near: Place, pod: int, far: Mapping[int, int]) -> int:
        key = (near.plane, near.pod, pod)
        ways = self._ways.get(key)
        if ways is None:
            ways = self._ways[key] = self._made(*key)
        return ways.total - self._short(ways, self._gone.get(near, NONE_MISSING), far)

    def _short(self, ways: PodPaths, near: Mapping[int, int], far: Mapping[int, int]) -> int:
        """Return how many links two leaves have less than two complete leaves of their pods."""
        total = 0
        for number in near.keys() | far.keys():
            complete = ways.less.get(number, ways.whole)
            # A path needs a link at both ends: the end that misses more is the limit.
            present = self._shape.links - max(near.get(number, 0), far.get(number, 0))
            total += complete - min(complete, present)
        return total

    def _made(self, plane: int, pod: int, far: int) -> PodPaths:
        shape = self._shape
        whole = shape.links if pod == far else min(shape.links, shape.cores * shape.core_links)
        less = {
            number: min(shape.links, self._carried(plane, pod, far, number))
            for number in self._touched(plane, {pod, far})
            if number < shape.spines
        }
        return PodPaths(whole, less, whole * (shape.spines - len(less)) + sum(less.values()))

    def _touched(self, plane: int, pods: set[int]) -> set[int]:
        """Return the spine numbers at which something is missing above the leaves of one pod or two."""
        pod_keys = [(plane, pod) for pod in pods]
        numbers = set[int]().union(*(self._silent.get(key, ()) for key in pod_keys))
        return (
            numbers
            if len(pods) == 1
            else numbers.union(self._groups.get(plane, ()), *(self._low.get(key, ()) for key in pod_keys))
        )

    def _carried(self, plane: int, pod: int, far: int, number: int) -> int:
        """Return the links that the spines of a number in two pods carry between these; unlimited within a pod."""
        shape = self._shape
        near_spine = Place(self._name, Tier.SPINE, "", plane, pod, 0, 0, number)
        far_spine = near_spine._replace(pod=far)
        if {near_spine, far_spine} & self._spines:
            return 0
        if near_spine == far_spine:
            return shape.links
        near_missing, far_missing = self._gone.get(near_spine, NONE_MISSING), self._gone.get(far_spine, NONE_MISSING)
        silent = self._cores.get((plane, number), set())
        missing = sum(
            max(near_missing.get(core, 0), far_missing.get(core, 0))
            for core in (near_missing.keys() | far_missing.keys()) - silent
        )
        return (shape.cores - len(silent)) * shape.core_links - missing


def _by_pod(spines: Iterable[Place]) -> dict[tuple[int, int], set[int]]:
    """Return the numbers of these spines, by plane and pod."""
    return grouped_sets(((spine.plane, spine.pod), spine.index) for spine in spines)


class DegradedLeaves(NamedTuple):
    """Leaves of one pod that each miss the same number of links, in the order of their places."""

    missing: int
    leaves: tuple[Place, ...]


Found = tuple[int, tuple[Place, ...]]
"""A flow and the far leaf; an empty tuple for a complete leaf."""


class Worst:
    """Finds the leaf that another leaf reaches with the fewest links, among those that miss some.

    A leaf reduces a flow by at most its missing links. So leaves that miss most are tested first, and the others only
    while they could reduce the flow as much.
    """

    def __init__(self, fabric: FabricPlan, missing: LostLinks, touched: Iterable[Place]) -> None:
        self._flows = Flows(fabric, missing)
        gone: dict[Place, int] = {}
        for link in missing.links:
            gone[link.lower] = gone.get(link.lower, 0) + 1
        ordered = sorted(touched, key=lambda leaf: (leaf.plane, leaf.pod, -gone.get(leaf, 0), leaf))
        self._pods: dict[int, list[tuple[DegradedLeaves, ...]]] = {}
        for (plane, _), pod in groupby(ordered, key=lambda leaf: (leaf.plane, leaf.pod)):
            levels = groupby(pod, key=lambda leaf: gone.get(leaf, 0))
            self._pods.setdefault(plane, []).append(
                tuple(DegradedLeaves(count, tuple(leaves)) for count, leaves in levels)
            )

    def of(self, leaf: Place) -> Place | None:
        """Return the worst leaf, the first of several; None: a complete leaf of its own pod."""
        best: Found = (self._flows.between(leaf, None), ())
        for levels in self._pods.get(leaf.plane, ()):
            best = self._of_pod(leaf, levels, best)
        return best[1][0] if best[1] else None

    def _of_pod(self, leaf: Place, levels: tuple[DegradedLeaves, ...], best: Found) -> Found:
        complete = self._flows.to_pod(leaf, levels[0].leaves[0].pod)
        for level in levels:
            lower_bound = complete - level.missing
            if lower_bound > best[0]:
                break
            for other in level.leaves:
                # Leaves are sorted: this one and all later ones of the level cannot be worse than the best.
                if (lower_bound, (other,)) >= best:
                    break
                if other != leaf:
                    best = min(best, (self._flows.between(leaf, other), (other,)))
        return best
