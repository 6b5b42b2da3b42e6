"""Capabilities of FRR on Linux, feature by feature, with the source; details are in `templates/frr/NOTES.md`."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, FeatureScope, plain, without_eapi

LOADED = "loaded into FRR 8.4.4 (Debian 12) and 10.3 (Debian 13) and read back"
APPLIED = "FRR 8.4.4 and ifupdown2 3.0.0 on a Linux 6.1 kernel with real VRF, bond and VLAN bridge, 2026-11-21"
DCB = "dcb-pfc(8) and dcb-buffer(8) of iproute2: the driver must offer them, a plain kernel's ports do not"
MLXSW = "github.com/Mellanox/mlxsw wiki, Quality of Service: software queues, or the driver's own offload"
DEBIAN = "Debian 12 package index, searched 2026-11-21"
WEIGHTS = (
    "weights in the kernel's routes and local preferences seen on FRR 8.4.4 with a link down, 2026-11-21: "
    "tests/frr/test_frr_link_loss.py"
)
GTSM = "FRR 8.4.4 between namespaces, numbered, unnumbered and between loopbacks, 2026-12-01; bgpd/bgpd.c"
DAEMONS = "FRR, ifupdown2, lldpd and the kernel: loaded, and read back"
GUARD = "nft(8): sets with a size, ingress hook; 40,000 addresses into a port, 2026-11-23: tests/lab/test_flood_live.py"
GUARDED = "packets of more addresses are dropped in front of the bridge; what hardware forwards by itself is not seen"
ADVERTISED = (
    "nft(8): icmpv6 type, ingress hook; advertisements into a port, tagged and not, 2026-12-01: "
    "tests/lab/test_ra_guard_live.py"
)
DUPLICATES = f"FRR user manual, EVPN, duplicate address detection; {LOADED}"
NO_SEGMENTS = "FRR source, zebra/zebra_evpn_mh.c, zebra_evpn_mh_dup_addr_detect_off, read 2026-12-01"
NO_QUEUES = "Linux does not report the depth of a port's hardware queues over time"
NO_BUFFERS = "buffers of a port belong to the driver (dcb buffer); none are rendered"
NO_SERVER = "no file turns such a server on"
NO_AGENT = "this release renders no file for it; add the agent and its file manually"

CAPABILITIES = (
    Capability("ipv4", LOADED, judge=DAEMONS),
    Capability("ipv6", LOADED, judge=DAEMONS),
    Capability("bgp", LOADED, judge=DAEMONS),
    Capability("graceful-shutdown", LOADED, "sent and honoured by route maps", judge=DAEMONS),
    Capability("unnumbered", f"{LOADED}; tests/lab/test_unnumbered_live.py", judge=DAEMONS),
    Capability("bfd", LOADED, "FRR's own interval, 300 ms by 3", judge=DAEMONS),
    Capability(
        "ttl-send",
        GTSM,
        "as `ebgp-multihop 255`: a link that goes down does not end a direct session, its hold time does",
        judge=DAEMONS,
    ),
    Capability(
        "ttl-check", GTSM, "`ttl-security` of the peer groups, which their unnumbered members have", judge=DAEMONS
    ),
    Capability("fabric-password", GTSM, judge=DAEMONS),
    Capability(
        "wait-install",
        LOADED,
        "not on a switch with an EVPN session before 9.1, which stops EVPN routes too",
        judge=DAEMONS,
    ),
    Capability(
        "maximum-routes",
        LOADED,
        "a warning; on a spine towards its leaves, and towards peers outside, the session is closed for five minutes",
        judge=DAEMONS,
    ),
    Capability(
        "evpn-limit",
        LOADED,
        "as maximum-routes",
        judge=DAEMONS,
        since="10.1",
        instead="a session accepts all EVPN routes that its peer sends",
    ),
    Capability(
        "ecmp",
        "Linux, ip-sysctl documentation",
        "hash of addresses and ports (fib_multipath_hash_policy 1)",
        judge=DAEMONS,
    ),
    Capability(
        "pfc",
        DCB,
        refusal="priority flow control belongs to the port driver, and no file of this platform configures it",
    ),
    Capability("ecn", MLXSW, refusal="ECN marking needs a queue discipline on every port, and fabricgen renders none"),
    Capability("pfc-watchdog", DCB, refusal="Linux has no PFC watchdog"),
    Capability("headroom", DCB, refusal=NO_BUFFERS),
    Capability(
        "dlb-flowlet",
        "github.com/FRRouting/frr issues 12239 and 14481",
        refusal="dynamic load balancing of the chip has no Linux interface; resilient groups need nexthop objects, "
        "which fabricgen turns off",
    ),
    Capability(
        "dlb-per-packet",
        "Linux, ip-sysctl documentation, fib_multipath_hash_policy",
        refusal="Linux spreads flows over equal paths, never packets",
    ),
    Capability(
        "ecmp-queue-pair",
        "Linux, ip-sysctl documentation, fib_multipath_hash_fields",
        refusal="Linux hashes addresses, ports, protocol and flow label, and no field of RoCE",
    ),
    Capability(
        "dlb-global",
        "Linux, ip-sysctl documentation, fib_multipath_hash_policy",
        refusal="Linux does not know the load of links, its own or remote",
    ),
    Capability(
        "cluster",
        "Linux, ip-sysctl documentation, fib_multipath_hash_policy",
        refusal="Linux places flows by a hash only",
    ),
    Capability(
        "link-loss-weighted",
        f"{WEIGHTS}; draft-ietf-bess-ebgp-dmz",
        "weights are hundredths in 8.4, rounded down: a pair that lost a link may get less than it could carry",
        judge=DAEMONS,
        scope=FeatureScope.FABRIC,
    ),
    Capability(
        "link-loss-withdraw",
        WEIGHTS,
        "by local preference: a switch that has lost a link to a leaf is used again once all others have, too",
        judge=DAEMONS,
        scope=FeatureScope.FABRIC,
    ),
    Capability(
        "link-loss-weighted-wide",
        "FRR 8.4.4 bgpd/bgp_zebra.c bgp_zebra_use_nhop_weighted: hundredths of the whole, rounded down",
        refusal="with more than 50 paths a path of half the bandwidth has the same weight as any other; link_loss: "
        "withdraw has no such limit",
    ),
    Capability(
        "evpn",
        APPLIED,
        "imports between tenants are leaked inside each switch (8.4 knows no VNI of the far side); one tunnel "
        "family, IPv4; before 8.4.5 the loss of one of two overlay sessions can end the routed traffic to a leaf until "
        "`clear bgp l2vpn evpn *`: two lines make that rare there (FRRouting issue 12391)",
        judge=DAEMONS,
    ),
    Capability(
        "esi-multihoming",
        APPLIED,
        refusal="it needs a kernel with FRR's neighbor synchronisation and backup next hops of bridge ports; on an "
        "unpatched Linux 6.1 kernel a leaf loses packets to a server if the other leaf receives the server's ARP "
        "replies, or if the link of the server to this leaf is down; multihoming: active-backup works",
    ),
    Capability(
        "vtep-ipv6",
        "FRRouting pull requests 19721 and 20116 (2025-11); DPDK/grout pull request 608: not before FRR 10.6.0",
        refusal="zebra and bgpd of 8.4 and 10.3 hold a VTEP in 32 bits; IPv6 VTEPs come with FRR 10.6",
    ),
    Capability(
        "dual-tor",
        f"{LOADED}; tests/lab/test_leaf_pairs_live.py",
        "the server runs FRR and announces the address of a NIC over both of its ports (`export hosts`)",
        judge=DAEMONS,
    ),
    Capability(
        "lacp-fallback",
        "Cumulus Linux, LACP Bypass; absent from the bonding driver of Linux 6.1 (seen 2026-11-21)",
        refusal="the mainline bonding driver has no bypass",
    ),
    Capability(
        "storm-control",
        "attributes of ifupdown2 3.0.0, all addons",
        refusal="the interfaces file has no attribute for it",
    ),
    Capability(
        "storm-control-unknown-unicast",
        "attributes of ifupdown2 3.0.0, all addons",
        refusal="the interfaces file has no attribute for it",
    ),
    Capability("mac-limit", GUARD, GUARDED, judge=DAEMONS),
    Capability("mac-limit-bonds", GUARD, GUARDED, judge=DAEMONS),
    Capability("duplicate-mac", DUPLICATES, "FRR warns; with a recovery time it freezes the address", judge=DAEMONS),
    Capability(
        "duplicate-mac-bonds", NO_SEGMENTS, refusal="zebra turns detection off where it has an Ethernet segment"
    ),
    Capability("duplicate-mac-recovery", DUPLICATES, "the address is frozen for that time", judge=DAEMONS),
    Capability("ra-guard", ADVERTISED, "dropped in front of the bridge, with a tag or without", judge=DAEMONS),
    Capability(
        "bpdu-guard",
        f"attributes of ifupdown2 3.0.0 (mstpctl addon); {DEBIAN}: no mstpd",
        refusal="it needs mstpd, which Debian does not have",
    ),
    Capability(
        "uplink-tracking",
        'FRR user manual, EVPN multihoming, uplink tracking; ports answered "Operation not supported", 2026-11-21',
        refusal="FRR holds server ports down by protodown, which the mainline kernel's port drivers do not have",
    ),
    Capability(
        "dhcp-relay",
        "dhcrelay 4.4.3-P1 between namespaces, 2026-11-21; ip-vrf(8) of iproute2",
        "from an address of the leaf's own; the server must know link selection (RFC 3527); not tried inside a VRF",
    ),
    Capability("external-bgp", APPLIED, "on 802.1Q subinterfaces", judge=DAEMONS),
    Capability("pfc-switched", DCB, refusal="see pfc"),
    Capability("pfc-tagged", DCB, refusal="see pfc"),
    Capability("pfc-bonds", DCB, refusal="see pfc"),
    Capability(
        "roce-over-vxlan",
        "Linux, include/net/inet_ecn.h; outer headers captured on Linux 6.18 and 6.1, 2026-11-21",
        refusal="kernel tunnels carry DSCP and ECN both ways, but no class of this platform is lossless: see pfc",
    ),
    Capability(
        "ecn-counters", MLXSW, refusal="a queue discipline counts marked packets, and fabricgen renders none: see ecn"
    ),
    Capability("queue-monitor", MLXSW, refusal=NO_QUEUES),
    Capability("queue-latency", MLXSW, refusal=NO_QUEUES),
    Capability("queue-streaming", MLXSW, refusal=NO_QUEUES),
    Capability("congestion-capture", MLXSW, refusal=NO_QUEUES),
    Capability(
        "drop-capture",
        "Linux, Documentation/networking/devlink/devlink-trap.rst: the driver must offer them",
        refusal=NO_AGENT,
    ),
    Capability(
        "load-interval",
        "Linux, ip-link(8): counters of a port, and no rates",
        refusal="Linux does not average port rates; the reader of the counters does",
    ),
    Capability("aaa", f"{DEBIAN}: no TACACS+ client", refusal="Debian has no TACACS+ client to log in with"),
    Capability(
        "access-ssh", f"nft(8) 1.0.6; {APPLIED}", "a table of nftables: what is not planned does not reach the switch"
    ),
    *(
        Capability(f"access-{service}", DEBIAN, refusal=NO_SERVER, instead="no such server runs")
        for service in ("netconf", "gnmi", "api", "snmp")
    ),
    Capability("snmp", DEBIAN, refusal=NO_AGENT),
    Capability("gnmi", DEBIAN, refusal=f"FRR has no gNMI server; {NO_AGENT}"),
    Capability("sflow", DEBIAN, refusal=NO_AGENT),
    without_eapi("the switch is read and pushed over SSH"),
    Capability("lldp", "lldpd 1.0.16, show configuration, 2026-11-21", judge=DAEMONS),
    *(
        Capability(
            feature,
            DEBIAN,
            refusal="sshd and accounts are the host's: write a file in `/etc/ssh/sshd_config.d/` when you install it",
        )
        for feature in ("login-banner", "login-idle", "login-keys", "ssh-ciphers")
    ),
    Capability("ssh-keys", "newusers(8), useradd(8)", refusal="see users: keys go to `authorized_keys` on the switch"),
    Capability(
        "users",
        "newusers(8), useradd(8)",
        refusal="accounts are not in the configuration files: create them when the switch is installed",
    ),
    Capability(
        "management-vrf",
        LOADED,
        "a name that Linux takes for a device: 15 characters, no dot, and none that is something else on the box",
        judge=DAEMONS,
    ),
    *plain(
        (*COMMON_FEATURES, "domain", "tenant-imports", "bgp-timers"),
        APPLIED,
        judge=DAEMONS,
    ),
    Capability("df-preference", APPLIED, "1 to 65535, of the whole segment", judge=DAEMONS, scope=FeatureScope.PAIR),
    Capability("lag", APPLIED, "bonds of the kernel", judge=DAEMONS),
    Capability("vlan-names", APPLIED, refusal="a VLAN of the bridge has no name", instead="a VLAN has its number only"),
    Capability(
        "loopback-descriptions",
        APPLIED,
        refusal="all loopback addresses are on one interface, `lo`",
        instead="loopbacks have no description",
    ),
    Capability("anycast-gateway", APPLIED, "the same address and MAC on the VLAN of every leaf", judge=DAEMONS),
    Capability(
        "hash-seed",
        "Linux, ip-sysctl documentation, fib_multipath_hash_seed (from 6.11; Debian 12 has 6.1); commit 60bcfede3f9f, "
        "mlxsw: apply user-defined multipath hash seed",
        "each switch's own: drawn by its kernel at every start; of its first MAC address where mlxsw forwards",
    ),
    Capability("queues", MLXSW, refusal="queues need a queue discipline on every port, and fabricgen renders none"),
    Capability("dscp-map", MLXSW, refusal="classes need a queue discipline on every port, and fabricgen renders none"),
    *(Capability(feature, DEBIAN, refusal="see snmp") for feature in ("snmp-traps", "snmp-sha256", "snmp-aes256")),
    Capability("alpha", DCB, refusal=NO_BUFFERS),
    Capability("headroom-pool", DCB, refusal=NO_BUFFERS),
    Capability("headroom-per-interface", DCB, refusal=NO_BUFFERS),
    Capability("resume-offset", DCB, refusal=NO_BUFFERS),
    Capability("pfc-watchdog-notify", DCB, refusal="Linux has no PFC watchdog"),
    Capability("flowlet-gap", "github.com/FRRouting/frr issues 12239 and 14481", refusal="see dlb-flowlet"),
    Capability(
        "tunnel-marks",
        "Linux, include/net/inet_ecn.h; outer headers captured on Linux 6.18 and 6.1, 2026-11-21",
        "of the inner header, both ways",
        judge=DAEMONS,
    ),
)
