"""That both ends of every cable say the same, from dimensions and lines of the lock: no cable is looked at.

The two formulas (`plan/wiring.py`). A switch with U uplinks has S switches above it, m links to each, and a row r; an
upper switch has D ports downwards:

    from below   uplink u ends on upper switch u mod S, at its port (u div S) * (D div m) + r
    from above   port p belongs to row p mod (D div m) and turn p div (D div m) < m; the row names the lower switch, and
                 the cable is its uplink turn * S + i, where i is the upper switch's own index

The proof, each step a condition that `is_proven` holds to the plan or that the rules before have held to it:

1. U = S * m, so u <-> (u mod S, u div S) pairs the uplinks of a switch with (i, turn), one to one: numbers in mixed
   radix. The rule `even-links` says so.
2. Every row in use is less than D div m, so p <-> (turn, row) is one to one too. The rows of what stands, and pods for
   superspines, times m are within D.
3. Within a plane and a pod a row names one switch, and this switch has this row. Rows of a segment are the number of a
   place in its box over three of five axes, so a segment says of all its planes and pods what it says of one. That
   leaves one look at each row: `_rows_agree`. A superspine's row is the pod itself.
4. What is named from the other side stands and has a name: the switches that the dimensions make stand lie in segments,
   so they are listed: `_all_listed`. A spine stands where its pod has a unit, a superspine wherever spines stand.
5. A switch with dead ports has other ports in the same order: its lists are as long as its chassis'.

From 1 to 3 the two formulas are each other's inverse, from 4 both start from the same switches, and by 5 the ports at
the positions are the same. Nothing in it depends on how many planes or pods there are.
"""

from collections.abc import Iterator

from fabricgen.intent.scalars import Span
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, place_of, stands
from fabricgen.plan.place import ROW_AXES, UPPER, Place, PlaceRange, Tier, box, remainder
from fabricgen.plan.segments import Segment

PLANE, POD, SU, INDEX = 0, 1, 2, 4
"""Axes of a box."""


def is_proven(fabric: FabricPlan) -> bool:
    """Whether the conditions 3 to 5 of the module's proof hold; 1 and 2 are those of `is_even`.

    False is no fault by itself: then the cables are to be counted.
    """
    return _rows_agree(fabric) and _all_listed(fabric) and all(_as_long(fabric, name) for name in fabric.bindings)


def _rows_agree(fabric: FabricPlan) -> bool:
    """Whether rows and the switches of a pod that they name are one to one, in all segments and in the plan's table."""
    named: dict[int, Place] = {}
    taken: dict[Place, int] = {}
    for segments in fabric.segments.values():
        for row, place in (found for segment in segments for found in _rows_of(segment)):
            if named.setdefault(row, place) != place or taken.setdefault(place, row) != row:
                return False
    return named == fabric.rows


def _rows_of(segment: Segment) -> Iterator[tuple[int, Place]]:
    """Rows of a segment, each with its place, plane and pod left 0."""
    if segment.row is None:
        return
    flat = segment.box.cut(PLANE, Span(0, 0)).cut(POD, Span(0, 0))
    for at in range(flat.size()):
        point = flat.point(at)
        yield (
            segment.row + segment.box.number(point, ROW_AXES),
            Place(segment.fabric, segment.tier, segment.group, *point),
        )


def _all_listed(fabric: FabricPlan) -> bool:
    """Whether every switch that dimensions make stand lies in a segment."""
    return all(
        not remainder(whole, tuple(segment.box for segment in fabric.segments.get(key, ())))
        for key, whole in _dimensions(fabric)
    )


def _dimensions(fabric: FabricPlan) -> Iterator[tuple[tuple[Tier, str], PlaceRange]]:
    """Boxes that hold all switches that stand today, and the reserved units between them."""
    shape = fabric.shape
    if shape.borders:
        yield (Tier.BORDER, ""), box(index=shape.borders)
    for group in shape.groups:
        yield (Tier.LEAF, group.name), box(shape.planes, shape.pods, group.units_a_pod, group.rails, group.indexes)
    if shape.spines:
        yield (Tier.SPINE, ""), box(shape.planes, shape.pods, index=shape.spines)
    if shape.spines and shape.cores:
        yield (Tier.SUPERSPINE, ""), box(shape.planes, su=shape.spines, index=shape.cores)


def _as_long(fabric: FabricPlan, device: str) -> bool:
    """Whether a switch whose dead ports stepped aside has as many ports as its chassis."""
    place = place_of(fabric, device)
    if place is None:
        return True
    bound, chassis = binding_of(fabric, place), chassis_of(fabric, place)
    return len(bound.down) == len(chassis.down) and len(bound.up) == len(chassis.up)


def specimens(fabric: FabricPlan, *tiers: Tier) -> tuple[Place, ...]:
    """The first and the last switch that stands of each segment of these tiers.

    The formulas are proven, and these show that the code is the formulas': both ends of each axis are among them.
    """
    found = [
        place
        for (tier, _), segments in fabric.segments.items()
        if tier in tiers
        for segment in segments
        for place in (_end(fabric, segment, 1), _end(fabric, segment, -1))
        if place is not None
    ]
    return tuple(dict.fromkeys(found))


def _end(fabric: FabricPlan, segment: Segment, step: int) -> Place | None:
    """The first switch of a segment that stands, or the last; units that wait for servers are passed over."""
    numbers = range(segment.box.size())[::step]
    every = (Place(segment.fabric, segment.tier, segment.group, *segment.box.point(number)) for number in numbers)
    return next((place for place in every if stands(fabric, place)), None)


def below(fabric: FabricPlan, upper: Place) -> Iterator[Place]:
    """Switches that stand right below a spine or superspine, from the boxes of their segments."""
    is_core = upper.tier is Tier.SUPERSPINE
    plane = Span(upper.plane, upper.plane)
    own = (INDEX, Span(upper.su, upper.su)) if is_core else (POD, Span(upper.pod, upper.pod))
    for (tier, _), segments in fabric.segments.items():
        if (tier is Tier.SPINE) == is_core and tier is not Tier.SUPERSPINE:
            for segment in segments:
                yield from _standing(fabric, segment, segment.box.cut(PLANE, plane).cut(*own))


def _standing(fabric: FabricPlan, segment: Segment, part: PlaceRange) -> Iterator[Place]:
    if segment.box.overlaps(part):
        for number in range(part.size()):
            place = Place(segment.fabric, segment.tier, segment.group, *part.point(number))
            if stands(fabric, place):
                yield place


def bound(fabric: FabricPlan, *tiers: Tier) -> Iterator[Place]:
    """Switches of these tiers whose dead ports have stepped aside; each is looked at by itself."""
    found = (place_of(fabric, device) for device in sorted(fabric.bindings))
    return (place for place in found if place is not None and place.tier in tiers)


ABOVE = UPPER
BELOW = (Tier.BORDER, Tier.LEAF, Tier.SPINE)
"""Tiers that have switches below them, and above."""
