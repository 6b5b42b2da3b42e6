"""Draining on FRR: the lines that do it, and where a peer sees that it was done.

The lines go into what runs with `vtysh -f`, and take effect as the route refresh of a named map does: seen at the
peers less than a second later. bgpd filters a table by community path by path, and prints no path that has it not
(bgp_show_table in bgpd/bgp_route.c; seen with FRR 8.4.4), so what is printed are the paths that came with it, the best
ones or not. An inbound map of ours leaves the community on the route.

Overlay sessions of a spine stay as they are, those of a leaf name a map for what they announce alone (see
resolve/policy.py); their packets stay on the ports of a drained switch.
"""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.drain import DrainText, drained, lines_of, router, stand_whole
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.linux.live.daemons import ADDRESS, NEIGHBORS
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, canonical, objects, rows, word
from fabricgen.platforms.linux.live.overlay import EVPN_ROUTES, next_hop

FAMILIES = ("ipv4", "ipv6")
SECTIONS = {"ipv4": "ipv4 unicast", "ipv6": "ipv6 unicast", "evpn": "l2vpn evpn"}
WORDS = DrainText(
    shutdown=frozenset({"graceful-shutdown", "65535:0"}),
    last="set local-preference 0",
    lists=(
        (re.compile(r"match community (\S+)"), "bgp community-list standard"),
        (re.compile(r"match ip address prefix-list (\S+)"), "ip prefix-list"),
        (re.compile(r"match ipv6 address prefix-list (\S+)"), "ipv6 prefix-list"),
    ),
)
TABLES = tuple(ReadCommand("bgp", f"show bgp {family} unicast community 65535:0 json", JSON) for family in FAMILIES)
"""Of the default VRF, where the underlay is. FRR has `graceful-shutdown` for the same number."""
NOT_FOUND = "none"
"""Address of a far end that has not shown itself yet."""
SIGNS = (*TABLES, ReadCommand("bgp", NEIGHBORS, JSON))
"""A path names its peer by address, be it a link-local one; the list of neighbors has the port of that."""
MARKED = "show bgp l2vpn evpn community 65535:0 json"
OVERLAY = (ReadCommand("bgp", EVPN_ROUTES, JSON), ReadCommand("bgp", MARKED, JSON))
"""The second prints those paths of the first that carry the community, in the same form (seen with FRR 8.4.4)."""


def drain(device: Device, running: str) -> str:
    """Lines that make those sessions of a drained Device that stand in what runs name its drained maps.

    Empty where no session stands, or a map that one would name is not there whole: FRR denies every route of a
    session whose map it has not.
    """
    lines = lines_of(running)
    families = {family: drained(device, family, lines) for family in SECTIONS}
    sessions = tuple(row for rows_ in families.values() for row in rows_)
    if not sessions or not stand_whole(device, sessions, lines, WORDS):
        return ""
    merged = [router(device)]
    for family, found in families.items():
        if found:
            merged.append(f" address-family {SECTIONS[family]}")
            for row in found:
                if row.route_map_in:
                    merged.append(f"  neighbor {row.peer} route-map {row.route_map_in} in")
                merged.append(f"  neighbor {row.peer} route-map {row.route_map_out} out")
            merged.append(" exit-address-family")
    return "\n".join([*merged, "exit"]) + "\n"


def seen(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. What cannot be read has shown nothing."""
    answers = CommandOutputs(outputs, {})
    ports = _ports(answers)
    return frozenset(ports.get(peer, peer) for read in TABLES for peer in _peers(answers, read.command))


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop; None where they cannot be read."""
    answers = CommandOutputs(outputs, {})
    try:
        held, marked = frozenset(_paths(answers, EVPN_ROUTES)), frozenset(_paths(answers, MARKED))
    except (ValueError, RecursionError):  # of json, ipaddress and Misread
        return None
    return by_hop((hop, (rd, route, hop) in marked) for rd, route, hop in held)


def _paths(answers: CommandOutputs, command: str) -> Iterator[tuple[str, str, str]]:
    """RD, route and next hop of each path."""
    for rd, block in objects(answers.table(command)):
        for route, row in objects(block):
            for path in rows(row.get("paths"), route):
                yield rd, route, next_hop(path)


def _peers(answers: CommandOutputs, command: str) -> tuple[str, ...]:
    try:
        return tuple(_senders(answers, command))
    except (ValueError, RecursionError):  # of json, ipaddress and Misread
        return ()


def _ports(answers: CommandOutputs) -> dict[str, str]:
    """Far address of a session over an unnumbered link → its port; none that is behind two ports, as nothing tells."""
    found: dict[str, str] = {}
    several: set[str] = set()
    try:
        for _, instance in objects(answers.table(NEIGHBORS)):
            for peer, row in objects(instance):
                if not ADDRESS.fullmatch(peer) and (far := word(row, "bgpNeighborAddr", "")) not in ("", NOT_FOUND):
                    several |= {canonical(far)} & found.keys()
                    found[canonical(far)] = peer
    except (ValueError, RecursionError):  # of json, ipaddress and Misread
        return {}
    return {far: port for far, port in found.items() if far not in several}


def _senders(answers: CommandOutputs, command: str) -> Iterator[str]:
    """Peer of each path; a route of the switch's own has none: `(unspec)`."""
    table = answers.table(command)
    routes = table.get("routes", {})
    if not isinstance(routes, dict):
        raise Misread(f"`{command}`: no routes")
    for prefix, paths in routes.items():
        for path in rows(paths, prefix):
            peer = word(path, "peerId")
            if peer != "(unspec)":
                yield canonical(peer)
