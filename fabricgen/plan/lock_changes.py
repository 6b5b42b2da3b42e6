"""An earlier lock against the current one: its lines whose places or names have other numbers now."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.errors import FabricError
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Span
from fabricgen.plan.lock import Id, Lock
from fabricgen.plan.place import ALL_AXES, ROW_AXES, Coordinates, PlaceRange, Tier
from fabricgen.plan.plan import Plan, follow_renames
from fabricgen.plan.segments import ASN_AXES, Segment


class ChangedLine(NamedTuple):
    """A line of the earlier lock that no longer holds.

    fabric  of the numbers, by its name in the intent
    before  a lock with this line alone, under the names that the current lock has
    now     a lock with the line that replaced it; None if no line is left of it
    """

    fabric: str
    before: Lock
    now: Lock | None


def changed_lines(before: Lock, plan: Plan) -> Iterator[ChangedLine]:
    """Lines of the earlier lock whose numbers are different in the lock that the plan is made with.

    New lines are not among them, nor is a line that was lost and that the plan has again unchanged.
    """
    recorded = plan.recorded
    followed, renamed = _followed(plan.intent, before), _followed(plan.intent, recorded)
    # If the file does not follow a rename yet, it has the former names.
    named = before if renamed != recorded else followed
    for segment, line in zip(followed.segments, named.segments, strict=True):
        if _is_renumbered(segment, plan.lock.segments):
            same = (old for old, new in zip(recorded.segments, renamed.segments, strict=True) if _share(new, segment))
            current = next((Lock(segments=(same_line,)) for same_line in same), None)
            yield ChangedLine(segment.fabric, Lock(segments=(line,)), current)
    ids = {_key(id_line): id_line.id for id_line in plan.lock.ids}
    lines = {_key(new): old for old, new in zip(recorded.ids, renamed.ids, strict=True)}
    for owned, named_id in zip(followed.ids, named.ids, strict=True):
        if ids.get(_key(owned), owned.id) != owned.id:
            kept = lines.get(_key(owned))
            yield ChangedLine(owned.fabric, Lock(ids=(named_id,)), Lock(ids=(kept,)) if kept is not None else None)


def _followed(intent: Intent, lock: Lock) -> Lock:
    """The lock under the names of the intent; unchanged if it is ambiguous which of two names is meant."""
    try:
        return follow_renames(intent, lock)
    except FabricError:
        return lock


def _key(line: Id) -> tuple[str, str, str]:
    return line.fabric, line.kind, line.name


def _share(segment: Segment, other: Segment) -> bool:
    return _owner(segment) == _owner(other) and segment.box.overlaps(other.box)


def _owner(segment: Segment) -> tuple[str, Tier, str]:
    return segment.fabric, segment.tier, segment.group


def _is_renumbered(before: Segment, segments: tuple[Segment, ...]) -> bool:
    """Whether a place that is in both has another number."""
    if before in segments:  # no place is in two lines, so no other line has one of its places
        return False
    return any(_differ(before, segment) for segment in segments if _share(segment, before))


def _differ(before: Segment, now: Segment) -> bool:
    """Whether two lines number a shared place differently. A value that the earlier line lacks is no difference.

    Every number grows linearly along each axis: it is the same in a whole box if it is the same in one corner and at
    the other end of each axis.
    """
    shared = PlaceRange(
        *(Span(max(a.first, b.first), min(a.last, b.last)) for a, b in zip(before.box, now.box, strict=True))
    )
    corner = Coordinates(*(span.first for span in shared))
    ends = (Coordinates(*(shared[at].last if at == axis else corner[at] for at in ALL_AXES)) for axis in ALL_AXES)
    return any(
        old is not None and old != new
        for point in (corner, *ends)
        for old, new in zip(_numbers(before, point), _numbers(now, point), strict=True)
    )


def _numbers(segment: Segment, point: Coordinates) -> tuple[object, ...]:
    """Numbers that a line gives to one of its places."""
    number = segment.number(point)
    runs = (segment.ipv4, segment.ipv6, segment.loopback4, segment.loopback6, segment.router_ids)
    return (
        segment.first + number,
        segment.row + segment.box.number(point, ROW_AXES) if segment.row is not None else None,
        segment.asn + segment.box.number(point, ASN_AXES[segment.tier]),
        *((run.block(number), run.length) if run is not None else None for run in runs),
        segment.oob + number,
        segment.slots,
        segment.hosts,
        segment.shared,
        segment.up,
    )
