"""Largest flows between leaves where links and switches are missing: by the few that are missing, not link by link.

Leaves of a pod are joined by its spines, leaves of two pods by the core group of each spine number, too. Paths over
different spine numbers share no link, so a flow is the sum over them of the smallest side: the links of one leaf, those
of the other, and what the two spines carry over their core group. That is the max-flow exactly.

Where nothing is missing every number carries the same. So a flow is what whole leaves would have, less what is missing
at the spine numbers that something is missing at, and these are as few as the exceptions.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Uplink


class LostLinks(NamedTuple):
    """Links that are declared absent or dead, and the spines and superspines that take no traffic.

    drained  on the operator's own word; away: dead or absent, so that what they carried is missing
    """

    links: frozenset[Uplink]
    drained: frozenset[Place]
    away: frozenset[Place] = frozenset()

    @property
    def silent(self) -> frozenset[Place]:
        """Those that carry nothing, for either reason."""
        return self.drained | self.away


class PodPaths(NamedTuple):
    """What leaves of two pods that miss nothing have between them, in links.

    whole  over a spine number at which nothing is missing; less: over the others, by number; total: over all
    """

    whole: int
    less: Mapping[int, int]
    total: int


NONE_MISSING: Mapping[int, int] = {}


class Flows:
    """Largest flows between the leaves of a fabric, in links. Drained spines and superspines carry nothing."""

    def __init__(self, fabric: FabricPlan, missing: LostLinks) -> None:
        self._shape, self._name = fabric.shape, fabric.name
        # Of each lower switch, by number of the upper one in its pod or core group, links that are missing.
        self._gone: dict[Place, dict[int, int]] = {}
        for link in missing.links:
            found = self._gone.setdefault(link.lower, {})
            found[link.upper.index] = found.get(link.upper.index, 0) + 1
        self._spines = {place for place in missing.silent if place.tier is Tier.SPINE}
        self._cores: dict[tuple[int, int], set[int]] = {}
        for place in missing.silent - self._spines:
            self._cores.setdefault((place.plane, place.su), set()).add(place.index)
        self._ways: dict[tuple[int, int, int], PodPaths] = {}
        # Spine numbers by plane and pod: of spines that carry nothing, of those with links missing above them; and
        # core groups with a superspine that carries nothing, by plane.
        self._silent = _by_pod(self._spines)
        self._low = _by_pod(place for place in self._gone if place.tier is Tier.SPINE)
        self._groups: dict[int, set[int]] = {}
        for plane, group in self._cores:
            self._groups.setdefault(plane, set()).add(group)

    def between(self, one: Place, other: Place | None) -> int:
        """Largest flow between two leaves of a plane. `other` None is a leaf of the pod that misses nothing."""
        far = self._gone.get(other, NONE_MISSING) if other is not None else NONE_MISSING
        return self._to(one, other.pod if other is not None else one.pod, far)

    def to_pod(self, one: Place, pod: int) -> int:
        """Largest flow from a leaf to one of a pod that misses nothing."""
        return self._to(one, pod, NONE_MISSING)

    def _to(self, one: Place, pod: int, far: Mapping[int, int]) -> int:
        key = (one.plane, one.pod, pod)
        ways = self._ways.get(key)
        if ways is None:
            ways = self._ways[key] = self._made(*key)
        return ways.total - self._short(ways, self._gone.get(one, NONE_MISSING), far)

    def _short(self, ways: PodPaths, near: Mapping[int, int], far: Mapping[int, int]) -> int:
        """Links that two leaves have less than two of their pods that miss nothing."""
        total = 0
        for number in near.keys() | far.keys():
            most = ways.less.get(number, ways.whole)
            left = self._shape.links - max(near.get(number, 0), far.get(number, 0))
            total += most - min(most, left)
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
        """Spine numbers at which something is missing above the leaves of a pod, or of two."""
        at = [(plane, pod) for pod in pods]
        found = set[int]().union(*(self._silent.get(one, ()) for one in at))
        return (
            found
            if len(pods) == 1
            else found.union(self._groups.get(plane, ()), *(self._low.get(one, ()) for one in at))
        )

    def _carried(self, plane: int, pod: int, far: int, number: int) -> int:
        """Links' worth that the spines of a number in two pods carry between these; no limit within a pod."""
        shape = self._shape
        one = Place(self._name, Tier.SPINE, "", plane, pod, 0, 0, number)
        other = one._replace(pod=far)
        if {one, other} & self._spines:
            return 0
        if one == other:
            return shape.links
        near, away = self._gone.get(one, NONE_MISSING), self._gone.get(other, NONE_MISSING)
        silent = self._cores.get((plane, number), set())
        missing = sum(max(near.get(core, 0), away.get(core, 0)) for core in (near.keys() | away.keys()) - silent)
        return (shape.cores - len(silent)) * shape.core_links - missing


def _by_pod(spines: Iterable[Place]) -> dict[tuple[int, int], set[int]]:
    """Numbers of these spines, by plane and pod."""
    found: dict[tuple[int, int], set[int]] = {}
    for spine in spines:
        found.setdefault((spine.plane, spine.pod), set()).add(spine.index)
    return found


class DegradedLeaves(NamedTuple):
    """Leaves of one pod that each miss so many links, in the order of their places."""

    missing: int
    leaves: tuple[Place, ...]


Found = tuple[int, tuple[Place, ...]]
"""A flow, and whom to; nobody where it is a leaf that misses nothing."""


class Worst:
    """Which leaf another reaches with the fewest links, of those that miss some.

    A leaf takes no more from a flow than the links that it misses. So of the leaves of a pod those that miss most are
    looked at first, and the others only as far as they could take as much.
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
            self._pods.setdefault(plane, []).append(tuple(DegradedLeaves(many, tuple(found)) for many, found in levels))

    def of(self, leaf: Place) -> Place | None:
        """The worst leaf, the first of several; None: any of its own pod that misses nothing."""
        best: Found = (self._flows.between(leaf, None), ())
        for levels in self._pods.get(leaf.plane, ()):
            best = self._of_pod(leaf, levels, best)
        return best[1][0] if best[1] else None

    def _of_pod(self, leaf: Place, levels: tuple[DegradedLeaves, ...], best: Found) -> Found:
        most = self._flows.to_pod(leaf, levels[0].leaves[0].pod)
        for level in levels:
            least = most - level.missing
            if least > best[0]:
                break
            for other in level.leaves:
                if (least, (other,)) >= best:
                    break
                if other != leaf:
                    best = min(best, (self._flows.between(leaf, other), (other,)))
        return best
