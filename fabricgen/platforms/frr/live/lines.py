"""Which kind of change each line of FRR's running configuration is, by its sections.

A row is a line that the templates write and FRR prints (8.4.4, 10.3); nothing else is known. Lines that do not come
from the Device, such as `bgp bestpath as-path multipath-relax`, are in no row: a change of one has an unknown kind.
"""

from fabricgen.platforms.base.live.line_kind import LineKind

HEADER = "templates/frr/frr-header.j2 [read back]"
STATIC = "templates/frr/frr-static-routes.j2 [read back]"
VRFS = "templates/frr/frr-vrfs.j2 [read back]"
PORTS = "templates/frr/frr-interfaces.j2 [read back]"
BGP = "templates/frr/frr-bgp.j2 [read back]"
FAMILIES = "templates/frr/frr-bgp-families.j2 [read back]"
EVPN = "templates/frr/frr-bgp-evpn.j2 [read back]"
TENANTS = "templates/frr/frr-bgp-vrfs.j2 [read back]"
PREFIXES = "templates/frr/frr-prefix-lists.j2 [read back]"
COMMUNITIES = "templates/frr/frr-community-lists.j2 [read back]"
MAPS = "templates/frr/frr-route-maps.j2 [read back]"

NUMBER = r"(?:0|[1-9]\d{0,9})"
IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
IPV6 = r"(?=[\da-f.]*:)[\da-f:.]{2,45}"
ADDRESS = rf"(?:{IPV4}|{IPV6})"
PREFIX_IPV4 = rf"{IPV4}/\d{{1,2}}"
PREFIX_IPV6 = rf"{IPV6}/\d{{1,3}}"
NAME = r"[A-Za-z\d][\w.-]*"
DEVICE = r"(?!route-map$)[^\s/]{1,15}"
"""A VRF, which is a device: `import vrf route-map` is another line."""
PEER_GROUP = r"(?:LEAVES|SPINES|SUPERSPINES)-(?:IPV4|IPV6|UNNUMBERED|EVPN)"
"""Groups of a plan only (resolve/policy.py, group_name): a neighbor can also be a port, and then has its name."""
PORT = r"swp\d+(?:s\d+)?"
PEER = rf"(?:{ADDRESS}|{PORT})"
RD = rf"(?:{IPV4}|{NUMBER}):{NUMBER}"
TARGET = rf"{NUMBER}:{NUMBER}"
COMMUNITY = rf"(?:{TARGET}|graceful-shutdown)"

ROUTER = (rf"router bgp {NUMBER}",)
UNICAST = (*ROUTER, r"address-family ipv[46] unicast")
UNICAST_IPV4 = (*ROUTER, "address-family ipv4 unicast")
UNICAST_IPV6 = (*ROUTER, "address-family ipv6 unicast")
OVERLAY = (*ROUTER, "address-family l2vpn evpn")
ANY_FAMILY = (*ROUTER, r"address-family (?:ipv[46] unicast|l2vpn evpn)")
VLAN = (*OVERLAY, rf"vni {NUMBER}")
TENANT = (rf"router bgp {NUMBER} vrf {DEVICE}",)
TENANT_UNICAST = (*TENANT, r"address-family ipv[46] unicast")
TENANT_OVERLAY = (*TENANT, "address-family l2vpn evpn")
STATEMENT = (rf"route-map {NAME} (?:permit|deny) {NUMBER}",)

TOP = (
    LineKind((), rf"hostname {NAME}", "device.name", HEADER),
    LineKind((), rf"ip router-id {IPV4}", "bgp.router-id", STATIC),
    LineKind((), rf"ip route {PREFIX_IPV4} (?:blackhole|{IPV4})", "static-route", STATIC),
    LineKind((), rf"ipv6 route {PREFIX_IPV6} (?:blackhole|{IPV6})", "static-route", STATIC),
    LineKind((), rf"vrf {DEVICE}", "evpn.vrf", VRFS),
    LineKind((rf"vrf {DEVICE}",), rf"vni {NUMBER}", "evpn.vrf.vni", VRFS),
    LineKind((r"interface bond\d+",), r"evpn mh es-id [\da-f]{2}(?::[\da-f]{2}){9}", "lag.esi", PORTS),
    LineKind((r"interface bond\d+",), r"evpn mh es-df-pref 1", "device.state", PORTS),
    LineKind((r"interface bond\d+",), r"evpn mh es-df-pref (?:[2-9]|\d{2,})", "lag.df-preference", PORTS),
)

SPEAKER = (
    LineKind((), ROUTER[0], "bgp.asn", BGP),
    LineKind(ROUTER, rf"bgp router-id {IPV4}", "bgp.router-id", BGP),
    LineKind(ROUTER, "bgp suppress-fib-pending", "bgp.wait-install", BGP),
    LineKind(ROUTER, rf"timers bgp {NUMBER} {NUMBER}", "bgp.timers", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} peer-group", "bgp.group", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} description \S.*", "bgp.group.description", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} bfd", "bgp.group.bfd", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} ebgp-multihop 255", "bgp.group.ttl-security", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} ebgp-multihop(?: (?!255$){NUMBER})?", "bgp.group.multihop", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} disable-connected-check", "bgp.group.ttl-security", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} ttl-security hops {NUMBER}", "bgp.group.ttl-security", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} password <secret>", "bgp.group.password", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} update-source {IPV4}", "bgp.group.update-source", BGP),
    LineKind(ROUTER, rf"neighbor {PEER_GROUP} capability extended-nexthop", "bgp.group.extended-next-hop", BGP),
    LineKind(ROUTER, rf"neighbor {PEER} remote-as {NUMBER}", "bgp.neighbor.remote-as", BGP),
    LineKind(ROUTER, rf"neighbor {ADDRESS} peer-group {PEER_GROUP}", "bgp.neighbor.group", BGP),
    LineKind(ROUTER, rf"neighbor {PORT} interface peer-group {PEER_GROUP}", "bgp.neighbor.group", BGP),
    LineKind(ROUTER, rf"neighbor {PEER} description \S.*", "bgp.neighbor.description", BGP),
)

FAMILY = (
    LineKind(UNICAST_IPV4, rf"network {PREFIX_IPV4}", "bgp.network", FAMILIES),
    LineKind(UNICAST_IPV6, rf"network {PREFIX_IPV6}", "bgp.network", FAMILIES),
    LineKind(UNICAST, rf"maximum-paths {NUMBER}", "bgp.maximum-paths", FAMILIES),
    LineKind(ANY_FAMILY, rf"neighbor {PEER_GROUP} maximum-prefix {NUMBER}", "bgp.group.maximum-routes", FAMILIES),
    LineKind(
        ANY_FAMILY,
        rf"neighbor {PEER_GROUP} maximum-prefix {NUMBER} (?:warning-only|restart {NUMBER})",
        "bgp.group.maximum-routes",
        FAMILIES,
    ),
    LineKind(ANY_FAMILY, rf"neighbor {PEER_GROUP} activate", "bgp.group.family", FAMILIES),
    LineKind(ANY_FAMILY, rf"neighbor {PEER_GROUP} route-map {NAME} in", "bgp.group.route-map-in", FAMILIES),
    LineKind(ANY_FAMILY, rf"neighbor {PEER_GROUP} route-map {NAME} out", "bgp.group.route-map-out", FAMILIES),
    LineKind(ANY_FAMILY, rf"neighbor {PEER} route-map {NAME} in", "bgp.neighbor.route-map-in", FAMILIES),
    LineKind(ANY_FAMILY, rf"neighbor {PEER} route-map {NAME} out", "bgp.neighbor.route-map-out", FAMILIES),
    LineKind(OVERLAY, "advertise-all-vni", "evpn", EVPN),
    LineKind(OVERLAY, rf"dup-addr-detection (?:max-moves {NUMBER} time|freeze) {NUMBER}", "evpn.duplicate-mac", EVPN),
    LineKind(OVERLAY, VLAN[-1], "evpn.vlan.vni", EVPN),
    LineKind(VLAN, rf"rd {RD}", "evpn.vlan.rd", EVPN),
    LineKind(VLAN, rf"route-target (?:import|export) {TARGET}", "evpn.vlan.route-target", EVPN),
)

VRF = (
    LineKind((), TENANT[0], "bgp.vrf", TENANTS),
    LineKind(TENANT, rf"bgp router-id {IPV4}", "bgp.router-id", TENANTS),
    LineKind(TENANT, rf"timers bgp {NUMBER} {NUMBER}", "bgp.timers", TENANTS),
    LineKind(TENANT, rf"neighbor {ADDRESS} remote-as {NUMBER}", "bgp.vrf.neighbor.remote-as", TENANTS),
    LineKind(TENANT, rf"neighbor {ADDRESS} description \S.*", "bgp.vrf.neighbor.description", TENANTS),
    LineKind(TENANT, rf"neighbor {ADDRESS} timers connect 1", "bgp.vrf.neighbor", TENANTS),
    LineKind(TENANT, rf"neighbor {ADDRESS} password <secret>", "bgp.vrf.neighbor.password", TENANTS),
    LineKind(TENANT_UNICAST, rf"redistribute connected route-map {NAME}", "bgp.vrf.network", TENANTS),
    LineKind(TENANT_UNICAST, rf"neighbor {ADDRESS} activate", "bgp.vrf.neighbor", TENANTS),
    LineKind(
        TENANT_UNICAST, rf"neighbor {ADDRESS} maximum-prefix {NUMBER}", "bgp.vrf.neighbor.maximum-routes", TENANTS
    ),
    LineKind(
        TENANT_UNICAST,
        rf"neighbor {ADDRESS} maximum-prefix {NUMBER} restart {NUMBER}",
        "bgp.vrf.neighbor.maximum-routes",
        TENANTS,
    ),
    LineKind(TENANT_UNICAST, rf"neighbor {ADDRESS} route-map {NAME} (?:in|out)", "bgp.vrf.neighbor.route-map", TENANTS),
    LineKind(TENANT_UNICAST, rf"maximum-paths {NUMBER}", "bgp.overlay-paths", TENANTS),
    LineKind(TENANT_UNICAST, rf"import vrf route-map {NAME}", "bgp.vrf.import-map", TENANTS),
    LineKind(TENANT_UNICAST, rf"import vrf {DEVICE}", "bgp.vrf.import", TENANTS),
    LineKind(TENANT_OVERLAY, rf"rd {RD}", "bgp.vrf.rd", TENANTS),
    LineKind(TENANT_OVERLAY, rf"route-target (?:import|export) {TARGET}", "bgp.vrf.export-target", TENANTS),
)

POLICY = (
    LineKind(
        (), rf"ip prefix-list {NAME} seq {NUMBER} permit {PREFIX_IPV4}(?: le \d{{1,2}})?", "prefix-list.entry", PREFIXES
    ),
    LineKind(
        (),
        rf"ipv6 prefix-list {NAME} seq {NUMBER} permit {PREFIX_IPV6}(?: le \d{{1,3}})?",
        "prefix-list.entry",
        PREFIXES,
    ),
    LineKind(
        (),
        rf"bgp community-list standard {NAME} seq {NUMBER} permit {COMMUNITY}",
        "community-list.member",
        COMMUNITIES,
    ),
    LineKind(
        (),
        rf"bgp extcommunity-list standard {NAME} seq {NUMBER} permit rt {TARGET}",
        "route-target-list.member",
        COMMUNITIES,
    ),
    LineKind((), STATEMENT[0], "route-map.statement", MAPS),
    LineKind(STATEMENT, rf"match community {NAME}", "route-map.statement", MAPS),
    LineKind(STATEMENT, rf"match extcommunity {NAME}", "route-map.statement", MAPS),
    LineKind(STATEMENT, rf"match ip address prefix-list {NAME}", "route-map.statement", MAPS),
    LineKind(STATEMENT, rf"match ipv6 address prefix-list {NAME}", "route-map.statement", MAPS),
    LineKind(STATEMENT, rf"set community {TARGET}(?: {COMMUNITY})*(?: additive)?", "route-map.statement", MAPS),
    LineKind(STATEMENT, r"set community graceful-shutdown(?: additive)?", "route-map.preference", MAPS),
    LineKind(STATEMENT, rf"set local-preference {NUMBER}", "route-map.preference", MAPS),
)

LINES: tuple[LineKind, ...] = (*TOP, *SPEAKER, *FAMILY, *VRF, *POLICY)
