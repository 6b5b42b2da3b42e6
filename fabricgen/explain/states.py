"""Overrides that apply to one thing, in order of precedence, each with its position: states, then settings."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import chain

from pydantic import BaseModel

from fabricgen.explain.answer import AnswerLine, Origin
from fabricgen.explain.known import KnownSite, intent_origin, placement_row, spot
from fabricgen.intent.overrides import DEVICE, FABRIC, LINK, PORT, ROLE, SLOT, KeyPath, leaves
from fabricgen.intent.scalars import parse_spans
from fabricgen.plan.claims import RANKS, SelectorClaim, is_exact, scope_of
from fabricgen.plan.exceptions import PortKey, SlotKey
from fabricgen.plan.fabric import place_of
from fabricgen.plan.names import SiteNames, SwitchesByName
from fabricgen.plan.overrides import LINK_PREFIX, Key, thing
from fabricgen.plan.place import UPPER
from fabricgen.plan.wires import uplink_ends
from fabricgen.plan.wiring import downlinks, uplinks


def override_facts(known: KnownSite, key: Key) -> Iterator[AnswerLine]:
    """What the intent, or else the placement file, sets for a device, a port or a slot.

    The most specific selector wins (`plan.claims`); overridden values are listed too, state by state and key by key.
    """
    winner = ""
    claims = _claims(known, key)
    for claim in claims:
        if "state" not in claim.override.model_fields_set:
            continue
        origin = intent_origin(known, ("overrides", claim.selector), f"overrides: {claim.selector}")
        subject = f"the cable of {thing(key)}" if claim.scope == LINK else thing(key)
        state = claim.override.state
        value = f"{subject} is {state}" if not winner else f"{state} is overridden by {winner}"
        winner = winner or claim.selector
        yield AnswerLine("override", value, "", origin)
    if isinstance(key, SlotKey):
        yield from _placed_state(known, key, winner)
    yield from _setting_facts(known, claims)


def _setting_facts(known: KnownSite, claims: list[SelectorClaim]) -> Iterator[AnswerLine]:
    """Settings of its own, each key from the selector that wins. A secret is shown as the reference that it is."""
    winners: dict[KeyPath, str] = {}
    for claim in claims:
        for leaf in leaves(claim.override):
            name = ".".join(leaf.path)
            value = f"{name}: {_text(leaf.value)}"
            if leaf.path in winners:
                value = f"{value} is overridden by {winners[leaf.path]}"
            winners.setdefault(leaf.path, claim.selector)
            origin = intent_origin(known, ("overrides", claim.selector, *leaf.path), f"overrides: {claim.selector}")
            yield AnswerLine("setting", value, "", origin)


def _text(value: object) -> str:
    match value:
        case None:
            return "off"
        case bool():
            return "true" if value else "false"
        case BaseModel():
            return ", ".join(f"{name} {_text(inner)}" for name, inner in value)
        case tuple():
            return ", ".join(map(_text, value)) or "none"
        case dict():
            return ", ".join(map(str, value)) or "none"
    return str(value)


def _claims(known: KnownSite, key: Key) -> list[SelectorClaim]:
    """The overrides of one thing, the winner first; for a port also those of its cable, at either end."""
    plan = known.plan
    groups = {group.name for fabric in plan.fabrics.values() for group in fabric.shape.groups}
    slots = {name: group.planned_slots for name, group in plan.intent.servers.items() if name in groups}
    names = SiteNames(plan.fabrics, SwitchesByName(), slots)
    ends = _ends(known, key) if isinstance(key, PortKey) else ()
    claims = []
    for selector, override in known.plan.intent.overrides.items():
        scope = scope_of(selector, names)
        if scope == SLOT and selector.partition("[")[0] not in names.slots:
            scope = DEVICE  # a glob of switches, such as be-spine-0[01]
        if any(_matches(names, selector, scope, end) for end in ((key,) if scope != LINK else ends)):
            claims.append(SelectorClaim(selector, override, scope, RANKS[scope, is_exact(selector, scope)], (key,)))
    return sorted(claims, key=lambda claim: (-claim.rank, claim.selector))


def _ends(known: KnownSite, key: PortKey) -> tuple[PortKey, ...]:
    """Ports at both ends of the cable at a port."""
    for fabric in known.plan.fabrics.values():
        place = place_of(fabric, key.device)
        if place is not None:
            links = chain(uplinks(fabric, place), downlinks(fabric, place) if place.tier in UPPER else ())
            link_ends = (uplink_ends(fabric, link) for link in links)
            return next((ends for ends in link_ends if key in ends), (key,))
    return (key,)


def _matches(names: SiteNames, selector: str, scope: str, key: Key) -> bool:
    if isinstance(key, SlotKey):
        return scope == SLOT and selector.partition("[")[0] == key.group and _holds(selector, key.slot)
    pattern, slash, rest = selector.removeprefix(LINK_PREFIX).partition("/")
    if isinstance(key, PortKey):
        return scope in (PORT, LINK) and rest == key.port and fnmatchcase(key.device, pattern)
    if scope in (FABRIC, ROLE):
        place = place_of(names.fabrics[pattern], key)
        return place is not None and (not slash or place.tier.value == rest)
    return scope == DEVICE and fnmatchcase(key, pattern)


def _holds(selector: str, slot: int) -> bool:
    return any(span.first <= slot <= span.last for span in parse_spans(selector.partition("[")[2].rstrip("]")))


def _placed_state(known: KnownSite, key: SlotKey, winner: str) -> Iterator[AnswerLine]:
    row = placement_row(known, thing(key))
    state = row.cell("state") if row is not None else ""
    if row is None or not state or state == "active":
        return
    value = f"{thing(key)} is {state}" if not winner else f"{state} is overridden by {winner}"
    yield AnswerLine("override", value, "", Origin(spot(row.at("state")), "placement file"))


def port_overrides(known: KnownSite, device: str) -> Iterator[AnswerLine]:
    """Overrides of the ports of a device and of their cables, by the name of the port."""
    ports = {
        key.port
        for fabric in known.plan.fabrics.values()
        for key in (*fabric.exceptions.ports, *fabric.exceptions.port_settings, *fabric.exceptions.broken)
        if key.device == device
    }
    for port in sorted(ports, key=lambda name: (len(name), name)):
        yield from override_facts(known, PortKey(device, port))


def raw_facts(known: KnownSite, fabric: str, role: str, device: str, system: str) -> Iterator[AnswerLine]:
    """The user's own lines that a device gets, in their order."""
    for index, raw in enumerate(known.plan.intent.raw):
        is_of_role = raw.fabric in (None, fabric) and raw.role in (None, role)
        if raw.system == system and is_of_role and (raw.device is None or fnmatchcase(device, raw.device)):
            count = len(raw.lines)
            lines = f"{count} line{'s' if count != 1 else ''} for {raw.artifact or 'the main file'}"
            yield AnswerLine("raw", lines, "", intent_origin(known, ("raw", index)))
