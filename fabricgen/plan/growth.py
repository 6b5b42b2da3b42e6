"""What is left of the planned numbers, where growth stops being free, and what a change of spines moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.scalars import Spans
from fabricgen.plan.fabric import FabricPlan, name_of, places, port_text, row_of, stands
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, on_spines
from fabricgen.plan.wiring import Uplink, uplinks
from fabricgen.topologies.arithmetic import leaf_capacity
from fabricgen.topologies.shape import GroupShape


class Move(NamedTuple):
    """One uplink that ends elsewhere: the leaf's port and its addresses stay, the spine's end is moved by hand."""

    leaf: str
    leaf_port: str
    uplink: int
    from_spine: str
    from_port: str
    to_spine: str
    to_port: str


class GroupGrowth(NamedTuple):
    """Room of one server group: standing, numbered, and what still fits the units that stand."""

    group: str
    servers: int
    planned: int
    free_in_units: int
    units: int
    units_planned: int
    slots_a_unit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Room of one fabric.

    leaves           leaves and border leaves that stand, and `leaves_planned` with numbers
    recable_leaves   rows a spine has at today's links a pair, floor(R / m): one more leaf and uplinks move
    recable_units    units by server group that may stand before that, in the order the lock laid them out
    legal            spine counts that the planned leaves allow
    legal_now        spine counts that the leaves that stand allow, up to the planned ones
    next_spines      the next of them, with the uplinks that it moves and leaves; None at the last
    uplinks, next_uplinks  of a leaf: today, and on the next count
    largest_leaves   leaves of the largest two-tier fabric of these switches: one link a pair
    largest_nics     NIC ports they take, by server group where each fills the fabric alone
    """

    fabric: str
    groups: tuple[GroupGrowth, ...]
    leaves: int
    leaves_planned: int
    spines: int
    spines_planned: int
    links: int
    recable_leaves: int | None
    recable_units: tuple[tuple[str, int], ...]
    legal: tuple[int, ...]
    legal_now: tuple[int, ...]
    next_spines: int | None
    moved: int
    kept: int
    uplinks: int
    next_uplinks: int
    largest_leaves: int | None
    largest_nics: tuple[tuple[str, int], ...]


def growth(plan: Plan, name: str) -> Growth:
    """Room of a fabric. Raises KeyError for a fabric that the plan does not have."""
    fabric = plan.fabrics[name]
    shape = fabric.shape
    leaves = [place for place in places(fabric) if place.tier in (Tier.LEAF, Tier.BORDER)]
    down = len(shape.spine.down) if shape.spine and shape.spines else 0
    uplinks_a_leaf = shape.spines * shape.links
    allowed = counts_now(fabric)
    following = next((count for count in allowed if count > shape.spines), None)
    next_uplinks = shape.uplinks_on(following) if following else uplinks_a_leaf
    moves = sum(1 for _ in _pairs(fabric, on_spines(plan, name, following))) if following else 0
    return Growth(
        fabric=name,
        groups=tuple(_group(group, fabric) for group in shape.groups),
        leaves=len(leaves),
        leaves_planned=_planned_leaves(fabric),
        spines=shape.spines,
        spines_planned=shape.spines_planned,
        links=shape.links,
        recable_leaves=leaf_capacity(shape.spines, uplinks_a_leaf, down) if down else None,
        recable_units=tuple((group.name, _units_within(fabric, group)) for group in shape.groups) if down else (),
        legal=shape.legal_spines(_planned_leaves(fabric)) if down else (),
        legal_now=allowed,
        next_spines=following,
        moved=moves,
        kept=min(uplinks_a_leaf, next_uplinks) * len(leaves) - moves if following else 0,
        uplinks=uplinks_a_leaf,
        next_uplinks=next_uplinks,
        largest_leaves=down or None,
        largest_nics=tuple((group.name, (down - shape.borders) * len(group.leaf.down)) for group in shape.groups)
        if down
        else (),
    )


def _planned_leaves(fabric: FabricPlan) -> int:
    shape = fabric.shape
    return shape.borders + sum(group.units_a_pod * group.rails * group.indexes for group in shape.groups)


def _group(group: GroupShape, fabric: FabricPlan) -> GroupGrowth:
    servers, units = _size(group.slots), _size(group.present)
    absent = sum(key.group == group.name and state != "active" for key, state in fabric.exceptions.slots.items())
    return GroupGrowth(
        group=group.name,
        servers=servers - absent,
        planned=group.planned * group.slots_a_unit,
        free_in_units=units * group.slots_a_unit - servers,
        units=units,
        units_planned=group.planned,
        slots_a_unit=group.slots_a_unit,
    )


def _size(spans: Spans) -> int:
    return sum(span.size for span in spans)


def _units_within(fabric: FabricPlan, group: GroupShape) -> int:
    """Planned units of a group whose leaves all have a row on the spines at today's links a pair."""
    stride = _rows(fabric, fabric.shape.spines)
    units: dict[int, int] = {}
    for row, leaf in fabric.rows.items():
        if leaf.tier is Tier.LEAF and leaf.group == group.name:
            units[leaf.su] = max(units.get(leaf.su, 0), row)
    return sum(highest < stride for highest in units.values())


def _rows(fabric: FabricPlan, spines: int) -> int:
    """Leaves that a spine has ports for when so many spines stand."""
    shape = fabric.shape
    if shape.spine is None:
        return 0
    return len(shape.spine.down) // (shape.uplinks_on(spines) // spines)


def counts_now(fabric: FabricPlan) -> tuple[int, ...]:
    """Spine counts, within the numbers reserved, that give every leaf that stands the same links to each spine."""
    shape = fabric.shape
    if not shape.spines:
        return ()
    taken = 1 + max((row for row, leaf in fabric.rows.items() if stands(fabric, leaf)), default=0)
    return tuple(count for count in shape.legal_spines(taken) if count <= shape.spines_planned)


def recabling(plan: Plan, name: str, spines: int) -> Iterator[Move]:
    """Every uplink that ends on another spine port when `spines` of them stand, leaf by leaf.

    Values of the leaf never move; uplinks that come or go with the spines are none of these. Raises FabricError, with
    the legal counts, for a number that can not stand, and KeyError for a fabric that the plan does not have.
    """
    fabric = plan.fabrics[name]
    legal = counts_now(fabric)
    if spines not in legal:
        raise FabricError([_illegal(fabric, spines, legal)])
    return moves_between(fabric, on_spines(plan, name, spines))


def moves_between(before: FabricPlan, after: FabricPlan) -> Iterator[Move]:
    """Yield every uplink that ends elsewhere, of two plans with the same leaves and spines on both sides."""
    for old, new in _pairs(before, after):
        yield Move(
            leaf=name_of(before, old.lower),
            leaf_port=port_text(before, old.lower, old.lower_port),
            uplink=old.number,
            from_spine=name_of(before, old.upper),
            from_port=port_text(before, old.upper, old.upper_port),
            to_spine=name_of(after, new.upper),
            to_port=port_text(after, new.upper, new.upper_port),
        )


def _pairs(before: FabricPlan, after: FabricPlan) -> Iterator[tuple[Uplink, Uplink]]:
    """Each uplink that ends elsewhere, as it is and as it would be."""
    for leaf in places(before):
        if leaf.tier in (Tier.LEAF, Tier.BORDER):
            # Counted from 0 on both sides; those beyond the fewer come or go.
            for old, new in zip(uplinks(before, leaf), uplinks(after, leaf), strict=False):
                if (old.upper, old.upper_port) != (new.upper, new.upper_port):
                    yield old, new


def _illegal(fabric: FabricPlan, spines: int, legal: tuple[int, ...]) -> Problem:
    laid = fabric.shape.uplinks_laid
    rows = [row_of(fabric, leaf) for leaf in places(fabric) if leaf.tier in (Tier.LEAF, Tier.BORDER)]
    return Problem(
        code="illegal-spine-count",
        what=f"{fabric.name} can not stand on {spines} spines",
        where=("fabrics", fabric.name, "topology", "spines", "now"),
        why=(
            f"the count must give a leaf the same links to each with {fabric.shape.uplinks_asked} to {laid} uplinks, "
            f"leave {max(rows, default=0) + 1} leaves a port for each link and stay within the "
            f"{fabric.shape.spines_planned} planned"
        ),
        fix=f"write {' or '.join(map(str, legal))}" if legal else "add a spine: model and os",
    )
