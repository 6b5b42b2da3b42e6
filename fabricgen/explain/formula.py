"""Numbers as people check them: formulas with the operands filled in, in the order of the published formulas."""

from fabricgen.base.addresses import ipv4, ipv6
from fabricgen.plan.place import ALL_AXES, AXES, Place, PlaceRange, Point, Tier
from fabricgen.plan.segments import Blocks, Segment

RAIL = AXES.index("rail")
MANY = 8
"""Limit on the names that a list shows."""


def address(value: int, bits: int) -> str:
    """Text of an address; `bits` is 32 or 128."""
    return ipv4(value) if bits == 32 else ipv6(value)


def block_text(run: Blocks, number: int) -> str:
    """Block `number` of a run as a prefix."""
    return f"{address(run.block(number), run.bits)}/{run.length}"


def block_formula(name: str, run: Blocks, number: int) -> str:
    """Formula of the start of block `number`."""
    return f"{name} + n × {run.stride} = {address(run.start, run.bits)} + {number} × {run.stride}"


def radix(box: PlaceRange, point: Point, axes: tuple[int, ...] = ALL_AXES) -> str:
    """Mixed radix of a point over these axes, with the numbers of the axes that have more than one value."""
    terms = []
    weight = 1
    for axis in reversed(axes):
        first, size = box[axis].first, box[axis].size
        if size > 1:
            value = f"{AXES[axis]} {point[axis]}" if not first else f"({AXES[axis]} {point[axis]} - {first})"
            terms.append(f"{value} × {weight}" if weight > 1 else value)
        weight *= size
    return " + ".join(reversed(terms)) or "the only one of its box"


def place_text(place: Place) -> str:
    """All five axes of a place, and its server group. A superspine belongs to a core group instead of a pod."""
    if place.tier is Tier.SUPERSPINE:
        return f"plane {place.plane}, core group {place.su}, index {place.index}"
    group = (f"group {place.group}",) if place.group else ()
    axes = [f"{axis} {value}" for axis, value in zip(AXES, place.point, strict=True)]
    if place.tier is Tier.LEAF:
        axes[RAIL] += " (the number of the leaf in its unit)"
    return ", ".join((*group, *axes))


def segment_text(segment: Segment) -> str:
    """The box of a segment as the lock writes it."""
    head = f"{segment.fabric} {segment.tier.value}{' ' + segment.group if segment.group else ''}"
    axes = ", ".join(f"{axis} {span.first}-{span.last}" for axis, span in zip(AXES, segment.box, strict=True))
    return f"segment {head}: {axes}"


def short_segment(segment: Segment) -> str:
    """The same, with only the axes that have more than one value."""
    head = segment_text(segment).partition(":")[0]
    axes = [f"{axis} {span.first}-{span.last}" for axis, span in zip(AXES, segment.box, strict=True) if span.size > 1]
    return f"{head} {', '.join(axes)}".rstrip()


def listed(names: tuple[str, ...], count: int | None = None) -> str:
    """Names of a list; of a long one the first names and the number of the others."""
    total = len(names) if count is None else count
    if total == len(names) <= MANY:
        return ", ".join(names) or "none"
    return f"{', '.join(names[: MANY - 1])} and {total - min(len(names), MANY - 1)} more"


TIER_WORDS = {Tier.BORDER: "border leaf", Tier.LEAF: "leaf", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}
"""Common names of the tiers."""
