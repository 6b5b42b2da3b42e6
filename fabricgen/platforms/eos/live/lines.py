"""Which kind of change a line of an EOS running-config is, where a source shows the line in this form.

Lines have the form that `drift.py` yields: secrets hidden, VLANs listed one by one. The readers of the table take a
new line as its kind added, and a missing line as removed. So these lines are left out:
* lines that no kind of change covers;
* lines that several kinds can change: `vrf instance X` is a tenant's or the management's;
* lines that deny, such as `shutdown`, unless their kind costs as much either way;
* lines that narrow something when added: without `switchport trunk allowed vlan` a trunk carries all VLANs, and what
  a route map does without its prefix list is not documented.
Sources are named as in `templates/eos/NOTES.md`.
"""

from fabricgen.platforms.base.live.line_kind import LineKind

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
ACCESS_LIST = (r"ip access-list standard MANAGEMENT-(?:API|GNMI|SNMP|SSH)",)
STREAM = (r"queue-monitor streaming",)
SECURITY = (r"management security",)

STORM = r"storm-control (?:broadcast|multicast|unknown-unicast) level [\d.]+"
PYAVD, RECORDED = "PyAVD 6.4.0", "recorded EOS configurations"

LINES: tuple[LineKind, ...] = (
    LineKind((), r"hostname \S+", "device.name", RECORDED),
    LineKind((), r"ip domain lookup vrf \S+ source-interface \S+", "management.dns", PYAVD),
    LineKind((), rf"ip name-server vrf \S+ {ADDRESS}", "management.dns", PYAVD),
    LineKind((), r"dns domain \S+", "management.domain", PYAVD),
    LineKind((), rf"ntp server vrf \S+ {ADDRESS} iburst", "management.ntp", PYAVD),
    LineKind((), r"ntp local-interface vrf \S+ \S+", "management.ntp", PYAVD),
    LineKind((), rf"logging vrf \S+ host {ADDRESS}", "management.syslog", PYAVD),
    LineKind((), r"logging vrf \S+ (local|source)-interface \S+", "management.syslog", "AVD #6309"),
    LineKind((), r"username \S+ privilege \d+ role \S+ secret \*", "management.user", PYAVD),
    LineKind((), r"username \S+ ssh-key (?:secondary )?\S+ \S+(?: \S+)?", "management.user", PYAVD),
    LineKind((), rf"tacacs-server host {ADDRESS} vrf \S+ key \*", "management.tacacs", PYAVD),
    LineKind((), r"aaa group server tacacs\+ \S+", "management.tacacs", PYAVD),
    LineKind((r"aaa group server tacacs\+ \S+",), rf"server {ADDRESS} vrf \S+", "management.tacacs", PYAVD),
    LineKind((), r"aaa authentication login default group \S+ local", "management.tacacs", PYAVD),
    LineKind((), r"aaa authorization exec default(?: group \S+)? local", "management.tacacs", PYAVD),
    LineKind((), r"aaa accounting (?:exec|commands all) default start-stop group \S+", "management.tacacs", PYAVD),
    LineKind((), r"ip tacacs vrf \S+ source-interface \S+", "management.tacacs", PYAVD),
    LineKind((), r"snmp-server (?:contact|location) .+", "management.snmp", PYAVD),
    LineKind((), r"snmp-server vrf \S+ local-interface \S+", "management.snmp", PYAVD),
    LineKind((), r"snmp-server view \S+ iso included", "management.snmp", PYAVD),
    LineKind((), r"snmp-server group \S+ v3 priv read \S+", "management.snmp", PYAVD),
    LineKind((), r"snmp-server user \S+ \S+ v3 auth \S+ \* priv \S+ \*", "management.snmp", PYAVD),
    LineKind((), rf"snmp-server host {ADDRESS} vrf \S+ version 3 priv \S+", "management.snmp", PYAVD),
    LineKind((), r"(?:no )?snmp-server vrf \S+", "management.snmp", PYAVD),
    LineKind((), r"lldp management-address(?: vrf)? \S+", "management.lldp", PYAVD),
    LineKind((), r"no lldp run", "management.lldp", PYAVD),
    LineKind((), r"sflow (?:sample|polling-interval) \d+", "management.sflow", PYAVD),
    LineKind((), rf"sflow vrf \S+ destination {ADDRESS}", "management.sflow", PYAVD),
    LineKind((), r"sflow vrf \S+ source-interface \S+", "management.sflow", PYAVD),
    LineKind((), r"sflow (?:interface disable default|run)", "management.sflow", PYAVD),
    LineKind((), ACCESS_LIST[0], "management.access", PYAVD),
    LineKind(ACCESS_LIST, r"\d+ permit (?:any|host \S+|\S+/\d+)", "management.access", PYAVD),
    LineKind((), r"snmp-server ipv4 access-list MANAGEMENT-SNMP vrf \S+", "management.access", PYAVD),
    LineKind((r"management ssh",), r"ip access-group MANAGEMENT-SSH vrf \S+ in", "management.access", PYAVD),
    LineKind((*HTTPS, r"vrf \S+"), r"ip access-group MANAGEMENT-API", "management.access", PYAVD),
    LineKind((*GNMI, r"transport grpc \S+"), r"ip access-group MANAGEMENT-GNMI", "management.access", PYAVD),
    LineKind((), HTTPS[0], "management.eapi", RECORDED),
    LineKind(HTTPS, r"protocol https(?: ssl profile \S+)?", "management.eapi", PYAVD),
    LineKind(HTTPS, r"(?:no )?shutdown|vrf \S+", "management.eapi", RECORDED),
    LineKind((*HTTPS, r"vrf \S+"), r"(?:no )?shutdown", "management.eapi", RECORDED),
    LineKind((), GNMI[0], "management.gnmi", PYAVD),
    LineKind(GNMI, r"transport grpc \S+|provider eos-native", "management.gnmi", PYAVD),
    LineKind((*GNMI, r"transport grpc \S+"), r"(?:ssl profile|port|vrf) \S+", "management.gnmi", PYAVD),
    LineKind((), SECURITY[0], "management.eapi", PYAVD),
    LineKind(SECURITY, r"ssl profile \S+", "management.eapi", PYAVD),
    LineKind((*SECURITY, r"ssl profile \S+"), r"certificate \S+ key \S+", "management.eapi", PYAVD),
    LineKind((), MANAGEMENT[0], "management.port", RECORDED),
    LineKind(MANAGEMENT, r"description .+|(?:no )?shutdown", "management.port", RECORDED),
    LineKind(MANAGEMENT, r"vrf \S+", "management.vrf", RECORDED),
    LineKind(MANAGEMENT, rf"ip address {PREFIX}", "management.address", RECORDED),
    LineKind(ETHERNET, r"description .+", "interface.description", RECORDED),
    LineKind(ETHERNET, r"no shutdown", "interface.enabled", PYAVD),
    LineKind(ETHERNET, r"mtu \d+", "interface.mtu", RECORDED),
    LineKind(ETHERNET, r"speed \d+g(?:-\d+)?", "interface.speed", PYAVD),
    LineKind(
        ETHERNET,
        r"error-correction encoding (?:reed-solomon|fire-code)|no error-correction encoding",
        "interface.fec",
        PYAVD,
    ),
    LineKind(ETHERNET, r"(?:no )?switchport", "interface.role", RECORDED),
    LineKind(ETHERNET, rf"ip address {FOUR}/\d+", "interface.ipv4", RECORDED),
    LineKind(ETHERNET, rf"ipv6 enable|ipv6 address {SIX}/\d+", "interface.ipv6", PYAVD),
    LineKind(
        ETHERNET, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "interface.access-vlan", RECORDED
    ),
    LineKind(ETHERNET, r"vrf \S+", "interface.vrf", PYAVD),
    LineKind(ETHERNET, r"channel-group \d+ mode active", "interface.lag", RECORDED),
    LineKind(
        ETHERNET,
        r"storm-control (?:broadcast|multicast|unknown-unicast) level [\d.]+",
        "interface.storm-control",
        PYAVD,
    ),
    LineKind(ETHERNET, r"spanning-tree bpduguard enable", "interface.bpdu-guard", PYAVD),
    LineKind(
        ETHERNET,
        r"switchport port-security (?:mac-address maximum \d+|violation protect)",
        "interface.mac-limit",
        PYAVD,
    ),
    LineKind(ETHERNET, r"service-profile \S+", "interface.qos", PYAVD),
    LineKind(ETHERNET, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", PYAVD),
    LineKind(ETHERNET, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", PYAVD),
    LineKind(ETHERNET, r"sflow enable", "interface.sflow", PYAVD),
    LineKind(ETHERNET, r"link tracking group \S+ (?:upstream|downstream)", "interface.tracking", PYAVD),
    LineKind(
        (),
        r"switchport port-security (?:mac-address (?:aging|moveable)|persistence disabled)",
        "interface.mac-limit",
        PYAVD,
    ),
    LineKind((), r"link tracking group \S+", "interface.tracking", PYAVD),
    LineKind((r"link tracking group \S+",), r"(?:links minimum|recovery delay) \d+", "interface.tracking", PYAVD),
    LineKind((), LAG[0], "lag", RECORDED),
    LineKind(LAG, r"description .+", "lag.description", RECORDED),
    LineKind(LAG, r"switchport access vlan \d+|switchport mode (?:access|trunk)", "lag.access-vlan", RECORDED),
    LineKind(LAG, r"evpn ethernet-segment", "lag.esi", PYAVD),
    LineKind(SEGMENT, r"identifier [0-9a-f:]+|route-target import [0-9a-f:]+", "lag.esi", PYAVD),
    LineKind(SEGMENT, r"designated-forwarder election algorithm preference \d+", "lag.df-preference", PYAVD),
    LineKind(LAG, r"port-channel lacp fallback (?:individual|timeout \d+)", "lag.fallback", PYAVD),
    LineKind(LAG, r"lacp system-id [0-9a-f.]+", "lag.system-id", PYAVD),
    LineKind(LAG, STORM, "lag.storm-control", PYAVD),
    LineKind(LAG, r"spanning-tree bpduguard enable", "lag.bpdu-guard", PYAVD),
    LineKind(LAG, r"switchport port-security (?:mac-address maximum \d+|violation protect)", "lag.mac-limit", PYAVD),
    LineKind(LAG, r"service-profile \S+", "interface.qos", PYAVD),
    LineKind(LAG, r"link tracking group \S+ (?:upstream|downstream)", "lag.tracking", PYAVD),
    LineKind((), SUBINTERFACE[0], "subinterface", PYAVD),
    LineKind(SUBINTERFACE, r"no shutdown|encapsulation dot1q vlan \d+", "subinterface", PYAVD),
    LineKind(SUBINTERFACE, r"description .+", "subinterface.description", PYAVD),
    LineKind(SUBINTERFACE, r"vrf \S+", "subinterface.vrf", PYAVD),
    LineKind(SUBINTERFACE, rf"ip address {FOUR}/\d+", "subinterface.ipv4", PYAVD),
    LineKind(SUBINTERFACE, rf"ipv6 enable|ipv6 address {SIX}/\d+", "subinterface.ipv6", PYAVD),
    LineKind((), LOOPBACK[0], "loopback", RECORDED),
    LineKind(LOOPBACK, r"no shutdown", "loopback", PYAVD),
    LineKind(LOOPBACK, r"description .+", "loopback.description", RECORDED),
    LineKind(LOOPBACK, r"vrf \S+", "loopback.vrf", PYAVD),
    LineKind(LOOPBACK, rf"ip address {FOUR}/\d+", "loopback.ipv4", RECORDED),
    LineKind(LOOPBACK, rf"ipv6 address {SIX}/\d+", "loopback.ipv6", PYAVD),
    LineKind((r"ip(?:v6)? prefix-list \S+",), rf"seq \d+ permit {PREFIX}(?: le \d+)?", "prefix-list.entry", RECORDED),
    LineKind((), r"ip community-list \S+ permit (?:GSHUT|\d+:\d+)", "community-list.member", PYAVD),
    LineKind((), r"ip extcommunity-list \S+ permit rt \S+", "route-target-list.member", PYAVD),
    LineKind((), STATEMENT[0], "route-map.statement", RECORDED),
    LineKind(STATEMENT, r"match (?:ext)?community \S+", "route-map.statement", PYAVD),
    LineKind(STATEMENT, r"match ip(?:v6)? address prefix-list \S+", "route-map.statement", RECORDED),
    LineKind(STATEMENT, r"set community [\w: ]+", "route-map.statement", PYAVD),
    LineKind(STATEMENT, r"set local-preference \d+", "route-map.preference", PYAVD),
    LineKind((), rf"ip(?:v6)? route (?:vrf \S+ )?{PREFIX} (?:{ADDRESS}|Null0)", "static-route", RECORDED),
    LineKind((), BGP[0], "bgp.asn", RECORDED),
    LineKind(BGP, rf"router-id {FOUR}", "bgp.router-id", RECORDED),
    LineKind(BGP, rf"neighbor (?:{ANY_GROUP}|{ADDRESS}) timers \d+ \d+", "bgp.timers", PYAVD),
    LineKind(BGP, r"maximum-paths \d+ ecmp \d+", "bgp.maximum-paths", RECORDED),
    LineKind(BGP, r"update wait-install", "bgp.wait-install", PYAVD),
    LineKind(BGP_FAMILY, rf"neighbor {ANY_GROUP} activate", "bgp.group.family", RECORDED),
    LineKind(
        BGP_FAMILY,
        rf"neighbor {LINK_GROUP} next-hop address-family ipv6 originate",
        "bgp.group.extended-next-hop",
        PYAVD,
    ),
    LineKind(BGP_FAMILY, rf"network {PREFIX}", "bgp.network", RECORDED),
    LineKind(BGP, rf"neighbor {GROUP} peer group", "bgp.group", RECORDED),
    LineKind(BGP, rf"neighbor {GROUP} description .+", "bgp.group.description", PYAVD),
    LineKind(BGP, rf"neighbor {GROUP} route-map \S+ in", "bgp.group.route-map-in", PYAVD),
    LineKind(BGP, rf"neighbor {GROUP} route-map \S+ out", "bgp.group.route-map-out", PYAVD),
    LineKind(BGP, rf"neighbor {ANY_GROUP} maximum-routes \d+(?: warning-only)?", "bgp.group.maximum-routes", RECORDED),
    LineKind(BGP, rf"neighbor {ANY_GROUP} idle-restart-timer \d+", "bgp.group.restart", PYAVD),
    LineKind(BGP, rf"neighbor {ANY_GROUP} bfd", "bgp.group.bfd", RECORDED),
    LineKind(
        BGP, rf"neighbor {ANY_GROUP} send-community standard(?: extended)?", "bgp.group.extended-communities", PYAVD
    ),
    LineKind(BGP, rf"neighbor {GROUP} update-source Loopback\d+", "bgp.group.update-source", RECORDED),
    LineKind(BGP, rf"neighbor {GROUP} ebgp-multihop \d+", "bgp.group.multihop", RECORDED),
    LineKind(BGP, rf"neighbor {LINK_GROUP} ebgp-multihop 255", "bgp.group.ttl-security", PYAVD),
    LineKind(BGP, rf"neighbor {ANY_GROUP} ttl maximum-hops \d+", "bgp.group.ttl-security", PYAVD),
    LineKind(BGP, rf"neighbor {ANY_GROUP} password \*", "bgp.group.password", PYAVD),
    LineKind(BGP, rf"neighbor {GROUP} next-hop-unchanged", "bgp.group.next-hop-unchanged", RECORDED),
    LineKind(BGP, rf"neighbor {LINK_GROUP} peer group", "bgp.neighbor", PYAVD),
    LineKind(BGP, rf"neighbor {LINK_GROUP} description .+", "bgp.neighbor.description", PYAVD),
    LineKind(BGP, rf"neighbor {LINK_GROUP} route-map \S+ in", "bgp.neighbor.route-map-in", PYAVD),
    LineKind(BGP, rf"neighbor {LINK_GROUP} route-map \S+ out", "bgp.neighbor.route-map-out", PYAVD),
    LineKind(
        BGP,
        rf"neighbor interface Ethernet[\d/]+ peer-group {LINK_GROUP} remote-as \d+",
        "bgp.neighbor.remote-as",
        PYAVD,
    ),
    LineKind(BGP, rf"neighbor {ADDRESS} description .+", "bgp.neighbor.description", RECORDED),
    LineKind(BGP, rf"neighbor {ADDRESS} peer group {GROUP}", "bgp.neighbor.group", RECORDED),
    LineKind(BGP, rf"neighbor {ADDRESS} remote-as \d+", "bgp.neighbor.remote-as", RECORDED),
    LineKind(BGP, rf"neighbor {ADDRESS} route-map \S+ in", "bgp.neighbor.route-map-in", PYAVD),
    LineKind(BGP, rf"neighbor {ADDRESS} route-map \S+ out", "bgp.neighbor.route-map-out", PYAVD),
    LineKind((), r"ip(?: routing|v6 unicast-routing) vrf \S+", "bgp.vrf", RECORDED),
    LineKind(BGP, r"vrf \S+", "bgp.vrf", RECORDED),
    LineKind(BGP_VRF, r"rd \S+", "bgp.vrf.rd", RECORDED),
    LineKind(BGP_VRF, r"route-target import evpn \d[\d.]*:\d+", "bgp.vrf.import-target", RECORDED),
    LineKind(BGP_VRF, r"route-target import evpn route-map \S+", "bgp.vrf.import-map", PYAVD),
    LineKind(BGP_VRF, r"route-target export evpn \d[\d.]*:\d+", "bgp.vrf.export-target", RECORDED),
    LineKind(BGP_VRF, rf"router-id {FOUR}", "bgp.router-id", PYAVD),
    LineKind(BGP_VRF, r"maximum-paths \d+ ecmp \d+", "bgp.overlay-paths", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} remote-as \d+", "bgp.vrf.neighbor.remote-as", RECORDED),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} description .+", "bgp.vrf.neighbor.description", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} timers \d+ \d+", "bgp.timers", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} route-map \S+ (?:in|out)", "bgp.vrf.neighbor.route-map", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} password \*", "bgp.vrf.neighbor.password", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} maximum-routes \d+", "bgp.vrf.neighbor.maximum-routes", PYAVD),
    LineKind(BGP_VRF, rf"neighbor {ADDRESS} idle-restart-timer \d+", "bgp.vrf.neighbor.restart", PYAVD),
    LineKind(BGP_VRF_FAMILY, rf"network {PREFIX}", "bgp.vrf.network", PYAVD),
    LineKind((*BGP, "address-family evpn"), r"host-flap detection .+", "evpn.duplicate-mac", PYAVD),
    LineKind((), VXLAN[0], "evpn", RECORDED),
    LineKind(VXLAN, r"vxlan source-interface Loopback\d+", "evpn.vtep", RECORDED),
    LineKind(VXLAN, r"vxlan vlan \d+ vni \d+", "evpn.vlan.vni", RECORDED),
    LineKind(VXLAN, r"vxlan vrf \S+ vni \d+", "evpn.vrf.vni", RECORDED),
    LineKind(VXLAN, r"vxlan qos (?:ecn propagation|dscp propagation encapsulation)", "evpn.marks", PYAVD),
    LineKind(VXLAN, r"vxlan qos map dscp to traffic-class decapsulation", "evpn.marks", PYAVD),
    LineKind((), r"ip virtual-router mac-address [0-9a-f:.]+", "evpn.gateway-mac", RECORDED),
    LineKind((), rf"vlan {VLANS}", "evpn.vlan", RECORDED),
    LineKind((rf"vlan {VLANS}",), r"name \S+", "evpn.vlan.name", PYAVD),
    LineKind(BGP, r"vlan \d+", "evpn.vlan", PYAVD),
    LineKind(BGP_VLAN, r"rd \S+", "evpn.vlan.rd", PYAVD),
    LineKind(BGP_VLAN, r"route-target both \S+", "evpn.vlan.route-target", PYAVD),
    LineKind((), GATEWAY[0], "evpn.gateway", RECORDED),
    LineKind(GATEWAY, r"no shutdown", "evpn.gateway", PYAVD),
    LineKind(GATEWAY, r"description .+", "evpn.gateway.description", PYAVD),
    LineKind(GATEWAY, r"mtu \d+", "evpn.gateway.mtu", PYAVD),
    LineKind(GATEWAY, r"vrf \S+", "evpn.gateway.vrf", RECORDED),
    LineKind(GATEWAY, rf"ip address virtual {FOUR}/\d+", "evpn.gateway.ipv4", RECORDED),
    LineKind(GATEWAY, rf"ipv6 enable|ipv6 address virtual {SIX}/\d+", "evpn.gateway.ipv6", PYAVD),
    LineKind(GATEWAY, rf"ip helper-address {FOUR} source-interface Loopback\d+", "evpn.gateway.relay", PYAVD),
    LineKind(GATEWAY, rf"ipv6 dhcp relay destination {SIX} local-interface Loopback\d+", "evpn.gateway.relay", PYAVD),
    LineKind(GATEWAY, r"ipv6 nd managed-config-flag", "evpn.gateway.relay", PYAVD),
    LineKind((), r"ip dhcp relay information option", "evpn.gateway.relay", PYAVD),
    LineKind((), r"qos map dscp \d+(?: \d+)* to traffic-class [0-7]", "qos.classification", PYAVD),
    LineKind(PROFILE, r"qos trust dscp", "qos.classification", PYAVD),
    LineKind((), r"qos map traffic-class [0-7] to tx-queue [0-7]", "qos.queue-map", PYAVD),
    LineKind((), PROFILE[0], "qos.profile", PYAVD),
    LineKind((), r"priority-flow-control all off", "qos.pfc", PYAVD),
    LineKind(PROFILE, r"(?:no )?priority-flow-control(?: on)?", "qos.pfc", PYAVD),
    LineKind(PROFILE, r"priority-flow-control priority [0-7] (?:no-)?drop", "qos.pfc", PYAVD),
    LineKind(PROFILE, QUEUE[1], "qos.queue", PYAVD),
    LineKind(QUEUE, r"no priority|priority strict", "qos.scheduling", PYAVD),
    LineKind(QUEUE, r"bandwidth percent \d+|shape rate \d+ percent", "qos.scheduling", PYAVD),
    LineKind(
        QUEUE,
        r"random-detect ecn minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes"
        r" max-mark-probability \d+ weight 0",
        "qos.ecn",
        PYAVD,
    ),
    LineKind(QUEUE, r"random-detect ecn count", "qos.ecn", PYAVD),
    LineKind((), rf"{MMU[0]}(?: apply)?", "qos.headroom", PYAVD),
    LineKind(MMU, r"ingress headroom \d+", "qos.headroom", PYAVD),
    LineKind((), r"platform trident mmu headroom-pool limit bytes \d+", "qos.headroom-pool", "AVD #4921"),
    LineKind(MMU, r"ingress threshold \d+(?:/\d+)?", "qos.alpha", PYAVD),
    LineKind(PROFILE, r"priority-flow-control pause watchdog", "qos.watchdog", PYAVD),
    LineKind(
        PROFILE,
        r"priority-flow-control pause watchdog port timer"
        r" timeout [\d.]+ polling-interval [\d.]+ recovery-time [\d.]+",
        "qos.watchdog",
        PYAVD,
    ),
    LineKind(PROFILE, r"priority-flow-control pause watchdog port action (?:drop|notify-only)", "qos.watchdog", PYAVD),
    LineKind(
        (),
        r"priority-flow-control pause watchdog default (?:timeout|recovery-time|polling-interval) [\d.]+",
        "qos.watchdog",
        PYAVD,
    ),
    LineKind((), r"priority-flow-control pause watchdog action (?:drop|notify-only|errdisable)", "qos.watchdog", PYAVD),
    LineKind((), r"ip hardware fib load-balance distribution dynamic", "load-balancing.mode", "AVD #4920"),
    LineKind((), r"port-channel load-balance trident udf eth-type .+", "load-balancing.mode", "AVD #5386"),
    LineKind((), r"ip load-sharing trident [0-5]", "load-balancing.seed", "EOS manual, IPv4"),
    LineKind((), r"queue-monitor length", "telemetry.queue-monitor", PYAVD),
    LineKind(
        (), r"queue-monitor length default (?:threshold \d+|thresholds \d+ \d+)", "telemetry.queue-threshold", PYAVD
    ),
    LineKind((), r"queue-monitor length tx-latency", "telemetry.queue-latency", PYAVD),
    LineKind((), r"queue-monitor length mirror(?: destination Cpu)?", "telemetry.capture", PYAVD),
    LineKind((), STREAM[0], "telemetry.queue-streaming", PYAVD),
    LineKind(STREAM, r"max-connections \d+|vrf \S+|no shutdown", "telemetry.queue-streaming", PYAVD),
    LineKind((), r"load-interval default \d+", "telemetry.load-interval", PYAVD),
)
