"""Numbers to the places that own them, by arithmetic on the segments: the inverse of `plan.fabric`."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.scalars import Span
from fabricgen.plan.fabric import FabricPlan, device_name, stands
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import ASN_AXES, Blocks, Segment


class Seat(NamedTuple):
    """A place as its segment knows it: the `number` of it within the segment's box."""

    segment: Segment
    number: int

    @property
    def place(self) -> Place:
        """The place itself."""
        segment = self.segment
        return Place(segment.fabric, segment.tier, segment.group, *segment.box.point(self.number))


class SeatOffset(NamedTuple):
    """A seat and how far behind the start of its block a number lies."""

    seat: Seat
    offset: int


def fabric_of(plan: Plan, segment: Segment) -> FabricPlan | None:
    """The fabric of a segment; None for what the lock holds of a fabric or server group that the intent has not."""
    fabric = plan.fabrics.get(segment.fabric)
    return fabric if fabric is not None and segment in fabric.segments.get((segment.tier, segment.group), ()) else None


def seat_name(plan: Plan, seat: Seat) -> str:
    """Name of the switch of a seat, whether it stands or not."""
    fabric = plan.fabrics.get(seat.segment.fabric)
    prefix = fabric.prefix if fabric is not None else seat.segment.fabric
    return device_name(prefix, seat.segment.tier, seat.segment.first + seat.number)


def is_standing(plan: Plan, seat: Seat) -> bool:
    """Whether a switch stands there today."""
    fabric = fabric_of(plan, seat.segment)
    return fabric is not None and stands(fabric, seat.place)


def by_number(plan: Plan, fabric: str, tier: Tier, number: int) -> Seat | None:
    """The seat with this number in its name."""
    for segment in plan.lock.segments:
        at = number - segment.first
        if (segment.fabric, segment.tier) == (fabric, tier) and 0 <= at < segment.box.size():
            return Seat(segment, at)
    return None


def seat_of(fabric: FabricPlan, place: Place) -> Seat:
    """The seat of a place. Raises LookupError for a place outside the plan."""
    for segment in fabric.segments.get((place.tier, place.group), ()):
        if segment.box.holds(place.point):
            return Seat(segment, segment.number(place.point))
    raise LookupError(f"{place} lies in no segment")


def by_block(plan: Plan, value: int, bits: int) -> Iterator[SeatOffset]:
    """Whose block of links an address lies in."""
    for segment in plan.lock.segments:
        yield from _within(segment, segment.ipv4 if bits == 32 else segment.ipv6, value)


def by_loopback(plan: Plan, value: int, bits: int) -> Iterator[SeatOffset]:
    """Whose pair of loopbacks an address lies in."""
    for segment in plan.lock.segments:
        yield from _within(segment, segment.loopback4 if bits == 32 else segment.loopback6, value)


def _within(segment: Segment, run: Blocks | None, value: int) -> Iterator[SeatOffset]:
    if run is None:
        return
    number, offset = divmod(value - run.start, run.stride)
    if 0 <= number < segment.box.size():
        yield SeatOffset(Seat(segment, number), offset)


def by_oob(plan: Plan, value: int) -> Iterator[Seat]:
    """Whose management address this is."""
    for segment in plan.lock.segments:
        if 0 <= value - segment.oob < segment.box.size():
            yield Seat(segment, value - segment.oob)


class SegmentBlocks(NamedTuple):
    """Equal blocks of a segment, and the numbers of those that a prefix touches."""

    segment: Segment
    blocks: Blocks
    numbers: Span


def runs_in(plan: Plan, first: int, last: int, bits: int, *, loopbacks: bool) -> Iterator[SegmentBlocks]:
    """Blocks (or pairs of loopbacks) that hold one of the addresses from `first` to `last`."""
    for segment in plan.lock.segments:
        four, six = (segment.loopback4, segment.loopback6) if loopbacks else (segment.ipv4, segment.ipv6)
        run = four if bits == 32 else six
        if run is None:
            continue
        low = max((first - run.start) // run.stride, 0)
        high = min((last - run.start) // run.stride, segment.box.size() - 1)
        if low <= high:
            yield SegmentBlocks(segment, run, Span(low, high))


class SharedAsn(NamedTuple):
    """The switches of a segment that share an AS number: `number` over the axes that tell AS numbers apart."""

    segment: Segment
    number: int

    @property
    def numbers(self) -> Span:
        """Their numbers within the segment, one run."""
        each = self.segment.box.size() // self.segment.box.size(ASN_AXES[self.segment.tier])
        return Span(self.number * each, self.number * each + each - 1)


def by_asn(plan: Plan, asn: int) -> Iterator[SharedAsn]:
    """Which switches have an AS number; several segments where spines were added to a pod."""
    for segment in plan.lock.segments:
        number = asn - segment.asn
        if 0 <= number < segment.box.size(ASN_AXES[segment.tier]):
            yield SharedAsn(segment, number)
