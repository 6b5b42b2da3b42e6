"""The leaves of a backend: how many ports go down and up, by server group, and which.

Every leaf of a pod has the same number of uplinks of the same speed, so that every leaf-spine pair has the same links,
whatever its servers' speed: a leaf of 200G NICs, one of 400G and one of 800G are the same box with other breakouts.
Uplinks are the last ports of the panel, ports to servers the first in cages that no uplink takes.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.hardware.model import NicGroup
from fabricgen.hardware.ports import PanelPort, ports
from fabricgen.intent.fabric import BackendTiers, RailOnly, RailOptimized
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.arithmetic import most_down, uplinks_for
from fabricgen.topologies.panel import beside
from fabricgen.topologies.request import Request, larger_switches
from fabricgen.topologies.server_cages import joined
from fabricgen.topologies.shape import Chassis
from fabricgen.topologies.upper import no_ports


class SplitInput(NamedTuple):
    """What a leaf is split by.

    above  Gb/s of an uplink
    rows   ports of one server on a leaf, by server group
    each   servers of a unit, by server group; one left out: as many as the leaf has ports for
    """

    above: int
    ratio: Ratio
    rows: Mapping[str, int]
    each: Mapping[str, int]


def port_speed(nics: NicGroup) -> int:
    """Gb/s of one link of a NIC: of its slice of a plane."""
    return nics.speed_gbps // nics.planes


def link_speed(request: Request, topology: BackendTiers) -> int:
    """Gb/s of the links above the leaves. Raises FabricError where NICs differ and the intent does not say."""
    speeds = sorted({port_speed(nics) for nics in request.nics.values()})
    if topology.uplink_gbps is not None:
        return topology.uplink_gbps
    if len(speeds) > 1:
        told = " and ".join(f"{s}G" for s in speeds)
        raise FabricError(
            [
                Problem(
                    code="mixed-speeds",
                    what=f"fabric {request.name} connects NICs of {told}",
                    where=(*request.path, "connects"),
                    why="its leaves share their spines, so all uplinks have one speed, and only one that is written "
                    "stays when another generation of servers comes",
                    fix=f"write topology.uplink_gbps: {_uplink_speeds(request, speeds)}, or give each speed a fabric "
                    "of its own",
                )
            ]
        )
    return speeds[0]


def _uplink_speeds(request: Request, speeds: list[int]) -> str:
    """Speeds that may be written: the recorded one alone where there is one, as another moves every cable."""
    recorded = request.standing.uplink_gbps
    return f"{recorded}, as recorded" if recorded else " or ".join(map(str, speeds))


def servers_a_unit(request: Request, topology: BackendTiers | RailOnly) -> Mapping[str, int]:
    """Servers of a unit by the groups that the intent says it of. Raises FabricError for one that is not connected."""
    asked = topology.servers_per_unit
    if not isinstance(asked, dict):
        return dict.fromkeys(request.nics, asked) if asked is not None else {}
    problems = [
        Problem(
            code="unknown-name",
            what=f"{name} is not a server group of {request.name}",
            where=(*request.path, "topology", "servers_per_unit", name),
            why=f"the fabric connects {', '.join(sorted(request.nics))}",
            fix=did_you_mean(name, request.nics),
        )
        for name in asked
        if name not in request.nics
    ]
    if problems:
        raise FabricError(problems)
    return asked


def lone_leaves(request: Request, rows: Mapping[str, int], each: Mapping[str, int]) -> dict[str, Chassis]:
    """Leaf by server group where nothing stands above: every port is a server's."""
    split = SplitInput(0, Ratio(1, 1), rows, each)
    return {name: _chassis(request, name, (), split) for name in sorted(request.nics)}


def backend_leaves(request: Request, split: SplitInput) -> dict[str, Chassis]:
    """Leaf by server group, all with the same uplinks. Raises FabricError where the panel has no room."""
    switch = request.switch(request.fabric.leaf)
    candidates = ports(switch, split.above)
    if not candidates:
        raise FabricError([no_ports(request, split.above, "leaf", request.fabric.leaf)])
    uplinks = max(_uplinks(request, name, candidates, split) for name in sorted(request.nics))
    up = candidates[len(candidates) - uplinks :]
    return {name: _chassis(request, name, up, split) for name in sorted(request.nics)}


def _uplinks(request: Request, name: str, candidates: tuple[PanelPort, ...], split: SplitInput) -> int:
    """Uplinks that a leaf of a group asks: for so many servers, else the fewest that let it take the most."""
    below, ratio = port_speed(request.nics[name]), split.ratio
    every = _server_ports(request, name)
    if name in split.each:
        asked = uplinks_for(split.each[name] * split.rows[name], below, split.above, ratio.down, ratio.up)
        return min(asked, len(candidates))
    switch = request.switch(request.fabric.leaf)

    def within(count: int) -> int:
        return ratio.down * count * split.above // (ratio.up * below)

    def free(count: int) -> int:
        return len(beside(switch, every, candidates[-count:]))

    most = most_down(len(candidates), free, within)
    return uplinks_for(most, below, split.above, ratio.down, ratio.up)


def _server_ports(request: Request, name: str) -> tuple[PanelPort, ...]:
    speed, leaf = port_speed(request.nics[name]), request.fabric.leaf
    found = ports(request.switch(leaf), speed)
    if not found:
        raise FabricError([no_ports(request, speed, "leaf", leaf)])
    return joined(request.catalog.media, request.switch(leaf), request.nics[name], found)


def _free(request: Request, name: str, up: tuple[PanelPort, ...], split: SplitInput) -> tuple[PanelPort, ...]:
    """Ports beside these uplinks that a leaf may give to servers within its ratio."""
    free = beside(request.switch(request.fabric.leaf), _server_ports(request, name), up)
    if not up:
        return free
    return free[: split.ratio.down * len(up) * split.above // (split.ratio.up * port_speed(request.nics[name]))]


def _chassis(request: Request, name: str, up: tuple[PanelPort, ...], split: SplitInput) -> Chassis:
    leaf, rows = request.fabric.leaf, split.rows[name]
    switch = request.switch(leaf)
    free = _free(request, name, up, split)
    servers = split.each.get(name, len(free) // rows)
    if not servers or servers * rows > len(free):
        raise FabricError([_no_room(request, name, split)])
    down = free[: servers * rows]
    left = tuple(port for port in beside(switch, _server_ports(request, name), up) if port not in down)
    is_mixed = bool(up) and port_speed(request.nics[name]) != split.above
    other = beside(switch, ports(switch, split.above), (*down, *up)) if is_mixed else ()
    cages = {port.cage for port in left}
    return Chassis(
        switch=switch,
        asic=request.asic(leaf),
        system=leaf.os,
        down=down,
        up=up,
        spare=(*left, *(port for port in other if port.cage not in cages)),
    )


def _no_room(request: Request, name: str, split: SplitInput) -> Problem:
    rows = split.rows[name]
    if name not in split.each:
        return _too_small(request, name, len(_server_ports(request, name)), rows)
    switch, bare = request.switch(request.fabric.leaf), split._replace(each={})
    every = ports(switch, split.above) if split.above else ()
    most = max(len(_free(request, name, every[at:], bare)) for at in (range(len(every)) if every else (0,))) // rows
    asked = split.each[name]
    written = f"write servers_per_unit: {_units_text({**split.each, name: most})}, or " if most else ""
    above = f" at {split.ratio.down}:{split.ratio.up} with uplinks of {split.above}G" if split.above else ""
    return Problem(
        code="unit-too-large",
        what=f"{asked} servers of {name} do not fit a unit: a leaf {switch.model} takes {most}",
        where=(*request.path, "topology", "servers_per_unit"),
        why=f"{rows} port{'s' if rows > 1 else ''} a server need {asked * rows}, and{above} it has {most * rows}",
        fix=f"{written}choose a leaf.model with more ports",
    )


def _units_text(each: Mapping[str, int]) -> str:
    """Servers of a unit as the intent says them: one number, or a number by group."""
    one, *others = each.values()
    return f"{one}" if not others else f"{{{', '.join(f'{name}: {number}' for name, number in each.items())}}}"


def _too_small(request: Request, name: str, ports_: int, per_leaf: int) -> Problem:
    topology = request.fabric.topology
    speed = port_speed(request.nics[name])
    least = per_leaf if request.fabric.spine is None else 2 * per_leaf
    known = (
        " or ".join(larger_switches(request, request.fabric.leaf, speed, least))
        or f"a model with at least {least} ports"
    )
    is_chosen = isinstance(topology, RailOptimized) and per_leaf > 1
    return Problem(
        code="leaf-too-small",
        what=f"{request.fabric.leaf.model} has {ports_} ports of {speed}G, too few for {per_leaf} rails per leaf",
        where=(*request.path, "leaf", "model"),
        why=f"a leaf needs one port per rail, and as many uplinks: {least} ports",
        fix=f"write leaf.model: {known}" + (", or rails_per_leaf: 1" if is_chosen else ""),
    )
