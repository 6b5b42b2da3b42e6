"""Servers: a slot by its selector or host name, with each NIC port; one NIC port; a whole group."""

import re
from collections.abc import Iterator

from fabricgen.explain.answer import Answer, AnswerLine, Origin
from fabricgen.explain.formula import address
from fabricgen.explain.inverse import seat_of
from fabricgen.explain.known import KnownSite, intent_origin, placement_row, segment_origin, spot
from fabricgen.explain.parse import Question
from fabricgen.explain.states import override_facts
from fabricgen.explain.wire import host_ends, host_facts, nth_host
from fabricgen.intent.fabric import Backend
from fabricgen.intent.scalars import spans_text
from fabricgen.plan.exceptions import SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, own_blocks
from fabricgen.plan.leaf_pairs import has_leaf_pairs, nic_address
from fabricgen.plan.overrides import thing
from fabricgen.plan.place import Place
from fabricgen.plan.tenants import owner_of, owners
from fabricgen.plan.wiring import HostPort, leaf_of
from fabricgen.topologies.shape import GroupShape

_SLOT = re.compile(r"([a-z][a-z0-9-]*)\[([0-9]{1,7})\]")
_NUMBERED = re.compile(r"(.+)-([0-9]{3,7})")


def server_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """The server of a slot, by `train[17]` or its host name."""
    if asked.kind in ("", "server"):
        slot = named_slot(known, asked.text)
        if slot is not None:
            name = server_name(known.plan.exceptions, *slot)
            yield Answer("server", f"{name}: server in slot {thing(slot)}", tuple(_facts(known, slot)))


def nic_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A NIC port of a server: `<server>/<port>`."""
    server, slash, port = asked.text.partition("/")
    if not slash or asked.kind not in ("", "port", "server"):
        return
    slot = named_slot(known, server)
    for fabric, leaf, host in _attached(known, slot) if slot is not None else ():
        leaf_end, server_end = host_ends(fabric, leaf, host)
        if server_end.port.casefold() == port.casefold():
            title = (
                f"{server_end.device} {server_end.port}: NIC port at {leaf_end.device} {leaf_end.port} on {fabric.name}"
            )
            yield Answer("port", title, tuple(host_facts(known, fabric, leaf, host)))


def group_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A server group."""
    group = known.plan.intent.servers.get(asked.text)
    if group is None or asked.kind not in ("", "group", "server"):
        return
    origin = intent_origin(known, ("servers", asked.text))
    facts = [
        AnswerLine("model", group.model, "", origin),
        AnswerLine("slots", f"{spans_text(group.slots)} have a server, {group.planned_slots} are planned", "", origin),
    ]
    for fabric, shape in _shapes(known, asked.text):
        units = sum(span.size for span in shape.present)
        value = (
            f"{len(shape.columns)} NIC ports; {units} of {shape.planned} units exist, {shape.slots_a_unit} slots each"
        )
        facts.append(AnswerLine(fabric.name, value))
    yield Answer("group", f"{asked.text}: server group", tuple(facts))


def named_slot(known: KnownSite, text: str) -> SlotKey | None:
    """The planned slot of a selector or host name."""
    match = _SLOT.fullmatch(text)
    if match is not None:
        return _planned(known, match[1], int(match[2]))
    exceptions = known.plan.exceptions
    for key, server in exceptions.servers.items():
        if server.hostname and server.hostname.casefold() == text.casefold():
            return key
    match = _NUMBERED.fullmatch(text)
    slot = _planned(known, match[1], int(match[2])) if match is not None else None
    return slot if slot is not None and server_name(exceptions, *slot) == text else None


def _planned(known: KnownSite, group: str, slot: int) -> SlotKey | None:
    written = known.plan.intent.servers.get(group)
    return SlotKey(group, slot) if written is not None and slot < written.planned_slots else None


def _shapes(known: KnownSite, name: str) -> Iterator[tuple[FabricPlan, GroupShape]]:
    for fabric in known.plan.fabrics.values():
        yield from ((fabric, group) for group in fabric.shape.groups if group.name == name)


def _attached(known: KnownSite, slot: SlotKey) -> Iterator[tuple[FabricPlan, Place, HostPort]]:
    """Every leaf port with a cable to the server: by fabric, then plane, then NIC."""
    for fabric, group in _shapes(known, slot.group):
        ports = sorted((plane, nic) for nic in range(len(group.columns)) for plane in group.planes_of(nic))
        for plane, nic in ports:
            leaf, number = leaf_of(fabric, group, slot.slot, nic, plane)
            host = nth_host(fabric, leaf, number)
            if host is not None:
                yield fabric, leaf, host


def _facts(known: KnownSite, slot: SlotKey) -> Iterator[AnswerLine]:
    group = known.plan.intent.servers[slot.group]
    origin = intent_origin(known, ("servers", slot.group))
    yield AnswerLine("model", group.model, "", origin)
    yield AnswerLine("state", _state(known, slot))
    row = placement_row(known, thing(slot))
    if row is not None:
        cells = ", ".join(f"{column} {row.cell(column)}" for column in row.table.columns if row.cell(column))
        yield AnswerLine("placement", cells, "", Origin(spot(row.at("slot")), "placement file"))
    yield from _tenants(known, slot)
    for fabric, shape in _shapes(known, slot.group):
        unit, position = divmod(slot.slot, shape.slots_a_unit)
        slots = shape.slots_a_unit
        formula = f"{slot.slot} div {slots} slots per unit = {unit}, {slot.slot} mod {slots} = {position}"
        yield AnswerLine("unit", f"{unit}, position {position} on {fabric.name}", formula)
    for fabric, leaf, host in _attached(known, slot):
        yield _nic(known, fabric, leaf, host)
    yield from override_facts(known, slot)


def _state(known: KnownSite, slot: SlotKey) -> str:
    state = known.plan.exceptions.slots.get(slot, "active")
    spans = known.plan.intent.servers[slot.group].slots
    if not any(span.first <= slot.slot <= span.last for span in spans):
        return "planned: its addresses and ports are reserved, no server is installed"
    return state


def _tenants(known: KnownSite, slot: SlotKey) -> Iterator[AnswerLine]:
    for fabric, tenants in known.plan.tenants.items():
        owned = owners(tenants, slot.group)
        shape = next((group for group in known.plan.fabrics[fabric].shape.groups if group.name == slot.group), None)
        rails = sorted({port.rail for port in shape.nics.ports}) if shape else []
        owner_by_rail = {rail: owner_of(owned, slot.slot, rail) for rail in rails}
        for name in sorted(set(owner_by_rail.values()) - {""}):
            own = [rail for rail in rails if owner_by_rail[rail] == name]
            part = "" if len(own) == len(rails) else f", rails {', '.join(map(str, own))}"
            key = (
                "nics"
                if any(claim for other in tenants if other.name == name for claim in other.nics) and part
                else "servers"
            )
            origin = intent_origin(known, ("tenants", name, key))
            yield AnswerLine("tenant", f"{name} on {fabric}{part}", "", origin)


def _nic(known: KnownSite, fabric: FabricPlan, leaf: Place, host: HostPort) -> AnswerLine:
    leaf_end, server_end = host_ends(fabric, leaf, host)
    plane = f"plane {leaf.plane}, " if fabric.shape.planes > 1 else ""
    leaf_port = f"{leaf_end.device} {leaf_end.port}"
    if not isinstance(fabric.fabric, Backend):
        return AnswerLine(fabric.name, f"{plane}{server_end.port} at {leaf_port}")
    rail = next(group for group in fabric.shape.groups if group.name == host.group).nics.ports[host.nic].rail
    origin = segment_origin(known, seat_of(fabric, leaf).segment)
    if has_leaf_pairs(fabric):
        paired = nic_address(fabric, leaf, group_of(fabric, host.group), host.slot, host.nic)
        text = f", {paired.prefix} over both leaves" if paired is not None else ""
        return AnswerLine(fabric.name, f"{plane}rail {rail}: {server_end.port} at {leaf_port}{text}", "", origin)
    block_ipv4, block_ipv6 = own_blocks(fabric, leaf)
    block = block_ipv4 if fabric.fabric.addressing.hosts == "ipv4" else block_ipv6
    if block is None:
        return AnswerLine(fabric.name, f"{plane}{server_end.port} at {leaf_port}, rail {rail}")
    text = f"{address(block.host(host.number) + 1, block.bits)}/{block.bits - 1}"
    formula = f"{address(block.start, block.bits)} + 2 × {host.number} + 1"
    return AnswerLine(fabric.name, f"{plane}rail {rail}: {server_end.port} at {leaf_port}, {text}", formula, origin)
