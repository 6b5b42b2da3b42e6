"""Names of parts: `--fail` and a file of groups take them, a report prints them. The help of what-if has all forms."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.failures.links import AnyLink, by_cage, leaf_of_link, links_of_switch, unit_of, upper_of
from fabricgen.failures.network import Network, OutOfService
from fabricgen.failures.parts import HostLink, Lost, Unit, Wire, links_lost, together
from fabricgen.intent.scalars import parse_spans, spans_text
from fabricgen.plan.exceptions import ABSENT, DEAD, DRAINED, SLOT_SELECTOR, SlotKey
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, place_of, pod_exists, port_text
from fabricgen.plan.names import SiteNames, make_names
from fabricgen.plan.overrides import WILD, devices_of, unknown_device, unknown_port, unknown_slot
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import has_server, leaf_of, uplink

CAGE, UNIT, POD, PLANE = "cage:", "unit:", "pod:", "plane:"
FORMS = (
    "name a switch, a port as be-leaf-003/Ethernet1/1, a cage as cage:be-leaf-003/Ethernet1/1, servers as train[0-3], "
    "a unit as unit:backend/train/0, pod:backend/0 or plane:backend/0; racks and feeds go into a file for --groups"
)
_NUMBER = re.compile(r"\d{1,6}")
_PORT = re.compile(r"(?P<device>[^/]+)/(?P<port>.+)")


class NamedLoss(NamedTuple):
    """What each fabric loses with a name, or the problems of a name that matches nothing."""

    losses: Mapping[str, Lost]
    problems: tuple[Problem, ...] = ()


class PartNames:
    """The parts of a site by name."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._names: SiteNames = make_names(plan.intent, plan.fabrics)

    def loss(self, name: str, where: IntentPath = ()) -> NamedLoss:
        """Return what is lost with a name. where: the location of the name in a file of groups."""
        if name.startswith((UNIT, POD, PLANE)):
            return self._of_area(name, where)
        slots = SLOT_SELECTOR.match(name)
        # A glob such as be-leaf-00[12] has the form of servers, too.
        if slots is not None and (slots["group"] in self._names.slots or not devices_of(name, False, self._names)):
            return self._of_servers(slots["group"], slots["slots"], where)
        port = _PORT.fullmatch(name.removeprefix(CAGE))
        if port is not None:
            return self._of_ports(port["device"], port["port"], where, whole=name.startswith(CAGE))
        return self._of_switches(name, where)

    def losses(self, names: Iterable[str], where: IntentPath = ()) -> NamedLoss:
        """Return what is lost with all of several names. where: the location of their list in a file."""
        return _all_of(self.loss(name, (*where, position) if where else ()) for position, name in enumerate(names))

    def _of_ports(self, pattern: str, port: str, where: IntentPath, *, whole: bool) -> NamedLoss:
        """Return what is lost with the port of this name at each switch that a name or a glob matches."""
        devices = devices_of(pattern, not WILD.search(pattern), self._names)
        if not devices:
            return NamedLoss({}, (unknown_device(pattern, self._names, where),))
        return _all_of(self._of_port(device, port, where, whole=whole) for device in devices)

    def _of_switches(self, name: str, where: IntentPath) -> NamedLoss:
        devices = devices_of(name, not WILD.search(name), self._names)
        if not devices and ":" in name:
            return NamedLoss({}, (_unknown(f"part {name}", where, FORMS),))
        if not devices:
            groups = (f"{group}[0]" for group in self._names.slots)
            return NamedLoss({}, (unknown_device(name, self._names, where, groups),))
        losses: dict[str, set[Place]] = {}
        for device in devices:
            fabric, place = self._names.devices[device]
            losses.setdefault(fabric.name, set()).add(place)
        return NamedLoss({fabric: Lost(switches=frozenset(places)) for fabric, places in losses.items()})

    def _of_servers(self, group: str, text: str, where: IntentPath) -> NamedLoss:
        if group not in self._names.slots:
            return NamedLoss({}, (_unknown(f"server group {group}", where, did_you_mean(group, self._names.slots)),))
        try:
            spans = parse_spans(text)
        except ValueError as error:
            return NamedLoss({}, (_unknown(f"{group}[{text}]", where, f"write {group}[0-3,8]", str(error)),))
        if spans[-1].last >= self._names.slots[group]:
            return NamedLoss({}, (unknown_slot(group, spans[-1].last, self._names, where),))
        servers = frozenset(SlotKey(group, slot) for span in spans for slot in range(span.first, span.last + 1))
        connected = [
            fabric
            for fabric in self._plan.fabrics.values()
            if any(shape.name == group for shape in fabric.shape.groups)
        ]
        return NamedLoss({fabric.name: Lost(servers=_present(fabric, servers)) for fabric in connected})

    def _of_port(self, device: str, port: str, where: IntentPath, *, whole: bool) -> NamedLoss:
        fabric, place = self._names.devices[device]
        links_by_port = {port_name(fabric, place, link): (cage, link) for cage, link in links_of_switch(fabric, place)}
        if port in links_by_port:
            cage, link = links_by_port[port]
            links = by_cage(links_by_port.values())[cage] if whole else (link,)
            return NamedLoss({fabric.name: links_lost(links)})
        if port in self._names.ports_of(device):
            fix = did_you_mean(port, links_by_port)
            return NamedLoss({}, (_unknown(f"{device}/{port}", where, fix, "no link of the fabric ends at this port"),))
        return NamedLoss({}, (unknown_port(device, port, self._names, where),))

    def _of_area(self, name: str, where: IntentPath) -> NamedLoss:
        kind, _, path = name.partition(":")
        fabric, *others = path.split("/")
        if fabric not in self._plan.fabrics:
            return NamedLoss({}, (_unknown(f"fabric {fabric}", where, did_you_mean(fabric, self._plan.fabrics)),))
        plan = self._plan.fabrics[fabric]
        areas = dict(_areas(plan, kind))
        lost = areas.get("/".join(others))
        if lost is None:
            last_name = f"{kind}:{fabric}/{next(reversed(areas))}" if areas else f"a switch of {fabric}"
            return NamedLoss({}, (_unknown(name, where, f"write one up to {last_name}"),))
        return NamedLoss({fabric: lost})


def _all_of(named_losses: Iterable[NamedLoss]) -> NamedLoss:
    """Return what is lost with all of several names, or their problems."""
    by_fabric: dict[str, list[Lost]] = {}
    problems: list[Problem] = []
    for named in named_losses:
        problems += named.problems
        for fabric, lost in named.losses.items():
            by_fabric.setdefault(fabric, []).append(lost)
    return NamedLoss({fabric: together(losses) for fabric, losses in by_fabric.items()}, tuple(problems))


def _areas(fabric: FabricPlan, kind: str) -> Iterator[tuple[str, Lost]]:
    shape = fabric.shape
    if kind == "pod":
        yield from ((str(pod), Lost(pods=frozenset({pod}))) for pod in range(shape.pods) if pod_exists(fabric, pod))
    elif kind == "plane":
        yield from ((str(plane), Lost(planes=frozenset({plane}))) for plane in range(shape.planes))
    else:
        for group in shape.groups:
            for span in group.present:
                for number in range(span.first, span.last + 1):
                    # By the name of any group on its leaves: all of their servers are lost with these.
                    unit = unit_of(group, number * group.slots_a_unit)._replace(group=group.leaves_of)
                    yield f"{group.name}/{number}", Lost(units=frozenset({unit}))


def _present(fabric: FabricPlan, servers: frozenset[SlotKey]) -> frozenset[SlotKey]:
    return frozenset(key for key in servers if has_server(fabric, group_of(fabric, key.group), key.slot))


def _unknown(what: str, where: IntentPath, fix: str, why: str = "the plan has nothing of this name") -> Problem:
    return Problem(code="unknown-name", what=f"unknown {what}", where=where, why=why, fix=fix)


def port_name(fabric: FabricPlan, place: Place, link: AnyLink) -> str:
    """Return the port of a link at one of its switches, as the operating system of the switch names it."""
    if isinstance(link, HostLink):
        _, number = leaf_of(fabric, group_of(fabric, link.group), link.slot, link.nic, link.plane)
        return port_text(fabric, place, binding_of(fabric, place).down[number])
    wire_link = uplink(fabric, link.lower, link.number)
    return port_text(fabric, place, wire_link.lower_port if wire_link.lower == place else wire_link.upper_port)


def link_name(fabric: FabricPlan, link: AnyLink) -> str:
    """Return the name of a link for `--fail`: its port at the leaf, or at the lower switch."""
    place = leaf_of_link(fabric, link) if isinstance(link, HostLink) else link.lower
    return f"{name_of(fabric, place)}/{port_name(fabric, place, link)}"


def unit_name(fabric: FabricPlan, unit: Unit) -> str:
    """Return the name of a unit for `--fail`."""
    number = unit.pod * group_of(fabric, unit.group).units_a_pod + unit.su
    return f"{UNIT}{fabric.name}/{unit.group}/{number}"


def server_names(slots: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Return the names of some servers, (group, slot) each, one per group: train[0-3,8]."""
    slots_by_group: dict[str, set[int]] = {}
    for group, slot in slots:
        slots_by_group.setdefault(group, set()).add(slot)
    for group, numbers in sorted(slots_by_group.items()):
        yield f"{group}[{spans_text(parse_spans(','.join(map(str, sorted(numbers)))))}]"


def out_of_service(network: Network) -> OutOfService:
    """Return the names of what is out of service before a failure."""
    fabric, states = network.fabric, network.fabric.exceptions
    groups = {group.name for group in fabric.shape.groups}

    def named(state: str) -> tuple[str, ...]:
        slots = [key for key, each in states.slots.items() if each == state and key.group in groups]
        switches = (name for name, each in states.devices.items() if each == state and place_of(fabric, name))
        return *sorted(switches), *server_names(slots)

    hosts = (
        link_name(fabric, link)
        for links in network.down.values()
        for link in links
        if network.is_counted(link) and leaf_of_link(fabric, link) not in network.dead | network.drained
    )
    drained_links = _wire_names(network, network.drained_links, network.drained)
    dead_links = _wire_names(network, network.dead_uplinks, network.dead)
    return OutOfService(
        drained=(*named(DRAINED), *sorted(drained_links)),
        dead=named(DEAD),
        absent=named(ABSENT),
        links=tuple(sorted((*dead_links, *hosts))),
    )


def _wire_names(
    network: Network, numbers_by_lower: Mapping[Place, frozenset[int]], apart: frozenset[Place]
) -> Iterator[str]:
    """Return the names of links between switches, without those of the switches `apart`."""
    wires = (Wire(lower, number) for lower, numbers in numbers_by_lower.items() for number in numbers)
    for wire in wires:
        if apart.isdisjoint({wire.lower, upper_of(network.fabric, wire)}):
            yield link_name(network.fabric, wire)


def names_of(fabric: FabricPlan, lost: Lost) -> tuple[str, ...]:
    """Return the names of all lost parts for `--fail`."""
    return (
        *(f"{PLANE}{fabric.name}/{plane}" for plane in sorted(lost.planes)),
        *(f"{POD}{fabric.name}/{pod}" for pod in sorted(lost.pods)),
        *(unit_name(fabric, unit) for unit in sorted(lost.units)),
        *sorted(name_of(fabric, place) for place in lost.switches),
        *server_names((key.group, key.slot) for key in lost.servers),
        *sorted([link_name(fabric, wire) for wire in lost.wires] + [link_name(fabric, link) for link in lost.hosts]),
    )
