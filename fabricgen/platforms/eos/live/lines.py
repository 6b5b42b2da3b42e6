"""Which fact a line of an EOS running-config states, where a source shows the line in this form.

Lines stand as `eos_drift` yields them: secrets hidden, VLANs listed one by one. Who reads the table takes a line that
comes as its fact added, one that goes as removed, so these are left out and say nothing:
* what no fact of ours moves;
* what more than one kind may have moved: `vrf instance X` is a tenant's or the management's;
* what denies, as `shutdown` does, unless its kind costs as much either way;
* what narrows where it comes: without `switchport trunk allowed vlan` a trunk carries all, and what a route map does
  without its prefix list is not said.
Sources are tags of `templates/eos/NOTES.md`.
"""

from fabricgen.platforms.base.live.line_fact import LineFact

FOUR = r"\d+\.\d+\.\d+\.\d+"
SIX = r"[0-9a-f]*:[0-9a-f:.]*"
ADDRESS = rf"(?:{FOUR}|{SIX})"
PREFIX = rf"(?:{ADDRESS}/\d+)"
LINK_GROUP = r"[A-Z]+-UNNUMBERED-Ethernet\d+(?:-\d+)*"
"""The peer group of one session over an unnumbered link (platforms/eos/bgp.py, link_group)."""
GROUP = rf"(?!interface )(?!{LINK_GROUP} )[A-Za-z][\w.-]*"
"""Any other peer group's name; an address never looks so, as it starts with a digit or has a colon."""
ANY_GROUP = rf"(?:{GROUP}|{LINK_GROUP})"
VLANS = r"\d+(?:,\d+)*"

ETHERNET = (r"interface Ethernet\d+(?:/\d+)*",)
SUBINTERFACE = (r"interface Ethernet\d+(?:/\d+)*\.\d+",)
LAG = (r"interface Port-Channel\d+",)
LOOPBACK = (r"interface Loopback\d+",)
GATEWAY = (r"interface Vlan\d+",)
VXLAN = (r"interface Vxlan1",)
MANAGEMENT = (r"interface Management\d+(?:/\d+)?",)
SEGMENT = (*LAG, r"evpn ethernet-segment")
BGP = (r"router bgp \d+",)
BGP_FAMILY = (*BGP, r"address-family (?:ipv4|ipv6|evpn)")
BGP_VLAN = (*BGP, r"vlan \d+")
BGP_VRF = (*BGP, r"vrf \S+")
BGP_VRF_FAMILY = (*BGP_VRF, r"address-family (?:ipv4|ipv6)")
PROFILE = (r"qos profile \S+",)
QUEUE = (*PROFILE, r"(?:uc-)?tx-queue [0-7]")
MMU = (r"platform trident mmu queue profile \S+",)
STATEMENT = (r"route-map \S+ (?:permit|deny) \d+",)
HTTPS = (r"management api http-commands",)
GNMI = (r"management api gnmi",)
STREAM = (r"queue-monitor streaming",)
SECURITY = (r"management security",)

LINES: tuple[LineFact, ...] = (
    LineFact((), r"hostname \S+", "device.name", "R"),
    LineFact((), r"ip domain lookup vrf \S+ source-interface \S+", "management.dns", "P"),
    LineFact((), rf"ip name-server vrf \S+ {ADDRESS}", "management.dns", "P"),
    LineFact((), r"dns domain \S+", "management.domain", "P"),
    LineFact((), rf"ntp server vrf \S+ {ADDRESS} iburst", "management.ntp", "P"),
    LineFact((), r"ntp local-interface vrf \S+ \S+", "management.ntp", "P"),
    LineFact((), rf"logging vrf \S+ host {ADDRESS}", "management.syslog", "P"),
    LineFact((), r"logging vrf \S+ local-interface \S+", "management.syslog", "#6309"),
    LineFact((), r"username \S+ privilege \d+ role \S+ secret \*", "management.user", "P"),
    LineFact((), rf"tacacs-server host {ADDRESS} vrf \S+ key \*", "management.tacacs", "P"),
    LineFact((), r"aaa group server tacacs\+ \S+", "management.tacacs", "P"),
    LineFact((r"aaa group server tacacs\+ \S+",), rf"server {ADDRESS} vrf \S+", "management.tacacs", "P"),
    LineFact((), r"aaa authentication login default group \S+ local", "management.tacacs", "P"),
    LineFact((), r"aaa authorization exec default(?: group \S+)? local", "management.tacacs", "P"),
    LineFact((), r"aaa accounting (?:exec|commands all) default start-stop group \S+", "management.tacacs", "P"),
    LineFact((), r"ip tacacs vrf \S+ source-interface \S+", "management.tacacs", "P"),
    LineFact((), r"snmp-server (?:contact|location) .+", "management.snmp", "P"),
    LineFact((), r"snmp-server vrf \S+ local-interface \S+", "management.snmp", "P"),
    LineFact((), r"snmp-server view \S+ iso included", "management.snmp", "P"),
    LineFact((), r"snmp-server group \S+ v3 priv read \S+", "management.snmp", "P"),
    LineFact((), r"snmp-server user \S+ \S+ v3 auth \S+ \* priv \S+ \*", "management.snmp", "P"),
    LineFact((), rf"snmp-server host {ADDRESS} vrf \S+ version 3 priv \S+", "management.snmp", "P"),
    LineFact((), r"(?:no )?snmp-server vrf \S+", "management.snmp", "P"),
    LineFact((), r"lldp management-address(?: vrf)? \S+", "management.lldp", "P"),
    LineFact((), r"no lldp run", "management.lldp", "P"),
    LineFact((), r"sflow (?:sample|polling-interval) \d+", "management.sflow", "P"),
    LineFact((), rf"sflow vrf \S+ destination {ADDRESS}", "management.sflow", "P"),
    LineFact((), r"sflow vrf \S+ source-interface \S+", "management.sflow", "P"),
    LineFact((), r"sflow (?:interface disable default|run)", "management.sflow", "P"),
    LineFact((), HTTPS[0], "management.eapi", "R"),
    LineFact(HTTPS, r"protocol https(?: ssl profile \S+)?", "management.eapi", "P"),
    LineFact(HTTPS, r"(?:no )?shutdown|vrf \S+", "management.eapi", "R"),
    LineFact((*HTTPS, r"vrf \S+"), r"(?:no )?shutdown", "management.eapi", "R"),
    LineFact((), GNMI[0], "management.gnmi", "P"),
    LineFact(GNMI, r"transport grpc \S+|provider eos-native", "management.gnmi", "P"),
    LineFact((*GNMI, r"transport grpc \S+"), r"(?:ssl profile|port|vrf) \S+", "management.gnmi", "P"),
    LineFact((), SECURITY[0], "management.eapi", "P"),
    LineFact(SECURITY, r"ssl profile \S+", "management.eapi", "P"),
    LineFact((*SECURITY, r"ssl profile \S+"), r"certificate \S+ key \S+", "management.eapi", "P"),
    LineFact((), MANAGEMENT[0], "management.port", "R"),
    LineFact(MANAGEMENT, r"description .+|(?:no )?shutdown", "management.port", "R"),
    LineFact(MANAGEMENT, r"vrf \S+", "management.vrf", "R"),
    LineFact(MANAGEMENT, rf"ip address {PREFIX}", "management.address", "R"),
    LineFact(ETHERNET, r"description .+", "interface.description", "R"),
    LineFact(ETHERNET, r"no shutdown", "interface.enabled", "P"),
    LineFact(ETHERNET, r"mtu \d+", "interface.mtu", "R"),
    LineFact(ETHERNET, r"speed \d+g(?:-\d+)?", "interface.speed", "P"),
    LineFact(
        ETHERNET,
        r"error-correction encoding (?:reed-solomon|fire-code)|no error-correction encoding",
        "interface.fec",
        "P",
    ),
    LineFact(ETHERNET, r"(?:no )?switchport", "interface.role", "R"),
    LineFact(ETHERNET, rf"ip address {FOUR}/\d+", "interface.ipv4", "R"),
    LineFact(ETHERNET, rf"ipv6 enable|ipv6 address {SIX}/\d+", "interface.ipv6", "P"),
    LineFact(ETHERNET, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "interface.access-vlan", "R"),
    LineFact(ETHERNET, r"vrf \S+", "interface.vrf", "P"),
    LineFact(ETHERNET, r"channel-group \d+ mode active", "interface.lag", "R"),
    LineFact(ETHERNET, r"storm-control (?:broadcast|multicast) level [\d.]+", "interface.storm-control", "P"),
    LineFact(ETHERNET, r"spanning-tree bpduguard enable", "interface.bpdu-guard", "P"),
    LineFact(
        ETHERNET,
        r"switchport port-security (?:mac-address maximum \d+|violation protect)",
        "interface.mac-limit",
        "P",
    ),
    LineFact(ETHERNET, r"service-profile \S+", "interface.qos", "P"),
    LineFact(ETHERNET, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", "P"),
    LineFact(ETHERNET, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", "P"),
    LineFact(ETHERNET, r"sflow enable", "interface.sflow", "P"),
    LineFact(ETHERNET, r"link tracking group \S+ (?:upstream|downstream)", "interface.tracking", "P"),
    LineFact(
        (),
        r"switchport port-security (?:mac-address (?:aging|moveable)|persistence disabled)",
        "interface.mac-limit",
        "P",
    ),
    LineFact((), r"link tracking group \S+", "interface.tracking", "P"),
    LineFact((r"link tracking group \S+",), r"(?:links minimum|recovery delay) \d+", "interface.tracking", "P"),
    LineFact((), LAG[0], "lag", "R"),
    LineFact(LAG, r"description .+", "lag.description", "R"),
    LineFact(LAG, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "lag.access-vlan", "R"),
    LineFact(LAG, r"evpn ethernet-segment", "lag.esi", "P"),
    LineFact(SEGMENT, r"identifier [0-9a-f:]+|route-target import [0-9a-f:]+", "lag.esi", "P"),
    LineFact(SEGMENT, r"designated-forwarder election algorithm preference \d+", "lag.df-preference", "P"),
    LineFact(LAG, r"port-channel lacp fallback (?:individual|timeout \d+)", "lag.fallback", "P"),
    LineFact(LAG, r"lacp system-id [0-9a-f.]+", "lag.system-id", "P"),
    LineFact(LAG, r"storm-control (?:broadcast|multicast) level [\d.]+", "lag.storm-control", "P"),
    LineFact(LAG, r"spanning-tree bpduguard enable", "lag.bpdu-guard", "P"),
    LineFact(LAG, r"switchport port-security (?:mac-address maximum \d+|violation protect)", "lag.mac-limit", "P"),
    LineFact(LAG, r"link tracking group \S+ (?:upstream|downstream)", "lag.tracking", "P"),
    LineFact((), SUBINTERFACE[0], "subinterface", "P"),
    LineFact(SUBINTERFACE, r"no shutdown|encapsulation dot1q vlan \d+", "subinterface", "P"),
    LineFact(SUBINTERFACE, r"description .+", "subinterface.description", "P"),
    LineFact(SUBINTERFACE, r"vrf \S+", "subinterface.vrf", "P"),
    LineFact(SUBINTERFACE, rf"ip address {FOUR}/\d+", "subinterface.ipv4", "P"),
    LineFact(SUBINTERFACE, rf"ipv6 enable|ipv6 address {SIX}/\d+", "subinterface.ipv6", "P"),
    LineFact((), LOOPBACK[0], "loopback", "R"),
    LineFact(LOOPBACK, r"no shutdown", "loopback", "P"),
    LineFact(LOOPBACK, r"description .+", "loopback.description", "R"),
    LineFact(LOOPBACK, r"vrf \S+", "loopback.vrf", "P"),
    LineFact(LOOPBACK, rf"ip address {FOUR}/\d+", "loopback.ipv4", "R"),
    LineFact(LOOPBACK, rf"ipv6 address {SIX}/\d+", "loopback.ipv6", "P"),
    LineFact((r"ip(?:v6)? prefix-list \S+",), rf"seq \d+ permit {PREFIX}(?: le \d+)?", "prefix-list.entry", "R"),
    LineFact((), r"ip community-list \S+ permit (?:GSHUT|\d+:\d+)", "community-list.member", "P"),
    LineFact((), r"ip extcommunity-list \S+ permit rt \S+", "route-target-list.member", "P"),
    LineFact((), STATEMENT[0], "route-map.statement", "R"),
    LineFact(STATEMENT, r"match (?:ext)?community \S+", "route-map.statement", "P"),
    LineFact(STATEMENT, r"match ip(?:v6)? address prefix-list \S+", "route-map.statement", "R"),
    LineFact(STATEMENT, r"set community [\w: ]+", "route-map.statement", "P"),
    LineFact(STATEMENT, r"set local-preference \d+", "route-map.preference", "P"),
    LineFact((), rf"ip(?:v6)? route (?:vrf \S+ )?{PREFIX} (?:{ADDRESS}|Null0)", "static-route", "R"),
    LineFact((), BGP[0], "bgp.asn", "R"),
    LineFact(BGP, rf"router-id {FOUR}", "bgp.router-id", "R"),
    LineFact(BGP, rf"neighbor (?:{ANY_GROUP}|{ADDRESS}) timers \d+ \d+", "bgp.timers", "P"),
    LineFact(BGP, r"maximum-paths \d+ ecmp \d+", "bgp.maximum-paths", "R"),
    LineFact(BGP, r"update wait-install", "bgp.wait-install", "P"),
    LineFact(BGP_FAMILY, rf"neighbor {ANY_GROUP} activate", "bgp.group.family", "R"),
    LineFact(
        BGP_FAMILY, rf"neighbor {LINK_GROUP} next-hop address-family ipv6 originate", "bgp.group.extended-next-hop", "P"
    ),
    LineFact(BGP_FAMILY, rf"network {PREFIX}", "bgp.network", "R"),
    LineFact(BGP, rf"neighbor {GROUP} peer group", "bgp.group", "R"),
    LineFact(BGP, rf"neighbor {GROUP} description .+", "bgp.group.description", "P"),
    LineFact(BGP, rf"neighbor {GROUP} route-map \S+ in", "bgp.group.route-map-in", "P"),
    LineFact(BGP, rf"neighbor {GROUP} route-map \S+ out", "bgp.group.route-map-out", "P"),
    LineFact(BGP, rf"neighbor {ANY_GROUP} maximum-routes \d+(?: warning-only)?", "bgp.group.maximum-routes", "R"),
    LineFact(BGP, rf"neighbor {ANY_GROUP} idle-restart-timer \d+", "bgp.group.restart", "P"),
    LineFact(BGP, rf"neighbor {ANY_GROUP} bfd", "bgp.group.bfd", "R"),
    LineFact(
        BGP, rf"neighbor {ANY_GROUP} send-community standard(?: extended)?", "bgp.group.extended-communities", "P"
    ),
    LineFact(BGP, rf"neighbor {GROUP} update-source Loopback\d+", "bgp.group.update-source", "R"),
    LineFact(BGP, rf"neighbor {GROUP} ebgp-multihop \d+", "bgp.group.multihop", "R"),
    LineFact(BGP, rf"neighbor {GROUP} next-hop-unchanged", "bgp.group.next-hop-unchanged", "R"),
    LineFact(BGP, rf"neighbor {LINK_GROUP} peer group", "bgp.neighbor", "P"),
    LineFact(BGP, rf"neighbor {LINK_GROUP} description .+", "bgp.neighbor.description", "P"),
    LineFact(BGP, rf"neighbor {LINK_GROUP} route-map \S+ in", "bgp.neighbor.route-map-in", "P"),
    LineFact(BGP, rf"neighbor {LINK_GROUP} route-map \S+ out", "bgp.neighbor.route-map-out", "P"),
    LineFact(
        BGP, rf"neighbor interface Ethernet[\d/]+ peer-group {LINK_GROUP} remote-as \d+", "bgp.neighbor.remote-as", "P"
    ),
    LineFact(BGP, rf"neighbor {ADDRESS} description .+", "bgp.neighbor.description", "R"),
    LineFact(BGP, rf"neighbor {ADDRESS} peer group {GROUP}", "bgp.neighbor.group", "R"),
    LineFact(BGP, rf"neighbor {ADDRESS} remote-as \d+", "bgp.neighbor.remote-as", "R"),
    LineFact(BGP, rf"neighbor {ADDRESS} route-map \S+ in", "bgp.neighbor.route-map-in", "P"),
    LineFact(BGP, rf"neighbor {ADDRESS} route-map \S+ out", "bgp.neighbor.route-map-out", "P"),
    LineFact((), r"ip(?: routing|v6 unicast-routing) vrf \S+", "bgp.vrf", "R"),
    LineFact(BGP, r"vrf \S+", "bgp.vrf", "R"),
    LineFact(BGP_VRF, r"rd \S+", "bgp.vrf.rd", "R"),
    LineFact(BGP_VRF, r"route-target import evpn \d[\d.]*:\d+", "bgp.vrf.import-target", "R"),
    LineFact(BGP_VRF, r"route-target import evpn route-map \S+", "bgp.vrf.import-map", "P"),
    LineFact(BGP_VRF, r"route-target export evpn \d[\d.]*:\d+", "bgp.vrf.export-target", "R"),
    LineFact(BGP_VRF, rf"router-id {FOUR}", "bgp.router-id", "P"),
    LineFact(BGP_VRF, r"maximum-paths \d+ ecmp \d+", "bgp.overlay-paths", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} remote-as \d+", "bgp.vrf.neighbor.remote-as", "R"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} description .+", "bgp.vrf.neighbor.description", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} timers \d+ \d+", "bgp.timers", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} route-map \S+ (?:in|out)", "bgp.vrf.neighbor.route-map", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} password \*", "bgp.vrf.neighbor.password", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} maximum-routes \d+", "bgp.vrf.neighbor.maximum-routes", "P"),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} idle-restart-timer \d+", "bgp.vrf.neighbor.restart", "P"),
    LineFact(BGP_VRF_FAMILY, rf"network {PREFIX}", "bgp.vrf.network", "P"),
    LineFact((), VXLAN[0], "evpn", "R"),
    LineFact(VXLAN, r"vxlan source-interface Loopback\d+", "evpn.vtep", "R"),
    LineFact(VXLAN, r"vxlan vlan \d+ vni \d+", "evpn.vlan.vni", "R"),
    LineFact(VXLAN, r"vxlan vrf \S+ vni \d+", "evpn.vrf.vni", "R"),
    LineFact(VXLAN, r"vxlan qos (?:ecn propagation|dscp propagation encapsulation)", "evpn.marks", "P"),
    LineFact(VXLAN, r"vxlan qos map dscp to traffic-class decapsulation", "evpn.marks", "P"),
    LineFact((), r"ip virtual-router mac-address [0-9a-f:.]+", "evpn.gateway-mac", "R"),
    LineFact((), rf"vlan {VLANS}", "evpn.vlan", "R"),
    LineFact((rf"vlan {VLANS}",), r"name \S+", "evpn.vlan.name", "P"),
    LineFact(BGP, r"vlan \d+", "evpn.vlan", "P"),
    LineFact(BGP_VLAN, r"rd \S+", "evpn.vlan.rd", "P"),
    LineFact(BGP_VLAN, r"route-target both \S+", "evpn.vlan.route-target", "P"),
    LineFact((), GATEWAY[0], "evpn.gateway", "R"),
    LineFact(GATEWAY, r"no shutdown", "evpn.gateway", "P"),
    LineFact(GATEWAY, r"description .+", "evpn.gateway.description", "P"),
    LineFact(GATEWAY, r"mtu \d+", "evpn.gateway.mtu", "P"),
    LineFact(GATEWAY, r"vrf \S+", "evpn.gateway.vrf", "R"),
    LineFact(GATEWAY, rf"ip address virtual {FOUR}/\d+", "evpn.gateway.ipv4", "R"),
    LineFact(GATEWAY, rf"ipv6 enable|ipv6 address virtual {SIX}/\d+", "evpn.gateway.ipv6", "P"),
    LineFact(GATEWAY, rf"ip helper-address {FOUR} source-interface Loopback\d+", "evpn.gateway.relay", "P"),
    LineFact(GATEWAY, rf"ipv6 dhcp relay destination {SIX} local-interface Loopback\d+", "evpn.gateway.relay", "P"),
    LineFact(GATEWAY, r"ipv6 nd managed-config-flag", "evpn.gateway.relay", "P"),
    LineFact((), r"ip dhcp relay information option", "evpn.gateway.relay", "P"),
    LineFact((), r"qos map dscp \d+(?: \d+)* to traffic-class [0-7]", "qos.classification", "P"),
    LineFact(PROFILE, r"qos trust dscp", "qos.classification", "P"),
    LineFact((), r"qos map traffic-class [0-7] to tx-queue [0-7]", "qos.queue-map", "P"),
    LineFact((), PROFILE[0], "qos.profile", "P"),
    LineFact((), r"priority-flow-control all off", "qos.pfc", "P"),
    LineFact(PROFILE, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", "P"),
    LineFact(PROFILE, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", "P"),
    LineFact(PROFILE, QUEUE[1], "qos.queue", "P"),
    LineFact(QUEUE, r"no priority|priority strict", "qos.scheduling", "P"),
    LineFact(QUEUE, r"bandwidth percent \d+|shape rate \d+ percent", "qos.scheduling", "P"),
    LineFact(
        QUEUE,
        r"random-detect ecn minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes"
        r" max-mark-probability \d+ weight 0",
        "qos.ecn",
        "P",
    ),
    LineFact(QUEUE, r"random-detect ecn count", "qos.ecn", "P"),
    LineFact((), rf"{MMU[0]}(?: apply)?", "qos.headroom", "P"),
    LineFact(MMU, r"ingress headroom \d+", "qos.headroom", "P"),
    LineFact((), r"platform trident mmu headroom-pool limit bytes \d+", "qos.headroom-pool", "#4921"),
    LineFact(MMU, r"ingress threshold \d+(?:/\d+)?", "qos.alpha", "P"),
    LineFact(PROFILE, r"priority-flow-control pause watchdog", "qos.watchdog", "P"),
    LineFact(
        PROFILE,
        r"priority-flow-control pause watchdog port timer"
        r" timeout [\d.]+ polling-interval [\d.]+ recovery-time [\d.]+",
        "qos.watchdog",
        "P",
    ),
    LineFact(PROFILE, r"priority-flow-control pause watchdog port action (?:drop|notify-only)", "qos.watchdog", "P"),
    LineFact(
        (),
        r"priority-flow-control pause watchdog default (?:timeout|recovery-time|polling-interval) [\d.]+",
        "qos.watchdog",
        "P",
    ),
    LineFact((), r"priority-flow-control pause watchdog action (?:drop|notify-only|errdisable)", "qos.watchdog", "P"),
    LineFact((), r"ip hardware fib load-balance distribution dynamic", "load-balancing.mode", "#4920"),
    LineFact((), r"ip load-sharing trident [0-5]", "load-balancing.seed", "M"),
    LineFact((), r"queue-monitor length", "telemetry.queue-monitor", "P"),
    LineFact(
        (), r"queue-monitor length default (?:threshold \d+|thresholds \d+ \d+)", "telemetry.queue-threshold", "P"
    ),
    LineFact((), r"queue-monitor length tx-latency", "telemetry.queue-latency", "P"),
    LineFact((), r"queue-monitor length mirror(?: destination Cpu)?", "telemetry.capture", "P"),
    LineFact((), STREAM[0], "telemetry.queue-streaming", "P"),
    LineFact(STREAM, r"max-connections \d+|vrf \S+|no shutdown", "telemetry.queue-streaming", "P"),
    LineFact((), r"load-interval default \d+", "telemetry.load-interval", "P"),
)
