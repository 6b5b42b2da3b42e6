"""Summary of all switches of a fabric: counts, and the first switch of each kind of finding.

It grows with the number of kinds, and by a row for each switch that has others below it, but not with cables. The
tallies of two processes, each of a part of the switches, add up to the tally of all.
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
    """The first switch of a kind, and the reason."""

    name: str
    why: str = ""


class Kin(NamedTuple):
    """Switches that differ only in their names: how many, and number and name of the first two, numbered among all."""

    size: int
    first: tuple[tuple[int, str], ...]


class Leader(NamedTuple):
    """A switch with others below it: its number among all, its name, and the switches of the tier above."""

    number: int
    name: str
    above: tuple[str, ...]


Counted = dict[K, tuple[int, V]]
"""Kind → number of occurrences and the value of the first; in the order of the first occurrence."""


def count(counted: Counted[K, V], kind: K, first: V, number: int = 1) -> None:
    """Add one occurrence of a kind, or the number of another tally."""
    before, first_kept = counted.get(kind, (0, first))
    counted[kind] = (before + number, first_kept)


@dataclass(slots=True)
class Tally:
    """Summary of the switches of one fabric.

    opened, bridged   with the only key ""; shared: by code of the fault; classes: by their values
    seeds             by tier (leaves and border leaves as one) and seed
    mtus, gateways, gaps, kmax, lengths  distinct values; of lengths the shortest and the longest
    fits              by index of the box, and the fix where headroom does not fit
    limits            by place, reason and fix of the problem
    crossings         with the only key "": pairs of switches of two planes
    knots, single     ends of links that overrides can change; mtu_sources: MTU → the override that sets it
    upper             switches with others below them, by the common part of their turns; lower: the others, likewise
    above             switches of the tier above: one shared tuple for each set of them
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
        """Add one switch."""
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
        """Add what one switch accepts, sends on and leads to."""
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
        """Add values of one switch that are compared with those of others."""
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
        """Return the same turns with the shared tuple of the switches above."""
        return turns._replace(above=self.above.setdefault(turns.above, turns.above))

    def _kin(self, turns: Turns, more: Kin) -> None:
        known = self.lower.get(turns)
        self.lower[turns] = Kin(known.size + more.size, (known.first + more.first)[:2]) if known else more

    def _measured(self, lengths: Iterable[float]) -> None:
        measured = {*self.lengths, *lengths}
        self.lengths = {min(measured), max(measured)} if measured else measured

    def join(self, other: "Tally") -> None:
        """Add another tally, of the switches that follow these."""
        for mine, more in zip(self._counted(), other._counted(), strict=True):
            for kind, (number, first) in more.items():
                count(mine, kind, first, number)
        for turns, kin in other.lower.items():
            shifted = tuple((self.switches + position, name) for position, name in kin.first)
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
                Leader(self.switches + position, name, self.above.setdefault(above, above))
                for position, name, above in leaders
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
        """Return all switches, those that differ only in names as one or two; those without others below come first."""
        lower: list[tuple[int, Herd]] = []
        for turns, kin in self.lower.items():
            (position, first), *others = kin.first
            lower.append((position, Herd(turns._replace(name=first), kin.size - len(others))))
            lower += [(after, Herd(turns._replace(name=second))) for after, second in others]
        leading = [
            (number, Herd(turns._replace(name=name, above=above)))
            for turns, leaders in self.upper.items()
            for number, name, above in leaders
        ]
        in_order = (sorted(part, key=lambda item: item[0]) for part in (lower, leading))
        return tuple(herd for part in in_order for _, herd in part)
