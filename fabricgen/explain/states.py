"""Overrides that apply to one thing, in the order in which they win, each with its place."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from fabricgen.explain.answer import Fact, Origin
from fabricgen.explain.known import Known, intent_origin, placement_row, spot
from fabricgen.intent.scalars import Spans, parse_spans
from fabricgen.plan.exceptions import SLOT_SELECTOR, PortKey, SlotKey
from fabricgen.plan.overrides import Key, thing

_WILD = re.compile(r"[*?\[]")


def override_facts(known: Known, key: Key) -> Iterator[Fact]:
    """States that the intent, or else the placement file, gives a device, a port or a slot.

    The most specific selector wins (`plan.overrides`); what it outdoes is told too.
    """
    winner = ""
    for selector in _selectors(known, key):
        state = known.plan.intent.overrides[selector].state
        origin = intent_origin(known, ("overrides", selector), f"overrides: {selector}")
        value = f"{thing(key)} is {state}" if not winner else f"{state} is outdone by {winner}"
        winner = winner or selector
        yield Fact("override", value, "", origin)
    if isinstance(key, SlotKey):
        yield from _placed_state(known, key, winner)


def _selectors(known: Known, key: Key) -> list[str]:
    found = [(not _is_exact(known, selector), selector) for selector in known.plan.intent.overrides]
    return [selector for _, selector in sorted(found) if _matches(known, selector, key)]


def _is_slots(known: Known, selector: str) -> bool:
    found = SLOT_SELECTOR.match(selector)
    return found is not None and found["group"] in known.plan.intent.servers


def _slots(selector: str) -> Spans:
    return parse_spans(selector.partition("[")[2].rstrip("]"))


def _is_exact(known: Known, selector: str) -> bool:
    if _is_slots(known, selector):
        return sum(span.size for span in _slots(selector)) == 1
    return not _WILD.search(selector.partition("/")[0])


def _matches(known: Known, selector: str, key: Key) -> bool:
    if isinstance(key, SlotKey):
        if not _is_slots(known, selector) or selector.partition("[")[0] != key.group:
            return False
        return any(span.first <= key.slot <= span.last for span in _slots(selector))
    pattern, slash, port = selector.partition("/")
    device, own = (key.device, key.port) if isinstance(key, PortKey) else (key, "")
    is_same_port = port == own and bool(slash) == isinstance(key, PortKey)
    return is_same_port and not _is_slots(known, selector) and fnmatchcase(device, pattern)


def _placed_state(known: Known, key: SlotKey, winner: str) -> Iterator[Fact]:
    row = placement_row(known, thing(key))
    state = row.cell("state") if row is not None else ""
    if row is None or not state or state == "active":
        return
    value = f"{thing(key)} is {state}" if not winner else f"{state} is outdone by {winner}"
    yield Fact("override", value, "", Origin(spot(row.at("state")), "placement file"))


def port_overrides(known: Known, device: str) -> Iterator[Fact]:
    """States of the ports of a device, by the name of the port."""
    ports = {
        key.port for fabric in known.plan.fabrics.values() for key in fabric.exceptions.ports if key.device == device
    }
    for port in sorted(ports, key=lambda name: (len(name), name)):
        yield from override_facts(known, PortKey(device, port))


def raw_facts(known: Known, fabric: str, role: str, device: str, system: str) -> Iterator[Fact]:
    """Lines of the user's own that a device is given, in their order."""
    for at, raw in enumerate(known.plan.intent.raw):
        is_meant = raw.fabric in (None, fabric) and raw.role in (None, role)
        if raw.system == system and is_meant and (raw.device is None or fnmatchcase(device, raw.device)):
            says = f"raw[{at}]"
            count = len(raw.lines)
            lines = f"{count} line{'s' if count != 1 else ''} for {raw.artifact or 'the main file'}"
            yield Fact("raw", lines, "", intent_origin(known, ("raw", at), says))
