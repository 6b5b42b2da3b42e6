"""Which port is connected to which: cables between tiers, and a leaf's ports towards servers, by place alone."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.scalars import Span
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, place_exists, row_of
from fabricgen.plan.place import Place, Tier
from fabricgen.topologies.shape import GroupShape


class Uplink(NamedTuple):
    """One cable from a switch to the tier above it.

    number  uplink of the lower switch, from 0; the lower switch owns the link's addresses
    """

    number: int
    lower: Place
    upper: Place
    lower_port: PanelPort
    upper_port: PanelPort


class HostPort(NamedTuple):
    """One port of a leaf towards servers. `present` is False for a reserved one: numbered, without a server.

    number  host port of the leaf, from 0; the leaf owns the link's addresses
    nic     NIC port of the server, in the order of its hardware file
    """

    number: int
    port: PanelPort
    group: str
    slot: int
    nic: int
    present: bool


def uplinks(plan: FabricPlan, lower: Place) -> Iterator[Uplink]:
    """Cables of a switch to the tier above: uplink u on switch u mod S there, port (u div S) * (R / m) + row.

    A leaf or border leaf joins every spine of its pod, in its own row; spine k of a pod joins every superspine of core
    group k, in the row of its pod. No cable leaves the plane. A row for which the switches above have no port has no
    cable: overrides are read before `spine_rows` reports it.
    """
    above = above_of(plan, lower)
    if above is None:
        return
    own_ports = binding_of(plan, lower).up
    places = [above.place(index) for index in range(above.equals)]
    ports = [binding_of(plan, upper).down for upper in places] if plan.bindings else [above.down] * above.equals
    for number, port in enumerate(own_ports):
        index, position = above.end(number)
        if position < len(ports[index]):
            yield Uplink(number, lower, places[index], port, ports[index][position])


def uplink(plan: FabricPlan, lower: Place, number: int) -> Uplink:
    """One of the cables of `uplinks`. Raises LookupError for a switch without a tier above it."""
    above = above_of(plan, lower)
    if above is None:
        raise LookupError(f"{lower} has no uplinks")
    index, position = above.end(number)
    upper = above.place(index)
    return Uplink(number, lower, upper, binding_of(plan, lower).up[number], binding_of(plan, upper).down[position])


class Above(NamedTuple):
    """Equal switches to which a switch has its uplinks.

    first   one of them; the others differ only in their index
    equals  number of them
    down    ports of each towards the tier below
    links   links of a pair
    row     port row of the lower switch on each
    """

    first: Place
    equals: int
    down: tuple[PanelPort, ...]
    links: int
    row: int

    def place(self, index: int) -> Place:
        """One of the switches."""
        return Place(*self.first[:-1], index)

    def end(self, number: int) -> tuple[int, int]:
        """The index of the switch on which an uplink ends, and the position of its port there."""
        turn, index = divmod(number, self.equals)
        return index, self.at(turn)

    def at(self, turn: int) -> int:
        """Position of the port, the same on each of the switches, at which this link of a pair ends."""
        return turn * (len(self.down) // self.links) + self.row


def above_of(plan: FabricPlan, lower: Place) -> Above | None:
    """The switches to which a switch has its uplinks; None if there is no tier above."""
    shape = plan.shape
    if lower.tier is Tier.SPINE:
        if not shape.cores or shape.core is None:
            return None
        group = Place(plan.name, Tier.SUPERSPINE, "", lower.plane, 0, lower.index, 0, 0)
        return Above(group, shape.cores, shape.core.down, shape.core_links, lower.pod)
    if lower.tier is Tier.SUPERSPINE or not shape.spines or shape.spine is None:
        return None
    pod = Place(plan.name, Tier.SPINE, "", lower.plane, lower.pod, 0, 0, 0)
    return Above(pod, shape.spines, shape.spine.down, shape.links, row_of(plan, lower))


def downlinks(plan: FabricPlan, upper: Place) -> Iterator[Uplink]:
    """Cables of a spine or superspine to the existing switches below it, in the order of its ports."""
    below = Below(plan, upper)
    rows = tuple(below.at(row) for row in range(below.rows))
    for position, port in enumerate(binding_of(plan, upper).down[: below.cables]):
        turn, row = divmod(position, below.rows)
        lower_switch = rows[row]
        if lower_switch is not None:
            number = turn * below.equals + upper.index
            yield Uplink(number, lower_switch[0], upper, lower_switch[1][number], port)


def downlink(plan: FabricPlan, upper: Place, at: int, port: PanelPort) -> Uplink | None:
    """The cable at one position of the ports of a spine or superspine; None if there is none. port: the one there."""
    below = Below(plan, upper)
    turn, row = divmod(at, below.rows)
    lower_switch = below.at(row) if at < below.cables else None
    if lower_switch is None:
        return None
    number = turn * below.equals + upper.index
    return Uplink(number, lower_switch[0], upper, lower_switch[1][number], port)


class Below:
    """Switches below a spine or superspine: the inverse of `Above`.

    rows    port rows; equals: number of equal upper switches that share a lower switch's uplinks
    links   of a pair; cables: ports that may have one
    """

    def __init__(self, plan: FabricPlan, upper: Place) -> None:
        shape = plan.shape
        is_core = upper.tier is Tier.SUPERSPINE
        self.links, self.equals = (shape.core_links, shape.cores) if is_core else (shape.links, shape.spines)
        self.rows = len(chassis_of(plan, upper).down) // self.links
        self.cables = self.rows * self.links
        self._plan, self._upper = plan, upper

    def at(self, row: int) -> tuple[Place, tuple[PanelPort, ...]] | None:
        """The switch whose uplinks take a port row, with their ports; None if it does not exist."""
        lower = _below(self._plan, self._upper, row)
        if lower is None or not place_exists(self._plan, lower):
            return None
        return lower, binding_of(self._plan, lower).up


def _below(plan: FabricPlan, upper: Place, row: int) -> Place | None:
    """Return the switch whose uplinks take this port row, whether it exists or not."""
    if upper.tier is Tier.SUPERSPINE:
        return Place(plan.name, Tier.SPINE, "", upper.plane, row, 0, 0, upper.su)
    leaf = plan.rows.get(row)
    if leaf is None:
        return None
    return Place(leaf.fabric, leaf.tier, leaf.group, upper.plane, upper.pod, leaf.su, leaf.rail, leaf.index)


def host_ports(plan: FabricPlan, leaf: Place) -> Iterator[HostPort]:
    """Ports of a leaf towards servers, including reserved ones, in the order of their numbers."""
    down = binding_of(plan, leaf).down
    for group in groups_on(plan, leaf):
        slots = unit_slots(group, leaf)
        occupied = slots_with_servers(plan, group, slots)
        columns = group.nics_at(leaf.plane, leaf.rail, leaf.index)
        first = group.first_port
        for number, port in enumerate(down[first : first + len(columns) * group.slots_a_unit]):
            row, position = divmod(number, group.slots_a_unit)
            slot = slots.first + position
            yield HostPort(first + number, port, group.name, slot, columns[row], slot in occupied)


def groups_on(plan: FabricPlan, leaf: Place) -> tuple[GroupShape, ...]:
    """Server groups on a leaf, in the order of their host ports: the one that it belongs to, then the others."""
    return plan.shape.sharing(leaf.group)


def has_server(plan: FabricPlan, group: GroupShape, slot: int) -> bool:
    """Whether the slot holds a server."""
    return bool(slots_with_servers(plan, group, Span(slot, slot)))


def slots_with_servers(plan: FabricPlan, group: GroupShape, slots: Span) -> frozenset[int]:
    """Slots that hold a server: counted by the intent, and not declared absent or dead.

    A drained server counts: it has no jobs, but its links stay up.
    """
    parts = (range(max(span.first, slots.first), min(span.last, slots.last) + 1) for span in group.slots)
    counted = frozenset(chain.from_iterable(parts))
    states = plan.exceptions.slots
    if not states:
        return counted
    return frozenset(slot for slot in counted if states.get(SlotKey(group.name, slot)) not in ("absent", "dead"))


def leaf_of(plan: FabricPlan, group: GroupShape, slot: int, nic: int, plane: int) -> tuple[Place, int]:
    """Leaf and host port number of a NIC port, or of its slice of a plane, of the server in a slot."""
    column = group.columns[nic]
    pod, su = divmod(slot // group.slots_a_unit, group.units_a_pod)
    leaf = Place(plan.name, Tier.LEAF, group.leaves_of, plane, pod, su, column.rail, column.index)
    return leaf, group.port_number(nic, slot)


def unit_slots(group: GroupShape, leaf: Place) -> Span:
    """Slots of a group that a leaf serves."""
    first = (leaf.pod * group.units_a_pod + leaf.su) * group.slots_a_unit
    return Span(first, first + group.slots_a_unit - 1)
