"""Proof that both ends of every cable agree, from dimensions and lines of the lock, without computing the cables.

The two formulas (`plan/wiring.py`). A switch with U uplinks has S switches above it, m links to each, and a row r; an
upper switch has D ports downwards:

    from below   uplink u ends on upper switch u mod S, at its port (u div S) * (D div m) + r
    from above   port p belongs to row p mod (D div m) and turn p div (D div m) < m; the row names the lower switch, and
                 the cable is its uplink turn * S + i, where i is the upper switch's own index

The proof, where each step is a condition that `is_proven` or an earlier check tests:

1. U = S * m, so u <-> (u mod S, u div S) pairs the uplinks of a switch with (i, turn), one to one: numbers in mixed
   radix. The rule `even-links` tests it.
2. Every row in use is less than D div m, so p <-> (turn, row) is one to one, too. The rows in use, and pods for
   superspines, times m are within D.
3. Within a plane and a pod a row names one switch, and this switch has this row. Rows of a segment are the number of a
   place in its box over three of five axes, so they are the same in all of its planes and pods. That leaves one test
   per row: `_rows_agree`. A superspine's row is the pod itself.
4. Every switch that the other side names exists and has a name: the switches of the dimensions lie in segments, so
   they are listed: `_all_listed`. A spine exists where its pod has a unit, a superspine wherever there are spines.
5. A switch with dead ports has other ports in the same order: its lists are as long as its chassis'.

By 1 to 3 the two formulas are each other's inverse, by 4 both start from the same switches, and by 5 the ports at the
positions are the same. Nothing depends on the number of planes or pods.
"""

from collections.abc import Iterator

from fabricgen.intent.scalars import Span
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, place_exists, place_of
from fabricgen.plan.place import ROW_AXES, UPPER, Place, PlaceRange, Tier, box, remainder
from fabricgen.plan.segments import Segment

PLANE, POD, SU, INDEX = 0, 1, 2, 4
"""Axes of a box."""


def is_proven(fabric: FabricPlan) -> bool:
    """Return whether conditions 3 to 5 of the module's proof hold; 1 and 2 are those of `is_even`.

    False is no fault by itself: the cables must then be counted.
    """
    return _rows_agree(fabric) and _all_listed(fabric) and all(_as_long(fabric, name) for name in fabric.bindings)


def _rows_agree(fabric: FabricPlan) -> bool:
    """Return whether rows and the switches of a pod are one to one, in all segments and in the plan's table."""
    named: dict[int, Place] = {}
    taken: dict[Place, int] = {}
    for segments in fabric.segments.values():
        for row, place in (pair for segment in segments for pair in _rows_of(segment)):
            if named.setdefault(row, place) != place or taken.setdefault(place, row) != row:
                return False
    return named == fabric.rows


def _rows_of(segment: Segment) -> Iterator[tuple[int, Place]]:
    """Yield the rows of a segment, each with its place in plane 0 and pod 0."""
    if segment.row is None:
        return
    flat = segment.box.cut(PLANE, Span(0, 0)).cut(POD, Span(0, 0))
    for number in range(flat.size()):
        point = flat.point(number)
        yield (
            segment.row + segment.box.number(point, ROW_AXES),
            Place(segment.fabric, segment.tier, segment.group, *point),
        )


def _all_listed(fabric: FabricPlan) -> bool:
    """Return whether every switch of the dimensions lies in a segment."""
    return all(
        not remainder(whole, tuple(segment.box for segment in fabric.segments.get(key, ())))
        for key, whole in _dimensions(fabric)
    )


def _dimensions(fabric: FabricPlan) -> Iterator[tuple[tuple[Tier, str], PlaceRange]]:
    """Yield boxes that contain all present switches, and the reserved units between them."""
    shape = fabric.shape
    if shape.borders:
        yield (Tier.BORDER, ""), box(index=shape.borders)
    for group in shape.leaf_groups:
        yield (Tier.LEAF, group.name), box(shape.planes, shape.pods, group.units_a_pod, group.rails, group.indexes)
    if shape.spines:
        yield (Tier.SPINE, ""), box(shape.planes, shape.pods, index=shape.spines)
    if shape.spines and shape.cores:
        yield (Tier.SUPERSPINE, ""), box(shape.planes, su=shape.spines, index=shape.cores)


def _as_long(fabric: FabricPlan, device: str) -> bool:
    """Return whether a switch with dead ports has as many ports as its chassis, after cables moved to spare ports."""
    place = place_of(fabric, device)
    if place is None:
        return True
    bound, chassis = binding_of(fabric, place), chassis_of(fabric, place)
    return len(bound.down) == len(chassis.down) and len(bound.up) == len(chassis.up)


def specimens(fabric: FabricPlan, *tiers: Tier) -> tuple[Place, ...]:
    """Return the first and the last present switch of each segment of these tiers.

    The formulas are proven; these samples show that the code follows them, with both ends of each axis among them.
    """
    samples = [
        place
        for (tier, _), segments in fabric.segments.items()
        if tier in tiers
        for segment in segments
        for place in (_end(fabric, segment, 1), _end(fabric, segment, -1))
        if place is not None
    ]
    return tuple(dict.fromkeys(samples))


def _end(fabric: FabricPlan, segment: Segment, step: int) -> Place | None:
    """Return the first present switch of a segment, or the last (step -1); units without servers are skipped."""
    numbers = range(segment.box.size())[::step]
    candidates = (Place(segment.fabric, segment.tier, segment.group, *segment.box.point(number)) for number in numbers)
    return next((place for place in candidates if place_exists(fabric, place)), None)


def below(fabric: FabricPlan, upper: Place) -> Iterator[Place]:
    """Yield the present switches directly below a spine or superspine, from the boxes of their segments."""
    is_core = upper.tier is Tier.SUPERSPINE
    plane = Span(upper.plane, upper.plane)
    cut = (INDEX, Span(upper.su, upper.su)) if is_core else (POD, Span(upper.pod, upper.pod))
    for (tier, _), segments in fabric.segments.items():
        if (tier is Tier.SPINE) == is_core and tier is not Tier.SUPERSPINE:
            for segment in segments:
                yield from _existing_places(fabric, segment, segment.box.cut(PLANE, plane).cut(*cut))


def _existing_places(fabric: FabricPlan, segment: Segment, part: PlaceRange) -> Iterator[Place]:
    if segment.box.overlaps(part):
        for number in range(part.size()):
            place = Place(segment.fabric, segment.tier, segment.group, *part.point(number))
            if place_exists(fabric, place):
                yield place


def bound(fabric: FabricPlan, *tiers: Tier) -> Iterator[Place]:
    """Yield the switches of these tiers with cables moved off dead ports; each is checked by itself."""
    bound_places = (place_of(fabric, device) for device in sorted(fabric.bindings))
    return (place for place in bound_places if place is not None and place.tier in tiers)


ABOVE = UPPER
BELOW = (Tier.BORDER, Tier.LEAF, Tier.SPINE)
"""Tiers that have switches below them, and above."""
