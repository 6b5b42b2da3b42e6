"""Draining on EOS: the lines that do it, and what a peer shows of it.

Sources of the commands and of their form:
  show ip bgp community C           sonic-net/sonic-mgmt, tests/bgp/bgp_helpers.py, run there on EOS; hyperglass, which
                                    reads it as JSON (hyperglass/defaults/directives/arista_eos.py)
  show ipv6 bgp match community C   sonic-mgmt, the same function; hyperglass omits `match`. Both are sent: EOS refuses
                                    an unknown command, and a refused command counts as no routes
  vrfs, bgpRouteEntries, bgpRoutePaths, nextHop, localPreference
                                    recorded: `show ip bgp vrf all` (batfish/lab-validation); eAPI's version 1 has the
                                    same keys (the EOS SDK agent RaRedirector sends runCmds(1, ["show ip bgp P"]))
  peerEntry.peerAddr, routeDetail.communityList
                                    hyperglass/models/parsing/arista_eos.py, whose authors say that an answer by
                                    community has no routeDetail; issue 305 there shows a switch's own answer

Unsure, so that nothing depends on it: whether the filter drops each path that lacks the community, or only prefixes of
which no path has it. So a path counts if its details have the community, or, without details, if its preference is 0,
which our inbound maps set on routes with the community. Nor does a source say whether `set community` in a map of a
single neighbor is sent again at once (templates/eos/NOTES.md); routes that are not seen count as not drained.
"""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor
from fabricgen.platforms.base.live.drain import DrainText, drained, lines_of, maps_are_complete, router
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.base.live.values import NotUnderstoodError, address, number, rows, table, word
from fabricgen.platforms.eos.bgp import link_group
from fabricgen.platforms.eos.live.values import peer_name

COMMUNITY = frozenset({"65535:0", "GSHUT"})
"""How EOS may print it: as a number, or as in its configuration."""
WORDS = DrainText(
    shutdown=COMMUNITY,
    last="set local-preference 0",
    lists=(
        (re.compile(r"match community (\S+)"), "ip community-list"),
        (re.compile(r"match ip address prefix-list (\S+)"), "ip prefix-list"),
        (re.compile(r"match ipv6 address prefix-list (\S+)"), "ipv6 prefix-list"),
    ),
)
SIGNS = (
    ReadCommand("bgp", "show ip bgp community 65535:0", JSON),
    ReadCommand("bgp", "show ipv6 bgp match community 65535:0", JSON),
    ReadCommand("bgp", "show ipv6 bgp community 65535:0", JSON),
)
OVERLAY = (ReadCommand("bgp", "show bgp evpn", JSON),)
LAST = 0
"""Local preference that our maps set on a route that is being shut down."""


def drain(device: Device, running: str) -> str:
    """Lines that attach the drained maps of a drained Device to those of its sessions that run.

    Empty if no such session runs, or if a map that one would name is not there whole.
    """
    lines = lines_of(running)
    families = [drained(device, family, lines, called) for family in ("ipv4", "ipv6", "evpn")]
    sessions = tuple(dict.fromkeys(row for family_sessions in families for row in family_sessions))
    if not sessions or not maps_are_complete(device, sessions, lines, WORDS):
        return ""
    merged = [router(device)]
    for row in sessions:
        if row.route_map_in:
            merged.append(f"   neighbor {called(row)} route-map {row.route_map_in} in")
        merged.append(f"   neighbor {called(row)} route-map {row.route_map_out} out")
    return "\n".join(merged) + "\n"


def called(row: Neighbor) -> str:
    """Name of a session in lines: its own peer group if it runs over an unnumbered link, else its address."""
    return link_group(row) if row.interface else row.address


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. Outputs that are refused or unreadable count as none."""
    peers: set[str] = set()
    for read in SIGNS:
        output = outputs.get(read.command)
        if output is not None and output.value is not None:
            try:
                peers.update(tuple(_senders(output.value)))
            except NotUnderstoodError:
                continue
    return frozenset(peers)


def _senders(output: object) -> Iterator[str]:
    """Peer of each path that carries the community; the switch's own paths have none."""
    entries = table(table(table(output, "vrfs"), "default", optional=True), "bgpRouteEntries", optional=True)
    for entry in entries.values():
        for path in rows(entry, "bgpRoutePaths", optional=True):
            # The sender. A list may omit the peer; over a link's session the next hop is the peer (RFC 4271, 5.1.3).
            peer = word(table(path, "peerEntry", optional=True), "peerAddr", "") or word(path, "nextHop", "")
            if peer and _marked(path):
                yield peer_name(peer)


def _marked(path: object) -> bool:
    details = table(path, "routeDetail", optional=True)
    if "communityList" in details:
        return not COMMUNITY.isdisjoint(map(str, rows(details, "communityList")))
    return number(path, "localPreference", -1) == LAST


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop, which a spine does not change; None if they cannot be read."""
    output = outputs.get(OVERLAY[0].command)
    if output is None or output.value is None:
        return None
    try:
        return by_hop(tuple(_hops(output.value)))
    except NotUnderstoodError:
        return None


def _hops(output: object) -> Iterator[tuple[str, bool]]:
    for row in table(output, "evpnRoutes").values():
        for path in rows(row, "evpnRoutePaths"):
            hop = word(path, "nextHop", "")
            yield (address(hop) if hop else ""), _marked(path)
