"""What has an AS number, VNI, VLAN, route distinguisher or route target."""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.device import switch_facts
from fabricgen.explain.formula import place_text, radix, segment_text
from fabricgen.explain.inverse import Seat, SharedAsn, by_asn, by_loopback, by_number, exists_today, seat_name
from fabricgen.explain.known import KnownSite, intent_origin, segment_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.tenant import gateway_facts, network_answer, numbers, outside_facts, tenants_of, vrf_facts
from fabricgen.plan.exceptions import server_name
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.leaf_pairs import LAST_ASN, SLOTS, has_leaf_pairs, server_asn
from fabricgen.plan.place import Tier
from fabricgen.plan.segments import ASN_AXES
from fabricgen.plan.wiring import groups_on, unit_slots

_NUMBER = re.compile(r"[0-9]{1,10}")
_ASDOT = re.compile(r"([0-9]{1,5})\.([0-9]{1,5})")
_PAIR = re.compile(r"([0-9.]{1,15}):([0-9]{1,10})")


def asn_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """An AS number, as one number or in two halves (asdot, RFC 5396): its switches, or the external peers."""
    number = _asn(asked)
    if number is None:
        return
    for shared in by_asn(known.plan, number):
        yield _asn_of(known, shared, number)
    for fabric in known.plan.fabrics.values():
        yield from _server_of(known, fabric, number)
    outside = [
        fact
        for fabric, tenant in tenants_of(known)
        for index, external in enumerate(tenant.external)
        if external.asn == number
        for fact in outside_facts(known, fabric, tenant, index, "")
    ]
    if outside:
        yield Answer("asn", f"AS {number}: external peers", tuple(outside))


def _server_of(known: KnownSite, fabric: FabricPlan, number: int) -> Iterator[Answer]:
    """The server that has an AS number because its NICs have two leaves."""
    if not has_leaf_pairs(fabric) or number > LAST_ASN:
        return
    leaf_number, position = divmod(LAST_ASN - number, SLOTS)
    seat = by_number(known.plan, fabric.name, Tier.LEAF, leaf_number)
    if seat is None:
        return
    leaf = seat.place
    for group in groups_on(fabric, leaf):
        slots = unit_slots(group, leaf)
        slot = slots.first + position - group.first_position
        if not slots.first <= slot <= slots.last or server_asn(fabric, group, slot) != number:
            continue
        name = server_name(known.plan.exceptions, group.name, slot)
        formula = f"{LAST_ASN} - {leaf_number} × {SLOTS} - {position}"
        why = "its NICs have one address behind two leaves each, and it announces them"
        facts = (AnswerLine("number", why, formula, intent_origin(known, ("fabrics", fabric.name, "topology"))),)
        yield Answer("asn", f"AS {number}: {name}, on {fabric.name}", facts)


def free_asn_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """An AS number in the range of a fabric that no planned switch has."""
    number = _asn(asked)
    if number is None or any(by_asn(known.plan, number)):
        return
    for fabric in known.plan.fabrics.values():
        asns = fabric.fabric.asns
        if asns.first <= number <= asns.last:
            segments = [s for s in known.plan.lock.segments if s.fabric == fabric.name]
            next_free = max((s.asn + s.box.size(ASN_AXES[s.tier]) for s in segments), default=asns.first)
            origin = intent_origin(known, ("fabrics", fabric.name, "asns"))
            facts = (
                AnswerLine("range", f"{asns.first}-{asns.last}", "", origin),
                AnswerLine("next", str(next_free), "one after the last one in the lock; gaps are never filled"),
            )
            yield Answer("asn", f"AS {number}: free, in the range of {fabric.name}", facts)


def _asn(asked: Question) -> int | None:
    if asked.kind not in ("", "asn"):
        return None
    halves = _ASDOT.fullmatch(asked.text)
    if halves is not None:
        return int(halves[1]) << 16 | int(halves[2])
    return int(asked.text) if _NUMBER.fullmatch(asked.text) else None


def _asn_of(known: KnownSite, shared: SharedAsn, asn: int) -> Answer:
    segment, number = shared
    first, last = (Seat(segment, index) for index in shared.numbers)
    names = [seat_name(known.plan, seat) for seat in (first, last)]
    origin, axes = segment_origin(known, segment), ASN_AXES[segment.tier]
    facts = [
        AnswerLine("segment", segment_text(segment).removeprefix("segment "), "", origin),
        AnswerLine(
            "number",
            f"n = {number}",
            f"position in this line of the lock: {radix(segment.box, first.place.point, axes)}",
        ),
        AnswerLine("AS number", str(asn), f"asn + n = {segment.asn} + {number}", origin),
    ]
    if first == last:
        facts += [AnswerLine("place", place_text(first.place)), *switch_facts(known, first)]
        return Answer("asn", f"AS {asn}: {names[0]} of {segment.fabric}", tuple(facts))
    seats = [Seat(segment, index) for index in range(shared.numbers.first, shared.numbers.last + 1)]
    count = sum(exists_today(known.plan, seat) for seat in seats)
    facts.append(AnswerLine("switches", f"{names[0]} to {names[1]}: {len(seats)} numbered, {count} installed"))
    return Answer("asn", f"AS {asn}: {segment.tier.value}s of {segment.fabric} that share it", tuple(facts))


def _plain(asked: Question, kind: str) -> int | None:
    return int(asked.text) if asked.kind in ("", kind) and _NUMBER.fullmatch(asked.text) else None


def vni_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A VNI: the VRF or the network that has it."""
    number = _plain(asked, "vni")
    if number is not None:
        for _, owner, facts in _with_vni(known, number):
            yield Answer("vni", f"VNI {number}: {owner}", facts)


def _with_vni(known: KnownSite, number: int) -> Iterator[tuple[FabricPlan, str, tuple[AnswerLine, ...]]]:
    """What has a VNI: its fabric, its description, and all lines about it."""
    for fabric, tenant in tenants_of(known):
        if tenant.vni == number:
            description = f"L3 VNI of {tenant.name} on {fabric.name}"
            yield fabric, description, tuple(vrf_facts(known, fabric, tenant))
        for network in tenant.networks:
            if network.vni == number:
                description = f"L2 VNI of {tenant.name}/{network.name} on {fabric.name}"
                yield fabric, description, network_answer(known, fabric, tenant, network).facts


def vlan_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A VLAN: networks on server ports, and external sessions."""
    number = _plain(asked, "vlan")
    if number is None:
        return
    for fabric, tenant in tenants_of(known):
        for network in tenant.networks:
            if network.vlan_id == number:
                title = f"VLAN {number}: {tenant.name}/{network.name} on {fabric.name}"
                yield Answer("vlan", title, tuple(gateway_facts(known, fabric, tenant, network)))
        outside = [index for index, external in enumerate(tenant.external) if external.vlan == number]
        if outside:
            facts = tuple(fact for index in outside for fact in outside_facts(known, fabric, tenant, index, ""))
            yield Answer("vlan", f"VLAN {number}: external session of {tenant.name} on {fabric.name}", facts)


def target_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A route target, `admin:VNI`."""
    match = _PAIR.fullmatch(asked.text)
    if match is None or "." in match[1] or asked.kind not in ("", "route-target"):
        return
    for fabric, owner, facts in _with_vni(known, int(match[2])):
        if str(numbers(fabric).admin) == match[1]:
            yield Answer("route-target", f"route target {asked.text}: {owner}", facts)


def distinguisher_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A route distinguisher, `VTEP:id` (RFC 4364, type 1): a VRF or a network on one switch."""
    match = _PAIR.fullmatch(asked.text)
    value = _address(match[1]) if match is not None and asked.kind in ("", "rd") else None
    if match is None or value is None:
        return
    for seat in (seat_offset.seat for seat_offset in by_loopback(known.plan, value, 32) if seat_offset.offset):
        title = f"route distinguisher {asked.text}: {seat_name(known.plan, seat)}"
        for owner, facts in _with_id(known, seat.segment.fabric, int(match[2])):
            yield Answer("rd", f"{title}, {owner}", facts)


def _address(text: str) -> int | None:
    try:
        return int(IPv4Address(text))
    except AddressValueError:
        return None


def _with_id(known: KnownSite, name: str, number: int) -> Iterator[tuple[str, tuple[AnswerLine, ...]]]:
    """What has an id of the lock on a fabric."""
    for fabric, tenant in tenants_of(known):
        if fabric.name != name:
            continue
        if tenant.id == number:
            yield f"VRF {tenant.name}", tuple(vrf_facts(known, fabric, tenant))
        for network in tenant.networks:
            if network.id == number:
                yield f"network {tenant.name}/{network.name}", network_answer(known, fabric, tenant, network).facts
