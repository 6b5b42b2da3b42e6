"""Texts of EOS that the platform does not render, and what they say.

Forms: recorded configurations of EOS 4.23 and cEOS 4.36 (github.com/batfish/lab-validation dbe21f0), PyAVD 6.4.0 and
the manual (arista.com/en/um-eos), as `fabricgen/platforms/eos/readback/` cites them.
"""

from fabricgen.readback.policy import GRACEFUL_SHUTDOWN, PERMIT_ALL, Policy, PrefixRange, Term
from fabricgen.readback.rows import A_VALUE, SHUT
from tests.readback.faults import Told


def _session(peer: str, setting: str) -> tuple[str, str, str]:
    return "session", peer, setting


_ONE_PREFIX = Policy((Term(permit=True, prefixes_ipv4=frozenset({PrefixRange("10.1.0.0/24", 24, 24)})),))
"""What a map lets through by a list of one prefix."""

TOLD = (
    Told(
        "defaults of ports",
        "interface Ethernet1\n   no switchport\n!\ninterface Ethernet2\n",
        {
            ("port", "Ethernet1", "mtu"): (1500, 1),
            ("port", "Ethernet1", "enabled"): (True, 1),
            ("port", "Ethernet2", "access-vlan"): (1, 4),
            ("switch", "", "lldp"): (True, 0),
        },
        (("port", "Ethernet2", "mtu"),),
    ),
    Told(
        "depth and order of lines",
        "interface Et1/1\n  ip address 10.0.0.1/31\n  mtu 9000\n  no switchport\n  no shutdown\n",
        {("port", "Ethernet1/1", "ipv4"): (frozenset({"10.0.0.1/31"}), 2), ("port", "Ethernet1/1", "mtu"): (9000, 3)},
    ),
    Told(
        "a block in two parts, the last line counts",
        "interface Ethernet1\n   no switchport\n   mtu 9000\nhostname a\ninterface Ethernet1\n   mtu 9100\n"
        "   shutdown\n",
        {("port", "Ethernet1", "mtu"): (9100, 6), ("port", "Ethernet1", "enabled"): (False, 7)},
    ),
    Told(
        "ports that are dark",
        "interface defaults\n   ethernet\n      shutdown\ninterface Ethernet1\ninterface Ethernet2\n   no shutdown\n",
        {("port", "Ethernet1", "enabled"): (False, 4), ("port", "Ethernet2", "enabled"): (True, 6)},
    ),
    Told(
        "a neighbor wins over its group",
        "router bgp 65000.1\n"
        "   neighbor 10.0.0.1 peer group G\n"
        "   neighbor 10.0.0.1 timers 1 3\n"
        "   no neighbor 10.0.0.1 bfd\n"
        "   neighbor G peer group\n"
        "   neighbor G remote-as 65001\n"
        "   neighbor G timers 5 15\n"
        "   neighbor G bfd\n"
        "   neighbor G send-community\n"
        "   neighbor 10.0.0.2 peer group G\n",
        {
            ("bgp", "", "asn"): (65000 * 65536 + 1, 1),
            _session("10.0.0.1", "hold"): (3, 3),
            _session("10.0.0.1", "bfd"): (False, 4),
            _session("10.0.0.2", "hold"): (15, 7),
            _session("10.0.0.2", "bfd"): (True, 8),
            _session("10.0.0.2", "remote-as"): (65001, 6),
            _session("10.0.0.2", "extended-communities"): (True, 9),
            _session("10.0.0.2", "maximum-routes.ipv4"): (12000, 10),
            _session("10.0.0.2", "families"): (frozenset({"ipv4"}), 10),
        },
    ),
    Told(
        "defaults of sessions",
        "router bgp 1\n   neighbor 10.0.0.1 remote-as 2\n",
        {
            _session("10.0.0.1", "keepalive"): (60, 2),
            _session("10.0.0.1", "hold"): (180, 2),
            _session("10.0.0.1", "policy-out.ipv4"): (Policy((PERMIT_ALL,)), 2),
            _session("10.0.0.1", "restart"): ("until it is cleared", 2),
            ("bgp", "", "maximum-paths"): (1, 1),
        },
        (_session("10.0.0.1", "source"),),
    ),
    Told(
        "families say otherwise",
        "router bgp 1\n"
        "   neighbor G peer group\n"
        "   neighbor 10.0.0.1 peer group G\n"
        "   neighbor 10.0.0.1 remote-as 2\n"
        "   neighbor fd00::1 peer group G\n"
        "   neighbor fd00::1 remote-as 2\n"
        "   address-family ipv4\n"
        "      no neighbor fd00::1 activate\n"
        "   address-family ipv6\n"
        "      neighbor G activate\n"
        "      no neighbor 10.0.0.1 activate\n",
        {
            _session("10.0.0.1", "families"): (frozenset({"ipv4"}), 4),
            _session("fd00::1", "families"): (frozenset({"ipv6"}), 10),
        },
    ),
    Told(
        "a map of a family",
        "route-map A permit 10\n   set local-preference 5\nroute-map B permit 10\n   set local-preference 6\n"
        "router bgp 1\n   neighbor 10.0.0.1 remote-as 2\n   neighbor 10.0.0.1 route-map A in\n"
        "   address-family ipv4\n      neighbor 10.0.0.1 route-map B in\n",
        {_session("10.0.0.1", "policy-in.ipv4"): (Policy((Term(permit=True, local_preference=6),)), 9)},
    ),
    Told(
        "links without addresses",
        "router bgp 1\n   no bgp default ipv4-unicast\n   neighbor S peer group\n   neighbor S remote-as 9\n"
        "   neighbor interface Et1-2 peer-group S\n   neighbor interface Et49/1 peer-group S remote-as 8\n"
        "   address-family ipv4\n      neighbor S activate\n      neighbor S next-hop address-family ipv6 originate\n",
        {
            _session("Ethernet1", "remote-as"): (9, 4),
            _session("Ethernet2", "remote-as"): (9, 4),
            _session("Ethernet49/1", "remote-as"): (8, 6),
            _session("Ethernet2", "extended-next-hop"): (True, 9),
        },
    ),
    Told(
        "lists in one line, by words, in another order",
        "route-map M permit 20\n   match ip address prefix-list P\nroute-map M deny 10\n   match community C\n"
        "ip prefix-list P seq 10 permit 10.0.0.0/8 ge 24\nip prefix-list P seq 20 permit 10.1.0.0/16 eq 32\n"
        "ip community-list C permit GSHUT\nip community-list C permit 1:2\n"
        "router bgp 1\n   neighbor 10.0.0.1 remote-as 2\n   neighbor 10.0.0.1 route-map M out\n",
        {
            _session("10.0.0.1", "policy-out.ipv4"): (
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
                11,
            )
        },
    ),
    Told(
        "lists that no Term says",
        "ip prefix-list P\n   seq 10 deny 10.0.0.0/8\nip community-list C permit 1:2 1:3\n"
        "ip community-list regexp C permit 1:.*\n"
        "route-map M permit 10\n   match as-path A\n   set metric 5\n   continue 20\n",
        {("policy", "M", "terms"): (Policy((PERMIT_ALL,)), 5)},
        unread=(2, 3, 4, 6, 7, 8),
    ),
    Told(
        "VLANs of a bundle",
        "vlan 10-11\n   name x\ninterface Vxlan1\n   vxlan source-interface Loopback1\n"
        "   vxlan vlan 10-11 vni 100010-100011\n"
        "interface Loopback1\n   ip address 10.0.0.9/32\n"
        "router bgp 1\n   vlan-aware-bundle T\n      rd 10.0.0.9:1\n      route-target both 1:1\n"
        "      redistribute learned\n      vlan 10-11\n",
        {
            ("vlan", "11", "vni"): (100011, 5),
            ("vlan", "11", "rd"): ("10.0.0.9:1", 10),
            ("vlan", "10", "imports"): (frozenset({"1:1"}), 11),
            ("vlan", "10", "name"): ("x", 2),
            ("vtep", "", "address"): ("10.0.0.9", 4),
        },
    ),
    Told(
        "QoS of a port itself wins over its profile",
        "qos profile P\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
        "   tx-queue 3\n      no priority\n      bandwidth percent 40\n"
        "interface Ethernet1\n   service-profile P\n   tx-queue 3\n      bandwidth percent 60\n"
        "   priority-flow-control pause watchdog\npriority-flow-control pause watchdog default timeout 1.5\n"
        "priority-flow-control pause watchdog default recovery-time 2\n"
        "priority-flow-control pause watchdog default polling-interval 0.125\n",
        {
            ("port", "Ethernet1", "queues"): (
                (0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 60, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0, 7, 0, 0),
                5,
            ),
            ("port", "Ethernet1", "watchdog"): ((1500, 2000, 125), 12),
            ("port", "Ethernet1", "watchdog-action"): ("errdisable", 8),
            ("port", "Ethernet1", "pfc"): ((3,), 4),
            ("port", "Ethernet1", "dscp-classes"): (
                tuple({0: 1, 1: 0}.get(dscp // 8, dscp // 8) for dscp in range(64)),
                2,
            ),
        },
    ),
    Told(
        "a port takes back what its profile says",
        "qos profile P\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
        "interface Ethernet1\n   service-profile P\n   no priority-flow-control on\n   qos trust cos\n",
        {},
        (("port", "Ethernet1", "pfc"), ("port", "Ethernet1", "dscp-classes")),
    ),
    Told(
        "sFlow of every port",
        "sflow run\ninterface Ethernet1\ninterface Ethernet2\n   no sflow enable\n",
        {("port", "Ethernet1", "sflow"): (True, 2)},
        (("port", "Ethernet2", "sflow"),),
    ),
    Told(
        "an API that is shut down says so, with its VRF",
        "interface Management1\n   vrf M\nmanagement api http-commands\n   protocol https ssl profile p\n   shutdown\n"
        "   vrf M\n      no shutdown\n",
        {("management", "", "eapi-certificate"): (SHUT, 5)},
    ),
    Told(
        "a VRF in which the API is shut, beside the one in which it is open",
        "interface Management1\n   vrf M\nmanagement api http-commands\n   protocol https ssl profile p\n"
        "   no shutdown\n   vrf M\n      no shutdown\n   vrf default\n      shutdown\n",
        {("management", "", "eapi-certificate"): ("p", 4)},
    ),
    Told(
        "an API in another VRF, and servers in the default VRF",
        "interface Management1\n   vrf M\nntp server 10.0.0.9\nntp server vrf M 10.0.0.5\n"
        "management api http-commands\n   protocol https ssl profile p\n   no shutdown\n",
        {
            ("management", "", "ntp"): (frozenset({"10.0.0.9 (default VRF)", "10.0.0.5"}), 3),
            ("management", "", "eapi-certificate"): ("p (default VRF)", 7),
        },
    ),
    Told(
        "lines in the wrong place",
        "interface Ethernet1\n   no switchport\n   switchport access vlan 5\n   encapsulation dot1q vlan 5\n"
        "interface Vlan5\n   vrf a\n   ip address 10.0.0.1/24\nshutdown\n",
        {},
        unread=(8, 3, 4, 7),
    ),
    Told(
        "a banner ends by a line of its own",
        "banner login\nsee EOF\nhostname x\nEOF\nip domain-name y\n",
        {("management", "", "domain"): ("y", 5)},
        (("switch", "", "hostname"),),
    ),
    Told(
        "what is behind the end is no configuration",
        "hostname x\nend\n!\nip domain-name y\n",
        {("switch", "", "hostname"): ("x", 1)},
        (("management", "", "domain"),),
        unread=(4,),
    ),
    Told(
        "a line without a meaning has none below it that are alike",
        "clock timezone UTC\n   hostname x\nno aaa root\n  no router bgp 1\n",
        {},
        (("switch", "", "hostname"),),
        unread=(2, 4),
    ),
    Told(
        "a banner is no configuration",
        "banner login\nhostname x\nrouter bgp 7\nEOF\nhostname y\n",
        {("switch", "", "hostname"): ("y", 5)},
        (("bgp", "", "asn"),),
    ),
    Told(
        "words that are not known",
        "interface Ethernet1\n   mtu 9000 x\n   speed 400g-4 y\nrouter bgp 1\n   neighbor 10.0.0.1 remote-as 2 z\n",
        {},
        unread=(2, 3, 5),
    ),
    Told(
        "masks with dots",
        "interface Ethernet1\n   no switchport\n   ip address 10.0.0.6 255.255.255.254\n"
        "   ip address 10.1.0.1 255.0.0.0 secondary\n"
        "interface Ethernet2\n   no switchport\n   ip address 10.0.0.8 255.0.255.0\n"
        "ip route vrf M 0.0.0.0 0.0.0.0 10.9.9.9\n"
        "router bgp 1\n   network 10.2.0.0 mask 255.255.0.0\n",
        {
            ("port", "Ethernet1", "ipv4"): (frozenset({"10.0.0.6/31", "10.1.0.1/8"}), 3),
            ("static-route", "M 0.0.0.0/0", "next-hop"): ("10.9.9.9", 8),
            ("network", "10.2.0.0/16", "originated"): (True, 10),
        },
        unread=(7,),
    ),
    Told(
        "networks of another family, and something beside a reference",
        "router bgp 1\n   neighbor 10.0.0.1 remote-as 2\n   neighbor 10.0.0.1 password ${env:A} more\n"
        "   neighbor 10.0.0.2 remote-as 2\n   neighbor 10.0.0.2 password 7 ${env:A}\n"
        "   address-family ipv4\n      network fd00:1::/64\n      network 10.1.0.0/24\n"
        "   address-family ipv6\n      network 10.2.0.0/24\n      network fd00:2::/64\n",
        {
            ("session", "10.0.0.1", "password"): (A_VALUE, 3),
            ("session", "10.0.0.2", "password"): ("${env:A}", 5),
            ("network", "10.1.0.0/24", "originated"): (True, 8),
            ("network", "fd00:2::/64", "originated"): (True, 11),
        },
        without=(("network", "fd00:1::/64", "originated"), ("network", "10.2.0.0/24", "originated")),
        unread=(7, 10),
    ),
    Told(
        "sources of management",
        "interface Management1\n   vrf M\nip access-list standard S\n   20 permit 10.0.0.0/24\n   10 permit any\n"
        "   10 permit host 10.0.0.9\n   30 deny any\n   40 permit any\nip access-list standard D\n"
        "   10 deny 10.0.0.0/24\n"
        "   20 permit any\nip access-list standard N\n   10 deny any\nmanagement ssh\n   ip access-group S vrf M in\n"
        "   ip access-group S in\n   ip access-group S vrf X in\nsnmp-server ipv4 access-list D vrf M\n"
        "management api http-commands\n   vrf M\n      ip access-group N\nmanagement api gnmi\n   transport grpc t\n"
        "      vrf M\n      ip access-group GONE\nip access-list standard UNUSED\n   10 permit any\n",
        {
            ("management", "", "access-ssh"): (frozenset({"10.0.0.9/32", "10.0.0.0/24"}), 6),
            ("management", "", "access-snmp"): (frozenset({"0.0.0.0/0"}), 11),
            ("management", "", "access-api"): (frozenset(), 13),
        },
        (("management", "", "access-gnmi"),),
        unread=(10, 16, 17, 25),
    ),
    Told(
        "two entries of a list with one number",
        "ip prefix-list A\n   seq 10 permit 10.1.0.0/24\n   seq 10 permit 10.2.0.0/24\n   seq 10 permit 10.1.0.0/24\n"
        "ip prefix-list A seq 10 permit 10.3.0.0/24\nroute-map M permit 10\n   match ip address prefix-list A\n",
        {("policy", "M", "terms"): (_ONE_PREFIX, 6)},
        unread=(3, 5),
    ),
)

RECORDED = (
    "! Command: show running-config\n! device: leaf (cEOSLab, EOS-4.36.0.1F)\n!\nno aaa root\n!\n"
    "username admin privilege 15 role network-admin secret sha512 $6$x\n!\n"
    "no service interface inactive port-id allocation disabled\n!\nservice routing protocols model multi-agent\n!\n"
    "hostname leaf\n!\nspanning-tree mode mstp\n!\nsystem l1\n   unsupported speed action error\n"
    "   unsupported error-correction action error\n!\naaa authorization exec default local\n!\n"
    "interface Ethernet1\n   no switchport\n   ipv6 enable\n!\ninterface Loopback0\n   ip address 10.0.0.2/32\n!\n"
    "interface Management0\n   ip address 172.20.20.3/24\n!\nip routing ipv6 interfaces \n!\nipv6 unicast-routing\n!\n"
    "router bgp 65001\n   router-id 10.0.0.2\n   no bgp default ipv4-unicast\n   maximum-paths 2 ecmp 2\n"
    "   bgp bestpath tie-break router-id\n   redistribute connected\n   !\n   address-family ipv4\n"
    "      network 10.0.0.2/32\n!\nend\n"
)
"""The form of a recorded configuration; two lines of it are not understood."""
