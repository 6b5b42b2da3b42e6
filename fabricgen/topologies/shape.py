"""The result of a topology: the dimensions of one fabric, and nothing else.

Every cable, address and number is computed from these dimensions and a place.
"""

from typing import NamedTuple

from fabricgen.hardware.model import Asic, NicGroup, SwitchModel
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.scalars import Ratio, Spans
from fabricgen.topologies.arithmetic import legal_spines, uplinks_on

EVEN = Ratio(1, 1)


class Column(NamedTuple):
    """The leaf (rail, index) of one NIC port of every server of a unit, and its row of slots on that leaf.

    plane  of the port's first slice; 0 where all rails share the planes
    """

    rail: int
    index: int  # type: ignore[assignment]  # the axis is called so; tuple.index is never needed here
    row: int
    plane: int = 0


class Chassis(NamedTuple):
    """A switch model with its ports: those used as downlinks and uplinks, in order, and unused ones.

    reserved  ports of the uplinks that further spines will need, in the order of their numbers after those of `up`
    """

    switch: SwitchModel
    asic: Asic
    system: str
    down: tuple[PanelPort, ...]
    up: tuple[PanelPort, ...]
    spare: tuple[PanelPort, ...] = ()
    reserved: tuple[PanelPort, ...] = ()

    @property
    def uplinks(self) -> tuple[PanelPort, ...]:
        """Ports of all uplinks, present and planned."""
        return (*self.up, *self.reserved)


class GroupShape(NamedTuple):
    """One server group on one fabric.

    columns        leaf of NIC port j of a server, by j; the same in every unit
    slots_a_unit   servers whose NICs share one set of leaves (the scalable unit)
    rails          leaves of a unit and plane by rail, each with `indexes` leaves
    units_a_pod    units of one pod; units are numbered through all pods
    present        units whose leaves hold a server today, of this group or of one that shares them
    planned        units that numbers are reserved for
    leaves_of      server group whose leaves these servers are on: the group itself, or the one that it shares with
    first_port     its first host port of a leaf: those before it are of groups that share the leaf
    first_position  position of its first server in the unit, behind the servers of those groups
    """

    name: str
    leaf: Chassis
    nics: NicGroup
    columns: tuple[Column, ...]
    slots_a_unit: int
    rails: int
    indexes: int
    units_a_pod: int
    present: Spans
    planned: int
    slots: Spans
    leaves_of: str
    first_port: int = 0
    first_position: int = 0

    @property
    def has_own_leaves(self) -> bool:
        """Whether its leaves are counted, named and numbered with this group."""
        return self.leaves_of == self.name

    @property
    def leaves_a_unit(self) -> int:
        """Leaves of a unit and plane that belong to this group: none where it shares those of another."""
        return self.rails * self.indexes if self.has_own_leaves else 0

    @property
    def ports_a_leaf(self) -> int:
        """Host ports that a leaf has for this group, from `first_port` on."""
        return (1 + max(column.row for column in self.columns)) * self.slots_a_unit

    @property
    def down(self) -> tuple[PanelPort, ...]:
        """The leaf's ports for this group."""
        return self.leaf.down[self.first_port : self.first_port + self.ports_a_leaf]

    def port_number(self, nic: int, slot: int) -> int:
        """Return the host port, on its leaf, of a NIC port of the server in a slot."""
        return self.first_port + self.columns[nic].row * self.slots_a_unit + slot % self.slots_a_unit

    def position(self, slot: int) -> int:
        """Return the position in its unit, from 0, of the server in a slot, among those of all groups of the leaves."""
        return self.first_position + slot % self.slots_a_unit

    def planes_of(self, nic: int) -> range:
        """Return the planes of a NIC port: one for each of its slices."""
        first = self.columns[nic].plane
        return range(first, first + self.nics.planes)

    def slice_of(self, nic: int, plane: int) -> int:
        """Return the number of a NIC port's slice, from 0: the place of its plane among those of the port."""
        return self.planes_of(nic).index(plane)

    def nics_at(self, plane: int, rail: int, index: int) -> dict[int, int]:
        """Return the NIC ports of a server at a leaf of its unit, by row."""
        return {
            column.row: nic
            for nic, column in enumerate(self.columns)
            if column[:2] == (rail, index) and plane in self.planes_of(nic)
        }


class Shape(NamedTuple):
    """Dimensions of one fabric.

    planes        disjoint copies, one for each slice of a NIC of each plane of rails
    rail_planes   sets of rails with planes of their own; 1 where all rails share the planes
    pods          pods of leaves and spines; one in a two-tier fabric
    spines        present spines of a pod and plane; 0 where one unit needs none
    spines_planned  spines that numbers are reserved for
    links         parallel links of a leaf-spine pair (m)
    uplinks_least  uplinks that a leaf's ratio needs; 0 where it has just these
    cores         superspines of one core group (group k joins spine k of every pod); 0 below three tiers
    core_links    parallel links of a spine-superspine pair
    core          the superspine's chassis; None below three tiers
    spine_ratio   largest allowed ratio of a spine's capacity towards its leaves to that towards its core group
    """

    fabric: str
    kind: str
    design: str
    planes: int
    pods: int
    groups: tuple[GroupShape, ...]
    spine: Chassis | None
    border: Chassis | None
    ratio: Ratio
    borders: int
    spines: int
    spines_planned: int
    links: int
    cores: int = 0
    cores_planned: int = 0
    core_links: int = 0
    core: Chassis | None = None
    uplinks_least: int = 0
    spine_ratio: Ratio = EVEN
    rail_planes: int = 1

    @property
    def slices(self) -> int:
        """Planes of one NIC."""
        return self.planes // self.rail_planes

    @property
    def leaf_groups(self) -> tuple[GroupShape, ...]:
        """Server groups with leaves of their own: each leaf belongs to one of them."""
        return tuple(group for group in self.groups if group.has_own_leaves)

    def sharing(self, leaves_of: str) -> tuple[GroupShape, ...]:
        """Return the server groups on the leaves of one of them, in the order of their host ports."""
        groups = (group for group in self.groups if group.leaves_of == leaves_of)
        return tuple(sorted(groups, key=lambda group: group.first_port))

    @property
    def tiers(self) -> int:
        """Number of tiers: 1, 2 or 3."""
        return 1 + (self.spines > 0) + (self.cores > 0)

    @property
    def chassis(self) -> tuple[tuple[str, Chassis], ...]:
        """Every chassis, by role: leaf (one per server group with leaves of its own), spine, superspine, border."""
        others = (("spine", self.spine), ("superspine", self.core), ("border", self.border))
        return (
            *(("leaf", group.leaf) for group in self.leaf_groups),
            *((role, chassis) for role, chassis in others if chassis is not None),
        )

    @property
    def uplinks_asked(self) -> int:
        """Fewest uplinks of a leaf that keep its ratio."""
        return self.uplinks_least or self.spines * self.links

    @property
    def uplinks_laid(self) -> int:
        """Uplinks of a leaf that ports and numbers are reserved for."""
        return max([self.spines * self.links, *(len(group.leaf.uplinks) for group in self.groups)])

    def uplinks_on(self, spines: int) -> int:
        """Return the uplinks that a leaf has with so many spines."""
        return uplinks_on(spines, self.uplinks_asked)

    def legal_cores(self, pods: int) -> tuple[int, ...]:
        """Return the possible numbers of superspines of a core group for so many pods."""
        if self.core is None or self.spine is None:
            return ()
        return legal_spines(pods, len(self.spine.up), len(self.core.down))

    def legal_spines(self, leaves: int) -> tuple[int, ...]:
        """Return the possible spine counts for so many leaves, with no more uplinks than ports are reserved for."""
        ports = len(self.spine.down) if self.spine is not None else 0
        return legal_spines(leaves, self.uplinks_asked, ports, self.uplinks_laid)


def with_spines(shape: Shape, spines: int) -> Shape:
    """Return the same fabric with another number of spines: leaves use more of their reserved ports, or fewer."""
    uplinks = shape.uplinks_on(spines)
    return shape._replace(
        spines=spines,
        links=uplinks // spines,
        groups=tuple(group._replace(leaf=with_uplinks(group.leaf, uplinks)) for group in shape.groups),
        border=with_uplinks(shape.border, uplinks) if shape.border is not None else None,
    )


def with_cores(shape: Shape, cores: int) -> Shape:
    """Return the same fabric with another number of superspines per core group."""
    up = len(shape.spine.up) if shape.spine is not None else 0
    return shape._replace(cores=cores, core_links=up // cores)


def with_uplinks(chassis: Chassis, count: int) -> Chassis:
    """Return the chassis with so many of its uplinks in use."""
    return chassis._replace(up=chassis.uplinks[:count], reserved=chassis.uplinks[count:])
