"""What NX-OS shows → State. Answers are small ones of our own in the forms that NOTES.md cites; values read by eye."""

import json

import pytest

from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.state.state import (
    ETHERNET,
    LOOPBACK,
    MARKS,
    OTHER,
    SUBINTERFACE,
    SVI,
    Adjacency,
    BfdSession,
    BgpState,
    Drops,
    EvpnRoute,
    Facts,
    FamilyState,
    Hop,
    Interface,
    PortCounters,
    Route,
    Session,
    State,
    Vni,
)
from tests.doubles.nxos_shown import refused

BARE = "version 10.5(2) Bios:version\nhostname leaf\n"
VERSION = {"nxos_ver_str": "10.5(2)", "chassis_id": "Nexus9000 C9332D-GX2B chassis", "proc_board_id": "FDO1",
           "host_name": "leaf"}  # fmt: skip
INTERFACES = """{"TABLE_interface": {"ROW_interface": [
{"interface": "mgmt0", "state": "up", "admin_state": "up", "eth_mtu": "1500"},
{"interface": "Ethernet1/1", "state": "up", "admin_state": "up", "eth_mtu": "9214", "eth_mode": "routed"},
{"interface": "Ethernet1/2", "state": "down", "state_rsn_desc": "Link not connected", "admin_state": "up",
 "eth_mtu": "9216", "eth_mode": "access"},
{"interface": "Ethernet1/3", "state": "down", "state_rsn_desc": "Administratively down", "admin_state": "down",
 "eth_mtu": "1500"},
{"interface": "Ethernet1/4", "state": "down", "state_rsn_desc": "linkFlapErrDisabled", "admin_state": "up",
 "eth_mtu": "9216"},
{"interface": "Ethernet1/5.900", "state": "up", "admin_state": "up", "eth_mtu": "1500"},
{"interface": "loopback0", "state": "up", "admin_state": "up", "eth_mtu": "1500"},
{"interface": "Vlan1", "svi_admin_state": "down", "svi_rsn_desc": "Administratively down", "svi_line_proto": "down",
 "svi_mtu": "1500", "vlan_id": "1"},
{"interface": "Vlan20", "svi_admin_state": "up", "svi_line_proto": "up", "svi_mtu": "9164"},
{"interface": "Vlan30", "svi_admin_state": "down", "svi_rsn_desc": "VLAN/BD is down", "svi_line_proto": "down",
 "svi_mtu": "1500"},
{"interface": "nve1", "state": "up", "admin_state": "up", "eth_mtu": "9216"}]}}"""
IPV4 = """{"TABLE_intf":{"ROW_intf":[
{"vrf-name-out":"default","intf-name":"loopback0","prefix":"10.0.0.1","masklen":32,
 "TABLE_secondary_address":{"ROW_secondary_address":[{"prefix1":"10.0.0.9","subnet1":"10.0.0.9","masklen1":32}]}},
{"vrf-name-out":"default","intf-name":"Ethernet1/1","prefix":"10.1.0.0","masklen":31},
{"vrf-name-out":"red","intf-name":"Vlan20","prefix":"172.16.0.1","masklen":24}]}}"""
IPV6 = """{"TABLE_intf": {"ROW_intf": {"vrf-name-out": "default", "intf-name": "Ethernet1/1",
 "TABLE_addr": {"ROW_addr": [{"addr": "2001:DB8::1/127"}, {"addr": "fe80::7/64"}]}, "linklocal-addr": "fe80::1"}}}"""
HOMES = """{"TABLE_if": {"ROW_if": [
{"if_name": "Ethernet1/1", "vrf_name": "default", "vrf_id": 1, "soo": "--"},
{"if_name": "Vlan20", "vrf_name": "red", "vrf_id": 3, "soo": "--"},
{"if_name": "mgmt0", "vrf_name": "management", "vrf_id": 2, "soo": "--"}]}}"""
SWITCHPORTS = """{"TABLE_interface": {"ROW_interface": [
{"interface": "Ethernet1/1", "switchport": "Disabled"},
{"interface": "Ethernet1/2", "switchport": "Enabled", "oper_mode": "access", "access_vlan": 20, "native_vlan": 1,
 "trunk_vlans": "1-4094"},
{"interface": "Ethernet1/4", "switchport": "Enabled", "oper_mode": "trunk", "access_vlan": 1, "native_vlan": 10,
 "trunk_vlans": "10,20-21"}]}}"""
SUMMARY = """{"TABLE_vrf":{"ROW_vrf":[
{"vrf-name-out":"default","vrf-router-id":"10.0.0.1","vrf-local-as":"65001.7","TABLE_af":{"ROW_af":[
 {"af-id":1,"TABLE_saf":{"ROW_saf":[{"safi":1,"af-name":"IPv4 Unicast","TABLE_neighbor":{"ROW_neighbor":[
  {"neighborid":"10.1.0.1","neighboras":"65100","state":"Established","prefixreceived":9},
  {"neighborid":"10.1.0.3","neighboras":"65100","state":"Active","prefixreceived":0},
  {"neighborid":"10.1.0.5","neighboras":"65100","state":"Admin (Shut)","prefixreceived":0}]}}]}},
 {"af-id":2,"TABLE_saf":{"ROW_saf":[{"safi":1,"af-name":"IPv6 Unicast"}]}},
 {"af-id":1,"TABLE_saf":{"ROW_saf":[{"safi":128,"af-name":"VPNv4 Unicast"}]}},
 {"af-id":25,"TABLE_saf":{"ROW_saf":[{"safi":70,"af-name":"L2VPN EVPN","TABLE_neighbor":{"ROW_neighbor":
  {"neighborid":"10.1.0.1","neighboras":"65100","state":"Established","prefixreceived":42}}}]}}]}},
{"vrf-name-out":"red","vrf-router-id":"10.0.0.1","vrf-local-as":"65001.7","TABLE_af":{"ROW_af":
 {"af-id":"2","TABLE_saf":{"ROW_saf":{"safi":"1","af-name":"IPv6 Unicast","TABLE_neighbor":{"ROW_neighbor":
  {"neighborid":"2001:db8::9","neighboras":"64601","state":"Established","prefixreceived":"2"}}}}}}}]}}"""
NEIGHBORS = """{"TABLE_neighbor":{"ROW_neighbor":[
{"neighbor":"10.1.0.1","remoteas":"65100","state":"Established","vrf":"default","TABLE_af":{"ROW_af":[
 {"af-afi":1,"TABLE_saf":{"ROW_saf":[{"af-safi":1,"af-advertised":"true","af-recvd":"true"}]}},
 {"af-afi":25,"TABLE_saf":{"ROW_saf":[{"af-safi":70,"af-advertised":"true","af-recvd":"false"}]}}]}},
{"neighbor":"10.1.0.3","remoteas":"65100","state":"Active","vrf":"default"},
{"ipv6neighbor":"2001:db8::9","remoteas":"64601","state":"Established","vrf":"red","TABLE_af":{"ROW_af":
 {"af-afi":"2","TABLE_saf":{"ROW_saf":{"af-safi":"1","af-advertised":"true","af-recvd":"true"}}}}}]}}"""
ROUTES = """{"TABLE_vrf":{"ROW_vrf":[{"vrf-name-out":"default","TABLE_addrf":{"ROW_addrf":[{"addrf":"ipv4",
"TABLE_prefix":{"ROW_prefix":[
{"ipprefix":"10.0.0.1/32","ucast-nhops":2,"attached":"true","TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.0.0.1","ifname":"Lo0","clientname":"local","ubest":"true"},
 {"ipnexthop":"10.0.0.1","ifname":"Lo0","clientname":"direct","ubest":"true"}]}},
{"ipprefix":"10.0.0.2/32","ucast-nhops":2,"TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.1.0.1","clientname":"bgp-65001","type":"external","ubest":"true"},
 {"ipnexthop":"10.1.0.3","clientname":"bgp-65001","type":"external","ubest":"true"},
 {"ipnexthop":"10.1.0.5","clientname":"bgp-65001","type":"external","ubest":"false"}]}},
{"ipprefix":"10.0.0.3/32","ucast-nhops":1,"TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.9.9.9","clientname":"bgp-65001","type":"external","ubest":"true"}]}},
{"ipprefix":"10.1.0.0/16","ucast-nhops":1,"TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.1.9.9","ifname":"Vlan9","clientname":"direct","ubest":"true"}]}},
{"ipprefix":"10.1.0.0/31","ucast-nhops":1,"attached":"true","TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.1.0.0","ifname":"Eth1/1","clientname":"direct","ubest":"true"}]}},
{"ipprefix":"10.1.0.2/31","ucast-nhops":1,"attached":"true","TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.1.0.2","ifname":"Eth1/2","clientname":"direct","ubest":"true"}]}},
{"ipprefix":"10.64.0.0/12","ucast-nhops":1,"TABLE_path":{"ROW_path":[
 {"ifname":"Null0","clientname":"static","ubest":"true"}]}}]}}]}},
{"vrf-name-out":"red","TABLE_addrf":{"ROW_addrf":[{"addrf":"ipv4","TABLE_prefix":{"ROW_prefix":[
{"ipprefix":"172.16.1.0/24","ucast-nhops":1,"TABLE_path":{"ROW_path":[
 {"ipnexthop":"10.0.0.7","nexthop-vrf-name":"default","clientname":"bgp-65001","ubest":"true"}]}},
{"ipprefix":"172.16.0.5/32","ucast-nhops":1,"attached":"true","TABLE_path":{"ROW_path":[
 {"ipnexthop":"172.16.0.5","ifname":"Vlan20","clientname":"hmm","ubest":"true"}]}}]}}]}}]}}"""
VNIS = """{"TABLE_nve_vni":{"ROW_nve_vni":[
{"if-name":"nve1","vni":10005,"mcast":"n/a","vni-state":"Up","type":"L3 [red]","vlan-bd":999,"svi-state":"UP"},
{"if-name":"nve1","vni":10006,"mcast":"UnicastBGP","vni-state":"Down","type":"L2 [20]","vlan-bd":20}]}}"""
FLOODS = """\
Interface VNI      Replication List  Source  Up Time
--------- -------- ----------------- ------- -------
nve1      10006    10.0.0.7             BGP-IMET 1d02h
                   10.0.0.8             BGP-IMET 03:21:19
nve1      10007
"""
EVPN = """\
BGP routing table information for VRF default, address family L2VPN EVPN
BGP table version is 23, Local Router ID is 10.0.0.1
Status: s-suppressed, x-deleted, S-stale, d-dampened, h-history, *-valid, >-best
Path type: i-internal, e-external, c-confed, l-local, a-aggregate, r-redist, I-injected
Origin codes: i - IGP, e - EGP, ? - incomplete, | - multipath, & - backup, 2 - best2

   Network            Next Hop            Metric     LocPrf     Weight Path
Route Distinguisher: 10.0.0.1:6    (L2VNI 10006)
*>e[2]:[0]:[0]:[48]:[0c8e.9b19.2d01]:[0]:[0.0.0.0]/216
                      10.0.0.7                          100          0 65100 65002 i
*>l[2]:[0]:[0]:[48]:[0c8e.9ba4.5401]:[32]:[172.16.0.5]/248
                      10.0.0.1                          100      32768 i
*>l[3]:[0]:[32]:[10.0.0.1]/88
                      10.0.0.1                          100      32768 i

Route Distinguisher: 10.0.0.7:5
* e[5]:[0]:[0]:[24]:[172.16.1.0]/224
                      10.0.0.8                 0        100          0 65100 65002 ?
*>e                   10.0.0.7                 0        100          0 65100 65002 ?
*|e                   10.0.0.9                 0        100          0 65100 65002 ?
x e[5]:[0]:[0]:[64]:[2001:db8:1::]/416
                      10.0.0.7                 0        100          0 65100 65002 ?
Route Distinguisher: 10.0.0.7:9
*>i[4]:[0300.0000.0001.2c00.0309]:[32]:[10.0.0.7]/136
                      10.0.0.7                          100          0 i"""

ANSWERS = {
    nxos.VERSION: json.dumps(VERSION), nxos.INTERFACES: INTERFACES, nxos.ADDRESSES_IPV4: IPV4,
    nxos.ADDRESSES_IPV6: IPV6, nxos.VRFS: HOMES, nxos.SWITCHPORTS: SWITCHPORTS, nxos.BGP_SUMMARY: SUMMARY,
    nxos.BGP_NEIGHBORS: NEIGHBORS, nxos.ROUTES_IPV4: ROUTES, nxos.ROUTES_IPV6: "{}\n", nxos.VNIS: VNIS,
    nxos.FLOODS: FLOODS, nxos.EVPN_ROUTES: EVPN, nxos.MODE: '{"system_mode": "Normal"}', nxos.RUNNING: BARE,
    nxos.QUEUES: """{"TABLE_module": {"ROW_module": {"module_number": "1", "TABLE_queuing_interface": {
        "ROW_queuing_interface": [
        {"dir": "Egress", "if_name_str": "Ethernet1/1", "TABLE_qosgrp_egress_stats": {"ROW_qosgrp_egress_stats": [
         {"eq-qosgrp": "3", "TABLE_qosgrp_egress_stats_entry": {"ROW_qosgrp_egress_stats_entry": [
          {"eq-stat-type": "Tx", "eq-stat-units": "Pkts", "eq-uc-stat-value": "90", "eq-mc-stat-value": "1"},
          {"eq-stat-type": "Tail Drop", "eq-stat-units": "Pkts", "eq-uc-stat-value": "4", "eq-oobfc-uc-stat-value": "2",
           "eq-mc-stat-value": "1"},
          {"eq-stat-type": "Tail Drop", "eq-stat-units": "Byts", "eq-uc-stat-value": "9000"},
          {"eq-stat-type": "ECN", "eq-stat-units": "Pkts", "eq-uc-stat-value": "11"}]}},
         {"eq-qosgrp": "CONTROL", "TABLE_qosgrp_egress_stats_entry": {"ROW_qosgrp_egress_stats_entry":
          {"eq-stat-type": "Dropped", "eq-stat-units": "Pkts", "eq-uc-stat-value": "99"}}}]}},
        {"dir": "Ingress", "if_name_str": "Ethernet1/1", "TABLE_pfc_stats": {"ROW_pfc_stats": [
         {"cos": "3", "tx-pause-count": "7", "rx-pause-count": "5"},
         {"cos": "4", "tx-pause-count": "0", "rx-pause-count": "1"}]}},
        {"dir": "Egress", "if_name_str": "Eth1/2"}]}}}}""",
    nxos.LLDP: """{"neigh_hdr": "neigh_hdr", "TABLE_nbor_detail": {"ROW_nbor_detail": [
        {"chassis_type": "7", "chassis_id": "x", "l_port_id": "Eth1/1", "port_id": "Ethernet3/1/1", "sys_name": "s1"},
        {"l_port_id": "Eth1/2", "port_id": "0c8e.9b19.2d01", "sys_name": "null"}]}, "neigh_count": 2}""",
    nxos.BFD_IPV4: """{"TABLE_bfdNeighbor": {"ROW_bfdNeighbor": [
        {"vrf_name": "default", "dest_ip_addr": "10.1.0.1", "dest_ipv6_addr": "0::", "local_state": "Up",
         "remote_state": "Up", "intf": "Ethernet1/1"},
        {"vrf_name": "default", "dest_ip_addr": "10.1.0.3", "dest_ipv6_addr": "0::", "local_state": "Down",
         "remote_state": "Up", "intf": "Ethernet1/2"}]}}""",
    nxos.BFD_IPV6: """{"TABLE_bfdNeighbor": {"ROW_bfdNeighbor": {"vrf_name": "default", "dest_ip_addr": "0.0.0.0",
        "dest_ipv6_addr": "2001:db8::", "local_state": "Up", "remote_state": "Up"}}}""",
}  # fmt: skip


def read(**more: Output) -> State:
    """State from the answers, with some in another way: by the name of the command in the reader."""
    outputs: dict[str, Output] = {command: Output(text) for command, text in ANSWERS.items()}
    return NXOS.state({**outputs, **{getattr(nxos, name): output for name, output in more.items()}}, {"red": "tenant"})


def test_every_command_has_an_answer_here() -> None:
    assert set(ANSWERS) == {read.command for read in NXOS.reads(("red",))}
    assert {read.encoding for read in NXOS.reads(())} == {"text"}  # all that NAPALM's driver lets through


def test_facts() -> None:
    assert read().facts == Facts("leaf", "10.5(2)", "Nexus9000 C9332D-GX2B chassis", "FDO1")


def test_a_line_break_inside_a_text_does_no_harm() -> None:
    """NX-OS's JSON has had some; the description of a port is the operator's own."""
    text = INTERFACES.replace('"eth_mode": "routed"', '"desc": "one\ntwo\tthree"')
    assert "\n" in text
    assert read(INTERFACES=Output(text)).interfaces == read().interfaces


def test_interfaces() -> None:
    bridged = {"Ethernet1/2": ((0, 20),), "Ethernet1/1": (), "Ethernet1/4": ((0, 10), (20, 20), (21, 21))}
    assert read().interfaces == tuple(
        one._replace(vlans=bridged.get(one.name))
        for one in (
            Interface("mgmt0", ETHERNET, True, True, 1500, (), "management"),
            Interface("Ethernet1/1", ETHERNET, True, True, 9214, ("10.1.0.0/31", "2001:db8::1/127")),
            Interface("Ethernet1/2", ETHERNET, True, False, 9216, ()),
            Interface("Ethernet1/3", ETHERNET, False, False, 1500, ()),
            Interface("Ethernet1/4", ETHERNET, True, False, 9216, (), fault="linkFlapErrDisabled"),
            Interface("Ethernet1/5.900", SUBINTERFACE, True, True, 1500, (), vlan_id=900),
            Interface("loopback0", LOOPBACK, True, True, 1500, ("10.0.0.1/32", "10.0.0.9/32")),
            Interface("Vlan1", SVI, False, False, 1500, (), vlan_id=1),
            Interface("Vlan20", SVI, True, True, 9164, ("172.16.0.1/24",), "tenant", 20),
            Interface("Vlan30", SVI, True, False, 1500, (), vlan_id=30),
            Interface("nve1", OTHER, True, True, 9216, ()),
        )
    )


def test_without_switchports_vlans_are_not_said() -> None:
    found = read(SWITCHPORTS=refused(nxos.SWITCHPORTS)).interfaces
    assert found is not None
    assert {one.vlans for one in found} == {None}


def test_neighbors_of_ports() -> None:
    assert read().lldp == (
        Adjacency("Ethernet1/1", "s1", "Ethernet3/1/1"), Adjacency("Ethernet1/2", "", "0c:8e:9b:19:2d:01"),
    )  # fmt: skip
    assert read(LLDP=Output('{"neigh_hdr": "neigh_hdr", "neigh_count": 0}')).lldp == ()
    for nobody in (Output("ERROR: No neighbour information\n"), Output(None, f'The command "{nxos.LLDP}" gave the error'
                   ' "ERROR: No neighbour information\n".')):  # fmt: skip
        assert read(LLDP=nobody).lldp == ()
    said = ANSWERS[nxos.LLDP].replace(
        '"sys_name": "null"', '"sys_name": "not advertised",\n"sys_desc": "No neighbour information"'
    )
    assert read(LLDP=Output(said)).lldp == read().lldp
    assert read(LLDP=Output(None, "timed out")).lldp is None
    assert read(LLDP=Output(ANSWERS[nxos.LLDP].replace('"neigh_count": 2', '"neigh_count": 0'))).lldp == read().lldp


def test_sessions() -> None:
    """A family that one end alone has named is none; EVPN of the first peer is such."""
    assert read().bgp == BgpState(
        65001 * 65536 + 7,
        "10.0.0.1",
        (
            Session("", "10.1.0.1", 65100, "Established", (FamilyState("ipv4", 9),)),
            Session("", "10.1.0.3", 65100, "Active", ()),
            Session("", "10.1.0.5", 65100, "Idle", ()),
            Session("tenant", "2001:db8::9", 64601, "Established", (FamilyState("ipv6", 2),)),
        ),
    )


def test_bfd() -> None:
    assert read().bfd == (
        BfdSession("", "10.1.0.1", True), BfdSession("", "10.1.0.3", False), BfdSession("", "2001:db8::", True),
    )  # fmt: skip


def test_routes() -> None:
    assert read().routes == (
        Route("", "10.0.0.1/32", "local", (Hop("", "loopback0"),)),
        Route("", "10.0.0.2/32", "bgp-65001", (Hop("10.1.0.1", "Ethernet1/1"), Hop("10.1.0.3", "Ethernet1/2"))),
        Route("", "10.0.0.3/32", "bgp-65001", (Hop("10.9.9.9", ""),)),
        Route("", "10.1.0.0/16", "direct", (Hop("", "Vlan9"),)),
        Route("", "10.1.0.0/31", "direct", (Hop("", "Ethernet1/1"),)),
        Route("", "10.1.0.2/31", "direct", (Hop("", "Ethernet1/2"),)),
        Route("", "10.64.0.0/12", "static", ()),
        Route("tenant", "172.16.0.5/32", "hmm", (Hop("", "Vlan20"),)),
        Route("tenant", "172.16.1.0/24", "bgp-65001", (Hop("10.0.0.7", ""),)),
    )


def test_vnis() -> None:
    assert read().vnis == (
        Vni(10005, "l3", 0, "tenant", (), True), Vni(10006, "l2", 20, "", ("10.0.0.7", "10.0.0.8"), False),
    )  # fmt: skip


def test_evpn() -> None:
    """What is not in use is no route; the further paths of a network do not repeat it."""
    assert read().evpn == (
        EvpnRoute(2, "10.0.0.1:6", "0c:8e:9b:19:2d:01", "10.0.0.7"),
        EvpnRoute(2, "10.0.0.1:6", "0c:8e:9b:a4:54:01 172.16.0.5", ""),
        EvpnRoute(3, "10.0.0.1:6", "10.0.0.1", ""),
        EvpnRoute(4, "10.0.0.7:9", "0300000000012c000309", "10.0.0.7"),
        EvpnRoute(5, "10.0.0.7:5", "172.16.1.0/24", "10.0.0.7"),
        EvpnRoute(5, "10.0.0.7:5", "172.16.1.0/24", "10.0.0.9"),
    )


def test_counters() -> None:
    """Packets, not octets, of the classes alone; where nothing is told of pauses, -1. Marks are never told."""
    state = read()
    assert state.counters == (
        PortCounters("Ethernet1/1", 6, 7, (), (Drops((3,), 7),)), PortCounters("Ethernet1/2", -1, -1, (), ()),
    )  # fmt: skip
    assert state.unread[MARKS] == nxos.UNSEEN[MARKS]
    some = ANSWERS[nxos.QUEUES].replace('"eq-uc-stat-value": "4"', '"eq-uc-stat-value": null')
    assert [port.dropped for port in read(QUEUES=Output(some)).counters or ()] == [(Drops((3,), 3),), ()]
    none = some.replace('"eq-oobfc-uc-stat-value": "2"', '"x": 1').replace('"eq-mc-stat-value": "1"}', '"x": 1}')
    assert [port.dropped for port in read(QUEUES=Output(none)).counters or ()] == [(), ()]
    assert read(QUEUES=refused(nxos.QUEUES)).counters is None
    assert read(QUEUES=Output(ANSWERS[nxos.QUEUES].replace('"4"', '"-4"'))).counters is None
    assert read(QUEUES=Output("{}")).counters is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"system_mode": "Normal"}', ()),
        ('{"system_mode": "Normal", "timer_state": "na"}', ()),
        ('{"system_mode": "Maintenance", "timer_state": "not running"}', ("system mode: Maintenance",)),
        (
            '{"system_mode": "Normal", "timer_state": "switch to maintenance mode in progress"}',
            ("system mode: switch to maintenance mode in progress",),
        ),
        ('{"system_mode": "Other"}', None),
        ("{}", None),
    ],
)
def test_maintenance(text: str, wanted: tuple[str, ...] | None) -> None:
    assert read(MODE=Output(text)).maintenance == wanted


OFF: dict[str, object] = {"lldp": (), "bgp": BgpState(0, "", ()), "bfd": (), "vnis": (), "evpn": ()}


def without(outputs: Outputs, running: str) -> dict[str, object]:
    """Parts of a switch that refuses what has a feature."""
    said = {**outputs, **{command: refused(command) for command in nxos.FEATURES}, nxos.RUNNING: Output(running)}
    state = NXOS.state(said, {})
    return {part: getattr(state, part) for part in OFF}


def test_what_is_refused_for_want_of_its_feature_shows_none() -> None:
    """And with the feature, the refusal is another: nothing is known then."""
    outputs = {command: Output(text) for command, text in ANSWERS.items()}
    assert without(outputs, BARE) == OFF
    on = "".join(f"{line}\n" for line in nxos.FEATURES.values())
    assert without(outputs, BARE + on) == dict.fromkeys(OFF)
    assert without(outputs, "") == OFF
    assert "% Invalid command" in NXOS.state({**outputs, nxos.MODE: refused(nxos.MODE)}, {}).unread["maintenance"]


def test_a_command_that_prints_nothing_has_nothing_to_show() -> None:
    """NX-API has no text then, and NAPALM gives None; of any other command nothing is known."""
    for nothing in (Output(""), Output("\n"), Output(None, nxos.NOTHING)):
        assert read(BFD_IPV6=nothing).bfd == read(BFD_IPV6=Output("{}")).bfd != read().bfd
        (l2,) = [one for one in read(FLOODS=nothing).vnis or () if one.kind == "l2"]
        assert l2.vteps == ()
        assert read(BGP_SUMMARY=nothing).bgp is None
        assert read(ROUTES_IPV6=nothing).routes is None
        assert read(EVPN_ROUTES=nothing).evpn is None


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("INTERFACES", '{"TABLE_interface": {"ROW_interface": []}}', "interfaces"),
        ("VERSION", '{"host_name": "leaf"}', "facts"),
        ("BFD_IPV4", '{"TABLE_bfdNeighbor": {"ROW_bfdNeighbor": {"local_state": "Up"}}}', "bfd"),
        ("BGP_SUMMARY", SUMMARY.replace('"10.1.0.1"', "true"), "bgp"),
        ("RUNNING", " \n", "running"),
        ("MODE", "", "maintenance"),
    ],
)
def test_an_answer_that_says_too_little_is_not_understood(name: str, text: str, part: str) -> None:
    state = read(**{name: Output(text)})
    assert getattr(state, part) is None
    assert getattr(nxos, name) in state.unread[part]


def test_numbers_stand_for_their_text_and_other_lines_are_no_routes() -> None:
    text = SUMMARY.replace('"65100"', "65100")
    assert read(BGP_SUMMARY=Output(text)).bgp == read().bgp
    groups = ANSWERS[nxos.QUEUES].replace('"eq-qosgrp": "3"', '"eq-qosgrp": 3')
    assert read(QUEUES=Output(groups)).counters == read().counters
    (one,) = [port for port in read(SWITCHPORTS=Output(SWITCHPORTS.replace('"10,20-21"', "20"))).interfaces or ()
              if port.name == "Ethernet1/4"]  # fmt: skip
    assert one.vlans == ((20, 20),)
    lines = EVPN.replace("Route Distinguisher: 10.0.0.1:6    (L2VNI 10006)\n", "")
    assert {one.rd for one in read(EVPN_ROUTES=Output(lines)).evpn or ()} == {"10.0.0.7:5", "10.0.0.7:9"}


def test_the_speaker_is_that_of_the_default_vrf() -> None:
    text = SUMMARY.replace(
        '"vrf-name-out":"red","vrf-router-id":"10.0.0.1"', '"vrf-name-out":"red","vrf-router-id":"9.9.9.9"'
    )
    found = read(BGP_SUMMARY=Output(text)).bgp
    assert text != SUMMARY
    assert found is not None
    assert found.router_id == "10.0.0.1"


def test_routes_of_ipv6_but_those_of_a_link() -> None:
    six = """{"TABLE_vrf": {"ROW_vrf": {"vrf-name-out": "default", "TABLE_addrf": {"ROW_addrf": {"addrf": "ipv6",
        "TABLE_prefix": {"ROW_prefix": [
        {"ipprefix": "2001:DB8:9::/64", "TABLE_path": {"ROW_path":
         {"ipnexthop": "2001:db8:1::1", "clientname": "bgp-65001", "ubest": "true"}}},
        {"ipprefix": "2001:db8:a::/64", "TABLE_path": {"ROW_path":
         {"ipnexthop": "fe80::7", "ifname": "Eth1/4", "clientname": "bgp-65001", "ubest": "true"}}},
        {"ipprefix": "2001:db8:b::/64", "TABLE_path": {"ROW_path":
         {"ipnexthop": "::ffff:10.0.0.7%default:IPv4", "clientname": "bgp-65001", "ubest": "true"}}},
        {"ipprefix": "2001:db8:1::/127", "TABLE_path": {"ROW_path":
         {"ipnexthop": "2001:db8:1::", "ifname": "Eth1/1", "clientname": "direct", "ubest": "true"}}},
        {"ipprefix": "fe80::/10", "TABLE_path": {"ROW_path":
         {"ipnexthop": "0::", "ifname": "Null0", "clientname": "broadcast", "ubest": "true"}}}]}}}}}}"""
    found = [one for one in read(ROUTES_IPV6=Output(six)).routes or () if ":" in one.prefix]
    assert found == [
        Route("", "2001:db8:1::/127", "direct", (Hop("", "Ethernet1/1"),)),
        Route("", "2001:db8:9::/64", "bgp-65001", (Hop("2001:db8:1::1", "Ethernet1/1"),)),
        Route("", "2001:db8:a::/64", "bgp-65001", (Hop("fe80::7", "Ethernet1/4"),)),
        Route("", "2001:db8:b::/64", "bgp-65001", (Hop("10.0.0.7", ""),)),
    ]


def test_a_route_without_a_path_in_use_is_none() -> None:
    text = ROUTES.replace('"clientname":"static","ubest":"true"', '"clientname":"static","ubest":"false"')
    assert {one.prefix for one in read(ROUTES_IPV4=Output(text)).routes or ()} == {
        "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32", "10.1.0.0/16", "10.1.0.0/31", "10.1.0.2/31", "172.16.0.5/32",
        "172.16.1.0/24",
    }  # fmt: skip


def test_a_connection_that_broke_is_no_refusal() -> None:
    state = read(VNIS=Output(None, "HTTPSConnectionPool: Read timed out."), LLDP=Output(None, "reset"))
    assert (state.vnis, state.lldp) == (None, None)
    assert state.unread["vnis"].startswith(f"{nxos.VNIS}: HTTPS")
