"""AS numbers: enough in the range, each to one switch or one tier of spines."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.checks.numbers.lock_fit import fits_recorded
from fabricgen.errors import Problem
from fabricgen.plan.place import ALL_AXES, Coordinates
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import ASN_AXES, Segment


class AsnRun(NamedTuple):
    """AS numbers of one segment: `end` is one past the last."""

    start: int
    end: int
    segment: Segment


def asn_runs(plan: Plan, name: str) -> list[AsnRun]:
    """AS numbers that the planned places of a fabric take."""
    own = (segment for segment in plan.lock.segments if segment.fabric == name)
    return [AsnRun(s.asn, s.asn + s.box.size(ASN_AXES[s.tier]), s) for s in own]


def asn_ranges(plan: Plan) -> Iterator[Problem]:
    """The range of a fabric holds the AS numbers of all planned switches: one a leaf, one for the spines of a pod."""
    for name, fabric in plan.intent.fabrics.items():
        found = asn_runs(plan, name)
        if not found:
            continue
        first, last = min(run.start for run in found), max(run.end for run in found) - 1
        have = fabric.asns
        if first < have.first:
            yield Problem(
                code="asns-moved",
                what=f"AS numbers of {name} in the lock are below {have.first}-{have.last}",
                where=("fabrics", name, "asns"),
                why=f"the lock has {first} to {last}; existing switches keep their AS numbers",
                fix=f"write asns: {first}-{max(last, have.last)}",
            )
        elif last > have.last:
            yield Problem(
                code="asns-exhausted",
                what=f"{have.first}-{have.last} has too few AS numbers for {name}",
                where=("fabrics", name, "asns"),
                why=f"the planned switches need {last - have.first + 1}, the range has {have.last - have.first + 1}"
                if first == have.first
                else f"the lock has AS numbers of {name} from {first} to {last}; existing switches keep theirs",
                fix=f"write asns: {first}-{last}",
            )


def asns_unique(plan: Plan) -> Iterator[Problem]:
    """No AS number is given twice on the site, but to spines that share one on purpose (RFC 7938 section 5.2.1).

    Proof: as for addresses, with runs of numbers: a leaf has the number of its place, spines that of their pod,
    superspines that of their plane, each counted in mixed radix over these axes. A fabric whose recorded lines do
    not fit is told so; what it was given beside them says nothing.
    """
    fitting = [name for name, fabric in plan.fabrics.items() if fits_recorded(plan, fabric)]
    every = sorted((run for name in fitting for run in asn_runs(plan, name)), key=lambda run: run[:2])
    for one, two in _meeting(every):
        if not _shared(one, two):
            yield Problem(
                code="asn-twice",
                what=f"AS {two.start} would be assigned twice",
                where=("fabrics", two.segment.fabric, "asns"),
                why=f"it belongs to {one.segment.fabric} {one.segment.tier.value} and to {two.segment.fabric} "
                f"{two.segment.tier.value}; a switch drops routes that carry its own AS (RFC 4271 section 9.1.2)",
                fix=f"write a range of its own for {two.segment.fabric}, or restore the lock from git",
            )
            return


def _meeting(ordered: Iterable[AsnRun]) -> Iterator[tuple[AsnRun, AsnRun]]:
    """Pairs of runs that have numbers in common. ordered: by their starts."""
    reach: list[AsnRun] = []
    for two in ordered:
        reach = [one for one in reach if one.end > two.start]
        yield from ((one, two) for one in reach)
        reach.append(two)


def _shared(one: AsnRun, two: AsnRun) -> bool:
    """Spines of the same pods recorded at different times share their pods' numbers, and superspines of a plane.

    Both runs are numbers of pods, so they agree on every pod where they do on the first and the last of one of them.
    """
    axes = ASN_AXES[one.segment.tier]
    if (one.segment.fabric, one.segment.tier) != (two.segment.fabric, two.segment.tier) or axes == ALL_AXES:
        return False
    ends = [Coordinates(*(getattr(span, side) for span in two.segment.box)) for side in ("first", "last")]
    return all(_number(one.segment, end) == _number(two.segment, end) for end in ends)


def _number(segment: Segment, point: Coordinates) -> int:
    return segment.asn + segment.box.number(point, ASN_AXES[segment.tier])
