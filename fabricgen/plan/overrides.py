"""Selectors of `overrides` to states of switches, ports and slots.

A selector is a switch (`be-spine-04`), a port of it (`be-leaf-003/<port>`) or slots of a server group
(`train[17]`, `train[0-3,8]`). The name of a switch may be a glob: `*`, `?` and `[...]` as in file names. What
starts with a server group and a bracket means slots.

The most specific wins: a name or a single slot before a glob or a range, wherever they stand. Two globs, or two
ranges, that give one thing different states are a problem; `active` takes a thing out of a wider selector.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import translate
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem, Source, did_you_mean
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Spans, parse_spans
from fabricgen.plan.exceptions import SLOT_SELECTOR, Exceptions, PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan, port_text
from fabricgen.plan.names import Names

MAX_GLOBS = 100
"""Selectors with wildcards in one intent: each is compared with every switch."""

DEVICE_STATES = ("active", "drained")
MAX_PROBLEMS = 50  # of one intent; reading stops there

_WILD = re.compile(r"[*?\[]")

Key = str | PortKey | SlotKey


class _Claim(NamedTuple):
    """What one selector says, and of what."""

    selector: str
    state: str
    is_exact: bool
    keys: tuple[Key, ...]


def states(intent: Intent, names: Names) -> tuple[Exceptions, list[Problem]]:
    """States that the intent gives to what exists, `active` too, as it outdoes other files; and what is wrong."""
    globs = [selector for selector in intent.overrides if _is_glob(selector, names)]
    if len(globs) > MAX_GLOBS:
        return Exceptions(), [_too_many(len(globs), ("overrides", globs[MAX_GLOBS]))]
    claims: list[_Claim] = []
    problems: list[Problem] = []
    for selector, override in intent.overrides.items():
        found = _claim(selector, override.state, names)
        if isinstance(found, _Claim):
            claims.append(found)
        else:
            problems.append(found)
        if len(problems) == MAX_PROBLEMS:
            return Exceptions(), problems
    chosen, clashes = _chosen(claims)
    return Exceptions(
        devices={key: state for key, state in chosen.items() if isinstance(key, str)},
        ports={key: state for key, state in chosen.items() if isinstance(key, PortKey)},
        slots={key: state for key, state in chosen.items() if isinstance(key, SlotKey)},
    ), [*problems, *clashes]


def raw_devices(intent: Intent, names: Names) -> Iterator[Problem]:
    """Yield raw lines for a switch that is not there: they would go nowhere."""
    for position, raw in enumerate(intent.raw):
        if raw.device is None:
            continue
        where: IntentPath = ("raw", position, "device")
        if position > MAX_GLOBS and _WILD.search(raw.device):
            yield _too_many(position, where)
            return
        found = _devices(raw.device, not _WILD.search(raw.device), names)
        if not any(raw.fabric in (None, names.devices[name].fabric.name) for name in found):
            yield _unknown_device(raw.device, names, where)


def _is_glob(selector: str, names: Names) -> bool:
    """Whether the selector may have to be compared with every switch."""
    slots = SLOT_SELECTOR.match(selector)
    return bool(_WILD.search(selector.partition("/")[0])) and not (slots and slots["group"] in names.slots)


def _is_slots(selector: str, names: Names) -> bool:
    """Whether the selector means slots: of a group that exists, or of nothing that a glob could match."""
    found = SLOT_SELECTOR.match(selector)
    if found is None:
        return False
    return found["group"] in names.slots or not any(re.match(translate(selector), name) for name in names.devices)


def _too_many(count: int, where: IntentPath) -> Problem:
    return Problem(
        code="too-many-globs",
        what=f"{count} selectors have wildcards",
        where=where,
        why=f"each is compared with every switch; the limit is {MAX_GLOBS}",
        fix="name the switches, or join the globs",
    )


def _claim(selector: str, state: str, names: Names) -> _Claim | Problem:
    where: IntentPath = ("overrides", selector)
    if _is_slots(selector, names):
        return _slot_claim(selector, state, names, where)
    pattern, slash, port = selector.partition("/")
    is_exact = not _WILD.search(pattern)
    devices = _devices(pattern, is_exact, names)
    if not devices:
        return _unknown_device(pattern, names, where)
    if slash:
        found = tuple(PortKey(device, port) for device in devices if port in names.ports_of(device))
        return _Claim(selector, state, is_exact, found) if found else unknown_port(devices[0], port, names, where)
    if state not in DEVICE_STATES:
        return _refused_state(selector, state, (*where, "state"))
    return _Claim(selector, state, is_exact, devices)


def _devices(pattern: str, is_exact: bool, names: Names) -> tuple[str, ...]:
    if is_exact:
        return (pattern,) if pattern in names.devices else ()
    match = re.compile(translate(pattern)).match
    return tuple(name for name in names.devices if match(name))


def _slot_claim(selector: str, state: str, names: Names, where: IntentPath) -> _Claim | Problem:
    group, _, rest = selector.partition("[")
    if group not in names.slots:
        return Problem(
            code="unknown-name",
            what=f"{group} is no server group that a fabric connects",
            where=where,
            why=f"{selector} names slots of a server group",
            fix=did_you_mean(group, names.slots),
        )
    try:
        spans = parse_spans(rest.rstrip("]"))
    except ValueError as error:
        return Problem(
            code="bad-slots",
            what=f"the slots of {selector} are refused",
            where=where,
            why=str(error),
            fix=f"write e.g. {group}[17] or {group}[0-3]",
        )
    if spans[-1].last >= names.slots[group]:
        return unknown_slot(group, spans[-1].last, names, where)
    return _Claim(selector, state, _count(spans) == 1, tuple(_slots(group, spans)))


def _count(spans: Spans) -> int:
    return sum(span.size for span in spans)


def _slots(group: str, spans: Spans) -> Iterator[SlotKey]:
    for span in spans:
        yield from (SlotKey(group, slot) for slot in range(span.first, span.last + 1))


def _chosen(claims: Iterable[_Claim]) -> tuple[dict[Key, str], list[Problem]]:
    """State of each thing by the most specific claim, and the claims that contradict each other."""
    chosen: dict[Key, _Claim] = {}
    clashes: dict[tuple[str, str], Problem] = {}
    for claim in sorted(claims, key=lambda claim: (not claim.is_exact, claim.selector)):
        for key in claim.keys:
            first = chosen.setdefault(key, claim)
            pair = (first.selector, claim.selector)
            is_clash = first.state != claim.state and first.is_exact == claim.is_exact
            if is_clash and pair not in clashes and len(clashes) < MAX_PROBLEMS:
                clashes[pair] = _clash(first, claim, key)
    return {key: claim.state for key, claim in chosen.items()}, list(clashes.values())


def _clash(first: _Claim, second: _Claim, key: Key) -> Problem:
    name = thing(key)
    return Problem(
        code="override-clash",
        what=f"{name} is {first.state} by {first.selector} and {second.state} by {second.selector}",
        where=("overrides", second.selector),
        why="neither selector is more specific than the other",
        fix=f"write {name}: {{state: {second.state}}}, which wins, or narrow one of the two",
    )


def thing(key: Key) -> str:
    """Write what a key means as its selector."""
    match key:
        case PortKey():
            return f"{key.device}/{key.port}"
        case SlotKey():
            return f"{key.group}[{key.slot}]"
    return key


def _refused_state(selector: str, state: str, where: IntentPath) -> Problem:
    return Problem(
        code="device-state",
        what=f"{selector} is {state}, and a switch can be active or drained only",
        where=where,
        why="every switch that the numbers count has a configuration and cables; dead and absent are for ports and "
        "slots",
        fix="write state: drained, and its replacement takes name, addresses and cables over; for a switch that goes "
        "for good lower the count it comes from",
    )


def _unknown_device(pattern: str, names: Names, where: IntentPath) -> Problem:
    return Problem(
        code="unknown-name",
        what=f"{pattern} matches no switch" if _WILD.search(pattern) else f"{pattern} is no switch",
        where=where,
        why=f"{len(names.devices)} switches stand in this intent",
        fix=did_you_mean(pattern, names.devices),
    )


def unknown_port(device: str, port: str, names: Names, where: IntentPath = (), at: Source | None = None) -> Problem:
    """Problem of a port that the plan does not know."""
    ports = names.ports_of(device)
    parts = sorted((name for name in ports if name.startswith(f"{port}/")), key=lambda name: (len(name), name))
    return Problem(
        code="unknown-port",
        what=f"{device} has no port {port} in this plan",
        where=where,
        why=f"it uses {len(ports)} ports, named as its operating system does",
        fix=f"did you mean {parts[0]}?" if parts else did_you_mean(port, ports),
        at=at,
    )


def unknown_slot(group: str, slot: int, names: Names, where: IntentPath = (), at: Source | None = None) -> Problem:
    """Problem of a slot past the planned ones."""
    last = names.slots[group] - 1
    return Problem(
        code="slot-not-planned",
        what=f"{group}[{slot}] is not planned; {group} has slots 0-{last}",
        where=where,
        why="only a planned slot has ports and addresses",
        fix=f"write servers.{group}.planned: {slot + 1}, or a slot up to {last}",
        at=at,
    )


def stuck_ports(intent: Intent, fabrics: Mapping[str, FabricPlan], names: Names) -> Iterator[Problem]:
    """Yield each dead port whose cable no spare port can take."""
    for plan in fabrics.values():
        for device, binding in plan.bindings.items():
            place = names.devices[device].place
            for port in binding.stuck:
                name = port_text(plan, place, port)
                selector = f"{device}/{name}"
                yield Problem(
                    code="no-spare-port",
                    what=f"{device} has no spare port of {port.speed_gbps}G for the cable of {name}",
                    where=("overrides", selector) if selector in intent.overrides else ("overrides",),
                    why="a dead port hands its cable to a spare port of the same speed and lanes, which no planned "
                    "cable takes",
                    fix=f"write {selector}: {{state: absent}}: the link stays down, its numbers stay reserved",
                )
