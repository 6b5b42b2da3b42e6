"""Releases of Cumulus Linux that are known, and what is configured in other words from one of them on.

Lines are commands, as `nv set` takes them: `<x>` stands for one word, `...` for any others.
"""

from fabricgen.platforms.base.release import Difference, Release

DOCS = "github.com/CumulusNetworks/docs, "
JUDGE = "FRR 8.4.4, for its routing"
RELEASES = (
    Release("5.11", f"{DOCS}cumulus-linux-511", JUDGE),
    Release("5.12", f"{DOCS}cumulus-linux-512 What's New 07e14210", JUDGE),
    Release("5.13", f"{DOCS}cumulus-linux-513 What's New 0369ee4d", JUDGE),
    Release("5.14", f"{DOCS}cumulus-linux-514 What's New 00e6d395, DHCP Relays ad804834", JUDGE),
    Release(
        "5.15",
        f"{DOCS}cumulus-linux-515 New and Changed NVUE Commands 07d58d4b, BFD 5810501f",
        f"{JUDGE}; NVIDIA's table of changed commands, applied to the lines of 5.14",
    ),
    Release(
        "5.16",
        f"{DOCS}cumulus-linux-516 What's New 03700e50, New and Removed NVUE Commands 0da900a5",
        f"{JUDGE}; NVIDIA's table of changed commands, applied to the lines of 5.14",
    ),
)

NEW_512 = f"{DOCS}512 What's New 07e14210"
NEW_513 = f"{DOCS}513 What's New 0369ee4d; NVUE reference Syslog 5417aa9a: by itself a server is in the default VRF"
RELAYS = f"{DOCS}514 DHCP Relays ad804834"
PORTS = f"{DOCS}516 Switch Port Attributes 7ab50b0a: until 5.13 a speed alone forces it, from 5.14 it is negotiated"
FIB = (
    f"{DOCS}514 What's New 00e6d395: FRR 10.0.3; github.com/FRRouting/frr fbfc8222, bgpd/bgp_route.h, "
    "bgp_fibupd_safi: from 9.1 on EVPN routes are not held back"
)
TABLE = f"{DOCS}515 New and Changed NVUE Commands 07d58d4b"
BFD = f"{TABLE}: `bfd enable` is deprecated; 515 BFD 5810501f: profiles, 300 ms by 3 by default"
NTP = f"{TABLE}; 516 NTP: `vrf` since 5.15, `listen` is eth0 by default; its form in YAML was not found [unsure]"

TACACS_BY_ADDRESS = "5.12"
"""First release that knows TACACS+ servers by their address, and has no `enable` for them."""
SYSLOG_MOVED = "5.13"
"""First release with syslog below `system`."""
NEGOTIATED = "5.14"
"""First release in which a port with a speed negotiates it by default."""
WAITS_BESIDE_EVPN = "5.14"
"""First release with FRR 10.0, whose `wait-for-install` holds no EVPN route back."""
RELAY_GROUPS = "5.14"
"""First release whose IPv4 relays have server groups."""
RENAMED = "5.15"
"""First release with the common words of NVIDIA's systems."""

DIFFERENCES = (
    Difference(TACACS_BY_ADDRESS, "TACACS+ is on with its servers", "system aaa tacacs enable on", "", NEW_512),
    Difference(
        TACACS_BY_ADDRESS,
        "TACACS+ servers are known by their address",
        "system aaa tacacs server <priority> host <server>",
        "system aaa tacacs server <server> priority <priority>",
        NEW_512,
    ),
    Difference(
        TACACS_BY_ADDRESS,
        "what else a TACACS+ server has",
        "system aaa tacacs server <priority> secret <key>",
        "system aaa tacacs server <server> secret <key>",
        NEW_512,
    ),
    Difference(
        SYSLOG_MOVED,
        "syslog servers",
        "service syslog mgmt server <server>",
        "system syslog server <server> vrf mgmt",
        NEW_513,
    ),
    Difference(
        NEGOTIATED,
        "a port's speed is forced by a line of its own",
        "",
        "interface <port> link auto-negotiate off",
        PORTS,
    ),
    Difference(
        WAITS_BESIDE_EVPN,
        "routes wait for the hardware beside EVPN sessions too",
        "",
        "router bgp wait-for-install on",
        FIB,
    ),
    Difference(
        RELAY_GROUPS,
        "IPv4 relays: clients' networks",
        "service dhcp-relay <vrf> interface <vlan>",
        "service dhcp-relay <vrf> downstream-interface <vlan> server-group-name <group>",
        RELAYS,
    ),
    Difference(
        RELAY_GROUPS,
        "IPv4 relays: where answers come in; the uplinks are no longer named",
        "service dhcp-relay <vrf> interface <interface>",
        "service dhcp-relay <vrf> server-group <group> upstream-interface <interface>",
        RELAYS,
    ),
    Difference(
        RELAY_GROUPS,
        "IPv4 relays: servers",
        "service dhcp-relay <vrf> server <server>",
        "service dhcp-relay <vrf> server-group <group> server <server>",
        RELAYS,
    ),
    Difference(RENAMED, "what is turned on", "... enable on", "... state enabled", TABLE),
    Difference(RENAMED, "what is turned off", "... enable off", "... state disabled", TABLE),
    Difference(RENAMED, "another value that is on", "... <key> on", "... <key> enabled", TABLE),
    Difference(RENAMED, "another value that is off", "... <key> off", "... <key> disabled", TABLE),
    Difference(
        RENAMED,
        "IPv4 addresses",
        "interface <port> ip address <address>",
        "interface <port> ipv4 address <address>",
        TABLE,
    ),
    Difference(
        RENAMED,
        "IPv6 addresses",
        "interface <port> ip address <address>",
        "interface <port> ipv6 address <address>",
        TABLE,
    ),
    Difference(
        RENAMED,
        "the gateway of eth0",
        "interface eth0 ip gateway <gateway>",
        "interface eth0 ipv4 gateway <gateway>",
        TABLE,
    ),
    Difference(
        RENAMED, "the VRF of an interface", "interface <port> ip vrf <vrf>", "interface <port> vrf <vrf>", TABLE
    ),
    Difference(
        RENAMED,
        "BFD of a peer group",
        "vrf default router bgp peer-group <group> bfd enable on",
        "vrf default router bgp peer-group <group> bfd profile <profile>",
        BFD,
    ),
    Difference(RENAMED, "BFD of the switch", "", "router bfd state enabled", BFD),
    Difference(RENAMED, "intervals of BFD", "", "router bfd profile <profile> <key> <value>", BFD),
    Difference(
        RENAMED, "DNS servers", "service dns mgmt server <server>", "system dns server <server> vrf mgmt", TABLE
    ),
    Difference(RENAMED, "search domain", "service dns mgmt search <domain>", "system dns search <domain>", TABLE),
    Difference(RENAMED, "LLDP", "service lldp state <state>", "system lldp state <state>", TABLE),
    Difference(
        RENAMED,
        "NTP servers",
        "service ntp mgmt server <server> iburst on",
        "system ntp server <server> iburst enabled",
        TABLE,
    ),
    Difference(RENAMED, "where NTP listens", "service ntp mgmt listen eth0", "", NTP),
    Difference(RENAMED, "VRF of NTP", "", "system ntp vrf mgmt", NTP),
)
