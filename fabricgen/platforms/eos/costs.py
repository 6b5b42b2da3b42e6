"""Cost of each kind of change on EOS, when a configuration session replaces the whole and is committed.

One row per kind, in the order of KINDS: added, changed, removed. None: there is no such change, because the kind is
either there or not, or is never empty. Sources are named as in `templates/eos/NOTES.md` (its part "What changes cost"
gives reasons for groups of rows), or are an RFC's section or a standard's clause. A row names the worst that the change
alone may cost: nothing was typed into a switch. Where something is removed and something else comes, each is a
change of its own.
"""

from fabricgen.platforms.base.cost import NO_LINE, Cost, Risk

N, H, S, L, U, R = Risk.NONE, Risk.HITLESS, Risk.SESSION_RESET, Risk.TRAFFIC_LOSS, Risk.UNKNOWN, Risk.RELOAD

SILENT = f"templates/eos: {NO_LINE}"
"""The artifact is the same before and after, except for its remarks."""
BUFFERS = "no EOS source says that buffers and queues in use are rebuilt without loss"
BUILT = "EOS rebuilds its groups of equal paths; AVD #4920 names the command and no effect"
CLASSES = "what is in flight changes its queue, and leaves the lossless one without a pause"
ELECTED = (
    "broadcast to the segment's server is lost or comes twice while its leaves elect again; that EOS does nothing else "
    "is inferred"
)
COUNTED = "no source says that a queue in use gets its counter without being created again"
FIRST = "a map that is missing accepts, says its opening; in which order a committed session is applied is not said"
GROUP = "no source says whether EOS sends its routes again or restarts the sessions"
GROUPED = "the thread saw sessions flap whose settings moved between neighbor and group; of membership it says nothing"
HELD = "no source says what becomes of addresses that EOS holds as duplicates"
IMPORTED = "no source says how EOS puts a new map before routes that are imported already"
INTERNAL = "routed ports hold VLANs of the range; no source says what they lose when it moves"
MARKED = "packets change their queues on the way; that nothing else stops was read nowhere"
MOVED = "flows move to other paths that forward already; that EOS writes the seed alone is inferred"
PATHS = "a narrower group loses paths, and no source says how EOS builds the other"
PLACED = (
    "flows move to where they are placed next; no source says what they lose, or whether a change forgets all of them"
)
POLICY = "what is denied from now on is withdrawn, and the kind does not say which way it went"
REPLACED = "no source says that the new next hop is there before the old one goes"
ROUTED = "a port that turns from routed to switched loses its address; other roles differ by no line"
THRESHOLDS = "seen on the same chips under another system; that EOS writes the change alone is inferred"
PAUSED = "no source says whether a session below its limit falls when its action changes to a warning or a pause"
SECURED = "no source says whether EOS forgets the addresses that it has learned"
TRACKING = "a group that sees too few of its uplinks takes the server ports down, for `recovery delay` at least"
TTL = "EOS's own words were not found; a TTL is set when the connection is made"

COSTS: tuple[Cost, ...] = (
    Cost("device", H, None, L, "RFC 4271 section 8.2.2"),
    Cost("device.name", None, N, None, "IEEE 802.1AB clause 8.5.6"),
    Cost("device.site", N, N, N, SILENT),
    Cost("device.fabric", N, N, N, SILENT),
    Cost("device.place", L, L, L, "PyAVD 6.4.0", "another role is another configuration, most of it new"),
    Cost("device.model", R, R, R, "EOS manual, upgrades", "another model is another switch, which has to boot"),
    Cost("device.spelling", U, U, U, "", "words of a hardware file can be any line of the configuration"),
    Cost("device.system", R, R, R, "EOS manual, upgrades"),
    Cost("device.version", R, R, R, "EOS manual, upgrades"),
    Cost("device.state", H, H, H, "RFC 8326 section 4"),
    Cost("device.derived", None, U, None, "", INTERNAL),
    Cost("management.port", N, N, N, "PyAVD 6.4.0"),
    Cost("management.vrf", N, N, N, "PyAVD 6.4.0"),
    Cost("management.address", N, N, N, "PyAVD 6.4.0"),
    Cost("management.gateway", N, N, N, "PyAVD 6.4.0"),
    Cost("management.domain", N, N, N, "PyAVD 6.4.0"),
    Cost("management.dns", N, N, N, "PyAVD 6.4.0"),
    Cost("management.ntp", N, N, N, "PyAVD 6.4.0"),
    Cost("management.syslog", N, N, N, "PyAVD 6.4.0"),
    Cost("management.user", N, N, N, "PyAVD 6.4.0"),
    Cost("management.tacacs", N, N, N, "PyAVD 6.4.0"),
    Cost("management.snmp", N, N, N, "PyAVD 6.4.0"),
    Cost("management.gnmi", N, N, N, "PyAVD 6.4.0"),
    Cost("management.eapi", N, N, N, "PyAVD 6.4.0"),
    Cost("management.access", N, N, N, "PyAVD 6.4.0"),
    Cost("management.login", N, N, N, "PyAVD 6.4.0"),
    Cost("management.lldp", N, N, N, "IEEE 802.1AB clause 6"),
    Cost("management.sflow", N, N, N, "TOI sFlow"),
    Cost("interface", H, None, L, "PyAVD 6.4.0; IEEE 802.3 clause 46.3.4"),
    Cost("interface.description", N, N, N, "PyAVD 6.4.0"),
    Cost("interface.enabled", H, None, L, "IEEE 802.3 clause 46.3.4"),
    Cost("interface.role", L, L, L, "PyAVD 6.4.0", ROUTED),
    Cost("interface.mtu", L, L, L, "EOS MTU behavior; RFC 8200 section 5"),
    Cost("interface.speed", L, L, L, "IEEE 802.3 clause 46.3.4; IEEE 802.3 clause 119.2"),
    Cost("interface.fec", L, L, L, "IEEE 802.3 clause 91.5; IEEE 802.3 clause 119.2"),
    Cost("interface.qos", L, L, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("interface.sflow", N, None, N, "TOI sFlow"),
    Cost("interface.tracking", L, L, H, "PyAVD 6.4.0; AVD #1043", TRACKING),
    Cost("interface.unnumbered", H, None, L, "RFC 4291 section 2.1; RFC 4271 section 8.2.2"),
    Cost("interface.vrf", L, L, L, "RFC 4364 section 3.2"),
    Cost("interface.ipv4", H, L, L, "RFC 4271 section 8.2.2"),
    Cost("interface.ipv6", H, L, L, "RFC 4271 section 8.2.2; RFC 4291 section 2.1"),
    Cost("interface.lag", L, L, L, "IEEE 802.1AX clause 6.4"),
    Cost("interface.access-vlan", L, L, L, "IEEE 802.1Q clause 6.9"),
    Cost("interface.trunk-vlan", H, None, L, "IEEE 802.1Q clause 8.8"),
    Cost("interface.bpdu-guard", H, None, H, "DISA STIG"),
    Cost("interface.storm-control", H, H, H, "TOI storm control"),
    Cost("interface.ra-guard", N, N, N, SILENT),
    Cost("interface.mac-limit", U, U, U, "PyAVD 6.4.0", SECURED),
    Cost("interface.headroom", N, N, N, SILENT),
    Cost("interface.peer", H, L, L, "IEEE 802.3 clause 46.3.4"),
    Cost("interface.length", N, N, N, SILENT),
    Cost("interface.dead", N, N, N, SILENT),
    Cost("lag", H, None, L, "IEEE 802.1AX clause 6.4"),
    Cost("lag.description", N, N, N, "PyAVD 6.4.0"),
    Cost("lag.access-vlan", L, L, L, "IEEE 802.1Q clause 6.9"),
    Cost("lag.trunk-vlan", H, None, L, "IEEE 802.1Q clause 8.8"),
    Cost("lag.bpdu-guard", H, None, H, "DISA STIG"),
    Cost("lag.storm-control", H, H, H, "TOI storm control"),
    Cost("lag.ra-guard", N, N, N, SILENT),
    Cost("lag.mac-limit", U, U, U, "PyAVD 6.4.0", SECURED),
    Cost("lag.mtu", N, N, N, SILENT),
    Cost("lag.esi", L, L, L, "RFC 7432 section 8.5"),
    Cost("lag.df-preference", L, L, L, "RFC 7432 section 8.5", ELECTED),
    Cost("lag.system-id", S, S, S, "IEEE 802.1AX clause 6.4"),
    Cost("lag.fallback", H, None, L, "featureprofiles"),
    Cost("lag.tracking", L, L, H, "PyAVD 6.4.0; AVD #1043", TRACKING),
    Cost("lag.member", H, None, L, "IEEE 802.1AX clause 6.4"),
    Cost("subinterface", H, None, L, "IEEE 802.1Q clause 6.9; RFC 4271 section 8.2.2"),
    Cost("subinterface.description", N, N, N, "PyAVD 6.4.0"),
    Cost("subinterface.vrf", L, L, L, "RFC 4364 section 3.2"),
    Cost("subinterface.ipv4", H, L, L, "RFC 4271 section 8.2.2"),
    Cost("subinterface.ipv6", H, L, L, "RFC 4271 section 8.2.2; RFC 4291 section 2.1"),
    Cost("subinterface.mtu", N, N, N, SILENT),
    Cost("loopback", H, None, L, "RFC 4271 section 8.2.2"),
    Cost("loopback.description", N, N, N, "PyAVD 6.4.0"),
    Cost("loopback.ipv4", H, L, L, "RFC 4271 section 8.2.2"),
    Cost("loopback.ipv6", H, L, L, "RFC 4271 section 8.2.2; RFC 4291 section 2.1"),
    Cost("loopback.vrf", L, L, L, "RFC 4364 section 3.2"),
    Cost("prefix-list", H, None, L, "RFC 2918 section 4; TOI route map"),
    Cost("prefix-list.entry", H, L, L, "RFC 2918 section 4; netlab policy template"),
    Cost("community-list", H, None, L, "RFC 2918 section 4; TOI route map"),
    Cost("community-list.member", L, L, L, "RFC 2918 section 4", POLICY),
    Cost("route-target-list", H, None, L, "RFC 4364 section 4.3.1; TOI route map"),
    Cost("route-target-list.member", L, L, L, "RFC 4364 section 4.3.1", POLICY),
    Cost("paths-list", N, N, N, SILENT),
    Cost("route-map", H, None, L, "RFC 2918 section 4; TOI route map"),
    Cost("route-map.statement", L, L, L, "RFC 2918 section 4; netlab policy template", POLICY),
    Cost(
        "route-map.preference",
        H,
        H,
        H,
        "RFC 2918 section 4; RFC 8326 section 4; netlab policy template; featureprofiles",
    ),
    Cost("route-map.first-use", U, None, None, "TOI route map", FIRST),
    Cost("static-route", H, None, L, "RFC 4271 section 9.1.2.1"),
    Cost("static-route.next-hop", L, L, L, "RFC 4271 section 9.1.2.1", REPLACED),
    Cost("bgp.asn", L, L, L, "RFC 4271 section 4.2; TOI list 4.31.2F"),
    Cost("bgp.router-id", S, S, S, "RFC 4271 section 4.2; EOS manual, smart upgrade"),
    Cost("bgp.timers", S, S, S, "RFC 4271 section 4.2; featureprofiles"),
    Cost("bgp.maximum-paths", L, L, L, "RFC 2992 section 3", PATHS, raised=H),
    Cost("bgp.overlay-paths", L, L, L, "RFC 2992 section 3", PATHS, raised=H),
    Cost(
        "bgp.wait-install", U, None, H, "AVD #2855", "what EOS does with routes that were announced before is not said"
    ),
    Cost("bgp.family", S, None, L, "RFC 4760 section 8; RFC 5492 section 3"),
    Cost("bgp.network", H, L, L, "RFC 4271 section 4.3"),
    Cost("bgp.group", H, None, S, "RFC 4271 section 6.7"),
    Cost("bgp.group.description", N, N, N, "PyAVD 6.4.0"),
    Cost("bgp.group.family", S, S, S, "RFC 4760 section 8; RFC 5492 section 3; EOS manual, smart upgrade"),
    Cost(
        "bgp.group.route-map-in",
        L,
        H,
        L,
        "RFC 2918 section 4; EOS manual, configure session; netlab policy template; featureprofiles",
    ),
    Cost(
        "bgp.group.route-map-out",
        L,
        H,
        L,
        "RFC 4271 section 9.1.3; EOS manual, configure session; netlab policy template; featureprofiles",
    ),
    Cost("bgp.group.maximum-routes", S, S, S, "RFC 4271 section 6.7; featureprofiles", raised=H),
    Cost("bgp.group.restart", U, U, U, "PyAVD 6.4.0", PAUSED),
    Cost("bgp.group.bfd", H, None, S, "RFC 5882 section 3.3; FRR issue 4133"),
    Cost("bgp.group.extended-communities", U, None, L, "RFC 4360 section 2", GROUP),
    Cost("bgp.group.update-source", S, S, S, "RFC 4271 section 8.2.2"),
    Cost("bgp.group.multihop", S, S, S, "github.com/osrg/gobgp pull request 3191", TTL),
    Cost("bgp.group.next-hop-unchanged", U, None, L, "RFC 4271 section 5.1.3", GROUP),
    Cost(
        "bgp.group.extended-next-hop", S, None, S, "RFC 8950 section 4; RFC 5492 section 3; EOS manual, smart upgrade"
    ),
    Cost("bgp.group.ttl-security", S, S, S, "RFC 5082 section 3; github.com/osrg/gobgp pull request 3191", TTL),
    Cost("bgp.group.password", S, S, S, "RFC 2385 section 2; featureprofiles"),
    Cost("bgp.neighbor", H, None, S, "RFC 4271 section 6.7"),
    Cost("bgp.neighbor.description", N, N, N, "PyAVD 6.4.0"),
    Cost("bgp.neighbor.group", S, S, S, "AVD #1139", GROUPED),
    Cost("bgp.neighbor.remote-as", S, S, S, "RFC 4271 section 4.2; AVD #1139"),
    Cost(
        "bgp.neighbor.route-map-in",
        H,
        H,
        H,
        "RFC 2918 section 4; RFC 8326 section 4; netlab policy template; featureprofiles",
    ),
    Cost(
        "bgp.neighbor.route-map-out",
        H,
        H,
        H,
        "RFC 4271 section 9.1.3; RFC 8326 section 4; netlab policy template; featureprofiles",
    ),
    Cost("bgp.vrf", H, None, L, "RFC 4364 section 3.2"),
    Cost("bgp.vrf.rd", L, L, L, "RFC 4364 section 4.1"),
    Cost("bgp.vrf.import-target", H, L, L, "RFC 4364 section 4.3.1"),
    Cost("bgp.vrf.export-target", H, L, L, "RFC 4364 section 4.3.1"),
    Cost("bgp.vrf.import", H, L, L, "RFC 4364 section 4.3.1"),
    Cost("bgp.vrf.import-map", U, U, L, "RFC 4364 section 4.3.1", IMPORTED),
    Cost("bgp.vrf.network", H, L, L, "RFC 4271 section 4.3"),
    Cost("bgp.vrf.neighbor", H, None, S, "RFC 4271 section 6.7"),
    Cost("bgp.vrf.neighbor.description", N, N, N, "PyAVD 6.4.0"),
    Cost("bgp.vrf.neighbor.remote-as", S, S, S, "RFC 4271 section 4.2; AVD #1139"),
    Cost("bgp.vrf.neighbor.route-map", L, H, L, "RFC 2918 section 4; netlab policy template; featureprofiles"),
    Cost("bgp.vrf.neighbor.maximum-routes", S, S, S, "RFC 4271 section 6.7; featureprofiles", raised=H),
    Cost("bgp.vrf.neighbor.restart", U, U, U, "PyAVD 6.4.0", PAUSED),
    Cost("bgp.vrf.neighbor.password", S, S, S, "RFC 2385 section 2; featureprofiles"),
    Cost("evpn", H, None, L, "RFC 8365 section 5.1.3"),
    Cost("evpn.vtep", L, L, L, "RFC 8365 section 5.1.3"),
    Cost("evpn.gateway-mac", H, L, L, "RFC 9135 section 4.1"),
    Cost("evpn.mtu", N, N, N, SILENT),
    Cost("evpn.marks", L, None, L, "RFC 6040 section 4; RFC 2983 section 3", MARKED),
    Cost("evpn.multihomed", N, N, N, SILENT),
    Cost("evpn.duplicate-mac", U, U, U, "PyAVD 6.4.0", HELD),
    Cost("evpn.vlan", H, None, L, "RFC 7432 section 6.1; RFC 8365 section 5.1.2"),
    Cost("evpn.vlan.name", N, N, N, "PyAVD 6.4.0"),
    Cost("evpn.vlan.vni", L, L, L, "RFC 8365 section 5.1.3"),
    Cost("evpn.vlan.rd", L, L, L, "RFC 7432 section 7.9"),
    Cost("evpn.vlan.route-target", L, L, L, "RFC 7432 section 7.10"),
    Cost("evpn.vlan.vrf", L, L, L, "RFC 9135 section 4.1"),
    Cost("evpn.vlan.macs", N, N, N, SILENT),
    Cost("evpn.gateway", H, None, L, "RFC 9135 section 4.1"),
    Cost("evpn.gateway.description", N, N, N, "PyAVD 6.4.0"),
    Cost("evpn.gateway.vrf", L, L, L, "RFC 9135 section 4.1"),
    Cost("evpn.gateway.ipv4", H, L, L, "RFC 9135 section 4.1"),
    Cost("evpn.gateway.ipv6", H, L, L, "RFC 9135 section 4.1"),
    Cost("evpn.gateway.relay", H, L, L, "TOI DHCP relay in EVPN; RFC 2131 section 4.1"),
    Cost("evpn.gateway.relay-source", H, H, L, "TOI DHCP relay in EVPN; RFC 2131 section 4.1"),
    Cost("evpn.gateway.mtu", L, L, L, "EOS MTU behavior; RFC 8200 section 5"),
    Cost("evpn.vrf", H, None, L, "RFC 9136 section 4.4"),
    Cost("evpn.vrf.vni", L, L, L, "RFC 9136 section 4.4"),
    Cost("evpn.vrf.id", N, N, N, SILENT),
    Cost("qos", L, None, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.marking", N, N, N, SILENT),
    Cost("qos.classification", L, L, L, "IEEE 802.1Q clause 36", CLASSES),
    Cost("qos.queue-map", L, L, L, "IEEE 802.1Q clause 36", CLASSES),
    Cost("qos.profile", H, L, L, "PyAVD 6.4.0; IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.pfc", L, L, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.queue", L, L, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.scheduling", L, H, L, "IEEE 802.1Q clause 8.6.8; sonic-buildimage #9828", THRESHOLDS),
    Cost("qos.ecn", U, H, L, "RFC 3168 section 5; sonic-mgmt", THRESHOLDS),
    Cost("qos.headroom", L, L, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.headroom-row", N, N, N, SILENT),
    Cost("qos.headroom-pool", L, L, L, "IEEE 802.1Q clause 36", BUFFERS),
    Cost("qos.alpha", L, L, L, "", BUFFERS),
    Cost("qos.resume", N, N, N, SILENT),
    Cost("qos.watchdog", U, H, L, "RoCEv2 write-up; sonic-mgmt", THRESHOLDS),
    Cost("load-balancing.mode", L, L, L, "RFC 2992 abstract", BUILT),
    Cost("load-balancing.seed", U, H, U, "EOS manual, IPv4; FBOSS #1105", MOVED),
    Cost("load-balancing.flowlet-gap", N, N, N, SILENT),
    Cost("load-balancing.cluster", U, U, U, "", PLACED),
    Cost("telemetry.ecn-counters", U, None, U, "PyAVD 6.4.0; AMD guide", COUNTED),
    Cost("telemetry.queue-monitor", N, N, N, "EOS manual, LANZ"),
    Cost("telemetry.queue-threshold", N, N, N, "EOS manual, LANZ; AVD #2794"),
    Cost("telemetry.queue-latency", N, None, N, "AVD #3042"),
    Cost("telemetry.queue-streaming", N, N, N, "EOS manual, LANZ"),
    Cost("telemetry.capture", N, None, N, "AVD #4906"),
    Cost("telemetry.load-interval", N, N, N, "PyAVD 6.4.0"),
    Cost("raw", U, U, U, "", "lines of the user's own"),
)
