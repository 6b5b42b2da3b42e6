"""Capabilities of NX-OS, feature by feature, with sources; `templates/nxos/NOTES.md` has details."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, FeatureScope, plain

GUIDE = "Cisco Nexus 9000 NX-OS {} guide, Release 10.5(x), cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/105x"
RECORDED = (
    "github.com/batfish/lab-validation dbe21f0, recorded NX-OS 9.2(3) and 10.3(9); a public running-config of 10.5(2)"
)
NETLAB = "github.com/ipspace/netlab 771eeee6, netsim/ansible/templates/*/nxos.j2, run on Nexus 9000v"
BATFISH = "github.com/batfish/batfish cba1873, vendor/cisco_nxos: grammar and test configurations"
ANSIBLE = "github.com/ansible-collections/cisco.nxos 154aa54, rm_templates"
ROCE = (
    "Cisco's RoCEv2 script for NX-OS (P. Gupta, 0.60 of 2026-04-26); github.com/Azure/AzureLocal-Supportability "
    "2f67159, Reference-TOR-QOS-Policy-Configuration"
)
PFC = GUIDE.format("quality of service") + ": Configuring Priority Flow Control"
QUEUING = GUIDE.format("quality of service") + ": Configuring Queuing and Scheduling"
DLB = (
    GUIDE.format("unicast routing")
    + ": Configuring Dynamic Load Balancing, from 10.5(1)F; github.com/CiscoTestAutomation/genielibs 3a76c6a; of the "
    "MAC address nwktimes.blogspot.com, April 2025, after the guide"
)
DME = "github.com/CiscoDevNet/terraform-provider-nxos 43d0c25, gen/definitions"
VXLAN = (
    "Cisco white paper, RoCE Storage Implementation over NX-OS VXLAN Fabrics; NX-OS VXLAN guides 10.3(x) and 10.6(x), "
    "VXLAN QoS: uniform mode by default"
)
ESI = "Cisco Nexus 9000 NX-OS VXLAN guide, Release 10.6(x), EVPN ESI multi-homing: its opening; from 10.6(1)"
DLB_RELOAD = "needs a reload; every switch of the fabric must be such a Nexus with the same mode"
DLB_EVERYWHERE = (
    "packets are sent to one MAC address of dynamic load balancing (default 00cc.cccc.cccc), and a far end that is "
    "not such a Nexus, or has another mode, drops them"
)
VTY = "public running configurations of NX-OS 9.3(3), line vty; DISA STIG for NX-OS, V-220479"
KERNEL = "Cisco Nexus 9000 NX-OS security guide, Release 10.3(x), Configuring IP ACLs: Kernel Stack ACL"
CONTROL = (
    "Cisco Nexus 9000 NX-OS quality of service guide, Release 7.x, Configuring Marking: packets of routing protocols "
    "and of BFD are classified by the switch itself and scheduled at absolute high priority"
)
DUPLICATES = (
    "github.com/cisco/cisco-network-node-utils 0a0054f, cmd_ref/overlay_global.yaml: l2rib dup-host-mac-detection; "
    "netascode.cisco.com, NX-OS data model, L2RIB: 1 to 1000 moves in 2 to 36000 s; read 2026-12-01"
)
NOT_FOUND = "no recorded configuration, no guide, no public thread (searched 2026-11-22)"
SECURED = "Cisco Nexus 9000 NX-OS security guide, Release 9.x: port security, 1025 addresses a port"
UNLIMITED = (
    "port security on a VLAN with a VNI is undocumented; `mac address-table limit system` is for the whole switch, "
    "and counts remote MACs. A spine closes its session with a leaf that sends more EVPN routes than a leaf can have"
)
LEARNS_ALL = "a port learns every MAC address"
SILENT = "no source of commands for Nexus 9000 was found"
QUEUE_DEPTHS = "no source has commands for the depth of queues over time on Nexus 9000"

CAPABILITIES = (
    Capability("ipv4", RECORDED),
    Capability("ipv6", f"{RECORDED}; {BATFISH}"),
    Capability("bgp", f"{RECORDED}; {NETLAB}"),
    Capability("ecmp", f"{RECORDED}; {BATFISH}", "at most 64 paths"),
    Capability(
        "unnumbered",
        "Cisco Nexus 9000 NX-OS unicast routing guide, BGP interface peering via IPv6 link-local, from 9.3(6); netlab "
        "does not use it",
        refusal="the guide mentions BGP over link-local addresses of interfaces, but no fabric configuration with it "
        "was found, and IPv4 over it is undocumented; links: [ipv4, ipv6] works",
    ),
    Capability("ttl-send", f"{ANSIBLE}; {BATFISH}", "as `ebgp-multihop 255`; not beside BFD"),
    Capability(
        "ttl-check",
        ANSIBLE,
        "between loopbacks beside `disable-connected-check`: no source says whether it is wanted there",
    ),
    Capability("fabric-password", f"{ANSIBLE}; {BATFISH}"),
    Capability(
        "bfd",
        f"{BATFISH}; {NETLAB}; {ANSIBLE}",
        "NX-OS's own interval, between loopbacks as `bfd multihop`; redirects are off on routed ports, as it asks",
    ),
    Capability("wait-install", ANSIBLE, "`suppress-fib-pending`"),
    Capability(
        "maximum-routes",
        f"{BATFISH}; {ANSIBLE}",
        "a warning; on a spine towards its leaves, and towards peers outside, the session is closed for five minutes",
    ),
    Capability("evpn-limit", f"{BATFISH}; {ANSIBLE}", "as maximum-routes"),
    Capability("graceful-shutdown", f"{ANSIBLE}; {BATFISH}", "sent and honoured by route maps"),
    Capability("link-loss-weighted", NOT_FOUND, refusal=f"weights by link bandwidth over EBGP: {SILENT}"),
    Capability("link-loss-withdraw", NOT_FOUND, refusal=f"a route taken back for a lost path: {SILENT}"),
    Capability("link-loss-weighted-wide", NOT_FOUND, refusal=f"weights by link bandwidth over EBGP: {SILENT}"),
    Capability("hash-seed", "Cisco Nexus 9000 NX-OS unicast routing guide, ip load-sharing", "`universal-id`, by tier"),
    Capability(
        "dlb-flowlet",
        DLB,
        DLB_RELOAD,
        refusal="the guide names 9300-FX3, GX, GX2 and HX, but not the chip of this model; Silicon One uses a QoS "
        "policy of unknown syntax",
        vouched="dlb",
        since="10.5",
        scope=FeatureScope.FABRIC,
        alike=DLB_EVERYWHERE,
    ),
    Capability(
        "dlb-per-packet",
        DLB,
        DLB_RELOAD,
        refusal="the guide names 9300-FX3, GX, GX2 and HX, but not the chip of this model; "
        "Silicon One uses a QoS policy of unknown syntax",
        vouched="dlb",
        since="10.5",
        scope=FeatureScope.FABRIC,
        alike=DLB_EVERYWHERE,
    ),
    Capability("flowlet-gap", "github.com/CiscoTestAutomation/genielibs 3a76c6a, conf/dlb", since="10.5"),
    Capability(
        "ecmp-queue-pair",
        "NX-API reference for Nexus 3000 and 9000, ipv4IPLoadSharing (udfOffset, udfLength; from 9.3(3)), "
        "developer.cisco.com; read 2026-11-30",
        refusal="`ip load-sharing` has a user-defined field, but no source says from which header its offset counts, "
        "on which models, or that the queue pair may be it",
    ),
    Capability(
        "dlb-global",
        DLB,
        refusal="dynamic load balancing knows the load of the switch's own ports only: no guide has more",
    ),
    Capability("cluster", NOT_FOUND, refusal=f"placing the flows of hosts one by one: {SILENT}"),
    Capability("pfc", f"{ROCE}; {PFC}"),
    Capability(
        "pfc-priority-map",
        f"{ROCE}; {DME}",
        refusal="`pause pfc-cos` accepts another number than its class, but no source shows it on Nexus 9000 for a "
        "class that is matched by DSCP",
    ),
    Capability("ecn", f"{ROCE}; {QUEUING}", "thresholds in kbytes, taken as 1,000 octets and rounded down"),
    Capability(
        "headroom",
        PFC,
        "NX-OS reserves it itself for cables up to 100 m; longer lossless cables are not supported; no number is "
        "configured",
    ),
    Capability("headroom-pool", PFC, refusal="NX-OS sets its size itself", instead="the NX-OS default"),
    Capability(
        "headroom-per-interface",
        f"{PFC}; {DME}",
        refusal="`pause buffer-size` in an ingress policy needs thresholds, and Cisco publishes none for a chip of "
        "the library",
        instead="NX-OS reserves it itself, for cables up to 100 m",
    ),
    Capability(
        "alpha", QUEUING, refusal="fabricgen configures no threshold of the shared buffer", instead="the NX-OS default"
    ),
    Capability(
        "resume-offset",
        PFC,
        refusal="resume thresholds are part of `pause buffer-size`, which is not configured (see "
        "headroom-per-interface)",
        instead="the NX-OS default",
    ),
    Capability(
        "pfc-watchdog",
        f"{ROCE}; {PFC}; {DME}",
        "drop or notify; when a queue is stuck and when it is given back is NX-OS's own (looked at every 100 ms)",
    ),
    Capability("dscp-map", f"{ROCE}; {BATFISH}"),
    Capability(
        "control-queue",
        CONTROL,
        "the switch puts its own packets into a separate group, before all others; BGP keeps its mark",
    ),
    Capability("control-queue-bfd", CONTROL, "as BGP"),
    Capability("control-apart", CONTROL, "the group is not in the plan"),
    Capability("dscp-remap", BATFISH, refusal="marks are never rewritten"),
    Capability(
        "evpn",
        f"{RECORDED}; {NETLAB}",
        "route targets and distinguishers are configured; no L3 VNI needs a VLAN; ARP is suppressed, ND is flooded; "
        "imports between tenants are not supported: no source shows that `import map` filters EVPN routes by prefix",
    ),
    Capability("anycast-gateway", RECORDED),
    Capability(
        "esi-multihoming",
        ESI,
        refusal="NX-OS has Ethernet segments from 10.6(1) on, but no complete configuration with them was found; vPC "
        "is not an Ethernet segment; multihoming: active-backup works",
    ),
    Capability(
        "vtep-ipv6",
        "Cisco Nexus 9000 NX-OS VXLAN guide, Release 10.5(x): contents",
        refusal="the guide has a chapter for an IPv6 underlay, with a table of models by release that was not read",
    ),
    Capability(
        "dual-tor",
        NOT_FOUND,
        refusal="the session with a server runs over link-local addresses, and IPv4 routes over these are undocumented",
    ),
    Capability("lacp-fallback", ESI, refusal="no port-channel is rendered: see esi-multihoming"),
    Capability("storm-control", BATFISH, "broadcast and multicast in percent of the port's speed"),
    Capability(
        "storm-control-unknown-unicast",
        BATFISH,
        refusal="whether `storm-control unicast` counts frames to known addresses as well was not found for these "
        "switches",
    ),
    Capability("mac-limit", SECURED, refusal=UNLIMITED, instead=LEARNS_ALL),
    Capability("mac-limit-bonds", SECURED, refusal=UNLIMITED, instead=LEARNS_ALL),
    Capability("duplicate-mac", DUPLICATES),
    Capability("duplicate-mac-bonds", ESI, refusal="no port-channel is rendered: see esi-multihoming"),
    Capability(
        "duplicate-mac-recovery",
        DUPLICATES,
        refusal="the object model has a recovery time of duplicate MAC addresses; its command was not found",
    ),
    Capability(
        "ra-guard",
        "Cisco Nexus 9000 NX-OS security guide, Configuring IPv6 First Hop Security, read 2026-12-01",
        refusal="it takes a region of TCAM and a reload, and offers no protection where IPv6 is tunneled",
    ),
    Capability("bpdu-guard", BATFISH),
    Capability("uplink-tracking", NOT_FOUND, refusal=f"server ports tied to uplinks: {SILENT}"),
    Capability(
        "dhcp-relay",
        "Cisco Nexus 9000 NX-OS VXLAN guide, DHCP Relay in VXLAN BGP EVPN",
        "from a loopback of the leaf's own; option 82 carries the VPN and the link selection",
    ),
    Capability("external-bgp", f"{BATFISH}; {NETLAB}", "on 802.1Q subinterfaces"),
    Capability("pfc-switched", f"{PFC}; {VXLAN}", "classified by DSCP, as on routed ports"),
    Capability("pfc-tagged", f"{PFC}; {VXLAN}", "classified by DSCP, whatever the tag says"),
    Capability("pfc-bonds", ESI, refusal="see esi-multihoming"),
    Capability("roce-over-vxlan", VXLAN),
    Capability(
        "ecn-counters",
        NOT_FOUND,
        refusal="no source says whether marked packets are counted",
        instead="no counter is enabled",
    ),
    Capability("queue-monitor", NOT_FOUND, refusal=QUEUE_DEPTHS, instead="no queue is monitored"),
    Capability("queue-latency", NOT_FOUND, refusal=QUEUE_DEPTHS),
    Capability("queue-streaming", NOT_FOUND, refusal=QUEUE_DEPTHS),
    Capability("congestion-capture", NOT_FOUND, refusal=f"copies of packets from deep queues: {SILENT}"),
    Capability("drop-capture", NOT_FOUND, refusal=f"copies of dropped packets: {SILENT}"),
    Capability("load-interval", "Cisco Nexus 9000 NX-OS interfaces guide 10.6(x)", "5 to 300 s, of every port"),
    Capability("aaa", BATFISH, "TACACS+ for login, with accounting; local users are the fallback"),
    Capability("access-ssh", f"{VTY}; {KERNEL}", "in every VRF by its source alone"),
    Capability("access-netconf", ANSIBLE, refusal="no NETCONF server is turned on", instead="no NETCONF server runs"),
    Capability("access-gnmi", KERNEL, "by a list on mgmt0; gRPC answers in the management VRF alone"),
    Capability("access-api", KERNEL, "by a list on mgmt0; NX-API answers in the management VRF alone"),
    Capability(
        "access-snmp",
        f"{ANSIBLE}; {BATFISH}; {KERNEL}",
        "requests of the user in every VRF by their source alone; over TCP nobody",
    ),
    Capability("snmp", f"{ANSIBLE}; {BATFISH}", "version 3, SHA and AES-128"),
    Capability("snmp-sha256", f"{ANSIBLE}, nxos_snmp_server: `auth sha-256`"),
    Capability("snmp-aes256", f"{ANSIBLE}, nxos_snmp_server", refusal="`priv` has AES-128 alone"),
    Capability(
        "gnmi",
        "Cisco Nexus 9000 NX-OS programmability guide 10.4(x), gRPC agent",
        "in the management VRF; paths of Cisco's own model, for OpenConfig's need `feature openconfig`",
    ),
    Capability(
        "eapi", "Cisco Nexus 9000 NX-OS programmability guide, NX-API", "NX-API on port 443 of the management VRF"
    ),
    Capability(
        "sflow",
        "Cisco Nexus 9000 NX-OS system management guide, sFlow; public running configurations",
        "one collector; one packet in 4,096 or more",
    ),
    Capability("lldp", NETLAB),
    Capability("login-banner", f"{ANSIBLE}; module nxos_banner", "the banner motd, which is shown before a login"),
    Capability("login-idle", "public running configurations; CIS Cisco NX-OS 1.2.0, 1.2.4 and 1.2.5: exec-timeout"),
    Capability("login-keys", ANSIBLE, refusal="no line was found that turns passwords of SSH off"),
    Capability("ssh-ciphers", ANSIBLE, refusal="no line was found that limits SSH to strong ciphers"),
    Capability("ssh-keys", ANSIBLE, "one of each user"),
    Capability(
        "users",
        RECORDED,
        "roles network-admin and network-operator; hashes of type 5 ($5$); reserved names and mere digits are refused",
    ),
    Capability(
        "management-vrf",
        RECORDED,
        refusal="mgmt0 is in the management VRF, whose name is fixed",
        instead="its name is `management`, whatever `management.vrf` is",
    ),
    *plain(
        (*COMMON_FEATURES, "domain", "snmp-traps", "loopback-descriptions", "vlan-names", "bgp-timers", "queues"),
        f"{BATFISH}; {ANSIBLE}; {RECORDED}",
    ),
    Capability(
        "df-preference",
        ESI,
        refusal="no Ethernet segment is rendered (see esi-multihoming)",
        instead="no DF election, because no segment is announced",
    ),
    Capability("lag", ESI, refusal="no port-channel is rendered: see esi-multihoming"),
    Capability(
        "tenant-imports",
        NOT_FOUND,
        refusal="no source shows that `import map` filters EVPN routes by prefix: a tenant would import every route "
        "of another",
    ),
    Capability("pfc-watchdog-notify", DME, "`disable-action`: the attribute is DME's, its word was not seen"),
    Capability("tunnel-marks", VXLAN, "of the inner header, both ways, without a line"),
)
