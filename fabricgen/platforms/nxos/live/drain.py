"""Draining on NX-OS: the lines that drain, and where a peer sees their effect.

Form of the lines: a session is a section with its address families below (templates/nxos/NOTES.md), which have its
route maps. A peer sees the drain in `show bgp vrf all all detail`, recorded on 9.2(3) (batfish/lab-validation): a block
per network, its paths with `X (metric N) from PEER (ROUTER ID)` and below it `localpref N`; a line `Community:` if the
path has one. No source shows the text of the reserved community.

Unsure, so little depends on it: how NX-OS prints the community. A path counts if its local preference is 0, which the
rendered inbound maps give to paths with the community, unless other communities are printed. No source says either
whether NX-OS announces all routes again when a session's map changes; not seen counts as not drained.
"""

import re
from collections.abc import Collection, Iterator

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor
from fabricgen.platforms.base.live.drain import DrainText, Lines, lines_of, maps_are_complete, names_maps, router
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import TEXT, Outputs, ReadCommand
from fabricgen.platforms.base.live.values import NotUnderstoodError, address
from fabricgen.platforms.nxos.bgp import FAMILIES

COMMUNITY = frozenset({"graceful-shutdown", "65535:0"})
"""Forms in which NX-OS may print it: as in its configuration, or as a number."""
WORDS = DrainText(
    shutdown=COMMUNITY,
    last="set local-preference 0",
    lists=(
        (re.compile(r"match community (\S+)"), "ip community-list standard"),
        (re.compile(r"match ip address prefix-list (\S+)"), "ip prefix-list"),
        (re.compile(r"match ipv6 address prefix-list (\S+)"), "ipv6 prefix-list"),
    ),
)
PATHS = "show bgp vrf all all detail"
SIGNS = OVERLAY = (ReadCommand("bgp", PATHS, TEXT),)

_TABLE = re.compile(r"BGP routing table information for VRF (\S+), address family (.+)")
_TABLES = ("IPv4 Unicast", "IPv6 Unicast")
_OVERLAY = ("L2VPN EVPN",)
_PATH = re.compile(r"\s+Path type: .*")
_PEER = re.compile(r"\s+(?P<hop>\S+) \(metric [^)]+\) from (?P<peer>\S+) \(\S+\)")
_PREFERENCE = re.compile(r"\s+Origin .*\blocalpref (\d+)\b.*")
_COMMUNITY = re.compile(r"\s+Community: (.+)")
_OWN = ("0.0.0.0", "0::", "::")  # noqa: S104 -- sender of the switch's own routes


def drain(device: Device, running: str) -> str:
    """Return lines by which the running sessions of a drained Device use its drain maps.

    "" if no such session is configured, or a needed map is missing or incomplete.
    """
    lines = lines_of(running)
    sessions_by_family = {family: tuple(_configured_neighbors(device, family, lines)) for family in FAMILIES}
    sessions = tuple(row for rows in sessions_by_family.values() for row in rows)
    if not sessions or not maps_are_complete(device, sessions, lines, WORDS):
        return ""
    drain_lines = [router(device)]
    for family, rows in sessions_by_family.items():
        for row in rows:
            drain_lines.append(f"  neighbor {row.address}")
            drain_lines.append(f"    address-family {FAMILIES[family]}")
            if row.route_map_in:
                drain_lines.append(f"      route-map {row.route_map_in} in")
            drain_lines.append(f"      route-map {row.route_map_out} out")
    return "\n".join(drain_lines) + "\n"


def _configured_neighbors(device: Device, family: str, running: Lines) -> Iterator[Neighbor]:
    """Yield the neighbors of one family that have their own maps and run with that family."""
    groups = {group.name for group in device.routing.bgp.groups if family in group.families}
    for row in device.routing.bgp.neighbors:
        section = running.get((router(device), f"neighbor {row.address}"), ())
        is_configured = f"address-family {FAMILIES[family]}" in section and any(map(_is_member, section))
        if row.group in groups and names_maps(row) and is_configured:
            yield row


def _is_member(line: str) -> bool:
    """Return whether the line is one that every neighbor has: its AS, or its template."""
    return line.startswith(("remote-as ", "inherit peer "))


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Return the peers that sent routes with the community; none if the output cannot be read or was refused."""
    output = outputs.get(PATHS)
    if output is None or not isinstance(output.value, str):
        return frozenset()
    senders = (_from(path, "peer") for path in _paths(output.value.splitlines(), _TABLES) if _marked(path))
    return frozenset(peer for peer in senders if peer)


def marks(outputs: Outputs) -> ByHop | None:
    """Return EVPN routes by next hop, each once per RD; None if they cannot be read."""
    output = outputs.get(PATHS)
    if output is None or not isinstance(output.value, str):
        return None
    return by_hop((_from(path, "hop"), _marked(path)) for path in _paths(output.value.splitlines(), _OVERLAY))


def _paths(lines: list[str], families: Collection[str]) -> Iterator[list[str]]:
    """Yield the lines of each path in these tables of the default VRF."""
    is_wanted, path = False, list[str]()
    for line in lines:
        table = _TABLE.fullmatch(line.rstrip())
        starts = table is not None or _PATH.fullmatch(line) is not None or not line.startswith(" ")
        if starts and path:
            yield path
            path = []
        if table is not None:
            is_wanted = table[1] == "default" and table[2] in families
        elif is_wanted and (path or _PATH.fullmatch(line)):
            path.append(line)
    if path:
        yield path


def _marked(path: list[str]) -> bool:
    """Return whether a path has the community."""
    is_last = any(match[1] == "0" for line in path if (match := _PREFERENCE.fullmatch(line)))
    community_lists = [match[1].split() for line in path if (match := _COMMUNITY.fullmatch(line))]
    return is_last and (
        not community_lists or any(not COMMUNITY.isdisjoint(communities) for communities in community_lists)
    )


def _from(path: list[str], group: str) -> str:
    """Return the next hop (`hop`) or sender (`peer`) of a path; "" for the switch's own, or if not printed."""
    peer_match = next((match for line in path if (match := _PEER.fullmatch(line))), None)
    try:
        return address(peer_match[group]) if peer_match and peer_match["peer"] not in _OWN else ""
    except NotUnderstoodError:
        return ""
