"""One address: the port, loopback or service that has it, or the block, subnet or pool in which it is free."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, ip_interface

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.device import has_vtep, number_facts, switch_facts
from fabricgen.explain.fabric import region_facts
from fabricgen.explain.formula import RAIL, address
from fabricgen.explain.inverse import (
    Seat,
    SeatOffset,
    by_block,
    by_loopback,
    by_oob,
    exists_today,
    fabric_of,
    seat_name,
)
from fabricgen.explain.known import KnownSite, intent_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.services import service_answers
from fabricgen.explain.states import override_facts
from fabricgen.explain.subnets import subnet_answers
from fabricgen.explain.wire import host_ends, host_facts, nth_host, nth_uplink, uplink_facts
from fabricgen.plan.fabric import FabricPlan, chassis_of, host_space
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import pools_of
from fabricgen.plan.segments import OOB_RESERVED, Pool
from fabricgen.plan.wires import uplink_ends


def address_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """Answers about an address, with or without a prefix length."""
    interface = read_address(asked.text) if asked.kind in ("", "address") else None
    if interface is None or (is_prefix(interface) and asked.kind == ""):
        return
    answers = tuple(_answers(known, interface.ip))
    yield from answers or _free(known, interface.ip)


def read_address(text: str) -> IPv4Interface | IPv6Interface | None:
    """Read an address or prefix; None for anything else, and for a zone (RFC 4007), which is local to a device."""
    if "%" in text or text.isdigit():
        return None
    try:
        return ip_interface(text)
    except ValueError:
        return None


def is_prefix(interface: IPv4Interface | IPv6Interface) -> bool:
    """Whether a network was written rather than an address in it: no host bits, and shorter than an address."""
    return interface.ip == interface.network.network_address and interface.network.prefixlen < interface.max_prefixlen


def _answers(known: KnownSite, ip: IPv4Address | IPv6Address) -> Iterator[Answer]:
    value, bits = int(ip), ip.max_prefixlen
    for seat_offset in by_block(known.plan, value, bits):
        yield _in_block(known, seat_offset, value, bits)
    for seat_offset in by_loopback(known.plan, value, bits):
        yield _loopback(known, seat_offset, value, bits)
    if bits == 32:
        for seat in by_oob(known.plan, value):
            yield _management(known, seat, value)
    yield from service_answers(known, ip)
    yield from subnet_answers(known, ip)


def block_facts(known: KnownSite, seat: Seat, bits: int) -> Iterator[AnswerLine]:
    """The block that an address is in, and its formula."""
    for fact in number_facts(known, seat):
        is_block = fact.label in ("block", "aggregate") and (":" in fact.value) == (bits == 128)
        if fact.label == "segment" and seat.place.tier is Tier.LEAF and seat.segment.box[RAIL].size > 1:
            # The same page has the rail of a NIC.
            yield fact._replace(
                value=f"{fact.value}; rail here is the number of the leaf in its unit, not that of a NIC"
            )
        elif is_block or fact.label in ("segment", "number"):
            yield fact


def _is_reserved(fabric: FabricPlan, seat_offset: SeatOffset, bits: int) -> bool:
    """Whether the address is that of an uplink that comes with more spines."""
    chassis = chassis_of(fabric, seat_offset.seat.place)
    number = (seat_offset.offset - host_space(seat_offset.seat.segment.hosts)) // 2
    family = "ipv4" if bits == 32 else "ipv6"
    return family in fabric.fabric.addressing.links and len(chassis.up) <= number < len(chassis.uplinks)


def _in_block(known: KnownSite, seat_offset: SeatOffset, value: int, bits: int) -> Answer:
    seat, text = seat_offset.seat, address(value, bits)
    name, fabric = seat_name(known.plan, seat), fabric_of(known.plan, seat.segment)
    space = host_space(seat.segment.hosts)
    facts: tuple[AnswerLine, ...] = (*switch_facts(known, seat, "block of"), *block_facts(known, seat, bits))
    if fabric is None:
        return Answer("address", f"{text}: in the block of {name}, which the intent no longer has", facts)
    described = (
        _host(known, fabric, seat_offset, bits)
        if seat_offset.offset < space
        else _uplink(known, fabric, seat_offset, bits)
    )
    position = tuple(_offset(seat_offset, space, text, bits))
    if described is not None:
        description, link = described
        return Answer("address", f"{text}: {description}", (*position, *link, *facts))
    if exists_today(known.plan, seat) and _is_reserved(fabric, seat_offset, bits):
        reserved_uplink = f"uplink {(seat_offset.offset - space) // 2} of {name}"
        return Answer(
            "address", f"{text}: reserved for {reserved_uplink}, which comes with more spines", (*position, *facts)
        )
    if exists_today(known.plan, seat) or seat_offset.offset < space:
        return Answer("address", f"{text}: free in the block of {name}, no port uses it", facts)
    return Answer("address", f"{text}: reserved for an uplink of {name}, which is not installed", (*position, *facts))


def _offset(seat_offset: SeatOffset, space: int, text: str, bits: int) -> Iterator[AnswerLine]:
    """The inverse, step by step: block, then the number of the link in it, then the end."""
    segment = seat_offset.seat.segment
    run = segment.ipv4 if bits == 32 else segment.ipv6
    if run is None:
        return
    start = address(run.block(seat_offset.seat.number), bits)
    formula = f"{text} - {start} = {seat_offset.offset}"
    if seat_offset.offset < space:
        number, end = divmod(seat_offset.offset, 2)
        ends = ("the leaf's end", "the server's end")
        yield AnswerLine(
            "position",
            f"host port {number}, {ends[end]}",
            f"{formula}; {_halves(str(seat_offset.offset), number, end)}",
        )
    else:
        number, end = divmod(seat_offset.offset - space, 2)
        ends = ("the lower end", "the upper end")
        uplink_offset = f"({seat_offset.offset} - {space})" if space else str(seat_offset.offset)
        yield AnswerLine(
            "position", f"uplink {number}, {ends[end]}", f"{formula}; {_halves(uplink_offset, number, end)}"
        )


def _halves(offset: str, number: int, end: int) -> str:
    return f"{offset} div 2 = {number}, {offset} mod 2 = {end}"


Link = tuple[str, tuple[AnswerLine, ...]]


def _host(known: KnownSite, fabric: FabricPlan, seat_offset: SeatOffset, bits: int) -> Link | None:
    place = seat_offset.seat.place
    if place.tier is not Tier.LEAF or fabric.fabric.addressing.hosts != ("ipv4" if bits == 32 else "ipv6"):
        return None
    number, end = divmod(seat_offset.offset, 2)
    host = nth_host(fabric, place, number)
    is_paired = has_leaf_pairs(fabric)
    # Behind two leaves a NIC has one address, from the block of the first one, and the ports of leaves have none.
    if host is None or (is_paired and (place.index or not end)):
        return None
    leaf_end, server_end = host_ends(fabric, place, host)
    description = (
        f"{leaf_end.device} {leaf_end.port}, towards {server_end.device}"
        if not end
        else f"{server_end.device} {server_end.port}, at {leaf_end.device} {leaf_end.port}"
    )
    if is_paired:
        description = f"{description}, and over the other leaf of the pair"
    return description, tuple(host_facts(known, fabric, place, host))


def _uplink(known: KnownSite, fabric: FabricPlan, seat_offset: SeatOffset, bits: int) -> Link | None:
    if ("ipv4" if bits == 32 else "ipv6") not in fabric.fabric.addressing.links:
        return None
    number, end = divmod(seat_offset.offset - host_space(seat_offset.seat.segment.hosts), 2)
    uplink = nth_uplink(fabric, seat_offset.seat.place, number)
    if uplink is None:
        return None
    lower, upper = uplink_ends(fabric, uplink)
    near_end, far_end = (lower, upper) if not end else (upper, lower)
    description = f"{near_end.device} {near_end.port}, towards {far_end.device} {far_end.port}"
    return description, tuple(uplink_facts(known, fabric, uplink))


def _loopback(known: KnownSite, seat_offset: SeatOffset, value: int, bits: int) -> Answer:
    seat = seat_offset.seat
    name = seat_name(known.plan, seat)
    labels = {"segment", "number", "router id"} if bits == 32 else {"segment", "number", "loopback 0"}
    if not seat_offset.offset and bits == 32 and _is_number(known, seat):
        description = f"the router id of {name}, on no interface"
    elif not seat_offset.offset and bits == 128 and _is_number(known, seat):
        description = f"{name} loopback 0"
    elif not seat_offset.offset:
        description = f"{name} loopback 0, the router id"
    elif bits == 32 and has_vtep(known, seat):
        description, labels = f"{name} loopback 1, the VTEP", labels | {"VTEP"}
    else:
        description = f"free: the second of the pair of {name}, which needs only one"
    facts = [fact for fact in number_facts(known, seat) if fact.label in labels]
    overrides = override_facts(known, name)
    return Answer("address", f"{address(value, bits)}: {description}", (*switch_facts(known, seat), *facts, *overrides))


def _is_number(known: KnownSite, seat: Seat) -> bool:
    """Whether the router id of a place is a number alone, as its fabric has no IPv4."""
    fabric = fabric_of(known.plan, seat.segment)
    return seat.segment.loopback4 is None if fabric is None else fabric.fabric.addressing.ipv4 is None


def _management(known: KnownSite, seat: Seat, value: int) -> Answer:
    name, fabric = seat_name(known.plan, seat), fabric_of(known.plan, seat.segment)
    port = ""
    if fabric is not None:
        chassis = chassis_of(fabric, seat.place)
        port = chassis.switch.management_port.get(chassis.system.partition("-")[0], "")
    labels = ("segment", "number", "management")
    facts = [fact for fact in number_facts(known, seat) if fact.label in labels]
    title = f"{address(value, 32)}: {name} {port}, the out-of-band address"
    return Answer("address", title, (*switch_facts(known, seat), *facts, *override_facts(known, name)))


def _free(known: KnownSite, ip: IPv4Address | IPv6Address) -> Iterator[Answer]:
    """An address of one of the site's pools that nothing uses."""
    value, bits = int(ip), ip.max_prefixlen
    for fabric in known.plan.fabrics.values():
        pools = pools_of(fabric.fabric)
        family, pool = ("ipv4", pools.ipv4) if bits == 32 else ("ipv6", pools.ipv6)
        if pool is not None and pool.start <= value < pool.end:
            facts = (_next(known, fabric, pool, value), *region_facts(known, fabric, family, pool))
            yield Answer("address", f"{ip}: free in the pool of {fabric.name}", facts)
    oob: IPv4Network = known.plan.intent.management.oob
    if ip in oob:
        number = value - int(oob.network_address)
        reserved = f"one of the first {OOB_RESERVED}, reserved for gateways and services"
        reason = reserved if number < OOB_RESERVED else "no switch has it"
        origin = intent_origin(known, ("management", "oob"))
        facts = (
            AnswerLine("prefix", str(oob), "", origin),
            AnswerLine("number", str(number), f"{ip} - {oob.network_address}"),
        )
        yield Answer("address", f"{ip}: free in the management prefix, {reason}", facts)


def _next(known: KnownSite, fabric: FabricPlan, pool: Pool, value: int) -> AnswerLine:
    """The end of the region that the address is in: growth appends there."""
    is_low = value < pool.boundary
    ends = []
    for segment in known.plan.lock.segments:
        run_ipv4, run_ipv6 = (segment.ipv4, segment.ipv6) if is_low else (segment.loopback4, segment.loopback6)
        run = run_ipv4 if pool.bits == 32 else run_ipv6
        if segment.fabric == fabric.name and run is not None:
            ends.append(run.block(segment.box.size()))
    end = max(ends, default=pool.start if is_low else pool.boundary)
    region = "blocks" if is_low else "loopbacks"
    if value < end:
        return AnswerLine("free", f"a gap between {region}: gaps are never filled")
    return AnswerLine(
        "free", f"after the last of the {region}: the next ones start at {address(end, pool.bits)} or later"
    )
