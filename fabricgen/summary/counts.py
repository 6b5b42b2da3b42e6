"""Counts, ratios and bisection of one fabric, from its dimensions."""

from collections.abc import Iterator

from fabricgen.intent.scalars import Spans
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import has_server
from fabricgen.summary.page import Counts, GroupLine
from fabricgen.topologies.shape import Chassis, GroupShape


def counts(plan: Plan, fabric: FabricPlan) -> Counts:
    """Count a fabric as it stands."""
    shape = fabric.shape
    groups = tuple(_group(plan, fabric, group) for group in shape.groups)
    up = shape.groups[0].leaf.up
    ratios = [line.ratio for line in groups if line.ratio is not None]
    return Counts(
        tiers=shape.tiers,
        groups=groups,
        borders=shape.borders,
        spines=shape.spines,
        spines_planned=shape.spines_planned,
        links_a_pair=shape.links,
        uplinks_a_leaf=len(up),
        uplinks_laid=shape.uplinks_laid,
        uplink_gbps=up[0].speed_gbps if up else 0,
        models=tuple(_models(fabric)),
        asked=f"{shape.ratio.down}:{shape.ratio.up}",
        end_to_end=max(ratios, default=None),
        bisection_tbps=_bisection(fabric) if shape.spines else None,
    )


def _models(fabric: FabricPlan) -> Iterator[tuple[str, str, str]]:
    shape = fabric.shape
    found: list[tuple[str, Chassis | None]] = [
        ("leaf", shape.groups[0].leaf),
        ("border-leaf", shape.border),
        ("spine", shape.spine),
    ]
    for role, chassis in found:
        if chassis is not None:
            yield role, chassis.switch.model, chassis.system


def _size(spans: Spans) -> int:
    return sum(span.size for span in spans)


def standing_servers(fabric: FabricPlan, group: GroupShape) -> int:
    """Servers that the intent counts and does not call absent."""
    away = sum(
        not has_server(fabric, group, key.slot)
        for key in fabric.exceptions.slots
        if key.group == group.name and any(span.first <= key.slot <= span.last for span in group.slots)
    )
    return _size(group.slots) - away


def _group(plan: Plan, fabric: FabricPlan, group: GroupShape) -> GroupLine:
    server = plan.catalog.servers[plan.intent.servers[group.name].model]
    servers, units = standing_servers(fabric, group), _size(group.present)
    down, up = server_ports(group), group.leaf.up
    ratio = sum(down) / sum(port.speed_gbps for port in up) if up else None
    spines = fabric.shape.spines
    return GroupLine(
        group=group.name,
        servers=servers,
        planned=group.planned * group.slots_a_unit,
        gpus=servers * server.gpus,
        units=units,
        units_planned=group.planned,
        slots_a_unit=group.slots_a_unit,
        leaves=units * group.rails * group.indexes,
        nics=f"{len(group.columns)} x {group.nics.speed_gbps}G",
        leaf_down=f"{len(down)} x {down[0]}G" if down else "none",
        leaf_up=f"{len(up)} x {up[0].speed_gbps}G" if up else "none",
        ratio=ratio,
        ratio_spine_lost=ratio * spines / (spines - 1) if ratio is not None and spines > 1 else None,
    )


def server_ports(group: GroupShape) -> tuple[int, ...]:
    """Gb/s of each port that a leaf has for servers of its unit: ports left over in a split are not counted."""
    rows = 1 + max((column.row for column in group.columns), default=0)
    return tuple(port.speed_gbps for port in group.leaf.down[: rows * group.slots_a_unit])


def _bisection(fabric: FabricPlan) -> float:
    """Half of what leaves and servers can both carry, Tb/s one way; border leaves left out."""
    servers = uplinks = 0
    for group in fabric.shape.groups:
        leaves = _size(group.present) * group.rails * group.indexes
        uplinks += leaves * sum(port.speed_gbps for port in group.leaf.up)
        servers += standing_servers(fabric, group) * len(group.columns) * group.nics.speed_gbps
    return min(servers, uplinks) / 2 / 1000
