"""Draining on Cumulus Linux: a patch to the applied configuration, and what a peer shows of it.

Routes and their communities are FRR's, so peers are read like those of the platform `frr`. The running configuration is
read from NVUE's tree and expressed in the FRR lines that NVUE writes for it (511 Route Filtering and Redistribution,
tabs NVUE Commands and vtysh Commands), with the snippet of FRR lines that adds communities.
"""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor
from fabricgen.platforms.base.live.drain import Lines, drained, lines_of, maps_are_complete
from fabricgen.platforms.cumulus.keywords import keywords
from fabricgen.platforms.cumulus.live.tree import Node, at, tree
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.platforms.linux.live.decode import Misread

SIGNS = frr_drain.SIGNS
OVERLAY = frr_drain.OVERLAY
marks = frr_drain.marks
seen = frr_drain.draining_peers
"""Peers from which routes with the community came."""

FAMILIES = {"ipv4": "ipv4-unicast", "ipv6": "ipv6-unicast", "evpn": "l2vpn-evpn"}
VERSIONS = {"ipv4": "ip", "ipv6": "ipv6"}
"""Type of a prefix list → FRR's keyword."""


def drain(device: Device, running: str) -> str:
    """A patch that attaches the drained maps of a drained Device to those of its sessions that are applied.

    Empty if no such session is applied, or if a map that one would name is not there whole.
    """
    try:
        lines = frr_lines(tree(running))
    except Misread:
        return ""
    families = {family: drained(device, family, lines) for family in FAMILIES}
    sessions = tuple(dict.fromkeys(row for neighbors in families.values() for row in neighbors))
    if not sessions or not maps_are_complete(device, sessions, lines, frr_drain.WORDS):
        return ""
    return "\n".join(_patch(sessions, families, keywords(device.version).enabled)) + "\n"


def _patch(sessions: tuple[Neighbor, ...], families: dict[str, tuple[Neighbor, ...]], enabled: str) -> Iterator[str]:
    yield from ("- set:", "    vrf:", "      default:", "        router:", "          bgp:", "            neighbor:")
    for row in sessions:
        yield from (f"              '{row.peer}':", "                address-family:")
        for family, neighbors in families.items():
            if row in neighbors:
                yield from (
                    f"                  {FAMILIES[family]}:",
                    f"                    {enabled}",
                    "                    policy:",
                )
                for direction, name in (("inbound", row.route_map_in), ("outbound", row.route_map_out)):
                    if name:
                        yield from (f"                      {direction}:", f"                        route-map: {name}")


def frr_lines(root: Node) -> Lines:
    """Sessions of the default VRF, maps and lists of a tree, as FRR's lines."""
    policy, bgp = at(root, "router", "policy"), at(root, "vrf", "default", "router", "bgp")
    asn = bgp.get("autonomous-system") or at(root, "router", "bgp").get("autonomous-system", "")
    sections: dict[tuple[str, ...], tuple[str, ...]] = {(f"router bgp {asn}",): tuple(_neighbors(bgp))}
    for name, rules in _named(policy, "route-map"):
        for sequence, rule in _named(rules, "rule"):
            action = "permit" if "permit" in at(rule, "action") else "deny"
            sections[(f"route-map {name} {action} {sequence}",)] = tuple(_statement(rule))
    snippet = at(root, "system", "config", "snippet").get("frr.conf", "")
    for section, lines in lines_of(snippet if isinstance(snippet, str) else "").items():
        if section:
            sections[section] = (*sections.get(section, ()), *lines)
    sections[()] = (*(section[0] for section in sections if section), *_lists(policy))
    return sections


def _named(node: Node, key: str) -> Iterator[tuple[str, Node]]:
    for name, below in at(node, key).items():
        if isinstance(below, dict):
            yield name, below


def _neighbors(bgp: Node) -> Iterator[str]:
    for name, row in _named(bgp, "neighbor"):
        if "peer-group" in row:
            yield f"neighbor {name} peer-group {row['peer-group']}"
        elif "remote-as" in row:
            yield f"neighbor {name} remote-as {row['remote-as']}"


def _statement(rule: Node) -> Iterator[str]:
    match, sets = at(rule, "match"), at(rule, "set")
    if "community-list" in match:
        yield f"match community {match['community-list']}"
    if "ip-prefix-list" in match:
        version = VERSIONS.get(str(match.get("type")), "ip")
        yield f"match {version} address prefix-list {match['ip-prefix-list']}"
    if "local-preference" in sets:
        yield f"set local-preference {sets['local-preference']}"
    if at(sets, "community"):
        yield f"set community {' '.join(at(sets, 'community'))}"


def _lists(policy: Node) -> Iterator[str]:
    for name, _ in _named(policy, "community-list"):
        yield f"bgp community-list standard {name} "
    for name, row in _named(policy, "prefix-list"):
        yield f"{VERSIONS.get(str(row.get('type')), 'ip')} prefix-list {name} "


def signed(difference: str) -> str:
    """`nv config diff` with signs: lines below `unset` get -, lines below `set` get +."""
    rows, sign = list[str](), " "
    for row in difference.splitlines():
        sign = {"- unset:": "-", "- set:": "+"}.get(row, sign)
        rows.append(f" {row}" if row.startswith("- ") else f"{sign}{row}")
    return "\n".join(rows)
