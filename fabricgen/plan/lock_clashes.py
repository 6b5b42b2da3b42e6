"""Segments of a lock that can not both be: after a merge of two branches, they own the same thing."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.documents import Document
from fabricgen.errors import Problem
from fabricgen.plan.place import ALL_AXES, Coordinates
from fabricgen.plan.segments import ASN_AXES, Segment


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
    """Yield each pair of segments that own the same places, names, addresses or AS numbers."""
    runs = [{run.what: run for run in _runs(segment)} for segment in segments]
    for later, segment in enumerate(segments):
        for earlier, other in enumerate(segments[:later]):
            clash = _clash(other, segment) or _shared_run(runs[earlier], runs[later])
            if clash:
                yield clash_problem(document, "segments", earlier, later, clash)


def _clash(one: Segment, two: Segment) -> str | None:
    """Places or AS numbers that both segments own; None where those are disjoint."""
    if (one.fabric, one.tier, one.group) == (two.fabric, two.tier, two.group) and one.box.overlaps(two.box):
        return "the same places"
    return "the same AS numbers" if _share_asns(one, two) else None


def _shared_run(ones: Mapping[str, _Run], twos: Mapping[str, _Run]) -> str | None:
    for what, run in ones.items():
        other = twos.get(what)
        if other is not None and run.start < other.end and other.start < run.end:
            return f"the same {what}s"
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
        what=f"lines {first.line} and {second.line} of the lock both own {clash}",
        why="two branches grew the same fabric from the same point, and git merged their lines",
        fix=f"keep the line that is rendered and live, delete the other (line {second.line} came later), render again",
        at=second,
    )
