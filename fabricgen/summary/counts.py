"""Counts, ratios and bisection of one fabric, from its dimensions."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.scalars import Ratio, Spans
from fabricgen.plan.exceptions import AWAY
from fabricgen.plan.fabric import FabricPlan, place_of
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.rows import existing_pods
from fabricgen.plan.wiring import has_server
from fabricgen.summary.page import Counts, GroupLine
from fabricgen.topologies.nics import rails_of
from fabricgen.topologies.shape import Chassis, GroupShape, Shape


def counts(plan: Plan, fabric: FabricPlan) -> Counts:
    """Count a fabric as the intent has it now."""
    shape = fabric.shape
    groups = tuple(_group(plan, fabric, group) for group in shape.groups)
    up = shape.groups[0].leaf.up
    pods = existing_pods(fabric)
    spine = _capacity(shape)
    worst = max((line.ratio for line in groups if line.ratio is not None), default=None)
    spine_over = spine.ratio if shape.cores else None
    return Counts(
        tiers=shape.tiers,
        planes=shape.planes,
        rails_per_plane=rails_of(shape.groups[0].nics) // shape.rail_planes,
        planes_per_nic=shape.slices,
        pods=pods,
        pods_planned=shape.pods,
        groups=groups,
        borders=shape.borders,
        spines=shape.spines * pods * shape.planes,
        spines_a_pod=shape.spines,
        spines_planned=shape.spines_planned,
        superspines=shape.cores * shape.spines * shape.planes,
        cores_a_group=shape.cores,
        cores_planned=shape.cores_planned,
        core_links=shape.core_links,
        spine_down=spine.down if shape.cores else "",
        spine_up=spine.up if shape.cores else "",
        spine_ratio=spine_over,
        links_a_pair=shape.links,
        uplinks_a_leaf=len(up),
        uplinks_laid=shape.uplinks_laid,
        uplink_gbps=up[0].speed_gbps if up else 0,
        models=tuple(_models(fabric)),
        asked=_text(shape.ratio) + (f" x {_text(shape.spine_ratio)}" if shape.cores else ""),
        end_to_end=worst if worst is None or spine_over is None else worst * max(spine_over, 1.0),
        bisection_tbps=_bisection(fabric, pods) if shape.spines else None,
        away=tuple(switches_away(fabric).items()),
    )


def switches_away(fabric: FabricPlan) -> dict[str, int]:
    """Switches that are dead or absent, by role."""
    away_places = (place_of(fabric, name) for name, state in fabric.exceptions.devices.items() if state in AWAY)
    return dict(sorted(Counter(place.tier.value for place in away_places if place is not None).items()))


def _text(ratio: Ratio) -> str:
    return f"{ratio.down}:{ratio.up}"


class _Capacity(NamedTuple):
    """Ports of a spine toward leaves and toward superspines, and the ratio of downlink to uplink capacity."""

    down: str
    up: str
    ratio: float | None


def _capacity(shape: Shape) -> _Capacity:
    """Capacity of a spine in a full pod. Ports for which the pod has no leaf are not counted."""
    spine = shape.spine
    if spine is None or not spine.up or not spine.down:
        return _Capacity("", "", None)
    leaves = shape.borders + sum(group.units_a_pod * group.rails * group.indexes for group in shape.groups)
    used_ports = spine.down[: leaves * shape.links]
    down, up = (sum(port.speed_gbps for port in ports) for ports in (used_ports, spine.up))
    below, above = (f"{len(ports)} x {ports[0].speed_gbps}G" for ports in (used_ports, spine.up))
    return _Capacity(below, above, down / up)


def _models(fabric: FabricPlan) -> Iterator[tuple[str, str, str]]:
    shape = fabric.shape
    switches: list[tuple[str, Chassis | None]] = [
        ("leaf", shape.groups[0].leaf),
        ("border-leaf", shape.border),
        ("spine", shape.spine),
        ("superspine", shape.core),
    ]
    for role, chassis in switches:
        if chassis is not None:
            yield role, chassis.switch.model, chassis.system


def _size(spans: Spans) -> int:
    return sum(span.size for span in spans)


def present_servers(fabric: FabricPlan, group: GroupShape) -> int:
    """Servers that the intent counts, without those that it calls absent."""
    away = sum(
        not has_server(fabric, group, key.slot)
        for key in fabric.exceptions.slots
        if key.group == group.name and any(span.first <= key.slot <= span.last for span in group.slots)
    )
    return _size(group.slots) - away


def _group(plan: Plan, fabric: FabricPlan, group: GroupShape) -> GroupLine:
    server = plan.catalog.servers[plan.intent.servers[group.name].model]
    servers, units = present_servers(fabric, group), _size(group.present)
    down, up = server_ports(group), group.leaf.up
    ratio = sum(down) / sum(port.speed_gbps for port in up) if up else None
    spines = fabric.shape.spines
    nics = group.nics
    planes_prefix = f"{nics.planes}x" if nics.planes > 1 else ""
    return GroupLine(
        group=group.name,
        servers=servers,
        planned=group.planned * group.slots_a_unit,
        gpus=servers * server.gpus,
        units=units,
        units_planned=group.planned,
        slots_a_unit=group.slots_a_unit,
        leaves=units * group.rails * group.indexes * fabric.shape.planes,
        nics=f"{len(group.columns)} x {planes_prefix}{nics.speed_gbps // nics.planes}G",
        leaf_down=f"{len(down)} x {down[0]}G" if down else "none",
        leaf_up=f"{len(up)} x {up[0].speed_gbps}G" if up else "none",
        ratio=ratio,
        ratio_spine_lost=ratio * spines / (spines - 1) if ratio is not None and spines > 1 else None,
    )


def server_ports(group: GroupShape) -> tuple[int, ...]:
    """Gb/s of each port that a leaf has for the servers of its unit; spare ports of a split cage are not counted."""
    rows = 1 + max((column.row for column in group.columns), default=0)
    return tuple(port.speed_gbps for port in group.leaf.down[: rows * group.slots_a_unit])


def _bisection(fabric: FabricPlan, pods: int) -> float:
    """Half of what servers, leaves and, between pods, spines can all carry, Tb/s per direction; no border leaves.

    A dead or absent spine or superspine takes its share of all links below it, whichever it is. Dead or absent leaves
    are counted.
    """
    shape, away = fabric.shape, switches_away(fabric)
    spines = 1 - away.get(Tier.SPINE.value, 0) / (shape.spines * pods * shape.planes)
    servers = uplinks = 0
    for group in shape.groups:
        leaves = _size(group.present) * group.rails * group.indexes * shape.planes
        uplinks += leaves * sum(port.speed_gbps for port in group.leaf.up)
        servers += present_servers(fabric, group) * len(group.columns) * group.nics.speed_gbps
    carried = min(servers, uplinks * spines)
    if shape.cores and shape.spine is not None and pods > 1:
        cores = 1 - away.get(Tier.SUPERSPINE.value, 0) / (shape.cores * shape.spines * shape.planes)
        above = pods * shape.spines * shape.planes * sum(p.speed_gbps for p in shape.spine.up)
        carried = min(carried, above * min(spines, cores))
    return carried / 2 / 1000
