"""Capabilities of Junos on QFX, feature by feature, with sources; `templates/junos/NOTES.md` has details."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, FeatureScope, plain, without_eapi

YANG = "Juniper's YANG of 24.4R1, junos-qfx (github.com/Juniper/yang)"
JVD = "github.com/Juniper/jvd at 005ab34"
BACKEND = f"{JVD}, data_center/aidc/aiml_multitenancy_backend (QFX5240-64OD)"
STORAGE = f"{JVD}, data_center/adc/5stage_evpn_vxlan, storage-leaf1_qfx5130-32cd.conf"
BORDER = f"{JVD}, data_center/adc/3stage_dc, borderleaf1_qfx5130-32cd.conf"
MANUAL = "juniper.net/documentation"
NETLAB = "github.com/ipspace/netlab 771eeee6, templates evpn/junos and evpn/vptx, run on vPTX (Junos OS Evolved)"
JUDGE = "Juniper's YANG of 24.4R1 (junos-qfx)"
NOT_FOUND = f"{YANG}; {JVD}: none of both has it (searched 2026-11-22)"
LEARNED = f"{MANUAL}, interface-mac-limit; {YANG}"
DUPLICATES = f"{MANUAL}, duplicate-mac-detection; {YANG}"
DROPPED = "of each VLAN of the port; packets of more are dropped, and the port stays up"
QUEUE_PAIR = f"{MANUAL}, ai-ml-evo, Queue-Pair Hashing for RDMA Flows (2025-02-27); {YANG}: no statement for it"
GLOBAL = (
    f"{MANUAL}, cli-reference, global-load-balancing (edit protocols bgp), and ai-ml-evo, Global Load Balancing; "
    "apps.juniper.net/feature-explorer/feature/8760; read 2026-11-30"
)
DLB = "23.4R2"
"""The first release with flowset-table-size, reassignment and sampling-rate (Juniper's YANG; 23.4R1 has none)."""
SERVERS = (
    "public lab of FRR servers with EOS and Junos leaves, its remark on `set ip next-hop 0.0.0.1`; repository unknown, "
    "read 2026-11-30"
)

CAPABILITIES = (
    Capability("ipv4", BACKEND, judge=JUDGE),
    Capability("ipv6", STORAGE, judge=JUDGE),
    Capability("bgp", BACKEND, "keepalives are a third of the hold time: other ones are refused", judge=JUDGE),
    Capability("pfc", BACKEND, "by DSCP, on routed ports", judge=JUDGE),
    Capability("pfc-priority-map", f"{BACKEND}: queue 4 pauses priority 3", judge=JUDGE),
    Capability(
        "ecn",
        f"{BACKEND}; {MANUAL}, fill-level",
        "thresholds in percent of the queue limit, rounded down; assumed: the dynamic limit; not supported without "
        "that limit in the hardware file",
        judge=JUDGE,
    ),
    Capability(
        "headroom",
        f"{BACKEND}; {MANUAL}, buffer-partition (ingress)",
        "partitions in percent of the chip's memory; where no hardware file says how much that is, Junos' own stay",
        judge=JUDGE,
    ),
    Capability(
        "headroom-pool",
        f"{BACKEND}; {MANUAL}, buffer-partition (ingress): the three partitions are 100 together",
        "in percent of what is left when 15 % belong to single ports; rounded up",
        judge=JUDGE,
    ),
    Capability(
        "headroom-per-interface",
        f"{MANUAL}, cable-length and mru of a congestion notification profile; {YANG}",
        "by the length of the cable and the largest frame, from which Junos computes it; octets are refused",
        judge=JUDGE,
    ),
    Capability(
        "resume-offset",
        "apps.juniper.net/feature-explorer/feature/2114",
        "in cells",
        refusal="Juniper lists it for QFX5240, and not for this model",
        vouched="xon",
        instead="the Junos default",
        judge=JUDGE,
    ),
    Capability(
        "alpha",
        f"{BACKEND}; {YANG}",
        "1/128 to 8, powers of two, as steps 0 to 10; which step is which is taken from their number and from the chip",
        judge=JUDGE,
    ),
    Capability(
        "pfc-watchdog",
        f"{MANUAL}, congestion-notification-profile and PFC watchdog (QFX5230-64CD, QFX5240)",
        "drops, the same on every port; detection in whole polling intervals, neither that nor recovery below 200 ms",
        judge=JUDGE,
    ),
    Capability(
        "pfc-watchdog-notify",
        f"{MANUAL}, PFC watchdog",
        refusal="the watchdog drops or forwards; there is no other action",
    ),
    Capability("dscp-map", STORAGE, "all 64 code points; one classifier for both families", judge=JUDGE),
    Capability(
        "control-queue",
        f"{MANUAL}, Understanding Host Routing Engine Outbound Traffic Queues and Defaults (QFX): queue 0 or 7; {YANG}",
        "`host-outbound-traffic` puts all that the switch itself sends there; without it BGP would be best effort",
        judge=JUDGE,
    ),
    Capability(
        "control-queue-bfd",
        f"{MANUAL}, host-outbound-traffic",
        refusal="the mark and the queue of BFD that the forwarding engine itself sends are undocumented",
    ),
    Capability("control-apart", NOT_FOUND, refusal="its own packets leave by a queue of the plan"),
    Capability("dscp-remap", STORAGE, refusal="rewrite rules exist and are never rendered: marks stay the host's"),
    Capability("ecmp", YANG, "16 to 512 paths in steps; one number for all tables", judge=JUDGE),
    Capability(
        "dlb-flowlet",
        f"{BACKEND}; {MANUAL}, ai-ml-evo, reactive path rebalancing",
        "sets of 2048 flowlets; on QFX5240 alone they move to better links before they pause, so that packets may "
        "arrive out of order (Juniper's guide)",
        judge=JUDGE,
        since=DLB,
    ),
    Capability("flowlet-gap", BACKEND, "in microseconds", judge=JUDGE),
    Capability("dlb-per-packet", YANG, judge=JUDGE, since=DLB),
    Capability(
        "cluster",
        NOT_FOUND,
        refusal="Junos balances by load or by fabric color; it has no table of the flows of a cluster",
    ),
    Capability(
        "dlb-global",
        GLOBAL,
        "flowlets as in dlb-flowlet; spines tell the load of their links (`helper-only`), leaves use it "
        "(`load-balancer-only`)",
        refusal="Juniper lists it for QFX5240, and not for this model",
        vouched="global_load_balancing",
        judge=JUDGE,
        scope=FeatureScope.FABRIC,
        since="24.4",
        alike="every switch of the fabric must have it, with the same dynamic load balancing",
    ),
    Capability(
        "ecmp-queue-pair",
        QUEUE_PAIR,
        refusal="no statement turns it on or off: a switch that can hash on the queue pair always does, also with "
        "`load_balancing: ecmp`. Juniper's guide does not say which models and releases can; `show "
        "forwarding-options enhanced-hash-key` tells (`RDMA Queue Pair`)",
    ),
    Capability(
        "link-loss-weighted",
        NOT_FOUND,
        refusal="no source shows that a spine sums the bandwidth of its remaining links and announces it to a leaf",
    ),
    Capability(
        "link-loss-withdraw",
        NOT_FOUND,
        refusal="there is no statement to withdraw a route when some of its paths are lost",
    ),
    Capability(
        "link-loss-weighted-wide",
        NOT_FOUND,
        refusal="as with fewer paths: no source shows that a spine announces how many links it has left",
    ),
    Capability(
        "hash-seed",
        f"{YANG}: hash-seed of enhanced-hash-key; {MANUAL}, enhanced-hash-key (EX and QFX): syntax of each series",
        refusal="Juniper documents a seed for QFX10000 only, whose default is derived from its MAC address. Whether "
        "a QFX5130, 5230 or 5240 takes a seed, and what its default is, is undocumented",
        instead="the Junos default; no source says whether two switches have the same",
    ),
    Capability(
        "wait-install",
        f"{YANG}, delay-route-advertisements",
        refusal="Junos delays routes after a start; no source shows that it holds a route until it is installed",
        instead="the Junos default: a route is announced before the chip has it",
    ),
    Capability(
        "maximum-routes",
        f"{MANUAL}, prefix-limit; {YANG}",
        "a warning; on a spine towards its leaves, and towards peers outside, the session is closed for five minutes",
        judge=JUDGE,
    ),
    Capability("evpn-limit", f"{MANUAL}, prefix-limit; {YANG}", "as maximum-routes", judge=JUDGE),
    Capability("graceful-shutdown", f"RFC 8326; {YANG}", "sent and honoured by policy statements", judge=JUDGE),
    Capability(
        "unnumbered",
        f"{MANUAL}, BGP auto-discovered neighbors (QFX5220, 5230, 5240, 5241 configuration essentials)",
        "a group a link, so that each link is drained by itself",
        judge=JUDGE,
    ),
    Capability("ttl-send", YANG, "not over unnumbered links: no source says that their sessions have it", judge=JUDGE),
    Capability(
        "ttl-check",
        YANG,
        refusal="a filter of lo0 would check it, and this release renders no such term",
        instead="it sends a TTL of 255, which the far ends may check",
    ),
    Capability("fabric-password", YANG, "clear text, which Junos stores as $9$", judge=JUDGE),
    Capability("bfd", BACKEND, "1000 ms by 3 on links, 3000 ms by 3 between loopbacks", judge=JUDGE),
    Capability(
        "evpn",
        f"{STORAGE}; {NETLAB}",
        "a MAC-VRF a VLAN; routed traffic by prefix routes (type 5); imports between tenants inside one switch by "
        "auto-export, which nobody tried",
        judge=JUDGE,
    ),
    Capability("anycast-gateway", STORAGE, "the same address and MAC on every leaf, not announced", judge=JUDGE),
    Capability(
        "esi-multihoming",
        STORAGE,
        "all-active aggregates; Junos makes the ES-Import target of the identifier itself",
        judge=JUDGE,
    ),
    Capability(
        "df-preference",
        f"{YANG}, df-election-type; {MANUAL}, EVPN Multihoming Designated Forwarder Election",
        "of the whole segment; that a QFX elects so over VXLAN was not seen",
        judge=JUDGE,
        scope=FeatureScope.PAIR,
    ),
    Capability(
        "vtep-ipv6",
        f"{MANUAL}, vxlan-ipv6-underlay-overview",
        refusal="the manual leaves the switches that have it to Feature Explorer, and no source found names QFX5130, "
        "QFX5220, QFX5230 or QFX5240",
    ),
    Capability(
        "dual-tor",
        SERVERS,
        refusal="Junos does not accept IPv4 routes of FRR over a session between link-local addresses, seen in a "
        "public lab; in which release it does was not found",
    ),
    Capability(
        "lacp-fallback",
        f"{YANG}, force-up",
        refusal="`force-up` keeps a single port in the Ethernet segment, where the non-DF leaf drops broadcasts",
    ),
    Capability(
        "storm-control",
        f"{YANG}, storm-control-profiles",
        refusal="a profile has one limit for broadcast and multicast together, and an intent has one for each",
    ),
    Capability(
        "storm-control-unknown-unicast",
        f"{YANG}, storm-control-profiles",
        refusal="a profile is bound to `family ethernet-switching`, which a port with several VLANs does not have: "
        "each VLAN is a unit of its own with `vlan-bridge`",
    ),
    Capability("mac-limit", LEARNED, DROPPED, judge=JUDGE),
    Capability("mac-limit-bonds", LEARNED, DROPPED, judge=JUDGE),
    Capability("duplicate-mac", DUPLICATES, "updates of the address are suppressed", judge=JUDGE),
    Capability("duplicate-mac-bonds", DUPLICATES, "updates of the address are suppressed", judge=JUDGE),
    Capability("duplicate-mac-recovery", DUPLICATES, "without it until an operator clears it", judge=JUDGE),
    Capability(
        "ra-guard",
        f"{YANG}: access-security router-advertisement-guard; {MANUAL} (searched 2026-12-01)",
        refusal="no source shows it on a MAC-VRF with EVPN-VXLAN",
    ),
    Capability("bpdu-guard", f"{JVD}, data_center/aidc/aiml_inference_frontend, leaf1_qfx5130-32cd.conf", judge=JUDGE),
    Capability(
        "uplink-tracking",
        f"{MANUAL}, Layer 2 interface status tracking for EVPN core isolation (from 23.2R1)",
        "when the last session of the overlay is gone, not the last link; server ports come back 120 s after the first",
        judge=JUDGE,
    ),
    Capability(
        "dhcp-relay",
        STORAGE,
        "from a loopback unit of the leaf's own; the server must know the link selection of RFC 3527",
        judge=JUDGE,
    ),
    Capability("external-bgp", BORDER, "on 802.1Q units", judge=JUDGE),
    Capability(
        "pfc-switched",
        f"{MANUAL}, evpn-sym-t2-routing; templates/junos/NOTES.md, irb-symmetric-routing",
        refusal="without symmetric routing of type 2, which not every QFX has, a packet to a server comes down to any "
        "leaf with its subnet and goes up again to its own: buffers of a lossless class could wait for each other",
    ),
    Capability(
        "pfc-tagged",
        f"{MANUAL}, Example: Configure PFC Across L3 Interfaces (traffic-mgmt-qfx), read 2026-11-30",
        refusal="DSCP-based PFC is for untagged traffic: tagged frames would be paused by the priority of their tag",
    ),
    Capability("pfc-bonds", NOT_FOUND, refusal="see pfc-switched"),
    Capability(
        "roce-over-vxlan",
        f"{MANUAL}, vxlan-disable-copy-tos-decap: QFX5000 copies DSCP and ECN into the tunnel and back; {BACKEND}",
        judge=JUDGE,
    ),
    Capability(
        "ecn-counters",
        NOT_FOUND,
        refusal="no statement enables them; no source says whether a queue's counters include marked packets",
        instead="no counter is enabled",
    ),
    Capability(
        "queue-monitor",
        f"{BACKEND}, buffer-monitor-enable",
        refusal="Junos records the peak depth of each queue on lossless switches, and no events above a threshold",
        instead="the peak depth of each lossless queue is recorded",
    ),
    Capability("queue-latency", NOT_FOUND, refusal="no statement for it was found"),
    Capability("queue-streaming", NOT_FOUND, refusal="no server for queue events was found"),
    Capability("congestion-capture", NOT_FOUND, refusal="no statement mirrors packets of congested queues"),
    Capability("drop-capture", NOT_FOUND, refusal="no statement mirrors dropped packets"),
    Capability("load-interval", NOT_FOUND, refusal="there is no statement for the averaging time of rates"),
    Capability(
        "sflow",
        f"{JVD}, data_center/adc/evpn_vxlan_sflow_apstra, spine1_qfx5220-32cd.set; {YANG}; routing-instance of a "
        "collector: Juniper's YANG of Evolved from 24.2R1 on, not of 23.4R2",
        "of packets that come in; each port by its unit 0",
        judge=JUDGE,
        since="24.2",
    ),
    Capability(
        "gnmi",
        f"{BACKEND}; {YANG}, use-pki",
        "the certificate is loaded beforehand into the public key store: `request security pki local-certificate load`",
        judge=JUDGE,
    ),
    without_eapi("the switch is read and pushed by NETCONF over SSH"),
    Capability(
        "access-ssh", YANG, "NETCONF can be spoken in a session of SSH, too, whatever its own sources are", judge=JUDGE
    ),
    *plain(("access-netconf", "access-gnmi", "access-snmp"), YANG, judge=JUDGE),
    Capability("access-api", YANG, refusal="no HTTP API is turned on", instead="no HTTP API runs"),
    Capability("snmp", YANG, "version 3, SHA and AES of 128 bits", judge=JUDGE),
    *plain(("snmp-sha256", "snmp-aes256"), f"{YANG}: snmp v3 usm", judge=JUDGE),
    Capability(
        "aaa",
        f"{YANG}; {MANUAL}, TACACS+ authentication, local user template accounts",
        "TACACS+ for login, with accounting; local users are the fallback, and whom only the server knows logs in as "
        "the one of them that its attribute local-user-name names",
        judge=JUDGE,
    ),
    *plain(("login-banner", "login-idle"), YANG, judge=JUDGE),
    Capability(
        "login-keys",
        YANG,
        "root is refused by SSH, too; unsure whether `no-passwords` holds for NETCONF at port 830",
        judge=JUDGE,
    ),
    Capability("ssh-ciphers", YANG, judge=JUDGE),
    Capability("ssh-keys", YANG, judge=JUDGE),
    Capability(
        "users",
        f"{YANG}; {MANUAL}, root-authentication",
        "classes super-user and operator; nobody logs in as root by a password",
        judge=JUDGE,
    ),
    Capability("lldp", BACKEND, judge=JUDGE),
    *plain(
        (*COMMON_FEATURES, "domain", "snmp-traps", "lag", "vlan-names", "tenant-imports", "queues"),
        f"{BACKEND}; {STORAGE}; {YANG}",
        judge=JUDGE,
    ),
    Capability(
        "management-vrf",
        f"{YANG}: management-instance",
        refusal="the name of the management instance is fixed",
        instead="its name is `mgmt_junos`, whatever `management.vrf` is",
    ),
    Capability("bgp-timers", f"{MANUAL}, hold-time of BGP", "the hold time; keepalives are a third of it", judge=JUDGE),
    Capability(
        "loopback-descriptions", f"{MANUAL}, description of a logical interface", "of units in a VRF", judge=JUDGE
    ),
    Capability(
        "tunnel-marks",
        f"{MANUAL}, vxlan-disable-copy-tos-decap: QFX5000 copies DSCP and ECN into the tunnel and back",
        "of the inner header, both ways, without a line",
        judge=JUDGE,
    ),
)
