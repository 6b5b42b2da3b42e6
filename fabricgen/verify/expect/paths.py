"""Route propagation: the paths from each switch to each other one, and their links.

A route goes up, then down, never up again: a switch sends nothing that it learned from above to switches above, which
the communities of `resolve.policy` enforce (`checks.valleys` proves it). A switch accepts no route with its own AS
number in the path (RFC 4271 section 9.1.2). Paths under graceful shutdown are least preferred (RFC 8326), then the
shortest AS path wins, and all paths equal in both carry traffic.

Switches of one cohort (`cohorts_of`) have the same paths and are reached over the same ones, so paths are computed once
per cohort: the leaves of a pod of any size are one cohort.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.verify.expect.cohorts import Cohort, cohorts_of
from fabricgen.verify.expect.speakers import FAMILIES, Half, SiteSession, Speaker


class Path(NamedTuple):
    """Best path of a switch to another: whether it is least preferred, and the AS numbers in it (see `Cohort`)."""

    last: bool
    numbers: tuple[int, ...]

    @property
    def rank(self) -> int:
        """Lower is better: by preference, then by length."""
        return (LAST if self.last else 0) + len(self.numbers)


LAST = 1 << 16
"""Longer than any AS path."""

Table = Mapping[int, Path]
"""Originating cohort → best path of a switch to each of its members but itself, in one family."""

MOST_TABLES = 512
"""Maximum number of cached downward tables: a fabric of half a million GPUs has 8,000 spines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Routes of one family in all fabrics, computed on demand.

    at  switch → index of its cohort
    """

    family: str
    speakers: Mapping[str, Speaker]
    cohorts: tuple[Cohort, ...]
    at: Mapping[str, int]
    ups: dict[int, Table] = field(init=False, default_factory=dict, compare=False, repr=False)
    downs: dict[int, Table] = field(init=False, default_factory=dict, compare=False, repr=False)

    def upward(self, number: int) -> Table:
        """What the switches of a cohort send upwards in addition to their own prefixes: routes learned from below."""
        table = self.ups.get(number)
        if table is None:
            below = self._numbers(self.cohorts[number].example.below)
            table = self.ups[number] = self._learn(number, below, self.upward)
        return table

    def downward(self, number: int) -> Table:
        """What they send downwards besides their own prefixes: all routes. Only switches above others send it."""
        table = self.downs.get(number)
        if table is None:
            above = self._numbers(self.cohorts[number].example.above)
            senders = (other for other in above if self.cohorts[other].example.below)
            learned = self._learn(number, senders, self.downward)
            # Dropped tables are computed again; only memory is bounded.
            if len(self.downs) >= MOST_TABLES:
                self.downs.clear()
            table = self.downs[number] = _better(self.upward(number), learned)
        return table

    def _numbers(self, names: Iterable[str]) -> list[int]:
        """Sorted cohort indexes of switches; a cohort is always included as a whole."""
        return sorted({self.at[name] for name in names if name in self.at})

    def _learn(self, number: int, others: Iterable[int], sent: Callable[[int], Table]) -> Table:
        """Best paths of a cohort from these neighbors."""
        cohort = self.cohorts[number]
        best: dict[int, Path] = {}
        for other in others:
            own_half, far_half = self._halves(cohort.example, self.cohorts[other].example)
            if own_half is None or far_half is None:
                continue
            for origin, path in self._received(number, other, sent(other), last=own_half.last or far_half.shut):
                if origin not in best or path.rank < best[origin].rank:
                    best[origin] = path
        return best

    def _halves(self, own: Speaker, far: Speaker) -> tuple[Half | None, Half | None]:
        return own.half(self.family, far.name), far.half(self.family, own.name)

    def _received(self, number: int, other: int, table: Table, *, last: bool) -> Iterator[tuple[int, Path]]:
        receiver, sender = self.cohorts[number], self.cohorts[other]
        if receiver.example.asn == sender.example.asn:
            return
        yield other, Path(last, (sender.number,))
        for origin, path in table.items():
            if not receiver.is_passed(path.numbers) and not (origin == number and receiver.is_single):
                yield origin, Path(last or path.last, (sender.number, *path.numbers))


def _better(first: Table, second: Table) -> Table:
    best = dict(first)
    for origin, path in second.items():
        if origin not in best or path.rank < best[origin].rank:
            best[origin] = path
    return best


class BestPaths(NamedTuple):
    """How one switch reaches another: rank of the path (lower is better), and the links of the best paths.

    links  one tuple per neighbor, in order of name; all switches behind the same links share one tuple object
    """

    rank: int
    links: tuple[tuple[SiteSession, ...], ...]


def spread(speakers: Mapping[str, Speaker]) -> Mapping[str, Spread]:
    """By family, the propagation of its routes."""
    cohorts = cohorts_of(speakers.values())
    cohort_of = {name: number for number, cohort in enumerate(cohorts) for name in cohort.members}
    return {family: Spread(family=family, speakers=speakers, cohorts=cohorts, at=cohort_of) for family in FAMILIES}


class _Way(NamedTuple):
    """A neighbor of a switch: the table it sends, and the links to it; `clean`: those not under graceful shutdown."""

    far: str
    table: Table
    clean: tuple[SiteSession, ...]
    every: tuple[SiteSession, ...]

    def rank(self, path: Path) -> int:
        """Rank of a path that it sends."""
        return 1 + len(path.numbers) + (LAST if path.last or not self.clean else 0)


OWN = Path(False, ())
"""Path of a switch to itself, which it also sends."""


def reaches(spread: Spread, source: Speaker, own_links: Iterable[SiteSession]) -> dict[str, BestPaths]:
    """Originating switch → how this one reaches it, over its sessions of the family.

    Cost: cohorts of its neighbors times cohorts, and the switches that are reached.
    """
    ways = tuple(_ways(spread, source, own_links))
    cohort = spread.cohorts[spread.at[source.name]]
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
    reached: dict[str, BestPaths] = {}
    by_group: dict[tuple[int, ...], BestPaths] = {}
    for origin, rank in best.items():
        key = (rank, *(group[0] for group in over[origin]))
        reach = by_group.get(key)
        if reach is None:
            reach = by_group[key] = BestPaths(rank, _links(ways, sorted(chain.from_iterable(over[origin])), rank))
        for name in spread.cohorts[origin].members:
            reached[name] = reach
    reached |= {way.far: _straight(spread, cohort, ways, way) for way in ways}
    reached.pop(source.name, None)
    return reached


def _groups(spread: Spread, ways: tuple[_Way, ...]) -> Iterable[list[int]]:
    """Indexes of neighbors, grouped by those with identical tables."""
    groups = grouped(((spread.at[way.far], bool(way.clean)), number) for number, way in enumerate(ways))
    return groups.values()


def _links(ways: tuple[_Way, ...], numbers: Iterable[int], rank: int) -> tuple[tuple[SiteSession, ...], ...]:
    return tuple(ways[number].clean if rank < LAST else ways[number].every for number in numbers)


def _straight(spread: Spread, cohort: Cohort, ways: tuple[_Way, ...], neighbor: _Way) -> BestPaths:
    """How a switch reaches a neighbor: directly, unless that is least preferred and another path exists."""
    rank = neighbor.rank(OWN)
    around: dict[int, list[int]] = {}
    for number, way in enumerate(ways if rank >= LAST else ()):
        path = way.table.get(spread.at[neighbor.far])
        if way.far != neighbor.far and path is not None and not cohort.is_passed(path.numbers):
            around.setdefault(way.rank(path), []).append(number)
    best = min(around, default=rank)
    return (
        BestPaths(best, _links(ways, around[best], best))
        if best < rank
        else BestPaths(rank, (neighbor.clean or neighbor.every,))
    )


def _ways(spread: Spread, source: Speaker, own_links: Iterable[SiteSession]) -> Iterator[_Way]:
    """Neighbors, by name."""
    links_to = grouped((link.far, link) for link in own_links if spread.family in link.group.families)
    for far, far_links in sorted(links_to.items()):
        other = spread.speakers.get(far)
        far_half = other.half(spread.family, source.name) if other else None
        if other is None or far_half is None or other.asn == source.asn or not (far in source.below or other.below):
            continue
        table = (spread.upward if far in source.below else spread.downward)(spread.at[far])
        clean = () if far_half.shut else tuple(link for link in far_links if not link.last)
        yield _Way(far, table, clean, tuple(far_links))
