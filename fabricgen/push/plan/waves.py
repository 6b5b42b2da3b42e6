"""The waves in which switches change: a canary of each kind alone, then more and more at once, never below the floor.

Fabrics change in the intent's order. In each the order is superspines, spines, border leaves, leaves; a kind is a role
and a system. The canary is the switch with the fewest servers behind it, of equals the last by name. After it, waves
double in size up to the limit. In a fabric with several pods, pods change in parallel, each as if it were alone;
superspines by core group. There, a change that interrupts nothing does not double, as the canary has soaked. Planes
change one after the other. Of switches that back each other up (leaves of a pair, border leaves) one changes at a time.
Spines and superspines together leave every switch below them the floor of its uplinks, even if the change interrupts
nothing: a mistake takes no more than the floor allows. Superspines also leave each pod its floor of bandwidth to other
pods.

Planes, pairs and fabrics change together only on request; never both leaves of a pair that are drained.
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
"""Maximum number of switches of one pod at once, where pods change in parallel."""
ROUNDS = 2
"""A wave has at most this many times the number of workers: the first switch waits for its confirmation while the last
ones commit, and its own timer runs.
"""


class Together(StrEnum):
    """What changes together only on request."""

    PLANES = "planes"
    PAIRS = "pairs"
    FABRICS = "fabrics"


class Width(NamedTuple):
    """Width of the waves.

    limit     maximum number of switches of a wave, from 1, however many pods; None: OF_POD of each pod
    workers   switches that are contacted at once, see ROUNDS
    together  the requested combinations
    """

    limit: int | None = None
    workers: int = 32
    together: frozenset[Together] = frozenset()


class _Switch(NamedTuple):
    name: str
    place: Place
    need: Need


_Kind = tuple[int, str]
"""Index of the role in ORDER, and system."""
_Part = tuple[int, int] | None
"""Plane, and pod or core group; None where pods are not distinguished."""


class _Loss(NamedTuple):
    """What one switch alone leaves a switch below it, and the floor of that switch."""

    upper: str
    lower: str
    share: Fraction
    floor: Fraction


def waves(
    plan: Plan, decisions: Sequence[Decision], floor: Fraction | None, width: Width
) -> tuple[tuple[Wave, ...], tuple[Problem, ...]]:
    """Put every switch into one wave; no waves if there are problems.

    floor  share of its uplinks that each switch must keep; None: see `UplinkCapacity.floor`

    Raises LookupError for a switch that is not in the plan.
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
    ordered = _joined(packed, _most(width)) if Together.FABRICS in width.together else _in_turn(packed)
    return tuple(wave._replace(number=number) for number, wave in enumerate(ordered, 1)), ()


def _most(width: Width) -> int:
    """Maximum number of switches of a wave."""
    return max(width.limit, 1) if width.limit is not None else max(ROUNDS * width.workers, OF_POD)


def side_by_side(plan: Plan, all_waves: Iterable[Wave]) -> bool:
    """Whether any of these waves has switches of more than one pod or, for superspines, core group."""
    return any(len(_parts(plan, wave)) > 1 for wave in all_waves)


def _parts(plan: Plan, wave: Wave) -> set[tuple[str, _Part]]:
    placed = ((name, place_of(fabric, device)) for name, fabric in plan.fabrics.items() for device in wave.devices)
    return {(name, _part(place)) for name, place in placed if place is not None}


def _by_system(kind: _Kind) -> tuple[int, tuple[str | int, ...]]:
    return kind[0], natural(kind[1])


_Packed = dict[str, dict[_Kind, tuple[Wave, ...]]]


def _in_turn(packed: _Packed) -> Iterator[Wave]:
    """The waves of one fabric after the other."""
    return (wave for kinds in packed.values() for kind_waves in kinds.values() for wave in kind_waves)


def _joined(packed: _Packed, maximum: int) -> Iterator[Wave]:
    """Waves of all fabrics together, kind by kind: each canary alone, then all first waves, all second ones, and so on.

    maximum  number of switches of a wave; where it would have more, fabrics take turns
    """
    for kind in sorted({kind for kinds in packed.values() for kind in kinds}, key=_by_system):
        by_fabric = [kinds[kind] for kinds in packed.values() if kind in kinds]
        yield from (fabric_waves[0] for fabric_waves in by_fabric)
        for row in zip_longest(*(fabric_waves[1:] for fabric_waves in by_fabric)):
            parallel = [wave for wave in row if wave is not None]
            if sum(len(wave.devices) for wave in parallel) > maximum:
                yield from parallel
                continue
            yield parallel[0]._replace(
                fabric=" and ".join(wave.fabric for wave in parallel),
                devices=tuple(chain.from_iterable(wave.devices for wave in parallel)),
                keeps=min(wave.keeps for wave in parallel),
            )


class _Packer:
    """Packs the switches of one fabric into waves."""

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
        """Record the losses of each switch when it alone is out of service."""
        for switch in switches:
            losses = tuple(self._losses(switch))
            self.best = min((self.best, *(loss.share for loss in losses)))
            short = [loss for loss in losses if loss.share < loss.floor]
            if short:
                self._short.append(min(short, key=lambda loss: (loss.share, natural(loss.lower))))

    def _losses(self, switch: _Switch) -> Iterator[_Loss]:
        """What is left of the uplinks of the switches that lose some with this one."""
        capacity = self._capacity
        for lower in capacity.lowers(switch.place):
            if capacity.loses(lower, switch.place):
                share, floor = capacity.share(lower, (switch.place,)), capacity.floor(lower, self._floor)
                yield _Loss(switch.name, name_of(self._fabric, lower), share, floor)

    def problems(self, best: Fraction) -> Iterator[Problem]:
        """Yield a problem if a switch alone breaks the floor.

        best: the highest floor that holds, one switch at a time.
        """
        if self._short:
            worst = min(self._short, key=lambda loss: (loss.share, natural(loss.upper)))
            count = len(self._short)
            others_text = f", and {count - 1} more switches take too much" if count > 1 else ""
            yield Problem(
                code="push-floor",
                what=f"{worst.upper} alone leaves {worst.lower} {worst.share} of its uplinks; "
                f"the floor is {worst.floor}{others_text}",
                why=f"a push takes at least one switch at a time out of service; the largest possible floor is {best}",
                fix="; or ".join(self._fixes(worst, best)),
            )

    def _fixes(self, short: _Loss, best: Fraction) -> Iterator[str]:
        lower = seat(self._fabric, short.lower)
        if best:
            yield f"write --floor {best}"
        elif short.share >= self._capacity.floor(lower, None):
            yield "omit --floor"
        drained = sorted((name_of(self._fabric, upper) for upper in self._capacity.drained_above(lower)), key=natural)
        if drained:
            yield f"return {', '.join(drained)} to service first"
        yield f"exclude {short.upper} from this push"

    def waves(self, switches: list[_Switch]) -> Iterator[Wave]:
        """The canary, then waves that double in size, or stay smaller where more switches must not be down together."""
        # reversed: of switches with equally few servers, the last by name.
        canary = min(reversed(switches), key=lambda switch: self._stake(switch.place))
        yield self._wave([canary], canary=True)
        # The first switch of each pair together, then the second ones: few of a wave back each other up.
        remaining = [switch for switch in switches if switch != canary]
        remaining.sort(key=self._turn)
        is_hitless = all(switch.need is Need.PLAIN for switch in switches)
        size = self._limit if self._has_pods and is_hitless else 2
        while remaining:
            wave = self._packed(remaining, min(size, self._limit))
            yield self._wave(wave, canary=False)
            in_wave = set(wave)
            remaining = [switch for switch in remaining if switch not in in_wave]
            size *= 2

    def _turn(self, switch: _Switch) -> tuple[int, int, tuple[str | int, ...]]:
        plane = 0 if Together.PLANES in self._together else switch.place.plane
        return plane, switch.place.index, natural(switch.name)

    def _packed(self, remaining: Iterable[_Switch], size: int) -> list[_Switch]:
        """The first switches that may be out of service together, at most `size` of each pod; at least one."""
        wave: list[_Switch] = []
        away: set[Place] = set()
        per_part: Counter[_Part] = Counter()
        for switch in remaining:
            part = _part(switch.place) if self._has_pods else None
            if not wave or (per_part[part] < size and self._fits(switch, wave, away)):
                wave.append(switch)
                away.add(switch.place)
                per_part[part] += 1
            if len(wave) == (self._most if self._has_pods else size):
                break
        return wave

    def _fits(self, switch: _Switch, wave: Sequence[_Switch], away: Collection[Place]) -> bool:
        place = switch.place
        if place.plane != wave[0].place.plane and Together.PLANES not in self._together:
            return False
        if place.tier not in UPPER:
            backups = [other for other in wave if other.place._replace(index=0) == place._replace(index=0)]
            return not backups or (
                Together.PAIRS in self._together and all(other.need is not Need.DRAIN for other in (switch, *backups))
            )
        together = {*away, place}
        capacity = self._capacity
        return self._pods.fit(together) and all(
            capacity.share(lower, together) >= capacity.floor(lower, self._floor)
            for lower in capacity.lowers(place)
            if capacity.loses(lower, place)
        )

    def _stake(self, place: Place) -> int:
        """Number of servers behind a switch, counted once for each of their leaves; 0 for border leaves."""
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
        by_pod = self._servers
        pods = (place.pod,) if place.tier is Tier.SPINE else range(self._fabric.shape.pods)
        return sum(by_pod.get((place.plane, pod), 0) for pod in pods)

    def _wave(self, switches: Sequence[_Switch], *, canary: bool) -> Wave:
        role = switches[0].place.tier
        away = {switch.place for switch in switches}
        return Wave(
            number=0,
            fabric=self._fabric.name,
            role=role.value,
            canary=canary,
            devices=tuple(sorted((switch.name for switch in switches), key=natural)),
            keeps=self._capacity.least(away) if role in UPPER else WHOLE,
        )


def _part(place: Place) -> tuple[int, int]:
    """The part of its fabric that a switch belongs to: a pod or, for a superspine, a core group."""
    return place.plane, place.su if place.tier is Tier.SUPERSPINE else place.pod
