"""Rail-optimized, two tiers: each leaf takes one rail, or two, of every server of its scalable unit.

NVIDIA's Spectrum-X reference with HGX H100: 32 servers a unit, 4 leaves of two rails, 64 ports down and 64 up.
A partly filled unit still gets all its leaves and all its leaf-spine cables (DGX B300 reference architecture).
"""

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.model import NicGroup
from fabricgen.hardware.ports import ports
from fabricgen.intent.fabric import RailOptimized, Switch
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.arithmetic import split_even
from fabricgen.topologies.request import Leaves, Request, check_spines, larger_switches, planned_slots, units
from fabricgen.topologies.shape import Chassis, Column, GroupShape, Shape


def rail_optimized(request: Request, topology: RailOptimized) -> Shape:
    """Dimensions of the fabric. Raises FabricError when the ports do not allow it."""
    fabric, per_leaf = request.fabric, topology.rails_per_leaf
    speed = _one_speed(request)
    chassis = _leaf(request, speed, per_leaf)
    groups = tuple(_group(request, name, chassis, per_leaf) for name in sorted(request.nics))
    spine, standing, planned = None, 0, 0
    if fabric.spine is not None:
        below = ports(request.switch(fabric.spine), speed)
        if not below:
            raise FabricError([_no_ports(request, speed, "spine", fabric.spine)])
        spine = Chassis(
            switch=request.switch(fabric.spine),
            asic=request.asic(fabric.spine),
            system=fabric.spine.os,
            down=below,
            up=(),
        )
        count, up = sum(group.planned * group.rails for group in groups), len(chassis.up)
        standing, planned = check_spines(request, topology.spines, Leaves(count, up, up), len(below), groups)
    elif sum(group.planned for group in groups) > 1:
        raise FabricError([_needs_spines(request, groups)])
    return Shape(
        fabric=request.name,
        kind=fabric.kind,
        design=topology.design,
        planes=1,
        pods=1,
        groups=groups,
        spine=spine,
        border=None,
        ratio=Ratio(1, 1),
        borders=0,
        spines=standing,
        spines_planned=planned,
        links=len(chassis.up) // standing if standing else 0,
    )


def _one_speed(request: Request) -> int:
    speeds = {nics.speed_gbps // nics.planes for nics in request.nics.values()}
    if len(speeds) > 1:
        raise FabricError(
            [
                Problem(
                    code="mixed-speeds",
                    what=f"fabric {request.name} connects NICs of {' and '.join(f'{s}G' for s in sorted(speeds))}",
                    where=(*request.path, "connects"),
                    why="a 1:1 rail-optimized fabric runs one speed from NIC to spine",
                    fix="give each speed a fabric of its own",
                )
            ]
        )
    return speeds.pop()


def _leaf(request: Request, speed: int, per_leaf: int) -> Chassis:
    leaf = request.fabric.leaf
    every = ports(request.switch(leaf), speed)
    if not every:
        raise FabricError([_no_ports(request, speed, "leaf", leaf)])
    if request.fabric.spine is None:
        down, up, spare = len(every) - len(every) % per_leaf, 0, len(every)
    else:
        split = split_even(len(every), 1, 1)
        down, up, spare = split.down - split.down % per_leaf, split.up, split.down
    if not down:
        raise FabricError([_too_small(request, speed, len(every), per_leaf)])
    return Chassis(
        switch=request.switch(leaf),
        asic=request.asic(leaf),
        system=leaf.os,
        down=every[:down],
        up=every[spare : spare + up],
        spare=(*every[down:spare], *every[spare + up :]),
    )


def _no_ports(request: Request, speed: int, role: str, switch: Switch) -> Problem:
    model = request.switch(switch)
    speeds = sorted({mode.speed_gbps for run in model.cages if not run.service for mode in run.modes})
    known = " or ".join(larger_switches(request, speed, 1)) or "a model"
    return Problem(
        code="no-port-of-speed",
        what=f"{model.model} has no port of {speed}G",
        where=(*request.path, role, "model"),
        why=f"1:1 is one speed from NIC to spine; its cages offer {', '.join(f'{s}G' for s in speeds)}",
        fix=f"write {role}.model: {known} with {speed}G ports, or connect NICs of one of those speeds",
    )


def _too_small(request: Request, speed: int, ports_: int, per_leaf: int) -> Problem:
    least = per_leaf if request.fabric.spine is None else 2 * per_leaf
    known = " or ".join(larger_switches(request, speed, least)) or f"a model with at least {least} ports"
    return Problem(
        code="leaf-too-small",
        what=f"{request.fabric.leaf.model} has {ports_} ports of {speed}G, too few for {per_leaf} rails a leaf",
        where=(*request.path, "leaf", "model"),
        why=f"a leaf needs a port a rail, and as many uplinks: {least} ports",
        fix=f"write leaf.model: {known}" + (", or rails_per_leaf: 1" if per_leaf > 1 else ""),
    )


def _group(request: Request, name: str, chassis: Chassis, per_leaf: int) -> GroupShape:
    nics: NicGroup = request.nics[name]
    slots = len(chassis.down) // per_leaf
    if len(nics.ports) % per_leaf:
        raise FabricError([_odd_rails(request, name, len(nics.ports), per_leaf)])
    servers = request.servers[name]
    count = -(-planned_slots(servers) // slots)
    return GroupShape(
        name=name,
        leaf=chassis,
        nics=nics,
        columns=tuple(Column(port.rail // per_leaf, 0, port.rail % per_leaf) for port in nics.ports),
        slots_a_unit=slots,
        rails=len(nics.ports) // per_leaf,
        indexes=1,
        units_a_pod=count,
        present=units(servers.slots, slots),
        planned=count,
        slots=servers.slots,
    )


def _odd_rails(request: Request, name: str, rails: int, per_leaf: int) -> Problem:
    return Problem(
        code="odd-rails",
        what=f"{rails} rails of {name} do not divide over leaves of {per_leaf}",
        where=(*request.path, "topology", "rails_per_leaf"),
        why=f"each leaf takes the same number of rails, and {rails} is no multiple of {per_leaf}",
        fix=f"write rails_per_leaf: 1, or connect NICs of {rails - 1} or {rails + 1} rails",
    )


def _needs_spines(request: Request, groups: tuple[GroupShape, ...]) -> Problem:
    if len(groups) > 1:
        return _needs_spines_between(request, groups)
    most, paired = groups[0].slots_a_unit, groups[0].slots_a_unit // 2
    asked = planned_slots(request.servers[groups[0].name])
    return Problem(
        code="needs-spines",
        what=f"{asked} planned servers do not fit one scalable unit, and {request.name} has no spines",
        where=request.path,
        why=f"without spines a unit holds {most} servers, one for each port of a leaf and rail",
        fix=f"plan for at most {most} servers, or add a spine: model: and os: (then {paired} servers a unit)",
    )


def _needs_spines_between(request: Request, groups: tuple[GroupShape, ...]) -> Problem:
    names = " and ".join(group.name for group in groups)
    return Problem(
        code="needs-spines",
        what=f"{names} have leaves of their own, and {request.name} has no spines to join them",
        where=request.path,
        why="without spines a fabric is one scalable unit of one server group",
        fix="add a spine: model: and os:, or give each group a fabric of its own",
    )
