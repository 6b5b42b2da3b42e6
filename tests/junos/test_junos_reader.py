"""What Junos' answers mean, in the forms that were recorded: each names where. Texts are short ones of our own."""

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.base.live.values import NotUnderstoodError, address, prefix
from fabricgen.platforms.junos.live import bgp as junos_bgp
from fabricgen.platforms.junos.live import ports as junos_ports
from fabricgen.platforms.junos.live import routes as junos_routes
from fabricgen.platforms.junos.live import vnis as junos_vnis
from fabricgen.platforms.junos.live.ports import OtherOutputs
from fabricgen.platforms.junos.live.reader import JUNOS, VERSION
from fabricgen.platforms.junos.live.xml import interface_address, parsed
from fabricgen.state.state import (
    Adjacency,
    BfdSession,
    BgpState,
    EvpnRoute,
    Facts,
    FamilyState,
    Hop,
    Interface,
    Route,
    Session,
    Vni,
)

ALONE = OtherOutputs({}, None, None)

# rado120p/migration-status-check, tests/fixtures/rpc/junos-evo/interfaces.xml (25.2R1.8-EVO)
EVOLVED = """<rpc-reply><interface-information style="normal"><physical-interface>
<name>et-0/0/0</name><admin-status format="Enabled">up</admin-status><oper-status>up</oper-status><mtu>9216</mtu>
<logical-interface><name>et-0/0/0.0</name><if-config-flags><iff-snmp-traps/><iff-up/></if-config-flags>
<address-family><address-family-name>inet</address-family-name><mtu>9202</mtu>
<interface-address><ifa-destination>10.1.1.2/31</ifa-destination><ifa-local>10.1.1.3</ifa-local>
<ifa-broadcast>Unspecified</ifa-broadcast></interface-address></address-family>
<address-family><address-family-name>iso</address-family-name><mtu>9199</mtu></address-family>
<address-family><address-family-name>inet6</address-family-name><mtu>9202</mtu>
<interface-address><ifa-destination>2001:db8:4::2/127</ifa-destination><ifa-local>2001:db8:4::2</ifa-local>
<interface-address><in6-addr-flags><ifaf-none/></in6-addr-flags></interface-address></interface-address>
<interface-address><ifa-destination>fe80::/64</ifa-destination><ifa-local>fe80::926a:eeff:fe36:0</ifa-local>
</interface-address></address-family></logical-interface></physical-interface>
<physical-interface><name>et-0/0/17</name><admin-status>up</admin-status><oper-status>up</oper-status><mtu>1514</mtu>
<logical-interface><name>et-0/0/17.16386</name><if-config-flags><iff-snmp-traps/><iff-up/></if-config-flags>
<address-family><address-family-name>multiservice</address-family-name><mtu>Unlimited</mtu></address-family>
</logical-interface></physical-interface></interface-information></rpc-reply>"""

# batfish/lab-validation, snapshots/junos_evpn_type5, show interfaces (25.4R1.12), as XML
CLASSIC = """<rpc-reply><interface-information>
<physical-interface><name>irb</name><admin-status>up</admin-status><oper-status>up</oper-status><mtu>1514</mtu>
<logical-interface><name>irb.100</name><if-config-flags><iff-up/></if-config-flags>
<irb-domain><irb-routing-instance>default-switch</irb-routing-instance><irb-bridge>VLAN100</irb-bridge></irb-domain>
<address-family><address-family-name>inet</address-family-name><mtu>1500</mtu><interface-address>
<ifa-destination>172.16.100/24</ifa-destination><ifa-local>172.16.100.1</ifa-local></interface-address></address-family>
</logical-interface></physical-interface>
<physical-interface><name>jsrv</name><admin-status>up</admin-status><oper-status>up</oper-status><mtu>1514</mtu>
<logical-interface><name>jsrv.1</name><if-config-flags><iff-up/></if-config-flags><address-family>
<address-family-name>inet</address-family-name><mtu>1514</mtu><interface-address>
<ifa-destination>128/2</ifa-destination><ifa-local>128.0.0.127</ifa-local></interface-address></address-family>
</logical-interface></physical-interface>
<physical-interface><name>lo0</name><admin-status>up</admin-status><oper-status>up</oper-status><mtu>Unlimited</mtu>
<logical-interface><name>lo0.0</name><if-config-flags><iff-snmp-traps/></if-config-flags><address-family>
<address-family-name>inet</address-family-name><mtu>Unlimited</mtu><interface-address><ifa-local>172.16.0.1</ifa-local>
</interface-address></address-family></logical-interface></physical-interface>
</interface-information></rpc-reply>"""


def test_ports_have_the_mtu_of_packets_and_no_address_of_a_link_alone() -> None:
    assert junos_ports.interfaces(EVOLVED, ALONE) == (
        Interface("et-0/0/0", "ethernet", True, True, 9202, ("10.1.1.3/31", "2001:db8:4::2/127")),
        Interface("et-0/0/17", "ethernet", True, True, 1500, ()),
    )


def test_gateways_and_loopbacks_are_units_and_what_talks_inside_the_box_is_left_out() -> None:
    beside = OtherOutputs({"irb.100": "TENANT-A"}, {}, {})
    assert junos_ports.interfaces(CLASSIC, beside) == (
        Interface("irb.100", "svi", True, True, 1500, ("172.16.100.1/24",), "TENANT-A", 100),
        Interface("lo0.0", "loopback", True, True, 0, ("172.16.0.1/32",)),
    )


@pytest.mark.parametrize("flag", ["iff-hardware-down", "iff-device-down", "iff-down"])
def test_a_unit_that_is_down_takes_its_port_down(flag: str) -> None:
    """Flags: NAPALM's mocked_data of test_get_network_instances and test_get_interfaces/iffdown."""
    for flags in (f"<{flag}/>", f"<{flag}/><iff-up/>"):
        (port, _) = junos_ports.interfaces(EVOLVED.replace("<iff-up/>", flags, 1), ALONE)
        assert (port.admin_up, port.oper_up) == (True, False)


def test_units_with_a_tag_are_subinterfaces_of_their_vrf() -> None:
    shown = EVOLVED.replace("et-0/0/0.0", "et-0/0/0.900").replace("<mtu>9216<", "<mtu>9224<")
    port, sub, _ = junos_ports.interfaces(shown, OtherOutputs({"et-0/0/0.900": "red"}, None, None))
    assert (port.addresses, port.mtu, port.vrf) == ((), 9202, "")
    assert (sub.name, sub.kind, sub.vlan_id, sub.vrf) == ("et-0/0/0.900", "subinterface", 900, "red")


def test_instances_name_the_units_they_route() -> None:
    """Form: genieparser, junos ShowRouteInstanceDetail."""
    shown = """<rpc-reply><instance-information>
<instance-core><instance-name>master</instance-name><instance-type>forwarding</instance-type></instance-core>
<instance-core><instance-name>red</instance-name><instance-type>vrf</instance-type>
<instance-interface><interface-name>irb.20</interface-name></instance-interface>
<instance-interface><interface-name>et-0/0/1.0</interface-name></instance-interface></instance-core>
<instance-core><instance-name>MAC-VRF-20</instance-name><instance-type>mac-vrf</instance-type>
<instance-interface><interface-name>et-0/0/2.0</interface-name></instance-interface></instance-core>
</instance-information></rpc-reply>"""
    assert junos_ports.instances(shown, {"red": "rouge"}) == {"irb.20": "rouge", "et-0/0/1.0": "rouge"}


def test_bundles_are_the_members_that_carry_frames() -> None:
    """Form: genieparser, junos ShowLacpInterfacesInterface."""
    shown = """<rpc-reply><lacp-interface-information-list><lacp-interface-information>
<lag-lacp-header><aggregate-name>ae4</aggregate-name></lag-lacp-header>
<lag-lacp-state><name>xe-3/0/1</name><lacp-role>Actor</lacp-role></lag-lacp-state>
<lag-lacp-protocol><name>xe-3/0/1</name><lacp-mux-state>Collecting distributing</lacp-mux-state></lag-lacp-protocol>
<lag-lacp-protocol><name>xe-3/0/2</name><lacp-mux-state>Detached</lacp-mux-state></lag-lacp-protocol>
</lacp-interface-information></lacp-interface-information-list></rpc-reply>"""
    assert junos_ports.members(shown) == {"ae4": ("xe-3/0/1",)}


def test_vlans_stand_at_their_ports() -> None:
    """Form: NAPALM, mocked_data/test_get_vlans/vlan_l2ng."""
    shown = """<rpc-reply><vlan-information><l2ng-l2ald-vlan-instance-group>
<l2ng-l2rtb-vlan-name>VLAN10</l2ng-l2rtb-vlan-name><l2ng-l2rtb-vlan-tag>10</l2ng-l2rtb-vlan-tag>
<l2ng-l2rtb-vlan-member><l2ng-l2rtb-vlan-member-interface>xe-0/0/1.0</l2ng-l2rtb-vlan-member-interface>
</l2ng-l2rtb-vlan-member><l2ng-l2rtb-vlan-member>
<l2ng-l2rtb-vlan-member-interface>ae3.10*</l2ng-l2rtb-vlan-member-interface></l2ng-l2rtb-vlan-member>
<l2ng-l2rtb-vlan-member><l2ng-l2rtb-vlan-member-interface>vtep.32769*</l2ng-l2rtb-vlan-member-interface>
</l2ng-l2rtb-vlan-member></l2ng-l2ald-vlan-instance-group><l2ng-l2ald-vlan-instance-group>
<l2ng-l2rtb-vlan-name>VLAN11</l2ng-l2rtb-vlan-name><l2ng-l2rtb-vlan-tag>11</l2ng-l2rtb-vlan-tag>
<l2ng-l2rtb-vlan-member><l2ng-l2rtb-vlan-member-interface>ae3.11*</l2ng-l2rtb-vlan-member-interface>
</l2ng-l2rtb-vlan-member></l2ng-l2ald-vlan-instance-group></vlan-information></rpc-reply>"""
    assert junos_ports.vlans(shown) == {"xe-0/0/1": ((0, 10),), "ae3": ((10, 10), (11, 11))}


def test_neighbors_of_lldp_in_both_forms() -> None:
    """Form: NAPALM, mocked_data/test_get_lldp_neighbors/normal."""
    shown = """<rpc-reply><lldp-neighbors-information style="brief"><lldp-neighbor-information>
<lldp-local-port-id>xe-4/3/6</lldp-local-port-id><lldp-remote-port-id>Ethernet1</lldp-remote-port-id>
<lldp-remote-system-name>peer00.lab.demo</lldp-remote-system-name></lldp-neighbor-information>
<lldp-neighbor-information><lldp-local-interface>ge-0/0/0.0</lldp-local-interface>
<lldp-remote-port-id>ge-0/0/0</lldp-remote-port-id></lldp-neighbor-information></lldp-neighbors-information></rpc-reply>"""
    assert junos_ports.adjacencies(shown) == (
        Adjacency("xe-4/3/6", "peer00.lab.demo", "Ethernet1"),
        Adjacency("ge-0/0/0", "", "ge-0/0/0"),
    )


# rado120p/migration-status-check, tests/fixtures/rpc/junos-evo/bgp.xml; the second peer as a public walk-through of
# sessions over links has it in words, and names as czerwonk/junos_exporter reads them
PEERS = """<rpc-reply><bgp-information><bgp-peer style="detail"><peer-address>150.0.0.1+179</peer-address>
<peer-as>65000</peer-as><local-address>150.0.0.12+37054</local-address><local-as>65001</local-as>
<peer-cfg-rti>master</peer-cfg-rti><peer-state>Established</peer-state><local-id>150.0.0.12</local-id>
<nlri-type-session>inet-unicast inet-vpn-unicast evpn</nlri-type-session>
<bgp-rib style="detail"><name>inet.0</name><received-prefix-count>4</received-prefix-count></bgp-rib>
<bgp-rib style="detail"><name>bgp.evpn.0</name><received-prefix-count>8</received-prefix-count></bgp-rib>
<bgp-rib style="detail"><name>red.inet.0</name><received-prefix-count>1</received-prefix-count></bgp-rib></bgp-peer>
<bgp-peer><peer-address>fe80::e20:51ff:fed2:1%et-0/0/1:0.0+50172</peer-address><peer-as>65002</peer-as>
<local-as>65001</local-as><peer-cfg-rti>master</peer-cfg-rti><peer-state>Active</peer-state>
<local-interface-name>et-0/0/1:0.0</local-interface-name><local-id>0.0.0.0</local-id>
<nlri-type-session>inet-unicast</nlri-type-session></bgp-peer>
<bgp-peer><peer-address>172.31.0.1+179</peer-address><peer-as>64601</peer-as><local-as>65001</local-as>
<peer-cfg-rti>red</peer-cfg-rti><peer-state>Established</peer-state><local-id>10.0.0.9</local-id>
<nlri-type-session>inet-unicast</nlri-type-session>
<bgp-rib><name>red.inet.0</name><received-prefix-count>3</received-prefix-count></bgp-rib></bgp-peer>
</bgp-information></rpc-reply>"""


def test_sessions_of_bgp() -> None:
    assert junos_bgp.bgp(PEERS, {"red": "rouge"}) == BgpState(
        65001,
        "150.0.0.12",
        (
            Session("", "150.0.0.1", 65000, "Established", (FamilyState("evpn", 8), FamilyState("ipv4", 4))),
            Session("", "et-0/0/1:0", 65002, "Active", ()),
            Session("rouge", "172.31.0.1", 64601, "Established", (FamilyState("ipv4", 3),)),
        ),
    )


def test_sessions_of_bfd() -> None:
    """Form: genieparser, junos ShowBFDSessionDetail; the empty answer is recorded (junos-evo/bfd.xml)."""
    rows = """<bfd-session><session-neighbor>10.34.2.250</session-neighbor><session-state>Up</session-state>
<session-interface/></bfd-session><bfd-session><session-neighbor>fe80::1</session-neighbor>
<session-state>Down</session-state><session-interface>et-0/0/5.0</session-interface></bfd-session>"""
    shown = "<rpc-reply><bfd-session-information>{}<sessions>0</sessions></bfd-session-information></rpc-reply>"
    assert junos_bgp.bfd(shown.format(rows)) == (BfdSession("", "10.34.2.250", True), BfdSession("", "et-0/0/5", False))
    assert junos_bgp.bfd(shown.format("")) == ()


# batfish/lab-validation, snapshots/junos_evpn_type5, node1-1, show route, as XML
ROUTES = """<rpc-reply><route-information><route-table><table-name>inet.0</table-name>
<rt><rt-destination>172.16.0.2/32</rt-destination><rt-entry><active-tag>*</active-tag>
<protocol-name>BGP</protocol-name><learned-from>172.16.254.1</learned-from>
<nh><to>172.16.254.1</to><via>ge-0/0/1.0</via></nh>
<nh><selected-next-hop/><to>172.16.254.3</to><via>ge-0/0/2.0</via></nh></rt-entry>
<rt-entry><active-tag/><protocol-name>BGP</protocol-name><nh><to>172.16.254.3</to><via>ge-0/0/2.0</via></nh></rt-entry>
</rt><rt><rt-destination>172.16.254.0/32</rt-destination><rt-entry><active-tag>*</active-tag>
<protocol-name>Local</protocol-name><nh-type>Local</nh-type>
<nh><nh-local-interface>ge-0/0/1.0</nh-local-interface></nh></rt-entry></rt>
<rt><rt-destination>10.64.0.0/26</rt-destination><rt-entry><active-tag>*</active-tag>
<protocol-name>Static</protocol-name><nh-type>Discard</nh-type></rt-entry></rt>
<rt><rt-destination>10.9.0.0/16</rt-destination><rt-entry><active-tag/><protocol-name>BGP</protocol-name>
<nh><to>172.16.254.3</to><via>ge-0/0/2.0</via></nh></rt-entry></rt>
<rt><rt-destination>224.0.0.5/32</rt-destination><rt-entry><active-tag>*</active-tag>
<protocol-name>OSPF</protocol-name></rt-entry></rt></route-table>
<route-table><table-name>mpls.0</table-name><rt><rt-destination>16</rt-destination></rt></route-table>
</route-information></rpc-reply>"""


def test_routes_are_those_that_packets_follow() -> None:
    two = (Hop("172.16.254.1", "ge-0/0/1"), Hop("172.16.254.3", "ge-0/0/2"))
    assert junos_routes.routes(ROUTES, {}) == (
        Route("", "10.64.0.0/26", "static", ()),
        Route("", "172.16.0.2/32", "bgp", two),
        Route("", "172.16.254.0/32", "local", (Hop("", "ge-0/0/1"),)),
    )


# the same: TENANT-A.inet.0, 10.99.0.0/31; detail has protocol-nh where a route of BGP has it
TENANT = """<rpc-reply><route-information><route-table><table-name>red.inet.0</table-name><rt style="detail">
<rt-destination>10.99.0.0</rt-destination><rt-prefix-length>31</rt-prefix-length>
<rt-entry><active-tag>@</active-tag><protocol-name>EVPN</protocol-name><nh><to>172.16.254.1</to><via>a.0</via></nh>
<nh><to>172.16.254.3</to><via>b.0</via></nh><protocol-nh><to>172.16.0.2</to></protocol-nh></rt-entry>
<rt-entry><active-tag/><protocol-name>EVPN</protocol-name><nh><to>172.16.254.1</to><via>a.0</via></nh>
<nh><to>172.16.254.3</to><via>b.0</via></nh><protocol-nh><to>172.16.0.3</to></protocol-nh></rt-entry>
<rt-entry><active-tag>#</active-tag><protocol-name>Multipath</protocol-name><nh><to>172.16.254.1</to><via>a.0</via></nh>
<nh><to>172.16.254.3</to><via>b.0</via></nh><nh><to>172.16.254.1</to><via>a.0</via></nh>
<nh><to>172.16.254.3</to><via>b.0</via></nh></rt-entry></rt></route-table></route-information></rpc-reply>"""


def test_a_tenants_route_leads_to_tunnel_ends_and_all_of_them_where_all_are_used() -> None:
    both = (Hop("172.16.0.2", ""), Hop("172.16.0.3", ""))
    assert junos_routes.routes(TENANT, {"red": "rouge"}) == (Route("rouge", "10.99.0.0/31", "evpn", both),)


def test_a_path_that_is_not_used_is_no_next_hop() -> None:
    """The entry for forwarding has the next hops of one of both alone: then it is not said which, and nothing fits."""
    half = TENANT.replace("<nh><to>172.16.254.1</to><via>a.0</via></nh>\n<nh><to>172.16.254.3</to><via>b.0</via></nh>"
                          "</rt-entry></rt>", "</rt-entry></rt>")  # fmt: skip
    assert half != TENANT
    (route,) = junos_routes.routes(half, {})
    assert {hop.address for hop in route.hops}.isdisjoint({"172.16.0.2", "172.16.0.3"})


def test_the_evpn_table() -> None:
    """Recorded in the same place: types 1, 2, 3 and 5; type 4 in public outputs in words, without leading zeros."""
    rows = {
        "1:172.16.0.1:0::050000fde90000277400::FFFF:FFFF": "",
        "2:172.16.0.2:1::10100::2c:6b:f5:af:4e:f0::172.16.100.2": "172.16.0.2",
        "2:172.16.0.2:1::10100::00:00:5e:00:01:01": "172.16.0.2",
        "2:172.16.0.2:1::10200::00:00:5e:00:01:01": "172.16.0.2",
        "3:172.16.0.2:1::10100::172.16.0.2": "172.16.0.2",
        "4:10.0.0.1:0::01:10.0.0.1": "",
        "4:10.1.2.1:0::100102020000000002:10.1.2.1": "",
        "5:172.16.0.2:10000::0::172.16.100.0::24": "172.16.0.2",
        "5:172.16.0.2:10000::0::2001:db8::::64": "172.16.0.2",
    }
    texts = "".join(
        f"<rt><rt-destination>{row}</rt-destination><rt-prefix-length>248</rt-prefix-length><rt-entry>"
        f"<active-tag>*</active-tag><protocol-name>{'BGP' if hop else 'EVPN'}</protocol-name>"
        + (f"<protocol-nh><to>{hop}</to></protocol-nh>" if hop else "<nh-type>Indirect</nh-type>")
        + "</rt-entry></rt>"
        for row, hop in rows.items()
    )
    shown = f"<rpc-reply><route-information><route-table><table-name>bgp.evpn.0</table-name>{texts}</route-table>"
    assert junos_routes.evpn(f"{shown}</route-information></rpc-reply>") == (
        EvpnRoute(1, "172.16.0.1:0", "050000fde90000277400", ""),
        # The gateway of two VLANs of one bundle: one RD and one MAC, and the tag tells them apart.
        EvpnRoute(2, "172.16.0.2:1", "00:00:5e:00:01:01", "172.16.0.2", 10100),
        EvpnRoute(2, "172.16.0.2:1", "00:00:5e:00:01:01", "172.16.0.2", 10200),
        EvpnRoute(2, "172.16.0.2:1", "2c:6b:f5:af:4e:f0 172.16.100.2", "172.16.0.2", 10100),
        EvpnRoute(3, "172.16.0.2:1", "172.16.0.2", "172.16.0.2", 10100),
        EvpnRoute(4, "10.0.0.1:0", "00000000000000000001", ""),
        EvpnRoute(4, "10.1.2.1:0", "00100102020000000002", ""),
        EvpnRoute(5, "172.16.0.2:10000", "172.16.100.0/24", "172.16.0.2"),
        EvpnRoute(5, "172.16.0.2:10000", "2001:db8::/64", "172.16.0.2"),
    )


def test_vnis_of_both_kinds() -> None:
    """Form: czerwonk/junos_exporter, features/evpn/rpc_test.go; core-isolated-state: junos-evo/evpn_instance.xml."""
    shown = """<rpc-reply><evpn-instance-information><evpn-instance><evpn-instance-name>MAC-VRF-10</evpn-instance-name>
<irb-interface-status-table><irb-interface><irb-interface-name>irb.10</irb-interface-name>
<irb-interface-l3-context>red</irb-interface-l3-context></irb-interface></irb-interface-status-table>
<bridge-domain-status-table><bridge-domain><vlan-id>10</vlan-id><domain-id>10001</domain-id>
<irb-interface>irb.10</irb-interface></bridge-domain></bridge-domain-status-table>
<evpn-neighbor><evpn-neighbor-route-information><evpn-neighbor-address>192.0.2.1</evpn-neighbor-address>
<evpn-num-inclusive-multicast-routes>1</evpn-num-inclusive-multicast-routes></evpn-neighbor-route-information>
</evpn-neighbor><evpn-neighbor><evpn-neighbor-route-information>
<evpn-neighbor-address>192.0.2.9</evpn-neighbor-address>
<evpn-num-inclusive-multicast-routes>0</evpn-num-inclusive-multicast-routes></evpn-neighbor-route-information>
</evpn-neighbor><core-isolated-state>N</core-isolated-state></evpn-instance></evpn-instance-information></rpc-reply>"""
    one = Vni(10001, "l2", 10, "rouge", ("192.0.2.1",), True)
    assert junos_vnis.l2(shown, {"red": "rouge"}) == (one,)
    cut = shown.replace("<core-isolated-state>N", "<core-isolated-state>Y")
    assert junos_vnis.l2(cut, {"red": "rouge"}) == (one._replace(up=False),)
    context = """<rpc-reply><evpn-l3-context-information><evpn-l3-context><context-name>red</context-name>
<context-encapsulation>VXLAN</context-encapsulation><context-vni>10002</context-vni></evpn-l3-context>
<evpn-l3-context><context-name>blue</context-name><context-encapsulation>MPLS</context-encapsulation>
<context-vni>20002</context-vni></evpn-l3-context></evpn-l3-context-information></rpc-reply>"""
    assert junos_vnis.l3(context, {}) == (Vni(10002, "l3", 0, "red", (), True),)


def test_who_answers() -> None:
    """Form: batfish/lab-validation, show version."""
    shown = """<rpc-reply><software-information><host-name>node1-1</host-name><product-model>ex9214</product-model>
<os-name>junos</os-name><junos-version>25.4R1.12</junos-version></software-information></rpc-reply>"""
    facts = JUNOS.state({VERSION: Output(shown)}, {}).facts
    assert facts == Facts("node1-1", "25.4R1.12", "ex9214", "")


def test_senders_of_routes() -> None:
    assert junos_routes.peers_of(ROUTES) == {"172.16.254.1", "172.16.254.3"}
    link = ROUTES.replace("172.16.254.1<", "fe80::1<").replace("ge-0/0/1.0", "et-0/0/1:0.0")
    assert junos_routes.peers_of(link) == {"et-0/0/1:0", "172.16.254.3"}


@pytest.mark.parametrize(
    "shown",
    [
        None,
        {},
        "",
        "BGP is not running\n",
        "<rpc-reply><bgp-information>",
        "<rpc-reply/>",
        '<!DOCTYPE a [<!ENTITY b "c">]><rpc-reply><bgp-information/></rpc-reply>',
        "<rpc-reply>\x00</rpc-reply>",
    ],
)
def test_what_is_no_answer_is_not_understood(shown: object) -> None:
    with pytest.raises(NotUnderstoodError):
        parsed(shown, "bgp-information")


def test_answers_of_several_routing_engines_and_namespaces_are_read() -> None:
    one = '<bgp-information xmlns="http://xml.juniper.net/junos/24.4R1/junos-routing"/>'
    shown = (
        f"<rpc-reply><multi-routing-engine-results><a>{one}</a><a>{one}</a></multi-routing-engine-results></rpc-reply>"
    )
    assert len(parsed(shown, "bgp-information")) == 2


@pytest.mark.parametrize("text", ["10.0.0", "10.0.0.1/33", "x"])
def test_what_is_no_address_is_not_understood(text: str) -> None:
    for read in (address, prefix):
        with pytest.raises(NotUnderstoodError):
            read(text)
    with pytest.raises(NotUnderstoodError):
        interface_address("10.0.0.1", "10.0.0/99")
