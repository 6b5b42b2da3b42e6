"""Segments of a lock that cannot both be: after a merge of two branches, they own the same thing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.place import ALL_AXES, Coordinates
from fabricgen.plan.segments import ASN_AXES, Segment
from fabricgen.source.document import Document

SUSPECTS = 16
"""Times the segments: so many pairs that touch are looked for. Who has more has clashes among the first."""


class _Run(NamedTuple):
    what: str
    start: int
    end: int


def _runs(segment: Segment) -> tuple[_Run, ...]:
    size = segment.box.size()
    blocks = (
        ("IPv4 block", segment.ipv4),
        ("IPv6 block", segment.ipv6),
        ("IPv4 loopback", segment.loopback4),
        ("IPv6 loopback", segment.loopback6),
    )
    return (
        _Run(f"{segment.fabric} {segment.tier.value} name", segment.first, segment.first + size),
        _Run("management address", segment.oob, segment.oob + size),
        *(_Run(f"{segment.fabric} {what}", run.start, run.block(size)) for what, run in blocks if run is not None),
    )


def segment_clashes(segments: tuple[Segment, ...], document: Document) -> Iterator[Problem]:
    """Yield each pair of segments that own the same places, names, addresses or AS numbers, by the later line."""
    runs = [{run.what: run for run in _runs(segment)} for segment in segments]
    for later, earlier in _suspects(segments, runs):
        clash = _clash(segments[earlier], segments[later]) or _shared_run(runs[earlier], runs[later])
        if clash:
            yield clash_problem(document, "segments", earlier, later, clash)


def _suspects(segments: Sequence[Segment], runs: Sequence[Mapping[str, _Run]]) -> Iterable[tuple[int, int]]:
    """Pairs in order, among them all that clash; every pair where so many touch that the first ones will do."""
    most, found = SUSPECTS * len(segments), set[tuple[int, int]]()
    for one, two in chain(_of_runs(runs), _of_places(segments), _of_asns(segments)):
        found.add((max(one, two), min(one, two)))
        if len(found) > most:
            return ((later, earlier) for later in range(len(segments)) for earlier in range(later))
    return sorted(found)


def _of_runs(runs: Sequence[Mapping[str, _Run]]) -> Iterator[tuple[int, int]]:
    """Segments with runs of one kind that overlap."""
    kinds: dict[str, list[tuple[int, int, int]]] = {}
    for at, own in enumerate(runs):
        for what, run in own.items():
            kinds.setdefault(what, []).append((run.start, run.end, at))
    for spans in kinds.values():
        yield from _overlapping(spans)


def _overlapping(spans: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Third numbers of each two spans that share a number; a span ends in front of its second one."""
    open_: list[tuple[int, int, int]] = []
    for span in sorted(spans):
        open_ = [other for other in open_ if other[1] > span[0]]
        yield from ((other[2], span[2]) for other in open_)
        open_.append(span)


def _of_places(segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Segments of one tier that no cut along an axis parts. What has grown always has such a cut: its last growth."""
    tiers: dict[tuple[str, str, str], list[int]] = {}
    for at, segment in enumerate(segments):
        tiers.setdefault((segment.fabric, segment.tier.value, segment.group), []).append(at)
    rest = list(tiers.values())
    while rest:
        together = rest.pop()
        parts = next((parts for axis in ALL_AXES if len(parts := _parted(segments, together, axis)) > 1), None)
        if parts is None:
            yield from combinations(together, 2)
        else:
            rest += parts


def _parted(segments: Sequence[Segment], together: list[int], axis: int) -> list[list[int]]:
    """The same segments in groups that share no number of an axis."""
    parts: list[list[int]] = []
    end = -1
    for at in sorted(together, key=lambda at: segments[at].box[axis].first):
        first, last = segments[at].box[axis]
        if first > end:
            parts.append([])
        parts[-1].append(at)
        end = max(end, last)
    return parts


def _of_asns(segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Segments whose AS numbers overlap and may not. Of spines that were added to the same pods one stands for all."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for at, segment in enumerate(segments):
        spans = tuple(segment.box[axis] for axis in ASN_AXES[segment.tier])
        alike.setdefault((segment.fabric, segment.tier, segment.asn, spans), []).append(at)
    fabrics: dict[str, list[tuple[int, int, int]]] = {}
    for first, *_ in alike.values():
        own = segments[first]
        fabrics.setdefault(own.fabric, []).append((own.asn, own.asn + own.box.size(ASN_AXES[own.tier]), first))
    members = {found[0]: found for found in alike.values()}
    for first, found in members.items():
        if len(found) > 1 and _share_asns(segments[first], segments[first]):
            yield from combinations(found, 2)
    for one, two in chain.from_iterable(map(_overlapping, fabrics.values())):
        if _share_asns(segments[one], segments[two]) or _share_asns(segments[two], segments[one]):
            yield from product(members[one], members[two])


def _clash(one: Segment, two: Segment) -> str | None:
    """Places or AS numbers that both segments own; None where those are disjoint."""
    if (one.fabric, one.tier, one.group) == (two.fabric, two.tier, two.group) and one.box.overlaps(two.box):
        return "the same places"
    return "the same AS numbers" if _share_asns(one, two) else None


def _shared_run(ones: Mapping[str, _Run], twos: Mapping[str, _Run]) -> str | None:
    for what, run in ones.items():
        other = twos.get(what)
        if other is not None and run.start < other.end and other.start < run.end:
            return f"the same {what}{'es' if what.endswith('s') else 's'}"
    return None


def _share_asns(one: Segment, two: Segment) -> bool:
    """Whether two segments of a fabric give one AS number to switches that are not spines of one pod (or plane)."""
    axes = ASN_AXES[one.tier]
    ends = [s.asn + s.box.size(ASN_AXES[s.tier]) for s in (one, two)]
    if one.fabric != two.fabric or ends[0] <= two.asn or ends[1] <= one.asn:
        return False
    if one.tier != two.tier or axes == ALL_AXES:
        return True
    first = Coordinates(*(span.first for span in two.box))
    return two.asn != one.asn + one.box.number(first, axes)


def clash_problem(document: Document, section: str, earlier: int, later: int, clash: str) -> Problem:
    """The problem of two lines of one section, by their positions. clash: what both own."""
    first, second = document.place((section, earlier)), document.place((section, later))
    return Problem(
        code="lock-clash",
        what=f"lines {first.line} and {second.line} of the lock allocate {clash}",
        why="two branches extended the same fabric, and git merged their lock lines",
        # The lines are sorted: their order does not tell which of them switches run.
        fix=f"git checkout BRANCH -- {document.file}, where BRANCH is the one that is deployed, then render: "
        "the switches of the other branch get new numbers",
        at=second,
    )
