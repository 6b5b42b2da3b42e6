"""Leaf-spine with leaves in pairs: every server has a port to both leaves of its pair; border leaves are extra.

The number of servers of a leaf depends only on its panel and the ratio, and so do the ports of the uplinks that these
need. A number of spines that does not divide these uplinks needs more, which take spare ports from the highest down. So
no present or planned number of spines moves a server, or the cable of an existing uplink.

NVIDIA's reference gives each server two ports to two switches; Juniper's inference frontend runs 3:1.
"""

from collections.abc import Iterable

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.model import NicGroup, SwitchModel
from fabricgen.hardware.ports import PanelPort, lane_ports, ports
from fabricgen.intent.fabric import Frontend, LeafSpine, leaf_switches, model_key
from fabricgen.intent.fabric import Switch as IntentSwitch
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.arithmetic import largest_split, uplinks_on
from fabricgen.topologies.leaf_ports import common_uplinks, most_uplinks, uplinks_impossible
from fabricgen.topologies.panel import cages_left_empty
from fabricgen.topologies.pods import PodLayout, make_pods
from fabricgen.topologies.request import Request, larger_switches, units
from fabricgen.topologies.server_cages import joined
from fabricgen.topologies.shape import Chassis, Column, GroupShape, Shape, with_uplinks
from fabricgen.topologies.spine_counts import PlannedLeaves, present_leaves
from fabricgen.topologies.upper import no_ports, required_spine, speeds_of, upper_tiers

LEAVES_A_UNIT = 2


def leaf_spine(request: Request, topology: LeafSpine) -> Shape:
    """Return the dimensions of the fabric. Raises FabricError when the ports do not allow it."""
    fabric, spine = request.fabric, required_spine(request)
    above = _fastest_common(request, spine)
    chassis = _leaves(request, above, topology)
    least = len(next(iter(chassis.values())).up)
    pods = make_pods(request, {name: _units(request, name, leaf) for name, leaf in sorted(chassis.items())})
    groups = tuple(_group(request, name, chassis[name], pods) for name in sorted(chassis))
    count = sum(group.units_a_pod * group.indexes for group in groups) + topology.border_leaves
    # All leaves have the same uplinks: the leaf with the fewest free cages is the limit. As many as asked for stay.
    free = min(len(_free_uplinks(leaf, above)) for leaf in chassis.values())
    most = least + free if topology.uplinks is None else least
    leaves = PlannedLeaves(count, least, most, present_leaves(groups) + topology.border_leaves)
    upper = upper_tiers(request, topology, above, leaves, groups, pods)
    uplinks, laid = uplinks_on(upper.spines, least), uplinks_on(upper.spines_planned, least)
    border = _border(request, above, (least, laid)) if topology.border_leaves else None
    bare = Shape(
        fabric=request.name,
        kind=fabric.kind,
        design=topology.design,
        planes=1,
        pods=pods.number,
        groups=tuple(g._replace(leaf=with_uplinks(_laid_out(g.leaf, above, laid), uplinks)) for g in groups),
        spine=upper.spine,
        border=with_uplinks(border, uplinks) if border is not None else None,
        ratio=topology.oversubscription,
        borders=topology.border_leaves,
        spines=upper.spines,
        spines_planned=upper.spines_planned,
        links=uplinks // upper.spines,
        uplinks_least=least,
    )
    return upper.on(bare)


def _fastest_common(request: Request, spine: IntentSwitch) -> int:
    """Return the uplink speed of the intent, else the highest common one, with whole cages on the leaves.

    Leaves of several models without such a speed in common split cages.
    """
    leaves = leaf_switches(request.fabric)
    written = request.fabric.topology.uplink_gbps if isinstance(request.fabric.topology, LeafSpine) else None
    if written is not None:
        for leaf in leaves:
            if written not in speeds_of(request.switch(leaf)):
                raise FabricError([no_ports(request, written, "leaf", leaf)])
        return written
    panels = [request.switch(leaf) for leaf in leaves]
    whole = [{run.modes[0].speed_gbps for run in panel.cages if not run.service} for panel in panels]
    leaf_speeds = set.intersection(*whole) or set.intersection(*(set(speeds_of(panel)) for panel in panels))
    if not leaf_speeds:
        raise FabricError([_unlike_leaves(request)])
    common = leaf_speeds & set(speeds_of(request.switch(spine)))
    if not common:
        raise FabricError([_no_common(request, leaf_speeds, spine)])
    core = request.fabric.superspine
    shared = common & set(speeds_of(request.switch(core))) if core is not None else common
    return max(shared or common)


def _unlike_leaves(request: Request) -> Problem:
    leaves = leaf_switches(request.fabric)
    own_speeds = (f"{leaf.model} {_speeds(speeds_of(request.switch(leaf)))}" for leaf in leaves)
    return Problem(
        code="no-common-speed",
        what=f"{' and '.join(leaf.model for leaf in leaves)} have no speed in common",
        where=(*request.path, "leaf_models"),
        why="the uplinks of all leaves have one speed, so that every spine gets the same share; ports of "
        f"{', of '.join(own_speeds)}",
        fix="write a model of a common speed for the group, or give the group a fabric of its own",
    )


def _no_common(request: Request, leaf_speeds: set[int], spine: IntentSwitch) -> Problem:
    known = " or ".join(larger_switches(request, spine, max(leaf_speeds), 1)) or "another"
    theirs = list(speeds_of(request.switch(spine)))
    return Problem(
        code="no-common-speed",
        what=f"{' and '.join(leaf.model for leaf in leaf_switches(request.fabric))} and {spine.model} have no speed in "
        "common",
        where=(*request.path, "spine", "model"),
        why=f"unsplit ports of the leaf run at {_speeds(leaf_speeds)}, ports of the spine at {_speeds(theirs)}",
        fix=f"write spine.model: {known}, or another leaf",
    )


def _speeds(speeds: Iterable[int]) -> str:
    return " or ".join(f"{speed}G" for speed in sorted(speeds))


def _leaves(request: Request, above: int, topology: LeafSpine) -> dict[str, Chassis]:
    """Return the leaf chassis by server group. All have the same uplinks, so that every pair has the same links."""
    ratio = topology.oversubscription
    needed = {name: _split(request, name, nics.speed_gbps, above, ratio) for name, nics in sorted(request.nics.items())}
    uplinks = topology.uplinks or common_uplinks(request, needed)
    if topology.uplinks is not None and uplinks > (most := _most_uplinks(request, above)):
        raise FabricError([uplinks_impossible(request, uplinks, (1, most), above)])
    chassis = {}
    for name, nics in sorted(request.nics.items()):
        switch, up_ports = request.switch(request.leaf(name)), _uplink_ports(request, name, above)[-uplinks:]
        taken = {port.cage for port in up_ports}
        free = tuple(port for port in server_ports(request, name) if port.cage not in taken)
        most, rows = ratio.down * uplinks * above // (ratio.up * nics.speed_gbps), port_rows(nics)
        if len(free[:most]) < rows:  # another group needs more uplinks
            left = len(free[:most])
            raise FabricError([_no_room(request, name, (left, rows), (nics.speed_gbps, above), ratio)])
        chassis[name] = request.chassis(
            request.leaf(name),
            down=free[:most],
            up=up_ports,
            spare=(*free[most:], *_spare_uplinks(switch, above, (*free[:most], *up_ports), free[most:])),
        )
    return chassis


def _uplink_ports(request: Request, name: str, above: int) -> tuple[PanelPort, ...]:
    """Return the ports of a group's leaf that can be uplinks."""
    return _whole(ports(request.switch(request.leaf(name)), above))


def _most_uplinks(request: Request, above: int) -> int:
    """Return the most uplinks that leave each leaf the ports of one server; 0 where none do."""
    every = {name: _uplink_ports(request, name, above) for name in request.nics}

    def has_room(name: str, count: int) -> bool:
        taken = {port.cage for port in every[name][-count:]}
        free = sum(port.cage not in taken for port in server_ports(request, name))
        return free >= port_rows(request.nics[name])

    return most_uplinks(request, min(map(len, every.values())), has_room)


def _free_uplinks(chassis: Chassis, above: int) -> tuple[PanelPort, ...]:
    """Return the ports that further uplinks can use, in this order: whole unused cages of the uplinks' speed."""
    return _spare_uplinks(chassis.switch, above, (*chassis.down, *chassis.up))


def _laid_out(chassis: Chassis, above: int, laid: int) -> Chassis:
    """Return the chassis with ports reserved for so many uplinks; these are no longer spare."""
    reserved = _free_uplinks(chassis, above)[: laid - len(chassis.up)]
    taken = {port.cage for port in reserved} | cages_left_empty(chassis.switch, reserved)
    spare = tuple(port for port in chassis.spare if port.cage not in taken)
    return chassis._replace(reserved=reserved, spare=spare)


def _spare_uplinks(
    switch: SwitchModel, above: int, used: tuple[PanelPort, ...], known: tuple[PanelPort, ...] = ()
) -> tuple[PanelPort, ...]:
    """Return unused whole cages of the uplinks' speed, highest first, without those already known as spare."""
    taken = {port.cage for port in used} | cages_left_empty(switch, (*used, *known))
    known_ports = {port[1:] for port in known}
    whole = (port for port in ports(switch, above) if port.parts == 1)
    return tuple(port for port in whole if port.cage not in taken and port[1:] not in known_ports)[::-1]


def _split(request: Request, name: str, below: int, above: int, ratio: Ratio) -> int:
    """Return the fewest uplinks that let a leaf have the most server ports within its ratio."""
    candidates = _uplink_ports(request, name, above)
    candidates_below = server_ports(request, name)

    def free(count: int) -> int:
        taken = {port.cage for port in candidates[-count:]}
        return sum(port.cage not in taken for port in candidates_below)

    most, uplinks = largest_split(len(candidates), free, ratio, below, above)
    rows = port_rows(request.nics[name])
    if not candidates_below:
        raise FabricError([_no_server_port(request, name, below)])
    if most < rows:
        raise FabricError([_no_room(request, name, (most, rows), (below, above), ratio)])
    return uplinks


def _no_server_port(request: Request, name: str, below: int) -> Problem:
    switch = request.switch(request.leaf(name))
    speeds = sorted({mode.speed_gbps for run in switch.cages for mode in run.modes})
    return Problem(
        code="no-port-of-speed",
        what=f"{switch.model} has no {below}G port for {name}",
        where=(*request.path, "connects", name),
        why=f"its cages support {', '.join(f'{s}G' for s in speeds)}",
        fix=f"choose a leaf with {below}G ports, or another NIC group",
    )


def _no_room(request: Request, name: str, ports_: tuple[int, int], speeds: tuple[int, int], ratio: Ratio) -> Problem:
    model, (most, needed), (below, above) = request.leaf(name).model, ports_, speeds
    return Problem(
        code="ratio-impossible",
        what=f"a leaf {model} at {ratio.down}:{ratio.up} has {most} ports for {name}, and one server needs {needed}",
        where=(*request.path, "topology", "oversubscription"),
        why=f"{ratio.down}:{ratio.up} with uplinks of {above}G leaves no other cages for {below}G ports",
        fix=f"write a larger ratio than {ratio.down}:{ratio.up}, or a "
        f"{'.'.join(model_key(request.fabric, 'leaf', model))} with more ports",
    )


def port_rows(nics: NicGroup) -> int:
    """Return the ports of one server on one leaf of its pair."""
    return -(-len(nics.ports) // min(len(nics.ports), LEAVES_A_UNIT))


def server_ports(request: Request, name: str) -> tuple[PanelPort, ...]:
    """Return the ports for servers on a group's leaves: cages made for the speed, else whole ones with the NIC's lanes.

    Split cages come last: half of a 200G cage is 100G on two lanes, and a NIC with four lanes of 25G cannot connect to
    it. Where no medium connects these ports to the NIC, another split that one connects.
    """
    nics = request.nics[name]
    switch, speed = request.switch(request.leaf(name)), nics.speed_gbps
    is_native = any(run.modes[0].speed_gbps == speed for run in switch.cages if not run.service)
    lanes = () if is_native else lane_ports(switch, speed, nics.connector)
    return joined(request.catalog.media, switch, nics, lanes or _whole(ports(switch, speed)))


def _whole(every: tuple[PanelPort, ...]) -> tuple[PanelPort, ...]:
    """Return only the whole cages where the panel has some at this speed: split cages stay free for other uses."""
    whole = tuple(port for port in every if port.parts == 1)
    return whole or every


def _units(request: Request, name: str, chassis: Chassis) -> int:
    """Return the planned units of a server group."""
    return -(-request.servers[name].planned_slots // (len(chassis.down) // port_rows(request.nics[name])))


def _group(request: Request, name: str, chassis: Chassis, pods: PodLayout) -> GroupShape:
    nics: NicGroup = request.nics[name]
    indexes = min(len(nics.ports), LEAVES_A_UNIT)
    slots = len(chassis.down) // port_rows(nics)
    servers = request.servers[name]
    return GroupShape(
        name=name,
        leaf=chassis,
        nics=nics,
        columns=tuple(Column(0, port % indexes, port // indexes) for port in range(len(nics.ports))),
        slots_a_unit=slots,
        rails=1,
        indexes=indexes,
        units_a_pod=pods.units[name],
        present=units(servers.slots, slots),
        planned=pods.units[name] * pods.number,
        slots=servers.slots,
        leaves_of=name,
    )


def _border_ports(request: Request, border: IntentSwitch, needs: tuple[int, int, int]) -> Problem:
    above, uplinks, have = needs
    known = " or ".join(larger_switches(request, border, above, uplinks)) or "another model"
    return Problem(
        code="border-ports",
        what=f"border leaf {border.model} has {have} unsplit {above}G cages, and the leaves have {uplinks} uplinks",
        where=(*request.path, "border", "model"),
        why="leaves and border leaves have the same number of links to each spine",
        fix=f"write border.model: {known}, or remove border: to use the leaf's model",
    )


def _border(request: Request, above: int, needs: tuple[int, int]) -> Chassis:
    """Return a border leaf with ports for all planned uplinks. `needs`: uplinks for the ratio, and planned ones."""
    least, laid = needs
    fabric = request.fabric
    border = (fabric.border if isinstance(fabric, Frontend) else None) or fabric.leaf
    switch = request.switch(border)
    every = _whole(ports(switch, above))
    if len(every) < laid:
        raise FabricError([_border_ports(request, border, (above, laid, len(every)))])
    # As on the leaves: first the uplinks that the ratio needs, then further ones from the highest port down.
    up_ports = (*every[-least:], *every[:-least][::-1][: laid - least])
    taken = {port.cage for port in up_ports}
    native = max(run.modes[0].speed_gbps for run in switch.cages if not run.service)
    lowest = min(run.modes[0].speed_gbps for run in switch.cages if not run.service)
    outside = _whole(ports(switch, lowest if lowest != native else native))
    down = tuple(port for port in outside if port.cage not in taken)
    spare = _spare_uplinks(switch, above, (*down, *up_ports))
    return request.chassis(border, down=down, up=up_ports, spare=spare)
