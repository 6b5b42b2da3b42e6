"""Texts of NX-OS that the platform does not render, and what they say.

Forms: recorded configurations of NX-OS 9.2(3) and 10.3(9) (github.com/batfish/lab-validation dbe21f0), Batfish's
grammar and tests (github.com/batfish/batfish cba1873, cisco_nxos), as `fabricgen/platforms/nxos/readback/` cites
them.
"""

from fabricgen.readback.policy import GRACEFUL_SHUTDOWN, PERMIT_ALL, Policy, PrefixRange, Term
from tests.readback.faults import Told

TOLD = (
    Told(
        "defaults of ports",
        "interface Ethernet1/1\n  no switchport\ninterface Ethernet1/2\ninterface Vlan5\n  vrf member a\n",
        {
            ("port", "Ethernet1/1", "mtu"): (1500, 1),
            ("port", "Ethernet1/1", "enabled"): (False, 1),
            ("port", "Ethernet1/2", "enabled"): (True, 3),
            ("port", "Ethernet1/2", "access-vlan"): (1, 3),
        },
        (("gateway", "5", "vrf"),),
    ),
    Told(
        "sources of management",
        "feature grpc\ngrpc port 6000\nip access-list S\n  20 permit tcp 10.0.0.0/24 any eq 22\n"
        "  10 permit tcp host 10.0.0.9 any eq 22\n  5 permit udp any any eq snmp\n  30 deny ip any any\n"
        "  40 permit ip any any\n  statistics per-entry\nip access-list M\n  10 permit tcp 10.0.0.0/24 any eq 443\n"
        "  20 deny tcp 10.0.1.0/24 any eq 443\n  30 deny tcp any any eq 443\n  40 deny tcp any any eq 6000\n"
        "  50 permit tcp any any established\n  60 permit udp any eq ntp any\n  70 permit ip any any\n"
        "  70 deny ip any any\nip access-list UNUSED\n  10 permit ip any any\nipv6 access-list D\n"
        "  10 deny ipv6 any any log\nipv6 access-list P\n  10 permit ipv6 any any\ninterface mgmt0\n"
        "  vrf member management\n  ip access-group M in\n  ipv6 traffic-filter P in\ninterface Ethernet1/1\n"
        "  ip access-group M in\nline console\n  access-class S in\nline vty\n  exec-timeout 10\n"
        "  access-class S in\n  access-class S out\n  ipv6 access-class D in\n"
        "snmp-server user u auth sha x priv aes-128 y\nsnmp-server user u use-ipv4acl GONE\n"
        "snmp-server user v use-ipv4acl S\n",
        {
            ("management", "", "access-ssh"): (frozenset({"10.0.0.9/32", "10.0.0.0/24"}), 5),
            ("management", "", "access-api"): (frozenset({"10.0.0.0/24"}), 11),
            ("management", "", "access-gnmi"): (frozenset(), 14),
            ("line", "line vty: over IPv6 nobody is let in", "present"): (True, 37),
        },
        (
            ("management", "", "access-snmp"),
            ("line", "mgmt0: over IPv6 nobody is let in", "present"),
            ("line", "mgmt0: nobody speaks SNMP over TCP", "present"),
        ),
        unread=(12, 15, 16, 18, 24, 28, 30, 32, 36, 39, 40),
    ),
    Told(
        "a list of the management port that denies more",
        "interface mgmt0\n  ip access-group M in\nip access-list M\n  10 permit tcp 10.0.0.0/24 any eq 22\n"
        "  20 deny tcp any any eq 22\n  30 deny udp any any eq 514\n  40 permit ip any any\n",
        {("line", "mgmt0: ssh from 10.0.0.0/24", "present"): (True, 4)},
        unread=(6, 7),
    ),
    Told(
        "a list of the management port that lets nothing else in",
        "interface mgmt0\n  ip access-group M in\nip access-list M\n  10 permit tcp any any eq 22\n"
        "  20 deny tcp any any eq 161\n",
        {("line", "mgmt0: ssh from 0.0.0.0/0", "present"): (True, 4)},
        unread=(2,),
    ),
    Told("a name in the other word", "switchname y\n", {("switch", "", "hostname"): ("y", 1)}),
    Told(
        "ports that are dark or routed by a line of the switch",
        "system default switchport shutdown\nno system default switchport\ninterface Ethernet1/1\n  no shutdown\n"
        "interface Ethernet1/2\n  switchport\n",
        {
            ("port", "Ethernet1/1", "mtu"): (1500, 3),
            ("port", "Ethernet1/1", "enabled"): (True, 4),
            ("port", "Ethernet1/2", "enabled"): (False, 5),
        },
    ),
    Told(
        "depth and order of lines",
        "router bgp 1\n    neighbor 10.0.0.1 remote-as 2\n     address-family ipv4 unicast\n          route-map A in\n"
        "route-map A permit 10\n",
        {
            ("session", "10.0.0.1", "remote-as"): (2, 2),
            ("session", "10.0.0.1", "policy-in.ipv4"): (Policy((PERMIT_ALL,)), 4),
        },
    ),
    Told(
        "a neighbor wins over its templates",
        "router bgp 65000.1\n"
        "  template peer-session S\n    timers 5 15\n    ebgp-multihop 4\n"
        "  template peer-policy P\n    send-community both\n    maximum-prefix 9\n"
        "  template peer T\n    inherit peer-session S\n    remote-as 7\n    timers 1 3\n"
        "    address-family l2vpn evpn\n      inherit peer-policy P 1\n"
        "  neighbor 10.0.0.1\n    inherit peer T\n    description x\n"
        "  neighbor 10.0.0.2\n    inherit peer T\n    remote-as 8\n"
        "    address-family l2vpn evpn\n      maximum-prefix 5 80 warning-only\n",
        {
            ("bgp", "", "asn"): (65000 * 65536 + 1, 1),
            ("session", "10.0.0.1", "remote-as"): (7, 10),
            ("session", "10.0.0.1", "hold"): (3, 11),
            ("session", "10.0.0.1", "multihop"): (4, 4),
            ("session", "10.0.0.1", "families"): (frozenset({"evpn"}), 12),
            ("session", "10.0.0.1", "maximum-routes.evpn"): (9, 7),
            ("session", "10.0.0.1", "restart"): ("until it is cleared", 7),
            ("session", "10.0.0.1", "extended-communities"): (True, 6),
            ("session", "10.0.0.2", "remote-as"): (8, 19),
            ("session", "10.0.0.2", "maximum-routes.evpn"): (5, 21),
            ("session", "10.0.0.2", "restart"): (0, 21),
        },
    ),
    Told(
        "BFD of the other kind",
        "router bgp 1\n  neighbor 10.0.0.1\n    bfd\n    ebgp-multihop 3\n  neighbor 10.0.0.2\n    bfd multihop\n"
        "    ebgp-multihop 3\n  neighbor 10.0.0.3\n    bfd\n",
        {
            ("session", "10.0.0.1", "bfd"): ("single hop", 3),
            ("session", "10.0.0.2", "bfd"): (True, 6),
            ("session", "10.0.0.3", "bfd"): (True, 9),
        },
    ),
    Told(
        "defaults of sessions",
        "router bgp 1\n  timers bgp 4 12\n  neighbor 10.0.0.1\n    remote-as 2\n    address-family ipv4 unicast\n"
        "  vrf a\n    neighbor 10.0.0.9\n      remote-as 3\n      address-family ipv4 unicast\n",
        {
            ("session", "10.0.0.1", "hold"): (12, 2),
            ("session", "a 10.0.0.9", "hold"): (180, 7),
            ("session", "10.0.0.1", "policy-out.ipv4"): (Policy((PERMIT_ALL,)), 5),
        },
        (("session", "10.0.0.1", "maximum-routes.ipv4"), ("session", "10.0.0.1", "extended-communities")),
    ),
    Told(
        "lists by words and in another order",
        "route-map M permit 20\n  match ip address prefix-list P\nroute-map M deny 10\n  match community C\n"
        "ip prefix-list P seq 10 permit 10.0.0.0/8 ge 24\nip prefix-list P seq 20 permit 10.1.0.0/16 eq 32\n"
        "ip community-list standard C seq 10 permit graceful-shutdown\nip community-list standard C permit 1:2\n"
        "router bgp 1\n  neighbor 10.0.0.1\n    address-family ipv4 unicast\n      route-map M out\n",
        {
            ("session", "10.0.0.1", "policy-out.ipv4"): (
                Policy(
                    (
                        Term(permit=False, communities=frozenset({GRACEFUL_SHUTDOWN, "1:2"})),
                        Term(
                            permit=True,
                            prefixes_ipv4=frozenset(
                                {PrefixRange("10.0.0.0/8", 24, 32), PrefixRange("10.1.0.0/16", 32, 32)}
                            ),
                        ),
                    )
                ),
                12,
            )
        },
    ),
    Told(
        "lists that no Term says",
        "ip prefix-list P seq 10 deny 10.0.0.0/8\nip community-list standard C permit 1:2 1:3\n"
        "ip community-list expanded C permit 1:.*\nroute-map M permit 10\n  match as-path A\n  set metric 5\n"
        "  continue 20\n",
        {("policy", "M", "terms"): (Policy((PERMIT_ALL,)), 4)},
        unread=(1, 2, 3, 5, 6, 7),
    ),
    Told(
        "QoS of the whole switch, ranges and other names of classes",
        "class-map type qos match-all A\n  match dscp 24-26,30\npolicy-map type qos M\n  class A\n    set qos-group 3\n"
        "policy-map type network-qos N\n  class type network-qos c-nq3\n    pause pfc-cos 3\n"
        "policy-map type queuing Q\n  class type queuing c-out-q3\n    bandwidth remaining percent 70\n"
        "    shape min 0 kbps max 5 gbps\n"
        "system qos\n  service-policy type network-qos N\n  service-policy type qos input M\n"
        "  service-policy type queuing output Q\ninterface Ethernet1/1\n  speed 100000\n"
        "  priority-flow-control mode on\n"
        "  priority-flow-control watch-dog-interval on\npriority-flow-control watch-dog-interval on\n",
        {
            ("port", "Ethernet1/1", "queues"): ((3, 70, 5), 9),
            ("port", "Ethernet1/1", "pfc"): ((3,), 19),
            ("port", "Ethernet1/1", "watchdog"): ((-1, -1, -1), 20),
            ("port", "Ethernet1/1", "watchdog-action"): ("drop", 20),
            ("port", "Ethernet1/1", "dscp-classes"): (
                tuple(3 if dscp in (24, 25, 26, 30) else 0 for dscp in range(64)),
                2,
            ),
        },
    ),
    Told(
        "the first class that matches wins",
        "class-map type qos A\n  match dscp 24\nclass-map type qos B\n  match dscp 24-25\npolicy-map type qos M\n"
        "  class A\n    set qos-group 3\n  class B\n    set qos-group 4\n  class class-default\n    set qos-group 1\n"
        "interface Ethernet1/1\n  service-policy type qos input M\n",
        {
            ("port", "Ethernet1/1", "dscp-classes"): (
                tuple({24: 3, 25: 4}.get(dscp, 1) for dscp in range(64)),
                2,
            )
        },
    ),
    Told(
        "a VNI of a VRF that one family lacks a target of",
        "vrf context a\n  vni 100777\n  rd 1:1\n  address-family ipv4 unicast\n    route-target both 1:1 evpn\n"
        "  address-family ipv6 unicast\n    route-target both 1:1 evpn\n    route-target import 2:2 evpn\n"
        "interface nve1\n  no shutdown\n  member vni 100777 associate-vrf\n",
        {
            ("vrf", "a", "vni"): (100777, 2),
            ("vrf", "a", "exports"): (frozenset({"1:1"}), 5),
            ("vrf", "a", "imports"): (frozenset({"1:1", "2:2 of ipv6"}), 8),
        },
    ),
    Told(
        "parts of a cage",
        "interface breakout module 1 port 3 map 100g-4x\ninterface Ethernet1/3/2\n  no switchport\n",
        {("port", "Ethernet1/3/2", "speed"): (100, 1)},
    ),
    Told(
        "lines in the wrong place",
        "interface Ethernet1/1\n  no switchport\n  switchport access vlan 5\n  encapsulation dot1q 5\n"
        "interface loopback0\n  mtu 9000\nshutdown\n",
        {},
        unread=(7, 3, 4, 6),
    ),
    Told(
        "below the sessions of operators nothing else is without a meaning",
        "line vty\n  exec-timeout 5\n  access-class X in\n  no router bgp 1\nvdc x id 1\n  no feature bgp\n",
        {},
        unread=(3, 4, 6),
    ),
    Told(
        "a banner ends where its sign is",
        "banner motd #\nabc # def\nhostname y\n",
        {("switch", "", "hostname"): ("y", 3)},
    ),
    Told(
        "a banner is no configuration",
        "banner motd ^C\nhostname x\nrouter bgp 7\n^C\nhostname y\nbanner exec #one#\nip domain-name z\n",
        {("switch", "", "hostname"): ("y", 5), ("management", "", "domain"): ("z", 7)},
        (("bgp", "", "asn"),),
    ),
    Told(
        "users that NX-OS keeps for SNMP",
        "username admin password 5 $5$x  role network-admin\n"
        "snmp-server user admin network-admin auth md5 0x1f priv 0x1f localizedkey\n"
        "snmp-server user other network-admin auth md5 0x1f priv 0x1f localizedkey\n",
        {("user", "admin", "role"): ("network-admin", 1)},
        unread=(3,),
    ),
    Told(
        "words that are not known",
        "interface Ethernet1/1\n  mtu 9000 x\n  speed 400000 y\nrouter bgp 1\n  neighbor 10.0.0.1\n    remote-as 2 z\n",
        {},
        unread=(2, 3, 6),
    ),
    Told(
        "masks with dots",
        "interface Ethernet1/1\n  no switchport\n  ip address 10.0.0.6 255.255.255.254\n"
        "  ip address 10.1.0.1 255.0.0.0 secondary\n"
        "interface Ethernet1/2\n  no switchport\n  ip address 10.0.0.8 255.0.255.0\n"
        "ip route 10.3.0.0 255.255.0.0 10.9.9.9\n"
        "router bgp 1\n  address-family ipv4 unicast\n    network 10.2.0.0 mask 255.255.0.0\n",
        {
            ("port", "Ethernet1/1", "ipv4"): (frozenset({"10.0.0.6/31", "10.1.0.1/8"}), 3),
            ("static-route", "10.3.0.0/16", "next-hop"): ("10.9.9.9", 8),
            ("network", "10.2.0.0/16", "originated"): (True, 11),
        },
        unread=(7,),
    ),
    Told(
        "what is off, or left out, has a line",
        "vlan 20\n  vn-segment 10004\nvrf context a\n  vni 10001 l3\n"
        "sflow data-source interface Ethernet1/1\nsflow data-source interface Ethernet1/3\n"
        "interface Ethernet1/1\ninterface Ethernet1/2\ninterface Ethernet1/3\n"
        "router bgp 1\n  neighbor 10.0.0.1\n    address-family l2vpn evpn\n      route-map A out\n"
        "feature grpc\ngrpc port 6030\nroute-map A deny 5\nroute-map A permit 10\n",
        {
            ("vlan", "20", "vni"): (0, 2),
            ("vrf", "a", "vni"): (0, 4),
            ("port", "Ethernet1/2", "sflow"): (False, 5),
            ("port", "Ethernet1/3", "sflow"): (True, 6),
            ("line", "paths through different AS numbers are equal", "present"): (False, 10),
            ("session", "10.0.0.1", "next-hop-unchanged"): (False, 17),
            ("management", "", "gnmi-certificate"): ("the system's own certificate", 15),
        },
    ),
    Told(
        "networks of another family, and a family without a block",
        "router bgp 1\n  address-family ipv6 unicast\n    network 10.2.0.0/24\n    network fd00:2::/64\n"
        "    maximum-paths 64\n  neighbor 10.0.0.1\n    remote-as 2\n    address-family ipv4 unicast\n"
        "  vrf M\n    address-family ipv4 unicast\n      network fd00:3::/64\n      network 10.3.0.0/24\n"
        "      maximum-paths 64\n",
        {
            ("bgp", "", "maximum-paths"): ((1, 64), 1),
            ("bgp", "", "overlay-paths"): (64, 13),
            ("network", "fd00:2::/64", "originated"): (True, 4),
            ("network", "M 10.3.0.0/24", "originated"): (True, 12),
        },
        without=(("network", "10.2.0.0/24", "originated"), ("network", "M fd00:3::/64", "originated")),
        unread=(3, 11),
    ),
    Told(
        "a VNI that is bridged and routed",
        "interface nve1\n  member vni 10001 associate-vrf\n  member vni 10004 associate-vrf\n  member vni 10004\n",
        {},
        unread=(3,),
    ),
    Told(
        "two entries of a list with one number",
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nip prefix-list A seq 10 permit 10.2.0.0/24\n"
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nroute-map M permit 10\n  match ip address prefix-list A\n",
        {
            ("policy", "M", "terms"): (
                Policy((Term(permit=True, prefixes_ipv4=frozenset({PrefixRange("10.1.0.0/24", 24, 24)})),)),
                4,
            )
        },
        unread=(2,),
    ),
)

RECORDED = (
    "!Command: show running-config\nversion 10.3(9) Bios:version\nhostname r1\nvdc r1 id 1\n"
    "  limit-resource vlan minimum 16 maximum 4094\n  limit-resource m6route-mem minimum 8 maximum 8\n\n"
    "feature bgp\n\nno password strength-check\nusername admin password 5 $5$x  role network-admin\nip domain-lookup\n"
    "copp profile strict\nrmon event 1 log trap public description FATAL(1) owner PMON@FATAL\n\nvlan 1\n\n"
    "vrf context management\n\ninterface Ethernet1/1\n  no switchport\n  ip address 10.12.0.1/24\n  no shutdown\n\n"
    "interface Ethernet1/2\n\ninterface mgmt0\n  vrf member management\n  ip address 10.0.0.15/24\n"
    "line console\nline vty\n"
    "boot nxos bootflash:/nxos.bin\nrouter bgp 65001\n  router-id 1.1.1.1\n  address-family ipv4 unicast\n"
    "    network 1.1.1.1/32\n    redistribute direct route-map all\n  neighbor 10.12.0.2\n    remote-as 65002\n"
    "    address-family ipv4 unicast\n\n"
)
"""The form of a recorded configuration; one line of it is not understood."""
