"""Draining on FRR: the lines that do it, and what a peer shows of it.

`vtysh -f` loads the lines into the running configuration. They take effect with the route refresh of a changed map:
seen at the peers less than a second later. bgpd filters a table by community path by path, and prints no path without
it (bgp_show_table in bgpd/bgp_route.c; seen with FRR 8.4.4), so the output has the paths that came with it, best or
not. An inbound map of ours leaves the community on the route.

Overlay sessions of a spine do not change, those of a leaf name an outbound map only (see resolve/policy.py); packets of
both stay on the ports of a drained switch.
"""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.drain import DrainText, drained, lines_of, maps_are_complete, router
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
"""For the default VRF, which has the underlay. FRR prints `graceful-shutdown` for the same number."""
NOT_FOUND = "none"
"""FRR's address of a far end that it has not seen yet."""
SIGNS = (*TABLES, ReadCommand("bgp", NEIGHBORS, JSON))
"""A path names its peer by address, also a link-local one; the list of neighbors has the port of that address."""
MARKED = "show bgp l2vpn evpn community 65535:0 json"
OVERLAY = (ReadCommand("bgp", EVPN_ROUTES, JSON), ReadCommand("bgp", MARKED, JSON))
"""The second prints those paths of the first that carry the community, in the same form (seen with FRR 8.4.4)."""


def drain(device: Device, running: str) -> str:
    """Lines that attach the drained maps of a drained Device to those of its sessions that run.

    Empty if no such session runs, or if a map is not there whole: FRR denies every route of a session whose map does
    not exist.
    """
    lines = lines_of(running)
    families = {family: drained(device, family, lines) for family in SECTIONS}
    sessions = tuple(row for rows_ in families.values() for row in rows_)
    if not sessions or not maps_are_complete(device, sessions, lines, WORDS):
        return ""
    merged = [router(device)]
    for family, neighbors in families.items():
        if neighbors:
            merged.append(f" address-family {SECTIONS[family]}")
            for row in neighbors:
                if row.route_map_in:
                    merged.append(f"  neighbor {row.peer} route-map {row.route_map_in} in")
                merged.append(f"  neighbor {row.peer} route-map {row.route_map_out} out")
            merged.append(" exit-address-family")
    return "\n".join([*merged, "exit"]) + "\n"


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. Outputs that cannot be read count as none."""
    answers = CommandOutputs(outputs, {})
    ports = _ports(answers)
    return frozenset(ports.get(peer, peer) for read in TABLES for peer in _peers(answers, read.command))


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop; None if they cannot be read."""
    answers = CommandOutputs(outputs, {})
    try:
        paths, marked = frozenset(_paths(answers, EVPN_ROUTES)), frozenset(_paths(answers, MARKED))
    except (ValueError, RecursionError):  # from json, ipaddress and Misread
        return None
    return by_hop((hop, (rd, route, hop) in marked) for rd, route, hop in paths)


def _paths(answers: CommandOutputs, command: str) -> Iterator[tuple[str, str, str]]:
    """RD, route and next hop of each path."""
    for rd, block in objects(answers.table(command)):
        for route, row in objects(block):
            for path in rows(row.get("paths"), route):
                yield rd, route, next_hop(path)


def _peers(answers: CommandOutputs, command: str) -> tuple[str, ...]:
    try:
        return tuple(_senders(answers, command))
    except (ValueError, RecursionError):  # from json, ipaddress and Misread
        return ()


def _ports(answers: CommandOutputs) -> dict[str, str]:
    """Far address of a session over an unnumbered link → its port. An address on two ports is ambiguous: left out."""
    ports: dict[str, str] = {}
    ambiguous: set[str] = set()
    try:
        for _, instance in objects(answers.table(NEIGHBORS)):
            for peer, row in objects(instance):
                if not ADDRESS.fullmatch(peer) and (address := word(row, "bgpNeighborAddr", "")) not in ("", NOT_FOUND):
                    ambiguous |= {canonical(address)} & ports.keys()
                    ports[canonical(address)] = peer
    except (ValueError, RecursionError):  # from json, ipaddress and Misread
        return {}
    return {address: port for address, port in ports.items() if address not in ambiguous}


def _senders(answers: CommandOutputs, command: str) -> Iterator[str]:
    """Peer of each path; the switch's own routes have none: `(unspec)`."""
    table = answers.table(command)
    routes = table.get("routes", {})
    if not isinstance(routes, dict):
        raise Misread(f"`{command}`: no routes")
    for prefix, paths in routes.items():
        for path in rows(paths, prefix):
            peer = word(path, "peerId")
            if peer != "(unspec)":
                yield canonical(peer)
