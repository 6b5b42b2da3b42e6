"""What the lock recorded against what the intent asks now: numbers stay only where the dimensions do."""

from collections.abc import Iterator
from itertools import pairwise

from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import FabricPlan, host_space
from fabricgen.plan.place import ROW_AXES, Tier
from fabricgen.plan.plan import Plan, demands_of
from fabricgen.plan.segments import Blocks, Demand, Segment
from fabricgen.topologies.request import nearest


def recorded_fit(plan: Plan) -> Iterator[Problem]:
    """A recorded segment fits today's switches: the same slots a unit, no more host ports and no longer uplink list.

    Slots, host ports and block length are fixed at the first render; one that no longer fits would move addresses
    that are live, so it is refused with what would move. A segment of a fabric or group that is gone is a reserve.
    """
    for fabric in plan.fabrics.values():
        yield from (_moved(fabric, *found) for found in _found(fabric))


def fits(fabric: FabricPlan) -> bool:
    """Whether every recorded segment of a fabric fits; what else is counted from its places is no use where not."""
    return next(_found(fabric), None) is None


Misfit = tuple[Demand, tuple[Segment, ...], list[str]]


def _found(fabric: FabricPlan) -> Iterator[Misfit]:
    demands = {(d.tier, d.group): d for d in demands_of(fabric.shape, fabric.fabric)}
    for key, segments in fabric.segments.items():
        demand = demands.get(key)
        if demand is not None:
            whys = [why for segment in segments for why in _misfits(fabric, segment, demand)]
            if whys:
                yield demand, segments, whys


def _misfits(fabric: FabricPlan, segment: Segment, demand: Demand) -> Iterator[str]:
    if segment.slots != demand.slots:
        yield f"recorded for {segment.slots} slots a unit, the model now gives {demand.slots}: servers change leaves"
    if segment.hosts < demand.hosts:
        yield f"recorded for {segment.hosts} host ports a leaf, the model now has {demand.hosts}"
    for family, run, length in (("IPv4", segment.ipv4, demand.length4), ("IPv6", segment.ipv6, demand.length6)):
        yield from _block_misfit(segment, family, run, length)
    if (segment.loopback6 is None) != (fabric.fabric.addressing.ipv6 is None) and segment.loopback6 is None:
        yield "recorded without IPv6 loopbacks, and the fabric now has an IPv6 prefix"


def _block_misfit(segment: Segment, family: str, run: Blocks | None, length: int | None) -> Iterator[str]:
    if length is None:
        return
    if run is None:
        yield f"recorded without {family} blocks, and the intent now asks for {family}"
    elif run.length > length:
        yield f"recorded {family} blocks of /{run.length}, the ports now need a /{length}"
    elif segment.hosts and host_space(segment.hosts) > run.stride:
        yield f"{host_space(segment.hosts)} host addresses do not fit a recorded {family} block of /{run.length}"


def _moved(fabric: FabricPlan, demand: Demand, segments: tuple[Segment, ...], whys: list[str]) -> Problem:
    name = fabric.name
    count = sum(segment.box.size() for segment in segments)
    what = f"{count} recorded {demand.tier.value} places of {demand.group or name} no longer fit"
    return Problem(
        code="lock-misfit",
        what=f"{what}: their host and link addresses would move" if demand.tier is Tier.LEAF else what,
        where=_where(name, demand),
        why=" and ".join(dict.fromkeys(whys)),
        fix=f"{_fewer_spines(fabric, segments)}keep the former model and settings, or run render --renumber {name}, "
        f"which moves every number of {name}",
    )


def _fewer_spines(fabric: FabricPlan, segments: tuple[Segment, ...]) -> str:
    """Return what to write where only the uplinks of more spines find no addresses; empty where that is not it."""
    shape = fabric.shape
    runs = [(s, run) for s in segments for run in (s.ipv4, s.ipv6) if run is not None]
    room = min(((run.stride - host_space(s.hosts)) // 2 for s, run in runs), default=0)
    if not shape.uplinks_asked <= room < shape.uplinks_laid:
        return ""
    fitting = [s for s in range(1, room + 1) if shape.uplinks_on(s) <= room]
    fitting = [s for s in fitting if s >= shape.spines] or fitting
    known = " or ".join(map(str, nearest(shape.spines_planned, tuple(fitting))))
    return f"plan for {known} spines, as {room} uplinks have addresses in the recorded blocks, "


def _where(name: str, demand: Demand) -> IntentPath:
    role = {Tier.LEAF: "leaf", Tier.BORDER: "topology", Tier.SPINE: "spine", Tier.SUPERSPINE: "spine"}[demand.tier]
    return ("fabrics", name, role)


def rows_disjoint(plan: Plan) -> Iterator[Problem]:
    """No two leaves take one port row of the spines: a lock merged from two branches may say so."""
    for name, fabric in plan.fabrics.items():
        taken: list[tuple[int, int, Segment]] = []
        for segments in fabric.segments.values():
            taken += [(s.row, s.row + s.box.size(ROW_AXES), s) for s in segments if s.row is not None]
        taken.sort(key=lambda run: run[:2])
        for (_, end, one), (start, _, two) in pairwise(taken):
            if start < end and not _same_units(one, two):
                yield Problem(
                    code="rows-overlap",
                    what=f"{one.group or one.tier.value} and {two.group or two.tier.value} of {name} both take row "
                    f"{start} of the spines",
                    where=("fabrics", name, "topology"),
                    why=f"rows {one.row}-{end - 1} are recorded for one, from {start} on for the other: two branches "
                    "grew the fabric from the same point",
                    fix="keep the lock line that is rendered and live, delete the other, render again",
                )


def _same_units(one: Segment, two: Segment) -> bool:
    """The same units of another pod or plane take the same ports of the spines there."""
    return (one.tier, one.group, one.box[2:]) == (two.tier, two.group, two.box[2:])
