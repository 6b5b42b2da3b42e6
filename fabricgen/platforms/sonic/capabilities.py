"""Capabilities of community SONiC, feature by feature, with sources; `templates/sonic/NOTES.md` has details."""

from fabricgen.platforms.base.platform import COMMON_FEATURES, Capability, plain, without_eapi

BUILD = (
    "github.com/sonic-net/sonic-buildimage 086b03bd (2026-08-23), branches 202505 at ff3c0c9f, 202511 at fde92d26 and "
    "202605 at 10ae4708"
)
SWSS = "github.com/sonic-net/sonic-swss e6b0c5b5 (2026-08-21)"
FRRCFGD = f"{BUILD}, src/sonic-frr-mgmt-framework: frrcfgd.py and its templates"
QOS = f"{BUILD}, files/build_templates/qos_config.j2, buffers_config.j2"
CACLMGRD = "github.com/sonic-net/sonic-host-services c2a4cdf (2026-07-01), scripts/caclmgrd"
YANG = "SONiC's YANG models of each release"
YANG_FRR = f"{YANG}; FRR 10.3 (frr.conf) and 8.4.4 (what master's own templates make of its tables)"
DUPLICATES = "FRR user manual, EVPN, duplicate address detection, in frr.conf"
LEARNS_ALL = "a port learns every MAC address"
NO_TABLE = "the YANG models have no table for it"
NO_MAC_LIMIT = "the YANG models have no MAC limit of a port"
MODELS = f"{BUILD}, src/sonic-yang-models/yang-models; read 2026-11-22"

CAPABILITIES = (
    Capability("ipv4", MODELS, judge=YANG_FRR),
    Capability("ipv6", MODELS, judge=YANG_FRR),
    Capability(
        "bgp",
        FRRCFGD,
        "from 202605 on tables that frrcfgd reads; before, frr.conf: 202505's model wants four keys of a prefix, its "
        "frrcfgd reads three; and 202511's frrcfgd is another than the one that was tried",
        judge=YANG_FRR,
    ),
    Capability("graceful-shutdown", FRRCFGD, "sent and honoured by route maps", judge=YANG_FRR),
    Capability("unnumbered", f"{FRRCFGD}; sonic-interface.yang, ipv6_use_link_local_only", judge=YANG_FRR),
    Capability("ttl-send", FRRCFGD, "as `ebgp-multihop 255`", judge=YANG_FRR),
    Capability(
        "ttl-check", FRRCFGD, "of the peer groups, which their unnumbered members have; not beside BFD", judge=YANG_FRR
    ),
    Capability(
        "fabric-password",
        f"{FRRCFGD}; github.com/sonic-net/sonic-buildimage issue 19946",
        "in frr.conf; not where BGP is in tables, whose `auth_password` FRR takes with a word more",
        judge=YANG_FRR,
    ),
    Capability("bfd", FRRCFGD, "FRR's own interval, 300 ms by 3", judge=YANG_FRR),
    Capability(
        "wait-install",
        FRRCFGD,
        refusal="frrcfgd has no field for `bgp suppress-fib-pending`",
        instead="the FRR default: a route is announced before the chip has it",
    ),
    Capability(
        "maximum-routes",
        FRRCFGD,
        "a warning; on a spine towards its leaves, and towards peers outside, the session is closed for five minutes",
        judge=YANG_FRR,
    ),
    Capability(
        "evpn-limit",
        f"{BUILD}, rules/frr.mk (FRR 10.3, 10.4.1, 10.5.4); github.com/FRRouting/frr commit 0c54dfde69",
        "as maximum-routes; FRR has it from 10.1 on",
        judge=f"{YANG}; FRR 10.3 (frr.conf)",
        since="202505",
        instead="a session accepts all EVPN routes that its peer sends",
    ),
    Capability("ecmp", f"{BUILD}, dockers/docker-orchagent/switch.json.j2"),
    Capability(
        "hash-seed",
        f"{BUILD}, dockers/docker-orchagent/switch.json.j2",
        "0, 10 or 25 by the tier that DEVICE_METADATA names: SONiC's own numbers, not the plan's",
        judge=YANG,
    ),
    Capability("pfc", QOS, "one priority; its priority group has its number", judge=YANG),
    Capability(
        "pfc-priority-map",
        f"{SWSS} and branches 202505 to 202605, orchagent/pfcwdsworch.cpp, pfcwdorch.cpp, pfc_detect_*.lua; sonic-swss "
        "issue 844",
        refusal="the maps support it, but the watchdog takes a priority as the queue of the same number, so it would "
        "monitor and drop another class",
    ),
    Capability("ecn", QOS, "thresholds in octets, alike for all colours", judge=YANG),
    Capability(
        "headroom",
        f"{BUILD}, device/*/buffers_defaults_t0.j2; {SWSS}, cfgmgr/buffermgr.cpp, buffer_headroom_mellanox.lua",
        "in octets per port on Broadcom chips; on NVIDIA chips the switch computes it from the cable length and the "
        "MTU, and its result differs from that of `plan`",
        judge=YANG,
    ),
    Capability("headroom-per-interface", f"{SWSS}, cfgmgr/buffermgr.cpp", judge=YANG),
    Capability(
        "headroom-pool", QOS, "on Broadcom chips, as shipped with the switch; NVIDIA chips have headroom in each port"
    ),
    Capability("alpha", f"{QOS}; sonic-buffer-profile.yang", "1/8 to 8, powers of two", judge=YANG),
    Capability(
        "resume-offset",
        f"{BUILD}, device/*/pg_profile_lookup.ini",
        refusal="chips of NVIDIA have no table of resume offsets (buffers: dynamic)",
        vouched="buffers: traditional",
        instead="the switch computes it",
        judge=YANG,
    ),
    Capability(
        "pfc-watchdog",
        f"{SWSS}, orchagent/pfcwdorch.cpp; sonic-pfcwd.yang",
        "100 ms at least: a shorter time becomes 100; notify is SONiC's alert",
        judge=YANG,
    ),
    Capability("pfc-watchdog-notify", f"{SWSS}, orchagent/pfcwdorch.cpp", "SONiC's alert", judge=YANG),
    Capability("dscp-map", QOS, "64 code points to classes 0-7", judge=YANG),
    Capability(
        "control-queue",
        f"{SWSS}: orchagent/portsorch.cpp, SAI_HOSTIF_ATTR_QUEUE; FRRouting/frr, `bgp session-dscp`",
        "packets of the switch itself are sent in queue 7 whatever their mark, where the chip's SAI supports it "
        "(DEFAULT_HOSTIF_TX_QUEUE). frr.conf marks BGP CS7. Where SONiC generates frr.conf from its tables, BGP "
        "stays CS6: the tables have no field for it",
        judge="FRR 10.3 for the line of frr.conf",
    ),
    Capability(
        "control-queue-bfd",
        f"{SWSS}: orchagent/portsorch.cpp; FRRouting/frr, bfdd/bfd.h",
        "in queue 7 as BGP; marked CS6, which is fixed in FRR's bfdd",
    ),
    Capability("control-apart", SWSS, refusal="the queue of its own packets is queue 7 of the plan"),
    Capability("dscp-remap", f"{MODELS}: sonic-tc-dscp-map.yang", refusal="TC_TO_DSCP_MAP is never rendered"),
    Capability("dlb-flowlet", MODELS, refusal=f"adaptive routing and switching of flowlets: {NO_TABLE}"),
    Capability("flowlet-gap", MODELS, refusal=NO_TABLE),
    Capability("dlb-per-packet", MODELS, refusal=f"spraying of packets: {NO_TABLE}"),
    Capability("dlb-global", MODELS, refusal=NO_TABLE),
    Capability(
        "ecmp-queue-pair",
        f"{MODELS}: sonic-hash.yang; sonic-net/sonic-buildimage pull request 27335, sonic-net/sonic-utilities pull "
        "request 4539 and sonic-net/SONiC pull request 2100, all three open; of Dell's Enterprise SONiC: Ansible "
        "dellemc.enterprise_sonic 3.1.0, sonic_ecmp_load_share, hash_roce_qpn; read 2026-11-30",
        refusal="SWITCH_HASH has no field for it: RDMA_BTH_DEST_QP is in no branch yet; what Dell's Enterprise SONiC "
        "has is a table of its own",
    ),
    Capability("cluster", MODELS, refusal=f"placing of single flows: {NO_TABLE}"),
    Capability(
        "link-loss-weighted",
        FRRCFGD,
        refusal="frrcfgd has no `set extcommunity bandwidth num-multipaths`, and its BGP_DEVICE_GLOBAL wcmp_enabled is "
        "read by bgpcfgd only",
    ),
    Capability(
        "link-loss-withdraw",
        FRRCFGD,
        refusal="frrcfgd writes extended community lists for route targets and origins only, not for bandwidth",
    ),
    Capability("link-loss-weighted-wide", FRRCFGD, refusal="see link-loss-weighted"),
    Capability(
        "evpn",
        f"{FRRCFGD}; {MODELS}: VXLAN_TUNNEL, VXLAN_EVPN_NVO, VXLAN_TUNNEL_MAP, VRF",
        "a VTEP has its routing in frr.conf: no table has RDs, targets and prefix routes; ARP and ND are not "
        "suppressed, and imports between tenants are leaked inside each switch",
        judge=YANG_FRR,
    ),
    Capability(
        "anycast-gateway",
        f"{MODELS}: SAG, VLAN_INTERFACE static_anycast_gateway",
        judge=YANG,
        since="master",
    ),
    Capability("pfc-switched", f"{QOS}: PORT_QOS_MAP of all ports, those in VLANs among them"),
    Capability("pfc-tagged", f"{QOS}: PORT_QOS_MAP has dscp_to_tc_map alone"),
    Capability("pfc-bonds", f"{QOS}: PORT_QOS_MAP is by port, also of the members of a port channel"),
    Capability("roce-over-vxlan", MODELS, refusal=f"marks into and out of a tunnel: {NO_TABLE}"),
    Capability(
        "esi-multihoming",
        f"{MODELS}: EVPN_ETHERNET_SEGMENT, PORTCHANNEL system_mac; {SWSS}, orchagent/evpnmhorch.cpp",
        refusal="no numbered release has Ethernet segments and a shared system MAC of two leaves; in master both are "
        "new (sonic-evpn.yang of 2026-05-27), and no public configuration has them; multihoming: active-backup works",
    ),
    Capability(
        "vtep-ipv6",
        f"{MODELS}: VXLAN_TUNNEL src_ip; github.com/sonic-net/SONiC pull request 1704",
        refusal="the models take an IPv6 source of a tunnel, but EVPN with IPv6 VTEPs is an open proposal",
    ),
    Capability(
        "dual-tor",
        FRRCFGD,
        "the words of any session over a link without addresses; a session with a server was not tried on it",
    ),
    Capability("lacp-fallback", f"{MODELS}: PORTCHANNEL", refusal="no aggregates are rendered: see esi-multihoming"),
    Capability(
        "storm-control",
        f"{MODELS}: PORT_STORM_CONTROL",
        refusal="it limits broadcast, unknown unicast and unknown multicast, not all multicast",
    ),
    Capability(
        "storm-control-unknown-unicast",
        f"{MODELS}: PORT_STORM_CONTROL",
        "in kb/s of the port's speed, 100 Gb/s at most",
        judge=YANG,
    ),
    Capability("mac-limit", MODELS, refusal=NO_MAC_LIMIT, instead=LEARNS_ALL),
    Capability("mac-limit-bonds", MODELS, refusal=NO_MAC_LIMIT, instead=LEARNS_ALL),
    Capability("duplicate-mac", DUPLICATES, "FRR warns; with a recovery time it freezes the address", judge=YANG_FRR),
    Capability("duplicate-mac-bonds", DUPLICATES, refusal="no aggregates are rendered: see esi-multihoming"),
    Capability("duplicate-mac-recovery", DUPLICATES, "the address is frozen for that time", judge=YANG_FRR),
    Capability(
        "ra-guard",
        f"{MODELS}: ACL_RULE ICMPV6_TYPE",
        refusal="whether a list of a port filters bridged packets, too, was not found",
    ),
    Capability(
        "bpdu-guard",
        f"{MODELS}: STP_PORT",
        refusal="no row of STP is rendered; models before 202511 have none",
    ),
    Capability("uplink-tracking", MODELS, refusal=f"server ports that follow uplinks: {NO_TABLE}"),
    Capability(
        "dhcp-relay",
        f"{MODELS}: VLAN dhcp_servers, DHCPV4_RELAY",
        refusal="a relay uses the gateway's address, which is the same on every leaf; DHCPV4_RELAY, which has a "
        "source address, is in the models from 202511 on and for IPv4 only",
    ),
    Capability("external-bgp", f"{MODELS}: VLAN_SUB_INTERFACE", "on 802.1Q subinterfaces", judge=YANG_FRR),
    Capability("ecn-counters", f"{SWSS}, all releases, orchagent/flexcounterorch.cpp: WRED_ECN_QUEUE", judge=YANG),
    Capability("queue-monitor", MODELS, "watermarks of queues and priority groups; without thresholds", judge=YANG),
    Capability("queue-latency", MODELS, refusal=NO_TABLE),
    Capability("queue-streaming", MODELS, refusal=NO_TABLE),
    Capability("congestion-capture", MODELS, refusal=NO_TABLE),
    Capability("drop-capture", MODELS, refusal=NO_TABLE),
    Capability("load-interval", MODELS, refusal="FLEX_COUNTER_TABLE has polling intervals, but no averaging interval"),
    Capability(
        "sflow", MODELS, "two collectors; counters every 5 s at most; the agent is the management port", judge=YANG
    ),
    Capability(
        "gnmi",
        f"{BUILD}, dockers/docker-sonic-gnmi; sonic-gnmi 5ec1c20b and branch 202505, telemetry/telemetry.go",
        "server's certificate and key in /etc/sonic/telemetry, and the CA of its clients, who must have certificates",
        judge=YANG,
    ),
    without_eapi("the switch is read and pushed over SSH"),
    *plain(("access-ssh", "access-gnmi", "access-snmp"), CACLMGRD, judge=YANG),
    Capability("access-netconf", BUILD, refusal="SONiC has no NETCONF server", instead="no NETCONF server runs"),
    Capability(
        "access-api",
        CACLMGRD,
        refusal="no file turns the REST server on",
        instead="port 443 is closed to everybody where sources are listed",
    ),
    Capability(
        "snmp",
        f"{BUILD}, dockers/docker-snmp/snmpd.conf.j2",
        "version 3, SHA and AES; no traps; SHA is SONiC's word for SHA-1",
        judge=YANG,
    ),
    Capability(
        "snmp-sha256",
        f"{MODELS}, sonic-snmp.yang; {BUILD}, dockers/docker-snmp/snmpd.conf.j2; edge-core/sonic-buildimage 436",
        refusal="the model's word HMAC-SHA-2 is written into snmpd.conf as it is, and net-snmp has another word",
    ),
    Capability("snmp-aes256", f"{MODELS}, sonic-snmp.yang", refusal="the model has AES and DES, without a length"),
    Capability(
        "aaa",
        MODELS,
        "TACACS+ for login, commands and accounting, up to 8 servers; local users are the fallback",
        judge=YANG,
    ),
    Capability("login-banner", f"{MODELS}: sonic-banner", judge=YANG),
    Capability("login-idle", f"{MODELS}: sonic-ssh-server", "by SSH and on the console", judge=YANG),
    Capability(
        "login-keys",
        MODELS,
        refusal="accounts and their keys are not in the configuration: nobody can know here that one could log in",
    ),
    Capability(
        "ssh-ciphers",
        f"{MODELS}: sonic-ssh-server",
        refusal="202505 has no field for ciphers, and what later releases do with theirs is not tried",
    ),
    Capability("ssh-keys", MODELS, refusal="see users: keys go to `authorized_keys` on the switch"),
    Capability("users", MODELS, refusal="there is no table of local users: create them on the switch"),
    Capability(
        "lldp",
        f"{BUILD}, dockers/docker-lldp/lldpmgrd",
        "its port id is the port's name, which is its alias too",
        judge=YANG,
    ),
    *plain(
        (*COMMON_FEATURES, "bgp-timers", "queues"),
        MODELS,
        judge=YANG_FRR,
    ),
    Capability("domain", f"{MODELS}: DNS_OPTIONS", judge=YANG, since="202511"),
    Capability(
        "df-preference",
        f"{MODELS}: EVPN_ETHERNET_SEGMENT",
        refusal="no Ethernet segment is rendered (see esi-multihoming)",
        instead="no DF election, because no segment is announced",
    ),
    Capability("lag", f"{MODELS}: PORTCHANNEL", refusal="no aggregates are rendered: see esi-multihoming"),
    Capability(
        "snmp-traps", f"{BUILD}, dockers/docker-snmp/snmpd.conf.j2", refusal="there is no table for SNMPv3 traps"
    ),
    Capability("tenant-imports", FRRCFGD, "leaked inside each switch", judge=YANG_FRR),
    Capability(
        "management-vrf",
        f"{MODELS}: MGMT_VRF_CONFIG",
        refusal="the name of the management VRF is fixed",
        instead="its name is `mgmt`, whatever `management.vrf` is",
    ),
    Capability(
        "vlan-names",
        MODELS,
        refusal="a VLAN has no other name than `Vlan` and its number",
        instead="a VLAN has its number only",
    ),
    Capability(
        "loopback-descriptions",
        MODELS,
        refusal="LOOPBACK_INTERFACE has no description",
        instead="loopbacks have no description",
    ),
    Capability(
        "tunnel-marks", MODELS, refusal=f"marks into and out of a tunnel: {NO_TABLE}", instead="the default of the chip"
    ),
)
