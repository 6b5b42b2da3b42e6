"""Names that overrides and other files use for parts of a site, and the problems of unknown names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase, translate

from fabricgen.errors import IntentPath, Problem, Source, did_you_mean
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.model import Intent
from fabricgen.intent.waivers import waiver_line
from fabricgen.plan.exceptions import PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan, port_text
from fabricgen.plan.name_patterns import DIGITS, name_advice
from fabricgen.plan.names import SiteNames
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.server_ports import is_lost, mates
from fabricgen.plan.wiring import host_ports

MAX_GLOBS = 100
"""Limit on selectors with wildcards in one intent: each is compared with every switch."""

MAX_PROBLEMS = 50  # of one intent; reading stops there

WILD = re.compile(r"[*?\[]")

LINK_PREFIX = "link:"

Key = str | PortKey | SlotKey
"""A switch by its name, a port, or a slot. A cable is represented by the ports at its ends."""


def raw_devices(intent: Intent, names: SiteNames) -> Iterator[Problem]:
    """Yield a problem for raw lines for a switch that does not exist: they would be in no file."""
    for position, raw in enumerate(intent.raw):
        if raw.device is None:
            continue
        where: IntentPath = ("raw", position, "device")
        if position > MAX_GLOBS and WILD.search(raw.device):
            yield too_many(position, where)
            return
        devices = devices_of(raw.device, not WILD.search(raw.device), names)
        if not any(raw.fabric in (None, names.devices[name].fabric.name) for name in devices):
            yield unknown_device(raw.device, names, where)


def is_named(pattern: str | None, device: str) -> bool:
    """Whether raw lines with this name or glob are for a switch; without one they are for all."""
    return pattern is None or fnmatchcase(device, pattern)


class CableOverrides:
    """Overrides of length or medium of cables, by the port that they name: for problems about a cable."""

    def __init__(self, intent: Intent) -> None:
        self._by_port: dict[str, list[tuple[str, str]]] = {}
        for selector, override in intent.overrides.items():
            key = next((key for key in ("medium", "length_m") if key in override.model_fields_set), "")
            if key and selector.startswith(LINK_PREFIX):
                port = selector.partition("/")[2]
                self._by_port.setdefault(port, []).append((selector, key))

    def of(self, ends: Iterable[tuple[str, str]]) -> IntentPath:
        """Path of the override of a cable, by device and port of its ends; exact names before globs. Empty: none."""
        matches = [
            (bool(WILD.search(pattern)), selector, key)
            for device, port in ends
            for selector, key in self._by_port.get(port, ())
            if fnmatchcase(device, pattern := selector.removeprefix(LINK_PREFIX).partition("/")[0])
        ]
        return ("overrides", *min(matches)[1:]) if matches else ()


def too_many(count: int, where: IntentPath) -> Problem:
    """Problem of more wildcards than can be compared."""
    return Problem(
        code="too-many-globs",
        what=f"{count} selectors have wildcards",
        where=where,
        why=f"each is compared with every switch; the limit is {MAX_GLOBS}",
        fix="name the switches, or combine the globs",
    )


def devices_of(pattern: str, is_exact: bool, names: SiteNames) -> tuple[str, ...]:
    """Switches that match a name or a glob."""
    if is_exact:
        return (pattern,) if pattern in names.devices else ()
    match = re.compile(translate(pattern)).match
    return tuple(name for name in names.devices if match(name))


def thing(key: Key) -> str:
    """The selector of a key."""
    match key:
        case PortKey():
            return f"{key.device}/{key.port}"
        case SlotKey():
            return f"{key.group}[{key.slot}]"
    return key


def unknown_device(
    pattern: str, names: SiteNames, where: IntentPath, also: Iterable[str] = (), *, selectors: bool = False
) -> Problem:
    """Problem of a name or a glob that matches no switch.

    also  other names that are valid there; selectors: roles, ports, links and slots are valid there, too
    """
    is_glob = WILD.search(pattern) is not None
    fix = (_as_slot(pattern, names) if selectors else "") or _selector_advice(pattern, names, also)
    return Problem(
        code="unknown-name",
        what=f"{pattern} matches no switch" if is_glob else f"unknown switch {pattern}",
        where=where,
        why=f"none of the {len(names.devices)} switches of this intent {'matches' if is_glob else 'has this name'}",
        fix=_selector_forms(names) if selectors and fix.startswith("choose one of") else fix,
    )


def _as_slot(name: str, names: SiteNames) -> str:
    """The slot of a server that was named as its cables and files name it, train-000; empty for another name."""
    group, _, number = name.rpartition("-")
    if not re.fullmatch("[0-9]{1,7}", number) or int(number) >= names.slots.get(group, 0):
        return ""
    return f'did you mean "{group}[{int(number)}]"?'


def _selector_forms(names: SiteNames) -> str:
    """One example of each form of a selector."""
    device = min(names.devices)
    fabric, tier = names.devices[device].fabric.name, names.devices[device].place.tier.value
    port = next(iter(sorted(names.ports_of(device))), "PORT")
    slot = f" or a slot ({min(names.slots)}[0])" if names.slots else ""
    return (
        f"name a fabric ({fabric}), a role ({fabric}/{tier}), a switch ({device}), switches by a pattern "
        f"({device.rstrip(DIGITS)}*), a port ({device}/{port}), a link (link:{device}/{port}){slot}"
    )


def _selector_advice(pattern: str, names: SiteNames, also: Iterable[str]) -> str:
    """What to write: a port behind a slash, one of the switches that are named alike, or the nearest name."""
    device, colon, _ = pattern.partition(":")
    if colon and device in names.devices and (ports := names.ports_of(device)):
        return f"write a switch, a slash and its port, e.g. link:{device}/{min(ports)}"
    return name_advice(pattern, names.devices, also)


def unknown_port(device: str, port: str, names: SiteNames, where: IntentPath = (), at: Source | None = None) -> Problem:
    """Problem of a port that the plan does not know."""
    ports = names.ports_of(device)
    if WILD.search(port):
        return Problem(
            code="unknown-port",
            what=f"{port} is not a port of {device}: wildcards are allowed in the name of the switch only",
            where=where,
            why="a wildcard could name ports that are not meant, such as those of servers",
            fix=f"write one selector for each port, e.g. {device}/{min(ports)}"
            if ports
            else "write the full name of a port",
            at=at,
        )
    parts = sorted((name for name in ports if name.startswith(f"{port}/")), key=lambda name: (len(name), name))
    return Problem(
        code="unknown-port",
        what=f"{device} has no port {port} in this plan",
        where=where,
        why=f"the plan uses {len(ports)} ports of {device}, named as its operating system names them, e.g. {min(ports)}"
        if ports
        else f"the plan uses no port of {device}",
        fix=f"did you mean {parts[0]}?" if parts else did_you_mean(port, ports),
        at=at,
    )


def unknown_slot(group: str, slot: int, names: SiteNames, where: IntentPath = (), at: Source | None = None) -> Problem:
    """Problem of a slot past the planned ones."""
    last = names.slots[group] - 1
    return Problem(
        code="slot-not-planned",
        what=f"{group}[{slot}] is not planned; {group} has slots 0-{last}",
        where=where,
        why="only a planned slot has ports and addresses",
        fix=f"name a slot up to {last}, or write servers.{group}.planned: {slot + 1} if the fabrics have enough ports",
        at=at,
    )


def stuck_ports(intent: Intent, fabrics: Mapping[str, FabricPlan], names: SiteNames) -> Iterator[Problem]:
    """Yield each dead port whose cable no spare port can take."""
    for plan in fabrics.values():
        for device, binding in plan.bindings.items():
            place = names.devices[device].place
            for port in binding.stuck:
                name = port_text(plan, place, port)
                selector = f"{device}/{name}"
                yield Problem(
                    code="no-spare-port",
                    what=f"{device} has no free {port.speed_gbps}G port for the cable of {name}",
                    where=("overrides", selector) if selector in intent.overrides else ("overrides",),
                    why="the cable of a dead port moves to a free port of the same speed and lanes",
                    fix=_without_spare(plan, place, port, selector),
                )


def _without_spare(plan: FabricPlan, place: Place, port: PanelPort, selector: str) -> str:
    """What to write for a dead port whose cable no port takes; with its server, if the server has no other way."""
    absent, effect = "{state: absent}", "the link stays down, and its addresses stay reserved"
    ports = tuple(host_ports(plan, place)) if place.tier is Tier.LEAF else ()
    host = next((candidate for candidate in ports if candidate.port == port and candidate.present), None)
    device, until = selector.partition("/")[0], "who replaces it, and when"
    if not any(candidate.port == port for candidate in ports):
        where = device if place.tier is Tier.LEAF else f"fabrics.{plan.name}"
        return (
            f"write overrides: {{{selector}: {absent}}}: {effect}. If validate then reports links-missing, write also "
            + waiver_line("links-missing", until, where)
        )
    if host is None or not all(is_lost(plan, other) for other in mates(plan, place, host)):
        return f"write {selector}: {absent}: {effect}"
    server = f'"{host.group}[{host.slot}]"'
    return (
        f"if the server can go out of service, write overrides: {{{selector}: {absent}, {server}: {absent}}}; if it "
        f"stays in service without this port, write overrides: {{{selector}: {absent}}} and "
        f"{waiver_line('rail-lost', until, device)}. In both cases {effect}"
    )
