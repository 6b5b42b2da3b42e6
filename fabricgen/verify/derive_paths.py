"""How routes spread through a fabric: the paths that each switch has to each other one, and over which links.

A route goes up, then down, never up again: what a switch has learned from above it sends to none above, as the
marks of `resolve.policy` see to (`checks.valleys` proves it). A switch takes no route with its own AS number in the
path (RFC 4271 section 9.1.2). What is being shut down comes last (RFC 8326), then the shortest AS path wins, and all
that are equal in both carry traffic.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.verify.derive_speakers import FAMILIES, Link, Side, Speaker


class Path(NamedTuple):
    """Best path of a switch to another: whether it is taken last, and the AS numbers that it passes."""

    last: bool
    numbers: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The least is the best: by preference, then by length."""
        return (LAST if self.last else 0) + len(self.numbers)


LAST = 1 << 16
"""Longer than any AS path."""

Table = Mapping[str, Path]
"""Originating switch → best path of one switch in one family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Routes of one family in all fabrics.

    upward    switch → what it sends to those above it: its own, and what it learned below
    downward  switch with others below it → what it sends to those: all it has
    """

    family: str
    speakers: Mapping[str, Speaker]
    upward: Mapping[str, Table]
    downward: Mapping[str, Table]


class Reach(NamedTuple):
    """How one switch gets to another: how good the way is (the least is the best), and the links of the best.

    links  each a neighbor's, in order of name; a neighbor's tuple is shared between all the switches behind it
    """

    rank: int
    links: tuple[tuple[Link, ...], ...]


def spread(speakers: Mapping[str, Speaker]) -> Mapping[str, Spread]:
    """By family. Work: pairs of switches above leaves, times switches."""
    return {family: _spread(family, speakers) for family in FAMILIES}


def _spread(family: str, speakers: Mapping[str, Speaker]) -> Spread:
    upward: dict[str, Table] = {}
    for name in _ascending(speakers):
        upward[name] = _learn(family, speakers, speakers[name], speakers[name].below, upward)
    downward: dict[str, Table] = {}
    for name in reversed(list(_ascending(speakers))):
        found = speakers[name]
        if found.below:
            above = _learn(family, speakers, found, found.above, downward)
            downward[name] = _better(upward[name], above)
    return Spread(family=family, speakers=speakers, upward=upward, downward=downward)


def _ascending(speakers: Mapping[str, Speaker]) -> Iterator[str]:
    """Switches, each behind all below it."""
    height: dict[str, int] = {}

    def measure(name: str) -> int:
        if name not in height:
            below = (measure(far) for far in speakers[name].below if far in speakers)
            height[name] = 1 + max(below, default=0)
        return height[name]

    return iter(sorted(speakers, key=lambda name: (measure(name), name)))


def _learn(
    family: str, speakers: Mapping[str, Speaker], own: Speaker, fars: Iterable[str], told: Mapping[str, Table]
) -> Table:
    """What a switch has from these neighbors, and itself."""
    best: dict[str, Path] = {own.name: Path(False, ())}
    for far in sorted(fars):
        mine, theirs = own.sides.get((family, far)), _theirs(family, speakers, own, far)
        if mine is None or theirs is None or far not in told:
            continue
        for origin, path in _received(own, speakers[far], told[far], mine.last or theirs.shut):
            if origin not in best or path.rank < best[origin].rank:
                best[origin] = path
    return best


def _theirs(family: str, speakers: Mapping[str, Speaker], own: Speaker, far: str) -> Side | None:
    return speakers[far].sides.get((family, own.name)) if far in speakers else None


def _received(own: Speaker, far: Speaker, table: Table, last: bool) -> Iterator[tuple[str, Path]]:
    if own.asn != far.asn:
        for origin, path in table.items():
            if own.asn not in path.numbers:
                yield origin, Path(last or path.last, (far.asn, *path.numbers))


def _better(one: Table, two: Table) -> Table:
    found = dict(one)
    for origin, path in two.items():
        if origin not in found or path.rank < found[origin].rank:
            found[origin] = path
    return found


class _Way(NamedTuple):
    """A neighbor of a switch: what it sends, and the links to it; `clean` are those that are not being shut down."""

    table: Table
    clean: tuple[Link, ...]
    every: tuple[Link, ...]


def reaches(spread: Spread, own: Speaker, own_links: Iterable[Link]) -> dict[str, Reach]:
    """Originating switch → how this one gets there, over its sessions of the family. Work: neighbors times switches."""
    best: dict[str, int] = {}
    links: dict[str, list[tuple[Link, ...]]] = {}
    for table, clean, every in _ways(spread, own, own_links):
        for origin, (last, numbers) in table.items():
            if own.asn in numbers:
                continue
            rank = 1 + len(numbers) + (LAST if last or not clean else 0)
            held = best.get(origin)
            if held is None or rank < held:
                best[origin], links[origin] = rank, []
            elif rank > held:
                continue
            links[origin].append(clean if rank < LAST else every)
    return {origin: Reach(rank, tuple(links[origin])) for origin, rank in best.items()}


def _ways(spread: Spread, own: Speaker, own_links: Iterable[Link]) -> Iterator[_Way]:
    to: dict[str, list[Link]] = {}
    for link in own_links:
        if spread.family in link.group.families:
            to.setdefault(link.far, []).append(link)
    for far, every in sorted(to.items()):
        theirs = _theirs(spread.family, spread.speakers, own, far)
        table = (spread.upward if far in own.below else spread.downward).get(far)
        if theirs is None or table is None or spread.speakers[far].asn == own.asn:
            continue
        clean = () if theirs.shut else tuple(link for link in every if not link.last)
        yield _Way(table, clean, tuple(every))
