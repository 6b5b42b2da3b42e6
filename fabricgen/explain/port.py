"""One interface of a switch: its logical port, its remote end, its addresses and its cable."""

import re
from collections.abc import Iterator

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.cable import cable_facts
from fabricgen.explain.device import has_vtep, named_seat, number_facts, switch_facts
from fabricgen.explain.formula import TIER_WORDS
from fabricgen.explain.inverse import Seat, exists_today, fabric_of, seat_name
from fabricgen.explain.known import KnownSite, intent_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.sockets import NamedPort, Socket, find_sockets, name_facts
from fabricgen.explain.states import override_facts
from fabricgen.explain.tenant import attached_networks, gateway_facts, outside_facts, relay_facts
from fabricgen.explain.wire import host_facts, nth_host, nth_uplink, uplink_facts
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, name_of, port_text
from fabricgen.plan.links import external_link
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import FIRST_RELAY_LOOPBACK
from fabricgen.plan.wiring import downlinks

_LOOPBACK = re.compile(r"(?:loopback|lo)[ /]?([0-9]{1,6})", re.IGNORECASE)
_VLAN = re.compile(r"vlan[ /]?([0-9]{1,4})", re.IGNORECASE)


def port_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """The interface of a switch, `<device>/<port>`, named as its operating system or another one names it."""
    device, slash, port = asked.text.partition("/")
    if not slash or asked.kind not in ("", "port"):
        return
    seat = named_seat(known, device)
    fabric = fabric_of(known.plan, seat.segment) if seat is not None else None
    if seat is None or fabric is None:
        return
    place = seat.place
    for named in find_sockets(fabric, place, port):
        yield _physical(known, fabric, seat, named)
    yield from _management(known, fabric, seat, port)
    yield from _loopback(known, seat, port)
    yield from _virtual(known, fabric, place, port)


def _physical(known: KnownSite, fabric: FabricPlan, seat: Seat, named: NamedPort) -> Answer:
    socket = named.socket
    place, port = seat.place, socket.port
    name, text = seat_name(known.plan, seat), port_text(fabric, place, port)
    part = f", part {port.part + 1} of {port.parts}" if port.parts > 1 else ""
    lanes = f"{port.lanes} lane{'s' if port.lanes > 1 else ''} from {port.lane}"
    facts = [
        *name_facts(fabric, place, named.name, text, named.system),
        AnswerLine("port", f"cage {port.cage}{part}, {port.connector}, {port.speed_gbps}G, {lanes}"),
        *switch_facts(known, seat),
        *_binding(known, fabric, place, socket),
        *_far(known, fabric, seat, socket),
    ]
    role = {
        "down": f"downlink {socket.at}",
        "up": f"uplink {socket.at}",
        "reserved": f"reserved for uplink {socket.at}",
        "spare": "a port without a cable",
    }[socket.side]
    return Answer("port", f"{name} {text}: {role} of a {TIER_WORDS[place.tier]} of {place.fabric}", tuple(facts))


def _binding(known: KnownSite, fabric: FabricPlan, place: Place, socket: Socket) -> Iterator[AnswerLine]:
    """Why the cable is in this port, if it is not the one in front-panel order.

    A dead port and its spare port are swapped.
    """
    chassis, binding, name = chassis_of(fabric, place), binding_of(fabric, place), name_of(fabric, place)
    text = port_text(fabric, place, socket.port)
    if fabric.exceptions.ports.get(PortKey(name, text)) == "dead":
        for usual_ports, bound_ports in ((chassis.down, binding.down), (chassis.up, binding.up)):
            if socket.port in usual_ports and bound_ports[usual_ports.index(socket.port)] != socket.port:
                spare = port_text(fabric, place, bound_ports[usual_ports.index(socket.port)])
                yield AnswerLine("binding", f"dead: the spare port {spare} has its cable and its addresses")
        return
    if socket.side == "spare":
        yield AnswerLine("binding", "spare: no planned cable uses it; it replaces a dead port")
        return
    if socket.side == "reserved":
        yield AnswerLine("binding", f"uplink {socket.at} in front-panel order, used when more spines need it")
        return
    usual_port = (chassis.down if socket.side == "down" else chassis.up)[socket.at]
    if usual_port == socket.port:
        link = "downlink" if socket.side == "down" else "uplink"
        yield AnswerLine("binding", f"{link} {socket.at} in front-panel order")
        return
    dead = port_text(fabric, place, usual_port)
    yield AnswerLine("binding", f"it has the cable of {dead}, a dead port: the addresses stay")
    yield from override_facts(known, PortKey(name, dead))


def _far(known: KnownSite, fabric: FabricPlan, seat: Seat, socket: Socket) -> Iterator[AnswerLine]:
    place = seat.place
    if socket.side in ("spare", "reserved"):
        if socket.side == "reserved":
            spines = fabric.shape.spines
            yield _no_cable(f"a leaf has {fabric.shape.uplinks_on(spines)} uplinks with {spines} spines")
        key = PortKey(seat_name(known.plan, seat), port_text(fabric, place, socket.port))
        yield from override_facts(known, key)
    elif socket.side == "up":
        uplink = nth_uplink(fabric, place, socket.at)
        yield from uplink_facts(known, fabric, uplink) if uplink is not None else [_no_cable(_no_uplink(known, seat))]
    elif place.tier is Tier.LEAF:
        host = nth_host(fabric, place, socket.at)
        yield from (
            host_facts(known, fabric, place, host) if host is not None else [_no_cable("no NIC port connects here")]
        )
    elif place.tier is Tier.BORDER:
        yield from _external(known, fabric, place, socket)
    else:
        yield from _from_below(known, fabric, seat, socket)


def _no_cable(reason: str) -> AnswerLine:
    return AnswerLine("cable", f"none: {reason}")


def _no_uplink(known: KnownSite, seat: Seat) -> str:
    if exists_today(known.plan, seat):
        return "there is no tier above"
    return "the switch is not installed yet; the far ends of its uplinks depend on the number of spines at that time"


def _from_below(known: KnownSite, fabric: FabricPlan, seat: Seat, socket: Socket) -> Iterator[AnswerLine]:
    place = seat.place
    if not exists_today(known.plan, seat):
        yield _no_cable(
            "the switch is not installed yet; the uplinks that end here depend on the number of spines at that time"
        )
        return
    uplink = next((link for link in downlinks(fabric, place) if link.upper_port == socket.port), None)
    if uplink is not None:
        yield from uplink_facts(known, fabric, uplink)
        return
    links = fabric.shape.core_links if place.tier is Tier.SUPERSPINE else fabric.shape.links
    stride = len(binding_of(fabric, place).down) // links
    row = socket.at % stride
    formula = f"port mod (R / m) = {socket.at} mod {stride}"
    planned = _planned_below(fabric, place, row) if socket.at < links * stride else None
    if planned is None:
        lower = "pod" if place.tier is Tier.SUPERSPINE else "leaf"
        yield AnswerLine("cable", f"none: no {lower} has port group {row}", formula)
    else:
        name = name_of(fabric, planned)
        yield AnswerLine("cable", f"none yet: port group {row} is planned for {name}, which is not installed", formula)
    yield from override_facts(known, PortKey(name_of(fabric, place), port_text(fabric, place, socket.port)))


def _planned_below(fabric: FabricPlan, upper: Place, row: int) -> Place | None:
    """Switch below for which a port row is planned: of a superspine the spine of a pod, else a leaf; None for none."""
    if upper.tier is Tier.SUPERSPINE:
        spine = Place(fabric.name, Tier.SPINE, "", upper.plane, row, 0, 0, upper.su)
        return spine if row < fabric.shape.pods else None
    below = fabric.rows.get(row)
    return below._replace(plane=upper.plane, pod=upper.pod) if below is not None else None


def _external(known: KnownSite, fabric: FabricPlan, place: Place, socket: Socket) -> Iterator[AnswerLine]:
    name, text = name_of(fabric, place), port_text(fabric, place, socket.port)
    sessions = [
        (tenant, index)
        for tenant in known.plan.tenants.get(fabric.name, ())
        for index, external in enumerate(tenant.external)
        if (external.border, external.port) == (place.index, socket.at)
    ]
    if not sessions:
        yield _no_cable(f"no external: of a tenant has border {place.index}, port {socket.at}")
    for tenant, index in sessions:
        yield from outside_facts(known, fabric, tenant, index, text)
    if sessions:
        peer = sessions[0][0].external[sessions[0][1]].peer
        yield from cable_facts(known, fabric, external_link(fabric, place, socket.port, peer))
    yield from override_facts(known, name)
    yield from override_facts(known, PortKey(name, text))


def _management(known: KnownSite, fabric: FabricPlan, seat: Seat, port: str) -> Iterator[Answer]:
    chassis = chassis_of(fabric, seat.place)
    own = chassis.system.partition("-")[0]
    text = chassis.switch.management_port.get(own, "")
    names = {own: text, **chassis.switch.management_port}
    systems = [system for system, name in names.items() if name and name.casefold() == port.casefold()]
    if not text or not systems:
        return
    renamed_facts = name_facts(fabric, seat.place, port, text, systems[0] if systems[0] != own else "")
    management = known.plan.intent.management
    pool = intent_origin(known, ("management", "oob"), f"management.oob: {management.oob}")
    facts = [fact for fact in number_facts(known, seat) if fact.label in ("segment", "number", "management")]
    vrf = AnswerLine("VRF", f"{management.vrf}, prefix length {management.oob.prefixlen}", "", pool)
    yield Answer("port", f"{seat_name(known.plan, seat)} {text}: the out-of-band port", (*renamed_facts, *facts, vrf))


def _loopback(known: KnownSite, seat: Seat, port: str) -> Iterator[Answer]:
    match = _LOOPBACK.fullmatch(port)
    if match is None:
        return
    number = int(match[1])
    name = f"{seat_name(known.plan, seat)} loopback {number}"
    labels = {0: ("router id", "loopback 0"), 1: ("VTEP",)}.get(number, ())
    facts = tuple(fact for fact in number_facts(known, seat) if fact.label in ("segment", "number", *labels))
    if number == 0:
        yield Answer("port", f"{name}: the router id", facts)
    elif number == 1 and has_vtep(known, seat):
        yield Answer("port", f"{name}: the VTEP", facts)
    elif number >= FIRST_RELAY_LOOPBACK:
        yield from _relay(known, seat, number, name)


def _relay(known: KnownSite, seat: Seat, number: int, name: str) -> Iterator[Answer]:
    fabric = fabric_of(known.plan, seat.segment)
    if fabric is None or seat.segment.tier is not Tier.LEAF:
        return
    tenants = {tenant.name: tenant for tenant, _ in attached_networks(known, fabric, seat.place)}
    for tenant in tenants.values():
        if tenant.id == number - FIRST_RELAY_LOOPBACK and tenant.relay_sources:
            facts = tuple(relay_facts(known, fabric, tenant, seat))
            yield Answer("port", f"{name}: the source of {tenant.name}'s DHCP relays", facts)


def _virtual(known: KnownSite, fabric: FabricPlan, place: Place, port: str) -> Iterator[Answer]:
    """The gateway of a VLAN, and the subinterface of an external session."""
    name = name_of(fabric, place)
    match = _VLAN.fullmatch(port)
    for tenant, network in attached_networks(known, fabric, place) if match is not None else ():
        if match is not None and network.vlan_id == int(match[1]):
            title = f"{name} VLAN {network.vlan_id}: gateway of {tenant.name}/{network.name}"
            yield Answer("port", title, tuple(gateway_facts(known, fabric, tenant, network)))
    if place.tier is Tier.BORDER:
        yield from _outside(known, fabric, place, port)


def _outside(known: KnownSite, fabric: FabricPlan, place: Place, name: str) -> Iterator[Answer]:
    parent, _, vlan = name.rpartition(".")
    for named in find_sockets(fabric, place, parent):
        if named.socket.side == "down":
            text = port_text(fabric, place, named.socket.port)
            named_as = tuple(name_facts(fabric, place, f"{named.name}.{vlan}", f"{text}.{vlan}", named.system))
            for tenant in known.plan.tenants.get(fabric.name, ()):
                for index, external in enumerate(tenant.external):
                    if (external.border, external.port, str(external.vlan)) == (place.index, named.socket.at, vlan):
                        title = f"{name_of(fabric, place)} {text}.{vlan}: to {external.peer} in {tenant.name}"
                        yield Answer("port", title, (*named_as, *outside_facts(known, fabric, tenant, index, text)))
