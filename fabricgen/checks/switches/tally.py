"""What is kept of all switches of a fabric: counts, and of each kind of thing the first switch that showed it.

It grows with the kinds that there are, and by a row for each switch that has others below it; never with cables. What
two processes keep, each of a run of switches, adds up to what one would have kept.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from fabricgen.checks.routing.isolation import Crossing
from fabricgen.checks.routing.valleys import Herd, Turns
from fabricgen.checks.switches.link_consistency import LinkClassValues
from fabricgen.checks.switches.link_ends import LinkEnd
from fabricgen.checks.switches.observe import SwitchObservation
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.place import UPPER

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Witness(NamedTuple):
    """The first switch that showed something, and what there is to say of it."""

    name: str
    why: str = ""


class Kin(NamedTuple):
    """Switches that differ in their names alone: how many, and the first two by numbers among all, with their names."""

    size: int
    first: tuple[tuple[int, str], ...]


class Leader(NamedTuple):
    """A switch with others below it: its number among all, its name, and the switches of the tier above."""

    number: int
    name: str
    above: tuple[str, ...]


Counted = dict[K, tuple[int, V]]
"""Kind → how many showed it, and what the first of them showed; in the order of the first."""


def count(found: Counted[K, V], kind: K, first: V, number: int = 1) -> None:
    """Count one more of a kind, or as many as another tally has."""
    before, kept = found.get(kind, (0, first))
    found[kind] = (before + number, kept)


@dataclass(slots=True)
class Tally:
    """All that is kept of the switches of one fabric.

    opened, bridged   by "", as there is but one kind; shared: by code of the fault; classes: by what they have
    seeds             by tier, leaves and border leaves as one, and seed
    mtus, gateways, gaps, kmax, lengths  the values that there are; of lengths the shortest and the longest
    fits              by number of the box, and what to do where it has no room
    limits            by place, reason and remedy of the problem
    crossings         by "": pairs of switches of two planes
    knots, single     ends of links where overrides have a say; mtu_sources: MTU → who gives it
    upper             switches with others below them, by what is alike in their turns; lower: the others, likewise
    above             switches of the tier above, as each set of them was first told
    """

    switches: int = 0
    opened: Counted[str, Witness] = field(default_factory=dict)
    shared: Counted[str, Witness] = field(default_factory=dict)
    classes: Counted[tuple[object, ...], Witness] = field(default_factory=dict)
    bridged: Counted[str, Witness] = field(default_factory=dict)
    seeds: Counted[tuple[str, int | None], Witness] = field(default_factory=dict)
    mtus: set[int] = field(default_factory=set)
    gateways: set[int] = field(default_factory=set)
    gaps: set[int] = field(default_factory=set)
    kmax: set[tuple[int, int]] = field(default_factory=set)
    lengths: set[float] = field(default_factory=set)
    fits: Counted[tuple[int, str], Witness] = field(default_factory=dict)
    limits: Counted[tuple[IntentPath, str, str], Problem] = field(default_factory=dict)
    crossings: Counted[str, Crossing] = field(default_factory=dict)
    knots: set[LinkClassValues] = field(default_factory=set)
    single: list[LinkEnd] = field(default_factory=list)
    mtu_sources: dict[int, IntentPath] = field(default_factory=dict)
    upper: dict[Turns, list[Leader]] = field(default_factory=dict)
    lower: dict[Turns, Kin] = field(default_factory=dict)
    above: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def add(self, seen: SwitchObservation) -> None:
        """Count one switch."""
        self._add_policy(seen)
        self._add_values(seen)
        if seen.ends.knots or seen.ends.single:
            self.knots |= seen.ends.knots
            self.single += seen.ends.single
            self.mtu_sources = {**dict(seen.ends.mtu_sources), **self.mtu_sources}
        for problem in seen.limits:
            count(self.limits, (problem.where, problem.why, problem.fix), problem)
        self.switches += 1

    def _add_policy(self, seen: SwitchObservation) -> None:
        """Count what one switch lets in, passes on and leads to."""
        if seen.openings:
            count(self.opened, "", Witness(seen.name, seen.openings[0]))
        for code, why in {fault.code: fault.why for fault in reversed(seen.shared)}.items():
            count(self.shared, code, Witness(seen.name, why))
        for crossing in seen.crossings:
            count(self.crossings, "", crossing)
        turns = self._known(seen.turns)
        if seen.upper:
            leader = Leader(self.switches, turns.name, turns.above)
            self.upper.setdefault(turns._replace(name="", above=()), []).append(leader)
        else:
            self._kin(turns._replace(name=""), Kin(1, ((self.switches, turns.name),)))

    def _add_values(self, seen: SwitchObservation) -> None:
        """Count values of one switch that all have alike, or within limits."""
        count(self.classes, seen.classes, Witness(seen.name))
        count(self.seeds, ((seen.role if seen.role in UPPER else "leaf"), seen.seed), Witness(seen.name))
        if seen.lossless_bridged:
            count(self.bridged, "", Witness(seen.name, seen.lossless_bridged))
        for fit in seen.fits:
            count(self.fits, (fit.box, fit.fix), Witness(seen.name, fit.why))
        self.mtus |= seen.mtus
        self.kmax |= seen.kmax
        self.gateways.add(seen.gateway_mtu)
        self.gaps.add(seen.gap_us)
        self._measured(seen.lengths)

    def _known(self, turns: Turns) -> Turns:
        """The same, with the one tuple that is kept of these switches above."""
        return turns._replace(above=self.above.setdefault(turns.above, turns.above))

    def _kin(self, turns: Turns, more: Kin) -> None:
        known = self.lower.get(turns)
        self.lower[turns] = Kin(known.size + more.size, (known.first + more.first)[:2]) if known else more

    def _measured(self, lengths: Iterable[float]) -> None:
        every = {*self.lengths, *lengths}
        self.lengths = {min(every), max(every)} if every else every

    def join(self, other: "Tally") -> None:
        """Count what another tally has of the switches that come behind these."""
        for own, more in zip(self._counted(), other._counted(), strict=True):
            for kind, (number, first) in more.items():
                count(own, kind, first, number)
        for turns, kin in other.lower.items():
            shifted = tuple((self.switches + at, name) for at, name in kin.first)
            self._kin(self._known(turns), Kin(kin.size, shifted))
        self.mtus |= other.mtus
        self.kmax |= other.kmax
        self.gateways |= other.gateways
        self.gaps |= other.gaps
        self._measured(other.lengths)
        self.knots |= other.knots
        self.single += other.single
        self.mtu_sources = {**other.mtu_sources, **self.mtu_sources}
        for turns, leaders in other.upper.items():
            self.upper.setdefault(turns, []).extend(
                Leader(self.switches + at, name, self.above.setdefault(above, above)) for at, name, above in leaders
            )
        self.switches += other.switches

    def _counted(self) -> tuple[Counted[Any, Any], ...]:
        return (
            self.opened,
            self.shared,
            self.classes,
            self.bridged,
            self.seeds,
            self.fits,
            self.limits,
            self.crossings,
        )

    def herds(self) -> tuple[Herd, ...]:
        """All switches, those that differ in their names alone as one or two; those with none below come first."""
        found: list[tuple[int, Herd]] = []
        for turns, kin in self.lower.items():
            (at, first), *others = kin.first
            found.append((at, Herd(turns._replace(name=first), kin.size - len(others))))
            found += [(after, Herd(turns._replace(name=second))) for after, second in others]
        leading = [
            (number, Herd(turns._replace(name=name, above=above)))
            for turns, leaders in self.upper.items()
            for number, name, above in leaders
        ]
        in_order = (sorted(part, key=lambda one: one[0]) for part in (found, leading))
        return tuple(herd for part in in_order for _, herd in part)
