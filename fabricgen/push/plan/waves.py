"""In which waves switches change: a canary of each kind alone, then more and more at once, and never below the floor.

Fabrics come in the intent's order; in each superspines, spines, border leaves, leaves, a kind being a role and a
system. The canary is the switch with the fewest servers behind it, of equals the last by name. Behind it waves double
up to the limit. Where a fabric has several pods they go side by side, each as if it were alone, superspines by core
group; what interrupts nothing does not double there, as the canary has soaked. One plane comes after the other. Of
switches that stand in for each other, leaves of a pair and border leaves, one changes at a time. Spines and superspines
together leave every switch below them the floor of its uplinks, those too whose change interrupts nothing: a mistake
there takes no more than the floor allows. Superspines leave each pod its floor of the way to other pods, too.

Planes, pairs and fabrics go together only where that is asked for; never both leaves of a pair that are drained.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import chain, zip_longest
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports
from fabricgen.push.model import Decision, Need, Wave
from fabricgen.push.plan.capacity_floor import WHOLE, UplinkCapacity
from fabricgen.push.plan.decide import in_order, seat
from fabricgen.push.plan.pod_floor import PodFloor

ORDER = (Tier.SUPERSPINE, Tier.SPINE, Tier.BORDER, Tier.LEAF)
UPPER = (Tier.SUPERSPINE, Tier.SPINE)
OF_POD = 32
"""Most switches of one pod at once, where pods go side by side."""
ROUNDS = 2
"""A wave has at most so many times as many switches as are asked at once: the first of them waits for its confirmation
while the last ones commit, and its own timer runs."""


class Together(StrEnum):
    """What goes together only where it is asked for."""

    PLANES = "planes"
    PAIRS = "pairs"
    FABRICS = "fabrics"


class Width(NamedTuple):
    """How wide waves are.

    limit     most switches of a wave, from 1, however many pods; None: OF_POD of each pod
    workers   switches that are asked at once, see ROUNDS
    together  what is asked for
    """

    limit: int | None = None
    workers: int = 32
    together: frozenset[Together] = frozenset()


class _Switch(NamedTuple):
    name: str
    place: Place
    need: Need


_Kind = tuple[int, str]
"""Role by its place in ORDER, and system."""
_Part = tuple[int, int] | None
"""Plane, and pod or core group; None where pods are not told apart."""


class _Loss(NamedTuple):
    """What a switch alone leaves one below it, and what that is to keep."""

    upper: str
    lower: str
    share: Fraction
    floor: Fraction


def waves(
    plan: Plan, decisions: Sequence[Decision], floor: Fraction | None, width: Width
) -> tuple[tuple[Wave, ...], tuple[Problem, ...]]:
    """Put every switch into one wave; no waves where there are problems.

    floor  share of its uplinks that each switch keeps; None: see `Capacity.floor`

    Raises LookupError for a switch that does not stand in the plan.
    """
    packers = {name: _Packer(plan.fabrics[name], floor, width) for name in plan.intent.fabrics}
    kinds: dict[str, dict[_Kind, list[_Switch]]] = {name: {} for name in packers}
    needs = {decision.subject.name: decision.need for decision in decisions}
    for subject in in_order(plan, (decision.subject for decision in decisions)):
        switch = _Switch(subject.name, seat(plan.fabrics[subject.fabric], subject.name), needs[subject.name])
        kind = ORDER.index(switch.place.tier), subject.system
        kinds[subject.fabric].setdefault(kind, []).append(switch)
    for name, packer in packers.items():
        packer.try_alone(chain.from_iterable(kinds[name].values()))
    best = min((packer.best for packer in packers.values()), default=WHOLE)
    problems = tuple(problem for packer in packers.values() for problem in packer.problems(best))
    if problems:
        return (), problems
    packed = {
        name: {kind: tuple(packer.waves(kinds[name][kind])) for kind in sorted(kinds[name], key=_by_system)}
        for name, packer in packers.items()
    }
    found = _joined(packed, _most(width)) if Together.FABRICS in width.together else _in_turn(packed)
    return tuple(wave._replace(number=number) for number, wave in enumerate(found, 1)), ()


def _most(width: Width) -> int:
    """Most switches of a wave."""
    return max(width.limit, 1) if width.limit is not None else max(ROUNDS * width.workers, OF_POD)


def side_by_side(plan: Plan, found: Iterable[Wave]) -> bool:
    """Whether any of these waves has switches of more than one pod or, of superspines, core group."""
    return any(len(_parts(plan, wave)) > 1 for wave in found)


def _parts(plan: Plan, wave: Wave) -> set[tuple[str, _Part]]:
    placed = ((name, place_of(fabric, device)) for name, fabric in plan.fabrics.items() for device in wave.devices)
    return {(name, _part(place)) for name, place in placed if place is not None}


def _by_system(kind: _Kind) -> tuple[int, tuple[str | int, ...]]:
    return kind[0], natural(kind[1])


_Packed = dict[str, dict[_Kind, tuple[Wave, ...]]]


def _in_turn(packed: _Packed) -> Iterator[Wave]:
    """One fabric after the other."""
    return (wave for kinds in packed.values() for found in kinds.values() for wave in found)


def _joined(packed: _Packed, most: int) -> Iterator[Wave]:
    """Fabrics together, kind by kind: each one's canary alone, then their first waves, their second ones, and so on.

    most  switches of a wave; where it would have more, fabrics take turns
    """
    for kind in sorted({kind for kinds in packed.values() for kind in kinds}, key=_by_system):
        own = [kinds[kind] for kinds in packed.values() if kind in kinds]
        yield from (found[0] for found in own)
        for row in zip_longest(*(found[1:] for found in own)):
            same = [wave for wave in row if wave is not None]
            if sum(len(wave.devices) for wave in same) > most:
                yield from same
                continue
            yield same[0]._replace(
                fabric=" and ".join(wave.fabric for wave in same),
                devices=tuple(chain.from_iterable(wave.devices for wave in same)),
                keeps=min(wave.keeps for wave in same),
            )


class _Packer:
    """Packs switches of one fabric."""

    def __init__(self, fabric: FabricPlan, floor: Fraction | None, width: Width) -> None:
        self._fabric, self._floor, self._together = fabric, floor, width.together
        self._has_pods = fabric.shape.pods > 1 and width.limit is None
        self._limit = max(width.limit if width.limit is not None else OF_POD, 1)
        self._most = _most(width) if self._has_pods else self._limit
        self._capacity = UplinkCapacity(fabric)
        self._pods = PodFloor(self._capacity, floor)
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
            count = len(self._short)
            more = f", and {count - 1} more take too much" if count > 1 else ""
            yield Problem(
                code="push-floor",
                what=f"{worst.upper} alone leaves {worst.lower} {worst.share} of its uplinks; "
                f"the floor is {worst.floor}{more}",
                why=f"a push takes at least one switch at a time out of service; the largest possible floor is {best}",
                fix="; or ".join(self._fixes(worst, best)),
            )

    def _fixes(self, short: _Loss, best: Fraction) -> Iterator[str]:
        lower = seat(self._fabric, short.lower)
        if best:
            yield f"write --floor {best}"
        elif short.share >= self._capacity.floor(lower, None):
            yield "omit --floor"
        drained = sorted((name_of(self._fabric, one) for one in self._capacity.drained_above(lower)), key=natural)
        if drained:
            yield f"bring {', '.join(drained)} back into service first"
        yield f"exclude {short.upper} from this push"

    def waves(self, switches: list[_Switch]) -> Iterator[Wave]:
        """The canary, then waves of twice as many each, or fewer where more may not be away together."""
        canary = min(reversed(switches), key=lambda switch: self._stake(switch.place))
        yield self._wave([canary], canary=True)
        # Of equal switches the first ones together, then the second ones: few of a wave stand in for each other.
        left = [switch for switch in switches if switch != canary]
        left.sort(key=self._turn)
        is_hitless = all(switch.need is Need.PLAIN for switch in switches)
        size = self._limit if self._has_pods and is_hitless else 2
        while left:
            wave = self._packed(left, min(size, self._limit))
            yield self._wave(wave, canary=False)
            taken = set(wave)
            left = [switch for switch in left if switch not in taken]
            size *= 2

    def _turn(self, switch: _Switch) -> tuple[int, int, tuple[str | int, ...]]:
        plane = 0 if Together.PLANES in self._together else switch.place.plane
        return plane, switch.place.index, natural(switch.name)

    def _packed(self, left: Iterable[_Switch], size: int) -> list[_Switch]:
        """The first switches that may be away together, so many of each pod; always one."""
        wave: list[_Switch] = []
        away: set[Place] = set()
        each: Counter[_Part] = Counter()
        for switch in left:
            part = _part(switch.place) if self._has_pods else None
            if not wave or (each[part] < size and self._fits(switch, wave, away)):
                wave.append(switch)
                away.add(switch.place)
                each[part] += 1
            if len(wave) == (self._most if self._has_pods else size):
                break
        return wave

    def _fits(self, switch: _Switch, wave: Sequence[_Switch], away: Collection[Place]) -> bool:
        place = switch.place
        if place.plane != wave[0].place.plane and Together.PLANES not in self._together:
            return False
        if place.tier not in UPPER:
            mates = [one for one in wave if one.place._replace(index=0) == place._replace(index=0)]
            return not mates or (
                Together.PAIRS in self._together and all(one.need is not Need.DRAIN for one in (switch, *mates))
            )
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
        if self._servers is None:
            self._servers = {}
            for leaf in places(self._fabric):
                if leaf.tier is Tier.LEAF:
                    pod = leaf.plane, leaf.pod
                    self._servers[pod] = self._servers.get(pod, 0) + self._stake(leaf)
        every = self._servers
        pods = (place.pod,) if place.tier is Tier.SPINE else range(self._fabric.shape.pods)
        return sum(every.get((place.plane, pod), 0) for pod in pods)

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


def _part(place: Place) -> tuple[int, int]:
    """The part of its fabric that a switch is in: a pod or, of a superspine, a core group."""
    return place.plane, place.su if place.tier is Tier.SUPERSPINE else place.pod
