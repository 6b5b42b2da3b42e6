"""In which waves switches change: a canary of each kind alone, then more and more at once, and never below the floor.

Fabrics come in the intent's order; in each superspines, spines, border leaves, leaves, a kind being a role and a
system. The canary is the switch with the fewest servers behind it, of equals the last by name. Waves double up to the
limit. Of switches that stand in for each other, leaves of a pair and border leaves, one changes at a time. Spines and
superspines together leave every switch below them the floor of its uplinks, those too whose change interrupts nothing:
a mistake there takes no more than the floor allows. Superspines leave each pod its floor of the way to other pods, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports
from fabricgen.push.floor import WHOLE, Capacity
from fabricgen.push.model import Decision, Wave
from fabricgen.push.pods import Pods
from fabricgen.push.rules import in_order, seat
from fabricgen.wording import natural

ORDER = (Tier.SUPERSPINE, Tier.SPINE, Tier.BORDER, Tier.LEAF)
UPPER = (Tier.SUPERSPINE, Tier.SPINE)


class _Switch(NamedTuple):
    name: str
    place: Place


class _Loss(NamedTuple):
    """What a switch alone leaves one below it, and what that is to keep."""

    upper: str
    lower: str
    share: Fraction
    floor: Fraction


def waves(
    plan: Plan, decisions: Sequence[Decision], floor: Fraction | None, limit: int
) -> tuple[tuple[Wave, ...], tuple[Problem, ...]]:
    """Put every switch into one wave; no waves where there are problems.

    floor  share of its uplinks that each switch keeps; None: see `Capacity.floor`
    limit  most switches of a wave, from 1

    Raises LookupError for a switch that does not stand in the plan.
    """
    packers = {name: _Packer(plan.fabrics[name], floor, limit) for name in plan.intent.fabrics}
    kinds: dict[str, dict[tuple[int, str], list[_Switch]]] = {name: {} for name in packers}
    for subject in in_order(plan, (decision.subject for decision in decisions)):
        switch = _Switch(subject.name, seat(plan.fabrics[subject.fabric], subject.name))
        kind = ORDER.index(switch.place.tier), subject.system
        kinds[subject.fabric].setdefault(kind, []).append(switch)
    for name, packer in packers.items():
        packer.try_alone(chain.from_iterable(kinds[name].values()))
    best = min((packer.best for packer in packers.values()), default=WHOLE)
    problems = tuple(problem for packer in packers.values() for problem in packer.problems(best))
    if problems:
        return (), problems
    found = (
        wave
        for name, packer in packers.items()
        for kind in sorted(kinds[name], key=_by_system)
        for wave in packer.waves(kinds[name][kind])
    )
    return tuple(wave._replace(number=number) for number, wave in enumerate(found, 1)), ()


def _by_system(kind: tuple[int, str]) -> tuple[int, tuple[tuple[str, int], ...]]:
    return kind[0], natural(kind[1])


class _Packer:
    """Packs switches of one fabric."""

    def __init__(self, fabric: FabricPlan, floor: Fraction | None, limit: int) -> None:
        self._fabric, self._floor, self._limit = fabric, floor, max(limit, 1)
        self._capacity = Capacity(fabric)
        self._pods = Pods(self._capacity, floor)
        self._servers: dict[tuple[int, int], int] | None = None
        self._short: list[_Loss] = []
        self.best = WHOLE

    def try_alone(self, switches: Iterable[_Switch]) -> None:
        """Try each switch alone."""
        for switch in switches:
            found = tuple(self._losses(switch))
            self.best = min((self.best, *(one.share for one in found)))
            short = [one for one in found if one.share < one.floor]
            if short:
                self._short.append(min(short, key=lambda one: (one.share, natural(one.lower))))

    def _losses(self, switch: _Switch) -> Iterator[_Loss]:
        """What is left of those below that lose something with a switch."""
        capacity = self._capacity
        for lower in capacity.lowers(switch.place):
            if capacity.loses(lower, switch.place):
                share, floor = capacity.share(lower, (switch.place,)), capacity.floor(lower, self._floor)
                yield _Loss(switch.name, name_of(self._fabric, lower), share, floor)

    def problems(self, best: Fraction) -> Iterator[Problem]:
        """Yield a problem where a switch alone breaks the floor. best: the largest that all keep, one at a time."""
        if self._short:
            worst = min(self._short, key=lambda one: (one.share, natural(one.upper)))
            yield _too_much(worst, len(self._short), best, self._fixes(worst, best))

    def _fixes(self, short: _Loss, best: Fraction) -> Iterator[str]:
        lower = seat(self._fabric, short.lower)
        if best:
            yield f"write --floor {best}"
        elif short.share >= self._capacity.floor(lower, None):
            yield "leave --floor out"
        drained = sorted((name_of(self._fabric, one) for one in self._capacity.drained_above(lower)), key=natural)
        if drained:
            yield f"bring {', '.join(drained)} back into service first"
        yield f"leave {short.upper} out of this push"

    def waves(self, switches: list[_Switch]) -> Iterator[Wave]:
        """The canary, then waves of twice as many each, or fewer where more may not be away together."""
        canary = min(reversed(switches), key=lambda switch: self._stake(switch.place))
        yield self._wave([canary], canary=True)
        # Of equal switches the first ones together, then the second ones: few of a wave stand in for each other.
        left = [switch for switch in switches if switch != canary]
        left.sort(key=lambda switch: (switch.place.index, natural(switch.name)))
        size = 2
        while left:
            wave = self._packed(left, min(size, self._limit))
            yield self._wave(wave, canary=False)
            taken = set(wave)
            left = [switch for switch in left if switch not in taken]
            size *= 2

    def _packed(self, left: Iterable[_Switch], size: int) -> list[_Switch]:
        """The first switches that may be away together; always one."""
        wave: list[_Switch] = []
        away: set[Place] = set()
        for switch in left:
            if not wave or self._fits(switch.place, away):
                wave.append(switch)
                away.add(switch.place)
            if len(wave) == size:
                break
        return wave

    def _fits(self, place: Place, away: set[Place]) -> bool:
        if place.tier not in UPPER:
            return all(_without_index(place) != _without_index(other) for other in away)
        together = {*away, place}
        capacity = self._capacity
        return self._pods.fit(together) and all(
            capacity.share(lower, together) >= capacity.floor(lower, self._floor)
            for lower in capacity.lowers(place)
            if capacity.loses(lower, place)
        )

    def _stake(self, place: Place) -> int:
        """How many servers stand behind a switch, once for each leaf of theirs; of border leaves nobody's."""
        if place.tier is Tier.LEAF:
            return len({host.slot for host in host_ports(self._fabric, place) if host.present})
        if place.tier is Tier.BORDER:
            return 0
        every = self._by_pod()
        pods = (place.pod,) if place.tier is Tier.SPINE else range(self._fabric.shape.pods)
        return sum(every.get((place.plane, pod), 0) for pod in pods)

    def _by_pod(self) -> dict[tuple[int, int], int]:
        """Servers that stand, once for each leaf of theirs, by plane and pod."""
        if self._servers is None:
            self._servers = {}
            for leaf in places(self._fabric):
                if leaf.tier is Tier.LEAF:
                    pod = leaf.plane, leaf.pod
                    self._servers[pod] = self._servers.get(pod, 0) + self._stake(leaf)
        return self._servers

    def _wave(self, found: Sequence[_Switch], *, canary: bool) -> Wave:
        role = found[0].place.tier
        away = {switch.place for switch in found}
        return Wave(
            number=0,
            fabric=self._fabric.name,
            role=role.value,
            canary=canary,
            devices=tuple(sorted((switch.name for switch in found), key=natural)),
            keeps=self._capacity.least(away) if role in UPPER else WHOLE,
        )


def _without_index(place: Place) -> Place:
    return place._replace(index=0)


def _too_much(found: _Loss, count: int, best: Fraction, fixes: Iterable[str]) -> Problem:
    more = f", and {count - 1} more take too much" if count > 1 else ""
    return Problem(
        code="push-floor",
        what=f"{found.upper} alone leaves {found.lower} {found.share} of its uplinks; the floor is {found.floor}{more}",
        why=f"a push takes one switch at a time at least; the largest floor that this one keeps everywhere is {best}",
        fix="; or ".join(fixes),
    )
