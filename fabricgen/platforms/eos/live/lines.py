"""Which fact a line of an EOS running-config states, where a source shows the line in this form.

Lines have the form that `drift.py` yields: secrets hidden, VLANs listed one by one. The readers of the table take a
new line as its fact added, and a missing line as removed. So these lines are left out:
* lines that no fact of ours changes;
* lines that several kinds can change: `vrf instance X` is a tenant's or the management's;
* lines that deny, such as `shutdown`, unless their kind costs as much either way;
* lines that narrow something when added: without `switchport trunk allowed vlan` a trunk carries all VLANs, and what
  a route map does without its prefix list is not documented.
Sources are named as in `templates/eos/NOTES.md`.
"""

from fabricgen.platforms.base.live.line_fact import LineFact

FOUR = r"\d+\.\d+\.\d+\.\d+"
SIX = r"[0-9a-f]*:[0-9a-f:.]*"
ADDRESS = rf"(?:{FOUR}|{SIX})"
PREFIX = rf"(?:{ADDRESS}/\d+)"
LINK_GROUP = r"[A-Z]+-UNNUMBERED-Ethernet\d+(?:-\d+)*"
"""The peer group of one session over an unnumbered link (platforms/eos/bgp.py, link_group)."""
GROUP = rf"(?!interface )(?!{LINK_GROUP} )[A-Za-z][\w.-]*"
"""Any other peer group's name; an address never matches, as it starts with a digit or has a colon."""
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

PYAVD, RECORDED = "PyAVD 6.4.0", "recorded EOS configurations"

LINES: tuple[LineFact, ...] = (
    LineFact((), r"hostname \S+", "device.name", RECORDED),
    LineFact((), r"ip domain lookup vrf \S+ source-interface \S+", "management.dns", PYAVD),
    LineFact((), rf"ip name-server vrf \S+ {ADDRESS}", "management.dns", PYAVD),
    LineFact((), r"dns domain \S+", "management.domain", PYAVD),
    LineFact((), rf"ntp server vrf \S+ {ADDRESS} iburst", "management.ntp", PYAVD),
    LineFact((), r"ntp local-interface vrf \S+ \S+", "management.ntp", PYAVD),
    LineFact((), rf"logging vrf \S+ host {ADDRESS}", "management.syslog", PYAVD),
    LineFact((), r"logging vrf \S+ local-interface \S+", "management.syslog", "AVD #6309"),
    LineFact((), r"username \S+ privilege \d+ role \S+ secret \*", "management.user", PYAVD),
    LineFact((), rf"tacacs-server host {ADDRESS} vrf \S+ key \*", "management.tacacs", PYAVD),
    LineFact((), r"aaa group server tacacs\+ \S+", "management.tacacs", PYAVD),
    LineFact((r"aaa group server tacacs\+ \S+",), rf"server {ADDRESS} vrf \S+", "management.tacacs", PYAVD),
    LineFact((), r"aaa authentication login default group \S+ local", "management.tacacs", PYAVD),
    LineFact((), r"aaa authorization exec default(?: group \S+)? local", "management.tacacs", PYAVD),
    LineFact((), r"aaa accounting (?:exec|commands all) default start-stop group \S+", "management.tacacs", PYAVD),
    LineFact((), r"ip tacacs vrf \S+ source-interface \S+", "management.tacacs", PYAVD),
    LineFact((), r"snmp-server (?:contact|location) .+", "management.snmp", PYAVD),
    LineFact((), r"snmp-server vrf \S+ local-interface \S+", "management.snmp", PYAVD),
    LineFact((), r"snmp-server view \S+ iso included", "management.snmp", PYAVD),
    LineFact((), r"snmp-server group \S+ v3 priv read \S+", "management.snmp", PYAVD),
    LineFact((), r"snmp-server user \S+ \S+ v3 auth \S+ \* priv \S+ \*", "management.snmp", PYAVD),
    LineFact((), rf"snmp-server host {ADDRESS} vrf \S+ version 3 priv \S+", "management.snmp", PYAVD),
    LineFact((), r"(?:no )?snmp-server vrf \S+", "management.snmp", PYAVD),
    LineFact((), r"lldp management-address(?: vrf)? \S+", "management.lldp", PYAVD),
    LineFact((), r"no lldp run", "management.lldp", PYAVD),
    LineFact((), r"sflow (?:sample|polling-interval) \d+", "management.sflow", PYAVD),
    LineFact((), rf"sflow vrf \S+ destination {ADDRESS}", "management.sflow", PYAVD),
    LineFact((), r"sflow vrf \S+ source-interface \S+", "management.sflow", PYAVD),
    LineFact((), r"sflow (?:interface disable default|run)", "management.sflow", PYAVD),
    LineFact((), HTTPS[0], "management.eapi", RECORDED),
    LineFact(HTTPS, r"protocol https(?: ssl profile \S+)?", "management.eapi", PYAVD),
    LineFact(HTTPS, r"(?:no )?shutdown|vrf \S+", "management.eapi", RECORDED),
    LineFact((*HTTPS, r"vrf \S+"), r"(?:no )?shutdown", "management.eapi", RECORDED),
    LineFact((), GNMI[0], "management.gnmi", PYAVD),
    LineFact(GNMI, r"transport grpc \S+|provider eos-native", "management.gnmi", PYAVD),
    LineFact((*GNMI, r"transport grpc \S+"), r"(?:ssl profile|port|vrf) \S+", "management.gnmi", PYAVD),
    LineFact((), SECURITY[0], "management.eapi", PYAVD),
    LineFact(SECURITY, r"ssl profile \S+", "management.eapi", PYAVD),
    LineFact((*SECURITY, r"ssl profile \S+"), r"certificate \S+ key \S+", "management.eapi", PYAVD),
    LineFact((), MANAGEMENT[0], "management.port", RECORDED),
    LineFact(MANAGEMENT, r"description .+|(?:no )?shutdown", "management.port", RECORDED),
    LineFact(MANAGEMENT, r"vrf \S+", "management.vrf", RECORDED),
    LineFact(MANAGEMENT, rf"ip address {PREFIX}", "management.address", RECORDED),
    LineFact(ETHERNET, r"description .+", "interface.description", RECORDED),
    LineFact(ETHERNET, r"no shutdown", "interface.enabled", PYAVD),
    LineFact(ETHERNET, r"mtu \d+", "interface.mtu", RECORDED),
    LineFact(ETHERNET, r"speed \d+g(?:-\d+)?", "interface.speed", PYAVD),
    LineFact(
        ETHERNET,
        r"error-correction encoding (?:reed-solomon|fire-code)|no error-correction encoding",
        "interface.fec",
        PYAVD,
    ),
    LineFact(ETHERNET, r"(?:no )?switchport", "interface.role", RECORDED),
    LineFact(ETHERNET, rf"ip address {FOUR}/\d+", "interface.ipv4", RECORDED),
    LineFact(ETHERNET, rf"ipv6 enable|ipv6 address {SIX}/\d+", "interface.ipv6", PYAVD),
    LineFact(
        ETHERNET, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "interface.access-vlan", RECORDED
    ),
    LineFact(ETHERNET, r"vrf \S+", "interface.vrf", PYAVD),
    LineFact(ETHERNET, r"channel-group \d+ mode active", "interface.lag", RECORDED),
    LineFact(ETHERNET, r"storm-control (?:broadcast|multicast) level [\d.]+", "interface.storm-control", PYAVD),
    LineFact(ETHERNET, r"spanning-tree bpduguard enable", "interface.bpdu-guard", PYAVD),
    LineFact(
        ETHERNET,
        r"switchport port-security (?:mac-address maximum \d+|violation protect)",
        "interface.mac-limit",
        PYAVD,
    ),
    LineFact(ETHERNET, r"service-profile \S+", "interface.qos", PYAVD),
    LineFact(ETHERNET, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", PYAVD),
    LineFact(ETHERNET, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", PYAVD),
    LineFact(ETHERNET, r"sflow enable", "interface.sflow", PYAVD),
    LineFact(ETHERNET, r"link tracking group \S+ (?:upstream|downstream)", "interface.tracking", PYAVD),
    LineFact(
        (),
        r"switchport port-security (?:mac-address (?:aging|moveable)|persistence disabled)",
        "interface.mac-limit",
        PYAVD,
    ),
    LineFact((), r"link tracking group \S+", "interface.tracking", PYAVD),
    LineFact((r"link tracking group \S+",), r"(?:links minimum|recovery delay) \d+", "interface.tracking", PYAVD),
    LineFact((), LAG[0], "lag", RECORDED),
    LineFact(LAG, r"description .+", "lag.description", RECORDED),
    LineFact(LAG, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "lag.access-vlan", RECORDED),
    LineFact(LAG, r"evpn ethernet-segment", "lag.esi", PYAVD),
    LineFact(SEGMENT, r"identifier [0-9a-f:]+|route-target import [0-9a-f:]+", "lag.esi", PYAVD),
    LineFact(SEGMENT, r"designated-forwarder election algorithm preference \d+", "lag.df-preference", PYAVD),
    LineFact(LAG, r"port-channel lacp fallback (?:individual|timeout \d+)", "lag.fallback", PYAVD),
    LineFact(LAG, r"lacp system-id [0-9a-f.]+", "lag.system-id", PYAVD),
    LineFact(LAG, r"storm-control (?:broadcast|multicast) level [\d.]+", "lag.storm-control", PYAVD),
    LineFact(LAG, r"spanning-tree bpduguard enable", "lag.bpdu-guard", PYAVD),
    LineFact(LAG, r"switchport port-security (?:mac-address maximum \d+|violation protect)", "lag.mac-limit", PYAVD),
    LineFact(LAG, r"link tracking group \S+ (?:upstream|downstream)", "lag.tracking", PYAVD),
    LineFact((), SUBINTERFACE[0], "subinterface", PYAVD),
    LineFact(SUBINTERFACE, r"no shutdown|encapsulation dot1q vlan \d+", "subinterface", PYAVD),
    LineFact(SUBINTERFACE, r"description .+", "subinterface.description", PYAVD),
    LineFact(SUBINTERFACE, r"vrf \S+", "subinterface.vrf", PYAVD),
    LineFact(SUBINTERFACE, rf"ip address {FOUR}/\d+", "subinterface.ipv4", PYAVD),
    LineFact(SUBINTERFACE, rf"ipv6 enable|ipv6 address {SIX}/\d+", "subinterface.ipv6", PYAVD),
    LineFact((), LOOPBACK[0], "loopback", RECORDED),
    LineFact(LOOPBACK, r"no shutdown", "loopback", PYAVD),
    LineFact(LOOPBACK, r"description .+", "loopback.description", RECORDED),
    LineFact(LOOPBACK, r"vrf \S+", "loopback.vrf", PYAVD),
    LineFact(LOOPBACK, rf"ip address {FOUR}/\d+", "loopback.ipv4", RECORDED),
    LineFact(LOOPBACK, rf"ipv6 address {SIX}/\d+", "loopback.ipv6", PYAVD),
    LineFact((r"ip(?:v6)? prefix-list \S+",), rf"seq \d+ permit {PREFIX}(?: le \d+)?", "prefix-list.entry", RECORDED),
    LineFact((), r"ip community-list \S+ permit (?:GSHUT|\d+:\d+)", "community-list.member", PYAVD),
    LineFact((), r"ip extcommunity-list \S+ permit rt \S+", "route-target-list.member", PYAVD),
    LineFact((), STATEMENT[0], "route-map.statement", RECORDED),
    LineFact(STATEMENT, r"match (?:ext)?community \S+", "route-map.statement", PYAVD),
    LineFact(STATEMENT, r"match ip(?:v6)? address prefix-list \S+", "route-map.statement", RECORDED),
    LineFact(STATEMENT, r"set community [\w: ]+", "route-map.statement", PYAVD),
    LineFact(STATEMENT, r"set local-preference \d+", "route-map.preference", PYAVD),
    LineFact((), rf"ip(?:v6)? route (?:vrf \S+ )?{PREFIX} (?:{ADDRESS}|Null0)", "static-route", RECORDED),
    LineFact((), BGP[0], "bgp.asn", RECORDED),
    LineFact(BGP, rf"router-id {FOUR}", "bgp.router-id", RECORDED),
    LineFact(BGP, rf"neighbor (?:{ANY_GROUP}|{ADDRESS}) timers \d+ \d+", "bgp.timers", PYAVD),
    LineFact(BGP, r"maximum-paths \d+ ecmp \d+", "bgp.maximum-paths", RECORDED),
    LineFact(BGP, r"update wait-install", "bgp.wait-install", PYAVD),
    LineFact(BGP_FAMILY, rf"neighbor {ANY_GROUP} activate", "bgp.group.family", RECORDED),
    LineFact(
        BGP_FAMILY,
        rf"neighbor {LINK_GROUP} next-hop address-family ipv6 originate",
        "bgp.group.extended-next-hop",
        PYAVD,
    ),
    LineFact(BGP_FAMILY, rf"network {PREFIX}", "bgp.network", RECORDED),
    LineFact(BGP, rf"neighbor {GROUP} peer group", "bgp.group", RECORDED),
    LineFact(BGP, rf"neighbor {GROUP} description .+", "bgp.group.description", PYAVD),
    LineFact(BGP, rf"neighbor {GROUP} route-map \S+ in", "bgp.group.route-map-in", PYAVD),
    LineFact(BGP, rf"neighbor {GROUP} route-map \S+ out", "bgp.group.route-map-out", PYAVD),
    LineFact(BGP, rf"neighbor {ANY_GROUP} maximum-routes \d+(?: warning-only)?", "bgp.group.maximum-routes", RECORDED),
    LineFact(BGP, rf"neighbor {ANY_GROUP} idle-restart-timer \d+", "bgp.group.restart", PYAVD),
    LineFact(BGP, rf"neighbor {ANY_GROUP} bfd", "bgp.group.bfd", RECORDED),
    LineFact(
        BGP, rf"neighbor {ANY_GROUP} send-community standard(?: extended)?", "bgp.group.extended-communities", PYAVD
    ),
    LineFact(BGP, rf"neighbor {GROUP} update-source Loopback\d+", "bgp.group.update-source", RECORDED),
    LineFact(BGP, rf"neighbor {GROUP} ebgp-multihop \d+", "bgp.group.multihop", RECORDED),
    LineFact(BGP, rf"neighbor {GROUP} next-hop-unchanged", "bgp.group.next-hop-unchanged", RECORDED),
    LineFact(BGP, rf"neighbor {LINK_GROUP} peer group", "bgp.neighbor", PYAVD),
    LineFact(BGP, rf"neighbor {LINK_GROUP} description .+", "bgp.neighbor.description", PYAVD),
    LineFact(BGP, rf"neighbor {LINK_GROUP} route-map \S+ in", "bgp.neighbor.route-map-in", PYAVD),
    LineFact(BGP, rf"neighbor {LINK_GROUP} route-map \S+ out", "bgp.neighbor.route-map-out", PYAVD),
    LineFact(
        BGP,
        rf"neighbor interface Ethernet[\d/]+ peer-group {LINK_GROUP} remote-as \d+",
        "bgp.neighbor.remote-as",
        PYAVD,
    ),
    LineFact(BGP, rf"neighbor {ADDRESS} description .+", "bgp.neighbor.description", RECORDED),
    LineFact(BGP, rf"neighbor {ADDRESS} peer group {GROUP}", "bgp.neighbor.group", RECORDED),
    LineFact(BGP, rf"neighbor {ADDRESS} remote-as \d+", "bgp.neighbor.remote-as", RECORDED),
    LineFact(BGP, rf"neighbor {ADDRESS} route-map \S+ in", "bgp.neighbor.route-map-in", PYAVD),
    LineFact(BGP, rf"neighbor {ADDRESS} route-map \S+ out", "bgp.neighbor.route-map-out", PYAVD),
    LineFact((), r"ip(?: routing|v6 unicast-routing) vrf \S+", "bgp.vrf", RECORDED),
    LineFact(BGP, r"vrf \S+", "bgp.vrf", RECORDED),
    LineFact(BGP_VRF, r"rd \S+", "bgp.vrf.rd", RECORDED),
    LineFact(BGP_VRF, r"route-target import evpn \d[\d.]*:\d+", "bgp.vrf.import-target", RECORDED),
    LineFact(BGP_VRF, r"route-target import evpn route-map \S+", "bgp.vrf.import-map", PYAVD),
    LineFact(BGP_VRF, r"route-target export evpn \d[\d.]*:\d+", "bgp.vrf.export-target", RECORDED),
    LineFact(BGP_VRF, rf"router-id {FOUR}", "bgp.router-id", PYAVD),
    LineFact(BGP_VRF, r"maximum-paths \d+ ecmp \d+", "bgp.overlay-paths", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} remote-as \d+", "bgp.vrf.neighbor.remote-as", RECORDED),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} description .+", "bgp.vrf.neighbor.description", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} timers \d+ \d+", "bgp.timers", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} route-map \S+ (?:in|out)", "bgp.vrf.neighbor.route-map", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} password \*", "bgp.vrf.neighbor.password", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} maximum-routes \d+", "bgp.vrf.neighbor.maximum-routes", PYAVD),
    LineFact(BGP_VRF, rf"neighbor {ADDRESS} idle-restart-timer \d+", "bgp.vrf.neighbor.restart", PYAVD),
    LineFact(BGP_VRF_FAMILY, rf"network {PREFIX}", "bgp.vrf.network", PYAVD),
    LineFact((), VXLAN[0], "evpn", RECORDED),
    LineFact(VXLAN, r"vxlan source-interface Loopback\d+", "evpn.vtep", RECORDED),
    LineFact(VXLAN, r"vxlan vlan \d+ vni \d+", "evpn.vlan.vni", RECORDED),
    LineFact(VXLAN, r"vxlan vrf \S+ vni \d+", "evpn.vrf.vni", RECORDED),
    LineFact(VXLAN, r"vxlan qos (?:ecn propagation|dscp propagation encapsulation)", "evpn.marks", PYAVD),
    LineFact(VXLAN, r"vxlan qos map dscp to traffic-class decapsulation", "evpn.marks", PYAVD),
    LineFact((), r"ip virtual-router mac-address [0-9a-f:.]+", "evpn.gateway-mac", RECORDED),
    LineFact((), rf"vlan {VLANS}", "evpn.vlan", RECORDED),
    LineFact((rf"vlan {VLANS}",), r"name \S+", "evpn.vlan.name", PYAVD),
    LineFact(BGP, r"vlan \d+", "evpn.vlan", PYAVD),
    LineFact(BGP_VLAN, r"rd \S+", "evpn.vlan.rd", PYAVD),
    LineFact(BGP_VLAN, r"route-target both \S+", "evpn.vlan.route-target", PYAVD),
    LineFact((), GATEWAY[0], "evpn.gateway", RECORDED),
    LineFact(GATEWAY, r"no shutdown", "evpn.gateway", PYAVD),
    LineFact(GATEWAY, r"description .+", "evpn.gateway.description", PYAVD),
    LineFact(GATEWAY, r"mtu \d+", "evpn.gateway.mtu", PYAVD),
    LineFact(GATEWAY, r"vrf \S+", "evpn.gateway.vrf", RECORDED),
    LineFact(GATEWAY, rf"ip address virtual {FOUR}/\d+", "evpn.gateway.ipv4", RECORDED),
    LineFact(GATEWAY, rf"ipv6 enable|ipv6 address virtual {SIX}/\d+", "evpn.gateway.ipv6", PYAVD),
    LineFact(GATEWAY, rf"ip helper-address {FOUR} source-interface Loopback\d+", "evpn.gateway.relay", PYAVD),
    LineFact(GATEWAY, rf"ipv6 dhcp relay destination {SIX} local-interface Loopback\d+", "evpn.gateway.relay", PYAVD),
    LineFact(GATEWAY, r"ipv6 nd managed-config-flag", "evpn.gateway.relay", PYAVD),
    LineFact((), r"ip dhcp relay information option", "evpn.gateway.relay", PYAVD),
    LineFact((), r"qos map dscp \d+(?: \d+)* to traffic-class [0-7]", "qos.classification", PYAVD),
    LineFact(PROFILE, r"qos trust dscp", "qos.classification", PYAVD),
    LineFact((), r"qos map traffic-class [0-7] to tx-queue [0-7]", "qos.queue-map", PYAVD),
    LineFact((), PROFILE[0], "qos.profile", PYAVD),
    LineFact((), r"priority-flow-control all off", "qos.pfc", PYAVD),
    LineFact(PROFILE, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", PYAVD),
    LineFact(PROFILE, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", PYAVD),
    LineFact(PROFILE, QUEUE[1], "qos.queue", PYAVD),
    LineFact(QUEUE, r"no priority|priority strict", "qos.scheduling", PYAVD),
    LineFact(QUEUE, r"bandwidth percent \d+|shape rate \d+ percent", "qos.scheduling", PYAVD),
    LineFact(
        QUEUE,
        r"random-detect ecn minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes"
        r" max-mark-probability \d+ weight 0",
        "qos.ecn",
        PYAVD,
    ),
    LineFact(QUEUE, r"random-detect ecn count", "qos.ecn", PYAVD),
    LineFact((), rf"{MMU[0]}(?: apply)?", "qos.headroom", PYAVD),
    LineFact(MMU, r"ingress headroom \d+", "qos.headroom", PYAVD),
    LineFact((), r"platform trident mmu headroom-pool limit bytes \d+", "qos.headroom-pool", "AVD #4921"),
    LineFact(MMU, r"ingress threshold \d+(?:/\d+)?", "qos.alpha", PYAVD),
    LineFact(PROFILE, r"priority-flow-control pause watchdog", "qos.watchdog", PYAVD),
    LineFact(
        PROFILE,
        r"priority-flow-control pause watchdog port timer"
        r" timeout [\d.]+ polling-interval [\d.]+ recovery-time [\d.]+",
        "qos.watchdog",
        PYAVD,
    ),
    LineFact(PROFILE, r"priority-flow-control pause watchdog port action (?:drop|notify-only)", "qos.watchdog", PYAVD),
    LineFact(
        (),
        r"priority-flow-control pause watchdog default (?:timeout|recovery-time|polling-interval) [\d.]+",
        "qos.watchdog",
        PYAVD,
    ),
    LineFact((), r"priority-flow-control pause watchdog action (?:drop|notify-only|errdisable)", "qos.watchdog", PYAVD),
    LineFact((), r"ip hardware fib load-balance distribution dynamic", "load-balancing.mode", "AVD #4920"),
    LineFact((), r"ip load-sharing trident [0-5]", "load-balancing.seed", "EOS manual, IPv4"),
    LineFact((), r"queue-monitor length", "telemetry.queue-monitor", PYAVD),
    LineFact(
        (), r"queue-monitor length default (?:threshold \d+|thresholds \d+ \d+)", "telemetry.queue-threshold", PYAVD
    ),
    LineFact((), r"queue-monitor length tx-latency", "telemetry.queue-latency", PYAVD),
    LineFact((), r"queue-monitor length mirror(?: destination Cpu)?", "telemetry.capture", PYAVD),
    LineFact((), STREAM[0], "telemetry.queue-streaming", PYAVD),
    LineFact(STREAM, r"max-connections \d+|vrf \S+|no shutdown", "telemetry.queue-streaming", PYAVD),
    LineFact((), r"load-interval default \d+", "telemetry.load-interval", PYAVD),
)
