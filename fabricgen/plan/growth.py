"""What is left of the planned numbers, up to where growth needs no recabling, and what a change of spines moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.plan.fabric import FabricPlan, name_of, place_exists, places, port_text
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, on_cores, on_spines
from fabricgen.plan.rows import existing_pods, last_pod, leaves_of_pods, rows_in_use
from fabricgen.plan.wiring import Uplink, uplinks
from fabricgen.topologies.arithmetic import leaf_capacity
from fabricgen.topologies.shape import GroupShape, Shape


class Recabling(NamedTuple):
    """One uplink that ends elsewhere: the lower port and its addresses stay, the upper end is recabled by hand.

    `leaf` is the lower switch: a leaf, or a spine below superspines; then `spine` is a superspine.
    """

    leaf: str
    leaf_port: str
    uplink: int
    from_spine: str
    from_port: str
    to_spine: str
    to_port: str


class GroupGrowth(NamedTuple):
    """Growth of one server group: existing, with reserved numbers, and free in the existing units."""

    group: str
    servers: int
    planned: int
    free_in_units: int
    units: int
    units_planned: int
    slots_a_unit: int


class CoreGrowth(NamedTuple):
    """Growth below the superspines of a plane.

    pods            existing pods; `pods_planned`: with those for which numbers are reserved
    recable_pods    pods that fit at today's links of a spine-superspine pair; one more moves uplinks of spines
    legal           superspines per core group that the planned pods allow; legal_now: that the existing pods allow
    next_cores      the next of them, with the spine uplinks that it moves and keeps; None at the last
    largest_pods    pods of the largest fabric of these switches: one link per pair
    largest_nics    NIC ports of it, by server group if each fills the fabric alone
    """

    pods: int
    pods_planned: int
    cores: int
    cores_planned: int
    links: int
    recable_pods: int
    legal: tuple[int, ...]
    legal_now: tuple[int, ...]
    next_cores: int | None
    moved: int
    kept: int
    largest_pods: int
    largest_nics: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Growth of one fabric. Counts are those of one plane and, if there are pods, of the fullest pod.

    leaves           existing leaves and border leaves; `leaves_planned`: with those for which numbers are reserved
    recable_leaves   rows of a spine at today's links per pair, floor(R / m): one more leaf moves uplinks
    recable_units    units by server group that may exist before that, in the order in which the lock reserved them
    legal            spine counts that the planned leaves allow
    legal_now        spine counts that the existing leaves allow, up to the planned ones
    next_spines      the next of them, with the uplinks that it moves and keeps in all pods; None at the last
    uplinks, next_uplinks  of a leaf: today, and with the next count
    largest_leaves   leaves of the largest fabric, or pod, of these switches: one link per pair
    largest_nics     NIC ports of it, by server group if each fills the fabric alone
    core             growth below the superspines; None below three tiers
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
    core: CoreGrowth | None


def growth(plan: Plan, name: str) -> Growth:
    """Growth of a fabric. Raises KeyError for a fabric that the plan does not have."""
    fabric = plan.fabrics[name]
    shape = fabric.shape
    of_pods = leaves_of_pods(fabric)
    down = len(shape.spine.down) if shape.spine and shape.spines else 0
    uplinks_a_leaf = shape.spines * shape.links
    allowed = counts_now(fabric)
    following = next((count for count in allowed if count > shape.spines), None)
    next_uplinks = shape.uplinks_on(following) if following else uplinks_a_leaf
    moves = _moved(fabric, on_spines(plan, name, following), (Tier.BORDER, Tier.LEAF)) if following else 0
    all_uplinks = min(uplinks_a_leaf, next_uplinks) * sum(of_pods) * shape.planes
    return Growth(
        fabric=name,
        groups=tuple(_group(group, fabric) for group in shape.groups),
        leaves=max(of_pods),
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
        kept=all_uplinks - moves if following else 0,
        uplinks=uplinks_a_leaf,
        next_uplinks=next_uplinks,
        largest_leaves=down or None,
        largest_nics=_largest_nics(shape, down, 1) if down else (),
        core=_core(plan, fabric) if shape.cores else None,
    )


def _largest_nics(shape: Shape, leaves: int, pods: int) -> tuple[tuple[str, int], ...]:
    """NIC ports that fit on so many leaves, for each group. On leaves that groups share each has its own ports."""
    alone = {owner.name for owner in shape.leaf_groups if len(shape.sharing(owner.name)) == 1}
    ports = {group.name: len(group.leaf.down if group.name in alone else group.down) for group in shape.groups}
    return tuple((name, (leaves * pods - shape.borders) * count) for name, count in ports.items())


def _core(plan: Plan, fabric: FabricPlan) -> CoreGrowth:
    shape = fabric.shape
    spine, core = shape.spine, shape.core
    up, ports = len(spine.up) if spine else 0, len(core.down) if core else 0
    allowed = cores_now(fabric)
    following = next((count for count in allowed if count > shape.cores), None)
    moves = _moved(fabric, on_cores(plan, fabric.name, following), (Tier.SPINE,)) if following else 0
    pods = existing_pods(fabric)
    return CoreGrowth(
        pods=pods,
        pods_planned=shape.pods,
        cores=shape.cores,
        cores_planned=shape.cores_planned,
        links=shape.core_links,
        recable_pods=ports // shape.core_links,
        legal=shape.legal_cores(shape.pods),
        legal_now=allowed,
        next_cores=following,
        moved=moves,
        kept=up * shape.spines * pods * shape.planes - moves if following else 0,
        largest_pods=ports,
        largest_nics=_largest_nics(shape, len(spine.down) if spine else 0, ports),
    )


def _moved(before: FabricPlan, after: FabricPlan, tiers: tuple[Tier, ...]) -> int:
    """Number of uplinks of these tiers that end elsewhere: the same on every switch, as long as no port is dead."""
    if before.bindings or after.bindings:
        return sum(1 for _ in _pairs(before, after, tiers))
    first = next(place for place in places(before) if place.tier in tiers)
    pairs = zip(uplinks(before, first), uplinks(after, first), strict=False)
    moved_per_switch = sum((old.upper, old.upper_port) != (new.upper, new.upper_port) for old, new in pairs)
    switches = existing_pods(before) * before.shape.spines if Tier.SPINE in tiers else sum(leaves_of_pods(before))
    return moved_per_switch * switches * before.shape.planes


def _planned_leaves(fabric: FabricPlan) -> int:
    shape = fabric.shape
    return shape.borders + sum(group.units_a_pod * group.leaves_a_unit for group in shape.groups)


def _group(group: GroupShape, fabric: FabricPlan) -> GroupGrowth:
    servers, units = sum(span.size for span in group.slots), sum(span.size for span in group.present)
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


def _units_within(fabric: FabricPlan, group: GroupShape) -> int:
    """Planned units of a group, in one pod, whose leaves all have a row on the spines at today's links per pair."""
    stride = _rows(fabric, fabric.shape.spines)
    units: dict[int, int] = {}
    for row, leaf in fabric.rows.items():
        if leaf.tier is Tier.LEAF and leaf.group == group.leaves_of:
            units[leaf.su] = max(units.get(leaf.su, 0), row)
    return sum(highest < stride for highest in units.values())


def _rows(fabric: FabricPlan, spines: int) -> int:
    """Number of leaves that a spine has ports for, with this number of spines."""
    shape = fabric.shape
    if shape.spine is None:
        return 0
    return len(shape.spine.down) // (shape.uplinks_on(spines) // spines)


def counts_now(fabric: FabricPlan) -> tuple[int, ...]:
    """Spine counts, within the reserved numbers, that give every existing leaf the same links to each spine."""
    shape = fabric.shape
    if not shape.spines:
        return ()
    return tuple(count for count in shape.legal_spines(max(rows_in_use(fabric), 1)) if count <= shape.spines_planned)


def cores_now(fabric: FabricPlan) -> tuple[int, ...]:
    """Superspines per core group, within the reserved numbers, that the pods up to the last existing one allow."""
    shape = fabric.shape
    return tuple(count for count in shape.legal_cores(last_pod(fabric)) if count <= shape.cores_planned)


def moves_between(before: FabricPlan, after: FabricPlan) -> Iterator[Recabling]:
    """Yield every uplink that ends elsewhere, of two plans with the same switches on both sides."""
    for old, new in _pairs(before, after, (Tier.BORDER, Tier.LEAF, Tier.SPINE)):
        yield Recabling(
            leaf=name_of(before, old.lower),
            leaf_port=port_text(before, old.lower, old.lower_port),
            uplink=old.number,
            from_spine=name_of(before, old.upper),
            from_port=port_text(before, old.upper, old.upper_port),
            to_spine=name_of(after, new.upper),
            to_port=port_text(after, new.upper, new.upper_port),
        )


def _pairs(before: FabricPlan, after: FabricPlan, tiers: tuple[Tier, ...]) -> Iterator[tuple[Uplink, Uplink]]:
    """Each uplink that ends elsewhere, before and after."""
    for lower in places(before):
        if lower.tier in tiers and place_exists(after, lower):
            # Uplinks are counted from 0 on both sides; those beyond the smaller number are added or removed.
            for old, new in zip(uplinks(before, lower), uplinks(after, lower), strict=False):
                if (old.upper, old.upper_port) != (new.upper, new.upper_port):
                    yield old, new
