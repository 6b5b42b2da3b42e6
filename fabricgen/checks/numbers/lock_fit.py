"""Numbers in the lock compared with the intent: numbers and cables stay only if the dimensions do."""

from collections.abc import Collection, Iterator
from itertools import pairwise

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, host_space
from fabricgen.plan.place import ROW_AXES, Tier
from fabricgen.plan.plan import Plan, demands_of
from fabricgen.plan.segments import Blocks, NumberDemand, Segment, UpPorts


def fits(fabric: FabricPlan) -> bool:
    """Return whether every recorded segment of a fabric fits; if not, counts over its places are meaningless."""
    return next(_found(fabric), None) is None


def fits_recorded(plan: Plan, fabric: FabricPlan) -> bool:
    """Return whether a fabric fits, and also has the recorded planes, pods and tiers."""
    return fits(fabric) and next(_found_recorded(plan, fabric), None) is None


def leaves_fit(fabric: FabricPlan) -> bool:
    """Return whether recorded leaves fit, apart from spine counts: their servers, uplinks, planes and pods."""
    for demand in demands_of(fabric.shape, fabric.fabric):
        lines = fabric.segments.get((demand.tier, demand.group), ()) if demand.tier is Tier.LEAF else ()
        is_other = any(
            (line.slots, line.shared) != (demand.slots, demand.shared)
            or (line.up is not None and demand.up is not None and line.up != demand.up)
            for line in lines
        )
        if is_other or next(_copies_misfit(lines, demand), None) is not None:
            return False
    return True


def misfits(plan: Plan, fabric: FabricPlan) -> Iterator["Misfit"]:
    """Yield recorded lines that do not fit: the fabric's current demand, the lines, and what would move."""
    yield from _found(fabric)
    yield from _found_recorded(plan, fabric)


Misfit = tuple[NumberDemand, tuple[Segment, ...], list[str]]


def _found(fabric: FabricPlan) -> Iterator[Misfit]:
    demands = {(d.tier, d.group): d for d in demands_of(fabric.shape, fabric.fabric)}
    for key, segments in fabric.segments.items():
        demand = demands.get(key)
        if demand is not None:
            reasons = [why for segment in segments for why in _misfits(fabric, segment, demand)]
            if reasons:
                yield demand, segments, reasons


def _found_recorded(plan: Plan, fabric: FabricPlan) -> Iterator[Misfit]:
    """Yield misfits that only lines recorded before this plan can show."""
    known = {(segment.oob, segment.identifiers) for segment in plan.recorded.segments}
    recorded = {
        key: tuple(segment for segment in lines if (segment.oob, segment.identifiers) in known)
        for key, lines in fabric.segments.items()
    }
    yield from _moved_in(plan, fabric, known)
    for demand in demands_of(fabric.shape, fabric.fabric):
        segments = recorded.get((demand.tier, demand.group), ())
        yield from ((demand, segments, [why]) for why in _copies_misfit(segments, demand))
        is_reported = any(_was_top(segment, demand) for segment in segments)
        is_top = demand.tier is Tier.SPINE and segments and not recorded.get((Tier.SUPERSPINE, ""))
        if demand.up is not None and is_top and not is_reported:
            yield demand, segments, [_top_text(demand.up)]


def _moved_in(plan: Plan, fabric: FabricPlan, known: Collection[tuple[int, Blocks]]) -> Iterator[Misfit]:
    """Yield recorded leaves of groups that share those of another group now."""
    demands = {demand.group: demand for demand in demands_of(fabric.shape, fabric.fabric) if demand.tier is Tier.LEAF}
    for group in fabric.shape.groups:
        lines = tuple(
            line
            for line in plan.lock.segments
            if (line.fabric, line.tier, line.group) == (fabric.name, Tier.LEAF, group.name)
            and (line.oob, line.identifiers) in known
        )
        if lines and not group.has_own_leaves:
            why = f"the lock has leaves of its own for {group.name}, and shared_leaves puts it on those of "
            demand = demands[group.leaves_of]._replace(group=group.name)
            yield demand, lines, [f"{why}{group.leaves_of}: its cables would move there"]


def _was_top(segment: Segment, demand: NumberDemand) -> bool:
    """Return whether a spine was recorded without addresses for links upwards, and now needs some."""
    is_bare = segment.ipv4 is None and segment.ipv6 is None and segment.up is None
    return demand.tier is Tier.SPINE and is_bare and not (demand.length4 is None and demand.length6 is None)


def _up_text(up: UpPorts) -> str:
    return f"{up.count} uplink{'s' if up.count > 1 else ''} of {up.gbps}G"


def _top_text(up: UpPorts) -> str:
    return (
        f"the lock has the spines as the top tier; a spine now has {_up_text(up)}, and its ports to the "
        "leaves would change"
    )


def _shared_text(of: Segment | NumberDemand) -> str:
    """Return the further groups on leaves, with their servers a unit and ports a leaf."""
    groups = (f"{each.slots} of {each.group} ({each.hosts} port{'s' * (each.hosts > 1)})" for each in of.shared)
    return " and ".join(groups) or "no other group"


def _servers_misfit(segment: Segment, demand: NumberDemand) -> Iterator[str]:
    if segment.slots != demand.slots:
        yield (
            f"the lock has {segment.slots} slots per unit, the intent now gives {demand.slots}: servers would "
            "change leaves"
        )
    if segment.hosts < demand.hosts or (segment.slots == demand.slots and segment.hosts != demand.hosts):
        yield f"the lock has {segment.hosts} host ports per leaf, the intent now gives {demand.hosts}"
    if segment.shared != demand.shared:
        yield (
            f"beside them the lock has {_shared_text(segment)} on a leaf, the intent now gives {_shared_text(demand)}: "
            "servers would change ports"
        )


def _misfits(fabric: FabricPlan, segment: Segment, demand: NumberDemand) -> Iterator[str]:
    yield from _servers_misfit(segment, demand)
    if segment.up is not None and demand.up is not None and segment.up != demand.up:
        yield (
            f"the lock has {_up_text(segment.up)}, the intent now gives {_up_text(demand.up)}: cables would "
            "change ports"
        )
    if demand.up is not None and _was_top(segment, demand):
        yield _top_text(demand.up)
        return
    for family, run, length in (("IPv4", segment.ipv4, demand.length4), ("IPv6", segment.ipv6, demand.length6)):
        yield from _block_misfit(segment, family, run, length)
    addressing = fabric.fabric.addressing
    for family, prefix, run in (
        ("IPv4", addressing.ipv4, segment.loopback4),
        ("IPv6", addressing.ipv6, segment.loopback6),
    ):
        if prefix is not None and run is None:
            yield f"the lock has no {family} loopbacks, and the fabric now has an {family} prefix"


def _recorded(segments: tuple[Segment, ...], axis: str) -> int:
    last: int = max(getattr(segment.box, axis).last for segment in segments)
    return last + 1


def splits_differently(segments: tuple[Segment, ...], demand: NumberDemand) -> bool:
    """Return whether lines of leaves were recorded with another number of planes, among which NICs are divided."""
    return demand.tier is Tier.LEAF and _recorded(segments, "plane") != demand.planned.plane.size


def _copies_misfit(segments: tuple[Segment, ...], demand: NumberDemand) -> Iterator[str]:
    """Yield changes of planes and of units per pod since the first render.

    A unit's pod is its number divided by the units per pod: another number moves all units but those of the first pod.
    A single pod may grow, and in two tiers it may shrink: all present units keep their places.
    """
    if demand.tier is not Tier.LEAF or not segments:
        return
    units, pods, planes = (_recorded(segments, axis) for axis in ("su", "pod", "plane"))
    units_now = demand.planned.su.size
    if splits_differently(segments, demand):
        yield (
            f"the lock has {planes} plane{'s' * (planes > 1)}, the intent now gives {demand.planned.plane.size}: every "
            "NIC would connect to other planes"
        )
    if units_now != units and (pods > 1 or (units_now < units and demand.planned.pod.size > 1)):
        yield f"the lock has {units} units per pod, the intent now gives {units_now}: units would change pods"


def _block_misfit(segment: Segment, family: str, run: Blocks | None, length: int | None) -> Iterator[str]:
    if length is None:
        return
    if run is None:
        yield f"the lock has no {family} blocks, and the intent now asks for {family}"
    elif run.length > length:
        yield f"the lock reserves an {family} /{run.length} per switch, the ports now need a /{length}"
    elif segment.hosts and host_space(segment.hosts) > run.stride:
        yield (
            f"{host_space(segment.hosts)} host addresses do not fit the {family} /{run.length} that the lock "
            "reserves per leaf"
        )


def rows_disjoint(plan: Plan) -> Iterator[Problem]:
    """No two leaves use the same port row of the spines, as they may after a merge of two branches of the lock.

    Proof: a row is the number of a place over three axes of its box, one to one within a pod, and the same in all pods
    of a line. So only rows of different lines are compared, as intervals. Fabrics whose recorded lines do not fit are
    skipped, as overlaps would only follow from that.
    """
    for name, fabric in plan.fabrics.items():
        if not fits_recorded(plan, fabric):
            continue
        row_ranges: list[tuple[int, int, Segment]] = []
        for segments in fabric.segments.values():
            row_ranges += [
                (segment.row, segment.row + segment.box.size(ROW_AXES), segment)
                for segment in segments
                if segment.row is not None
            ]
        row_ranges.sort(key=lambda run: run[:2])
        for (_, end, lower), (start, _, upper) in pairwise(row_ranges):
            if start < end and not _same_units(lower, upper):
                yield Problem(
                    code="rows-overlap",
                    what=f"{lower.group or lower.tier.value} and {upper.group or upper.tier.value} of {name} both take "
                    "spine port "
                    f"group {start}",
                    where=("fabrics", name, "topology"),
                    why=f"the lock gives port groups {lower.row}-{end - 1} to one and those from {start} on to "
                    "the other: two "
                    "branches extended the fabric from the same state",
                    fix="keep the lock line that is deployed, delete the other, render again",
                )


def _same_units(one: Segment, two: Segment) -> bool:
    """Return whether two segments are the same units of other pods or planes: these use ports of other spines."""
    return (one.tier, one.group, one.box[2:]) == (two.tier, two.group, two.box[2:])
