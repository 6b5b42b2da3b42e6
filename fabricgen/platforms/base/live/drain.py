"""Sessions that a drained Device drains, as far as they and their maps stand in what runs. For every platform's words.

A router that is told of a map it has not may deny every route of that session, so nothing is merged unless each map
stands whole: every statement, each with what a drain does, and every list that a statement names. What else its
statements say is the running configuration's own: a map that a change is about to alter still drains.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor, RouteMap

Lines = Mapping[tuple[str, ...], tuple[str, ...]]
"""Sections, outermost first → the lines right under them; () has the top level. Order is kept."""

MEMBER = ("remote-as", "peer-group", "peer")
"""Third word of a line without which a neighbor is none: its AS, or the group it is of."""


class DrainText(NamedTuple):
    """How a platform says what a drained map does.

    shutdown  graceful-shutdown community (RFC 8326) after `set community`, in each of its spellings
    last      line that makes a route the last choice (RFC 8326 section 4.2: local preference 0)
    lists     line of a statement that names a list, its name in group 1 → what a line that makes the list begins with
    """

    shutdown: frozenset[str]
    last: str
    lists: tuple[tuple[re.Pattern[str], str], ...]


def lines_of(text: str) -> Lines:
    """A configuration by the indentation that its platform prints."""
    found: dict[tuple[str, ...], list[str]] = {(): []}
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        above = [section for section in above if section[0] < depth]
        found.setdefault(tuple(name for _, name in above), []).append(line)
        above.append((depth, line))
    return {section: tuple(lines) for section, lines in found.items()}


def router(device: Device) -> str:
    """Line of the section of its sessions."""
    return f"router bgp {device.routing.bgp.asn}"


def peer_of(row: Neighbor) -> str:
    """What lines call a session: by its port or the far address."""
    return row.peer


def drained(
    device: Device, family: str, running: Lines, name: Callable[[Neighbor], str] = peer_of
) -> tuple[Neighbor, ...]:
    """Neighbors of one family, ipv4, ipv6 or evpn, that name maps of their own and stand in what runs.

    name  what the platform's lines call a session
    """
    under = [line.split() for line in running.get((router(device),), ())]
    stand = {words[1] for words in under if words[0] == "neighbor" and len(words) > 3 and words[2] in MEMBER}
    groups = {group.name for group in device.routing.bgp.groups if family in group.families}
    return tuple(
        row for row in device.routing.bgp.neighbors if row.group in groups and name(row) in stand and names_maps(row)
    )


def names_maps(row: Neighbor) -> bool:
    """Whether a session is drained. One of the overlay names the outbound map alone: see `resolve/policy.py`."""
    return bool(row.route_map_out)


def ways_of(sessions: Iterable[Neighbor]) -> frozenset[tuple[str, bool]]:
    """(map, whether it is for what comes in) of these sessions."""
    named = (
        (name, inbound) for row in sessions for name, inbound in ((row.route_map_in, True), (row.route_map_out, False))
    )
    return frozenset((name, inbound) for name, inbound in named if name)


def stand_whole(device: Device, sessions: Collection[Neighbor], running: Lines, words: DrainText) -> bool:
    """Whether every map that these sessions name can be named."""
    maps = {found.name: found for found in device.routing.policy.route_maps}
    ways = ways_of(sessions)
    return all(name in maps and _whole(maps[name], running, words, inbound=inbound) for name, inbound in ways)


def _whole(wanted: RouteMap, running: Lines, words: DrainText, *, inbound: bool) -> bool:
    heads = [line for line in running[()] if line.split()[:2] == ["route-map", wanted.name]]
    expected = {
        f"route-map {wanted.name} {'permit' if row.permit else 'deny'} {row.sequence}" for row in wanted.statements
    }
    if not expected <= set(heads):
        return False
    stated = {head: running.get((head,), ()) for head in heads}
    permits = [lines for head, lines in stated.items() if head.split()[2:3] == ["permit"]]
    drains = all(_drains(lines, words, inbound=inbound) for lines in permits)
    return drains and all(_lists_stand(lines, running[()], words) for lines in stated.values())


def _drains(lines: tuple[str, ...], words: DrainText, *, inbound: bool) -> bool:
    if inbound:
        return words.last in lines
    return any(line.startswith("set community ") and not words.shutdown.isdisjoint(line.split()) for line in lines)


def _lists_stand(lines: tuple[str, ...], top: tuple[str, ...], words: DrainText) -> bool:
    """Whether each list that a statement names is there; one that is not matches nothing."""
    makers = {
        f"{start} {named[1]} " for line in lines for pattern, start in words.lists if (named := pattern.fullmatch(line))
    }
    return all(any(f"{line} ".startswith(maker) for line in top) for maker in makers)
