"""Lines without their indentation → each line's headings, by the rule a switch follows.

A line belongs to the innermost open mode that knows it; if none of the open ones does, the text is wrong. NAPALM sends
a configuration so, stripped and without `!`. Some patterns are wider than what we print: they are commands that the
mode knows and that would swallow a global line standing in the wrong place.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from tests.eos.oracle import LEAVES_A_MODE, Path

Forms = tuple[tuple[str, str], ...]
"""Pattern of a whole line, and the mode it opens (empty: none)."""

ADDRESS = r"[0-9a-f.:]+"
PREFIX = r"[0-9a-f.:]+/\d{1,3}"
REFERENCE = r"\$\{(?:env|file):[A-Za-z0-9_][A-Za-z0-9_./-]*\}"
LINE = r"\S(?:.*\S)?"
WORD = r"\S+"

GLOBAL: Forms = (
    (r"no aaa root", ""),
    (rf"username {WORD} privilege (1|15) role (network-admin|network-operator) secret sha512 {REFERENCE}", ""),
    (rf"username {WORD} ssh-key (secondary )?ssh-ed25519 \S+( \S+)?", ""),
    (r"dhcp relay", "dhcp relay"),
    (r"switchport port-security (mac-address (aging|moveable)|persistence disabled)", ""),
    (r"ip dhcp relay information option", ""),
    (r"vlan internal order ascending range \d+ \d+", ""),
    (r"interface defaults", "defaults"),
    (r"service routing protocols model multi-agent", ""),
    (rf"link tracking group {WORD}", "link tracking"),
    (rf"lldp management-address (vrf )?{WORD}|no lldp run", ""),
    (rf"logging vrf {WORD} (host {ADDRESS}|local-interface {WORD})", ""),
    (rf"platform trident mmu queue profile {WORD}", "mmu"),
    (rf"platform trident mmu queue profile {WORD} apply", ""),
    (r"platform trident mmu headroom-pool limit bytes \d+", ""),
    (rf"hostname {WORD}|dns domain {WORD}", ""),
    (rf"ip domain lookup vrf {WORD} source-interface {WORD}|ip name-server vrf {WORD} {ADDRESS}", ""),
    (rf"qos profile {WORD}", "qos profile"),
    (r"sflow sample \d+|sflow polling-interval \d+|sflow interface disable default|sflow run", ""),
    (rf"sflow vrf {WORD} (destination {ADDRESS}|source-interface {WORD})", ""),
    (rf"snmp-server (contact|location) {LINE}|(no )?snmp-server vrf {WORD}", ""),
    (rf"snmp-server ipv4 access-list {WORD} vrf {WORD}", ""),
    (rf"ip access-list standard {WORD}", "access-list"),
    (rf"snmp-server vrf {WORD} local-interface {WORD}|snmp-server view {WORD} iso included", ""),
    (rf"snmp-server group {WORD} v3 priv read {WORD}", ""),
    (rf"snmp-server user {WORD} {WORD} v3 auth sha {REFERENCE} priv aes {REFERENCE}", ""),
    (rf"snmp-server host {ADDRESS} vrf {WORD} version 3 priv {WORD}", ""),
    (r"spanning-tree mode mstp", ""),
    (r"system l1", "system l1"),
    (r"vlan \d+", "vlan"),
    (rf"vrf instance {WORD}", "vrf instance"),
    (r"management api http-commands", "http"),
    (r"management api gnmi", "gnmi"),
    (r"management security", "security"),
    (r"management ssh", "ssh"),
    (r"management console", "console"),
    (r"banner login", "banner"),
    (rf"tacacs-server host {ADDRESS} vrf {WORD} key 0 {REFERENCE}", ""),
    (rf"aaa group server tacacs\+ {WORD}", "server group"),
    (rf"aaa (authentication login|authorization exec) default (group {WORD} )?local", ""),
    (rf"aaa accounting (exec|commands all) default start-stop group {WORD}", ""),
    (r"interface (Port-Channel\d+|Ethernet\d+(/\d+)?(\.\d+)?|Loopback\d+|Management\d(/\d)?|Vlan\d+)", "interface"),
    (r"interface Vxlan1", "vxlan"),
    (r"ip virtual-router mac-address ([0-9a-f]{2}:){5}[0-9a-f]{2}", ""),
    (
        rf"ip routing( ipv6 interfaces)?|no ip routing vrf {WORD}|ip routing vrf {WORD}"
        rf"|ipv6 unicast-routing( vrf {WORD})?",
        "",
    ),
    (r"ip hardware fib load-balance distribution dynamic|ip load-sharing trident [1-5]", ""),
    (
        r"port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 offset 1[345] mask 0xff",
        "",
    ),
    (r"load-balance cluster", "cluster"),
    (rf"ip community-list {WORD} permit (GSHUT|\d+:\d+)|ip extcommunity-list {WORD} permit rt \d+:\d+", ""),
    (rf"ip(v6)? prefix-list {WORD}", "prefix-list"),
    (rf"ip(v6)? route (vrf {WORD} )?{PREFIX} (Null0|{ADDRESS})", ""),
    (rf"ntp local-interface vrf {WORD} {WORD}|ntp server vrf {WORD} {ADDRESS} iburst", ""),
    (r"qos map dscp \d+( \d+)* to traffic-class [0-7]|qos map traffic-class [0-6] to tx-queue [0-7]", ""),
    (r"priority-flow-control pause watchdog default (timeout|recovery-time|polling-interval) \d+\.\d{2,3}", ""),
    (r"priority-flow-control pause watchdog action (drop|notify-only)", ""),
    (rf"route-map {WORD} (permit|deny) \d+", "route-map"),
    (r"router bgp \d+", "bgp"),
    (rf"ip tacacs vrf {WORD} source-interface {WORD}", ""),
    (
        r"queue-monitor length( tx-latency| mirror( destination Cpu)?)?"
        r"|errdisable recovery (cause stuck-queue|interval \d+)",
        "",
    ),
    (r"queue-monitor length default (threshold \d+|thresholds \d+ \d+)|load-interval default \d+", ""),
    (r"queue-monitor streaming", "streaming"),
)

INTERFACE: Forms = (
    (rf"description {LINE}|(no )?shutdown|mtu \d+|(no )?switchport", ""),
    (r"speed \d+g-\d", ""),
    (r"error-correction encoding reed-solomon", ""),
    (rf"encapsulation dot1q vlan \d+|vrf {WORD}", ""),
    (rf"ip address (virtual )?{PREFIX}|ipv6 address (virtual )?{PREFIX}|ipv6 enable", ""),
    (
        rf"ip helper-address {ADDRESS} source-interface Loopback\d+|ipv6 nd (managed-config-flag|ra disabled)"
        rf"|ipv6 dhcp relay destination {ADDRESS} local-interface Loopback\d+",
        "",
    ),
    (r"switchport (access vlan \d+|mode (access|trunk)|trunk allowed vlan [\d,]+)", ""),
    (r"switchport port-security (violation protect|mac-address maximum \d+)", ""),
    (r"evpn ethernet-segment", "ethernet segment"),
    (r"port-channel lacp fallback (individual|timeout \d+)|lacp system-id ([0-9a-f]{4}\.){2}[0-9a-f]{4}", ""),
    (r"channel-group \d+ mode active|storm-control (broadcast|multicast|unknown-unicast) level \d+", ""),
    (r"spanning-tree (portfast edge|bpduguard enable)", ""),
    (rf"service-profile {WORD}|sflow enable|link tracking group {WORD} (upstream|downstream)", ""),
    # Not printed here, but known in this mode.
    (r"priority-flow-control .*|qos (trust|cos|dscp) .*|lldp (transmit|receive)|(uc-|mc-)?tx-queue \d", ""),
)

VRF_FAMILY: Forms = ((rf"neighbor {ADDRESS} activate|network {PREFIX}", ""),)
BGP_VRF: Forms = (
    (rf"rd {WORD}|route-target (import|export) evpn \d+:\d+|route-target import evpn route-map {WORD}", ""),
    (rf"router-id {ADDRESS}|maximum-paths \d+ ecmp \d+", ""),
    (
        rf"neighbor {ADDRESS} (remote-as \d+|description {LINE}|timers \d+ \d+|route-map {WORD} (in|out)"
        rf"|password 0 {REFERENCE}|send-community standard|maximum-routes \d+|idle-restart-timer \d+)",
        "",
    ),
    (r"address-family (ipv4|ipv6)", "vrf family"),
)
BGP: Forms = (
    (rf"router-id {ADDRESS}|update wait-install|no bgp default ipv4-unicast|distance bgp 20 200 200", ""),
    (r"maximum-paths \d+ ecmp \d+", ""),
    (
        rf"neighbor {WORD} (peer group( {WORD})?|next-hop-unchanged|update-source Loopback\d|bfd|description {LINE}"
        rf"|ttl maximum-hops \d+|password 0 {WORD}"
        rf"|ebgp-multihop \d+|timers \d+ \d+|route-map {WORD} (in|out)|send-community standard( extended)?"
        r"|maximum-routes \d+( warning-only)?|idle-restart-timer \d+|remote-as \d+)",
        "",
    ),
    (rf"neighbor interface Ethernet\d+(/\d+)? peer-group {WORD} remote-as \d+", ""),
    (r"vlan \d+", "bgp vlan"),
    (r"address-family evpn", "evpn family"),
    (r"address-family (ipv4|ipv6)", "family"),
    (rf"vrf {WORD}", "bgp vrf"),
)

MODES: dict[str, Forms] = {
    "": GLOBAL,
    "interface": INTERFACE,
    "ethernet segment": (
        (r"identifier ([0-9a-f]{4}:){4}[0-9a-f]{4}", ""),
        (r"designated-forwarder election algorithm preference \d+", ""),
        (r"route-target import ([0-9a-f]{2}:){5}[0-9a-f]{2}", ""),
    ),
    "vxlan": (
        (rf"description {LINE}|vxlan source-interface Loopback\d|vxlan udp-port \d+", ""),
        (rf"vxlan vlan \d+ vni \d+|vxlan vrf {WORD} vni \d+", ""),
        (r"vxlan qos (ecn propagation|dscp propagation encapsulation|map dscp to traffic-class decapsulation)", ""),
    ),
    "cluster": (
        (r"forwarding type routed ipv4|destination grouping prefix length \d+", ""),
        (r"load-balance method flow round-robin", ""),
        (r"flow source learning", "cluster learning"),
        (rf"port group host {WORD}", "cluster hosts"),
    ),
    "cluster learning": ((r"aging timeout \d+ seconds", ""),),
    "cluster hosts": ((r"interface Ethernet\d+(/\d+)?(,\d+(/\d+)?)*", ""),),
    "defaults": ((r"ethernet", "defaults ethernet"),),
    "defaults ethernet": ((r"shutdown", ""),),
    "link tracking": ((r"links minimum \d+|recovery delay \d+", ""),),
    "mmu": ((r"ingress threshold (1/)?\d+|ingress headroom \d+", ""),),
    "qos profile": (
        (r"qos trust dscp|priority-flow-control on|priority-flow-control priority [0-7] no-drop", ""),
        (r"priority-flow-control pause watchdog", ""),
        (
            r"priority-flow-control pause watchdog port timer timeout \d+\.\d\d polling-interval \d+\.\d{2,3}"
            r" recovery-time \d+\.\d\d",
            "",
        ),
        (r"priority-flow-control pause watchdog port action (drop|notify-only)", ""),
        (r"uc-tx-queue [0-7]", "queue"),
    ),
    "queue": (
        (r"no priority|priority strict|bandwidth percent \d+|shape rate \d+ percent|random-detect ecn count", ""),
        (
            r"random-detect ecn minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes max-mark-probability \d+"
            r" weight 0",
            "",
        ),
    ),
    "streaming": ((rf"max-connections \d+|vrf {WORD}|no shutdown", ""),),
    "dhcp relay": ((r"tunnel requests disabled", ""),),
    "system l1": ((r"unsupported (speed|error-correction) action error", ""),),
    "vlan": ((rf"name {WORD}", ""),),
    "vrf instance": ((rf"description {LINE}", ""),),
    "http": ((rf"protocol https( ssl profile {WORD})?|no shutdown", ""), (rf"vrf {WORD}", "http vrf")),
    "http vrf": ((rf"no shutdown|ip access-group {WORD}", ""),),
    "gnmi": ((rf"transport grpc {WORD}", "grpc"), (r"provider eos-native", "")),
    "grpc": ((rf"ssl profile {WORD}|port \d+|vrf {WORD}|ip access-group {WORD}", ""),),
    "security": ((rf"ssl profile {WORD}", "ssl profile"),),
    "ssl profile": ((rf"certificate {WORD} key {WORD}", ""),),
    "access-list": ((rf"\d+ permit (any|host {ADDRESS}|{PREFIX})", ""),),
    "banner": ((r"Authorised access only\.|EOF", ""),),
    "console": ((r"idle-timeout \d+", ""),),
    "ssh": (
        (r"idle-timeout \d+|authentication protocol public-key|(cipher|key-exchange|mac)( [a-z0-9@.-]+)+", ""),
        (rf"shutdown|ip access-group {WORD} vrf {WORD} in", ""),
        (rf"vrf {WORD}", "ssh vrf"),
    ),
    "ssh vrf": ((r"(no )?shutdown", ""),),
    "server group": ((rf"server {ADDRESS} vrf {WORD}", ""),),
    "prefix-list": ((rf"seq \d+ permit {PREFIX}( le \d+)?", ""),),
    "route-map": (
        (rf"match (community|extcommunity|ip address prefix-list|ipv6 address prefix-list) {WORD}", ""),
        (r"set community (\d+:\d+ GSHUT|\d+:\d+|GSHUT)( additive)?|set local-preference \d+", ""),
    ),
    "bgp": BGP,
    "bgp vlan": ((rf"rd {WORD}|route-target both \d+:\d+|redistribute learned", ""),),
    "evpn family": (
        (rf"neighbor {WORD} activate", ""),
        (r"host-flap detection window \d+ threshold \d+( expiry timeout \d+ seconds)?", ""),
    ),
    "family": ((rf"neighbor {WORD} (activate|next-hop address-family ipv6 originate)|network {PREFIX}", ""),),
    "bgp vrf": BGP_VRF,
    "vrf family": VRF_FAMILY,
}

COMPILED = {mode: tuple((re.compile(pattern), opens) for pattern, opens in forms) for mode, forms in MODES.items()}


def stripped(text: str) -> list[str]:
    """The lines as NAPALM sends them."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("!") and line not in LEAVES_A_MODE]


def entered(lines: Iterable[str], takes: Callable[[str, str], str | None] | None = None) -> list[Path]:
    """Each line with the headings it falls under. Raises ValueError for a line that no open mode knows.

    takes  mode and line → the mode that it opens, empty if none, None where it is not known; without, as MODES has it
    """
    known = takes or _known
    found: list[Path] = []
    open_modes: list[tuple[str, str]] = [("", "")]
    for line in lines:
        while (opens := known(open_modes[-1][0], line)) is None:
            open_modes.pop()
            if not open_modes:
                raise ValueError(f"no open mode knows: {line}")
        found.append((*(heading for _, heading in open_modes[1:]), line))
        if opens:
            open_modes.append((opens, line))
    return found


@cache
def _known(mode: str, line: str) -> str | None:
    """The mode that a line opens, empty if none; None where the mode does not know it."""
    return next((opens for pattern, opens in COMPILED[mode] if pattern.fullmatch(line)), None)
