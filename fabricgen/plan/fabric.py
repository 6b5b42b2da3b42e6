"""One planned fabric: names, numbers, ports and addresses of a switch, computed from its place alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from fabricgen.hardware.ports import PanelPort, port_name
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.site import CableLengths
from fabricgen.plan.exceptions import ABSENT, ACTIVE, Exceptions
from fabricgen.plan.place import NAME_DIGITS, ROW_AXES, SHORT_NAMES, Place, Tier
from fabricgen.plan.segments import ASN_AXES, Blocks, Segment
from fabricgen.topologies.shape import Chassis, GroupShape, Shape


class Binding(NamedTuple):
    """Physical ports of one device in the order of its logical ones, with dead ports replaced.

    stuck  dead ports whose cable no spare port can take
    """

    down: tuple[PanelPort, ...]
    up: tuple[PanelPort, ...]
    stuck: tuple[PanelPort, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPlan:
    """Dimensions, numbers and exceptions of one fabric.

    segments  by tier and server group
    rows      port row of the switches above → a leaf's place, with plane and pod 0
    bindings  of devices with dead ports only
    ports     cache of port names, by tier and server group
    known     cache of the numbers of the last places: a place is looked up once per link that ends there
    named     cache of the places of names: a name of an override is looked up once per check
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
    ports: dict[tuple[Tier, str, PanelPort], str] = field(init=False, default_factory=dict, compare=False, repr=False)
    known: "dict[Place, Numbers]" = field(init=False, default_factory=dict, compare=False, repr=False)
    named: dict[str, Place] = field(init=False, default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> "tuple[Callable[[dict[str, Any]], FabricPlan], tuple[dict[str, Any]]]":
        """Leave the caches out: other threads may go on filling them while the plan is pickled."""
        return _remade, ({each.name: getattr(self, each.name) for each in fields(self) if each.init},)


def _remade(values: dict[str, Any]) -> FabricPlan:
    return FabricPlan(**values)


MOST_KNOWN = 2048
"""Limit on the places whose numbers are cached: what a pod is connected to. So memory does not depend on the size."""


class OwnBlock(NamedTuple):
    """The block of one switch: host links from its start, then uplinks; the even addresses are its own."""

    start: int
    uplinks: int
    bits: int

    def host(self, number: int) -> int:
        """The switch's end of a host link; the server has the next address."""
        return self.start + 2 * number

    def uplink(self, number: int) -> int:
        """The switch's end of an uplink; the switch above has the next address."""
        return self.uplinks + 2 * number


class Numbers(NamedTuple):
    """All that is computed of one place by itself.

    number  number of the place within its segment, from 0
    """

    segment: Segment
    number: int
    name: str
    asn: int


def numbers_of(plan: FabricPlan, place: Place) -> Numbers:
    """Numbers of a place. Raises LookupError for a place outside the plan."""
    numbers = plan.known.get(place)
    if numbers is None:
        if len(plan.known) >= MOST_KNOWN:
            plan.known.clear()
        numbers = plan.known[place] = _numbers(plan, place)
    return numbers


def _numbers(plan: FabricPlan, place: Place) -> Numbers:
    point = place.point
    for segment in plan.segments.get((place.tier, place.group), ()):
        if segment.box.holds(point):
            number = segment.number(point)
            return Numbers(
                segment=segment,
                number=number,
                name=device_name(plan.prefix, place.tier, segment.first + number),
                asn=segment.asn + segment.box.number(point, ASN_AXES[place.tier]),
            )
    raise LookupError(f"{place} lies in no segment")


def segment_of(plan: FabricPlan, place: Place) -> Segment:
    """The segment of a place. Raises LookupError for a place outside the plan."""
    return numbers_of(plan, place).segment


def name_of(plan: FabricPlan, place: Place) -> str:
    """Device name, e.g. be-leaf-003."""
    return numbers_of(plan, place).name


def number_of(plan: FabricPlan, place: Place) -> int:
    """Number in a device's name: unique in a tier of a fabric, and it never changes."""
    numbers = numbers_of(plan, place)
    return numbers.segment.first + numbers.number


def device_name(prefix: str, tier: Tier, number: int) -> str:
    """Name of the device with this number in its tier."""
    return f"{prefix}-{SHORT_NAMES[tier]}-{number:0{NAME_DIGITS[tier]}d}"


MOST_DIGITS = 9
"""Limit on the digits of a number in a name: more than any plan needs."""


def place_of(plan: FabricPlan, name: str) -> Place | None:
    """Inverse of `name_of` for existing switches; None for any other name."""
    place = plan.named.get(name)
    if place is None:
        place = _named(plan, name)
        if place is not None:
            if len(plan.named) >= MOST_KNOWN:
                plan.named.clear()
            plan.named[name] = place
    return place


def _named(plan: FabricPlan, name: str) -> Place | None:
    for tier, short in SHORT_NAMES.items():
        start = f"{plan.prefix}-{short}-"
        digits = name.removeprefix(start)
        if digits == name or not digits.isascii() or not digits.isdigit() or len(digits) > MOST_DIGITS:
            continue
        place = _numbered(plan, tier, int(digits))
        # The comparison rejects the same number with other leading zeros.
        if place is not None and name == name_of(plan, place) and place_exists(plan, place):
            return place
    return None


def _numbered(plan: FabricPlan, tier: Tier, number: int) -> Place | None:
    for (segment_tier, group), segments in plan.segments.items():
        for segment in segments:
            if segment_tier == tier and 0 <= number - segment.first < segment.box.size():
                return Place(plan.name, tier, group, *segment.box.point(number - segment.first))
    return None


def place_exists(plan: FabricPlan, place: Place) -> bool:
    """Whether a planned place holds a switch today."""
    shape = plan.shape
    # The lock may hold places beyond today's dimensions: numbers of an earlier, larger plan.
    if place.plane >= shape.planes or place.pod >= shape.pods:
        return False
    if place.tier is Tier.BORDER:
        return place.index < shape.borders and place.plane == place.pod == 0
    if place.tier is Tier.SPINE:
        return place.index < shape.spines and pod_exists(plan, place.pod)
    if place.tier is Tier.SUPERSPINE:
        return place.su < shape.spines and place.index < shape.cores
    group = group_of(plan, place.group)
    if place.su >= group.units_a_pod or place.rail >= group.rails or place.index >= group.indexes:
        return False
    unit = place.pod * group.units_a_pod + place.su
    return any(span.first <= unit <= span.last for span in group.present)


def pod_exists(plan: FabricPlan, pod: int) -> bool:
    """Whether a pod has a unit, or the border leaves: then all of its spines exist, with all of their cables."""
    shape = plan.shape
    if shape.pods == 1 or (pod == 0 and shape.borders):
        return True
    return any(
        span.first < (pod + 1) * group.units_a_pod and span.last >= pod * group.units_a_pod
        for group in shape.groups
        for span in group.present
    )


def group_of(plan: FabricPlan, name: str) -> GroupShape:
    """Shape of a server group on this fabric."""
    for group in plan.shape.groups:
        if group.name == name:
            return group
    raise LookupError(f"{plan.name} connects no {name}")


def places(plan: FabricPlan) -> Iterator[Place]:
    """Every existing switch, borders and leaves first, each tier in the order of its names."""
    for tier in Tier:
        segments = [
            s
            for (segment_tier, _), tier_segments in plan.segments.items()
            if segment_tier == tier
            for s in tier_segments
        ]
        for segment in sorted(segments, key=lambda s: s.first):
            yield from (place for place in segment.places() if place_exists(plan, place))


def chassis_of(plan: FabricPlan, place: Place) -> Chassis:
    """Switch model and ports at a place."""
    if place.tier is Tier.LEAF:
        return _with_system(plan, place, group_of(plan, place.group).leaf)
    above = {Tier.BORDER: plan.shape.border, Tier.SPINE: plan.shape.spine, Tier.SUPERSPINE: plan.shape.core}
    chassis = above[place.tier]
    if chassis is None:
        raise LookupError(f"{plan.name} has no {place.tier.value}")
    return _with_system(plan, place, chassis)


def _with_system(plan: FabricPlan, place: Place, chassis: Chassis) -> Chassis:
    system = plan.exceptions.systems.get(name_of(plan, place)) if plan.exceptions.systems else None
    return chassis._replace(system=system) if system else chassis


def state_of(plan: FabricPlan, place: Place) -> str:
    """State of a switch in the intent: active, drained, dead or absent."""
    states = plan.exceptions.devices
    return states.get(name_of(plan, place), ACTIVE) if states else ACTIVE


def present_places(plan: FabricPlan) -> Iterator[Place]:
    """Every existing switch that is not declared absent: those that are configured."""
    return (place for place in places(plan) if state_of(plan, place) != ABSENT)


def binding_of(plan: FabricPlan, place: Place) -> Binding:
    """Physical ports of a device, dead ones replaced."""
    if plan.bindings:
        binding = plan.bindings.get(name_of(plan, place))
        if binding is not None:
            return binding
    chassis = chassis_of(plan, place)
    return Binding(chassis.down, chassis.up)


def port_text(plan: FabricPlan, place: Place, port: PanelPort) -> str:
    """Port name in the device's operating system."""
    if plan.exceptions.systems and name_of(plan, place) in plan.exceptions.systems:
        own_chassis = chassis_of(plan, place)
        return port_name(own_chassis.switch, own_chassis.system.partition("-")[0], port.cage, port.part, port.parts)
    key = (place.tier, place.group, port)
    name = plan.ports.get(key)
    if name is None:
        chassis = chassis_of(plan, place)
        system = chassis.system.partition("-")[0]
        name = plan.ports[key] = port_name(chassis.switch, system, port.cage, port.part, port.parts)
    return name


def asn_of(plan: FabricPlan, place: Place) -> int:
    """AS number: unique for a leaf, one for the spines of a pod, one for the superspines of a plane."""
    return numbers_of(plan, place).asn


def row_of(plan: FabricPlan, place: Place) -> int:
    """Port row that a leaf takes on each spine."""
    segment = segment_of(plan, place)
    if segment.row is None:
        raise LookupError(f"{place} has no row")
    return segment.row + segment.box.number(place.point, ROW_AXES)


def router_id(plan: FabricPlan, place: Place) -> int:
    """Router id: a number of 32 bits, and the IPv4 address of loopback 0 in a fabric with IPv4."""
    numbers = numbers_of(plan, place)
    return numbers.segment.identifiers.block(numbers.number)


def loopback4(plan: FabricPlan, place: Place) -> int | None:
    """Loopback 0, IPv4; None if the fabric has none."""
    return None if plan.fabric.addressing.ipv4 is None else router_id(plan, place)


def loopback6(plan: FabricPlan, place: Place) -> int | None:
    """Loopback 0, IPv6; None if the fabric has none."""
    numbers = numbers_of(plan, place)
    return numbers.segment.loopback6.block(numbers.number) if numbers.segment.loopback6 else None


def vtep(plan: FabricPlan, place: Place) -> int:
    """Loopback 1, IPv4: the other address of the pair."""
    return router_id(plan, place) + 1


def oob(plan: FabricPlan, place: Place) -> int:
    """Management address."""
    numbers = numbers_of(plan, place)
    return numbers.segment.oob + numbers.number


def host_space(hosts: int) -> int:
    """Addresses at the start of a leaf's block for its host links: a power of two, so that they aggregate."""
    return 1 << (2 * hosts - 1).bit_length() if hosts else 0


def own_blocks(plan: FabricPlan, place: Place) -> tuple[OwnBlock | None, OwnBlock | None]:
    """IPv4 and IPv6 block of the links of a switch; None for a family without one."""
    segment, number, _, _ = numbers_of(plan, place)
    return _own(segment.ipv4, number, segment.hosts), _own(segment.ipv6, number, segment.hosts)


def _own(run: Blocks | None, number: int, hosts: int) -> OwnBlock | None:
    if run is None:
        return None
    start = run.block(number)
    return OwnBlock(start, start + host_space(hosts), run.bits)
