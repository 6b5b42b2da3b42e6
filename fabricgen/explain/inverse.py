"""Numbers to the places that own them, by arithmetic on the segments: the inverse of `plan.fabric`."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.scalars import Span
from fabricgen.plan.fabric import FabricPlan, device_name, place_exists
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import ASN_AXES, Blocks, Segment


class Seat(NamedTuple):
    """A place within its segment: `number` is its number in the segment's box."""

    segment: Segment
    number: int

    @property
    def place(self) -> Place:
        """The place itself."""
        segment = self.segment
        return Place(segment.fabric, segment.tier, segment.group, *segment.box.point(self.number))


class SeatOffset(NamedTuple):
    """A seat, and the distance of a number from the start of its block."""

    seat: Seat
    offset: int


def fabric_of(plan: Plan, segment: Segment) -> FabricPlan | None:
    """The fabric of a segment; None if the intent no longer has the fabric or server group."""
    fabric = plan.fabrics.get(segment.fabric)
    # Runs of a family that the intent no longer has are in the lock alone.
    own = fabric.segments.get((segment.tier, segment.group), ()) if fabric is not None else ()
    return fabric if any((other.first, other.box) == (segment.first, segment.box) for other in own) else None


def seat_name(plan: Plan, seat: Seat) -> str:
    """Name of the switch of a seat, whether the switch exists or not."""
    fabric = plan.fabrics.get(seat.segment.fabric)
    prefix = fabric.prefix if fabric is not None else seat.segment.fabric
    return device_name(prefix, seat.segment.tier, seat.segment.first + seat.number)


def exists_today(plan: Plan, seat: Seat) -> bool:
    """Whether the switch exists today."""
    fabric = fabric_of(plan, seat.segment)
    return fabric is not None and place_exists(fabric, seat.place)


def by_number(plan: Plan, fabric: str, tier: Tier, number: int) -> Seat | None:
    """The seat with this number in its name."""
    for segment in plan.lock.segments:
        index = number - segment.first
        if (segment.fabric, segment.tier) == (fabric, tier) and 0 <= index < segment.box.size():
            return Seat(segment, index)
    return None


def seat_of(fabric: FabricPlan, place: Place) -> Seat:
    """The seat of a place. Raises LookupError for a place outside the plan."""
    for segment in fabric.segments.get((place.tier, place.group), ()):
        if segment.box.holds(place.point):
            return Seat(segment, segment.number(place.point))
    raise LookupError(f"{place} lies in no segment")


def by_block(plan: Plan, value: int, bits: int) -> Iterator[SeatOffset]:
    """The seats whose block of links contains an address."""
    for segment in plan.lock.segments:
        yield from _within(segment, segment.ipv4 if bits == 32 else segment.ipv6, value)


def by_loopback(plan: Plan, value: int, bits: int) -> Iterator[SeatOffset]:
    """The seats whose pair of loopbacks contains an address, or whose router id it is."""
    for segment in plan.lock.segments:
        yield from _within(segment, segment.identifiers if bits == 32 else segment.loopback6, value)


def _within(segment: Segment, run: Blocks | None, value: int) -> Iterator[SeatOffset]:
    if run is None:
        return
    number, offset = divmod(value - run.start, run.stride)
    if 0 <= number < segment.box.size():
        yield SeatOffset(Seat(segment, number), offset)


def by_oob(plan: Plan, value: int) -> Iterator[Seat]:
    """The seats with this management address."""
    for segment in plan.lock.segments:
        if 0 <= value - segment.oob < segment.box.size():
            yield Seat(segment, value - segment.oob)


class SegmentBlocks(NamedTuple):
    """Equal blocks of a segment, and the numbers of those that a prefix overlaps."""

    segment: Segment
    blocks: Blocks
    numbers: Span


def runs_in(plan: Plan, first: int, last: int, bits: int, *, loopbacks: bool) -> Iterator[SegmentBlocks]:
    """Blocks (or pairs of loopbacks) that contain one of the addresses from `first` to `last`."""
    for segment in plan.lock.segments:
        run_ipv4, run_ipv6 = (segment.loopback4, segment.loopback6) if loopbacks else (segment.ipv4, segment.ipv6)
        run = run_ipv4 if bits == 32 else run_ipv6
        if run is None:
            continue
        low = max((first - run.start) // run.stride, 0)
        high = min((last - run.start) // run.stride, segment.box.size() - 1)
        if low <= high:
            yield SegmentBlocks(segment, run, Span(low, high))


class SharedAsn(NamedTuple):
    """The switches of a segment that share an AS number: `number` over the axes that select an AS number."""

    segment: Segment
    number: int

    @property
    def numbers(self) -> Span:
        """Their numbers within the segment, which are consecutive."""
        switches_per_asn = self.segment.box.size() // self.segment.box.size(ASN_AXES[self.segment.tier])
        return Span(self.number * switches_per_asn, self.number * switches_per_asn + switches_per_asn - 1)


def by_asn(plan: Plan, asn: int) -> Iterator[SharedAsn]:
    """The switches that have an AS number; several segments if spines were added to a pod."""
    for segment in plan.lock.segments:
        number = asn - segment.asn
        if 0 <= number < segment.box.size(ASN_AXES[segment.tier]):
            yield SharedAsn(segment, number)
