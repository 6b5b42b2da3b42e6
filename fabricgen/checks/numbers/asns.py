"""AS numbers: enough in the range, each for one switch or one tier of spines."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.checks.numbers.lock_fit import fits_recorded
from fabricgen.errors import Problem
from fabricgen.plan.place import ALL_AXES, Coordinates
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import ASN_AXES, Segment


class AsnRun(NamedTuple):
    """AS numbers of one segment: `end` is one more than the last."""

    start: int
    end: int
    segment: Segment


def asn_runs(plan: Plan, name: str) -> list[AsnRun]:
    """Return the AS numbers of the planned places of a fabric."""
    return asn_runs_of(plan.lock.segments, name)


def asn_runs_of(segments: Iterable[Segment], name: str) -> list[AsnRun]:
    """Return the AS numbers that lines of the lock give to a fabric."""
    own = (segment for segment in segments if segment.fabric == name)
    return [AsnRun(line.asn, line.asn + line.box.size(ASN_AXES[line.tier]), line) for line in own]


def asn_ranges(plan: Plan) -> Iterator[Problem]:
    """A fabric's range has AS numbers for all planned switches: one per leaf, one for the spines of a pod."""
    for name, fabric in plan.intent.fabrics.items():
        ranges = asn_runs(plan, name)
        if not ranges:
            continue
        first, last = min(run.start for run in ranges), max(run.end for run in ranges) - 1
        have = fabric.asns
        is_below = first < have.first
        if is_below or (first > have.first and last > have.last):
            # A range that reaches into that of the next fabric would be refused too.
            others = [
                other.asns.first
                for other in plan.intent.fabrics.values()
                if other is not fabric and other.asns.first > last
            ]
            free = min((have.last, *(other - 1 for other in others)))
            yield Problem(
                code="asns-moved",
                what=f"AS numbers of {name} in the lock {'are below' if is_below else 'go beyond'} "
                f"{have.first}-{have.last}",
                where=("fabrics", name, "asns"),
                why=f"the lock has {first} to {last}; existing switches keep their AS numbers",
                fix=f"write asns: {first}-{max(last, free)}",
            )
        elif last > have.last:
            yield Problem(
                code="asns-exhausted",
                what=f"{have.first}-{have.last} has too few AS numbers for {name}",
                where=("fabrics", name, "asns"),
                why=f"the planned switches need {last - first + 1}, the range has {have.last - have.first + 1}",
                fix=f"write asns: {first}-{last}",
            )


def asns_unique(plan: Plan) -> Iterator[Problem]:
    """No AS number is assigned twice on the site, except to spines that share one on purpose (RFC 7938 section 5.2.1).

    Proof: as for addresses, with ranges of numbers: a leaf has the number of its place, spines that of their pod,
    superspines that of their plane, each in mixed radix over these axes. Fabrics whose recorded lines do not fit are
    skipped, as another check reports them and their other numbers mean nothing.
    """
    fitting = [name for name, fabric in plan.fabrics.items() if fits_recorded(plan, fabric)]
    ranges = sorted((run for name in fitting for run in asn_runs(plan, name)), key=lambda run: run[:2])
    for first, second in _meeting(ranges):
        if not _shared(first, second):
            yield Problem(
                code="asn-twice",
                what=f"AS {second.start} would be assigned twice",
                where=("fabrics", second.segment.fabric, "asns"),
                why=f"it belongs to {first.segment.fabric} {first.segment.tier.value} and to {second.segment.fabric} "
                f"{second.segment.tier.value}; a switch drops routes that carry its own AS (RFC 4271 section 9.1.2)",
                fix=f"write a range of its own for {second.segment.fabric}, or restore the lock from git",
            )
            return


def _meeting(ordered: Iterable[AsnRun]) -> Iterator[tuple[AsnRun, AsnRun]]:
    """Yield pairs of ranges that have numbers in common. ordered: by their starts."""
    open_ranges: list[AsnRun] = []
    for two in ordered:
        # Ranges that end before this start cannot overlap any later one either.
        open_ranges = [one for one in open_ranges if one.end > two.start]
        yield from ((one, two) for one in open_ranges)
        open_ranges.append(two)


def _shared(one: AsnRun, two: AsnRun) -> bool:
    """Return whether two ranges are shared on purpose: spines of the same pods, or superspines of the same planes.

    Both ranges are numbers of pods, so they agree on every pod if they agree on the first and the last of one of them.
    """
    axes = ASN_AXES[one.segment.tier]
    if (one.segment.fabric, one.segment.tier) != (two.segment.fabric, two.segment.tier) or axes == ALL_AXES:
        return False
    ends = [Coordinates(*(getattr(span, side) for span in two.segment.box)) for side in ("first", "last")]
    return all(_number(one.segment, end) == _number(two.segment, end) for end in ends)


def _number(segment: Segment, point: Coordinates) -> int:
    return segment.asn + segment.box.number(point, ASN_AXES[segment.tier])
