"""Which sessions of a drained Device can be drained on a running configuration. Shared by all platforms.

A router may deny every route of a session that names a route map which does not exist. So nothing is merged unless each
map is there whole: every statement, each with what a drain does, and every list that a statement names. What else its
statements say is up to the running configuration: a map that a change is about to alter still drains.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor, RouteMap

Lines = Mapping[tuple[str, ...], tuple[str, ...]]
"""Sections, outermost first → the lines directly under them; () has the top level. Order is kept."""

MEMBER = ("remote-as", "peer-group", "peer")
"""Third word of a line that makes a neighbor exist: its AS or its peer group."""


class DrainText(NamedTuple):
    """How a platform writes what a drained map does.

    shutdown  graceful-shutdown community (RFC 8326) after `set community`, in each of its spellings
    last      line that makes a route the last choice (RFC 8326 section 4.2: local preference 0)
    lists     (line of a statement that names a list, its name in group 1; beginning of a line that defines such a list)
    """

    shutdown: frozenset[str]
    last: str
    lists: tuple[tuple[re.Pattern[str], str], ...]


def lines_of(text: str) -> Lines:
    """A configuration by the indentation that its platform prints."""
    sections: dict[tuple[str, ...], list[str]] = {(): []}
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        above = [section for section in above if section[0] < depth]
        sections.setdefault(tuple(name for _, name in above), []).append(line)
        above.append((depth, line))
    return {section: tuple(lines) for section, lines in sections.items()}


def router(device: Device) -> str:
    """The line that begins the BGP section of the switch."""
    return f"router bgp {device.routing.bgp.asn}"


def peer_of(row: Neighbor) -> str:
    """The name of a session in configuration lines: its port or the far address."""
    return row.peer


def drained(
    device: Device, family: str, running: Lines, name: Callable[[Neighbor], str] = peer_of
) -> tuple[Neighbor, ...]:
    """Neighbors of one family (ipv4, ipv6 or evpn) that name maps of their own and exist in the running configuration.

    name  how the platform's lines name a session
    """
    bgp_lines = [line.split() for line in running.get((router(device),), ())]
    existing = {
        tokens[1] for tokens in bgp_lines if tokens[0] == "neighbor" and len(tokens) > 3 and tokens[2] in MEMBER
    }
    groups = {group.name for group in device.routing.bgp.groups if family in group.families}
    return tuple(
        row for row in device.routing.bgp.neighbors if row.group in groups and name(row) in existing and names_maps(row)
    )


def names_maps(row: Neighbor) -> bool:
    """Whether a session is drained. An overlay session names the outbound map only: see `resolve/policy.py`."""
    return bool(row.route_map_out)


def ways_of(sessions: Iterable[Neighbor]) -> frozenset[tuple[str, bool]]:
    """(map, whether it is inbound) of these sessions."""
    named = (
        (name, inbound) for row in sessions for name, inbound in ((row.route_map_in, True), (row.route_map_out, False))
    )
    return frozenset((name, inbound) for name, inbound in named if name)


def maps_are_complete(device: Device, sessions: Collection[Neighbor], running: Lines, drain_text: DrainText) -> bool:
    """Whether every map that these sessions name is complete in the running configuration."""
    maps = {route_map.name: route_map for route_map in device.routing.policy.route_maps}
    directions = ways_of(sessions)
    return all(
        name in maps and _whole(maps[name], running, drain_text, inbound=inbound) for name, inbound in directions
    )


def _whole(route_map: RouteMap, running: Lines, drain_text: DrainText, *, inbound: bool) -> bool:
    heads = [line for line in running[()] if line.split()[:2] == ["route-map", route_map.name]]
    expected = {
        f"route-map {route_map.name} {'permit' if row.permit else 'deny'} {row.sequence}"
        for row in route_map.statements
    }
    if not expected <= set(heads):
        return False
    stated = {head: running.get((head,), ()) for head in heads}
    permits = [lines for head, lines in stated.items() if head.split()[2:3] == ["permit"]]
    drains = all(_drains(lines, drain_text, inbound=inbound) for lines in permits)
    return drains and all(_lists_exist(lines, running[()], drain_text) for lines in stated.values())


def _drains(lines: tuple[str, ...], drain_text: DrainText, *, inbound: bool) -> bool:
    if inbound:
        return drain_text.last in lines
    return any(line.startswith("set community ") and not drain_text.shutdown.isdisjoint(line.split()) for line in lines)


def _lists_exist(lines: tuple[str, ...], top: tuple[str, ...], drain_text: DrainText) -> bool:
    """Whether each list that a statement names exists; one that does not matches nothing."""
    makers = {
        f"{start} {named[1]} "
        for line in lines
        for pattern, start in drain_text.lists
        if (named := pattern.fullmatch(line))
    }
    return all(any(f"{line} ".startswith(maker) for line in top) for maker in makers)
