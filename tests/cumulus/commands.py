"""The commands of NVUE that NVIDIA's documents name: words, allowed values, and the page of each.

NVUE has no public schema. This is a table of facts taken from the pages below, by hand: a path (`nv set <path>`) with
placeholders, and what it may be set to. `faults` walks every command that a file stands for through it.

Pages of github.com/CumulusNetworks/docs, read 2026-11-22; `nvue-reference` is content/nvue-reference/Set-and-Unset-
Commands, at the commit named; other names are pages below content/cumulus-linux-5xx.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.cumulus.reading import leaves, tree

INTERFACE = "nvue-reference Interface.md 0dd08a25"
PORTS = "511 Switch Port Attributes 1f0256c8"
QOS = "nvue-reference QoS.md 05e49539; 511 Quality of Service 28af43a7"
ROCE = "511 RDMA over Converged Ethernet 069ff4a4"
ADAPTIVE = "nvue-reference Adaptive-Routing.md 140bb073; 511 Equal Cost Multipath Load Sharing 0e0a4e70"
BGP = "nvue-reference BGP.md 054739e8"
BGP_EVPN = "nvue-reference BGP-EVPN.md 1e9b227a"
BGP_IPV6 = "nvue-reference BGP-IPv6.md"
EVPN = "nvue-reference EVPN.md 010b130d"
MULTIHOMING = "511 EVPN Multihoming 04491ddc"
POLICY = "nvue-reference Router-Policy.md 1c17cb43"
VXLAN = "nvue-reference VXLAN.md 29dcbba1"
STATIC = "nvue-reference Static-Routing.md 26d8462c"
TACACS = "511 TACACS 0da900a5"
ROLES = "nvue-reference User-Account.md 178433be; 511 User Accounts 4ec8c90a"
STARTUP = (
    "511 NVUE CLI 0bbf81aa, Default Startup File; 510 What's New (auto-save state); nvue-reference API, SSH-Server"
)
ACL = "nvue-reference ACL.md 035c17b1; 511 Access Control List Configuration c5ea6e2d (tcp dest-port)"
FIREWALL = "511 Firewall Rules, Unset the Default Firewall Rules; nvue-reference Firewall.md 0b954779"
USERS = "515 BGP Configuration Example e12fb5f5 (startup.yaml of a switch)"
CHANGED = "515 New and Changed NVUE Commands 07d58d4b (column: 5.14 and earlier)"
RELAYS = "511 DHCP Relays 0fda5224"
SHOWN = "nvue-reference, show of an upstream interface: one server-address, no list"
SFLOW = "nvue-reference sFlow.md (since 5.11)"
HISTOGRAMS = "nvue-reference Telemetry.md (since 5.7); 511 ASIC Monitoring"
SNIPPETS = "511 NVUE Snippets"
BRIDGE = "511 VLAN-aware Bridge Mode; 515 EVPN Configuration Examples 07d58d4b"
NETLAB = "github.com/ipspace/netlab netsim/ansible/templates/*/cumulus_nvue*.j2, run on the system"
FILED = "github: startup.yaml of switches in public repositories, e.g. lanes-per-port in quotes"

PLACES = {
    "port": r"swp\d+(s\d)?",
    "cage": r"swp\d+",
    "bond": r"bond\d+",
    "svi": r"vlan\d+",
    "sub": r"swp\d+(s\d)?\.\d+",
    "any": r"lo|eth0|swp\d+(s\d)?(\.\d+)?|bond\d+|vlan\d+",
    "l3": r"vlan\d+(_l3)?",
    "address": r"[0-9a-f.:]+",
    "prefix": r"[0-9a-f.:]+/\d{1,3}",
    "vrf": r"[A-Za-z0-9_.-]{1,15}",
    "name": r"[A-Za-z0-9_.-]+",
    "vlan": r"[1-9]\d{0,3}",
    "vni": r"[1-9]\d{0,7}",
    "rule": r"[1-9]\d{0,4}",
    "target": r"\d{1,5}:\d+",
    "community": r"\d{1,5}:\d{1,5}",
    "queue": r"[0-7]",
    "dscp": r"[0-9]|[1-5][0-9]|6[0-3]",
    "priority": r"[1-8]",
    "order": r"[1-9]\d?",
    "path": r"/[a-z/-]*",
    "mode": r"2x|4x|8x",
    "l4": r"[1-9]\d{0,4}",
}
"""Placeholder → what may stand there."""
HELD = r"\$\{(env|file):[A-Za-z0-9_./-]+\}"
VALUES = {
    "": r"",
    "on-off": r"on|off",
    "text": r"\S(.*\S)?",
    "name": PLACES["name"],
    "address": PLACES["address"],
    "addresses": r"ANY|[0-9.]+(/\d{1,2})?",
    "mac": r"([0-9a-f]{2}:){5}[0-9a-f]{2}",
    "esi": r"00(:[0-9a-f]{2}){9}",
    "rd": r"(\d{1,3}\.){3}\d{1,3}:\d{1,5}",
    "secret": HELD,
    "lines": r"(?s).+",
}
"""Kind of value → its form. Others: `a|b` is itself, `1-9` a range."""
FAMILY = ("ipv4-unicast", "ipv6-unicast")


class Command(NamedTuple):
    """One command: its words, the value that ends it (empty: the last word is a name), and the page."""

    path: str
    value: str
    source: str


def _bgp(where: str, families: tuple[str, ...]) -> Iterator[Command]:
    """What a group and a session have alike."""
    for family in families:
        page = {"ipv4-unicast": BGP, "ipv6-unicast": BGP_IPV6}.get(family, BGP_EVPN)
        base = f"vrf {{vrf}} router bgp {where} address-family {family}"
        yield Command(f"{base} enable", "on-off", page)
        for way in ("inbound", "outbound"):
            yield Command(f"{base} policy {way} route-map", "name", page)
        yield Command(f"{base} prefix-limits inbound maximum", "0-4294967295", page)
        yield Command(f"{base} prefix-limits inbound warning-only", "on-off", page)
        yield Command(f"{base} prefix-limits inbound reestablish-wait", "1-65535", page)
    base = f"vrf {{vrf}} router bgp {where}"
    yield Command(f"{base} description", "text", BGP)
    yield Command(f"{base} bfd enable", "on-off", BGP)
    yield Command(f"{base} capabilities extended-nexthop", "on-off", BGP)
    yield Command(f"{base} multihop-ttl", "1-255", f"{BGP}; public NVUE configurations of overlays")
    yield Command(f"{base} ttl-security enable", "on-off", f"{BGP}; Optional BGP Configuration")
    yield Command(f"{base} ttl-security hops", "1-254", f"{BGP}; Optional BGP Configuration")
    yield Command(f"{base} update-source", "address", BGP)
    yield Command(f"{base} password", "secret", BGP)


def _sessions() -> Iterator[Command]:
    every = (*FAMILY, "l2vpn-evpn")
    yield from _bgp("peer-group {name}", every)
    yield Command("vrf {vrf} router bgp peer-group {name} timers connection-retry", "1-65535", BGP)
    for peer in ("neighbor {address}", "neighbor {port}"):
        yield from _bgp(peer, every)
        base = f"vrf {{vrf}} router bgp {peer}"
        yield Command(f"{base} peer-group", "name", BGP)
        yield Command(f"{base} remote-as", "1-4294967295", BGP)
        yield Command(f"{base} timers connection-retry", "1-65535", BGP)
        yield Command(f"{base} timers hold", "3-65535", BGP)
        yield Command(f"{base} timers keepalive", "1-65535", BGP)
    yield Command("vrf {vrf} router bgp neighbor {address} type", "numbered", BGP)
    yield Command("vrf {vrf} router bgp neighbor {port} type", "unnumbered", BGP)


def _speakers() -> Iterator[Command]:
    base = "vrf {vrf} router bgp"
    yield Command(f"{base} enable", "on-off", NETLAB)
    yield Command(f"{base} autonomous-system", "1-4294967295", NETLAB)
    yield Command(f"{base} router-id", "address", NETLAB)
    yield Command(f"{base} rd", "rd", "511 Inter-subnet Routing 04491ddc")
    yield Command(f"{base} path-selection multipath aspath-ignore", "on-off", BGP)
    yield Command(f"{base} path-selection multipath bandwidth", "all-paths|skip-missing|ignore", BGP)
    yield Command(f"{base} route-export to-evpn route-target {{target}}", "", BGP_EVPN)
    yield Command(f"{base} route-import from-evpn route-target {{target}}", "", BGP_EVPN)
    yield Command(f"{base} address-family l2vpn-evpn enable", "on-off", BGP_EVPN)
    for family, page in zip(FAMILY, (BGP, BGP_IPV6), strict=True):
        here = f"{base} address-family {family}"
        yield Command(f"{here} enable", "on-off", page)
        yield Command(f"{here} multipaths ebgp", "1-256", page)
        yield Command(f"{here} network {{prefix}}", "", page)
        yield Command(f"{here} redistribute connected enable", "on-off", page)
        yield Command(f"{here} redistribute connected route-map", "name", page)
        yield Command(f"{here} route-export to-evpn enable", "on-off", BGP_EVPN)
        yield Command(f"{here} route-import from-vrf enable", "on-off", page)
        yield Command(f"{here} route-import from-vrf list {{vrf}}", "", page)
        yield Command(f"{here} route-import from-vrf route-map", "name", page)


def _bridged() -> Iterator[Command]:
    for place in ("port", "bond"):
        base = f"interface {{{place}}} bridge domain br_default"
        yield Command(f"{base} access", "1-4094", BRIDGE)
        yield Command(f"{base} untagged", "none", BRIDGE)
        yield Command(f"{base} vlan {{vlan}}", "", BRIDGE)
        yield Command(f"{base} stp admin-edge", "on-off", CHANGED)
        yield Command(f"{base} stp bpdu-guard", "on-off", CHANGED)


INTERFACES = (
    Command("interface {any} description", "text", INTERFACE),
    Command("interface {any} ip address {prefix}", "", INTERFACE),
    Command("interface {any} ip gateway {address}", "", INTERFACE),
    Command("interface {any} ip vrf", "name", CHANGED),
    Command("interface {any} link mtu", "552-9216", INTERFACE),
    Command("interface {any} type", "swp|bond|svi|sub|eth|loopback", USERS),
    Command("interface {port} port-security enable", "on-off", "511 Port Security"),
    Command("interface {port} port-security mac-limit", "1-512", "511 Port Security"),
    Command("interface {port} port-security violation-mode", "protodown|restrict", "511 Port Security"),
    Command("interface {port} link speed", "10G|25G|40G|50G|100G|200G|400G|800G", PORTS),
    Command("interface {port} link fec", "rs|baser|off", f"{INTERFACE}; {PORTS}"),
    Command("interface {port} link lanes", "1|2|4|8", f"{INTERFACE}; nv list-commands of 5.4"),
    Command("interface {port} link state down", "", f"{INTERFACE}; {NETLAB}"),
    Command("interface {cage} link breakout {mode} lanes-per-port", "1|2|4|8", f"{INTERFACE}; {FILED}"),
    Command("interface {cage} link breakout disabled", "", f"{PORTS}; {FILED}"),
    Command("interface {svi} link mac-address", "mac", f"{INTERFACE}: since 5.10"),
    Command("interface {svi} vlan", "1-4094", USERS),
    Command("interface {sub} vlan", "1-4094", USERS),
    Command("interface {sub} base-interface", "name", INTERFACE),
    Command("interface {bond} bond member {port}", "", INTERFACE),
    Command("interface {bond} bond mode", "lacp|static", INTERFACE),
    Command("interface {bond} bond lacp-bypass", "on-off", INTERFACE),
    Command("evpn dad mac-move-threshold", "2-1000", EVPN),
    Command("evpn dad move-window", "2-1800", EVPN),
    Command("evpn dad duplicate-action freeze duration", "30-3600", EVPN),
    Command("interface {bond} evpn multihoming segment enable", "on-off", f"{MULTIHOMING} (startup.yaml)"),
    Command("interface {bond} evpn multihoming segment identifier", "esi", MULTIHOMING),
    Command("interface {bond} evpn multihoming segment mac-address", "mac", MULTIHOMING),
    Command("interface {bond} evpn multihoming segment df-preference", "1-65535", MULTIHOMING),
    Command("interface {port} evpn multihoming uplink", "on-off", MULTIHOMING),
    Command("interface {port} router adaptive-routing enable", "on-off", ADAPTIVE),
    Command("interface {port} telemetry histogram egress-buffer traffic-class {queue}", "", HISTOGRAMS),
    Command(
        "interface {port} telemetry histogram egress-buffer traffic-class {queue} threshold action", "log", HISTOGRAMS
    ),
    Command(
        "interface {port} telemetry histogram egress-buffer traffic-class {queue} threshold value",
        "96-4294967295",
        HISTOGRAMS,
    ),
    Command("interface {port} qos congestion-control profile", "name", QOS),
    Command("interface {port} qos egress-scheduler profile", "name", QOS),
    Command("interface {port} qos egress-shaper profile", "name", QOS),
    Command("interface {port} qos pfc profile", "name", QOS),
    Command("interface {port} qos pfc-watchdog state", "enable|disable", QOS),
)
QUALITY = (
    Command(
        "qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha",
        "alpha_0|alpha_1_128|alpha_1_64|alpha_1_32|alpha_1_16|alpha_1_8|alpha_1_4|alpha_1_2|alpha_1|alpha_2|alpha_4"
        "|alpha_8|alpha_16|alpha_32|alpha_64|alpha_infinity",
        QOS,
    ),
    Command("qos congestion-control {name} traffic-class {queue} ecn", "enable|disable", QOS),
    Command("qos congestion-control {name} traffic-class {queue} red", "enable|disable", QOS),
    Command("qos congestion-control {name} traffic-class {queue} min-threshold", "1-4294967295", QOS),
    Command("qos congestion-control {name} traffic-class {queue} max-threshold", "1-4294967295", QOS),
    Command("qos congestion-control {name} traffic-class {queue} probability", "1-100", QOS),
    Command("qos egress-queue-mapping default-global switch-priority {queue} traffic-class", "0-7", QOS),
    Command("qos egress-scheduler {name} traffic-class {queue} mode", "dwrr|strict", QOS),
    Command("qos egress-scheduler {name} traffic-class {queue} bw-percent", "1-100", QOS),
    Command("qos egress-shaper {name} traffic-class {queue} max-rate", "0-2147483647", QOS),
    Command("qos mapping default-global trust", "l2|l3|both|port", QOS),
    Command("qos mapping default-global dscp {dscp} switch-priority", "0-7", QOS),
    Command("qos pfc {name} cable-length", "1-100000", QOS),
    Command("qos pfc {name} rx", "enable|disable", QOS),
    Command("qos pfc {name} tx", "enable|disable", QOS),
    Command("qos pfc {name} switch-priority {queue}", "", QOS),
    Command("qos pfc-watchdog polling-interval", "100-5000", QOS),
    Command("qos pfc-watchdog robustness", "1-1000", QOS),
    Command("qos roce enable", "on-off", ROCE),
    Command("qos roce mode", "lossless|lossy", ROCE),
    Command("qos traffic-pool default-lossy memory-percent", "1-100", ROCE),
    Command("qos traffic-pool roce-lossless memory-percent", "1-100", ROCE),
)
ROUTING = (
    Command("router adaptive-routing enable", "on-off", ADAPTIVE),
    Command("router bgp autonomous-system", "1-4294967295", BGP),
    Command("router bgp enable", "on-off", BGP),
    Command("router bgp router-id", "address", BGP),
    Command("router bgp wait-for-install", "on-off", BGP),
    Command("router policy community-list {name} rule {rule} action", "permit|deny", POLICY),
    Command("router policy community-list {name} rule {rule} community {community}", "", POLICY),
    Command("router policy prefix-list {name} type", "ipv4|ipv6", POLICY),
    Command("router policy prefix-list {name} rule {rule} action", "permit|deny", POLICY),
    Command("router policy prefix-list {name} rule {rule} match {prefix}", "", POLICY),
    Command("router policy prefix-list {name} rule {rule} match {prefix} max-prefix-len", "0-128", POLICY),
    Command("router policy route-map {name} rule {rule} action permit", "", POLICY),
    Command("router policy route-map {name} rule {rule} action deny", "", POLICY),
    Command("router policy route-map {name} rule {rule} match community-list", "name", POLICY),
    Command("router policy route-map {name} rule {rule} match ip-prefix-list", "name", POLICY),
    Command("router policy route-map {name} rule {rule} match type", "ipv4|ipv6", POLICY),
    Command("router policy route-map {name} rule {rule} set community {community}", "", POLICY),
    Command("router policy route-map {name} rule {rule} set ext-community-bw", "multipaths|cumulative", POLICY),
    Command("router policy route-map {name} rule {rule} set ipv6-nexthop-prefer-global", "on-off", POLICY),
    Command("router policy route-map {name} rule {rule} set local-preference", "0-4294967295", POLICY),
    Command("vrf {vrf} router static {prefix} address-family", "ipv4-unicast|ipv6-unicast", STATIC),
    Command("vrf {vrf} router static {prefix} via blackhole type", "blackhole", f"{STATIC}; {NETLAB}"),
    Command("vrf {vrf} router static {prefix} via {address} type", "ipv4-address|ipv6-address", STATIC),
)
OVERLAY = (
    Command("bridge domain br_default vlan {vlan} vni {vni}", "", BRIDGE),
    Command("evpn enable", "on-off", EVPN),
    Command("evpn dad enable", "on-off", EVPN),
    Command("evpn multihoming enable", "on-off", EVPN),
    Command("evpn vni {vni} rd", "rd", EVPN),
    Command("evpn vni {vni} route-target export {target}", "", EVPN),
    Command("evpn vni {vni} route-target import {target}", "", EVPN),
    Command("nve vxlan arp-nd-suppress", "on-off", VXLAN),
    Command("nve vxlan decapsulation dscp action", "copy|preserve|derive", VXLAN),
    Command("nve vxlan enable", "on-off", VXLAN),
    Command("nve vxlan encapsulation dscp action", "copy|set|derive", VXLAN),
    Command("nve vxlan flooding enable", "on-off", VXLAN),
    Command("nve vxlan flooding head-end-replication evpn", "", VXLAN),
    Command("nve vxlan mac-learning", "on-off", VXLAN),
    Command("nve vxlan mtu", "552-9216", VXLAN),
    Command("nve vxlan source address", "address", VXLAN),
    Command("vrf {vrf} evpn enable", "on-off", EVPN),
    Command("vrf {vrf} evpn vlan", "1-4094", EVPN),
    Command("vrf {vrf} evpn vni {vni}", "", EVPN),
    Command("vrf {vrf} loopback ip address {prefix}", "", RELAYS),
)
SERVICES = (
    Command("service dhcp-relay {vrf} gateway-interface {vrf} address", "address", RELAYS),
    Command("service dhcp-relay {vrf} interface {l3}", "", RELAYS),
    Command("service dhcp-relay {vrf} interface {port}", "", RELAYS),
    Command("service dhcp-relay {vrf} server {address}", "", RELAYS),
    Command("service dhcp-relay6 {vrf} interface downstream {l3}", "", RELAYS),
    Command("service dhcp-relay6 {vrf} interface upstream {l3}", "", RELAYS),
    Command("service dhcp-relay6 {vrf} interface upstream {vrf} server-address", "address", f"{RELAYS}; {SHOWN}"),
    Command("service dns {vrf} server {address}", "", CHANGED),
    Command("service dns {vrf} search {name}", "", f"{CHANGED}; nvue-reference DNS.md 2d3c1c14: since 5.2"),
    Command("service lldp state", "enabled|disabled", "511 LLDP 34f2d641; nvue-reference LLDP.md 1c08fe55: since 5.11"),
    Command("service ntp {vrf} listen", "name", CHANGED),
    Command("service ntp {vrf} server {address} iburst", "on-off", CHANGED),
    Command("service syslog {vrf} server {address}", "", "nvue-reference Syslog.md (5.12 and earlier)"),
    Command("system api certificate", "text", "nvue-reference API.md"),
    Command("system message pre-login", "text", "nvue-reference System.md"),
    Command("system ssh-server inactive-timeout", "1-60", "nvue-reference SSH-Server.md (15fcb959)"),
    Command("system aaa authentication-order {order}", "tacacs|local", TACACS),
    Command("system aaa class {name} action", "allow|deny", ROLES),
    Command("system aaa class {name} command-path {path} permission", "ro|rw|act|all", ROLES),
    Command("system aaa role {name} class {name}", "", ROLES),
    Command("system aaa tacacs enable", "on-off", TACACS),
    Command("system aaa tacacs server {priority} host", "address", TACACS),
    Command("system aaa tacacs server {priority} prefer-ip-version", "6", TACACS),
    Command("system aaa tacacs server {priority} secret", "secret", TACACS),
    Command("system aaa tacacs vrf", "name", TACACS),
    Command("system aaa user {name} hashed-password", "secret", USERS),
    Command("system aaa user {name} ssh authorized-key {name} key", "text", ROLES),
    Command("system aaa user {name} ssh authorized-key {name} type", "ssh-ed25519|ecdsa-sha2-nistp256|ssh-rsa", ROLES),
    Command("system aaa user {name} role", "system-admin|nvue-admin|nvue-monitor", USERS),
    Command("acl {name} type", "ipv4|ipv6|mac", ACL),
    Command("acl {name} rule {rule} action permit", "", ACL),
    Command("acl {name} rule {rule} action deny", "", ACL),
    Command("acl {name} rule {rule} match ip protocol", "tcp|udp|ospf|pim|icmp|icmpv6|igmp", ACL),
    Command("acl {name} rule {rule} match ip icmpv6-type", "router-advertisement", ACL),
    Command("interface {port} acl {name} inbound", "", ACL),
    Command("interface {bond} acl {name} inbound", "", ACL),
    Command("acl {name} rule {rule} match ip source-ip", "addresses", ACL),
    Command("acl {name} rule {rule} match ip dest-ip", "addresses", ACL),
    Command("acl {name} rule {rule} match ip tcp dest-port {l4}", "", ACL),
    Command("system api state", "enabled|disabled", STARTUP),
    Command("system config auto-save state", "enabled|disabled", STARTUP),
    Command("system control-plane acl {name} inbound", "", FIREWALL),
    Command("system ssh-server state", "enabled|disabled", STARTUP),
    Command("system config snippet frr.conf", "lines", SNIPPETS),
    Command("system forwarding hash-seed", "0-4294967295", ADAPTIVE),
    Command("system hostname", "name", USERS),
    Command("system sflow agent interface", "name", SFLOW),
    Command("system sflow collector {address} interface", "name", SFLOW),
    Command("system sflow poll-interval", "1-65535", SFLOW),
    *(
        Command(f"system sflow sampling-rate speed-{speed}g", "1-4294967295", SFLOW)
        for speed in (1, 10, 25, 40, 50, 100, 200, 400, 800)
    ),
    Command("system sflow state", "enabled|disabled", SFLOW),
    Command("system telemetry enable", "on-off", HISTOGRAMS),
)
COMMANDS = (*INTERFACES, *_bridged(), *QUALITY, *ROUTING, *_speakers(), *_sessions(), *OVERLAY, *SERVICES)


@dataclass(slots=True)
class _Node:
    """Words that may follow, and the values that may end here."""

    words: dict[str, "_Node"] = field(default_factory=dict)
    values: list[Command] = field(default_factory=list)


def _grown() -> _Node:
    root = _Node()
    for command in COMMANDS:
        node = root
        for word in command.path.split():
            node = node.words.setdefault(word, _Node())
        node.values.append(command)
    return root


ROOT = _grown()


def command_of(path: tuple[str, ...], value: str | None) -> Command | None:
    """The command that a path and its value are; None where there is none."""
    return next((found for found in _ends(ROOT, path) if _takes(found.value, value)), None)


def _ends(node: _Node, path: tuple[str, ...]) -> Iterator[Command]:
    if not path:
        yield from node.values
        return
    for word, child in node.words.items():
        if word == path[0] or (word[0] == "{" and re.fullmatch(PLACES[word[1:-1]], path[0])):
            yield from _ends(child, path[1:])


def _takes(kind: str, value: str | None) -> bool:
    if value is None or kind == "":
        return kind == "" and value is None
    span = re.fullmatch(r"(\d+)-(\d+)", kind)
    if span:
        return value.isdecimal() and int(span[1]) <= int(value) <= int(span[2])
    return re.fullmatch(VALUES.get(kind, kind), value) is not None


def faults(text: str) -> list[str]:
    """Commands of a file that no page names, or with values that none allows; empty where all are known."""
    return [
        f"nv set {' '.join(path)}{'' if value is None else f' {value}'}"
        for path, value in leaves(tree(text))
        if command_of(path, value) is None
    ]
