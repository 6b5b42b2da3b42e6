"""What EOS is known to do, feature by feature, with the source; `templates/eos/NOTES.md` has the details."""

from fabricgen.platforms.platform import Capability

PYAVD = "PyAVD 6.4.0, eos_cli_config_gen templates (pypi.org/project/pyavd/6.4.0)"
ROCE = "Arista EOS RoCEv2 lossless write-up of 2026-07-20 on the EOS 4.36 manual; " + PYAVD
AMD = "AMD ROCm GPU cluster networking guide, Arista 7388 example"
HABANA = "docs.habana.ai, Expected Switch Configuration (7060PX5-64E)"
MMU = "github.com/aristanetworks/avd issue 4921 with CLI help; " + HABANA
RECORDED = "github.com/batfish/lab-validation, recorded EOS configurations (4.23, 4.36)"
DLB = "github.com/aristanetworks/avd issue 4920 (TOI 14562, EOS 4.24.2F); " + PYAVD
MANUAL = "EOS user manual, IPv4 chapter (`ip load-sharing`, `ip hardware fib load-balance distribution`)"
NOT_FOUND = "no PyAVD key, no recorded configuration, no public thread (searched 2026-11-21)"

CAPABILITIES = (
    Capability("ipv4", "", RECORDED),
    Capability("ipv6", "", PYAVD),
    Capability("bgp", "", RECORDED),
    Capability("pfc", "", f"{ROCE}; {AMD}"),
    Capability(
        "pfc-priority-map",
        "",
        f"{ROCE}; {AMD}; {HABANA}: the paused priority and the class have one number in each",
        refusal="no command that gives a traffic class another PFC priority was found",
    ),
    Capability("ecn", "thresholds in kbytes: rounded down to 1,000 octets", f"{ROCE}; {AMD}"),
    Capability("headroom", "one value a switch, the largest any of its ports needs; in octets", MMU),
    Capability(
        "headroom-pool",
        "33554432 octets in the CLI help of an unnamed model; more may be refused by the switch",
        MMU,
    ),
    Capability(
        "headroom-per-interface",
        "",
        NOT_FOUND,
        refusal="profiles for one interface exist, their interface command was found nowhere: see headroom",
    ),
    Capability(
        "resume-offset",
        "",
        PYAVD,
        refusal="`ingress resume` takes octets; whether of the limit or below it was found nowhere: EOS's own stays",
    ),
    Capability("alpha", "1/128 to 8, powers of two; one value a switch", MMU),
    Capability(
        "pfc-watchdog",
        "0.01 to 60 s in steps of 10 ms; drop or notify; may need guaranteed bandwidth on some chips",
        ROCE,
    ),
    Capability("dscp-map", "64 code points to classes 0-7; class 7 stays in queue 7", ROCE),
    Capability(
        "dscp-remap",
        "",
        PYAVD,
        refusal="`qos map traffic-class ... to dscp` rewrites on the way out for all ports: never rendered",
    ),
    Capability("ecmp", "", RECORDED),
    Capability("dlb-flowlet", "the gap between flowlets stays at EOS's own value", DLB),
    Capability(
        "flowlet-gap",
        "",
        MANUAL,
        refusal="`ip hardware fib load-balance distribution ... inactivity` has no unit in the manual: EOS's own stays",
    ),
    Capability(
        "dlb-per-packet",
        "",
        f"{MANUAL}; Arista TOI on random load balancing (EOS 4.35.2F), named only",
        refusal="which words of `ip hardware fib load-balance distribution` spray packets is said nowhere",
    ),
    Capability(
        "hash-seed",
        "0-5, by tier; that the manual's word trident covers these chips is assumed",
        MANUAL,
    ),
    Capability("wait-install", "on switches with a forwarding chip; vEOS and cEOS refuse it", PYAVD),
    Capability("maximum-routes", "", PYAVD),
    Capability("graceful-shutdown", "sent and honoured by route maps", PYAVD),
    Capability("bfd", "EOS's own interval, 300 ms by 3", PYAVD),
    Capability("evpn", "", RECORDED),
    Capability("anycast-gateway", "", RECORDED),
    Capability("esi-multihoming", "all-active port-channels", PYAVD),
    Capability("lacp-fallback", "individual: each member forwards alone after 5 s without LACP", PYAVD),
    Capability("storm-control", "broadcast and multicast in percent of the port's speed", PYAVD),
    Capability("bpdu-guard", "", PYAVD),
    Capability("uplink-tracking", "server ports come back 120 s after the first uplink", PYAVD),
    Capability(
        "dhcp-relay",
        "from a loopback of the leaf's own; the server must know the link selection of RFC 3527",
        PYAVD,
    ),
    Capability("external-bgp", "on 802.1Q subinterfaces; their MTU is the port's", PYAVD),
    Capability(
        "roce-over-vxlan",
        "",
        PYAVD,
        refusal="`vxlan qos ...` is known for few chips and none of the library",
    ),
    Capability("sflow", "physical ports; none on subinterfaces", PYAVD),
    Capability("gnmi", "", PYAVD),
    Capability("eapi", "", RECORDED),
    Capability("snmp", "version 3, SHA and AES", PYAVD),
    Capability("aaa", "TACACS+ for login and exec, with accounting; local users are the fallback", PYAVD),
    Capability("users", "roles network-admin and network-operator", PYAVD),
    Capability("lldp", "", PYAVD),
)
