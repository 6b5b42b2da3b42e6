"""The designs of a backend: rail-optimized, tor and rail-only.

rail-optimized  each leaf connects one rail, or several, of every server of its scalable unit
tor             each leaf connects all rails: the switch of a rack
rail-only       rails are connected only inside the servers: leaves alone, in one unit, or with spines a plane per rail

With `rails_per_plane` the rails have planes of their own: leaves, spines and superspines that no other rail shares.
DeepSeek's multi-plane fat tree (arXiv 2505.09343) and the rail-only network (arXiv 2307.12169) have a plane per rail.
With `leaves_per_rail: 2` a rail has a pair of leaves, and each NIC a port on both. NVIDIA's Spectrum-X reference with
HGX H100: 32 servers per unit, 4 leaves of two rails, 64 ports down and 64 up. A partly filled unit still gets all its
leaves and all its leaf-spine cables (DGX B300 reference architecture).
"""

from collections import Counter
from collections.abc import Mapping

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import RailOnly, RailOptimized, Tor
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.arithmetic import divisors
from fabricgen.topologies.leaf_ports import backend_leaves, link_speed, lone_leaves, servers_a_unit
from fabricgen.topologies.nics import leaves_a_rail, rails_of
from fabricgen.topologies.pods import PodLayout, make_pods
from fabricgen.topologies.request import Request, united, units
from fabricgen.topologies.shape import EVEN, Chassis, Column, GroupShape, Shape
from fabricgen.topologies.shared_leaves import folded, sharing
from fabricgen.topologies.spine_counts import PlannedLeaves, present_leaves
from fabricgen.topologies.split import SplitInput
from fabricgen.topologies.upper import Upper, upper_tiers

Backends = RailOptimized | Tor | RailOnly


def rail_optimized(request: Request, topology: Backends) -> Shape:
    """Return the dimensions of the fabric. Raises FabricError when the ports do not allow it."""
    each = servers_a_unit(request, topology)
    shared = sharing(request, each)
    own_columns = {name: _columns(request, name, topology) for name in sorted(request.nics)}
    _check_rail_planes(request, own_columns)
    columns = folded(request, own_columns)
    rows = {name: 1 + max(column.row for column in ports) for name, ports in columns.items()}
    if request.fabric.spine is None:
        return _without_spines(request, topology, columns, SplitInput(0, EVEN, rows, each, shared))
    speed = link_speed(request, topology)
    split = SplitInput(speed, topology.oversubscription, rows, each, shared, topology.uplinks)
    groups, pods = _groups(request, backend_leaves(request, split), columns, split)
    up = len(groups[0].leaf.up)
    planned = sum(group.units_a_pod * group.leaves_a_unit for group in groups)
    leaves = PlannedLeaves(planned, up, up, present_leaves(groups))
    upper = upper_tiers(request, topology, speed, leaves, groups, pods)
    return _shape(request, topology, groups, pods, upper)


def _shape(
    request: Request, topology: Backends, groups: tuple[GroupShape, ...], pods: PodLayout, upper: Upper | None
) -> Shape:
    rail_planes = _rail_planes(request, groups[0].columns)
    bare = Shape(
        fabric=request.name,
        kind=request.fabric.kind,
        design=topology.design,
        planes=_slices(request) * rail_planes,
        pods=pods.number,
        groups=groups,
        spine=upper.spine if upper else None,
        border=None,
        ratio=topology.oversubscription,
        borders=0,
        spines=upper.spines if upper else 0,
        spines_planned=upper.spines_planned if upper else 0,
        links=len(groups[0].leaf.up) // upper.spines if upper else 0,
        rail_planes=rail_planes,
    )
    return upper.on(bare) if upper else bare


def _without_spines(
    request: Request, topology: Backends, columns: Mapping[str, tuple[Column, ...]], split: SplitInput
) -> Shape:
    _check_lone(request, topology)
    groups, pods = _groups(request, lone_leaves(request, split), columns, split)
    if sum(group.planned for group in groups if group.has_own_leaves) > 1:
        raise FabricError([_needs_spines(request, topology, groups)])
    return _shape(request, topology, groups, pods, None)


def _groups(
    request: Request, chassis: Mapping[str, Chassis], columns: Mapping[str, tuple[Column, ...]], split: SplitInput
) -> tuple[tuple[GroupShape, ...], PodLayout]:
    """Return the groups. chassis: leaf of each group with leaves of its own."""
    alone = {name: len(leaf.down) // split.rows[name] for name, leaf in chassis.items() if name not in split.shared}
    slots = {name: alone.get(name, split.each.get(name, 0)) for name in sorted(request.nics)}
    needed = {name: -(-request.servers[name].planned_slots // servers) for name, servers in slots.items()}
    together = {name: split.shared.get(name, (name,)) for name in chassis}
    planned = {name: max(needed[member] for member in members) for name, members in together.items()}
    pods = make_pods(request, planned)
    groups = []
    for owner, members in together.items():
        present = united(units(request.servers[name].slots, slots[name]) for name in members)
        first_port = first_position = 0
        for name in members:
            group = GroupShape(
                name=name,
                leaf=chassis[owner],
                nics=request.nics[name],
                columns=columns[name],
                slots_a_unit=slots[name],
                rails=1 + max(column.rail for column in columns[owner]),
                indexes=leaves_a_rail(request.fabric.topology),
                units_a_pod=pods.units[owner],
                present=present,
                planned=pods.units[owner] * pods.number,
                slots=request.servers[name].slots,
                leaves_of=owner,
                first_port=first_port,
                first_position=first_position,
            )
            groups.append(group)
            first_port, first_position = first_port + group.ports_a_leaf, first_position + slots[name]
    return tuple(sorted(groups, key=lambda group: group.name)), pods


def _columns(request: Request, name: str, topology: Backends) -> tuple[Column, ...]:
    """Return the leaf of each NIC port: ports of one rail use the leaves of a pair alternately."""
    nics, indexes = request.nics[name], leaves_a_rail(topology)
    per_leaf, per_plane = _rails_a_leaf(request, name, topology), _rails_a_plane(request, name, topology)
    rails: Counter[int] = Counter()
    rows: Counter[tuple[int, int, int]] = Counter()
    by_port: dict[int, Column] = {}
    for position, port in sorted(enumerate(nics.ports), key=lambda item: (item[1].rail, item[0])):
        plane, rail = divmod(port.rail, per_plane)
        leaf = (rail // per_leaf, rails[port.rail] % indexes, plane * _slices(request))
        by_port[position] = Column(leaf[0], leaf[1], rows[leaf], leaf[2])
        rails[port.rail] += 1
        rows[leaf] += 1
    return tuple(by_port[position] for position in range(len(nics.ports)))


def _slices(request: Request) -> int:
    """Return the planes that each NIC is divided into."""
    return max(nics.planes for nics in request.nics.values())


def _rail_planes(request: Request, columns: tuple[Column, ...]) -> int:
    """Return the number of sets of rails with planes of their own."""
    return 1 + max(column.plane for column in columns) // _slices(request)


def _rails_a_plane(request: Request, name: str, topology: Backends) -> int:
    rails = rails_of(request.nics[name])
    if isinstance(topology, RailOnly) and request.fabric.spine is not None:
        return 1
    if not isinstance(topology, RailOptimized) or topology.rails_per_plane is None:
        return rails
    per_plane, per_leaf = topology.rails_per_plane, topology.rails_per_leaf
    if rails % per_plane:
        what = f"{rails} rail{'s' * (rails > 1)} of {name} cannot be divided into planes of {per_plane}"
        why = f"each plane has the same number of rails, and {rails} is not a multiple of {per_plane}"
        possible = [number for number in divisors(rails) if number % per_leaf == 0]
    elif per_plane % per_leaf:
        what = f"a leaf serves {per_leaf} rails, and a plane has {per_plane}"
        why = "planes share no switch, so the rails of a leaf are all in one plane"
        possible = [number for number in divisors(rails) if number % per_leaf == 0]
    else:
        return per_plane
    raise FabricError([_odd_planes(request, what, why, possible)])


def _odd_planes(request: Request, what: str, why: str, possible: list[int]) -> Problem:
    return Problem(
        code="rail-planes",
        what=what,
        where=(*request.path, "topology", "rails_per_plane"),
        why=why,
        fix=f"write rails_per_plane: {' or '.join(map(str, possible))}" if possible else "remove rails_per_plane",
    )


def _check_rail_planes(request: Request, columns: Mapping[str, tuple[Column, ...]]) -> None:
    """Raise FabricError where server groups have rails for different numbers of planes."""
    planes = {name: _rail_planes(request, ports) for name, ports in columns.items()}
    (first, most), *others = planes.items()
    for name, number in others:
        if number != most:
            raise FabricError.of(
                code="rail-planes",
                what=f"rails of {first} make {most} plane{'s' * (most > 1)}, and those of {name} make {number}",
                where=(*request.path, "connects", name),
                why="every plane has leaves of every server group",
                fix=f"give {name} a fabric of its own",
            )


def _rails_a_leaf(request: Request, name: str, topology: Backends) -> int:
    rails = rails_of(request.nics[name])
    if not isinstance(topology, RailOptimized):
        return rails if isinstance(topology, Tor) else 1
    if rails % topology.rails_per_leaf:
        raise FabricError([_odd_rails(request, name, rails, topology.rails_per_leaf)])
    return topology.rails_per_leaf


def _odd_rails(request: Request, name: str, rails: int, per_leaf: int) -> Problem:
    groups = request.catalog.servers[request.servers[name].model].nics
    others = [f"{name}: {key}" for key, nics in groups.items() if rails_of(nics) % per_leaf == 0]
    return Problem(
        code="odd-rails",
        what=f"{rails} rail{'s' * (rails > 1)} of {name} cannot be split into {per_leaf} per leaf",
        where=(*request.path, "topology", "rails_per_leaf"),
        why=f"each leaf takes the same number of rails, and {rails} is not a multiple of {per_leaf}",
        fix=f"write rails_per_leaf: {' or '.join(map(str, divisors(rails)))}"
        + (f", or connect {' or '.join(others)}" if others else ""),
    )


def _check_lone(request: Request, topology: Backends) -> None:
    """Raise FabricError for keys about tiers above the leaves in a fabric without spines."""
    written = {
        "superspine": request.fabric.superspine is not None,
        "topology.spines": topology.spines is not None,
        "topology.uplinks": topology.uplinks is not None,
        "topology.uplink_gbps": topology.uplink_gbps is not None,
        "topology.oversubscription": topology.oversubscription != Ratio(1, 1),
        "topology.rails_per_plane": isinstance(topology, RailOptimized) and topology.rails_per_plane is not None,
    }
    problems = [_nothing_above(request, key) for key, is_written in written.items() if is_written]
    if problems:
        raise FabricError(problems)


def _nothing_above(request: Request, key: str) -> Problem:
    return Problem(
        code="no-spine",
        what=f"{key} is for fabrics with spines, and {request.name} has none",
        where=(*request.path, *key.split(".")),
        why="without spines leaves have no uplinks",
        fix=f"add spine:, or remove {key}",
    )


def _needs_spines(request: Request, topology: Backends, groups: tuple[GroupShape, ...]) -> Problem:
    if len(own := [group for group in groups if group.has_own_leaves]) > 1:
        names = " and ".join(group.name for group in own)
        return Problem(
            code="needs-spines",
            what=f"{names} have leaves of their own, and {request.name} has no spines to connect them",
            where=request.path,
            why="without spines a fabric is one scalable unit of one server group",
            fix=f"add a spine: model: and os:, or write {_together(request, own)}, or give each group a fabric of its "
            "own",
        )
    if len(groups) > 1:
        return _too_many_for_one(request, groups)
    group = groups[0]
    planned, most = request.servers[group.name].planned_slots, group.slots_a_unit
    room = (len(group.leaf.down) + len(group.leaf.spare)) // (len(group.leaf.down) // most)
    half = min(most, room // 2)
    if room > most:
        fewer = (
            f"write topology.servers_per_unit: {planned}"
            if planned <= room
            else f"plan for {room} with servers_per_unit: {room}"
        )
    else:
        fewer = f"plan for at most {most} servers"
    rest = f", servers_per_unit: {half}" if topology.servers_per_unit is not None and half < most else ""
    return Problem(
        code="needs-spines",
        what=f"{planned} planned servers do not fit one scalable unit, and {request.name} has no spines",
        where=request.path,
        why=f"without spines a unit has at most {most} servers, one per leaf port of each rail",
        fix=f"{fewer}, or add a spine: model: and os: (then {half} servers per unit{rest})",
    )


def _together(request: Request, groups: list[GroupShape]) -> str:
    """Return the key that puts groups on the leaves of the one with the most servers."""
    most = max(groups, key=lambda group: request.servers[group.name].planned_slots).name
    pairs = ", ".join(f"{group.name}: {most}" for group in groups if group.name != most)
    return f"shared_leaves: {{{pairs}}}"


def _too_many_for_one(request: Request, groups: tuple[GroupShape, ...]) -> Problem:
    """Return the problem of groups that share leaves of more than one unit, without spines."""
    group = next(each for each in groups if request.servers[each.name].planned_slots > each.slots_a_unit)
    planned = request.servers[group.name].planned_slots
    return Problem(
        code="needs-spines",
        what=f"{planned} planned servers of {group.name} do not fit one scalable unit, and {request.name} has no "
        "spines",
        where=request.path,
        why=f"servers_per_unit gives a unit {group.slots_a_unit} of them, and without spines there is one unit",
        fix=f"write servers_per_unit with {group.name}: {planned}, or plan for {group.slots_a_unit}, or add a spine: "
        "model: and os:",
    )
