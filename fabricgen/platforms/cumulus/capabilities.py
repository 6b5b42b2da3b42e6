"""Capabilities of Cumulus Linux, feature by feature, with the source; details are in `templates/cumulus/NOTES.md`.

JUDGE has read the routing: NVIDIA's own pairs of commands turned the rendered text into frr.conf, for real daemons.
"""

from fabricgen.platforms.base.platform import Capability, FeatureScope, plain

DOCS = "github.com/CumulusNetworks/docs, read 2026-11-22: "
REFERENCE = DOCS + "nvue-reference/Set-and-Unset-Commands/"
ACL = "github.com/CumulusNetworks/docs, read 2026-12-01: "
QOS = (
    DOCS + "cumulus-linux-511 Quality of Service (28af43a7); nvue-reference QoS (05e49539): commands since 5.3 and 5.4"
)
ROCE = DOCS + "cumulus-linux-511 RDMA over Converged Ethernet (069ff4a4)"
ECMP = DOCS + "cumulus-linux-511 Equal Cost Multipath Load Sharing (0e0a4e70)"
GUARDS = (
    "github.com/CumulusNetworks/docs, cumulus-linux-511 Optional BGP Configuration (0f7bb431): TTL security, MD5; NVUE "
    "command reference, BGP"
)
BGP = REFERENCE + "BGP.md (054739e8), BGP-EVPN.md (1e9b227a)"
POLICY = REFERENCE + "Router-Policy.md (1c17cb43)"
EVPN = REFERENCE + "EVPN.md (010b130d); cumulus-linux-511 Inter-subnet Routing (04491ddc)"
MULTIHOMING = DOCS + "cumulus-linux-511 EVPN Multihoming (04491ddc)"
INTERFACE = REFERENCE + "Interface.md (0dd08a25)"
SNIPPETS = DOCS + "NVUE Snippets, /etc/frr/frr.conf; run by github.com/ipspace/netlab, vrf/cumulus_nvue.j2 (21108c41)"
SECURITY = DOCS + "cumulus-linux-511 Port Security; nvue-reference, port-security"
DUPLICATES = REFERENCE + "EVPN.md: evpn dad"
TUNNEL = (
    "docs.nvidia.com/networking-ethernet-software, VXLAN Tunnel DSCP Operations, Cumulus Linux 3.7 to 5.10, read "
    "2026-11-30: for RoCE end to end, ECN between overlay and underlay as RFC 6040 says; "
    + "nvue-reference VXLAN.md (29dcbba1)"
)
VXLAN = REFERENCE + "VXLAN.md (29dcbba1)"
TELEMETRY = REFERENCE + "Telemetry.md: histograms; " + DOCS + "cumulus-linux-511 ASIC Monitoring (0f8beefc)"
NOT_FOUND = "no command in NVIDIA's documentation (searched 2026-11-22)"
JUDGE = "FRR 8.4.4"

CAPABILITIES = (
    Capability("ipv4", INTERFACE, judge=JUDGE),
    Capability("ipv6", INTERFACE, judge=JUDGE),
    Capability("bgp", BGP, judge=JUDGE),
    Capability(
        "graceful-shutdown",
        f"{POLICY}; {SNIPPETS}",
        "sent and honoured by route maps; additive communities are set by a snippet of FRR lines",
        judge=JUDGE,
    ),
    Capability("unnumbered", BGP, judge=JUDGE),
    Capability("ttl-send", BGP, "as `multihop-ttl 255`", judge=JUDGE),
    Capability(
        "ttl-check",
        GUARDS,
        "of each neighbor, as that of a group does not reach its members; BGP alone drops packets, not the chip; not "
        "beside BFD",
        judge=JUDGE,
    ),
    Capability("fabric-password", GUARDS, judge=JUDGE),
    Capability(
        "bfd",
        f"{BGP}; cumulus-linux-515 Bidirectional Forwarding Detection (5810501f)",
        "300 ms by 3: the system's own until 5.14, in a profile from 5.15 on, where turning BFD on or off restarts FRR",
        judge=JUDGE,
    ),
    Capability(
        "wait-install",
        f"{BGP}; templates/frr/NOTES.md; cumulus-linux-514 What's New (00e6d395): FRR 10.0.3",
        "until 5.13 not on a switch with an EVPN session: FRR before 9.1 would hold back EVPN routes too",
        judge=JUDGE,
    ),
    Capability(
        "maximum-routes",
        BGP,
        "a warning; on a spine towards its leaves, and towards peers outside, the "
        "session is closed for five minutes (the manual has seconds of what FRR takes as minutes)",
        judge=JUDGE,
    ),
    Capability("evpn-limit", BGP, "by session, since 5.10; else as maximum-routes", judge=JUDGE),
    Capability("pfc", f"{QOS}; {ROCE}"),
    Capability(
        "pfc-priority-map",
        QOS,
        refusal="a PFC profile has switch priorities, and a packet's switch priority is the number of its class: with "
        "another PFC priority RoCE would be lossy, and the class of that number would be paused",
    ),
    Capability("ecn", QOS, "thresholds in octets"),
    Capability(
        "headroom",
        QOS,
        "by the length of a port's cable: the switch computes the octets, which our plan of the buffer only estimates",
    ),
    Capability("headroom-per-interface", QOS, "by a PFC profile for each length of cable and speed"),
    Capability(
        "headroom-pool",
        f"{REFERENCE}QoS.md (05e49539): `shared-headroom-pool`, since 5.17",
        refusal="this release has no shared headroom pool",
        instead="each port has its own headroom",
    ),
    Capability(
        "resume-offset",
        QOS,
        refusal="NVIDIA recommends that the switch computes it, and that `xon-threshold` is not set",
        instead="the switch computes it",
    ),
    Capability("alpha", QOS, "1/128 to 64, powers of two, one value a switch"),
    Capability(
        "pfc-watchdog",
        QOS,
        "looked at every 100 ms or more slowly; a queue is healthy when one look finds no pause; it drops, and no less",
    ),
    Capability("dscp-map", QOS, "64 code points to switch priorities 0-7"),
    Capability(
        "control-queue",
        f"{SNIPPETS}; FRRouting/frr, `bgp session-dscp`",
        "a snippet with FRR's own line marks BGP CS7, because NVUE has no command for it. That packets of the CPU "
        "are sent in the queue of their mark is assumed",
        judge=JUDGE,
    ),
    Capability(
        "control-queue-bfd",
        "FRRouting/frr fbfc8222, bfdd/bfd.h (TOS 0xC0)",
        refusal="BFD is marked CS6, which is fixed in FRR's bfdd, and no NVUE command changes it",
    ),
    Capability("control-apart", NOT_FOUND, refusal="no other queue than the eight of the plan was found"),
    Capability("dscp-remap", QOS, refusal="`qos remark` rewrites what leaves a port: never rendered"),
    Capability("ecmp", ECMP),
    Capability(
        "dlb-flowlet", ECMP, refusal="adaptive routing chooses a path for each packet; there is no command for flowlets"
    ),
    Capability("flowlet-gap", ECMP, refusal="there are no flowlets: see dlb-flowlet"),
    Capability(
        "dlb-per-packet",
        f"{ECMP}; cumulus-linux-516 Equal Cost Multipath Load Sharing (0e0a4e70): the same chip and speeds",
        refusal="adaptive routing is documented for Spectrum-4, on links of 200 and 400G, and this model has another "
        "chip",
        vouched="adaptive_routing",
        by_speed=True,
    ),
    Capability(
        "ecmp-queue-pair",
        "docs.nvidia.com, NVUE reference, System Forwarding (ecmp-hash), up to 5.19; read 2026-11-30",
        refusal="`system forwarding ecmp-hash` has addresses, ports, the flow label, the ingress port, inner fields "
        "and the TEID of GTP, but no field of RoCE",
    ),
    Capability(
        "dlb-global",
        ECMP,
        refusal="adaptive routing is `dlb-per-packet` here: there is no mode for flowlets, and no command for the load "
        "of remote links",
    ),
    Capability("cluster", NOT_FOUND, refusal="there is no command to place single flows of hosts"),
    Capability(
        "link-loss-weighted",
        f"{POLICY}; {BGP}; cumulus-linux-511 BGP Weighted Equal Cost Multipath (31c66e5d)",
        "weights are hundredths of the whole, so a pair that lost a link may get less than it could carry",
        judge=JUDGE,
        scope=FeatureScope.FABRIC,
    ),
    Capability(
        "link-loss-withdraw",
        POLICY,
        refusal="a list of extended communities matches route targets and sites of origin, but not link bandwidth",
    ),
    Capability(
        "link-loss-weighted-wide",
        POLICY,
        refusal="weights are hundredths of the whole (511 BGP Weighted Equal Cost Multipath)",
    ),
    Capability("hash-seed", ECMP, "a change restarts switchd, which resets all ports"),
    Capability(
        "evpn",
        EVPN,
        "imports between tenants are taken over inside each switch; VLANs 3725 to 3999 are the chip's own; VLANs "
        "have no names",
        judge=JUDGE,
    ),
    Capability("anycast-gateway", f"{INTERFACE}; {EVPN}", "the same address and MAC on the VLAN of every leaf; no VRR"),
    Capability(
        "esi-multihoming",
        MULTIHOMING,
        "all-active bonds; every identifier begins with 00, as the release asks",
        judge=JUDGE,
        scope=FeatureScope.PAIR,
        alike="its zebra elects by preference alone (RFC 9785): beside a leaf that elects otherwise it forwards no "
        "broadcast to their servers, and that leaf counts on it for half of the VLANs (FRR, zebra/zebra_evpn_mh.c, "
        "zebra_evpn_es_run_df_election)",
    ),
    Capability(
        "df-preference",
        f"{MULTIHOMING}, DF Election",
        "1 to 65535, of the whole segment; its zebra knows no other election",
        judge=JUDGE,
        scope=FeatureScope.PAIR,
    ),
    Capability(
        "vtep-ipv6",
        f"{DOCS}cumulus-linux-516 What's New (03700e50)",
        refusal="EVPN with IPv6 VTEPs is a beta of 5.16, and not in 5.11 to 5.15",
    ),
    Capability(
        "dual-tor",
        BGP,
        "the words of any session over a link without addresses; a session with a server was not tried on it",
    ),
    Capability("lacp-fallback", f"{INTERFACE}; {MULTIHOMING}", "LACP bypass: a member forwards without a partner"),
    Capability(
        "storm-control",
        INTERFACE,
        refusal="`storm-control` counts packets per second, and the intent has percent of the port speed",
    ),
    Capability(
        "storm-control-unknown-unicast",
        INTERFACE,
        refusal="`storm-control` counts packets per second, and the intent has percent of the port speed",
    ),
    Capability(
        "mac-limit",
        SECURITY,
        "port security, violation restrict: packets of more are dropped; up to 512; a bond learns all that it sees",
    ),
    Capability(
        "mac-limit-bonds",
        SECURITY,
        refusal="port security limits only ports that are not in a bond; with `multihoming: active-backup` it applies. "
        "A spine closes its session with a leaf that sends more EVPN routes than a leaf can have",
    ),
    Capability("duplicate-mac", DUPLICATES, "a warning; with a recovery time the address is frozen", judge=JUDGE),
    Capability(
        "duplicate-mac-bonds",
        MULTIHOMING,
        refusal="detection of duplicate addresses is not supported with EVPN multihoming",
    ),
    Capability("duplicate-mac-recovery", DUPLICATES, "the address is frozen for that time", judge=JUDGE),
    Capability(
        "ra-guard",
        f"{ACL}nvue-reference ACL.md (035c17b1): match ip icmpv6-type router-advertisement; interface acl inbound",
        "by an IPv6 list of each server port or bond",
    ),
    Capability("bpdu-guard", DOCS + "cumulus-linux-515 New and Changed NVUE Commands (07d58d4b), names of 5.14"),
    Capability(
        "uplink-tracking",
        MULTIHOMING,
        refusal="bonds that are Ethernet segments always follow their uplinks (`evpn multihoming uplink`); there is "
        "no command for other ports",
    ),
    Capability(
        "dhcp-relay",
        DOCS + "cumulus-linux-511 DHCP Relays (0fda5224)",
        "every server of a VRF hears every client of it; the IPv4 server must know link selection (RFC 3527); one "
        "server of IPv6 a tenant",
    ),
    Capability("external-bgp", f"{BGP}; {INTERFACE}", "on VLAN subinterfaces", judge=JUDGE),
    Capability("pfc-switched", QOS, "a profile is of a port, whether it is routed or in a bridge"),
    Capability("pfc-tagged", QOS, "`trust: l3`: the mark of IP counts, not that of the tag"),
    Capability(
        "pfc-bonds",
        f"{QOS}; {ROCE}",
        "profiles are at the member ports",
        unproven="NVIDIA's pages show profiles at ports (swp), and none at a member of a bond. Test first whether "
        "`nv show interface SWP qos roce status` of a member has the plan's PFC and thresholds",
    ),
    Capability(
        "roce-over-vxlan",
        TUNNEL,
        "DSCP is copied to the outer header, and the inner one is kept; ECN as RFC 6040 says (the page of 5.10; later "
        "ones were not found)",
    ),
    Capability("ecn-counters", QOS, always="always counted: nv show interface counters qos"),
    Capability(
        "queue-monitor",
        TELEMETRY,
        "histograms of the lossless queues' depth; a high threshold in octets is logged, a low one is not known",
    ),
    Capability(
        "queue-latency",
        TELEMETRY,
        refusal="there is a latency histogram, but a switch has only one histogram per port on average, and queue "
        "depth uses it",
    ),
    Capability("queue-streaming", TELEMETRY, refusal="histograms are files of the switch; export is OpenTelemetry"),
    Capability(
        "congestion-capture", NOT_FOUND, refusal="there is no command to mirror only packets of congested queues"
    ),
    Capability(
        "drop-capture",
        DOCS + "cumulus-linux-515 Mellanox WJH",
        refusal="What Just Happened reports why packets were dropped, but does not copy them",
    ),
    Capability(
        "load-interval",
        DOCS + "cumulus-linux-512 What's New (07e14210); Monitoring Interfaces and Transceivers with NVUE: 1 to 600 s",
        since="5.12",
    ),
    Capability(
        "aaa",
        DOCS + "cumulus-linux-511 TACACS (0da900a5), 512 and 514 TACACS",
        "TACACS+ for login, with the local accounts as fallback; seven servers in 5.11, eight from 5.12 on",
    ),
    Capability("access-ssh", ACL + "cumulus-linux-516 Access Control List Configuration (110e6f93): who can SSH"),
    Capability("access-api", ACL + "cumulus-linux-511 NVUE API (0f31ea64): Control Plane ACLs", "ports 443 and 8765"),
    Capability("access-gnmi", ACL + "nvue-reference ACL (035c17b1)"),
    Capability(
        "access-netconf",
        ACL + "nvue-reference",
        refusal="Cumulus has no NETCONF server",
        instead="no NETCONF server runs",
    ),
    Capability(
        "access-snmp", REFERENCE + "SNMP-Server.md (2866c2e1)", refusal="see snmp", instead="no SNMP agent runs"
    ),
    Capability(
        "snmp",
        REFERENCE + "SNMP-Server.md (2866c2e1)",
        refusal="NVUE stores SNMPv3 passwords encrypted, and their YAML form is undocumented",
    ),
    Capability(
        "gnmi",
        REFERENCE
        + "gnmi.md: introduced in Cumulus Linux 5.13; "
        + DOCS
        + "cumulus-linux-515 gNMI Streaming (3b667b23)",
        "with TLS, on the management address; `nv action import system security` imports the certificate",
        unproven="eth0 is in VRF mgmt, and no source says in which VRF the server listens",
        since="5.13",
    ),
    Capability("sflow", REFERENCE + "sFlow.md: since 5.11", "all ports, one rate for each speed"),
    Capability(
        "eapi",
        REFERENCE + "API.md: system api certificate, from 5.8 on",
        "the API of NVUE, which shows a certificate of its own without it; a push goes over SSH",
    ),
    Capability("lldp", DOCS + "cumulus-linux-511 Link Layer Discovery Protocol (34f2d641)"),
    Capability("login-banner", REFERENCE + "System.md: system message pre-login, from 5.3 on"),
    Capability("login-idle", REFERENCE + "SSH-Server.md (15fcb959)", "by SSH; for the console NVUE has no time"),
    Capability(
        "login-keys",
        REFERENCE + "SSH-Server.md (15fcb959)",
        refusal="NVUE has no setting that turns passwords of SSH off",
    ),
    Capability(
        "ssh-ciphers",
        REFERENCE + "SSH-Server.md (15fcb959)",
        refusal="NVUE lists ciphers from 5.15 on, and no list of MACs was found; until 5.14 SSH is strict by itself",
        instead="SSH is strict by itself",
    ),
    Capability("ssh-keys", REFERENCE + "User-Account.md (178433be)"),
    Capability(
        "users",
        DOCS + "cumulus-linux-511 User Accounts (4ec8c90a)",
        "roles system-admin and nvue-monitor; root and accounts of the system are refused",
    ),
    *plain(
        (
            "vrfs",
            "prefix-lists",
            "community-lists",
            "route-maps",
            "networks",
            "static-routes",
            "tenant-imports",
            "evpn-routes",
            "bgp-timers",
            "bgp-password",
        ),
        f"{BGP}; {POLICY}; {SNIPPETS}",
        judge=JUDGE,
    ),
    *plain(
        (
            "hostname",
            "management-port",
            "domain",
            "dns",
            "ntp",
            "syslog",
            "ports",
            "mtu",
            "fec",
            "descriptions",
            "lag",
            "vlans",
            "subinterfaces",
            "loopbacks",
            "raw-lines",
        ),
        f"{INTERFACE}; {REFERENCE}System.md, NTP.md, DNS.md, Syslog.md, Link-Settings.md",
    ),
    *plain(("queues",), QOS),
    *(
        Capability(feature, REFERENCE + "SNMP-Server.md (2866c2e1)", refusal="see snmp")
        for feature in ("snmp-traps", "snmp-sha256", "snmp-aes256")
    ),
    Capability(
        "management-vrf",
        f"{REFERENCE}System.md",
        refusal="the name of the management VRF is fixed",
        instead="its name is `mgmt`, whatever `management.vrf` is",
    ),
    Capability(
        "vlan-names", INTERFACE, refusal="a VLAN of the bridge has no name", instead="a VLAN has its number only"
    ),
    Capability(
        "loopback-descriptions",
        INTERFACE,
        refusal="there is no command for a description on `lo` or its addresses",
        instead="loopbacks have no description",
    ),
    Capability("pfc-watchdog-notify", QOS, refusal="the watchdog always drops"),
    Capability("tunnel-marks", TUNNEL, "DSCP is copied to the outer header and kept; ECN as RFC 6040 says"),
)
