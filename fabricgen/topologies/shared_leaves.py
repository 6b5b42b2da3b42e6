"""Leaves that several server groups share (`shared_leaves`): servers and storage nodes of a site on one pair of leaves.

A unit then holds so many servers of each group, and its leaves have ports for all of them: first those of the group to
which the leaves belong, then those of each other, in cages of its own. The numbers of ports are fixed by
`servers_per_unit`, so no group's growth moves a port or an address of another.

NetApp's AIPod (NVA-1173, on NVIDIA's DGX BasePOD) connects DGX systems and storage to two Ethernet switches in all:
docs.netapp.com/us-en/netapp-solutions-ai, infra/ai-aipod-nv-architecture. Its DGX SuperPOD (NVA-1175) has a pair of
leaves for each, which needs no such key.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.hardware.ports import PanelPort, ports
from fabricgen.intent.fabric import Backend, leaves_of, model_key
from fabricgen.topologies.arithmetic import uplinks_for
from fabricgen.topologies.panel import usable_ports
from fabricgen.topologies.request import Request
from fabricgen.topologies.shape import Chassis, Column
from fabricgen.topologies.split import SplitInput, port_speed, server_ports, units_text


def owners(request: Request) -> tuple[str, ...]:
    """Return the server groups with leaves of their own, sorted."""
    return tuple(name for name in sorted(request.nics) if leaves_of(request.fabric, name) == name)


def sharing(request: Request, each: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """Return the groups on shared leaves, by the one that these belong to, which is the first.

    each  servers per unit, by server group. Raises FabricError for groups that cannot share leaves.
    """
    shared = request.fabric.shared_leaves if isinstance(request.fabric, Backend) else {}
    problems = [
        problem
        for group, other in sorted(shared.items())
        for problem in (_unknown(request, group, other) or _not_theirs(request, shared, group, other))
    ]
    if problems:
        raise FabricError(problems)
    recorded = {name: position for position, name in enumerate(request.recorded.sharing)}
    together: dict[str, tuple[str, ...]] = {}
    for name in sorted(shared, key=lambda name: (recorded.get(name, len(recorded)), name)):
        together[shared[name]] = (*together.get(shared[name], (shared[name],)), name)
    missing = [name for names in together.values() for name in names if name not in each]
    if missing:
        raise FabricError([_no_units(request, each, together, missing)])
    return together


def _unknown(request: Request, group: str, other: str) -> tuple[Problem, ...]:
    """Return the problems of names that are no groups of the fabric."""
    return tuple(
        Problem(
            code="unknown-name",
            what=f"{name} is not a server group of {request.name}",
            where=(*request.path, "shared_leaves", group),
            why=f"the fabric connects {', '.join(sorted(request.nics))}",
            fix=did_you_mean(name, request.nics),
        )
        for name in dict.fromkeys((group, other))
        if name not in request.nics
    )


def _not_theirs(request: Request, shared: Mapping[str, str], group: str, other: str) -> Iterator[Problem]:
    """Yield what keeps a group from the leaves of another: that one has none, or another model is asked for."""
    where = (*request.path, "shared_leaves", group)
    if other in shared:
        end = shared[other]
        yield Problem(
            code="shared-leaves",
            what=f"{group} cannot share leaves of {other}: {other} has none of its own",
            where=where,
            why=f"shared_leaves puts {other} on the leaves of {end}",
            fix=f"write {group}: {end}" if end not in (group, other) else f"remove {group}",
        )
    units = request.fabric.topology.units_per_pod
    if isinstance(units, dict) and units.get(group, units.get(other)) != units.get(other):
        yield Problem(
            code="shared-leaves",
            what=f"units_per_pod has another number for {group} than for {other}, whose leaves it shares",
            where=(*request.path, "topology", "units_per_pod", group),
            why="a unit is a set of leaves, with the servers of all groups on them",
            fix=f"remove {group} from units_per_pod",
        )
    if group in request.fabric.leaf_models:
        yield Problem(
            code="shared-leaves",
            what=f"leaf_models has a model for the leaves of {group}, which shares those of {other}",
            where=(*request.path, "leaf_models", group),
            why="a leaf has one model, that of the group to which it belongs",
            fix=f"remove {group} from leaf_models, or from shared_leaves",
        )


def _no_units(
    request: Request, each: Mapping[str, int], together: Mapping[str, tuple[str, ...]], missing: list[str]
) -> Problem:
    names = [name for group in together.values() for name in group]
    numbers = {**each, **{name: each.get(name, request.servers[name].planned_slots) for name in names}}
    return Problem(
        code="shared-leaves",
        what=f"servers_per_unit of {request.name} does not have {' and '.join(missing)}",
        where=(*request.path, "topology", *(("servers_per_unit",) if each else ())),
        why="groups that share leaves divide the ports among them: each needs its number of servers per scalable unit",
        fix=f"write servers_per_unit: {units_text(numbers)}, or fewer of each",
    )


def folded(request: Request, columns: Mapping[str, tuple[Column, ...]]) -> dict[str, tuple[Column, ...]]:
    """Return the columns, those of a group on the leaves of another folded onto these.

    A group with more rails than the leaves have spreads them in turn: of eight ports on two leaves, the even ones are
    on the first. Raises FabricError where the leaves would get different numbers of them.
    """
    result = dict(columns)
    for name, own in columns.items():
        owner = leaves_of(request.fabric, name)
        have, wanted = _rails(columns[owner]), _rails(own)
        if owner == name or have == wanted:
            continue
        if wanted % have or request.fabric.kind != "storage":
            raise FabricError([_other_rails(request, name, (wanted, have))])
        rows: Counter[tuple[int, int, int]] = Counter()
        onto = []
        for column in own:
            leaf = (column.rail % have, column.index, column.plane)
            onto.append(Column(leaf[0], leaf[1], rows[leaf], leaf[2]))
            rows[leaf] += 1
        result[name] = tuple(onto)
    return result


def _rails(columns: tuple[Column, ...]) -> int:
    return 1 + max(column.rail for column in columns)


def _other_rails(request: Request, name: str, rails: tuple[int, int]) -> Problem:
    owner, (wanted, have) = leaves_of(request.fabric, name), rails
    is_storage = request.fabric.kind == "storage"
    return Problem(
        code="shared-leaves",
        what=f"{name} needs {wanted} lea{'ves' if wanted > 1 else 'f'} a unit, and {owner} has {have}",
        where=(*request.path, "shared_leaves", name),
        why="each leaf takes as many ports of a server as the others"
        if is_storage
        else "on a backend each leaf has the rails of its GPUs, the same for all groups on it",
        fix=f"connect a NIC group of {name} with {have} ports{' or a multiple' * is_storage}, or remove {name} here",
    )


def shared_uplinks(request: Request, owner: str, split: SplitInput) -> int:
    """Return the uplinks that the ratio asks for with all servers of a unit."""
    capacity = sum(split.each[name] * split.rows[name] * port_speed(request.nics[name]) for name in split.shared[owner])
    return uplinks_for(capacity, split.ratio, 1, split.above)


def shared_down(
    request: Request, owner: str, up: tuple[PanelPort, ...], split: SplitInput
) -> tuple[tuple[PanelPort, ...], ...] | None:
    """Return the ports of each group on a leaf with these uplinks; None where there are too few."""
    switch, taken = request.switch(request.leaf(owner)), up
    groups = []
    for name in split.shared[owner]:
        down = usable_ports(switch, server_ports(request, name), taken)[: split.each[name] * split.rows[name]]
        if len(down) < split.each[name] * split.rows[name]:
            return None
        groups.append(down)
        taken = (*taken, *down)
    return tuple(groups)


def shared_chassis(request: Request, owner: str, up: tuple[PanelPort, ...], split: SplitInput) -> Chassis:
    """Return the leaf of the groups that share it. Raises FabricError with numbers that fit it."""
    groups = shared_down(request, owner, up, split)
    if groups is None or (up and shared_uplinks(request, owner, split) > len(up)):
        raise FabricError([_no_room(request, owner, split)])
    down = tuple(port for ports_of_group in groups for port in ports_of_group)
    return request.chassis(request.leaf(owner), down=down, up=up, spare=_spare(request, owner, (groups, up), split))


def _spare(
    request: Request,
    owner: str,
    used: tuple[tuple[tuple[PanelPort, ...], ...], tuple[PanelPort, ...]],
    split: SplitInput,
) -> tuple[PanelPort, ...]:
    """Return the unused ports: of each group's speed, and of the uplinks'. No cage is listed with two speeds."""
    switch, (groups, up) = request.switch(request.leaf(owner)), used
    down = tuple(port for ports_of_group in groups for port in ports_of_group)
    spare: list[PanelPort] = []
    candidates = [
        (server_ports(request, name), tuple(port for port in (*down, *up) if port not in own))
        for name, own in zip(split.shared[owner], groups, strict=True)
    ]
    if split.above:
        candidates.append((ports(switch, split.above), (*down, *up)))
    for every, others in candidates:
        known = {port.cage for port in spare}
        free = usable_ports(switch, every, others)
        spare += [port for port in free if port not in down and port.cage not in known]
    return tuple(spare)


def _no_room(request: Request, owner: str, split: SplitInput) -> Problem:
    names, model = split.shared[owner], request.leaf(owner).model
    asked = " and ".join(f"{split.each[name]} of {name}" for name in names)
    need = ", ".join(f"{split.each[name] * split.rows[name]} x {port_speed(request.nics[name])}G" for name in names)
    above = f", and uplinks of {split.above}G at {split.ratio.down}:{split.ratio.up}" if split.above else ""
    fits = _largest(request, owner, split)
    written = f"write servers_per_unit: {units_text(fits)}, or " if fits else ""
    return Problem(
        code="unit-too-large",
        what=f"servers of a unit do not fit a leaf {model}: {asked}",
        where=(*request.path, "topology", "servers_per_unit"),
        why=f"a leaf that they share needs ports for {need}{above}",
        fix=f"{written}choose a {'.'.join(model_key(request.fabric, 'leaf', model))} with more ports",
    )


def _largest(request: Request, owner: str, split: SplitInput) -> dict[str, int]:
    """Return servers per unit that fit: fewer of the group to which the leaves belong; empty where none do."""
    every = ports(request.switch(request.leaf(owner)), split.above) if split.above else ()
    for servers in range(split.each[owner] - 1, 0, -1):
        fewer = split._replace(each={**split.each, owner: servers})
        up = shared_uplinks(request, owner, fewer) if split.above else 0
        if up <= len(every) and shared_down(request, owner, every[len(every) - up :], fewer) is not None:
            return {name: fewer.each[name] for name in sorted(fewer.each)}
    return {}
