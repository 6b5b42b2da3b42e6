"""The text of startup.yaml → the frr.conf that NVUE writes on Cumulus Linux.

Written from NVIDIA's documents alone, which show for each NVUE command what it puts into the file (tabs NVUE Commands
and vtysh Commands): CumulusNetworks/docs, read 2026-11-22, Basic and Optional BGP Configuration, Route Filtering and
Redistribution, EVPN (Basic Configuration, Inter-subnet Routing, Multihoming), Virtual Routing and Forwarding, Static
Routing. Nothing here knows our templates. The first lines are those of FRR 8.4, on which 5.11 is built: later
releases have newer ones, which take these lines too.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.cumulus.lab.nvue_tree import at, is_on, tree
from fabricgen.platforms.linux.lab.routing import RoutingText
from fabricgen.platforms.linux.lab.watched import Node, Watched, unread

WORDS = {"ipv4-unicast": "ipv4 unicast", "ipv6-unicast": "ipv6 unicast", "l2vpn-evpn": "l2vpn evpn"}
EVPN = "l2vpn-evpn"
GRACEFUL_SHUTDOWN = ("65535:0", "graceful-shutdown")
"""The community as numbers, and as FRR prints it."""
ROUTING = re.compile(r"(router|evpn|vrf \S+ (router|evpn)|interface \S+ evpn|system config snippet) .*")
"""Commands that configure FRR's part of a switch."""


def read_routing(text: str) -> RoutingText:
    """frr.conf of a startup.yaml; `unread` are routing commands that no pair of the documents covers.

    Raises ValueError, LookupError, TypeError or yaml.YAMLError for another text.
    """
    root = Watched(tree(text))
    lines = "\n".join([*_frr(root), ""]).replace(*GRACEFUL_SHUTDOWN)
    unread_commands = (" ".join(path) for path in unread(root))
    return RoutingText(
        lines, tuple(line for line in unread_commands if ROUTING.fullmatch(line) and not _is_no_line(line))
    )


def frr_conf(text: str) -> str:
    """The text of frr.conf that `read_routing` returns."""
    return read_routing(text).text


NO_LINE: Mapping[str, str] = {
    r"router (bgp|bfd) (enable on|state enabled)": "starts the daemon",
    r"router adaptive-routing .*": "the chip's",
    r"vrf \S+ router bgp path-selection multipath bandwidth all-paths": "as without it",
    r"vrf \S+ router static \S+ via blackhole type blackhole": "the next hop says as much",
    r"vrf \S+ evpn (enable on|state enabled|vlan \d+)": "of the bridge; the VNI alone is FRR's",
    r"evpn dad (enable on|state enabled)": "the daemon's default",
    r"evpn (dad (enable off|state disabled)|multihoming (enable on|state enabled))": "of Ethernet segments",
    r"interface \S+ evpn multihoming segment mac-address \S+": "of /etc/network/interfaces",
}
"""Commands that put no line into frr.conf, by pattern, and why."""


def _is_no_line(command: str) -> bool:
    return any(re.fullmatch(pattern, command) for pattern in NO_LINE)


def _frr(root: Node) -> Iterator[str]:
    yield from ("frr version 8.4", "frr defaults datacenter", f"hostname {root['system']['hostname']}")
    yield from ("log syslog informational", "no zebra nexthop kernel enable", "service integrated-vtysh-config", "!")
    router = at(root, "router", "bgp")
    yield f"ip router-id {router['router-id']}"
    for name, vrf in root["vrf"].items():
        yield from _vrf(name, vrf)
    for name, row in root["interface"].items():
        yield from _segment(name, row)
    for name, vrf in root["vrf"].items():
        yield from _speaker(name, vrf, router, root)
    yield from _bfd(at(root, "router", "bfd", "profile"))
    yield from _policy(at(root, "router", "policy"))
    yield from at(root, "system", "config", "snippet").get("frr.conf", "").splitlines()
    yield "end"


def _bfd(profiles: Node) -> Iterator[str]:
    """Profiles of BFD: NVUE has them from 5.15 on, and FRR runs BFD then (515 BFD)."""
    if profiles:
        yield "bfd"
        for name, row in profiles.items():
            yield f" profile {name}"
            yield f"  detect-multiplier {row['detect-multiplier']}"
            yield f"  transmit-interval {row['min-tx-interval']}"
            yield f"  receive-interval {row['min-rx-interval']}"
            if "minimum-ttl" in row:
                yield f"  minimum-ttl {row['minimum-ttl']}"
            yield " exit"
        yield from ("exit", "!")


def _vrf(name: str, vrf: Node) -> Iterator[str]:
    lines = [f" vni {vni}" for vni in at(vrf, "evpn", "vni")]
    static = []
    for prefix, route in at(vrf, "router", "static").items():
        keyword = "ipv6" if route["address-family"] == "ipv6-unicast" else "ip"
        static += [f"{keyword} route {prefix} {hop}" for hop in route["via"]]
    if name == "default":
        yield from static
    elif lines or static:
        yield from (f"vrf {name}", *lines, *(f" {line}" for line in static), "exit-vrf", "!")


def _segment(name: str, row: Node) -> Iterator[str]:
    multihoming = at(row, "evpn", "multihoming")
    segment = multihoming.get("segment", {})
    lines = []
    if is_on(segment):
        lines = [f" evpn mh es-id {segment['identifier']}"]  # the segment's MAC is in /etc/network/interfaces only
    if "df-preference" in segment:
        lines.append(f" evpn mh es-df-pref {segment['df-preference']}")
    if is_on(multihoming, "uplink"):
        lines.append(" evpn mh uplink")
    if lines:
        yield from (f"interface {name}", *lines, "exit", "!")


def _speaker(name: str, vrf: Node, router: Node, root: Node) -> Iterator[str]:
    bgp = at(vrf, "router", "bgp")
    if not is_on(bgp):
        return
    default = name == "default"
    yield f"router bgp {bgp.get('autonomous-system', router['autonomous-system'])}{'' if default else f' vrf {name}'}"
    yield f" bgp router-id {bgp.get('router-id', router['router-id'])}"
    if default and is_on(router, "wait-for-install"):
        yield " bgp suppress-fib-pending"
    yield " no bgp default ipv4-unicast"
    if is_on(at(bgp, "path-selection", "multipath"), "aspath-ignore"):
        yield " bgp bestpath as-path multipath-relax"
    for group, row in bgp.get("peer-group", {}).items():
        yield f" neighbor {group} peer-group"
        yield from _peer(group, row)
    for peer, row in bgp.get("neighbor", {}).items():
        yield from _neighbor(peer, row)
    for family in WORDS:
        yield from _family(family, bgp, root if default else {})
    yield from ("exit", "!")


def _neighbor(peer: str, row: Node) -> Iterator[str]:
    group = row.get("peer-group")
    if row["type"] == "unnumbered":
        yield f" neighbor {peer} interface{f' peer-group {group}' if group else ''}"
        yield f" neighbor {peer} remote-as {row['remote-as']}"
    else:
        yield f" neighbor {peer} remote-as {row['remote-as']}"
        if group:
            yield f" neighbor {peer} peer-group {group}"
    yield from _peer(peer, row)


def _peer(peer: str, row: Node) -> Iterator[str]:
    if "description" in row:
        yield f" neighbor {peer} description {row['description']}"
    bfd = at(row, "bfd")
    if "profile" in bfd:
        yield from (f" neighbor {peer} bfd", f" neighbor {peer} bfd profile {bfd['profile']}")
    elif is_on(bfd):
        yield f" neighbor {peer} bfd"
    if "password" in row:
        yield f" neighbor {peer} password {row['password']}"
    yield from _distance(peer, row)
    if "update-source" in row:
        yield f" neighbor {peer} update-source {row['update-source']}"
    yield from (f" neighbor {peer} {line}" for line in _timers(row.get("timers", {})))
    if is_on(at(row, "capabilities"), "extended-nexthop"):
        yield f" neighbor {peer} capability extended-nexthop"


def _distance(peer: str, row: Node) -> Iterator[str]:
    if "multihop-ttl" in row:
        yield f" neighbor {peer} ebgp-multihop {row['multihop-ttl']}"
    if is_on(at(row, "ttl-security")):
        yield f" neighbor {peer} ttl-security hops {row['ttl-security']['hops']}"


def _timers(timers: Node) -> Iterator[str]:
    if "keepalive" in timers or "hold" in timers:
        yield f"timers {timers['keepalive']} {timers['hold']}"
    if "connection-retry" in timers:
        yield f"timers connect {timers['connection-retry']}"


def _family(family: str, bgp: Node, root: Node) -> Iterator[str]:
    family_row = at(bgp, "address-family", family)
    lines = [*_own_lines(family_row)]
    for peers in (bgp.get("peer-group", {}), bgp.get("neighbor", {})):
        for peer, row in peers.items():
            family_row = at(row, "address-family", family)
            lines += _peer_lines(peer, family_row, inherits="peer-group" in row)
            limit = tuple(_limit_lines(peer, at(family_row, "prefix-limits", "inbound")))
            if family != EVPN:  # FRR 8.4 has no limit there; Cumulus Linux's FRR does, since 5.10
                lines += limit
    if family == EVPN:
        lines += _evpn_lines(bgp, root)
    if lines:
        yield from (" !", f" address-family {WORDS[family]}", *lines, " exit-address-family")


def _limit_lines(peer: str, limit: Node) -> Iterator[str]:
    """The limit of routes, and the action beyond it. The manual has seconds, FRR whole minutes."""
    if "maximum" in limit:
        pause = limit.get("reestablish-wait")
        beyond = (
            " warning-only" if is_on(limit, "warning-only") else f" restart {-(-int(pause) // 60)}" if pause else ""
        )
        yield f"  neighbor {peer} maximum-prefix {limit['maximum']}{beyond}"


def _own_lines(row: Node) -> Iterator[str]:
    if not is_on(row):
        return
    yield from (f"  network {prefix}" for prefix in row.get("network", {}))
    connected = at(row, "redistribute", "connected")
    if is_on(connected):
        bound = f" route-map {connected['route-map']}" if "route-map" in connected else ""
        yield f"  redistribute connected{bound}"
    if "multipaths" in row:
        yield f"  maximum-paths {row['multipaths']['ebgp']}"
    leak = at(row, "route-import", "from-vrf")
    if is_on(leak):
        yield f"  import vrf route-map {leak['route-map']}"
        yield from (f"  import vrf {name}" for name in leak["list"])


def _peer_lines(peer: str, row: Node, *, inherits: bool) -> Iterator[str]:
    if not is_on(row):
        return
    if not inherits:
        yield f"  neighbor {peer} activate"
    for direction, suffix in (("inbound", "in"), ("outbound", "out")):
        if name := at(row, "policy", direction).get("route-map"):
            yield f"  neighbor {peer} route-map {name} {suffix}"


def _evpn_lines(bgp: Node, root: Node) -> Iterator[str]:
    if is_on(at(root, "evpn")):
        yield "  advertise-all-vni"
        for vni, row in at(root, "evpn", "vni").items():
            yield from (f"  vni {vni}", f"   rd {row['rd']}")
            for direction in ("import", "export"):
                yield from (f"   route-target {direction} {target}" for target in row["route-target"][direction])
            yield "  exit-vni"
        yield from _duplicates(at(root, "evpn", "dad"))
    for family in ("ipv4-unicast", "ipv6-unicast"):
        if is_on(at(bgp, "address-family", family, "route-export", "to-evpn")):
            yield f"  advertise {WORDS[family]}"
    if "rd" in bgp:
        yield f"  rd {bgp['rd']}"
    yield from (f"  route-target import {t}" for t in at(bgp, "route-import", "from-evpn", "route-target"))
    yield from (f"  route-target export {t}" for t in at(bgp, "route-export", "to-evpn", "route-target"))


def _duplicates(dad: Node) -> Iterator[str]:
    if is_on(dad) and "mac-move-threshold" in dad:
        yield f"  dup-addr-detection max-moves {dad['mac-move-threshold']} time {dad['move-window']}"
        if seconds := at(dad, "duplicate-action", "freeze").get("duration"):
            yield f"  dup-addr-detection freeze {seconds}"


def _policy(policy: Node) -> Iterator[str]:
    yield from _prefix_lists(policy)
    for name, row in policy.get("community-list", {}).items():
        for number, rule in row["rule"].items():
            for community in rule["community"]:
                yield f"bgp community-list standard {name} seq {number} {rule['action']} {community}"
    for name, row in policy.get("route-map", {}).items():
        for number, rule in row["rule"].items():
            yield from _rule(name, number, rule)


def _prefix_lists(policy: Node) -> Iterator[str]:
    for name, row in policy.get("prefix-list", {}).items():
        keyword = "ipv6" if row.get("type") == "ipv6" else "ip"
        for number, rule in row["rule"].items():
            for prefix, match in rule["match"].items():
                longest = f" le {match['max-prefix-len']}" if "max-prefix-len" in match else ""
                yield f"{keyword} prefix-list {name} seq {number} {rule['action']} {prefix}{longest}"


def _rule(name: str, number: str, rule: Node) -> Iterator[str]:
    (action,) = rule["action"]
    yield f"route-map {name} {action} {number}"
    match, sets = rule.get("match", {}), rule.get("set", {})
    if "community-list" in match:
        yield f" match community {match['community-list']}"
    if "ip-prefix-list" in match:
        keyword = "ipv6" if match.get("type") == "ipv6" else "ip"
        yield f" match {keyword} address prefix-list {match['ip-prefix-list']}"
    if "community" in sets:
        yield f" set community {' '.join(sets['community'])}"
    if sets.get("ext-community-bw") == "multipaths":
        yield " set extcommunity bandwidth num-multipaths"
    if is_on(sets, "ipv6-nexthop-prefer-global"):
        yield " set ipv6 next-hop prefer-global"
    if "local-preference" in sets:
        yield f" set local-preference {sets['local-preference']}"
    yield from ("exit", "!")
