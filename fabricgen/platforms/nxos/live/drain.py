"""Draining on NX-OS: the lines that do it, and where a peer sees that it was done.

Form of the lines: a session is a section with its address families below (templates/nxos/NOTES.md), and its maps stand
in those. A peer sees it in `show bgp vrf all all detail`, recorded on 9.2(3) (batfish/lab-validation): blocks of one
network each, its paths with `X (metric N) from PEER (ROUTER ID)` and below it `localpref N`; a line `Community:` where
one came, whose words for the reserved number no source shows.

Unsure, so that little rests on it: how NX-OS writes the community. A path counts whose preference is 0, which the
inbound maps of ours give to what carries it, unless its communities are told and are others. Whether NX-OS sends all
again by itself when a session's map changes is not said either; not seen is not drained.
"""

import re
from collections.abc import Collection, Iterator

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor
from fabricgen.platforms.base.live.drain import DrainText, Lines, lines_of, names_maps, router, stand_whole
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import TEXT, Outputs, ReadCommand
from fabricgen.platforms.base.live.values import NotUnderstoodError, address
from fabricgen.platforms.nxos.bgp import FAMILIES

COMMUNITY = frozenset({"graceful-shutdown", "65535:0"})
"""How NX-OS may write it: as its configuration does, or as a number."""
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
_OWN = ("0.0.0.0", "0::", "::")  # noqa: S104 -- whom a route of the switch's own is from


def drain(device: Device, running: str) -> str:
    """Lines that make those sessions of a drained Device that stand in what runs name its drained maps.

    Empty where no session stands, or a map that one would name is not there whole.
    """
    lines = lines_of(running)
    found = {family: tuple(_standing(device, family, lines)) for family in FAMILIES}
    sessions = tuple(row for rows in found.values() for row in rows)
    if not sessions or not stand_whole(device, sessions, lines, WORDS):
        return ""
    merged = [router(device)]
    for family, rows in found.items():
        for row in rows:
            merged.append(f"  neighbor {row.address}")
            merged.append(f"    address-family {FAMILIES[family]}")
            if row.route_map_in:
                merged.append(f"      route-map {row.route_map_in} in")
            merged.append(f"      route-map {row.route_map_out} out")
    return "\n".join(merged) + "\n"


def _standing(device: Device, family: str, running: Lines) -> Iterator[Neighbor]:
    """Neighbors of one family that name maps of their own and stand in what runs, with that family."""
    groups = {group.name for group in device.routing.bgp.groups if family in group.families}
    for row in device.routing.bgp.neighbors:
        inside = running.get((router(device), f"neighbor {row.address}"), ())
        stands = f"address-family {FAMILIES[family]}" in inside and any(map(_is_member, inside))
        if row.group in groups and names_maps(row) and stands:
            yield row


def _is_member(line: str) -> bool:
    """Whether it is a line without which a neighbor is none: its AS, or the template it is of."""
    return line.startswith(("remote-as ", "inherit peer "))


def seen(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. What cannot be read, or was refused, has shown nothing."""
    output = outputs.get(PATHS)
    if output is None or not isinstance(output.value, str):
        return frozenset()
    senders = (_from(path, "peer") for path in _paths(output.value.splitlines(), _TABLES) if _marked(path))
    return frozenset(peer for peer in senders if peer)


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop, each once an RD that has it; None where they cannot be read."""
    output = outputs.get(PATHS)
    if output is None or not isinstance(output.value, str):
        return None
    return by_hop((_from(path, "hop"), _marked(path)) for path in _paths(output.value.splitlines(), _OVERLAY))


def _paths(lines: list[str], families: Collection[str]) -> Iterator[list[str]]:
    """Lines of each path of these tables of the default VRF."""
    inside, path = False, list[str]()
    for line in lines:
        table = _TABLE.fullmatch(line.rstrip())
        starts = table is not None or _PATH.fullmatch(line) is not None or not line.startswith(" ")
        if starts and path:
            yield path
            path = []
        if table is not None:
            inside = table[1] == "default" and table[2] in families
        elif inside and (path or _PATH.fullmatch(line)):
            path.append(line)
    if path:
        yield path


def _marked(path: list[str]) -> bool:
    """Whether a path came with the community."""
    last = any(match[1] == "0" for line in path if (match := _PREFERENCE.fullmatch(line)))
    told = [match[1].split() for line in path if (match := _COMMUNITY.fullmatch(line))]
    return last and (not told or any(not COMMUNITY.isdisjoint(words) for words in told))


def _from(path: list[str], what: str) -> str:
    """Next hop (`hop`) or sender (`peer`) of a path; empty for one of the switch's own, or where it is not told."""
    found = next((match for line in path if (match := _PEER.fullmatch(line))), None)
    try:
        return address(found[what]) if found and found["peer"] not in _OWN else ""
    except NotUnderstoodError:
        return ""
