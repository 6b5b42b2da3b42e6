"""Selectors of `overrides` to what they name: fabrics, roles, switches, ports, cables and slots.

A selector is a fabric (`backend`), a role of it (`backend/spine`), a switch (`be-spine-04`), a port of it
(`be-leaf-003/<port>`), the cable at a port (`link:be-leaf-003/<port>`) or slots of a server group (`train[17]`,
`train[0-3,8]`). The name of a switch may be a glob: `*`, `?` and `[...]` as in file names. A selector that starts with
a server group and a bracket means slots.

The most specific selector wins, whatever their order. From the least to the most specific: fabric, role, glob or range,
name or single slot. For a port: first the selectors of its switch, then its cable, then the port itself. Two selectors
of one rank with different values for one thing are a problem; `active` exempts a thing from a wider selector.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import translate
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import (
    DEVICE,
    FABRIC,
    LINK,
    PORT,
    ROLE,
    SLOT,
    KeyPath,
    Override,
    instead_of,
    leaves,
    one_of,
    scopes_of,
)
from fabricgen.intent.scalars import Spans, parse_spans
from fabricgen.plan.exceptions import SLOT_SELECTOR, PortKey, SlotKey
from fabricgen.plan.names import SiteNames
from fabricgen.plan.overrides import (
    LINK_PREFIX,
    MAX_GLOBS,
    MAX_PROBLEMS,
    WILD,
    Key,
    devices_of,
    too_many,
    unknown_device,
    unknown_port,
    unknown_slot,
)


class SelectorClaim(NamedTuple):
    """What one selector sets, and on what. Of several for one thing, the one of the highest rank wins.

    keys  switches, ports or slots; for a cable, one of the ports that the selector names
    """

    selector: str
    override: Override
    scope: str
    rank: int
    keys: tuple[Key, ...]


RANKS = {
    (FABRIC, True): 0,
    (ROLE, True): 1,
    (DEVICE, False): 2,
    (DEVICE, True): 3,
    (SLOT, False): 2,
    (SLOT, True): 3,
    (LINK, False): 4,
    (LINK, True): 5,
    (PORT, False): 6,
    (PORT, True): 7,
}
"""(scope, whether the selector names one thing) → rank."""


def scope_of(selector: str, names: SiteNames) -> str:
    """Kind of thing that a selector names."""
    if selector.startswith(LINK_PREFIX):
        return LINK
    if _is_slots(selector, names):
        return SLOT
    head, slash, _ = selector.partition("/")
    if head in names.fabrics and head not in names.devices:
        return ROLE if slash else FABRIC
    return PORT if slash else DEVICE


def is_exact(selector: str, scope: str) -> bool:
    """Whether a selector names exactly one thing."""
    if scope == SLOT:
        return sum(span.size for span in parse_spans(selector.partition("[")[2].rstrip("]"))) == 1
    return not WILD.search(selector.removeprefix(LINK_PREFIX).partition("/")[0])


def read_claims(intent: Intent, names: SiteNames, scopes: Collection[str]) -> tuple[list[SelectorClaim], list[Problem]]:
    """Claims of the selectors of these scopes on existing things; and the problems of the selectors."""
    globs = [selector for selector in intent.overrides if _is_glob(selector, names)]
    if len(globs) > MAX_GLOBS:
        return [], [too_many(len(globs), ("overrides", globs[MAX_GLOBS]))]
    claims: list[SelectorClaim] = []
    problems: list[Problem] = []
    for selector, override in intent.overrides.items():
        scope = scope_of(selector, names)
        if scope not in scopes:
            continue
        keys = _READERS[scope](selector, names, ("overrides", selector))
        if isinstance(keys, Problem):
            problems.append(keys)
        else:
            problems += _misplaced(selector, override, scope)
            claims.append(SelectorClaim(selector, override, scope, RANKS[scope, is_exact(selector, scope)], keys))
        if len(problems) >= MAX_PROBLEMS:
            return [], problems
    return claims, problems


def _misplaced(selector: str, override: Override, scope: str) -> Iterator[Problem]:
    """Yield a problem for each key that cannot be set on what the selector names."""
    paths: list[KeyPath] = [leaf.path for leaf in leaves(override)]
    if "state" in override.model_fields_set:
        paths.insert(0, ("state",))
    for path in paths:
        allowed = scopes_of(path)
        if allowed and scope not in allowed:
            yield Problem(
                code="override-scope",
                what=f"{'.'.join(path)} cannot be set on {selector}, which is a {scope}",
                where=("overrides", selector, *path),
                why=f"it is a setting of a {one_of(allowed)}",
                fix=instead_of(path),
            )


def _is_glob(selector: str, names: SiteNames) -> bool:
    """Whether the selector may have to be compared with every switch."""
    slots = SLOT_SELECTOR.match(selector)
    switch = selector.removeprefix(LINK_PREFIX).partition("/")[0]
    return bool(WILD.search(switch)) and not (slots and slots["group"] in names.slots)


def _is_slots(selector: str, names: SiteNames) -> bool:
    """Whether the selector means slots: of an existing group, or of an unknown one that as a glob matches no switch."""
    match = SLOT_SELECTOR.match(selector)
    if match is None:
        return False
    return match["group"] in names.slots or not any(re.match(translate(selector), name) for name in names.devices)


Keys = tuple[Key, ...]


def _fabric_keys(selector: str, names: SiteNames, _: IntentPath) -> Keys | Problem:
    return tuple(name for name, switch in names.devices.items() if switch.fabric.name == selector)


def _role_keys(selector: str, names: SiteNames, where: IntentPath) -> Keys | Problem:
    fabric, _, role = selector.partition("/")
    roles_of = {name: switch.place.tier.value for name, switch in names.devices.items() if switch.fabric.name == fabric}
    if role in roles_of.values():
        return tuple(name for name, tier in roles_of.items() if tier == role)
    known_roles = list(dict.fromkeys(roles_of.values()))
    return Problem(
        code="unknown-name",
        what=f"{fabric} has no {role}",
        where=where,
        why=f"its roles are {', '.join(known_roles)}",
        fix=did_you_mean(role, known_roles),
    )


def _device_keys(selector: str, names: SiteNames, where: IntentPath) -> Keys | Problem:
    devices = devices_of(selector, not WILD.search(selector), names)
    return devices or unknown_device(selector, names, where, names.fabrics, selectors=True)


def _port_keys(selector: str, names: SiteNames, where: IntentPath) -> Keys | Problem:
    pattern, _, port = selector.removeprefix(LINK_PREFIX).partition("/")
    devices = devices_of(pattern, not WILD.search(pattern), names)
    if not devices:
        return unknown_device(pattern, names, where, names.fabrics, selectors=True)
    ports = tuple(PortKey(device, port) for device in devices if port in names.ports_of(device))
    return ports or unknown_port(devices[0], port, names, where)


def _slot_keys(selector: str, names: SiteNames, where: IntentPath) -> Keys | Problem:
    group, _, rest = selector.partition("[")
    if group not in names.slots:
        return Problem(
            code="unknown-name",
            what=f"{group} is not a server group that a fabric connects",
            where=where,
            why=f"{selector} names slots of a server group",
            fix=did_you_mean(group, names.slots),
        )
    try:
        spans = parse_spans(rest.rstrip("]"))
    except ValueError as error:
        return Problem(
            code="bad-slots",
            what=f"invalid slots in {selector}",
            where=where,
            why=str(error),
            fix=f"write e.g. {group}[17] or {group}[0-3]",
        )
    if spans[-1].last >= names.slots[group]:
        return unknown_slot(group, spans[-1].last, names, where)
    return tuple(_slots(group, spans))


def _slots(group: str, spans: Spans) -> Iterator[SlotKey]:
    for span in spans:
        yield from (SlotKey(group, slot) for slot in range(span.first, span.last + 1))


_READERS: Mapping[str, Callable[[str, SiteNames, IntentPath], Keys | Problem]] = {
    FABRIC: _fabric_keys,
    ROLE: _role_keys,
    DEVICE: _device_keys,
    PORT: _port_keys,
    LINK: _port_keys,
    SLOT: _slot_keys,
}
