"""Capabilities of EOS, feature by feature, with the source; details are in `templates/eos/NOTES.md`."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, FeatureScope, plain

PYAVD = "PyAVD 6.4.0 on PyPI, eos_cli_config_gen templates"
ROCE = "Arista EOS RoCEv2 lossless write-up of 2026-07-20 on the EOS 4.36 manual; " + PYAVD
AMD = "AMD ROCm GPU cluster networking guide, Arista 7388 example"
HABANA = "docs.habana.ai, Expected Switch Configuration (7060PX5-64E)"
SWITCHED = (
    "docs.habana.ai, Arista Switch L2 Configuration Example (7060DX4-32): PFC and `qos trust dscp` on switched ports, "
    "read 2026-11-30; " + PYAVD
)
MMU = "github.com/aristanetworks/avd issue 4921 with CLI help; " + HABANA
RECORDED = "github.com/batfish/lab-validation, recorded EOS configurations (4.23, 4.36)"
DLB = "github.com/aristanetworks/avd issue 4920 (TOI 14562, EOS 4.24.2F); " + PYAVD
IDLE = f"{PYAVD}; arista.com/en/support/toi, BGP idle restart interval; public configurations, idle-restart-timer"
MANUAL = "EOS user manual, IPv4 chapter (`ip load-sharing`, `ip hardware fib load-balance distribution`)"
VXLAN_DSCP = (
    "EOS user manual, VXLAN DSCP Mapping (arista.com/en/um-eos/eos-vxlan-dscp-mapping): DCS-7050SX3-48YC12, "
    "7050CX3M-32S, 7050CX3-32S; github.com/aristanetworks/avd issue 1455 (Trident 3), pull 2841; read 2026-11-21"
)
NETLAB = (
    "github.com/ipspace/netlab 771eeee6 (2026-03-14), netsim/ansible/templates/bgp/eos.j2 and eos.macro.j2, run on cEOS"
)
SERVERS = (
    "public lab of FRR servers with EOS and Junos leaves (leaf2: `neighbor servers next-hop address-family ipv6 "
    "originate`), repository unknown, read 2026-11-30"
)
CLUSTER = (
    "github.com/aristanetworks/avd issues 4925 (TOI 21077, EOS 4.33.1F) and 5004 (TOI 20434, EOS 4.32.2F), pull "
    f"request 5648; arista.com/en/support/toi/tag/eos-4-34-0f; {PYAVD}"
)
QUEUE_PAIR = (
    "github.com/aristanetworks/avd issue 5386 (CLI and its help, by an engineer of Arista, 2025-05-09), pull request "
    f"5493; {PYAVD}; read 2026-11-30"
)
UCMP = (
    "`ucmp mode 1`: github.com/openconfig/featureprofiles 032222c4, RT-1.52; `neighbor ... link-bandwidth default`: "
    f"{PYAVD}; `send-community link-bandwidth aggregate`: Ansible arista.eos 6.2.2 eos_bgp_global; cEOS in "
    "github.com/bgplab/bgplab 01a13560, lb/3-ibgp; read 2026-11-21"
)
LANZ = "EOS user manual, Latency Analyzer (arista.com/en/um-eos/eos-latency-analyzer-lanz), read 2026-11-21"
MIRROR = "github.com/aristanetworks/avd issue 4906 (AI deployments), pull 5451, TOI 14288; " + "PyAVD 6.4.0"
SUMS = (
    "no test shows that a spine sums the bandwidth of its remaining links and sends the sum to a leaf of another AS; "
    "on cEOS a ratio of 5 to 1 became 3 to 1; dynamic load balancing together with weights is undocumented"
)
SECURITY = f"{PYAVD}: 1 to 1000; eos.arista.com/tag/4-24-2f, Port security protect mode enhancements"
PROTECT = "port security, violation protect: more addresses are not learned from 4.24.2F on, and the port stays up"
FLAPS = f"{PYAVD}, host-flap detection; github.com/aristanetworks/avd, eos_designs: on by default, 5 moves in 180 s"
ORACLE = "PyAVD 6.4.0 writes the same lines of the same Device"
NOT_FOUND = "no PyAVD key, no recorded configuration, no public thread (searched 2026-11-21)"

CAPABILITIES = (
    Capability("ipv4", RECORDED, judge=ORACLE),
    Capability("ipv6", PYAVD, judge=ORACLE),
    Capability("bgp", RECORDED, judge=ORACLE),
    Capability("pfc", f"{ROCE}; {AMD}", judge=ORACLE),
    Capability(
        "pfc-priority-map",
        f"{ROCE}; {AMD}; {HABANA}: the paused priority and the class have one number in each",
        refusal="no command for another PFC priority of a traffic class was found",
    ),
    Capability("ecn", f"{ROCE}; {AMD}", "thresholds in kbytes: rounded down to 1,000 octets", judge=ORACLE),
    Capability("headroom", MMU, "one value a switch, the largest any of its ports needs; in octets", judge=ORACLE),
    Capability(
        "headroom-pool",
        MMU,
        "33554432 octets in the CLI help of an unnamed model; more may be refused by the switch",
        judge=ORACLE,
    ),
    Capability(
        "headroom-per-interface",
        NOT_FOUND,
        refusal="headroom profiles per interface exist, but the command that applies one to an interface is "
        "undocumented",
        instead="every port has the largest value of the switch",
    ),
    Capability(
        "resume-offset",
        PYAVD,
        refusal="no documentation says whether the bytes of `ingress resume` are absolute or an offset below the limit",
        instead="the EOS default",
    ),
    Capability("alpha", MMU, "1/128 to 8, powers of two; one value a switch", judge=ORACLE),
    Capability(
        "pfc-watchdog",
        f"{ROCE}; github.com/aristanetworks/avd, #1331",
        "0.01 to 60 s in steps of 10 ms; drop or notify",
        unproven="by the EOS manual the watchdog monitors only queues with `bandwidth guaranteed`. That command is not "
        "rendered, because some chips reject it (Arista AVD #1331). Test first whether the watchdog reports a paused "
        "queue",
    ),
    Capability("dscp-map", ROCE, "64 code points to classes 0-7; class 7 stays in queue 7", judge=ORACLE),
    Capability(
        "dscp-remap",
        PYAVD,
        refusal="`qos map traffic-class ... to dscp` rewrites DSCP on egress of all ports: never rendered",
    ),
    Capability(
        "control-queue", ROCE, "EOS keeps class 7 and queue 7 for its own control packets; their DSCP is undocumented"
    ),
    Capability("control-queue-bfd", ROCE, "as BGP; no source mentions BFD separately"),
    Capability("control-apart", ROCE, refusal="the queue of its own packets is queue 7 of the plan"),
    Capability("ecmp", RECORDED, judge=ORACLE),
    Capability("dlb-flowlet", DLB, "the gap between flowlets stays at EOS's own value", judge=ORACLE),
    Capability(
        "flowlet-gap",
        MANUAL,
        refusal="the manual gives no unit for `ip hardware fib load-balance distribution ... inactivity`",
        instead="the EOS default",
    ),
    Capability(
        "dlb-per-packet",
        "EOS user manual, IPv4 chapter; title of the Arista TOI on random load balancing, EOS 4.35.2F",
        refusal="the syntax of `ip hardware fib load-balance distribution` for packet spraying is undocumented",
    ),
    Capability(
        "ecmp-queue-pair",
        QUEUE_PAIR,
        "packets of one flow of other UDP may take several paths, as these octets are part of its payload",
        refusal="Arista's engineers ask for it on Tomahawk, and not for the chip of this model",
        vouched="queue_pair_hash",
        unproven="the command names port channels; that its fields count for ECMP groups too, and from which release "
        "on, was read in no document of Arista",
        judge=ORACLE,
    ),
    Capability(
        "dlb-global",
        "EOS user manual, IPv4 chapter; arista.com/en/support/toi, list of EOS 4.35.2F; " + PYAVD,
        refusal="dynamic load balancing knows the load of the switch's own ports only; `cluster` places flows on a "
        "leaf",
    ),
    Capability(
        "cluster",
        CLUSTER,
        refusal="Arista's engineers list 7260CX3, 7280R3, 7500R3, 7800R3, 7060X5 and 7060X6 for it (Engineers' "
        "Exchange 2026.1), but not this model",
        vouched="cluster",
        since="4.34",
    ),
    Capability("link-loss-weighted", UCMP, refusal=SUMS),
    Capability(
        "link-loss-withdraw",
        NOT_FOUND,
        refusal="there is no command to withdraw a route when some of its paths are lost; `link tracking` shuts "
        "server ports, not the other links of a pair",
    ),
    Capability("link-loss-weighted-wide", UCMP, refusal=SUMS),
    Capability("hash-seed", MANUAL, "0-5, by tier; that the manual's word trident covers these chips is assumed"),
    Capability("wait-install", PYAVD, "on switches with a forwarding chip; vEOS and cEOS refuse it", judge=ORACLE),
    Capability(
        "maximum-routes",
        IDLE,
        "a warning; on a spine towards its leaves, and towards peers outside, the session is idle for five minutes "
        "(that the timer holds for this cause is inferred)",
        judge=ORACLE,
    ),
    Capability("evpn-limit", IDLE, "as maximum-routes", judge=ORACLE),
    Capability("graceful-shutdown", PYAVD, "sent and honoured by route maps", judge=ORACLE),
    Capability(
        "unnumbered",
        f"{NETLAB}; {PYAVD}",
        "a peer group a link, so that each link is drained by itself; how many groups EOS takes was not found",
        judge=ORACLE,
    ),
    Capability("ttl-send", PYAVD, "as `ebgp-multihop 255`", judge=ORACLE),
    Capability(
        "ttl-check",
        f"{PYAVD}; github.com/aristanetworks/avd issue 3424: `ttl maximum-hops` 0 to 254, seen on a switch",
        "of the peer groups, those of unnumbered links too, which nobody tried; whether 1 hop admits a TTL of 254 is "
        "in no source",
        judge=ORACLE,
    ),
    Capability("fabric-password", PYAVD, judge=ORACLE),
    Capability("bfd", PYAVD, "EOS's own interval, 300 ms by 3", judge=ORACLE),
    Capability("evpn", RECORDED, judge=ORACLE),
    Capability(
        "vtep-ipv6",
        "arista.com/en/support/toi/tag/vxlan (EVPN VXLAN IPv6, 4.26.0F); public configurations",
        refusal="`vxlan encapsulation ipv6` is public, but no source says which models here have such tunnels",
    ),
    Capability("anycast-gateway", RECORDED, judge=ORACLE),
    Capability("esi-multihoming", PYAVD, "all-active port-channels", judge=ORACLE),
    Capability(
        "df-preference",
        PYAVD,
        "of the whole segment; that EOS elects so over VXLAN was not seen",
        judge=ORACLE,
        scope=FeatureScope.PAIR,
    ),
    Capability(
        "dual-tor",
        f"{NETLAB}; {PYAVD}; {SERVERS}",
        "the words of any session over a link without addresses; a session with a server was not tried on it",
    ),
    Capability("lacp-fallback", PYAVD, "individual: each member forwards alone after 5 s without LACP", judge=ORACLE),
    Capability("storm-control", PYAVD, "broadcast and multicast in percent of the port's speed", judge=ORACLE),
    Capability("storm-control-unknown-unicast", PYAVD, "in percent of the port's speed", judge=ORACLE),
    Capability("mac-limit", SECURITY, PROTECT, judge=ORACLE),
    Capability(
        "mac-limit-bonds", SECURITY, PROTECT + "; that it holds on an Ethernet segment was not found", judge=ORACLE
    ),
    Capability("duplicate-mac", FLAPS, judge=ORACLE),
    Capability("duplicate-mac-bonds", FLAPS, judge=ORACLE),
    Capability("duplicate-mac-recovery", FLAPS, "expiry timeout", judge=ORACLE),
    Capability(
        "ra-guard",
        f"{PYAVD}; EOS manual (searched 2026-12-01)",
        refusal="no guard against router advertisements was found",
    ),
    Capability("bpdu-guard", PYAVD, judge=ORACLE),
    Capability("uplink-tracking", PYAVD, "server ports come back 120 s after the first uplink", judge=ORACLE),
    Capability(
        "dhcp-relay",
        PYAVD,
        "from a loopback of the leaf's own; the server must know the link selection of RFC 3527",
        judge=ORACLE,
    ),
    Capability("external-bgp", PYAVD, "on 802.1Q subinterfaces; their MTU is the port's", judge=ORACLE),
    Capability("pfc-switched", SWITCHED, judge=ORACLE),
    Capability("pfc-tagged", SWITCHED, "the mark of IP counts, not that of the tag", judge=ORACLE),
    Capability(
        "pfc-bonds",
        f"{PYAVD}; github.com/aristanetworks/avd issue 3822",
        "the profile is at the port channel, and at its members for LACP fallback",
        judge=ORACLE,
    ),
    Capability(
        "roce-over-vxlan",
        f"{VXLAN_DSCP}; {PYAVD}",
        refusal="the manual lists `vxlan qos dscp ...` for three models only, with chips that no model of the library "
        "has, and `vxlan qos ecn propagation` for none; without them lossless traffic is lossy inside the tunnel",
        vouched="vxlan_qos",
    ),
    Capability(
        "ecn-counters",
        f"{ROCE}; {AMD}",
        "of the queues of a profile; `ecn_count` in a hardware file says otherwise",
        judge=ORACLE,
    ),
    Capability(
        "queue-monitor",
        f"{LANZ}; {PYAVD}; github.com/aristanetworks/avd pull 2794",
        "the manual lists Tomahawk and Trident 3, not later chips; PyAVD's platform table disables it for none; "
        "thresholds are in the unit of the chip, and not every chip has a low threshold",
        judge=ORACLE,
    ),
    Capability(
        "queue-latency",
        "github.com/aristanetworks/avd issue 3042",
        refusal="`queue-monitor length tx-latency` is documented for Jericho 2 only, which no model of the library has",
        vouched="queue_latency",
    ),
    Capability(
        "queue-streaming",
        f"{LANZ}; {PYAVD}",
        "in the management VRF; no source names a login or TLS for its clients",
        judge=ORACLE,
    ),
    Capability("congestion-capture", MIRROR, "to the switch's own processor, which sees a part of them", judge=ORACLE),
    Capability(
        "drop-capture",
        NOT_FOUND,
        refusal="EOS can mirror dropped packets (DMF reads such flows), but the commands are undocumented",
    ),
    Capability("load-interval", PYAVD, "of all ports", judge=ORACLE),
    Capability("sflow", PYAVD, "physical ports; none on subinterfaces", judge=ORACLE),
    Capability("gnmi", PYAVD, judge=ORACLE),
    Capability("eapi", RECORDED, judge=ORACLE),
    *plain(("access-ssh", "access-gnmi", "access-api", "access-snmp"), PYAVD, judge=ORACLE),
    Capability("login-banner", PYAVD, judge=ORACLE),
    Capability("login-idle", PYAVD, "by SSH and on the console", judge=ORACLE),
    Capability("login-keys", PYAVD, "eAPI and the console take passwords all the same", judge=ORACLE),
    Capability("ssh-ciphers", f"{PYAVD}; aristanetworks/avd, molecule management-ssh-custom-cipher", judge=ORACLE),
    Capability("access-netconf", PYAVD, refusal="no NETCONF server is turned on", instead="no NETCONF server runs"),
    Capability("snmp", PYAVD, "version 3, SHA and AES", judge=ORACLE),
    *plain(("snmp-sha256", "snmp-aes256"), PYAVD, judge=ORACLE),
    Capability("aaa", PYAVD, "TACACS+ for login and exec, with accounting; local users are the fallback", judge=ORACLE),
    Capability("ssh-keys", PYAVD, "two of each user", judge=ORACLE),
    Capability("users", PYAVD, "roles network-admin and network-operator; root is refused", judge=ORACLE),
    Capability("lldp", PYAVD, judge=ORACLE),
    *plain(
        (
            *COMMON_FEATURES,
            "management-vrf",
            "domain",
            "snmp-traps",
            "loopback-descriptions",
            "tenant-imports",
            "bgp-timers",
            "queues",
            "pfc-watchdog-notify",
            "lag",
            "vlan-names",
        ),
        PYAVD,
        judge=ORACLE,
    ),
    Capability(
        "tunnel-marks",
        f"{VXLAN_DSCP}; {PYAVD}",
        refusal="the manual lists it for three models only, with chips that no model of the library has",
        vouched="vxlan_qos",
        judge=ORACLE,
        instead="the outer header is not marked",
    ),
)
