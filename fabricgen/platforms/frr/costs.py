"""Cost of each kind of change on FRR 8.4 on Linux, with its source.

One row per kind, in the order of KINDS: added, changed, removed. None: the platform does not have this change, because
a capability refuses it, or because the kind has no such change. frr-reload.py makes the change in frr.conf: for a
changed line it sends `no` and the old line, then the new one. `ifreload -a` applies differences in interfaces and takes
down what left the file. For each other file its service is restarted. `[seen]`: done to running daemons or a kernel.
`templates/frr/NOTES.md` explains the rows by group, under "What changes cost".
"""

from collections.abc import Mapping

from fabricgen.changes.kinds.catalogue import KINDS
from fabricgen.platforms.base.cost import NO_LINE, Cost, Risk

N, H, S, L, R = Risk.NONE, Risk.HITLESS, Risk.SESSION_RESET, Risk.TRAFFIC_LOSS, Risk.RELOAD

REFUSED = "platforms/frr/capabilities.py refuses"
SILENT = f"templates/frr: {NO_LINE}"
BOX = "templates/frr: a file of a service beside the forwarding: chrony, rsyslog, lldpd, resolv.conf"
MANAGED = "templates/frr/interfaces-management.j2: a port and VRF of their own, which nothing of the fabric uses"
ALIAS = "templates/frr/interfaces-ports.j2; ifupdown2 3.0.0 addons/address.py: `ip link set alias`"
DESCRIPTION = "FRR 8.4.4 bgpd/bgpd.c peer_description_set: a string, no session is touched [seen]"
NAMED = "FRR 8.4.4 lib/command.c cmd_hostname_set; sessions stood [seen]"
DRAINED = "RFC 8326 section 4; what it writes are changes of their own"
BOXED = "another model or system is another switch, which has to boot"
UPGRADED = "Debian package frr: an upgrade restarts every daemon of FRR"

TAKEN_DOWN = "ifupdown2 3.0.0 ifupdownmain.py _reload_default: what left the file is taken down"
LINK = "ifupdown2 3.0.0 addons/link.py, link-down; FRR 8.4.4 bgpd/bgp_zebra.c bgp_ifp_down"
MTU = "Linux drivers, ndo_change_mtu: many reopen the port (i40e_change_mtu, stmmac_change_mtu); RFC 8200 section 5"
TOO_BIG = "RFC 1191 section 3, RFC 8200 section 5: what is larger than the lower MTU is dropped"
PHY = "ifupdown2 3.0.0 addons/ethtool.py do_speed_settings, do_fec_settings; IEEE 802.3 clauses 91, 119: the link falls"
ADDRESS = (
    "ifupdown2 3.0.0 addons/address.py process_addresses: deletes first; the kernel drops routes and sessions of it"
)
VIDS = "ifupdown2 3.0.0 addons/bridge.py _apply_bridge_vids_and_pvid: deletes what is not wanted, then adds"
CABLE = "IEEE 802.3 clause 46.3.4: a cable that is moved is a link that falls"
VRF_PORT = (
    "ifupdown2 3.0.0 addons/vrf.py _up_vrf_slave; FRR 8.4.4 zebra/interface.c if_handle_vrf_change: routes go first"
)
VRF_DELETED = "ifupdown2 3.0.0 addons/vrf.py _down_vrf_dev; FRR 8.4.4 bgpd/bgp_evpn.c bgp_evpn_local_l3vni_del"

DELAY = "FRR 8.4.4 bgpd/bgp_routemap.c bgp_route_map_mark_update: 5 s after the last line, by route refresh [seen]"
DENIED = "FRR 8.4.4 lib/routemap.c route_map_apply: what no statement permits is denied; routes went [seen]"
NO_MAP = (
    "a map that is named and not there denies all: withdrawn after five seconds [measured, tests/lab/risk_probe.py]"
)
NO_LIST = "FRR 8.4.4 bgpd/bgp_routemap.c route_match_community, route_match_ecommunity: no match without a list"
LATE = (
    "frr-reload.py names a new map before it makes it; bgp_route.c bgp_input_modifier denies, 5 s: routes went [seen]"
)
ANNOUNCED = "FRR 8.4.4 bgpd/bgp_route.c bgp_announce_route waits 100 ms, which many lines outlast [seen]"
AGAIN = "when routes go over a switch again, 2 to 3 of 1600 packets were lost [measured, tests/lab/risk_probe.py]"
EXISTING = (
    "a drained session's maps exist before (resolve/policy.py); FRR 8.4.4 bgpd/bgpd.c peer_on_policy_change [seen]"
)
BACK = "FRR 8.4.4 bgpd/bgpd.c peer_on_policy_change: a route refresh under a map that is there [seen]"
STATIC = "FRR 8.4.4 staticd, zebra/rib: installed in place [seen]; one that goes takes its traffic"
REROUTED = (
    "frr-reload.py deletes the old route before it adds the new one: 1 of 535 packets lost [measured, risk_probe.py]"
)

NO_ROUTER_BGP = (
    "FRR 8.4.4 bgpd/bgp_vty.c no_router_bgp: refused while an L3 VNI is there; else all sessions and routes go [seen]"
)
ROUTER_ID = "FRR 8.4.4 bgpd/bgpd.c bgp_router_id_set: CEASE to every peer [seen]"
TIMERS = "RFC 4271 section 4.2: agreed in OPEN; FRR 8.4.4 bgpd/bgpd.c bgp_timers_set leaves sessions as they are [seen]"
PATHS = "FRR 8.4.4 bgpd/bgp_vty.c bgp_maxpaths_config_vty: best paths are computed again, no session falls [seen]"
PENDING = (
    "FRR 8.4.4 bgpd/bgp_route.h bgp_check_withdrawal: what was installed before is withdrawn when next announced [seen]"
)
NETWORK = "FRR 8.4.4 bgpd/bgp_route.c bgp_static_set, bgp_static_withdraw; RFC 4271 section 9.4"
GROUP = "FRR 8.4.4 bgpd/bgp_vty.c no_neighbor, bgpd.c peer_group_delete: a group that goes takes its members"
FAMILY = "FRR 8.4.4 bgpd/bgpd.c peer_activate_af, non_peergroup_deactivate_af: CEASE to what is established [seen]"
GUARD = "platforms/linux/interfaces.py guard: packets of addresses beyond the limit are dropped, others are not [seen]"
PAUSE = "FRR 8.4.4 bgpd/bgpd.c peer_maximum_prefix_set: only a session that has more than its limit is closed"
MAXIMUM = "FRR 8.4.4 bgpd/bgp_route.c bgp_maximum_prefix_overflow: a session that has more falls at once"
BFD = "templates/frr/daemons.j2: bfdd comes or goes with it, by a restart of FRR; alone the line is hitless [seen]"
EXTENDED = (
    "RFC 8950 section 4: a capability of the OPEN; FRR 8.4.4 bgpd/bgpd.c peer_flag_action_list: peer_change_reset"
)
SOURCE = "FRR 8.4.4 bgpd/bgpd.c peer_update_source_addr_set: CEASE to every member [seen]"
TTL = "FRR 8.4.4 bgpd/bgpd.c peer_ebgp_multihop_set: CEASE to every member [seen]"
TTL_CHECK = (
    "FRR 8.4.4 bgpd/bgpd.c peer_ttl_security_hops_set: CEASE to every member [seen]; the session stays down while the "
    "far end sends another TTL than 255 [seen]"
)
PEER = "FRR 8.4.4 bgpd/bgpd.c peer_remote_as, bgp_vty.c no_neighbor: a peer that goes gets a CEASE [seen]"
REBOUND = "FRR 8.4.4 bgpd/bgp_vty.c no_neighbor_set_peer_group: deletes the peer; it is made again [seen]"
REMOTE_AS = (
    "FRR 8.4.4 bgpd/bgp_vty.c no_neighbor: `no neighbor ... remote-as` deletes the peer; it is made again [seen]"
)
PASSWORD = "FRR 8.4.4 bgpd/bgpd.c peer_password_set, peer_password_unset: CEASE"  # noqa: S105 - a citation
VRF_RD = "FRR 8.4.4 bgpd/bgp_evpn.c bgp_evpn_handle_vrf_rd_change: withdraws every route, then announces"
VRF_RT = "FRR 8.4.4 bgpd/bgp_evpn.c bgp_evpn_unconfigure_import_rt_for_vrf: uninstalls every route, then installs"
OWN_RT = "templates/frr/frr-bgp-vrfs.j2: only the own target is written, as the export target"
IMPORT = "FRR 8.4.4 bgpd/bgp_mplsvpn.c vrf_unimport_from_vrf: withdraws all leaked routes, then leaks again"
IMPORT_MAP = (
    "FRR 8.4.4 bgpd/bgp_mplsvpn.h vpn_leak_prechange: withdraws all leaked routes; without a map, all are leaked"
)
CONNECTED = "templates/frr/frr-bgp-vrfs.j2: `redistribute connected` takes what its map permits"

VTEP = "FRR 8.4.4 bgpd/bgp_evpn.c handle_tunnel_ip_change; ifupdown2 3.0.0 addons/vxlan.py: another source address"
DUPLICATES = "FRR 8.4.4 bgpd/bgp_evpn_vty.c dup_addr_detection: zebra counts by other numbers; no session is touched"
NEW_MAC = "RFC 9135 section 4.1; RFC 826: hosts hold the old MAC until they ask again"
VNI = "FRR 8.4.4 bgpd/bgp_evpn.c bgp_evpn_local_vni_add, bgp_evpn_local_vni_del; RFC 7432 section 11"
VLAN_RD = "FRR 8.4.4 bgpd/bgp_evpn_vty.c evpn_configure_rd: withdraws every route of the VNI, then announces"
VLAN_RT = "FRR 8.4.4 bgpd/bgp_evpn_vty.c evpn_unconfigure_import_rt: uninstalls every route of the VNI, then installs"
L3VNI = "FRR 8.4.4 zebra/zebra_vxlan.c zebra_vxlan_process_vrf_vni_cmd: removed with its next hops, then added"
MARKS = "templates/frr/interfaces-vxlan.j2: `ip link set ... tos inherit` on a device that exists; it stays up [seen]"
MOVED = "an L3 VNI whose VLAN makes way: 160 to 416 packets of 1600 a second lost, 5 of 5 times [measured, Linux 6.1]"
L3VLAN = "platforms/linux/interfaces.py l3_vlans: another VLAN; ifupdown2 3.0.0 takes the old device down"
RELAY = (
    "templates/frr/dhcp-relay.j2, restarted; RFC 2131 section 4.1: clients ask again, but nobody whom no relay serves"
)
FILTERED = "nft(8): a file is one transaction; sessions of planned neighbors stay [measured, Linux 6.1: tests/uml]"

UNSUPPORTED: Mapping[str, str] = {
    "users": "management.user",
    "aaa": "management.tacacs",
    "login-banner": "management.login",
    "snmp": "management.snmp",
    "gnmi": "management.gnmi",
    "sflow": "management.sflow interface.sflow",
    "pfc": "interface.qos qos qos.marking qos.classification qos.queue-map qos.profile qos.pfc qos.queue "
    "qos.scheduling qos.alpha qos.resume",
    "uplink-tracking": "interface.tracking lag.tracking",
    "esi-multihoming": "interface.lag lag lag.description lag.access-vlan lag.trunk-vlan lag.bpdu-guard "
    "lag.storm-control lag.ra-guard lag.mac-limit lag.mtu lag.esi lag.df-preference lag.system-id lag.member",
    "bpdu-guard": "interface.bpdu-guard",
    "storm-control": "interface.storm-control",
    "headroom": "interface.headroom qos.headroom qos.headroom-row qos.headroom-pool",
    "lacp-fallback": "lag.fallback",
    "ecn": "qos.ecn",
    "pfc-watchdog": "qos.watchdog",
    "ecmp-queue-pair and dlb-flowlet and dlb-global and dlb-per-packet and cluster": "load-balancing.mode",
    "dlb-flowlet and dlb-global": "load-balancing.flowlet-gap",
    "cluster": "load-balancing.cluster",
    "ecn-counters": "telemetry.ecn-counters",
    "queue-monitor": "telemetry.queue-monitor telemetry.queue-threshold",
    "queue-latency": "telemetry.queue-latency",
    "queue-streaming": "telemetry.queue-streaming",
    "congestion-capture": "telemetry.capture",
    "load-interval": "telemetry.load-interval",
}
"""Features that platforms/frr/capabilities.py refuses → the kinds that no switch without them has."""

SUPPORTED = (
    Cost("device", H, None, L, "RFC 4271 section 8.2.2"),
    Cost("device.name", N, N, N, NAMED),
    Cost("device.site", N, N, N, "templates/frr/frr-header.j2: a remark"),
    Cost("device.fabric", N, N, N, "templates/frr/frr-header.j2: a remark"),
    Cost("device.place", L, L, L, "", "another role has other cables and addresses"),
    Cost("device.model", R, R, R, "", BOXED),
    Cost("device.spelling", N, N, N, SILENT),
    Cost("device.system", R, R, R, "", BOXED),
    Cost("device.version", R, R, R, UPGRADED),
    Cost("device.state", H, H, H, DRAINED),
    Cost("device.derived", H, L, L, f"{MOVED}; a VRF of another name: {VRF_DELETED}"),
    Cost("management.port", N, N, N, MANAGED),
    Cost("management.vrf", N, N, N, MANAGED),
    Cost("management.address", N, N, N, MANAGED),
    Cost("management.gateway", N, N, N, MANAGED),
    Cost("management.domain", N, N, N, BOX),
    Cost("management.dns", N, N, N, BOX),
    Cost("management.ntp", N, N, N, BOX),
    Cost("management.syslog", N, N, N, BOX),
    Cost("management.eapi", N, N, N, SILENT),
    Cost("management.lldp", N, N, N, BOX),
    Cost("management.access", H, H, H, FILTERED),
    Cost("interface", H, None, L, TAKEN_DOWN),
    Cost("interface.description", N, N, N, ALIAS),
    Cost("interface.enabled", H, None, L, LINK),
    Cost("interface.role", N, N, N, f"{SILENT}; addresses, VLANs and MTU that go with it are changes of their own"),
    Cost("interface.mtu", L, L, L, MTU),
    Cost("interface.speed", L, L, L, PHY),
    Cost("interface.fec", L, L, L, PHY),
    Cost("interface.unnumbered", N, None, N, SILENT),
    Cost("interface.vrf", L, L, L, VRF_PORT),
    Cost("interface.ipv4", H, L, L, ADDRESS),
    Cost("interface.ipv6", H, L, L, ADDRESS),
    Cost("interface.access-vlan", H, L, L, VIDS),
    Cost("interface.trunk-vlan", H, L, L, VIDS),
    Cost("interface.ra-guard", H, None, H, GUARD),
    Cost("interface.mac-limit", L, L, H, GUARD, raised=H),
    Cost("interface.peer", H, L, L, CABLE),
    Cost("interface.length", N, N, N, SILENT),
    Cost("interface.dead", N, N, N, SILENT),
    Cost("subinterface", H, None, L, TAKEN_DOWN),
    Cost("subinterface.description", N, N, N, ALIAS),
    Cost("subinterface.vrf", L, L, L, VRF_PORT),
    Cost("subinterface.ipv4", H, L, L, ADDRESS),
    Cost("subinterface.ipv6", H, L, L, ADDRESS),
    Cost("subinterface.mtu", L, L, L, TOO_BIG),
    Cost("loopback", H, None, L, ADDRESS),
    Cost("loopback.description", N, N, N, SILENT),
    Cost("loopback.ipv4", H, L, L, ADDRESS),
    Cost("loopback.ipv6", H, L, L, ADDRESS),
    Cost("loopback.vrf", L, L, L, ADDRESS),
    Cost("prefix-list", H, None, L, DENIED),
    Cost("prefix-list.entry", H, H, L, f"{DELAY}; {DENIED}"),
    Cost("community-list", H, None, L, f"{NO_LIST}: its preference goes; {AGAIN}"),
    Cost("community-list.member", H, H, L, f"{DELAY}; {AGAIN}"),
    Cost("route-target-list", H, None, L, f"{NO_LIST}; {DENIED}"),
    Cost("route-target-list.member", L, L, L, f"{DELAY}; {DENIED}"),
    Cost("paths-list", H, H, L, f"{NO_LIST}: its preference goes; {AGAIN}"),
    Cost("route-map", H, None, L, f"{DELAY}; {NO_MAP}"),
    Cost("route-map.statement", H, L, L, f"{DELAY}; {DENIED}"),
    Cost("route-map.preference", H, H, L, f"{DELAY}; RFC 8326 section 4; {AGAIN}"),
    Cost("route-map.first-use", L, None, None, f"{LATE}; {ANNOUNCED}"),
    Cost("static-route", H, None, L, STATIC),
    Cost("static-route.next-hop", L, L, L, REROUTED),
    Cost("bgp.asn", R, R, R, NO_ROUTER_BGP),
    Cost("bgp.router-id", S, S, S, ROUTER_ID),
    Cost("bgp.timers", H, H, H, TIMERS),
    Cost("bgp.maximum-paths", H, H, H, PATHS),
    Cost("bgp.overlay-paths", H, H, H, PATHS),
    Cost("bgp.wait-install", L, None, H, PENDING),
    Cost("bgp.family", H, H, L, NETWORK),
    Cost("bgp.network", H, H, L, NETWORK),
    Cost("bgp.group", H, None, S, GROUP),
    Cost("bgp.group.description", N, N, N, DESCRIPTION),
    Cost("bgp.group.family", S, S, S, FAMILY),
    Cost("bgp.group.route-map-in", H, H, H, BACK),
    Cost("bgp.group.route-map-out", H, H, H, BACK),
    Cost("bgp.group.maximum-routes", S, S, H, MAXIMUM, raised=H),
    Cost("bgp.group.restart", H, H, H, PAUSE),
    Cost("bgp.group.bfd", R, None, R, BFD),
    Cost("bgp.group.extended-communities", N, None, N, SILENT),
    Cost("bgp.group.update-source", S, S, S, SOURCE),
    Cost("bgp.group.multihop", S, S, S, TTL),
    Cost("bgp.group.next-hop-unchanged", N, None, N, SILENT),
    Cost("bgp.group.extended-next-hop", S, None, S, EXTENDED),
    Cost("bgp.group.ttl-security", S, S, S, TTL_CHECK),
    Cost("bgp.group.password", S, S, S, PASSWORD),
    Cost("bgp.neighbor", H, None, S, PEER),
    Cost("bgp.neighbor.description", N, N, N, DESCRIPTION),
    Cost("bgp.neighbor.group", S, S, S, REBOUND),
    Cost("bgp.neighbor.remote-as", S, S, S, REMOTE_AS),
    Cost("bgp.neighbor.route-map-in", H, H, H, EXISTING),
    Cost("bgp.neighbor.route-map-out", H, H, H, EXISTING),
    Cost("bgp.vrf", H, None, L, VRF_DELETED),
    Cost("bgp.vrf.rd", L, L, L, VRF_RD),
    Cost("bgp.vrf.import-target", N, N, N, OWN_RT),
    Cost("bgp.vrf.export-target", L, L, L, VRF_RT),
    Cost("bgp.vrf.import", H, L, L, IMPORT),
    Cost("bgp.vrf.import-map", H, L, L, IMPORT_MAP),
    Cost("bgp.vrf.network", H, H, L, CONNECTED),
    Cost("bgp.vrf.neighbor", H, None, S, PEER),
    Cost("bgp.vrf.neighbor.description", N, N, N, DESCRIPTION),
    Cost("bgp.vrf.neighbor.remote-as", S, S, S, REMOTE_AS),
    Cost("bgp.vrf.neighbor.route-map", H, H, H, BACK),
    Cost("bgp.vrf.neighbor.maximum-routes", S, S, H, MAXIMUM, raised=H),
    Cost("bgp.vrf.neighbor.restart", H, H, H, PAUSE),
    Cost("bgp.vrf.neighbor.password", S, S, S, PASSWORD),
    Cost("evpn", H, None, L, VNI),
    Cost("evpn.vtep", L, L, L, VTEP),
    Cost("evpn.gateway-mac", L, L, L, NEW_MAC),
    Cost("evpn.mtu", L, L, L, TOO_BIG),
    Cost("evpn.marks", H, None, H, MARKS),
    Cost("evpn.multihomed", N, N, N, SILENT),
    Cost("evpn.duplicate-mac", H, H, H, DUPLICATES),
    Cost("evpn.vlan", H, None, L, f"{VNI}; {TAKEN_DOWN}"),
    Cost("evpn.vlan.name", N, N, N, SILENT),
    Cost("evpn.vlan.vni", L, L, L, f"{VNI}; {TAKEN_DOWN}"),
    Cost("evpn.vlan.rd", L, L, L, VLAN_RD),
    Cost("evpn.vlan.route-target", L, L, L, VLAN_RT),
    Cost("evpn.vlan.vrf", L, L, L, f"its gateway moves: {VRF_PORT}"),
    Cost("evpn.vlan.macs", N, N, N, SILENT),
    Cost("evpn.gateway", H, None, L, TAKEN_DOWN),
    Cost("evpn.gateway.description", N, N, N, ALIAS),
    Cost("evpn.gateway.vrf", L, L, L, VRF_PORT),
    Cost("evpn.gateway.ipv4", H, L, L, ADDRESS),
    Cost("evpn.gateway.ipv6", H, L, L, ADDRESS),
    Cost("evpn.gateway.relay", H, H, L, RELAY),
    Cost("evpn.gateway.relay-source", N, N, N, SILENT),
    Cost("evpn.gateway.mtu", L, L, L, TOO_BIG),
    Cost("evpn.vrf", H, None, L, VRF_DELETED),
    Cost("evpn.vrf.vni", L, L, L, L3VNI),
    Cost("evpn.vrf.id", L, L, L, L3VLAN),
    Cost("load-balancing.seed", N, N, N, SILENT),
    Cost("raw", Risk.UNKNOWN, Risk.UNKNOWN, Risk.UNKNOWN, "", "lines of the user's own can be any line"),
)
_REFUSED_COSTS = (
    Cost(kind, None, None, None, f"{REFUSED} {feature}")
    for feature, kinds in UNSUPPORTED.items()
    for kind in kinds.split()
)
_ORDER = [kind.name for kind in KINDS]
COSTS: tuple[Cost, ...] = tuple(sorted((*SUPPORTED, *_REFUSED_COSTS), key=lambda cost: _ORDER.index(cost.kind)))
