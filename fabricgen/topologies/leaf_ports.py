"""The leaves of a backend: which ports are downlinks and uplinks, by server group.

Every leaf of a pod has the same number of uplinks of the same speed, so that every leaf-spine pair has the same links,
whatever its servers' speed: leaves of 200G, 400G and 800G NICs are the same switch model with other breakouts. A server
group may have leaves of another model (`leaf_models`), with as many uplinks. Uplinks are the last ports of the panel,
server ports the first in cages that no uplink uses.
"""

from collections.abc import Callable, Mapping

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.ports import PanelPort, ports
from fabricgen.intent.fabric import BackendTiers, RailOptimized, leaf_switches, model_key
from fabricgen.topologies.arithmetic import largest_split, uplinks_for
from fabricgen.topologies.panel import usable_ports
from fabricgen.topologies.request import Request, larger_switches, unknown_groups
from fabricgen.topologies.shape import Chassis
from fabricgen.topologies.shared_leaves import owners, shared_chassis, shared_down, shared_uplinks
from fabricgen.topologies.split import SplitInput, port_speed, server_ports, units_text
from fabricgen.topologies.upper import no_ports


def link_speed(request: Request, topology: BackendTiers) -> int:
    """Return Gb/s of the links above the leaves. Raises FabricError where NICs differ and the intent has no speed."""
    speeds = sorted({port_speed(nics) for nics in request.nics.values()})
    if topology.uplink_gbps is not None:
        return topology.uplink_gbps
    if len(speeds) > 1:
        speed_list = " and ".join(f"{s}G" for s in speeds)
        raise FabricError.of(
            code="mixed-speeds",
            what=f"fabric {request.name} connects NICs of {speed_list}",
            where=(*request.path, "connects"),
            why="all uplinks to shared spines have one speed; it must be written, so that another generation "
            "of servers does not change it",
            fix=f"write topology.uplink_gbps: {_uplink_speeds(request, speeds)}, or give each speed a fabric "
            "of its own",
        )
    return speeds[0]


def _uplink_speeds(request: Request, speeds: list[int]) -> str:
    """Return the speeds to suggest: only the recorded one where there is one, as another would move every cable."""
    recorded = request.recorded.uplink_gbps
    return f"{recorded}, as recorded" if recorded else " or ".join(map(str, speeds))


def servers_a_unit(request: Request, topology: BackendTiers) -> Mapping[str, int]:
    """Return servers per unit for the groups that the intent lists. Raises FabricError for unconnected groups."""
    servers_per_unit = topology.servers_per_unit
    if not isinstance(servers_per_unit, dict):
        return dict.fromkeys(request.nics, servers_per_unit) if servers_per_unit is not None else {}
    problems = unknown_groups(request, "servers_per_unit", servers_per_unit)
    if problems:
        raise FabricError(problems)
    return servers_per_unit


def lone_leaves(request: Request, split: SplitInput) -> dict[str, Chassis]:
    """Return the leaf of each server group in a fabric without spines: every port is a server port."""
    return {name: _chassis(request, name, (), split) for name in owners(request)}


def backend_leaves(request: Request, split: SplitInput) -> dict[str, Chassis]:
    """Return the leaf of each group with leaves of its own, all with the same uplinks. Raises FabricError: no room."""
    candidates = {name: _uplink_ports(request, name, split.above) for name in owners(request)}
    names = tuple(name for name in candidates if split.asked is None or name in split.each)
    needs = {name: _uplinks(request, name, candidates[name], split) for name in names}
    if split.asked is None:
        of_units = [needs[name] for name in names if name in split.each]
        open_needs = {name: up for name, up in needs.items() if name not in split.each}
        uplinks = max([*of_units, common_uplinks(request, open_needs)])
    else:
        uplinks, least = split.asked, max(needs.values(), default=1)
        most = _most_uplinks(request, candidates, split)
        if not least <= uplinks <= most:
            raise FabricError([uplinks_impossible(request, uplinks, (least, most), split.above)])
    short = next((name for name, every in candidates.items() if len(every) < uplinks), None)
    if short is not None:
        raise FabricError([_too_few_uplinks(request, short, (len(candidates[short]), uplinks), split.above)])
    up = {name: every[len(every) - uplinks :] for name, every in candidates.items()}
    return {name: _chassis(request, name, up[name], split) for name in up}


def common_uplinks(request: Request, needs: Mapping[str, int]) -> int:
    """Return the uplinks of all leaves of a fabric, of those that each group's leaf needs for the most servers.

    Of leaves of one model the most that any needs; of several models the fewest of these, as every leaf has as many
    uplinks and a smaller model has no room for those of a larger one.
    """
    by_model: dict[str, int] = {}
    for name, up in needs.items():
        model = request.leaf(name).model
        by_model[model] = max(up, by_model.get(model, 0))
    return min(by_model.values(), default=1)


def _uplink_ports(request: Request, name: str, above: int) -> tuple[PanelPort, ...]:
    """Return the ports of a group's leaf that can be uplinks."""
    leaf = request.leaf(name)
    candidates = ports(request.switch(leaf), above)
    if not candidates:
        raise FabricError([no_ports(request, above, "leaf", leaf)])
    return candidates


def _most_uplinks(request: Request, candidates: Mapping[str, tuple[PanelPort, ...]], split: SplitInput) -> int:
    """Return the most uplinks that leave each leaf the ports of a unit's servers, or of one server; 0 where none do."""

    def has_room(name: str, count: int) -> bool:
        if name not in candidates:
            return True  # its servers are on leaves of another group, which counts them
        up = candidates[name][-count:]
        if name in split.shared:
            return shared_down(request, name, up, split) is not None
        free = usable_ports(request.switch(request.leaf(name)), server_ports(request, name), up)
        return len(free) >= split.each.get(name, 1) * split.rows[name]

    return most_uplinks(request, min(map(len, candidates.values())), has_room)


def most_uplinks(request: Request, ports_: int, has_room: Callable[[str, int], bool]) -> int:
    """Return the most uplinks, of so many ports, with which a leaf has room for its servers; 0 where none do.

    has_room  (server group, uplinks) → whether a leaf of the group has ports left for the servers that it must hold
    """
    counts = range(ports_, 0, -1)
    return next((count for count in counts if all(has_room(name, count) for name in request.nics)), 0)


def uplinks_impossible(request: Request, asked: int, limits: tuple[int, int], above: int) -> Problem:
    """Return the problem of uplinks that a leaf cannot have. limits: the fewest and the most that it can."""
    least, most = limits
    model = " or ".join(leaf.model for leaf in leaf_switches(request.fabric))
    why = (
        f"the servers of a unit need at least {least} within the ratio"
        if asked < least
        else f"its other ports are for the servers of a unit: there is room for {most}"
    )
    return Problem(
        code="uplinks-impossible",
        what=f"a leaf {model} cannot have {asked} uplinks of {above}G",
        where=(*request.path, "topology", "uplinks"),
        why=why,
        fix=f"write uplinks: {least}{f' to {most}' if least < most else ''}, or remove uplinks",
    )


def _uplinks(request: Request, name: str, candidates: tuple[PanelPort, ...], split: SplitInput) -> int:
    """Return the uplinks that a leaf of a group needs for its servers; if these are open, the fewest for the most."""
    if name in split.shared:
        return min(shared_uplinks(request, name, split), len(candidates))
    below, ratio = port_speed(request.nics[name]), split.ratio
    below_ports = server_ports(request, name)
    if name in split.each:
        return min(uplinks_for(split.each[name] * split.rows[name], ratio, below, split.above), len(candidates))
    switch = request.switch(request.leaf(name))

    def free(count: int) -> int:
        return len(usable_ports(switch, below_ports, candidates[-count:]))

    return largest_split(len(candidates), free, ratio, below, split.above).up


def _free(request: Request, name: str, up: tuple[PanelPort, ...], split: SplitInput) -> tuple[PanelPort, ...]:
    """Return the ports not used by these uplinks that a leaf can give to servers within its ratio."""
    free = usable_ports(request.switch(request.leaf(name)), server_ports(request, name), up)
    if not up:
        return free
    return free[: split.ratio.down * len(up) * split.above // (split.ratio.up * port_speed(request.nics[name]))]


def _chassis(request: Request, name: str, up: tuple[PanelPort, ...], split: SplitInput) -> Chassis:
    if name in split.shared:
        return shared_chassis(request, name, up, split)
    leaf, rows = request.leaf(name), split.rows[name]
    switch = request.switch(leaf)
    free = _free(request, name, up, split)
    servers = split.each.get(name, len(free) // rows)
    if not servers or servers * rows > len(free):
        raise FabricError([_no_room(request, name, split)])
    down = free[: servers * rows]
    unused = tuple(port for port in usable_ports(switch, server_ports(request, name), up) if port not in down)
    is_mixed = bool(up) and port_speed(request.nics[name]) != split.above
    other = usable_ports(switch, ports(switch, split.above), (*down, *up)) if is_mixed else ()
    cages = {port.cage for port in unused}
    spare = (*unused, *(port for port in other if port.cage not in cages))
    return request.chassis(leaf, down=down, up=up, spare=spare)


def _no_room(request: Request, name: str, split: SplitInput) -> Problem:
    rows = split.rows[name]
    if name not in split.each:
        return _too_small(request, name, len(server_ports(request, name)), rows)
    switch, bare = request.switch(request.leaf(name)), split._replace(each={})
    uplink_ports = ports(switch, split.above) if split.above else ()
    most = (
        max(
            len(_free(request, name, uplink_ports[position:], bare))
            for position in (range(len(uplink_ports)) if uplink_ports else (0,))
        )
        // rows
    )
    asked = split.each[name]
    written = f"write servers_per_unit: {units_text({**split.each, name: most})}, or " if most else ""
    above = f" at {split.ratio.down}:{split.ratio.up} with uplinks of {split.above}G" if split.above else ""
    return Problem(
        code="unit-too-large",
        what=f"{asked} servers of {name} do not fit in a unit: a leaf {switch.model} has ports for {most}",
        where=(*request.path, "topology", "servers_per_unit"),
        why=f"{rows} port{'s' if rows > 1 else ''} per server make {asked * rows}, and{above} it has {most * rows}",
        fix=f"{written}choose a {'.'.join(model_key(request.fabric, 'leaf', switch.model))} with more ports",
    )


def _too_few_uplinks(request: Request, name: str, ports_: tuple[int, int], above: int) -> Problem:
    """Return the problem of a leaf model without the ports of the uplinks that another group's leaves need."""
    leaf, (have, needed) = request.leaf(name), ports_
    key = ".".join(model_key(request.fabric, "leaf", leaf.model))
    known = " or ".join(larger_switches(request, leaf, above, needed + 1)) or f"a model with more than {needed} ports"
    return Problem(
        code="leaf-too-small",
        what=f"{leaf.model} has {have} ports of {above}G, and leaves have {needed} uplinks",
        where=(*request.path, *model_key(request.fabric, "leaf", leaf.model)),
        why="servers_per_unit of another group needs so many, and all leaves have the same number",
        fix=f"write {key}: {known}, or smaller numbers in topology.servers_per_unit",
    )


def _too_small(request: Request, name: str, ports_: int, per_leaf: int) -> Problem:
    topology = request.fabric.topology
    speed = port_speed(request.nics[name])
    least = per_leaf if request.fabric.spine is None else 2 * per_leaf
    leaf = request.leaf(name)
    key = model_key(request.fabric, "leaf", leaf.model)
    known = " or ".join(larger_switches(request, leaf, speed, least)) or f"a model with at least {least} ports"
    is_chosen = isinstance(topology, RailOptimized) and per_leaf > 1
    return Problem(
        code="leaf-too-small",
        what=f"{leaf.model} has {ports_} ports of {speed}G, too few for {per_leaf} rails per leaf",
        where=(*request.path, *key),
        why=f"a leaf needs one port per rail, and as many uplinks: {least} ports",
        fix=f"write {'.'.join(key)}: {known}" + (", or rails_per_leaf: 1" if is_chosen else ""),
    )
