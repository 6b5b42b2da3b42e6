"""The axes of a fabric and their interchangeable values.

    axis      values                              interchangeable within
    plane     slices of the NICs, sets of rails   the fabric
    pod       pods                                the fabric
    unit      units of all groups                 a pod; units on the same leaves are exchanged together
    column    leaves of a unit                    a block of units of a pod
    row       NICs of a server at one leaf        a leaf of a unit, in all planes
    slot      servers of a unit                   a unit
    spine     spine numbers                       a plane
    turn      parallel links of leaf and spine    blocks of units, columns and spines
    core      superspines of a core group         a plane and spine number
    core turn parallel links above a spine        a block of pods, a block of superspines

Every exchange within such a set maps links to links and cages to cages, and changes nothing that an exception names.
Therefore it maps a failure to one that costs the same. Values that share a cage are exchanged together (`blocks.py`).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, cast

from fabricgen.failures.blocks import Blocks, Cage, Value, by_cages
from fabricgen.failures.links import AnyLink, by_cage, cage_of_nic, turn_of, unit_of
from fabricgen.failures.network import Network, bound_links
from fabricgen.failures.parts import HostLink, Unit, Wire
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import group_of, pod_exists
from fabricgen.plan.place import Place, Tier
from fabricgen.topologies.shape import Chassis, GroupShape

UnitValue = tuple[str, int]
"""Server group and number of a unit in its pod. The border leaves are a unit without a group."""
Column = tuple[int, int]
"""Rail and index of a leaf in its unit."""
BORDER: UnitValue = ("", 0)


class Spot(NamedTuple):
    """Coordinates of a link, a switch or a server; None for coordinates that it does not have."""

    plane: int | None = None
    pod: int | None = None
    unit: UnitValue | None = None
    slot: int | None = None
    column: Column | None = None
    row: int | None = None
    spine: int | None = None
    turn: int | None = None
    core: int | None = None
    core_turn: int | None = None

    def at(self, axis: str, value: Value) -> "Spot":
        """Return this spot with another value on one axis."""
        return self._replace(**{axis: value})


AXES = Spot._fields


class Axes:
    """The blocks of each axis of a fabric at any spot."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._fabric, self._shape = network.fabric, network.fabric.shape
        self._known: dict[Hashable, Blocks] = {}
        self._columns = {group.name: _columns(group) for group in self._shape.groups}
        self._owner_of = {"": "", **{group.name: group.leaves_of for group in self._shape.groups}}
        self._axes: dict[str, tuple[Callable[[Spot], Hashable], Callable[[Spot], Blocks]]] = {
            "plane": (lambda spot: (), self._plane_blocks),
            "pod": (lambda spot: (), self._pod_blocks),
            "unit": (lambda spot: spot.pod, self._unit_blocks),
            "slot": (self._slot_key, self._slot_blocks),
            "column": (self._column_key, self._column_blocks),
            "row": (self._row_key, self._row_blocks),
            "spine": (lambda spot: spot.plane, self._spine_blocks),
            "turn": (self._turn_key, self._turn_blocks),
            "core": (lambda spot: (spot.plane, spot.spine), self._core_blocks),
            "core_turn": (self._core_turn_key, self._core_turn_blocks),
        }

    # Values that exceptions name.

    @cached_property
    def _pins(self) -> dict[str, set[tuple[Any, ...]]]:
        """Values that an exception names, by axis, each with the values of the axes that it lies within."""
        pins: dict[str, set[tuple[Any, ...]]] = {axis: set() for axis in AXES}
        for spot in self._named():
            for axis in AXES:
                if getattr(spot, axis) is not None:
                    pins[axis].add(self._pin(axis, spot))
        return pins

    @staticmethod
    def _pin(axis: str, spot: Spot) -> tuple[Any, ...]:
        steps = {
            "plane": ("plane",),
            "pod": ("pod",),
            "unit": ("pod", "unit"),
            "slot": ("pod", "unit", "slot"),
            "column": ("pod", "unit", "column"),
            "row": ("pod", "unit", "column", "row"),
            "spine": ("plane", "spine"),
            "turn": ("plane", "pod", "unit", "column", "spine", "turn"),
            "core": ("plane", "spine", "core"),
            "core_turn": ("plane", "pod", "spine", "core", "core_turn"),
        }[axis]
        return tuple(getattr(spot, step) for step in steps)

    def _named(self) -> Iterator[Spot]:
        network = self.network
        for place in network.dead | network.drained:
            yield self.switch(place)
        for links in network.down.values():
            yield from (self.link(link) for link in links)
        for numbers_by_lower in (network.dead_uplinks, network.drained_links):
            yield from (
                self.link(Wire(lower, number)) for lower, numbers in numbers_by_lower.items() for number in numbers
            )
        for place, link in bound_links(self._fabric):
            yield self.switch(place)
            yield self.link(link)

    # Conversions between parts and spots.

    def switch(self, place: Place) -> Spot:
        """Return the coordinates of a switch."""
        if place.tier is Tier.SUPERSPINE:
            return Spot(plane=place.plane, spine=place.su, core=place.index)
        if place.tier is Tier.SPINE:
            return Spot(plane=place.plane, pod=place.pod, spine=place.index)
        unit, column = (place.group, place.su), (place.rail, place.index)
        return Spot(plane=place.plane, pod=place.pod, unit=unit, column=column)

    def server(self, group: str, slot: int) -> Spot:
        """Return the coordinates of a server."""
        shape = group_of(self._fabric, group)
        unit = unit_of(shape, slot)
        return Spot(pod=unit.pod, unit=(group, unit.su), slot=slot % shape.slots_a_unit)

    def link(self, link: AnyLink) -> Spot:
        """Return the coordinates of a link."""
        if isinstance(link, HostLink):
            column = group_of(self._fabric, link.group).columns[link.nic]
            spot = self.server(link.group, link.slot)
            return spot._replace(plane=link.plane, column=(column.rail, column.index), row=column.row)
        index, turn = turn_of(self._fabric, link)
        if link.lower.tier is Tier.SPINE:
            return self.switch(link.lower)._replace(core=index, core_turn=turn)
        return self.switch(link.lower)._replace(spine=index, turn=turn)

    def unit(self, spot: Spot) -> Unit:
        """Return the unit at a spot."""
        group, su = cast(UnitValue, spot.unit)
        return Unit(cast(int, spot.pod), group, su)

    def place(self, spot: Spot, tier: Tier) -> Place:
        """Return the switch of a tier at a spot."""
        name, plane, pod = self._fabric.name, spot.plane or 0, spot.pod or 0
        if tier is Tier.SUPERSPINE:
            return Place(name, tier, "", plane, 0, cast(int, spot.spine), 0, cast(int, spot.core))
        if tier is Tier.SPINE:
            return Place(name, tier, "", plane, pod, 0, 0, cast(int, spot.spine))
        (group, su), (rail, index) = cast(UnitValue, spot.unit), cast(Column, spot.column)
        return Place(name, Tier.LEAF if group else Tier.BORDER, self._owner_of[group], plane, pod, su, rail, index)

    def has_own_leaves(self, spot: Spot) -> bool:
        """Return whether the leaves of the unit at a spot belong to it."""
        group, _ = cast(UnitValue, spot.unit)
        return self._owner_of[group] == group

    def host_at(self, spot: Spot) -> HostLink:
        """Return the server link at a spot."""
        group, slot = self.server_at(spot)
        plane = spot.plane or 0
        nics = group_of(self._fabric, group).nics_at(plane, *cast(Column, spot.column))
        return HostLink(plane, group, slot, nics[cast(int, spot.row)])

    def server_at(self, spot: Spot) -> SlotKey:
        """Return the server at a spot."""
        unit = self.unit(spot)
        group = group_of(self._fabric, unit.group)
        number = unit.pod * group.units_a_pod + unit.su
        return SlotKey(unit.group, number * group.slots_a_unit + cast(int, spot.slot))

    def wire_at(self, spot: Spot) -> Wire:
        """Return the uplink at a spot."""
        shape = self._shape
        if spot.core is not None:
            return Wire(self.place(spot, Tier.SPINE), cast(int, spot.core_turn) * shape.cores + spot.core)
        return Wire(self.place(spot, Tier.LEAF), cast(int, spot.turn) * shape.spines + cast(int, spot.spine))

    # Alike values.

    def blocks(self, axis: str, spot: Spot) -> Blocks:
        """Return the blocks of an axis at a spot. The spot must have the coordinates that the axis lies within."""
        key_of, make = self._axes[axis]
        key = axis, key_of(spot)
        if key not in self._known:
            self._known[key] = make(spot)
        return self._known[key]

    def _is_pinned(self, axis: str, spot: Spot, value: Any) -> bool:  # noqa: ANN401 - of any axis
        return self._pin(axis, spot.at(axis, value)) in self._pins[axis]

    def _plane_blocks(self, spot: Spot) -> Blocks:
        """Return the planes. With planes of rails, those that share a NIC or a cage of it are exchanged together."""
        tables: list[list[Cage]] = []
        for group in self._shape.groups if self._shape.rail_planes > 1 else ():
            ports = [
                (nic, (plane, (column[:2], column.row)))
                for nic, column in enumerate(group.columns)
                for plane in group.planes_of(nic)
            ]
            rail_of = self._rail_of(group)
            tables += [
                [_by_plane(cage) for cage in _cages((port, cage_of_nic(group, nic)) for nic, port in ports)],
                [_by_plane(cage) for cage in _cages((port, rail_of[nic]) for nic, port in ports)],
            ]
        return by_cages(range(self._shape.planes), tables, pinned=lambda value: self._is_pinned("plane", spot, value))

    @cached_property
    def pods(self) -> list[int]:
        """Pods that are present."""
        return [pod for pod in range(self._shape.pods) if pod_exists(self._fabric, pod)]

    def _pod_blocks(self, spot: Spot) -> Blocks:
        return by_cages(
            self.pods,
            (self._core_down,),
            lambda pod: self._content(cast(int, pod)),
            lambda pod: self._is_pinned("pod", spot, pod),
        )

    def _content(self, pod: int) -> Hashable:
        return tuple((unit, self._present(pod, unit)) for unit in self.units(pod))

    def units(self, pod: int) -> list[UnitValue]:
        """Return the units of a pod, border leaves first."""
        return self._units_by_pod.get(pod, [])

    @cached_property
    def _units_by_pod(self) -> dict[int, list[UnitValue]]:
        units_by_pod: dict[int, list[UnitValue]] = {}
        if self._shape.borders:
            units_by_pod[0] = [BORDER]
        for unit in sorted(self.network.slots):
            units_by_pod.setdefault(unit.pod, []).append((unit.group, unit.su))
        return units_by_pod

    def _present(self, pod: int, unit: UnitValue) -> tuple[int, ...]:
        """Return the positions of a unit with a present server."""
        if unit == BORDER:
            return ()
        shape = group_of(self._fabric, unit[0])
        return tuple(sorted(slot % shape.slots_a_unit for slot in self.network.slots[Unit(pod, *unit)]))

    @cached_property
    def _core_down(self) -> list[Cage]:
        """Cages of the downlinks of a superspine as (pod, turn)."""
        core = self._shape.core
        if core is None or not self._shape.cores:
            return []
        stride = len(core.down) // self._shape.core_links
        ports = {
            (pod, turn): core.down[turn * stride + pod].cage
            for pod in self.pods
            for turn in range(self._shape.core_links)
            if pod < stride
        }
        return _cages(ports.items())

    def _unit_blocks(self, spot: Spot) -> Blocks:
        pod = cast(int, spot.pod)
        return by_cages(
            self.units(pod),
            (self._spine_down_by_unit, self._shared(pod)),
            lambda unit: (cast(UnitValue, unit)[0], self._present(pod, cast(UnitValue, unit))),
            lambda unit: self._is_pinned("unit", spot, unit) or self._mixes_spine,
        )

    def _shared(self, pod: int) -> list[Cage]:
        """Return units on the same leaves as if they shared a cage: they are exchanged together."""
        return _cages(
            (((name, su), name), (self._owner_of[name], su))
            for name, su in self.units(pod)
            if len(self._shape.sharing(self._owner_of[name])) > 1
        )

    @cached_property
    def _mixes_spine(self) -> bool:
        return self._shape.spine is not None and _mixed(self._shape.spine)

    @cached_property
    def _spine_down(self) -> dict[tuple[UnitValue, Column, int], int]:
        """(unit, column, turn) → cage at a spine."""
        spine, links = self._shape.spine, self._shape.links
        if spine is None or not self._shape.spines:
            return {}
        stride = len(spine.down) // links
        cages = {}
        for row, place in self._fabric.rows.items():
            for turn in range(links if row < stride else 0):
                key = (place.group, place.su), (place.rail, place.index), turn
                cages[key] = spine.down[turn * stride + row].cage
        return cages

    @cached_property
    def _spine_down_by_unit(self) -> list[Cage]:
        return _cages(((unit, (column, turn)), cage) for (unit, column, turn), cage in self._spine_down.items())

    def _block(self, axis: str, spot: Spot) -> tuple[Any, ...]:
        """Return the values of the block that contains a spot on an axis."""
        blocks = self.blocks(axis, spot)
        seat = blocks.seat(getattr(spot, axis))
        return blocks.block(seat.label, seat.block)

    def _column_key(self, spot: Spot) -> Hashable:
        return spot.pod, self._block("unit", spot), self._owner_of[cast(UnitValue, spot.unit)[0]]

    def _column_blocks(self, spot: Spot) -> Blocks:
        """Return the columns of a block of units. All units exchange them together: they may share cages at a spine.

        Of units on the same leaves too, as these are exchanged with all servers on them.
        """
        units, name = self._block("unit", spot), self._owner_of[cast(UnitValue, spot.unit)[0]]
        groups = self._shape.sharing(name) if name else ()
        all_rows = [self._columns[group.name] for group in groups] or [
            {(0, index): set[int]() for index in range(self._shape.borders)}
        ]
        is_pinned = len({self._owner_of[group] for group, _ in units}) > 1 or self._mixes_spine
        down = (
            ((column, (units.index(unit), turn)), cage)
            for (unit, column, turn), cage in self._spine_down.items()
            if unit in units and unit[0] == name
        )
        return by_cages(
            sorted({column for rows in all_rows for column in rows}),
            (_cages(down), *(table for group in groups for table in self._server_tables(group))),
            lambda column: tuple(tuple(sorted(rows.get(cast(Column, column), ()))) for rows in all_rows),
            lambda column: (
                is_pinned or any(self._is_pinned("column", spot._replace(unit=unit), column) for unit in units)
            ),
        )

    def _rail_of(self, group: GroupShape) -> list[int]:
        rail_of = [0] * len(group.columns)
        for rail, nics in enumerate(self.network.rails[group.name].ports):
            for nic in nics:
                rail_of[nic] = rail
        return rail_of

    def _row_key(self, spot: Spot) -> Hashable:
        pins = [pin for pin in self._pins["row"] if pin[:3] == (spot.pod, spot.unit, spot.column)]
        return cast(UnitValue, spot.unit)[0], spot.column, tuple(sorted(pins))

    def _row_blocks(self, spot: Spot) -> Blocks:
        """Return the rows of a leaf: alike if no exchange changes the server's cages and rails, or the leaf's cages."""
        column = cast(Column, spot.column)
        group = group_of(self._fabric, cast(UnitValue, spot.unit)[0])
        rows = sorted(self._columns[group.name][column])
        tables = [[_rows(cage, column) for cage in table] for table in self._server_tables(group)]
        tables.append(_cages(((row, slot), cage) for (row, slot), cage in _host_cages(group, column).items()))
        blocks = by_cages(rows, tables, joined=[rows], pinned=lambda row: self._is_row_pinned(group, spot, row))
        symmetric = len(rows) > 1 and blocks.seat(rows[0]).alike > 1
        return Blocks([(tuple(rows), ("rows", symmetric), symmetric)])

    def _is_row_pinned(self, group: GroupShape, spot: Spot, row: Hashable) -> bool:
        return _mixed(group.leaf) or self._is_pinned("row", spot, row)

    def _server_tables(self, group: GroupShape) -> list[list[Cage]]:
        port_values = [(column[:2], (column.row, column.plane)) for column in group.columns]
        return [
            _cages((value, cage_of_nic(group, nic)) for nic, value in enumerate(port_values)),
            _cages((port_values[nic], rail) for nic, rail in enumerate(self._rail_of(group))),
        ]

    def _slot_key(self, spot: Spot) -> Hashable:
        unit = cast(UnitValue, spot.unit)
        pins = [pin for pin in self._pins["slot"] if pin[:2] == (spot.pod, unit)]
        return unit[0], self._present(cast(int, spot.pod), unit), tuple(sorted(pins))

    def _slot_blocks(self, spot: Spot) -> Blocks:
        unit = cast(UnitValue, spot.unit)
        group = group_of(self._fabric, unit[0])
        present = self._present(cast(int, spot.pod), unit)
        slots = set(present)
        tables = [
            _cages(((slot, row), cage) for (row, slot), cage in _host_cages(group, column).items() if slot in slots)
            for column in sorted(self._columns[group.name])
        ]
        return by_cages(present, tables, pinned=lambda slot: _mixed(group.leaf) or self._is_pinned("slot", spot, slot))

    def _spine_blocks(self, spot: Spot) -> Blocks:
        mixed = any(map(_mixed, self._leaf_chassis))
        return by_cages(
            range(self._shape.spines),
            [self._leaf_up(chassis) for chassis in self._leaf_chassis],
            pinned=lambda spine: mixed or self._is_pinned("spine", spot, spine),
        )

    @cached_property
    def _leaf_chassis(self) -> list[Chassis]:
        leaves = [group.leaf for group in self._shape.leaf_groups]
        return leaves + ([self._shape.border] if self._shape.border is not None else [])

    def _leaf_up(self, chassis: Chassis) -> list[Cage]:
        """Return the cages of the uplinks of a leaf as (spine, turn)."""
        spines = self._shape.spines
        return _cages(((number % spines, number // spines), port.cage) for number, port in enumerate(chassis.up))

    def _turn_key(self, spot: Spot) -> Hashable:
        units, columns, spines = (self._block(axis, spot) for axis in ("unit", "column", "spine"))
        pins = [
            pin
            for pin in self._pins["turn"]
            if pin[:2] == (spot.plane, spot.pod) and pin[2] in units and pin[3] in columns and pin[4] in spines
        ]
        return units, columns, spines, tuple(sorted(pins))

    def _turn_blocks(self, spot: Spot) -> Blocks:
        units, columns, spines, pins = cast(tuple[Any, Any, Any, Any], self._turn_key(spot))
        groups = sorted({self._owner_of[group] for group, _ in units})
        leaves = [group_of(self._fabric, name).leaf if name else self._shape.border for name in groups]
        tables = [self._leaf_up(leaf) for leaf in leaves if leaf is not None]
        down = (((("c", unit, column), turn), cage) for (unit, column, turn), cage in self._spine_down.items())
        # Spines and leaves are identified by their numbers in the blocks, which are equal in alike blocks.
        numbers: dict[Value, Value] = {spine: number for number, spine in enumerate(spines)}
        numbers |= {("c", unit, column): (i, j) for i, unit in enumerate(units) for j, column in enumerate(columns)}
        is_pinned = self._mixes or len(groups) > 1
        return _turns(range(self._shape.links), [*tables, _cages(down)], numbers, {pin[-1] for pin in pins}, is_pinned)

    @cached_property
    def _mixes(self) -> bool:
        return self._mixes_spine or any(map(_mixed, self._leaf_chassis))

    def _core_blocks(self, spot: Spot) -> Blocks:
        return by_cages(
            range(self._shape.cores),
            (self._spine_up,),
            pinned=lambda core: self._mixes_spine or self._is_pinned("core", spot, core),
        )

    @cached_property
    def _spine_up(self) -> list[Cage]:
        """Cages of the uplinks of a spine as (superspine, turn)."""
        spine, cores = self._shape.spine, self._shape.cores
        if spine is None or not cores:
            return []
        return _cages(((number % cores, number // cores), port.cage) for number, port in enumerate(spine.up))

    def _core_turn_key(self, spot: Spot) -> Hashable:
        pods, cores = self._block("pod", spot), self._block("core", spot)
        pins = [
            pin
            for pin in self._pins["core_turn"]
            if (pin[0], pin[2]) == (spot.plane, spot.spine) and pin[1] in pods and pin[3] in cores
        ]
        return pods, cores, tuple(sorted(pins))

    def _core_turn_blocks(self, spot: Spot) -> Blocks:
        pods, cores, pins = cast(tuple[Any, Any, Any], self._core_turn_key(spot))
        pod_cages = [frozenset((("pod", pod), turn) for pod, turn in cage) for cage in self._core_down]
        core_cages = [frozenset((("core", core), turn) for core, turn in cage) for cage in self._spine_up]
        numbers = {("pod", pod): number for number, pod in enumerate(pods)}
        numbers |= {("core", core): number for number, core in enumerate(cores)}
        return _turns(
            range(self._shape.core_links), [pod_cages, core_cages], numbers, {pin[4] for pin in pins}, self._mixes_spine
        )


def _turns(
    turns: range, tables: list[list[Cage]], numbers: dict[Any, Any], pinned: set[Any], all_pinned: bool
) -> Blocks:
    """Return the blocks of parallel links. Links with equal cages are alike, unless a cage has two of them.

    numbers  value → its number in its block, for the blocks that the links connect
    pinned   turns that an exception names; all_pinned: no turn is alike to another
    """
    forms: dict[int, list[Hashable]] = {turn: [] for turn in turns}
    for table_number, table in enumerate(tables):
        for cage in table:
            links = [(numbers[value], turn) for value, turn in cage if value in numbers]
            cage_turns = {turn for _, turn in links}
            all_pinned = all_pinned or len(cage_turns) > 1
            for turn in cage_turns:
                forms[cast(int, turn)].append((table_number, frozenset(value for value, _ in links)))
    return Blocks(
        ((turn,), ("pinned", turn) if all_pinned or turn in pinned else frozenset(forms[turn]), False) for turn in turns
    )


def _cages(links: Iterable[tuple[tuple[Any, Any], Any]]) -> list[Cage]:
    """Return the cages of some links, each given as ((value, other coordinates), key of its cage)."""
    return [frozenset(cage_links) for cage_links in by_cage((cage, link) for link, cage in links).values()]


def _by_plane(cage: Cage) -> Cage:
    """Return a cage of a server by plane; its links are numbered if they are at several leaves or rows.

    Then no exchange of two of its planes is an exchange of its links alone, and one link stands for the cage.
    """
    if len({leaf for _, leaf in cage}) == 1:
        return cage
    ordered = sorted(cage, key=lambda link: cast(tuple[int, Any], link))
    return frozenset((plane, (leaf, number)) for number, (plane, leaf) in enumerate(ordered))


def _rows(cage: Cage, own_column: tuple[int, int]) -> Cage:
    """Return a cage of a server by the rows of one column; its links at other columns are another coordinate."""
    other_links = frozenset(link for link in cage if link[0] != own_column)
    own_links = (cast(tuple[int, int], link[1]) for link in cage if link[0] == own_column)
    return frozenset((row, (plane, other_links)) for row, plane in own_links)


def _columns(group: GroupShape) -> dict[tuple[int, int], set[int]]:
    rows_by_column: dict[tuple[int, int], set[int]] = {}
    for column in group.columns:
        rows_by_column.setdefault((column.rail, column.index), set()).add(column.row)
    return rows_by_column


def _host_cages(group: GroupShape, column: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Return (row, slot) → cage at a leaf."""
    rows = _columns(group)[column]
    slots = group.slots_a_unit
    return {(row, slot): group.down[row * slots + slot].cage for row in rows for slot in range(slots)}


def _mixed(chassis: Chassis) -> bool:
    """Return whether a cage has both uplinks and downlinks."""
    return not {port.cage for port in chassis.down}.isdisjoint(port.cage for port in chassis.up)
