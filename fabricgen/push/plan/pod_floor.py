"""What a pod keeps of its bandwidth to the other pods while superspines are down.

A superspine takes from each spine of its core group no more than the spine's floor allows; but one of each group
together would take that from every spine, and so from all traffic between pods. So pods have a floor of their own.
"""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction

from fabricgen.plan.place import Place, Tier
from fabricgen.push.plan.capacity_floor import UplinkCapacity

Pod = tuple[int, int]
"""Plane and number."""


class PodFloor:
    """Pods of one fabric. `asked`: share that each must keep; None: all but the share of one spine."""

    def __init__(self, capacity: UplinkCapacity, asked: Fraction | None) -> None:
        self._capacity = capacity
        spines = max(capacity.fabric.shape.spines, 1)
        self._floor = asked if asked is not None else Fraction(spines - 1, spines)
        self._lost: dict[Place, Counter[Pod]] = {}
        self._carried: dict[Pod, Fraction] | None = None

    def fit(self, away: Collection[Place]) -> bool:
        """Whether every pod keeps the floor while these superspines are down; other switches do not count."""
        lost: Counter[Pod] = Counter()
        for upper in away:
            lost.update(self._loss(upper))
        if not lost:
            return True
        shape = self._capacity.fabric.shape
        whole = shape.spines * sum(port.speed_gbps for port in shape.spine.up) if shape.spine is not None else 0
        return all(self._shares()[pod] - Fraction(gbps, whole) >= self._floor for pod, gbps in lost.items())

    def _loss(self, upper: Place) -> Counter[Pod]:
        """Gb/s that each pod loses with a superspine."""
        if upper not in self._lost:
            lost_gbps: Counter[Pod] = Counter()
            for lower in self._capacity.lowers(upper) if upper.tier is Tier.SUPERSPINE else ():
                lost_gbps[lower.plane, lower.pod] += self._capacity.loses(lower, upper)
            self._lost[upper] = +lost_gbps
        return self._lost[upper]

    def _shares(self) -> dict[Pod, Fraction]:
        """Share that each pod has now: the mean of its spines' shares, with 0 for drained spines."""
        if self._carried is None:
            self._carried = {}
            spines = self._capacity.fabric.shape.spines
            for spine in self._capacity.every():
                if spine.tier is Tier.SPINE:
                    pod = spine.plane, spine.pod
                    share = self._capacity.share(spine) / spines
                    self._carried[pod] = self._carried.get(pod, Fraction(0)) + share
        return self._carried
