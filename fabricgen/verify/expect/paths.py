"""How routes spread through a fabric: the paths that each switch has to each other one, and over which links.

A route goes up, then down, never up again: what a switch has learned from above it sends to none above, as the
marks of `resolve.policy` see to (`checks.valleys` proves it). A switch takes no route with its own AS number in the
path (RFC 4271 section 9.1.2). What is being shut down comes last (RFC 8326), then the shortest AS path wins, and all
that are equal in both carry traffic.

Switches that all others meet alike (`derive_cohorts`) have the same paths and are reached by the same ones, so paths
are found once a cohort: a pod of any size is one cohort of leaves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from fabricgen.verify.expect.cohorts import Cohort, cohorts_of
from fabricgen.verify.expect.speakers import FAMILIES, Half, SiteSession, Speaker


class Path(NamedTuple):
    """Best path of a switch to another: whether it is taken last, and the AS numbers that it passes (`Cohort`)."""

    last: bool
    numbers: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The least is the best: by preference, then by length."""
        return (LAST if self.last else 0) + len(self.numbers)


LAST = 1 << 16
"""Longer than any AS path."""

Table = Mapping[int, Path]
"""Cohort of originating switches → best path of a switch to each of them but itself, in one family."""

MOST_TABLES = 512
"""Of what switches send down, so many are kept: a fabric of half a million GPUs has 8,000 spines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Routes of one family in all fabrics, found as they are asked for.

    at  switch → its cohort
    """

    family: str
    speakers: Mapping[str, Speaker]
    cohorts: tuple[Cohort, ...]
    at: Mapping[str, int]
    ups: dict[int, Table] = field(init=False, default_factory=dict, compare=False, repr=False)
    downs: dict[int, Table] = field(init=False, default_factory=dict, compare=False, repr=False)

    def upward(self, number: int) -> Table:
        """What the switches of a cohort send to those above them, besides their own: what they learned below."""
        found = self.ups.get(number)
        if found is None:
            below = self._numbers(self.cohorts[number].one.below)
            found = self.ups[number] = self._learn(number, below, self.upward)
        return found

    def downward(self, number: int) -> Table:
        """What they send to those below, besides their own: all they have. Only switches above others send it."""
        found = self.downs.get(number)
        if found is None:
            above = self._numbers(self.cohorts[number].one.above)
            senders = (other for other in above if self.cohorts[other].one.below)
            learned = self._learn(number, senders, self.downward)
            if len(self.downs) >= MOST_TABLES:
                self.downs.clear()
            found = self.downs[number] = _better(self.upward(number), learned)
        return found

    def _numbers(self, names: Iterable[str]) -> list[int]:
        """Cohorts of switches, in the order of names: they are all of each."""
        return sorted({self.at[name] for name in names if name in self.at})

    def _learn(self, number: int, others: Iterable[int], told: Callable[[int], Table]) -> Table:
        """What a cohort has from these neighbors."""
        own = self.cohorts[number]
        best: dict[int, Path] = {}
        for other in others:
            mine, theirs = self._halves(own.one, self.cohorts[other].one)
            if mine is None or theirs is None:
                continue
            for origin, path in self._received(number, other, told(other), last=mine.last or theirs.shut):
                if origin not in best or path.rank < best[origin].rank:
                    best[origin] = path
        return best

    def _halves(self, own: Speaker, far: Speaker) -> tuple[Half | None, Half | None]:
        return own.half(self.family, far.name), far.half(self.family, own.name)

    def _received(self, number: int, other: int, table: Table, *, last: bool) -> Iterator[tuple[int, Path]]:
        own, far = self.cohorts[number], self.cohorts[other]
        if own.one.asn == far.one.asn:
            return
        yield other, Path(last, (far.number,))
        for origin, path in table.items():
            if not own.is_passed(path.numbers) and not (origin == number and own.is_single):
                yield origin, Path(last or path.last, (far.number, *path.numbers))


def _better(one: Table, two: Table) -> Table:
    found = dict(one)
    for origin, path in two.items():
        if origin not in found or path.rank < found[origin].rank:
            found[origin] = path
    return found


class BestPaths(NamedTuple):
    """How one switch gets to another: how good the way is (the least is the best), and the links of the best.

    links  each a neighbor's, in order of name; the tuple is one and the same for all the switches behind it
    """

    rank: int
    links: tuple[tuple[SiteSession, ...], ...]


def spread(speakers: Mapping[str, Speaker]) -> Mapping[str, Spread]:
    """By family."""
    cohorts = cohorts_of(speakers.values())
    at = {name: number for number, cohort in enumerate(cohorts) for name in cohort.members}
    return {family: Spread(family=family, speakers=speakers, cohorts=cohorts, at=at) for family in FAMILIES}


class _Way(NamedTuple):
    """A neighbor of a switch: what it sends, and the links to it; `clean` are those that are not being shut down."""

    far: str
    table: Table
    clean: tuple[SiteSession, ...]
    every: tuple[SiteSession, ...]

    def rank(self, path: Path) -> int:
        """Of a path that it sends."""
        return 1 + len(path.numbers) + (LAST if path.last or not self.clean else 0)


OWN = Path(False, ())
"""Path of a switch to itself, which it sends too."""


def reaches(spread: Spread, own: Speaker, own_links: Iterable[SiteSession]) -> dict[str, BestPaths]:
    """Originating switch → how this one gets there, over its sessions of the family.

    Work: cohorts of its neighbors times cohorts, and the switches that are reached.
    """
    ways = tuple(_ways(spread, own, own_links))
    cohort = spread.cohorts[spread.at[own.name]]
    best: dict[int, int] = {}
    over: dict[int, list[list[int]]] = {}
    for group in _groups(spread, ways):
        way = ways[group[0]]
        for origin, path in way.table.items():
            rank = way.rank(path)
            if rank > best.get(origin, rank) or cohort.is_passed(path.numbers):
                continue
            if rank < best.get(origin, rank + 1):
                best[origin], over[origin] = rank, []
            over[origin].append(group)
    found: dict[str, BestPaths] = {}
    same: dict[tuple[int, ...], BestPaths] = {}
    for origin, rank in best.items():
        key = (rank, *(group[0] for group in over[origin]))
        reach = same.get(key)
        if reach is None:
            reach = same[key] = BestPaths(rank, _links(ways, sorted(chain.from_iterable(over[origin])), rank))
        for name in spread.cohorts[origin].members:
            found[name] = reach
    found |= {way.far: _straight(spread, cohort, ways, way) for way in ways}
    found.pop(own.name, None)
    return found


def _groups(spread: Spread, ways: tuple[_Way, ...]) -> Iterable[list[int]]:
    """Ways by number, those together that give the same."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for number, way in enumerate(ways):
        groups.setdefault((spread.at[way.far], bool(way.clean)), []).append(number)
    return groups.values()


def _links(ways: tuple[_Way, ...], numbers: Iterable[int], rank: int) -> tuple[tuple[SiteSession, ...], ...]:
    return tuple(ways[number].clean if rank < LAST else ways[number].every for number in numbers)


def _straight(spread: Spread, cohort: Cohort, ways: tuple[_Way, ...], own: _Way) -> BestPaths:
    """How a switch gets to a neighbor: straight, unless that is taken last and there is a way around."""
    rank = own.rank(OWN)
    around: dict[int, list[int]] = {}
    for number, way in enumerate(ways if rank >= LAST else ()):
        path = way.table.get(spread.at[own.far])
        if way.far != own.far and path is not None and not cohort.is_passed(path.numbers):
            around.setdefault(way.rank(path), []).append(number)
    least = min(around, default=rank)
    return (
        BestPaths(least, _links(ways, around[least], least))
        if least < rank
        else BestPaths(rank, (own.clean or own.every,))
    )


def _ways(spread: Spread, own: Speaker, own_links: Iterable[SiteSession]) -> Iterator[_Way]:
    """Neighbors, by name."""
    to: dict[str, list[SiteSession]] = {}
    for link in own_links:
        if spread.family in link.group.families:
            to.setdefault(link.far, []).append(link)
    for far, every in sorted(to.items()):
        other = spread.speakers.get(far)
        theirs = other.half(spread.family, own.name) if other else None
        if other is None or theirs is None or other.asn == own.asn or not (far in own.below or other.below):
            continue
        table = (spread.upward if far in own.below else spread.downward)(spread.at[far])
        clean = () if theirs.shut else tuple(link for link in every if not link.last)
        yield _Way(far, table, clean, tuple(every))
