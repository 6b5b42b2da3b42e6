"""Answers in the form that a 7220 IXR-D2L with 25.3.2 was recorded to give, and what they mean.

The form is that of napalm-srlinux (github.com/napalm-automation-community/napalm-srlinux at af22132, test/unit/
mocked_data: get_interfaces, get_lldp_neighbors, get_bgp_neighbors, get_route_to, get_facts), written again with other
values. Next hops on a link without addresses, and those over VXLAN, are as srl-labs/learn-srlinux at 84c9427 prints
them (l3evpn/rt5-only/underlay.md: `fe80::… (direct)` over a subinterface, peers `fe80::…%ethernet-1/49.1`;
cli/show-commands/evpn.md: `10.1.1.2/32 (indirect/vxlan)`).
"""

from collections.abc import Mapping
from typing import Any

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.platforms.srlinux.live.reader import SRLINUX
from fabricgen.state.state import (
    ETHERNET,
    EVPN,
    IPV4,
    IPV6,
    LOOPBACK,
    SUBINTERFACE,
    SVI,
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
    State,
)

NI = "srl_nokia-network-instance:network-instance"
IF = "srl_nokia-interfaces:interface"


def state(given: Mapping[str, object]) -> State:
    """What the reader makes of these answers; other paths hold nothing."""
    nothing: dict[str, object] = {command: {} for _, command, _ in srlinux.SOURCES}
    return SRLINUX.state({path: Output(value) for path, value in {**nothing, **given}.items()}, {})


def test_who_answers() -> None:
    found = state({
        srlinux.INFORMATION: {"contact": "noc", "version": "v25.3.2-312-ga0c5002f15"},
        srlinux.HOSTNAME: "leaf7",
        srlinux.CHASSIS: {"type": "7220 IXR-D2L", "serial-number": "NS7", "slots": 1},
    })  # fmt: skip
    assert found.facts == Facts("leaf7", "25.3.2", "7220 IXR-D2L", "NS7")


def port(name: str, *subs: object, tagged: bool = False) -> dict[str, Any]:
    """One interface."""
    extra = {"srl_nokia-interfaces-vlans:vlan-tagging": tagged}
    listed = {"subinterface": list(subs)} if subs else {}
    return {"name": name, "admin-state": "enable", "mtu": 9232, "oper-state": "up", **extra, **listed}


def test_interfaces() -> None:
    link_local = {"ip-prefix": "fe80::1a:ff:feff:1/64", "type": "link-local-unicast", "origin": "link-layer"}
    own = {"ip-prefix": "2001:DB8:0:1::1/64", "type": "global-unicast", "status": "preferred"}
    routed = {
        "index": 0, "type": "srl_nokia-interfaces:routed", "admin-state": "enable", "ip-mtu": 1500,
        "name": "ethernet-1/1.0", "oper-state": "up",
        "ipv4": {"admin-state": "enable", "address": [{"ip-prefix": "10.0.0.1/30", "primary": [None]}]},
        "ipv6": {"admin-state": "enable", "address": [own, link_local]},
    }  # fmt: skip
    bridged = {
        "index": 100, "type": "srl_nokia-interfaces:bridged", "name": "ethernet-1/4.100", "oper-state": "up",
        "srl_nokia-interfaces-vlans:vlan": {"encap": {"single-tagged": {"vlan-id": 100}}},
    }  # fmt: skip
    tagged = {
        "index": 900, "type": "srl_nokia-interfaces:routed", "name": "ethernet-1/5.900", "oper-state": "down",
        "ip-mtu": 9000, "srl_nokia-interfaces-vlans:vlan": {"encap": {"single-tagged": {"vlan-id": "901"}}},
    }  # fmt: skip
    irb = {"index": 7, "name": "irb0.7", "oper-state": "up", "ip-mtu": 9000}
    own_loopback = {"ipv4": {"address": [{"ip-prefix": "10.9.9.9/32"}]}}
    loopback = {"index": 0, "name": "lo0.0", "oper-state": "up", **own_loopback}
    members = {
        "default": ["ethernet-1/1.0", "lo0.0"], "TEST": ["ethernet-1/5.900", "irb0.7"],
        "VLAN-100": ["ethernet-1/4.100", "irb0.7"],
    }  # fmt: skip
    kinds = {"default": "default", "TEST": "ip-vrf", "VLAN-100": "mac-vrf"}
    shut = {"name": "ethernet-1/9", "admin-state": "disable", "oper-state": "down"}
    found = state({
        srlinux.INTERFACES: {IF: [
            port("ethernet-1/1", routed), port("ethernet-1/4", bridged, tagged=True),
            port("ethernet-1/5", tagged, tagged=True), shut,
            {"name": "irb0", "admin-state": "enable", "oper-state": "up", "subinterface": [irb]},
            {"name": "lo0", "admin-state": "enable", "oper-state": "up", "subinterface": [loopback]},
        ]},
        srlinux.KINDS: {NI: [{"name": name, "type": f"srl_nokia-network-instance:{kind}"}
                             for name, kind in kinds.items()]},
        srlinux.MEMBERS: {NI: [{"name": name, "interface": [{"name": one, "oper-state": "up"} for one in listed]}
                               for name, listed in members.items()]},
    })  # fmt: skip
    assert found.interfaces == (
        Interface("ethernet-1/1", ETHERNET, True, True, 1500, ("10.0.0.1/30", "2001:db8:0:1::1/64"), vlans=()),
        Interface("ethernet-1/4", ETHERNET, True, True, 9214, (), vlans=((100, 100),)),
        Interface("ethernet-1/5", ETHERNET, True, True, 9214, (), vlans=()),
        Interface("ethernet-1/5.900", SUBINTERFACE, True, False, 9000, (), "TEST", 901),
        Interface("ethernet-1/9", ETHERNET, False, False, 0, (), vlans=()),
        Interface("irb0.7", SVI, True, True, 9000, (), "TEST", 100),
        Interface("lo0.0", LOOPBACK, True, True, 0, ("10.9.9.9/32",)),
    )


def test_neighbors() -> None:
    heard = {"system-name": "spine1", "port-id": "ethernet-1/3", "port-id-type": "INTERFACE_NAME"}
    server = {"system-name": "train-000", "port-id": "1A:35:01:FF:00:01", "port-id-type": "MAC_ADDRESS"}
    rows = [
        {"name": "ethernet-1/1", "neighbor": [heard]},
        {"name": "ethernet-1/2", "neighbor": [server]},
        {"name": "mgmt0"},
    ]
    assert state({srlinux.LLDP: {"admin-state": "enable", "interface": rows}}).lldp == (
        Adjacency("ethernet-1/1", "spine1", "ethernet-1/3"),
        Adjacency("ethernet-1/2", "train-000", "1a:35:01:ff:00:01"),
    )


def test_sessions() -> None:
    def family(name: str, is_up: bool, **received: int) -> dict[str, object]:
        counts = {key.replace("_", "-"): value for key, value in received.items()}
        return {"afi-safi-name": f"srl_nokia-common:{name}", "oper-state": "up" if is_up else "down", **counts}

    both = [family("ipv4-unicast", True, received_routes=5), family("ipv6-unicast", True, received_routes=2)]
    neighbors = [
        {"peer-address": "10.0.0.2", "peer-as": 65002, "session-state": "established",
         "afi-safi": [family("evpn", False), *both]},
        {"peer-address": "fe80::1835:1ff:feff:1%ethernet-1/49.0", "peer-as": 65003, "session-state": "established",
         "afi-safi": [family("evpn", True, received_routes=9)]},
        {"peer-address": "10.0.0.6", "peer-as": 65002, "session-state": "opensent", "afi-safi": both},
    ]  # fmt: skip
    bgp = {"autonomous-system": 65001, "router-id": "1.1.1.1", "neighbor": neighbors}
    outside = {"autonomous-system": 65001, "neighbor": [{"peer-address": "10.5.0.1", "peer-as": 64600}]}
    instances = [("default", bgp), ("TEST", outside)]
    shown = {NI: [{"name": name, "protocols": {"srl_nokia-bgp:bgp": said}} for name, said in instances]}
    assert state({srlinux.BGP: shown}).bgp == BgpState(65001, "1.1.1.1", (
        Session("", "10.0.0.2", 65002, "Established", (FamilyState(IPV4, 5), FamilyState(IPV6, 2))),
        Session("", "10.0.0.6", 65002, "OpenSent", ()),
        Session("", "ethernet-1/49", 65003, "Established", (FamilyState(EVPN, 9),)),
        Session("TEST", "10.5.0.1", 64600, "Idle", ()),
    ))  # fmt: skip


def test_bfd() -> None:
    peers = [
        {"local-discriminator": 16385, "oper-state": "up", "remote-address": "10.0.0.2", "session-state": "UP"},
        {"local-discriminator": 16386, "oper-state": "down", "remote-address": "fe80::2", "session-state": "DOWN",
         "ipv6-link-local-interface": "ethernet-1/49.0"},
    ]  # fmt: skip
    shown = {"total-bfd-sessions": 2, "network-instance": [{"name": "default", "peer": peers}]}
    assert state({srlinux.BFD: shown}).bfd == (BfdSession("", "10.0.0.2", True), BfdSession("", "ethernet-1/49", False))


TABLES = "srl_nokia-ip-route-tables"


def route(prefix: str, kind: str, group: str, family: str = "ipv4", **more: object) -> dict[str, object]:
    programmed = {"suppressed": False, "last-successful-operation-type": "add", "last-failed-operation-type": "none"}
    return {
        f"{family}-prefix": prefix, "id": 0, "route-type": f"srl_nokia-common:{kind}", "route-owner": "bgp_mgr",
        "active": True, "next-hop-group": group, "next-hop-group-network-instance": "default",
        "fib-programming": programmed, **more,
    }  # fmt: skip


def group(index: str, *ends: tuple[str, str]) -> dict[str, object]:
    listed = [
        {"id": at, "next-hop": end, **({"weight": weight} if weight else {})} for at, (end, weight) in enumerate(ends)
    ]
    return {"index": index, "backup-next-hop-group": "0", "next-hop": listed}


def end(index: str, kind: str, **more: object) -> dict[str, object]:
    return {"index": index, "type": f"{TABLES}:{kind}", **{key.replace("_", "-"): value for key, value in more.items()}}


def test_routes() -> None:
    over = {"ip-prefix": "10.1.1.2/32", "tunnel-type": "srl_nokia-common:vxlan"}
    table = {
        f"{TABLES}:ipv4-unicast": {"route": [
            route("8.8.8.8/32", "bgp", "11"), route("10.0.0.0/30", "local", "12"), route("10.0.0.1/32", "host", "13"),
            route("10.0.0.3/32", "host", "14"), route("10.9.0.0/16", "static", "15"), route("10.8.0.0/16", "bgp", "16"),
            route("10.7.0.0/16", "bgp", "17", active=False), route("10.6.0.0/16", "bgp", "99"),
            route("172.17.1.0/24", "bgp-evpn", "18"), route("10.5.0.0/16", "bgp", "19"),
        ]},
        f"{TABLES}:ipv6-unicast": {"route": [route("2001:db8:0:2::/64", "bgp", "16", "ipv6")]},
        f"{TABLES}:next-hop-group": [
            group("11", ("21", "")), group("12", ("22", "")), group("13", ("23", "")), group("14", ("24", "")),
            group("15", ("25", "")), group("16", ("26", "2"), ("22", "")), group("18", ("27", "")),
            group("19", ("28", "")),
        ],
        f"{TABLES}:next-hop": [
            end("21", "indirect", ip_address="10.0.0.2", indirect={"resolved": True, "resolving-route": {
                "next-hop-group": "12", "ip-prefix": "10.0.0.0/30", "route-type": "srl_nokia-common:local"}}),
            end("22", "direct", ip_address="10.0.0.1", subinterface="ethernet-1/1.0"),
            end("23", "extract"), end("24", "broadcast"), end("25", "discard"),
            end("26", "direct", ip_address="fe80::1835:1ff:feff:1", subinterface="ethernet-1/49.0"),
            end("27", "indirect", indirect={"resolved": True, "resolving-tunnel": over}),
            end("28", "indirect", ip_address="10.0.0.9", indirect={"resolved": True, "resolving-route": {
                "next-hop-group": "19"}}),
        ],
    }  # fmt: skip
    found = state({srlinux.ROUTES: {NI: [{"name": "default", "route-table": table}]}})
    one, link = Hop("10.0.0.1", "ethernet-1/1"), Hop("fe80::1835:1ff:feff:1", "ethernet-1/49", 2)
    assert found.routes == (
        Route("", "10.0.0.0/30", "local", (Hop("", "ethernet-1/1"),)),
        Route("", "10.5.0.0/16", "bgp", (Hop("10.0.0.9", ""),)),  # a circle leads nowhere
        Route("", "10.6.0.0/16", "bgp", (Hop("", ""),)),  # a group that is not there
        Route("", "10.8.0.0/16", "bgp", (one, link)),
        Route("", "10.9.0.0/16", "static", ()),
        Route("", "172.17.1.0/24", "bgp-evpn", (Hop("10.1.1.2", ""),)),
        Route("", "2001:db8:0:2::/64", "bgp", (one, link)),
        Route("", "8.8.8.8/32", "bgp", (Hop("10.0.0.2", "ethernet-1/1"),)),
    )


def test_evpn() -> None:
    """The local RIB of IPv4 was recorded: own routes have a neighbor of 0.0.0.0, next hops stand in attribute sets."""
    nobody = "0.0.0.0"  # noqa: S104
    common = {
        "path-id": 0, "valid-route": True, "neighbor": "10.0.0.2", "attr-id": "14", "route-distinguisher": "10.1.1.2:7",
    }  # fmt: skip
    lists = {
        "imet-route": [{**common, "originating-router": "10.1.1.2", "ethernet-tag-id": 0},
                       {**common, "originating-router": "10.1.1.1", "neighbor": nobody, "attr-id": "10",
                        "route-distinguisher": "10.1.1.1:7"}],
        "mac-ip-route": [{**common, "mac-address": "1A:35:01:FF:00:03", "ip-address": nobody},
                         {**common, "mac-address": "1A:35:01:FF:00:03", "ip-address": "172.17.0.9"}],
        "ethernet-ad-route": [{**common, "esi": "00:00:00:00:00:00:2A:00:00:00", "ethernet-tag-id": 0}],
        "ip-prefix-route": [{**common, "ip-prefix": "172.17.0.0/20", "ip-prefix-length": 20},
                            {**common, "ip-prefix": "172.18.0.0/20", "ip-prefix-length": 20, "valid-route": False}],
    }  # fmt: skip
    rib = "srl_nokia-rib-bgp:bgp-rib"
    family = {"afi-safi-name": "srl_nokia-common:evpn", "evpn": {"local-rib": lists}}
    sets = [{"index": "10", "next-hop": nobody}, {"index": "14", "next-hop": "::ffff:10.1.1.2"}]
    found = state({
        srlinux.EVPN_ROUTES: {NI: [{"name": "default", rib: {"afi-safi": [family]}}]},
        srlinux.ATTRIBUTES: {NI: [{"name": "default", rib: {"attr-sets": {"attr-set": sets}}}]},
    })  # fmt: skip
    assert found.evpn == (
        EvpnRoute(1, "10.1.1.2:7", "0000:0000:0000:2a00:0000", "10.1.1.2"),
        EvpnRoute(2, "10.1.1.2:7", "1a:35:01:ff:00:03", "10.1.1.2"),
        EvpnRoute(2, "10.1.1.2:7", "1a:35:01:ff:00:03 172.17.0.9", "10.1.1.2"),
        EvpnRoute(3, "10.1.1.1:7", "10.1.1.1", ""),
        EvpnRoute(3, "10.1.1.2:7", "10.1.1.2", "10.1.1.2"),
        EvpnRoute(5, "10.1.1.2:7", "172.17.0.0/20", "10.1.1.2"),
    )
