"""Typical changes of switches of the demo, and word by word what they are."""

import pytest

from fabricgen.base.secret import secret
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.compare.device import changes_between
from fabricgen.device.device import Device, RawLines
from fabricgen.device.evpn import Gateway, Vlan, Vrf
from fabricgen.device.interfaces import Switching
from fabricgen.device.routing import Neighbor, PrefixEntry, RouteMap, Statement
from tests.changes.put import Value, at, put
from tests.changes.walk import fleet

ADDED, CHANGED, REMOVED = ChangeOp.ADDED, ChangeOp.CHANGED, ChangeOp.REMOVED

LEAF, SERVER_LEAF, BORDER, SPINE = "be-leaf-000", "fe-leaf-000", "fe-border-00", "fe-spine-00"

HOST = ("Ethernet1/1", "train-000")
UPLINK = ("Ethernet64/5", "be-spine-03")
STORE = ("Ethernet1/1", "store-000")
FIREWALL = ("Ethernet1/1", "fw1", "research")


def demo(name: str) -> Device:
    return fleet("demo")[name]


def changed(name: str, path: str, value: Value) -> tuple[DeviceChange, ...]:
    """Facts of one value put into a switch of the demo."""
    before = demo(name)
    return changes_between(before, put(before, path, value))


ONE = {
    "a port is shut": (
        (LEAF, "interfaces.ethernet[0].enabled", False),
        DeviceChange("interface.enabled", REMOVED, "Ethernet1/1", "yes", "", *HOST),
    ),
    "a cable gets longer": (
        (LEAF, "interfaces.ethernet[0].length_m", 7.5),
        DeviceChange("interface.length", CHANGED, "Ethernet1/1", "5 m", "7.5 m", *HOST),
    ),
    "headroom of a port": (
        (LEAF, "interfaces.ethernet[0].headroom_octets", 700000),
        DeviceChange("interface.headroom", CHANGED, "Ethernet1/1", "612140 octets", "700000 octets", *HOST),
    ),
    "an address": (
        (LEAF, "interfaces.ethernet[-1].ipv6", ""),
        DeviceChange("interface.ipv6", REMOVED, "Ethernet64/5", "fd5e:8c1f:2a00::fe/127", "", *UPLINK),
    ),
    "MTU of one port": (
        (LEAF, "interfaces.ethernet[-1].profile.mtu", 9000),
        DeviceChange("interface.mtu", CHANGED, "Ethernet64/5", "9214", "9000", *UPLINK),
    ),
    "lanes of a port": (
        (LEAF, "interfaces.ethernet[0].profile.parts", 1),
        DeviceChange(
            "interface.speed",
            CHANGED,
            "Ethernet1/1",
            "400G over 4 lanes, 2 in the cage",
            "400G over 4 lanes, 1 in the cage",
            *HOST,
        ),
    ),
    "another far port": (
        (LEAF, "interfaces.ethernet[-1].peer_port", "Ethernet9/1"),
        DeviceChange(
            "interface.peer", CHANGED, "Ethernet64/5", "be-spine-03 Ethernet61/1", "be-spine-03 Ethernet9/1", *UPLINK
        ),
    ),
    "another ES-Import": (
        (SERVER_LEAF, "interfaces.lags[0].es_import", "00:00:00:00:00:09"),
        DeviceChange(
            "lag.esi",
            CHANGED,
            "1",
            "0000:0000:0000:0100:0000, ES-Import 00:00:00:00:00:01",
            "0000:0000:0000:0100:0000, ES-Import 00:00:00:00:00:09",
            *STORE,
        ),
    ),
    "another preference as designated forwarder": (
        (SERVER_LEAF, "interfaces.lags[0].df_preference", 1),
        DeviceChange("lag.df-preference", ADDED, "1", "", "1", *STORE),
    ),
    "fallback turned off": (
        (SERVER_LEAF, "interfaces.lags[0].fallback", False),
        DeviceChange("lag.fallback", REMOVED, "1", "yes", "", *STORE),
    ),
    "storm control": (
        (SERVER_LEAF, "interfaces.lags[0].switching.multicast_percent", 0),
        DeviceChange("lag.storm-control", CHANGED, "1", "broadcast 1 %, multicast 5 %", "broadcast 1 %", *STORE),
    ),
    "a subinterface's address": (
        (BORDER, "interfaces.subinterfaces[0].ipv4", "172.31.9.0/31"),
        DeviceChange("subinterface.ipv4", CHANGED, "Ethernet1/1.900", "172.31.0.0/31", "172.31.9.0/31", *FIREWALL),
    ),
    "a loopback's address": (
        (LEAF, "interfaces.loopbacks[0].ipv4", "10.76.0.9/32"),
        DeviceChange("loopback.ipv4", CHANGED, "0", "10.76.0.0/32", "10.76.0.9/32"),
    ),
    "the far AS number of an underlay session": (
        (LEAF, "routing.bgp.neighbors[0].remote_as", 4201000099),
        DeviceChange(
            "bgp.neighbor.remote-as",
            CHANGED,
            "10.64.0.129",
            "4201000024",
            "4201000099",
            "Ethernet33/1",
            "be-spine-00",
        ),
    ),
    "a route map of one overlay session": (
        (SERVER_LEAF, "routing.bgp.neighbors[-1].route_map_out", "RM-SPINES-IPV4-OUT"),
        DeviceChange("bgp.neighbor.route-map-out", ADDED, "10.140.0.46", "", "RM-SPINES-IPV4-OUT", "", "fe-spine-03"),
    ),
    "hold time": (
        (LEAF, "routing.bgp.hold_seconds", 30),
        DeviceChange("bgp.timers", CHANGED, "", "keepalive 3 s, hold 9 s", "keepalive 3 s, hold 30 s"),
    ),
    "BFD turned on": (
        (LEAF, "routing.bgp.groups[0].bfd", True),
        DeviceChange("bgp.group.bfd", ADDED, "SPINES-IPV4", "", "yes"),
    ),
    "sessions from loopback 0": (
        (LEAF, "routing.bgp.groups[0].update_source", 0),
        DeviceChange("bgp.group.update-source", ADDED, "SPINES-IPV4", "", "loopback 0"),
    ),
    "password of an outside session": (
        (BORDER, "routing.bgp.vrfs[0].neighbors[1].password", secret("${env:FW1}")),
        DeviceChange("bgp.vrf.neighbor.password", ADDED, "fd5e:8c1f:2a00:2f00::1", "", "${env:FW1}", *FIREWALL),
    ),
    "an imported tenant": (
        (BORDER, "routing.bgp.vrfs[0].imports", ()),
        DeviceChange("bgp.vrf.import", REMOVED, "research", "storage", "", vrf="research"),
    ),
    "a VNI": (
        (SERVER_LEAF, "evpn.vlans[0].vni", 10099),
        DeviceChange("evpn.vlan.vni", CHANGED, "20", "10006", "10099", vrf="storage"),
    ),
    "a relay": (
        (SERVER_LEAF, "evpn.gateways[0].relays_ipv6", ("2001:db8::1",)),
        DeviceChange("evpn.gateway.relay", ADDED, "20", "", "2001:db8::1", vrf="storage"),
    ),
    "ECN of a queue": (
        (LEAF, "qos.profiles[0].queues[2].ecn.minimum_octets", 300000),
        DeviceChange(
            "qos.ecn", CHANGED, "ROCE-400G queue 3", "256000 to 512000 octets, 100 %", "300000 to 512000 octets, 100 %"
        ),
    ),
    "weight of a queue": (
        (LEAF, "qos.profiles[0].queues[1].weight_percent", 5),
        DeviceChange(
            "qos.scheduling", CHANGED, "ROCE-400G queue 6", "strict priority, at most 10 %", "5 %, at most 10 %"
        ),
    ),
    "a traffic class to queue 0": (
        (LEAF, "qos.class_queues[1].queue", 0),
        DeviceChange("qos.queue-map", CHANGED, "traffic class 1", "queue 1", "queue 0"),
    ),
    "no priority is lossless": (
        (LEAF, "qos.profiles[0].lossless_priorities", ()),
        DeviceChange("qos.pfc", REMOVED, "ROCE-400G", "3", ""),
    ),
    "the watchdog's action": (
        (LEAF, "qos.watchdog.action", "notify"),
        DeviceChange("qos.watchdog", CHANGED, "action", "drop", "notify"),
    ),
    "no lossless plan": ((LEAF, "qos", None), DeviceChange("qos", REMOVED, "", "nvidia", "")),
    "a hash seed": ((LEAF, "load_balancing.seed", 3), DeviceChange("load-balancing.seed", CHANGED, "", "0", "3")),
    "no SNMP": (
        (LEAF, "management.snmp", None),
        DeviceChange("management.snmp", REMOVED, "", "user monitor, traps 10.0.0.9", ""),
    ),
    "order of NTP servers": (
        (LEAF, "management.ntp", ("10.0.0.6", "10.0.0.5")),
        DeviceChange("management.ntp", CHANGED, "", "10.0.0.5, 10.0.0.6", "10.0.0.6, 10.0.0.5"),
    ),
    "a DNS server": (
        (LEAF, "management.dns", ("10.0.0.2", "10.0.0.3")),
        DeviceChange("management.dns", ADDED, "10.0.0.3", "", "10.0.0.3"),
    ),
    "another fabric": (
        (LEAF, "fabric", "training"),
        DeviceChange("device.fabric", CHANGED, "", "backend", "training"),
    ),
    "drained": ((LEAF, "state", "drained"), DeviceChange("device.state", CHANGED, "", "active", "drained")),
    "raw lines": (
        (LEAF, "raw", (RawLines("", ("one", "   two"), "raw[0]"),)),
        DeviceChange("raw", ADDED, "raw[0]", "", "one;    two"),
    ),
}


@pytest.mark.parametrize("name", ONE)
def test_one_change_is_one_fact(name: str) -> None:
    change, fact = ONE[name]

    assert changed(*change) == (fact,)


def test_an_outside_session_finds_its_port_by_the_subnet_of_its_vrf() -> None:
    gone = changed(BORDER, "routing.bgp.vrfs[0].neighbors", ())

    assert gone == (
        DeviceChange("bgp.vrf.neighbor", REMOVED, "172.31.0.1", "AS 64601", "", *FIREWALL),
        DeviceChange("bgp.vrf.neighbor", REMOVED, "fd5e:8c1f:2a00:2f00::1", "AS 64601", "", *FIREWALL),
    )


def test_an_outside_session_that_comes_or_goes_has_the_port_of_its_own_vrf() -> None:
    """Two subinterfaces with the same subnet, in two VRFs and on two ports: only the VRF tells them apart."""
    after = demo(BORDER)
    rows, sessions = after.interfaces.subinterfaces, after.routing.bgp.vrfs[0].neighbors
    twin = rows[0]._replace(parent="Ethernet32/1", vrf="serving")
    after = put(after, "interfaces.subinterfaces", (twin, *rows))
    before = put(put(after, "interfaces.subinterfaces", (twin,)), "routing.bgp.vrfs[0].neighbors", sessions[1:])

    assert DeviceChange("bgp.vrf.neighbor", ADDED, "172.31.0.1", "", "AS 64601", *FIREWALL) in changes_between(
        before, after
    )
    assert DeviceChange("bgp.vrf.neighbor", REMOVED, "172.31.0.1", "AS 64601", "", *FIREWALL) in changes_between(
        after, before
    )


def test_a_link_that_goes_names_the_port_it_had_on_each_of_its_facts() -> None:
    before = demo(LEAF)
    ports = before.interfaces.ethernet[:-1]
    kept = tuple(one for one in before.routing.bgp.neighbors if one.description != "be-spine-03 Ethernet61/1")
    after = put(put(before, "interfaces.ethernet", ports), "routing.bgp.neighbors", kept)

    assert changes_between(before, after) == (
        DeviceChange("interface", REMOVED, "Ethernet64/5", "be-spine-03 Ethernet61/1", "", *UPLINK),
        DeviceChange("bgp.neighbor", REMOVED, "10.64.0.255", "AS 4201000024", "", *UPLINK),
        DeviceChange("bgp.neighbor", REMOVED, "fd5e:8c1f:2a00::ff", "AS 4201000024", "", *UPLINK),
    )


def test_ports_are_told_in_the_order_of_their_numbers() -> None:
    before = demo(LEAF)
    shut = tuple(port._replace(enabled=not port.enabled) for port in before.interfaces.ethernet)
    found = changes_between(before, put(before, "interfaces.ethernet", shut))

    assert [one.subject for one in found] == [port.name for port in before.interfaces.ethernet]
    assert {one.kind for one in found} == {"interface.enabled"}


def test_a_port_that_becomes_routed_loses_its_vlans() -> None:
    before = put(
        demo(SERVER_LEAF),
        "interfaces.ethernet[0].switching",
        Switching(access_vlan=20, trunk_vlans=(30, 200), bpdu_guard=True, broadcast_percent=1, multicast_percent=5),
    )

    assert changes_between(before, put(before, "interfaces.ethernet[0].switching", None)) == (
        DeviceChange("interface.access-vlan", REMOVED, "Ethernet1/1", "20", "", *STORE),
        DeviceChange("interface.trunk-vlan", REMOVED, "Ethernet1/1", "200", "", *STORE),
        DeviceChange("interface.trunk-vlan", REMOVED, "Ethernet1/1", "30", "", *STORE),
        DeviceChange("interface.bpdu-guard", REMOVED, "Ethernet1/1", "yes", "", *STORE),
        DeviceChange("interface.storm-control", REMOVED, "Ethernet1/1", "broadcast 1 %, multicast 5 %", "", *STORE),
    )


def test_a_switched_port_without_a_vlan_is_not_a_routed_one() -> None:
    nothing = Switching(access_vlan=0, trunk_vlans=(), bpdu_guard=False, broadcast_percent=0, multicast_percent=0)

    assert changed(LEAF, "interfaces.ethernet[0].switching", nothing) == (
        DeviceChange("interface.access-vlan", ADDED, "Ethernet1/1", "", "none", *HOST),
    )


def test_rows_that_share_a_key_are_all_compared() -> None:
    before = demo(LEAF)
    route = before.routing.static_routes[0]._replace(vrf="")
    twice = put(before, "routing.static_routes", (route, route._replace(next_hop="10.0.0.2")))
    other = put(before, "routing.static_routes", (route, route._replace(next_hop="10.0.0.3")))
    subject = "0.0.0.0/0"

    assert changes_between(twice, other) == (
        DeviceChange("static-route.next-hop", CHANGED, subject, "10.0.0.2", "10.0.0.3"),
    )
    assert DeviceChange("static-route", REMOVED, subject, "10.0.0.2", "") in changes_between(twice, before)


def entries(*rows: tuple[int, str, int]) -> tuple[PrefixEntry, ...]:
    return tuple(PrefixEntry(sequence, prefix, longest) for sequence, prefix, longest in rows)  # type: ignore[arg-type]


OLD = ((10, "10.1.0.0/16", 32), (20, "10.2.0.0/16", 0))

LISTS = {
    "other numbers": (((5, "10.1.0.0/16", 32), (7, "10.2.0.0/16", 0)), ()),
    "an entry more": (
        (*OLD, (30, "10.3.0.0/16", 24)),
        (DeviceChange("prefix-list.entry", ADDED, "PL-FABRIC-IPV4", "", "10.3.0.0/16 le 24"),),
    ),
    "an entry in front": (
        ((10, "10.0.0.0/16", 0), (20, "10.1.0.0/16", 32), (30, "10.2.0.0/16", 0)),
        (DeviceChange("prefix-list.entry", ADDED, "PL-FABRIC-IPV4", "", "10.0.0.0/16"),),
    ),
    "another length": (
        ((10, "10.1.0.0/16", 24), (20, "10.2.0.0/16", 0)),
        (
            DeviceChange("prefix-list.entry", ADDED, "PL-FABRIC-IPV4", "", "10.1.0.0/16 le 24"),
            DeviceChange("prefix-list.entry", REMOVED, "PL-FABRIC-IPV4", "10.1.0.0/16 le 32", ""),
        ),
    ),
    "another order": (
        ((10, "10.2.0.0/16", 0), (20, "10.1.0.0/16", 32)),
        (
            DeviceChange(
                "prefix-list.entry",
                CHANGED,
                "PL-FABRIC-IPV4",
                "10.1.0.0/16 le 32, 10.2.0.0/16",
                "10.2.0.0/16, 10.1.0.0/16 le 32",
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_prefix_lists_are_their_entries_in_order(name: str) -> None:
    rows, expected = LISTS[name]
    path = "routing.policy.prefix_lists[0].entries"
    before = put(demo(LEAF), path, entries(*OLD))

    assert at(before, "routing.policy.prefix_lists[0].name") == "PL-FABRIC-IPV4"
    assert changes_between(before, put(before, path, entries(*rows))) == expected


def test_a_statement_is_told_in_words() -> None:
    path = "routing.policy.route_maps"
    accept = Statement(10, True, match_community_list="CL", match_prefix_list_ipv4="PL", set_local_preference=0)
    mark = Statement(20, True, set_community="65000:2", set_graceful_shutdown=True, replace_communities=True)
    before = put(demo(LEAF), path, (RouteMap("RM", (accept, mark)),))
    after = put(before, path, (RouteMap("RM", (accept._replace(permit=False), mark, Statement(30, True))),))
    accepted = "match community-list CL, match IPv4 prefix-list PL"

    assert changes_between(before, after) == (
        DeviceChange("route-map.statement", CHANGED, "RM 10", f"permit, {accepted}", f"deny, {accepted}"),
        DeviceChange("route-map.statement", ADDED, "RM 30", "", "permit"),
    )
    assert changes_between(before, put(before, f"{path}[0].statements", (accept,))) == (
        DeviceChange(
            "route-map.statement",
            REMOVED,
            "RM 20",
            "permit, replace by community 65000:2, add community graceful-shutdown",
            "",
        ),
    )


def test_what_only_makes_routes_worse_is_a_fact_of_its_own() -> None:
    path = "routing.policy.route_maps"
    before = put(demo(LEAF), path, (RouteMap("RM", (Statement(10, True, set_community="65000:2"),)),))
    worse = Statement(10, True, set_community="65000:2", set_graceful_shutdown=True, set_local_preference=0)

    assert changes_between(before, put(before, f"{path}[0].statements", (worse,))) == (
        DeviceChange(
            "route-map.preference", ADDED, "RM 10", "", "add community graceful-shutdown, set local preference 0"
        ),
    )


def test_a_map_that_is_new_to_a_session_that_stands_is_told() -> None:
    before = demo(LEAF)
    named = put(before, "routing.bgp.groups[0].route_map_in", "RM-NEW")
    assert {(found.kind, found.change, found.after) for found in changes_between(before, named)} == {
        ("bgp.group.route-map-in", CHANGED, "RM-NEW"),
        ("route-map.first-use", ADDED, "RM-NEW"),
    }
    standing = (*before.routing.policy.route_maps, RouteMap("RM-NEW", ()))
    ready = put(before, "routing.policy.route_maps", standing)
    assert [found.kind for found in changes_between(ready, put(named, "routing.policy.route_maps", standing))] == [
        "bgp.group.route-map-in"
    ]


def test_a_route_of_the_management_vrf_is_management() -> None:
    before = demo(LEAF)
    (route,) = (found for found in before.routing.static_routes if found.vrf == "MGMT")
    moved = tuple(
        found._replace(next_hop="10.0.0.9") if found is route else found for found in before.routing.static_routes
    )
    assert changes_between(before, put(before, "routing.static_routes", moved)) == (
        DeviceChange("management.gateway", CHANGED, "0.0.0.0/0 in MGMT", "10.0.0.1", "10.0.0.9"),
    )


def test_a_tenant_that_comes_to_a_leaf() -> None:
    before = demo(SERVER_LEAF)
    evpn = before.evpn
    assert evpn is not None
    vlan = Vlan(700, "lab-data", 10070, "10.140.0.4:70", "65000:10070", "lab")
    gateway = Gateway(700, "lab data", "lab", "10.9.0.1/24", "", (), (), 9164)  # type: ignore[arg-type]
    after = put(before, "evpn.vlans", (*evpn.vlans, vlan))
    after = put(after, "evpn.gateways", (*evpn.gateways, gateway))
    after = put(after, "evpn.vrfs", (*evpn.vrfs, Vrf("lab", 10071, 71)))
    after = put(after, "routing.bgp.vrfs", (*before.routing.bgp.vrfs, before.routing.bgp.vrfs[0]._replace(name="lab")))

    assert changes_between(before, after) == (
        DeviceChange("bgp.vrf", ADDED, "lab", "", "65000:10001", vrf="lab"),
        DeviceChange("evpn.vlan", ADDED, "700", "", "lab-data, VNI 10070", vrf="lab"),
        DeviceChange("evpn.gateway", ADDED, "700", "", "10.9.0.1/24", vrf="lab"),
        DeviceChange("evpn.vrf", ADDED, "lab", "", "VNI 10071", vrf="lab"),
    )


def test_raw_lines_that_move_up_in_the_intent_stay_and_those_that_change_in_place_are_changed() -> None:
    one, two = RawLines("", ("one",), "raw[0]"), RawLines("", ("two",), "raw[1]")
    before = put(demo(LEAF), "raw", (one, two))

    assert changes_between(before, put(before, "raw", (two._replace(where="raw[0]"),))) == (
        DeviceChange("raw", REMOVED, "raw[0]", "one", ""),
    )
    assert changes_between(before, put(before, "raw", (one._replace(lines=("other",)), two))) == (
        DeviceChange("raw", CHANGED, "raw[0]", "one", "other"),
    )
    assert changes_between(before, put(before, "raw", (two, one))) == (
        DeviceChange("raw", CHANGED, "order", "one, two", "two, one"),
    )


def test_a_session_that_no_port_ends_is_that_of_the_switch_its_description_names() -> None:
    stranger = Neighbor("192.0.2.1", "SPINES-IPV4", 65001, "far-away Ethernet1")  # type: ignore[arg-type]
    before = demo(LEAF)
    after = put(before, "routing.bgp.neighbors", (*before.routing.bgp.neighbors, stranger))

    assert changes_between(before, after) == (
        DeviceChange("bgp.neighbor", ADDED, "192.0.2.1", "", "AS 65001", "", "far-away"),
    )


def test_a_whole_leaf_from_the_middle_of_nowhere_is_told_without_a_fault() -> None:
    assert {found.kind for found in changes_between(demo(SPINE), demo(BORDER))} >= {
        "evpn",
        "evpn.vrf",
        "bgp.vrf",
        "device.place",
    }


def test_the_management_gateway_is_told_once() -> None:
    """A Device has it twice: as the gateway, and as the route of the management VRF to it."""
    before = demo(LEAF)
    route, *others = at(before, "routing.static_routes")
    assert (route.vrf, route.next_hop) == ("MGMT", before.management.gateway)
    moved = put(before, "management.gateway", "10.0.0.9")
    both = put(moved, "routing.static_routes", (route._replace(next_hop="10.0.0.9"), *others))
    once = DeviceChange("management.gateway", CHANGED, "", "10.0.0.1", "10.0.0.9")
    assert changes_between(before, both) == (once,)
    other = put(moved, "routing.static_routes", (route._replace(next_hop="10.0.0.8"), *others))
    assert changes_between(before, other) == (once, once._replace(subject="0.0.0.0/0 in MGMT", after="10.0.0.8"))
