"""Segments of a lock that contradict each other: after a merge of two branches, they own the same thing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.place import ALL_AXES, Coordinates
from fabricgen.plan.segments import ASN_AXES, Segment
from fabricgen.source.document import Document

SUSPECTS = 16
"""Limit on the overlapping pairs, as a multiple of the segments. With more, the first pairs contain clashes."""


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
    ids = segment.router_ids
    return (
        *((_Run("router id", ids.start, ids.block(size)),) if ids is not None else ()),
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
    """Pairs that may clash, in order; every pair if so many overlap that the first ones suffice."""
    limit, pairs = SUSPECTS * len(segments), set[tuple[int, int]]()
    for first, second in chain(_of_runs(runs), _of_places(segments), _of_asns(segments)):
        pairs.add((max(first, second), min(first, second)))
        if len(pairs) > limit:
            return ((later, earlier) for later in range(len(segments)) for earlier in range(later))
    return sorted(pairs)


def _of_runs(runs: Sequence[Mapping[str, _Run]]) -> Iterator[tuple[int, int]]:
    """Segments with runs of one kind that overlap."""
    kinds: dict[str, list[tuple[int, int, int]]] = {}
    for index, own_runs in enumerate(runs):
        for what, run in own_runs.items():
            kinds.setdefault(what, []).append((run.start, run.end, index))
    for spans in kinds.values():
        yield from _overlapping(spans)


def _overlapping(spans: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Third numbers of each pair of overlapping spans; a span ends before its second number."""
    open_: list[tuple[int, int, int]] = []
    for span in sorted(spans):
        open_ = [other for other in open_ if other[1] > span[0]]
        yield from ((other[2], span[2]) for other in open_)
        open_.append(span)


def _of_places(segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Segments of one tier that no cut along an axis separates.

    Grown segments always have such a cut: the last growth.
    """
    tiers: dict[tuple[str, str, str], list[int]] = {}
    for index, segment in enumerate(segments):
        tiers.setdefault((segment.fabric, segment.tier.value, segment.group), []).append(index)
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
    for index in sorted(together, key=lambda index: segments[index].box[axis].first):
        first, last = segments[index].box[axis]
        if first > end:
            parts.append([])
        parts[-1].append(index)
        end = max(end, last)
    return parts


def _of_asns(segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Segments whose AS numbers overlap and must not. Spines added to the same pods are represented by one of them."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for index, segment in enumerate(segments):
        spans = tuple(segment.box[axis] for axis in ASN_AXES[segment.tier])
        alike.setdefault((segment.fabric, segment.tier, segment.asn, spans), []).append(index)
    fabrics: dict[str, list[tuple[int, int, int]]] = {}
    for first, *_ in alike.values():
        own = segments[first]
        fabrics.setdefault(own.fabric, []).append((own.asn, own.asn + own.box.size(ASN_AXES[own.tier]), first))
    members = {same_asns[0]: same_asns for same_asns in alike.values()}
    for first, same_asns in members.items():
        if len(same_asns) > 1 and _share_asns(segments[first], segments[first]):
            yield from combinations(same_asns, 2)
    for earlier, later in chain.from_iterable(map(_overlapping, fabrics.values())):
        if _share_asns(segments[earlier], segments[later]) or _share_asns(segments[later], segments[earlier]):
            yield from product(members[earlier], members[later])


def _clash(earlier: Segment, later: Segment) -> str | None:
    """Places or AS numbers that both segments own; None if those are disjoint."""
    if (earlier.fabric, earlier.tier, earlier.group) == (
        later.fabric,
        later.tier,
        later.group,
    ) and earlier.box.overlaps(later.box):
        return "the same places"
    return "the same AS numbers" if _share_asns(earlier, later) else None


def _shared_run(first_runs: Mapping[str, _Run], second_runs: Mapping[str, _Run]) -> str | None:
    for what, run in first_runs.items():
        other = second_runs.get(what)
        if other is not None and run.start < other.end and other.start < run.end:
            return f"the same {what}{'es' if what.endswith('s') else 's'}"
    return None


def _share_asns(earlier: Segment, later: Segment) -> bool:
    """Whether two segments of a fabric give one AS number to switches that are not spines of one pod (or plane)."""
    axes = ASN_AXES[earlier.tier]
    ends = [segment.asn + segment.box.size(ASN_AXES[segment.tier]) for segment in (earlier, later)]
    if earlier.fabric != later.fabric or ends[0] <= later.asn or ends[1] <= earlier.asn:
        return False
    if earlier.tier != later.tier or axes == ALL_AXES:
        return True
    first = Coordinates(*(span.first for span in later.box))
    return later.asn != earlier.asn + earlier.box.number(first, axes)


def clash_problem(document: Document, section: str, earlier: int, later: int, clash: str) -> Problem:
    """The problem of two lines of one section, by their positions. clash: what both own."""
    first, second = document.place((section, earlier)), document.place((section, later))
    return Problem(
        code="lock-clash",
        what=f"lines {first.line} and {second.line} of the lock allocate {clash}",
        why="two branches extended the same fabric, and git merged their lock lines",
        # The lines are sorted: their order does not show which of them switches run.
        fix=f"git checkout BRANCH -- {document.file}, where BRANCH is the one that is deployed, then render: "
        "the switches of the other branch get new addresses and AS numbers",
        at=second,
    )
