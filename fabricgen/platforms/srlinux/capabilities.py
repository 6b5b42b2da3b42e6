"""Capabilities of SR Linux, feature by feature, with sources; `templates/srlinux/NOTES.md` has details."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, FeatureScope, plain, without_eapi

YANG = "github.com/nokia/srlinux-yang-models 97b373e (v25.3.1)"
JUDGE = "Nokia's YANG of 25.3.1 by libyang"
NETLAB = "github.com/ipspace/netlab 771eeee, netsim/ansible/templates/*/srlinux.j2 (run against SR Linux 25.10)"
LEARN = "github.com/srl-labs/learn-srlinux 84c9427, docs/tutorials"
EXPERTS = "github.com/nokia/SReXperts cb89705, clab/configs/srl/leaf21.cfg"
PFC = "documentation.nokia.com/srlinux/25-10/books/qos/priority-based-flow-control-pfc.html, read 2026-11-22"
QOS = "documentation.nokia.com/srlinux/25-3/books/qos and 24-10/books/qos, read 2026-11-22"
EVPN_L3 = "documentation.nokia.com/srlinux/25-3/books/vpn-services/evpn-vxlan-tunnels-layer-3.html, read 2026-11-22"
SERVER = "github.com/srl-labs/containerlab 39ff2b7, nodes/srl: version_configs/grpc.cfg, eda_configs"
NO_NODE = "the models have no node for it"
NOT_FOUND = "searched 2026-11-22: Nokia's manuals, the models, public configurations"
SUMS = (
    "the models weigh paths by link bandwidth and sum it towards a peer, but no policy sets the bandwidth of a route "
    "or matches its number of paths"
)
DUPLICATES = f"{YANG}: bridge-table mac-duplication, on by default with 5 moves in 3 minutes"
HELD = "the subinterface learns no further address until the hold-down time ends"
OVERLAYS = "Nokia lists 7220 IXR-Dx for VXLAN with EVPN, but not this model"

CAPABILITIES = (
    Capability("ipv4", NETLAB, judge=JUDGE),
    Capability("ipv6", NETLAB, judge=JUDGE),
    Capability("bgp", NETLAB, judge=JUDGE),
    Capability("pfc", f"{PFC}; {YANG}", "up to 7 mapping profiles, one is used; 7220 IXR-D4, D5, H4, H5", judge=JUDGE),
    Capability("pfc-priority-map", YANG, "a forwarding class fills a PFC queue of any priority", judge=JUDGE),
    Capability(
        "ecn",
        f"{QOS}; {YANG}",
        "in octets; they must be below the limit of a PFC queue, which is a share of the buffer, not an alpha",
        judge=JUDGE,
    ),
    Capability(
        "headroom",
        f"{PFC}; {YANG}: pfc-buffer-reservation, maximum-pfc-reserved-share-bytes",
        refusal="the reserve is in percent of the packet memory, whose size is undocumented for this model",
        vouched="buffer_octets",
        judge=JUDGE,
    ),
    Capability("headroom-per-interface", YANG, "at most 104,857,600 octets", judge=JUDGE),
    Capability("headroom-pool", YANG, "in whole percent of the packet memory, rounded up", judge=JUDGE),
    Capability(
        "alpha",
        YANG,
        refusal="a PFC queue has a limit in bytes (maximum-burst-size), or one that the chip adjusts itself; "
        "fabricgen gives each an equal share of the unreserved buffer",
        instead="each queue has an equal share of the unreserved buffer",
    ),
    Capability(
        "resume-offset",
        f"{YANG}: pfc-off-threshold",
        refusal="the YANG leaf is for other chips (qos-pfc-dnx)",
        instead="the SR Linux default",
    ),
    Capability(
        "pfc-watchdog",
        YANG,
        "detection 10-1500 ms, recovery 100-1500 ms; it ignores pauses for that time and drops nothing; action notify "
        "leaves it off, its counters tell",
        judge=JUDGE,
    ),
    Capability("dscp-map", f"{QOS}; {YANG}", "64 code points to fc0-fc7", judge=JUDGE),
    Capability("dscp-remap", YANG, refusal="rewrite rules are by forwarding class for a whole port: never rendered"),
    Capability(
        "control-queue",
        f"{YANG}: system control-plane-traffic output qos has management protocols alone; {NOT_FOUND}",
        refusal="no YANG node changes the mark of its own BGP packets, which is usually CS6",
    ),
    Capability("control-queue-bfd", YANG, refusal="as BGP"),
    Capability("control-apart", NOT_FOUND, refusal="no other queue than the eight of the plan was found"),
    Capability("ecmp", EXPERTS, judge=JUDGE),
    Capability("dlb-flowlet", YANG, refusal=f"{NO_NODE} in 25.3"),
    Capability("flowlet-gap", YANG, refusal=NO_NODE),
    Capability("dlb-per-packet", YANG, refusal=f"{NO_NODE} in 25.3"),
    Capability("dlb-global", YANG, refusal=f"{NO_NODE} in 25.3"),
    Capability(
        "ecmp-queue-pair",
        f"{YANG}: hash-options of srl_nokia-load-balancing",
        refusal="`hash-options` has addresses, ports, protocol, flow label, VLAN and MPLS labels, but no field of RoCE "
        "in 25.3",
    ),
    Capability("cluster", YANG, refusal=NO_NODE),
    Capability("link-loss-weighted", YANG, refusal=SUMS),
    Capability("link-loss-withdraw", YANG, refusal=SUMS),
    Capability("link-loss-weighted-wide", YANG, refusal=SUMS),
    Capability("hash-seed", YANG, "0-65535, by tier", judge=JUDGE),
    Capability("wait-install", YANG, "it is SR Linux's own default; not for EVPN routes", judge=JUDGE),
    Capability(
        "maximum-routes",
        YANG,
        "received, before policy; towards peers outside, and on a spine towards its leaves, the session is closed for "
        "five minutes",
        judge=JUDGE,
    ),
    Capability(
        "evpn-limit",
        YANG,
        "on spines towards leaves alone, since no warning is to be had without a closed session",
        judge=JUDGE,
    ),
    Capability("graceful-shutdown", f"{NETLAB}; {YANG}", "sent and honoured by policies", judge=JUDGE),
    Capability(
        "unnumbered",
        f"{NETLAB}; {EXPERTS}",
        "a peer group a link, so that each link is drained by itself; how many groups SR Linux takes was not found",
        judge=JUDGE,
    ),
    Capability("ttl-send", YANG, "as `multihop` with 255 hops, on direct sessions too", judge=JUDGE),
    Capability(
        "ttl-check",
        YANG,
        refusal="the model has no check of a received TTL, and no match of one in a control-plane filter",
        instead="it sends a TTL of 255, which the far ends may check",
    ),
    Capability("fabric-password", YANG, judge=JUDGE),
    Capability("bfd", f"{EXPERTS}; {YANG}", "SR Linux's own interval, 1 s by 3", judge=JUDGE),
    Capability(
        "evpn",
        f"{EVPN_L3}; {NETLAB}",
        "one tunnel source, the IPv4 address of system0; ARP and ND are flooded, for no bridge with a gateway answers "
        "them; two tenants that reach each other cannot share a leaf",
        refusal=OVERLAYS,
        vouched="evpn",
        judge=JUDGE,
    ),
    Capability("anycast-gateway", f"{NETLAB}; {EXPERTS}", judge=JUDGE),
    Capability(
        "esi-multihoming",
        f"{LEARN}/evpn-mh/basics/conf.md",
        "all-active; SR Linux makes the ES-Import target itself, of octets 2 to 7 of the identifier",
        judge=JUDGE,
    ),
    Capability(
        "df-preference",
        f"{YANG}, ethernet-segment df-election algorithm",
        "of the whole segment",
        judge=JUDGE,
        scope=FeatureScope.PAIR,
    ),
    Capability(
        "vtep-ipv6",
        f"{YANG}, v24.10.3 too: srl_nokia-tunnel-interfaces, source-ip",
        refusal="a tunnel's source is the system's IPv4 address: the models have no other word",
    ),
    Capability(
        "dual-tor",
        f"{NETLAB}; {EXPERTS}",
        "the words of any session over a link without addresses; a session with a server was not tried on it",
    ),
    Capability("lacp-fallback", YANG, "static: one member forwards after 5 s without LACP", judge=JUDGE),
    Capability("storm-control", YANG, "broadcast and multicast in percent of the port's speed", judge=JUDGE),
    Capability("storm-control-unknown-unicast", YANG, "in percent of the port's speed", judge=JUDGE),
    Capability("mac-limit", YANG, "of each VLAN of the port; more are not learned", judge=JUDGE),
    Capability("mac-limit-bonds", YANG, "of each VLAN of the bond; more are not learned", judge=JUDGE),
    Capability("duplicate-mac", DUPLICATES, HELD, judge=JUDGE),
    Capability("duplicate-mac-bonds", DUPLICATES, HELD, judge=JUDGE),
    Capability("duplicate-mac-recovery", DUPLICATES, "hold-down time, 9 minutes by default", judge=JUDGE),
    Capability(
        "ra-guard",
        "documentation.nokia.com/srlinux/24-7/books/interfaces, IPv6 Router Advertisement guard, read 2026-12-01",
        refusal="it is on the 7220 IXR-D1, D2 and D3 only, and no switch here is one of these",
    ),
    Capability(
        "bpdu-guard",
        YANG,
        refusal="it is a YANG leaf of spanning tree, and no source shows spanning tree together with EVPN on these "
        "switches",
    ),
    Capability(
        "uplink-tracking",
        f"{LEARN}/programmability/event-handler/oper-group",
        refusal="it needs an event handler with a script on the switch; no source says that the system includes the "
        "script, and a configuration cannot install it",
    ),
    Capability(
        "dhcp-relay",
        f"{YANG}: option circuit-id or remote-id, gi-address",
        refusal="a relay has no link selection (RFC 3527): with an address of this leaf the server cannot know the "
        "subnet, and a reply to the anycast address may reach another leaf",
    ),
    Capability("external-bgp", f"{NETLAB}; {YANG}", "on 802.1Q subinterfaces", judge=JUDGE),
    Capability(
        "pfc-switched",
        f"{EVPN_L3}; {YANG}: host-route populate",
        refusal="no host routes are rendered, so a packet to a server may come down to any leaf with its subnet and go "
        "up again to its own: buffers of a lossless class could wait for each other",
    ),
    Capability("pfc-tagged", YANG, refusal="see pfc-switched"),
    Capability(
        "pfc-bonds",
        f"{YANG}: qos/interfaces, must of interface-ref",
        refusal="members of a LAG take no QoS (a rule of the YANG model), and no document says how the headroom of a "
        "LAG is counted",
    ),
    Capability(
        "roce-over-vxlan",
        f"{QOS}: dscp classifiers for VXLAN traffic; {EVPN_L3}",
        refusal="only 7220 IXR-Dx has tunnels, and their ECN handling (RFC 6040) is undocumented",
        vouched="vxlan_qos",
    ),
    Capability("ecn-counters", f"{YANG}: ecn-marked-packets", always="always on, where the chip has them"),
    Capability(
        "queue-monitor",
        f"{YANG}: queue-depth-sampling",
        refusal="its YANG nodes depend on features, and no source says which switches have these",
        instead="queue depths are state, and are streamed",
    ),
    Capability("queue-latency", YANG, refusal=NO_NODE),
    Capability("queue-streaming", YANG, refusal="depths are state, streamed by gNMI like all else"),
    Capability("congestion-capture", YANG, refusal=NO_NODE),
    Capability("drop-capture", YANG, refusal=NO_NODE),
    Capability("load-interval", YANG, refusal=f"{NO_NODE}; rates are state"),
    Capability("sflow", YANG, "the interval of polling is SR Linux's own; sampled on physical ports", judge=JUDGE),
    Capability(
        "gnmi",
        f"{SERVER}; {YANG}: tls-profile of grpc-server, which takes a name that the file has not",
        "the certificate is a TLS profile of that name (/system/tls/server-profile), which is on the switch before: a "
        "push keeps it, and a file that is loaded by hand takes it away, so it is typed again behind it",
        judge=JUDGE,
    ),
    without_eapi("the switch is read and pushed by JSON-RPC over HTTPS, with the switch's own TLS profile"),
    *plain(("access-ssh", "access-gnmi", "access-snmp"), f"{YANG}: srl_nokia-acl", judge=JUDGE),
    Capability("access-api", f"{YANG}: srl_nokia-acl", "JSON-RPC, ports 80 and 443", judge=JUDGE),
    Capability("access-netconf", YANG, refusal="no NETCONF server is turned on", instead="no NETCONF server runs"),
    Capability("snmp", YANG, "version 3, SHA and AES-128", judge=JUDGE),
    Capability("snmp-sha256", f"{YANG}: srl_nokia-system-snmp", judge=JUDGE),
    Capability("snmp-aes256", f"{YANG}: srl_nokia-system-snmp", "with SHA-256 alone", judge=JUDGE),
    Capability(
        "aaa", YANG, "TACACS+ for login, by privilege level, with accounting; local users are the fallback", judge=JUDGE
    ),
    Capability("login-banner", f"{YANG}: srl_nokia-system-banner", judge=JUDGE),
    Capability("login-idle", f"{YANG}: srl_nokia-aaa", "all sessions of the CLI", judge=JUDGE),
    Capability("login-keys", f"{YANG}: srl_nokia-ssh", "JSON-RPC and the console take passwords", judge=JUDGE),
    Capability(
        "ssh-ciphers", f"{YANG}: srl_nokia-ssh", refusal="the model of the SSH server has no list of algorithms"
    ),
    Capability("ssh-keys", YANG, judge=JUDGE),
    Capability(
        "users",
        YANG,
        "roles network-admin and network-operator; `admin` and `linuxadmin` are the box's own, and have the factory's "
        "password unless the intent names them; root and srlinux are refused",
        judge=JUDGE,
    ),
    Capability("lldp", f"{NETLAB}; github.com/srl-labs/containerlab 39ff2b7, nodes/srl", judge=JUDGE),
    *plain(
        (
            *COMMON_FEATURES,
            "management-vrf",
            "domain",
            "snmp-traps",
            "loopback-descriptions",
            "lag",
            "vlan-names",
            "bgp-timers",
            "queues",
        ),
        f"{NETLAB}; {YANG}",
        judge=JUDGE,
    ),
    Capability("pfc-watchdog-notify", YANG, "the watchdog is left off, its counters tell", judge=JUDGE),
    Capability(
        "tunnel-marks",
        f"{QOS}: dscp classifiers for VXLAN traffic; {EVPN_L3}",
        refusal="the ECN handling of tunnels (RFC 6040) is undocumented",
        vouched="vxlan_qos",
        instead="the default of the chip",
    ),
    Capability("tenant-imports", EVPN_L3, "two tenants that reach each other cannot share a leaf", judge=JUDGE),
)
