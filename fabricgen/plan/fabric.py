"""One planned fabric: every question about a switch, a cable or an address answered from its place alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.hardware.ports import Port, port_name
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.scalars import Span
from fabricgen.intent.site import CableLengths
from fabricgen.plan.exceptions import Exceptions, SlotKey
from fabricgen.plan.place import NAME_DIGITS, ROW_AXES, SHORT_NAMES, Place, Tier
from fabricgen.plan.segments import ASN_AXES, Blocks, Segment
from fabricgen.topologies.shape import Chassis, GroupShape, Shape


class Binding(NamedTuple):
    """Physical ports of one device behind its logical ones: dead ports have stepped aside.

    stuck  dead ports whose cable no spare port can take
    """

    down: tuple[Port, ...]
    up: tuple[Port, ...]
    stuck: tuple[Port, ...] = ()


class Uplink(NamedTuple):
    """One cable from a switch to the tier above it.

    number  uplink of the lower switch, from 0; it owns the link's addresses
    """

    number: int
    lower: Place
    upper: Place
    lower_port: Port
    upper_port: Port


class HostPort(NamedTuple):
    """One port of a leaf towards servers. `present` is False for a reserved one: numbered, without a server.

    number  host port of the leaf, from 0; it owns the link's addresses
    nic     NIC port of the server, in the order of its hardware file
    """

    number: int
    port: Port
    group: str
    slot: int
    nic: int
    present: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPlan:
    """Dimensions, numbers and exceptions of one fabric.

    segments  by tier and server group
    rows      port row of the switches above → a leaf's place, its plane and pod left 0
    bindings  devices with dead ports only
    ports     names of ports, by tier and server group, as they are asked for
    """

    name: str
    prefix: str
    fabric: Fabric
    shape: Shape
    segments: Mapping[tuple[Tier, str], tuple[Segment, ...]]
    rows: Mapping[int, Place]
    exceptions: Exceptions
    bindings: Mapping[str, Binding]
    lengths: CableLengths
    ports: dict[tuple[Tier, str, Port], str] = field(init=False, default_factory=dict, compare=False, repr=False)


def segment_of(plan: FabricPlan, place: Place) -> Segment:
    """The one segment that a place lies in. Raises LookupError for a place outside the plan."""
    point = place.point
    for segment in plan.segments.get((place.tier, place.group), ()):
        if segment.box.holds(point):
            return segment
    raise LookupError(f"{place} lies in no segment")


def name_of(plan: FabricPlan, place: Place) -> str:
    """Device name, e.g. be-leaf-003."""
    return device_name(plan.prefix, place.tier, number_of(plan, place))


def number_of(plan: FabricPlan, place: Place) -> int:
    """Number in a device's name: no two of a tier of a fabric share it, and it never moves."""
    segment = segment_of(plan, place)
    return segment.first + segment.number(place.point)


def device_name(prefix: str, tier: Tier, number: int) -> str:
    """Name of the device with this number of its tier."""
    return f"{prefix}-{SHORT_NAMES[tier]}-{number:0{NAME_DIGITS[tier]}d}"


MOST_DIGITS = 9
"""Longest number looked for in a name: more digits than any plan has switches."""


def place_of(plan: FabricPlan, name: str) -> Place | None:
    """Inverse of `name_of` over the switches that stand; None for any other name."""
    for tier, short in SHORT_NAMES.items():
        start = f"{plan.prefix}-{short}-"
        digits = name.removeprefix(start)
        if digits == name or not digits.isascii() or not digits.isdigit() or len(digits) > MOST_DIGITS:
            continue
        place = _numbered(plan, tier, int(digits))
        if place is not None and name == name_of(plan, place) and stands(plan, place):
            return place
    return None


def _numbered(plan: FabricPlan, tier: Tier, number: int) -> Place | None:
    for (at, group), segments in plan.segments.items():
        for segment in segments:
            if at == tier and 0 <= number - segment.first < segment.box.size():
                return Place(plan.name, tier, group, *segment.box.point(number - segment.first))
    return None


def stands(plan: FabricPlan, place: Place) -> bool:
    """Whether a planned place holds a switch today."""
    shape = plan.shape
    # The lock may hold places beyond today's dimensions: numbers of what was planned once.
    if place.plane >= shape.planes or place.pod >= shape.pods:
        return False
    if place.tier is Tier.BORDER:
        return place.index < shape.borders
    if place.tier is Tier.SPINE:
        return place.index < shape.spines and place.pod < pods_present(plan)
    if place.tier is Tier.SUPERSPINE:
        return place.su < shape.spines and place.index < shape.cores
    group = group_of(plan, place.group)
    if place.su >= group.units_a_pod or place.rail >= group.rails or place.index >= group.indexes:
        return False
    unit = place.pod * group.units_a_pod + place.su
    return any(span.first <= unit <= span.last for span in group.present)


def pods_present(plan: FabricPlan) -> int:
    """Pods up to the last one that holds a unit."""
    if plan.shape.pods == 1:
        return 1
    return 1 + max(group.present[-1].last // group.units_a_pod for group in plan.shape.groups)


def group_of(plan: FabricPlan, name: str) -> GroupShape:
    """Shape of a server group on this fabric."""
    for group in plan.shape.groups:
        if group.name == name:
            return group
    raise LookupError(f"{plan.name} connects no {name}")


def places(plan: FabricPlan) -> Iterator[Place]:
    """Every switch that stands, borders and leaves first, each tier in the order of its names."""
    for tier in Tier:
        segments = [s for (at, _), found in plan.segments.items() if at == tier for s in found]
        for segment in sorted(segments, key=lambda s: s.first):
            yield from (place for place in segment.places() if stands(plan, place))


def chassis_of(plan: FabricPlan, place: Place) -> Chassis:
    """Switch model and ports at a place."""
    if place.tier is Tier.LEAF:
        return group_of(plan, place.group).leaf
    above = {Tier.BORDER: plan.shape.border, Tier.SPINE: plan.shape.spine, Tier.SUPERSPINE: plan.shape.core}
    chassis = above[place.tier]
    if chassis is None:
        raise LookupError(f"{plan.name} has no {place.tier.value}")
    return chassis


def binding_of(plan: FabricPlan, place: Place) -> Binding:
    """Physical ports of a device, dead ones replaced."""
    if plan.bindings:
        found = plan.bindings.get(name_of(plan, place))
        if found is not None:
            return found
    chassis = chassis_of(plan, place)
    return Binding(chassis.down, chassis.up)


def port_text(plan: FabricPlan, place: Place, port: Port) -> str:
    """Port name in the language of the device's operating system."""
    key = (place.tier, place.group, port)
    name = plan.ports.get(key)
    if name is None:
        chassis = chassis_of(plan, place)
        system = chassis.system.partition("-")[0]
        name = plan.ports[key] = port_name(chassis.switch, system, port.cage, port.part, port.parts)
    return name


def asn_of(plan: FabricPlan, place: Place) -> int:
    """AS number: unique for a leaf, one for the spines of a pod, one for the superspines of a plane."""
    segment = segment_of(plan, place)
    return segment.asn + segment.box.number(place.point, ASN_AXES[place.tier])


def row_of(plan: FabricPlan, place: Place) -> int:
    """Which port row of each spine a leaf takes."""
    segment = segment_of(plan, place)
    if segment.row is None:
        raise LookupError(f"{place} has no row")
    return segment.row + segment.box.number(place.point, ROW_AXES)


def router_id(plan: FabricPlan, place: Place) -> int:
    """Loopback 0, IPv4."""
    segment = segment_of(plan, place)
    return segment.loopback4.block(segment.number(place.point))


def loopback6(plan: FabricPlan, place: Place) -> int | None:
    """Loopback 0, IPv6; None where the fabric has none."""
    segment = segment_of(plan, place)
    return segment.loopback6.block(segment.number(place.point)) if segment.loopback6 else None


def vtep(plan: FabricPlan, place: Place) -> int:
    """Loopback 1, IPv4: the other address of the pair."""
    return router_id(plan, place) + 1


def oob(plan: FabricPlan, place: Place) -> int:
    """Management address."""
    segment = segment_of(plan, place)
    return segment.oob + segment.number(place.point)


class OwnBlock(NamedTuple):
    """The block of one switch: host links from its start, uplinks behind them; even ends are its own."""

    start: int
    uplinks: int
    bits: int

    def host(self, number: int) -> int:
        """Our end of a host link; the server has the next address."""
        return self.start + 2 * number

    def uplink(self, number: int) -> int:
        """Our end of an uplink; the switch above has the next address."""
        return self.uplinks + 2 * number


def host_space(hosts: int) -> int:
    """Addresses at the start of a leaf's block for its host links: a power of two, so that they aggregate."""
    return 1 << (2 * hosts - 1).bit_length() if hosts else 0


def own_blocks(plan: FabricPlan, place: Place) -> tuple[OwnBlock | None, OwnBlock | None]:
    """IPv4 and IPv6 block of a switch."""
    segment = segment_of(plan, place)
    number = segment.number(place.point)
    return _own(segment.ipv4, number, segment.hosts), _own(segment.ipv6, number, segment.hosts)


def _own(run: Blocks | None, number: int, hosts: int) -> OwnBlock | None:
    if run is None:
        return None
    start = run.block(number)
    return OwnBlock(start, start + host_space(hosts), run.bits)


def uplinks(plan: FabricPlan, lower: Place) -> Iterator[Uplink]:
    """Cables of a switch to the tier above: uplink u on switch u mod S there, port (u div S) * (R / m) + row.

    A leaf or border leaf joins every spine of its pod, in the row of its own; spine k of a pod joins every
    superspine of core group k, in the row of its pod. No cable leaves the plane.
    """
    above = _above(plan, lower)
    if above is None:
        return
    own = binding_of(plan, lower).up
    stride = len(above.down) // above.links
    ports = [binding_of(plan, upper).down for upper in above.places] if plan.bindings else None
    for number, port in enumerate(own):
        turn, index = divmod(number, len(above.places))
        far = ports[index] if ports else above.down
        yield Uplink(number, lower, above.places[index], port, far[turn * stride + above.row])


class _Above(NamedTuple):
    """Equal switches that a switch has its uplinks to: ports and links of a pair, and its row on each of them."""

    places: tuple[Place, ...]
    down: tuple[Port, ...]
    links: int
    row: int


def _above(plan: FabricPlan, lower: Place) -> _Above | None:
    shape = plan.shape
    if lower.tier is Tier.SPINE:
        if not shape.cores or shape.core is None:
            return None
        group = Place(plan.name, Tier.SUPERSPINE, "", lower.plane, 0, lower.index, 0, 0)
        cores = tuple(group._replace(index=index) for index in range(shape.cores))
        return _Above(cores, shape.core.down, shape.core_links, lower.pod)
    if lower.tier is Tier.SUPERSPINE or not shape.spines or shape.spine is None:
        return None
    pod = Place(plan.name, Tier.SPINE, "", lower.plane, lower.pod, 0, 0, 0)
    spines = tuple(pod._replace(index=index) for index in range(shape.spines))
    return _Above(spines, shape.spine.down, shape.links, row_of(plan, lower))


def downlinks(plan: FabricPlan, upper: Place) -> Iterator[Uplink]:
    """Cables of a spine or superspine to the switches below it that stand, in the order of its ports."""
    shape = plan.shape
    is_core = upper.tier is Tier.SUPERSPINE
    links, equals = (shape.core_links, shape.cores) if is_core else (shape.links, shape.spines)
    down = binding_of(plan, upper).down
    stride = len(down) // links
    for turn in range(links):
        number = turn * equals + upper.index
        for row in range(stride):
            lower = _below(plan, upper, row)
            if lower is not None and stands(plan, lower):
                near = binding_of(plan, lower).up
                yield Uplink(number, lower, upper, near[number], down[turn * stride + row])


def _below(plan: FabricPlan, upper: Place, row: int) -> Place | None:
    """Return the switch whose uplinks take this port row, whether it stands or not."""
    if upper.tier is Tier.SUPERSPINE:
        return Place(plan.name, Tier.SPINE, "", upper.plane, row, 0, 0, upper.su)
    found = plan.rows.get(row)
    return found._replace(plane=upper.plane, pod=upper.pod) if found is not None else None


def host_ports(plan: FabricPlan, leaf: Place) -> Iterator[HostPort]:
    """Ports of a leaf towards servers, reserved ones too, in the order of their numbers."""
    group = group_of(plan, leaf.group)
    unit = leaf.pod * group.units_a_pod + leaf.su
    first = unit * group.slots_a_unit
    down = binding_of(plan, leaf).down
    columns = {column.row: nic for nic, column in enumerate(group.columns) if column[:2] == (leaf.rail, leaf.index)}
    for number, port in enumerate(down[: len(columns) * group.slots_a_unit]):
        row, position = divmod(number, group.slots_a_unit)
        slot = first + position
        yield HostPort(number, port, group.name, slot, columns[row], has_server(plan, group, slot))


def has_server(plan: FabricPlan, group: GroupShape, slot: int) -> bool:
    """Whether a server stands in the slot: counted by the intent, and not declared absent or dead.

    A drained one stands: its jobs are gone, its links stay up.
    """
    if not any(span.first <= slot <= span.last for span in group.slots):
        return False
    if not plan.exceptions.slots:
        return True
    return plan.exceptions.slots.get(SlotKey(group.name, slot)) not in ("absent", "dead")


def leaf_of(plan: FabricPlan, group: GroupShape, slot: int, nic: int, plane: int = 0) -> tuple[Place, int]:
    """Leaf and host port number of a NIC port, or of its slice of a plane, of the server in a slot."""
    column = group.columns[nic]
    unit, position = divmod(slot, group.slots_a_unit)
    pod, su = divmod(unit, group.units_a_pod)
    leaf = Place(plan.name, Tier.LEAF, group.name, plane, pod, su, column.rail, column.index)
    return leaf, column.row * group.slots_a_unit + position


def unit_slots(group: GroupShape, leaf: Place) -> Span:
    """Slots that a leaf serves."""
    first = (leaf.pod * group.units_a_pod + leaf.su) * group.slots_a_unit
    return Span(first, first + group.slots_a_unit - 1)
