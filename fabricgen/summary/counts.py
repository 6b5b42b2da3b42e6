"""Counts, ratios and bisection of one fabric, from its dimensions."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.hardware.ports import ports
from fabricgen.intent.scalars import Ratio, Spans
from fabricgen.plan.exceptions import AWAY
from fabricgen.plan.fabric import FabricPlan, place_of
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.rows import existing_pods, leaves_of_pods
from fabricgen.plan.wiring import has_server
from fabricgen.summary.page import Counts, GroupLine
from fabricgen.topologies.arithmetic import uplinks_for
from fabricgen.topologies.nics import rails_of
from fabricgen.topologies.shape import Chassis, GroupShape, Shape, with_spines
from fabricgen.topologies.upper import shared_uplinks


def counts(plan: Plan, fabric: FabricPlan) -> Counts:
    """Count a fabric as the intent has it now."""
    shape = fabric.shape
    groups = tuple(_group(plan, fabric, group) for group in shape.groups)
    up = shape.groups[0].leaf.up
    pods = existing_pods(fabric)
    spine = _capacity(fabric)
    grown = _with_spines_of_full_pods(shape)
    today = tuple(_pod_today(fabric, pod) for pod in range(shape.pods))
    full = tuple(_full_pod(grown, pod) for pod in range(shape.pods))
    return Counts(
        tiers=shape.tiers,
        planes=shape.planes,
        rails_per_plane=max(rails_of(group.nics) for group in shape.groups) // shape.rail_planes,
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
        spine_ratio=spine.ratio if shape.cores else None,
        spine_ratio_full=spine.full if shape.cores else None,
        spine_uplinks_least=_spine_uplinks_least(shape) if shape.cores else 0,
        spine_uplinks_why=_spine_uplinks_why(fabric) if shape.cores else "",
        links_a_pair=shape.links,
        uplinks_a_leaf=len(up),
        uplinks_laid=shape.uplinks_laid,
        uplink_gbps=up[0].speed_gbps if up else 0,
        models=tuple(_models(fabric)),
        asked=_text(shape.ratio) + (f" x {_text(shape.spine_ratio)}" if shape.cores else ""),
        end_to_end=_end_to_end(shape, today),
        end_to_end_full=_end_to_end(grown, full),
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
    """Cabled ports of a spine toward leaves and toward superspines, and the ratio of downlink to uplink capacity.

    full  the ratio of a spine in a full pod
    """

    down: str
    up: str
    ratio: float | None
    full: float | None


def _capacity(fabric: FabricPlan) -> _Capacity:
    """Capacity of a spine in the pod with the most leaves. Ports for which a pod has no leaf are not counted."""
    shape, spine = fabric.shape, fabric.shape.spine
    if spine is None or not spine.up or not spine.down:
        return _Capacity("", "", None, None)
    used_ports = spine.down[: max(leaves_of_pods(fabric)) * shape.links]
    full_ports = spine.down[: _leaves_of_full_pod(shape) * _with_spines_of_full_pods(shape).links]
    down, full, up = (sum(port.speed_gbps for port in ports) for ports in (used_ports, full_ports, spine.up))
    below, above = (f"{len(ports)} x {ports[0].speed_gbps}G" for ports in (used_ports, spine.up))
    return _Capacity(below, above, down / up, full / up)


def _leaves_of_full_pod(shape: Shape) -> int:
    return shape.borders + sum(group.units_a_pod * group.leaves_a_unit for group in shape.groups)


def _with_spines_of_full_pods(shape: Shape) -> Shape:
    """The fabric with the fewest of its planned spines under which a full pod can be cabled: those of today if it can.

    With fewer spines each has more links to a leaf, and ports for fewer leaves.
    """
    if not shape.spines:
        return shape
    legal = shape.legal_spines(_leaves_of_full_pod(shape))
    enough = next((count for count in legal if count >= shape.spines), shape.spines_planned)
    return with_spines(shape, enough)


def _spine_uplinks_least(shape: Shape) -> int:
    """Uplinks of a spine that its ratio needs: in a full pod, and today with as many leaves as it has ports for."""
    ports, leaves = len(shape.spine.down) if shape.spine is not None else 0, _leaves_of_full_pod(shape)
    today = min(leaves, ports // shape.links) * shape.links
    return uplinks_for(max(today, leaves * _with_spines_of_full_pods(shape).links), shape.spine_ratio)


def _spine_uplinks_why(fabric: FabricPlan) -> str:
    """Why a spine has more uplinks than its ratio needs; empty if it does not."""
    shape, topology = fabric.shape, fabric.fabric.topology
    least, up = _spine_uplinks_least(shape), len(shape.spine.up) if shape.spine is not None else 0
    if up <= least:
        return ""
    if topology.spine_uplinks is not None:
        return "spine_uplinks"
    return "shared" if up == shared_uplinks(topology.superspines, least, up) else "recorded"


class _Pod(NamedTuple):
    """Leaves of one pod and plane by the server group that they belong to, and its border leaves."""

    leaves: tuple[tuple[GroupShape, int], ...]
    borders: int


def _pod_today(fabric: FabricPlan, pod: int) -> _Pod:
    """The leaves of a pod that exist."""
    shape = fabric.shape
    leaves = tuple(
        (group, units * group.leaves_a_unit)
        for group in shape.leaf_groups
        if (units := _units_between(group.present, pod * group.units_a_pod, group.units_a_pod))
    )
    return _Pod(leaves, 0 if pod else shape.borders)


def _units_between(present: Spans, first: int, count: int) -> int:
    return sum(max(0, min(span.last, first + count - 1) - max(span.first, first) + 1) for span in present)


def _full_pod(shape: Shape, pod: int) -> _Pod:
    """The leaves that are planned for a pod."""
    leaves = tuple((group, group.units_a_pod * group.leaves_a_unit) for group in shape.leaf_groups)
    return _Pod(leaves, 0 if pod else shape.borders)


def _end_to_end(shape: Shape, pods: tuple[_Pod, ...]) -> float | None:
    """Worst oversubscription from server to server if all units of these pods have all their servers.

    A leaf passes what its servers send, its uplinks at most; a spine shares its uplinks equally among what the links
    below it carry. Between pods alone: in a single one, nothing passes the superspines.
    """
    are_several = sum(bool(pod.leaves) for pod in pods) > 1
    return max((worst for pod in pods for worst in _of_groups(shape, pod, are_several)), default=None)


def _of_groups(shape: Shape, pod: _Pod, are_several: bool) -> Iterator[float]:
    ups = {group.name: sum(port.speed_gbps for port in group.leaf.up) for group, _ in pod.leaves}
    if not ups or not all(ups.values()):
        return
    spine = 0.0
    if shape.cores and shape.spine is not None and are_several:
        sent = sum(count * min(_below(shape, group), ups[group.name]) for group, count in pod.leaves)
        sent += pod.borders * max(ups.values())
        spine = sent / (shape.spines * sum(port.speed_gbps for port in shape.spine.up))
    for group, _ in pod.leaves:
        leaf = _below(shape, group) / ups[group.name]
        yield leaf * max(1.0, spine / min(1.0, leaf))


def _models(fabric: FabricPlan) -> Iterator[tuple[str, str, str]]:
    shape = fabric.shape
    leaves = {group.leaf.switch.model: group.leaf for group in shape.leaf_groups}
    switches: list[tuple[str, Chassis | None]] = [
        *(("leaf", leaf) for leaf in leaves.values()),
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


def _idle_ports(fabric: FabricPlan, group: GroupShape) -> int:
    """Return the ports of a leaf, at the speed of its servers, that the intent's number of uplinks leaves unused."""
    leaf = group.leaf
    # Of groups that share a leaf, the intent's numbers of servers leave ports unused, whatever its uplinks carry.
    if fabric.fabric.topology.uplinks is None or not leaf.down or len(fabric.shape.sharing(group.leaves_of)) > 1:
        return 0
    speed = leaf.down[0].speed_gbps
    up = sum(port.speed_gbps for port in leaf.uplinks)
    return max(len(ports(leaf.switch, speed)) - len(leaf.down) - -(-up // speed), 0)


def _group(plan: Plan, fabric: FabricPlan, group: GroupShape) -> GroupLine:
    server = plan.catalog.servers[plan.intent.servers[group.name].model]
    servers, units = present_servers(fabric, group), _size(group.present)
    down, up = server_ports(group), group.leaf.up
    ratio = _below(fabric.shape, group) / sum(port.speed_gbps for port in up) if up else None
    spines = fabric.shape.spines
    nics = group.nics
    planes_prefix = f"{nics.planes}x" if nics.planes > 1 else ""
    return GroupLine(
        group=group.name,
        servers=servers,
        planned=group.planned * group.slots_a_unit,
        servers_planned=plan.intent.servers[group.name].planned_slots,
        ports_idle=_idle_ports(fabric, group),
        gpus=servers * server.gpus,
        units=units,
        units_planned=group.planned,
        slots_a_unit=group.slots_a_unit,
        leaves_of=group.leaves_of,
        leaf_model=group.leaf.switch.model,
        leaves=units * group.leaves_a_unit * fabric.shape.planes,
        nics=f"{len(group.columns)} x {planes_prefix}{nics.speed_gbps // nics.planes}G",
        leaf_down=f"{len(down)} x {down[0]}G" if down else "none",
        leaf_up=f"{len(up)} x {up[0].speed_gbps}G" if up else "none",
        ratio=ratio,
        ratio_spine_lost=ratio * spines / (spines - 1) if ratio is not None and spines > 1 else None,
    )


def server_ports(group: GroupShape) -> tuple[int, ...]:
    """Gb/s of each port that a leaf has for a unit's servers of the group; spare ports of a split cage are left out."""
    return tuple(port.speed_gbps for port in group.down)


def _below(shape: Shape, group: GroupShape) -> int:
    """Gb/s of the ports that a leaf of a group has for the servers of its unit, of all groups that share it."""
    return sum(sum(server_ports(each)) for each in shape.sharing(group.leaves_of))


def _bisection(fabric: FabricPlan, pods: int) -> float:
    """Half of what servers, leaves and, between pods, spines can all carry, Tb/s per direction; no border leaves.

    A dead or absent spine or superspine takes its share of all links below it, whichever it is. Dead or absent leaves
    are counted.
    """
    shape, away = fabric.shape, switches_away(fabric)
    spines = 1 - away.get(Tier.SPINE.value, 0) / (shape.spines * pods * shape.planes)
    servers = uplinks = 0
    for group in shape.groups:
        leaves = _size(group.present) * group.leaves_a_unit * shape.planes
        uplinks += leaves * sum(port.speed_gbps for port in group.leaf.up)
        servers += present_servers(fabric, group) * len(group.columns) * group.nics.speed_gbps
    carried = min(servers, uplinks * spines)
    if shape.cores and shape.spine is not None and pods > 1:
        cores = 1 - away.get(Tier.SUPERSPINE.value, 0) / (shape.cores * shape.spines * shape.planes)
        above = pods * shape.spines * shape.planes * sum(p.speed_gbps for p in shape.spine.up)
        carried = min(carried, above * min(spines, cores))
    return carried / 2 / 1000
