"""Every line that NX-OS text may have, by the block it stands in, each with the source that shows it.

A form is words: as they are, alternatives joined by "|", `<1-64>` for a number in a range, or a kind of
value in capitals (values.py).
Sources, all read on 2026-11-22 unless said otherwise:

REC    running configurations recorded from NX-OS 9.2(3) and 10.3(9), github.com/batfish/lab-validation dbe21f0
R105   a public `show running-config` of NX-OS 10.5(2), a border leaf with EVPN
BF     github.com/batfish/batfish cba1873, vendor/cisco_nxos: grammar and test configurations
ANS    github.com/ansible-collections/cisco.nxos 154aa54: rm_templates, documentation and unit tests
NL     github.com/ipspace/netlab 771eeee6, netsim/ansible/templates/*/nxos.j2
ROCE   Cisco's RoCEv2 script for NX-OS (P. Gupta, 0.60 of 2026-04-26), and Azure/AzureLocal-Supportability 2f67159,
       Reference-TOR-QOS-Policy-Configuration.md, which has the same forms
QOS    Cisco Nexus 9000 NX-OS quality of service guide, Release 10.5(x): priority flow control; queuing and scheduling
DME    github.com/CiscoDevNet/terraform-provider-nxos 43d0c25, gen/definitions: the object model's ranges
DLB    Cisco unicast routing guide 10.5(x), Configuring Dynamic Load Balancing; CiscoTestAutomation/genielibs 3a76c6a
UNI    Cisco Nexus 9000 NX-OS unicast routing guide: ip load-sharing
VX     Cisco Nexus 9000 NX-OS VXLAN guide: DHCP relay in VXLAN BGP EVPN; L3 VNI without a VLAN (10.2(3)F and later)
PROG   Cisco Nexus 9000 NX-OS programmability guide: gRPC agent, NX-API
SYS    Cisco Nexus 9000 NX-OS system management guide: sFlow; public running configurations
INT    Cisco Nexus 9000 NX-OS interfaces guide 10.6(x), and command reference 9.3(x)
ANNET  github.com/annetutil/annet f2c2d80, annet/rulebook/cisco/misc.py: what a Nexus needs beside `ipv6 nd`
NDFC   Cisco's Ansible modules for its fabric controller: vlan_name
UTAH   a public `show running-config` of NX-OS 9.3(3): line vty and its lists; that of IPv6 has `log` behind the entry
KERNEL  Cisco Nexus 9000 NX-OS security guide 10.3(x), Configuring IP ACLs: Kernel Stack ACL
STIG   DISA STIG for NX-OS, V-220479: line vty, and mgmt0 from NX-OS 8 on
NODE   github.com/cisco/cisco-network-node-utils 0a0054f, cmd_ref/overlay_global.yaml
NAC    netascode.cisco.com, NX-OS data model, L2RIB
FORM   the form is of the source before the plus; no source shows this very word or value (NOTES.md, unconfirmed)
"""

from typing import NamedTuple


class Form(NamedTuple):
    """One kind of line. `below` names the block that its own lines are of; empty where none may follow."""

    words: str
    source: str
    below: str = ""


FAMILY = "ipv4|ipv6"
BLOCKS: dict[str, tuple[Form, ...]] = {
    "": (
        Form("hostname NAME", "REC"),
        Form("nv overlay evpn", "REC"),
        Form(
            "feature nxapi|grpc|bgp|interface-vlan|vn-segment-vlan-based|lldp|dhcp|bfd|sflow|tacacs+",
            "REC; BF; NL; SYS",
        ),
        Form("feature fabric forwarding", "REC"),
        Form("feature nv overlay", "REC"),
        Form("username NAME password 5 SECRET role network-admin|network-operator", "REC"),
        Form(
            "username NAME sshkey KEYTYPE KEY",
            "ANS + FORM: of ed25519",
        ),
        Form("ip domain-name NAME", "BF"),
        Form("ip name-server IP use-vrf NAME", "BF"),
        Form("copp profile strict", "REC"),
        Form("ip access-list NAME", "UTAH; BF; KERNEL", "access list"),
        Form("ipv6 access-list NAME", "UTAH", "access list 6"),
        Form("line vty", "UTAH; BF", "line vty"),
        Form("line console", "BF", "line console"),
        Form("banner motd TEXT", "ANS"),
        Form("tacacs-server host IP key 0 SECRET", "BF; a public playbook for NX-OS"),
        Form("aaa group server tacacs+ NAME", "BF", "aaa group"),
        Form("aaa authentication login default group NAME local", "BF"),
        Form("aaa accounting default group NAME", "BF"),
        Form("snmp-server contact TEXT", "BF"),
        Form("snmp-server location TEXT", "BF"),
        Form("snmp-server user NAME NAME auth sha SECRET priv aes-128 SECRET", "BF; ANS; REC"),
        Form("snmp-server user NAME use-ipv4acl NAME use-ipv6acl NAME", "ANS"),
        Form("snmp-server host IP traps version 3 priv NAME", "ANS"),
        Form("snmp-server host IP use-vrf NAME", "BF; ANS"),
        Form("ntp server IP use-vrf NAME", "BF"),
        Form("ntp source-interface mgmt0", "BF"),
        Form("logging server IP <0-7> use-vrf NAME", "BF; ANS"),
        Form("logging source-interface mgmt0", "BF"),
        Form("system default switchport shutdown", "BF"),
        Form("interface breakout module 1 port <1-64> map MAP", "BF; INT"),
        Form("class-map type qos match-any NAME", "ROCE", "class-map"),
        Form("policy-map type qos NAME", "ROCE", "policy qos"),
        Form("policy-map type network-qos NAME", "ROCE", "policy network"),
        Form("policy-map type queuing NAME", "ROCE", "policy queuing"),
        Form("system qos", "ROCE", "system qos"),
        Form("priority-flow-control watch-dog-interval on", "ROCE"),
        Form("service dhcp", "VX"),
        Form("ip dhcp relay", "BF; VX"),
        Form("ip dhcp relay information option", "VX"),
        Form("ip dhcp relay information option vpn", "VX"),
        Form("ipv6 dhcp relay", "BF"),
        Form("fabric forwarding anycast-gateway-mac MAC", "REC"),
        Form("system vlan long-name", "a public running-config of NX-OS; NDFC"),
        Form("vlan VLANS", "REC", "vlan"),
        Form("vrf context NAME", "REC", "vrf"),
        Form("ip route NET4 HOP4", "REC; BF"),
        Form("ipv6 route NET6 HOP6", "REC; BF"),
        Form("ip prefix-list NAME seq <1-4294967294> permit NET4", "BF; ANS"),
        Form("ip prefix-list NAME seq <1-4294967294> permit NET4 le <1-32>", "BF; ANS"),
        Form("ipv6 prefix-list NAME seq <1-4294967294> permit NET6", "BF; ANS"),
        Form("ipv6 prefix-list NAME seq <1-4294967294> permit NET6 le <1-128>", "BF; ANS"),
        Form("ip community-list standard NAME seq <1-4294967294> permit COMMUNITY", "BF + FORM: of 65535:0"),
        Form("route-map NAME permit|deny <0-65535>", "BF; ANS", "route-map"),
        Form("ip load-sharing address source-destination port source-destination universal-id <1-4294967295>", "UNI"),
        Form("hardware profile dlb", "DLB", "dlb"),
        Form("interface PORT", "REC", "port"),
        Form("interface SUB", "BF", "port"),
        Form("interface VLANIF", "R105; REC", "svi"),
        Form("interface LOOPBACK", "REC", "loopback"),
        Form("interface mgmt0", "REC", "mgmt"),
        Form("interface nve1", "REC", "nve"),
        Form("router bgp <1-4294967295>", "REC", "bgp"),
        Form("evpn", "R105; REC", "evpn"),
        Form("l2rib dup-host-mac-detection <1-1000> <2-36000>", "NODE; NAC"),
        Form("nxapi https port <1-65535>", "PROG"),
        Form("no nxapi http", "PROG"),
        Form("nxapi use-vrf NAME", "PROG"),
        Form("nxapi certificate trustpoint NAME", "PROG"),
        Form("grpc certificate NAME", "PROG"),
        Form("grpc port <1024-65535>", "PROG"),
        Form("sflow sampling-rate <4096-1000000000>", "SYS"),
        Form("sflow counter-poll-interval <0-2147483647>", "SYS"),
        Form("sflow collector-ip IP vrf NAME", "SYS"),
        Form("sflow agent-ip IP", "SYS"),
        Form("sflow data-source interface PORT", "SYS"),
    ),
    "access list": (
        Form("SEQ permit tcp SOURCE any eq <1-65535>", "UTAH; BF"),
        Form("SEQ permit udp SOURCE any eq snmp", "UTAH; BF"),
        Form("SEQ deny tcp any any eq <1-65535>", "KERNEL"),
        Form("SEQ deny udp any any eq snmp", "BF"),
        Form("SEQ permit ip any any", "KERNEL"),
    ),
    "access list 6": (Form("SEQ deny ipv6 any any", "UTAH"),),
    "line console": (Form("exec-timeout <1-60>", "BF"),),
    "line vty": (
        Form("exec-timeout <1-60>", "BF"),
        Form("access-class NAME in", "UTAH; BF"),
        Form("ipv6 access-class NAME in", "UTAH; BF"),
    ),
    "aaa group": (
        Form("server IP", "BF"),
        Form("use-vrf NAME", "BF"),
        Form("source-interface mgmt0", "BF"),
    ),
    "class-map": (Form("match dscp DSCPS", "ROCE; BF"),),
    "policy qos": (Form("class NAME", "ROCE", "class qos"),),
    "class qos": (Form("set qos-group <0-7>", "ROCE"),),
    "policy network": (Form("class type network-qos NQCLASS", "ROCE", "class network"),),
    "class network": (Form("mtu <576-9216>", "ROCE; DME"), Form("pause pfc-cos <0-7>", "ROCE")),
    "policy queuing": (Form("class type queuing QCLASS", "ROCE", "class queuing"),),
    "class queuing": (
        Form("priority level <1-8>", "ROCE; DME"),
        Form("bandwidth remaining percent <0-100>", "ROCE"),
        Form("shape min <0-100000> mbps max <200-100000> mbps", "QOS; a public script with mbps"),
        Form("shape min <0-100000> mbps max <1-800> gbps", "QOS + FORM: mbps is shown for both"),
        Form(
            "random-detect minimum-threshold <1-52428> kbytes maximum-threshold <1-52428> kbytes "
            "drop-probability <1-100> weight 0 ecn",
            "ROCE",
        ),
    ),
    "system qos": (Form("service-policy type network-qos NAME", "ROCE"),),
    "vlan": (Form("name NAME", "R105; BF"), Form("vn-segment <1-16777214>", "REC")),
    "vrf": (
        Form("vni <1-16777214> l3", "VX"),
        Form("ip route NET4 HOP4", "REC"),
        Form("ipv6 route NET6 HOP6", "REC"),
        Form("rd RT", "R105"),
        Form(f"address-family {FAMILY} unicast", "R105; BF", "vrf family"),
    ),
    "vrf family": (
        Form("route-target import|export RT", "ANS; BF"),
        Form("route-target import|export RT evpn", "ANS; BF"),
    ),
    "route-map": (
        Form("match community NAME", "BF; ANS"),
        Form("match ip address prefix-list NAME", "BF"),
        Form("match ipv6 address prefix-list NAME", "BF"),
        Form("set community COMMUNITY", "BF"),
        Form("set community COMMUNITY additive", "BF"),
        Form("set community graceful-shutdown additive", "ANS"),
        Form("set community COMMUNITY graceful-shutdown additive", "ANS"),
        Form("set community COMMUNITY graceful-shutdown", "ANS"),
        Form("set local-preference <0-4294967295>", "BF"),
        Form("set ip next-hop unchanged", "BF; NL"),
    ),
    "dlb": (
        Form("dlb-interface PORTS", "DLB"),
        Form("mode flowlet|per-packet", "DLB"),
        Form("flowlet-aging <1-2000000>", "DLB"),
    ),
    "port": (
        Form("description TEXT", "REC"),
        Form("no switchport", "REC"),
        Form("switchport", "BF"),
        Form("speed 10000|25000|40000|50000|100000|200000|400000|800000", "DME; a public lab on 10.3(8)"),
        Form("fec rs-fec|fc-fec|off", "DME; INT"),
        Form("mtu <1500-9216>", "REC"),
        Form("encapsulation dot1q <2-4093>", "BF"),
        Form("vrf member NAME", "REC; BF"),
        Form("no ip redirects", "BF; NL"),
        Form("ip address IPV4/LEN", "REC"),
        Form("no ipv6 redirects", "NL"),
        Form("ipv6 address IPV6/LEN", "REC"),
        Form("ipv6 nd suppress-ra", "BF"),
        Form("switchport access vlan VLANS", "REC"),
        Form("switchport mode trunk", "R105; BF"),
        Form("switchport trunk allowed vlan VLANS", "R105; BF"),
        Form("spanning-tree port type edge", "BF; ANS"),
        Form("spanning-tree port type edge trunk", "BF; ROCE"),
        Form("spanning-tree bpduguard enable", "BF"),
        Form("storm-control broadcast|multicast level PERCENT", "BF"),
        Form("load-interval counter 1 <5-300>", "INT"),
        Form("priority-flow-control mode on", "ROCE"),
        Form("priority-flow-control watch-dog-interval on", "ROCE"),
        Form("priority-flow-control watch-dog-interval on disable-action", "DME + FORM: attribute disableAction"),
        Form("service-policy type qos input NAME", "ROCE"),
        Form("service-policy type queuing output NAME", "BF; QOS"),
        Form("no shutdown", "REC"),
        Form("shutdown", "BF"),
    ),
    "svi": (
        Form("description TEXT", "BF"),
        Form("no shutdown", "R105"),
        Form("mtu <64-9216>", "BF"),
        Form("vrf member NAME", "R105"),
        Form("no ip redirects", "BF; NL"),
        Form("ip address IPV4/LEN", "R105"),
        Form("no ipv6 redirects", "NL"),
        Form("ipv6 address IPV6/LEN", "BF; NL"),
        Form("ipv6 nd suppress-ra", "BF"),
        Form("no ipv6 nd suppress-ra", "ANNET"),
        Form("ipv6 nd managed-config-flag", "BF"),
        Form("fabric forwarding mode anycast-gateway", "R105"),
        Form("ip dhcp relay address IPV4", "VX"),
        Form("ip dhcp relay source-interface LOOPBACK", "VX"),
        Form("ipv6 dhcp relay address IPV6", "BF"),
        Form("ipv6 dhcp relay source-interface LOOPBACK", "ANS"),
    ),
    "loopback": (
        Form("description TEXT", "BF; R105"),
        Form("vrf member NAME", "BF"),
        Form("ip address IPV4/LEN", "REC"),
        Form("ipv6 address IPV6/LEN", "NL"),
    ),
    "mgmt": (
        Form("description TEXT", "BF"),
        Form("vrf member management", "REC"),
        Form("ip address IPV4/LEN", "REC"),
        Form("ipv6 address IPV6/LEN", "REC"),
        Form("ip access-group NAME in", "KERNEL; STIG"),
        Form("ipv6 traffic-filter NAME in", "KERNEL"),
    ),
    "nve": (
        Form("no shutdown", "REC"),
        Form("host-reachability protocol bgp", "REC"),
        Form("source-interface LOOPBACK", "REC"),
        Form("member vni <1-16777214>", "REC", "member"),
        Form("member vni <1-16777214> associate-vrf", "R105"),
    ),
    "member": (Form("suppress-arp", "REC"), Form("ingress-replication protocol bgp", "REC")),
    "bgp": (
        Form("router-id IPV4", "REC"),
        Form("suppress-fib-pending", "ANS"),
        Form("bestpath as-path multipath-relax", "BF; ANS"),
        Form("log-neighbor-changes", "BF; ANS"),
        Form(f"address-family {FAMILY} unicast", "REC", "routed family"),
        Form("address-family l2vpn evpn", "REC", "evpn family"),
        Form("neighbor IP", "REC", "neighbor"),
        Form("vrf NAME", "BF; NL", "bgp vrf"),
    ),
    "routed family": (
        Form("network NET4", "REC"),
        Form("network NET6", "BF"),
        Form("maximum-paths <1-64>", "BF"),
    ),
    "evpn family": (Form("retain route-target all", "BF; NL"),),
    "neighbor": (
        Form("bfd", "BF"),
        Form("bfd multihop", "ANS"),
        Form("remote-as <1-4294967295>", "REC"),
        Form("description TEXT", "BF"),
        Form("update-source LOOPBACK", "REC"),
        Form("ebgp-multihop <2-255>", "BF"),
        Form("ttl-security hops <1-254>", "ANS"),
        Form("disable-connected-check", "ANS"),
        Form("timers <0-3600> <0-3600>", "R105"),
        Form(f"address-family {FAMILY} unicast", "REC", "neighbor family"),
        Form("address-family l2vpn evpn", "REC", "neighbor evpn"),
        Form("password SECRET", "ANS; BF"),
    ),
    "neighbor family": (
        Form("send-community", "REC"),
        Form("route-map NAME in|out", "BF"),
        Form("maximum-prefix <1-4294967295> warning-only", "BF; ANS"),
        Form("maximum-prefix <1-4294967295> restart <1-65535>", "BF; ANS"),
    ),
    "neighbor evpn": (
        Form("send-community", "REC"),
        Form("send-community extended", "REC"),
        Form("route-map NAME in|out", "R105"),
        Form("maximum-prefix <1-4294967295> warning-only", "BF; ANS"),
        Form("maximum-prefix <1-4294967295> restart <1-65535>", "BF; ANS"),
    ),
    "bgp vrf": (
        Form("router-id IPV4", "NL"),
        Form("bestpath as-path multipath-relax", "ANS"),
        Form(f"address-family {FAMILY} unicast", "BF; NL", "bgp vrf family"),
        Form("neighbor IP", "BF", "neighbor"),
    ),
    "bgp vrf family": (
        Form("network NET4", "BF"),
        Form("network NET6", "BF"),
        Form("advertise l2vpn evpn", "BF; NL"),
        Form("maximum-paths <1-64>", "BF"),
    ),
    "evpn": (Form("vni <1-16777214> l2", "REC", "evpn vni"),),
    "evpn vni": (Form("rd RT", "REC"), Form("route-target import|export RT", "REC")),
}
"""Block → forms of its lines."""
