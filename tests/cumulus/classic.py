"""From the text of startup.yaml to the classic files that NVUE writes: frr.conf, and ifupdown2's interfaces.

Written from NVIDIA's documents alone, which show beside each NVUE command what it puts into the two files (NVUE
Commands and vtysh Commands of one tab): CumulusNetworks/docs, Basic and Optional BGP Configuration, Route Filtering
and Redistribution, EVPN (Basic Configuration, Inter-subnet Routing, Multihoming), Virtual Routing and Forwarding,
Static Routing, VLAN-aware Bridge Mode, Bonding, Switch Port Attributes. Nothing here knows our templates.

One difference from what NVUE writes: a VXLAN device for each VNI and one bridge, as ifupdown2 3.0 of Debian reads them;
NVUE has one device for all, and another bridge for L3 VNIs.
"""

from collections.abc import Iterator

from tests.cumulus.reading import Node, at, tree

WORDS = {"ipv4-unicast": "ipv4 unicast", "ipv6-unicast": "ipv6 unicast", "l2vpn-evpn": "l2vpn evpn"}
EVPN = "l2vpn-evpn"
GRACEFUL_SHUTDOWN = ("65535:0", "graceful-shutdown")
"""The community in figures, and as FRR prints it."""
SPEEDS = {"10G", "25G", "40G", "50G", "100G", "200G", "400G"}


def frr_conf(text: str) -> str:
    """frr.conf of a switch."""
    return "\n".join([*_frr(tree(text)), ""]).replace(*GRACEFUL_SHUTDOWN)


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
    yield from _policy(at(root, "router", "policy"))
    yield from at(root, "system", "config", "snippet").get("frr.conf", "").splitlines()
    yield "end"


def _vrf(name: str, vrf: Node) -> Iterator[str]:
    lines = [f" vni {vni}" for vni in at(vrf, "evpn", "vni")]
    static = []
    for prefix, route in at(vrf, "router", "static").items():
        word = "ipv6" if route["address-family"] == "ipv6-unicast" else "ip"
        static += [f"{word} route {prefix} {hop}" for hop in route["via"]]
    if name == "default":
        yield from static
    elif lines or static:
        yield from (f"vrf {name}", *lines, *(f" {line}" for line in static), "exit-vrf", "!")


def _segment(name: str, row: Node) -> Iterator[str]:
    found = at(row, "evpn", "multihoming")
    segment = found.get("segment", {})
    lines = []
    if segment.get("enable") == "on":
        lines = [f" evpn mh es-id {segment['identifier']}"]  # the MAC of a whole identifier is in interfaces alone
    if found.get("uplink") == "on":
        lines.append(" evpn mh uplink")
    if lines:
        yield from (f"interface {name}", *lines, "exit", "!")


def _speaker(name: str, vrf: Node, router: Node, root: Node) -> Iterator[str]:
    bgp = at(vrf, "router", "bgp")
    if bgp.get("enable") != "on":
        return
    default = name == "default"
    yield f"router bgp {bgp.get('autonomous-system', router['autonomous-system'])}{'' if default else f' vrf {name}'}"
    yield f" bgp router-id {bgp.get('router-id', router['router-id'])}"
    if default and router.get("wait-for-install") == "on":
        yield " bgp suppress-fib-pending"
    yield " no bgp default ipv4-unicast"
    if at(bgp, "path-selection", "multipath").get("aspath-ignore") == "on":
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
    if at(row, "bfd").get("enable") == "on":
        yield f" neighbor {peer} bfd"
    if "password" in row:
        yield f" neighbor {peer} password {row['password']}"
    if "multihop-ttl" in row:
        yield f" neighbor {peer} ebgp-multihop {row['multihop-ttl']}"
    if "update-source" in row:
        yield f" neighbor {peer} update-source {row['update-source']}"
    yield from (f" neighbor {peer} {line}" for line in _timers(row.get("timers", {})))
    if at(row, "capabilities").get("extended-nexthop") == "on":
        yield f" neighbor {peer} capability extended-nexthop"


def _timers(timers: Node) -> Iterator[str]:
    if {"keepalive", "hold"} & set(timers):
        yield f"timers {timers['keepalive']} {timers['hold']}"
    if "connection-retry" in timers:
        yield f"timers connect {timers['connection-retry']}"


def _family(family: str, bgp: Node, root: Node) -> Iterator[str]:
    own = at(bgp, "address-family", family)
    lines = [*_own_lines(own)]
    for peers in (bgp.get("peer-group", {}), bgp.get("neighbor", {})):
        for peer, row in peers.items():
            own = at(row, "address-family", family)
            lines += _peer_lines(peer, own, inherits="peer-group" in row)
            limit = at(own, "prefix-limits", "inbound").get("maximum")
            if limit and family != EVPN:  # FRR 8.4 knows no limit there; the system's own does, since 5.10
                lines.append(f"  neighbor {peer} maximum-prefix {limit}")
    if family == EVPN:
        lines += _evpn_lines(bgp, root)
    if lines:
        yield from (" !", f" address-family {WORDS[family]}", *lines, " exit-address-family")


def _own_lines(own: Node) -> Iterator[str]:
    if own.get("enable") != "on":
        return
    yield from (f"  network {prefix}" for prefix in own.get("network", {}))
    if at(own, "redistribute", "connected").get("enable") == "on":
        yield "  redistribute connected"
    if "multipaths" in own:
        yield f"  maximum-paths {own['multipaths']['ebgp']}"
    leak = at(own, "route-import", "from-vrf")
    if leak.get("enable") == "on":
        yield f"  import vrf route-map {leak['route-map']}"
        yield from (f"  import vrf {name}" for name in leak["list"])


def _peer_lines(peer: str, row: Node, *, inherits: bool) -> Iterator[str]:
    if row.get("enable") != "on":
        return
    if not inherits:
        yield f"  neighbor {peer} activate"
    for way, word in (("inbound", "in"), ("outbound", "out")):
        if name := at(row, "policy", way).get("route-map"):
            yield f"  neighbor {peer} route-map {name} {word}"


def _evpn_lines(bgp: Node, root: Node) -> Iterator[str]:
    if at(root, "evpn").get("enable") == "on":
        yield "  advertise-all-vni"
        for vni, row in at(root, "evpn", "vni").items():
            yield from (f"  vni {vni}", f"   rd {row['rd']}")
            for way in ("import", "export"):
                yield from (f"   route-target {way} {target}" for target in row["route-target"][way])
            yield "  exit-vni"
    for family in ("ipv4-unicast", "ipv6-unicast"):
        if at(bgp, "address-family", family, "route-export", "to-evpn").get("enable") == "on":
            yield f"  advertise {WORDS[family]}"
    if "rd" in bgp:
        yield f"  rd {bgp['rd']}"
    yield from (f"  route-target import {t}" for t in at(bgp, "route-import", "from-evpn", "route-target"))
    yield from (f"  route-target export {t}" for t in at(bgp, "route-export", "to-evpn", "route-target"))


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
        word = "ipv6" if row.get("type") == "ipv6" else "ip"
        for number, rule in row["rule"].items():
            for prefix, match in rule["match"].items():
                longest = f" le {match['max-prefix-len']}" if "max-prefix-len" in match else ""
                yield f"{word} prefix-list {name} seq {number} {rule['action']} {prefix}{longest}"


def _rule(name: str, number: str, rule: Node) -> Iterator[str]:
    (action,) = rule["action"]
    yield f"route-map {name} {action} {number}"
    match, found = rule.get("match", {}), rule.get("set", {})
    if "community-list" in match:
        yield f" match community {match['community-list']}"
    if "ip-prefix-list" in match:
        word = "ipv6" if match.get("type") == "ipv6" else "ip"
        yield f" match {word} address prefix-list {match['ip-prefix-list']}"
    if "community" in found:
        yield f" set community {' '.join(found['community'])}"
    if "ext-community-bw" in found:
        yield " set extcommunity bandwidth num-multipaths"
    if found.get("ipv6-nexthop-prefer-global") == "on":
        yield " set ipv6 next-hop prefer-global"
    if "local-preference" in found:
        yield f" set local-preference {found['local-preference']}"
    yield from ("exit", "!")


def interfaces(text: str) -> str:
    """/etc/network/interfaces of a switch."""
    return "\n".join([*_interfaces(tree(text)), ""])


def _interfaces(root: Node) -> Iterator[str]:
    for name in ("mgmt", *(name for name in root["vrf"] if name != "default")):
        yield from ("", f"auto {name}", f"iface {name}", "    vrf-table auto")
        yield from (f"    address {a}" for a in at(root, "vrf", name, "loopback", "ip", "address"))
    for name, row in root["interface"].items():
        yield from ("", f"auto {name}", f"iface {name}{' inet loopback' if name == 'lo' else ''}")
        yield from (f"    {line}" for line in _stanza(name, row, root))
    yield from _bridge(root)


def _stanza(name: str, row: Node, root: Node) -> Iterator[str]:
    link = row.get("link", {})
    if "description" in row:
        yield f"alias {row['description']}"
    yield from (f"address {address}" for address in at(row, "ip", "address"))
    yield from (f"gateway {gateway}" for gateway in at(row, "ip", "gateway"))
    if "vrf" in row.get("ip", {}):
        yield f"vrf {row['ip']['vrf']}"
    if "mtu" in link:
        yield f"mtu {link['mtu']}"
    if link.get("speed") in SPEEDS:
        yield f"link-speed {link['speed'].removesuffix('G')}000"
    if "fec" in link:
        yield f"link-fec {link['fec']}"
    if "down" in link.get("state", {}):
        yield "link-down yes"
    if name == "lo" and at(root, "nve", "vxlan").get("enable") == "on":
        yield f"vxlan-local-tunnelip {root['nve']['vxlan']['source']['address']}"
    yield from _layer2(row)


def _layer2(row: Node) -> Iterator[str]:
    if row["type"] == "bond":
        yield f"bond-slaves {' '.join(row['bond']['member'])}"
        yield "bond-mode 802.3ad"
        if row["bond"].get("lacp-bypass") == "on":
            yield "bond-lacp-bypass-allow yes"
        if segment := at(row, "evpn", "multihoming", "segment"):
            yield f"es-sys-mac {segment['mac-address']}"
    if row["type"] == "svi":
        yield from (f"vlan-id {row['vlan']}", "vlan-raw-device br_default")
        yield f"hwaddress {row['link']['mac-address']}"
    domain = at(row, "bridge", "domain", "br_default")
    if "access" in domain:
        yield f"bridge-access {domain['access']}"
    elif domain:
        yield f"bridge-vids {' '.join(domain['vlan'])}"
        if domain.get("untagged") == "none":
            yield "bridge-allow-untagged no"
    # stp bpdu-guard is mstpctl-bpduguard: Debian has no mstpd, and its ifupdown2 refuses the word.


def _bridge(root: Node) -> Iterator[str]:
    if at(root, "nve", "vxlan").get("enable") != "on":
        return
    vlans = at(root, "bridge", "domain", "br_default", "vlan")
    maps = {vni: vlan for vlan, row in vlans.items() for vni in row["vni"]}
    maps |= {vni: str(vrf["evpn"]["vlan"]) for vrf in root["vrf"].values() for vni in at(vrf, "evpn", "vni")}
    for vni, vlan in maps.items():
        yield from ("", f"auto vni{vni}", f"iface vni{vni}", f"    mtu {root['nve']['vxlan']['mtu']}")
        yield from (f"    vxlan-id {vni}", f"    bridge-access {vlan}", "    bridge-learning off")
    for name, vrf in root["vrf"].items():
        if "evpn" in vrf:
            vlan = vrf["evpn"]["vlan"]
            yield from ("", f"auto vlan{vlan}_l3", f"iface vlan{vlan}_l3", f"    vrf {name}", f"    vlan-id {vlan}")
            yield "    vlan-raw-device br_default"
    ports = [name for name, row in root["interface"].items() if "bridge" in row]
    yield from ("", "auto br_default", "iface br_default", "    bridge-vlan-aware yes", "    mtu 9216")
    yield f"    bridge-ports {' '.join([*ports, *(f'vni{vni}' for vni in maps)])}"
    yield f"    bridge-vids {' '.join(maps.values())}"
