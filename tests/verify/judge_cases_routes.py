"""Faults of one leaf's routes, overlay and queues, and what is said of each."""

from fabricgen.state.state import (
    L2,
    L3,
    EvpnRoute,
    Hop,
    PortQos,
    Route,
    Vni,
)
from tests.verify.leaf import (
    ECN,
    NEXT_HOP,
    Case,
    added,
    both,
    case,
    changed,
    without,
)

ROUTES: dict[str, Case] = {
    "one route missing": case(
        without("routes", 1),
        "route-missing",
        "route 10.0.1.2/32 of leaf2 | is not in the forwarding table",
        "from leaf2 | no route",
    ),
    "two routes of a tenant missing": case(
        without("routes", 5, 7),
        "route-missing",
        "2 routes in red (172.16.0.0/24, 172.16.2.0/24) | are not in the forwarding table",
        "from leaf1 | no route",
    ),
    "all routes of a switch missing": case(
        without("routes", 0, 1),
        "route-missing",
        "2 routes (10.0.0.2/32, 10.0.1.2/32) | are not in the forwarding table",
        "from leaf2 | no route",
    ),
    "next hop missing from several routes": case(
        both(changed("routes", 0, hops=NEXT_HOP), changed("routes", 1, hops=NEXT_HOP)),
        "route-width",
        "2 routes (10.0.0.2/32, 10.0.1.2/32) | not over p2",
        "2 next hops | 1 next hop",
    ),
    "the same next hop twice": case(
        changed("routes", 0, hops=(*NEXT_HOP, *NEXT_HOP)),
        "route-width",
        "route 10.0.0.2/32 of leaf2 | not over p2",
        "2 next hops | 1 next hop",
    ),
    "two next hops over one port": case(
        changed("routes", 0, hops=(Hop("a", "p1"), Hop("b", "p1"), Hop("c", "p2"))),
        "route-width",
        "route 10.0.0.2/32 of leaf2 | too many equal paths",
        "2 next hops | 3 next hops",
    ),
    "a next hop weighs more than the other": case(
        changed("routes", 0, hops=(Hop("", "p1", 200), Hop("", "p2"))),
        "route-weights",
        "route 10.0.0.2/32 of leaf2 | does not share its traffic evenly",
        "equal weights | 200 over p1, 1 over p2",
    ),
    "over another port": case(
        changed("routes", 2, hops=(Hop("10.1.0.3", "p2"),)),
        "route-next-hop",
        "route 10.0.0.101/32 of spine1 | not over p1; also over p2",
        "1 next hop | 1 next hop",
    ),
    "a planned route discarded": case(
        changed("routes", 7, hops=()),
        "route-width",
        "route 172.16.2.0/24 in red of leaf1 | too few equal paths",
        "1 next hop | 0 next hops",
    ),
    "a VTEP missing from a tenant's route": case(
        changed("routes", 6, hops=(Hop("10.0.1.2", "br"),)),
        "route-width",
        "route 172.16.1.0/24 in red of leaf2, leaf3 | not over 10.0.1.3",
        "2 next hops | 1 next hop",
    ),
    "aggregate forwarded": case(
        changed("routes", 3, hops=NEXT_HOP),
        "route-not-discarded",
        "route 10.2.0.0/25 | is forwarded instead of discarded: packets to unused addresses would leave again",
        "discard | 10.1.0.1 p1",
    ),
    "a prefix that nobody announces": case(
        added("routes", Route("", "10.2.0.128/25", "eBGP", NEXT_HOP)),
        "route-unexpected",
        "route 10.2.0.128/25 | BGP has routes that no switch of the plan announces",
        "no such prefix | 10.1.0.1 p1",
    ),
    "two prefixes that nobody announces": case(
        added("routes", Route("", "10.2.0.128/25", "bgp", NEXT_HOP), Route("", "10.2.1.0/25", "bgp", NEXT_HOP)),
        "route-unexpected",
        "2 routes (10.2.0.128/25, 10.2.1.0/25) | BGP has routes that no switch of the plan announces",
        "no such prefix | 10.1.0.1 p1",
    ),
    "a default route": case(
        added("routes", Route("", "0.0.0.0/0", "static", NEXT_HOP)),
        "isolation-route",
        "the default VRF | reaches 0.0.0.0/0: there is no route out of fabric be here",
        "no route | 0.0.0.0/0 over 10.1.0.1 p1",
    ),
    "a host of another tenant": case(
        added("routes", Route("red", "172.20.5.5/32", "bgp", (Hop("10.0.1.3", "br"),))),
        "isolation-route",
        "VRF red | reaches 172.20.0.0/16: of tenant blue",
        "no route | 172.20.5.5/32 over 10.0.1.3 br",
    ),
    "VNI missing": case(without("vnis", 2), "vni-missing", "VNI 50001 | does not exist", "L3 VNI of red | not there"),
    "VNI of the other kind": case(
        changed("vnis", 2, kind=L2), "vni-wrong-kind", "VNI 50001 | is of the wrong kind (L2 or L3)", "L3 | L2"
    ),
    "VNI on another VLAN": case(
        changed("vnis", 0, vlan_id=30), "vni-wrong-vlan", "VNI 10020 | is on another VLAN", "VLAN 20 | VLAN 30"
    ),
    "VNI in another VRF": case(
        changed("vnis", 2, vrf="blue"), "vni-wrong-vrf", "VNI 50001 | is in another VRF", "red | blue"
    ),
    "a tunnel learns": case(
        changed("vnis", 0, learning=True),
        "tunnel-learns",
        "VNI 10020 | learns MAC addresses from frames",
        "no learning: MAC addresses come from EVPN | learning is on",
    ),
    "VNI down": case(changed("vnis", 0, up=False), "vni-down", "VNI 10020 | is down", "up | down"),
    "VNI that nobody planned": case(
        added("vnis", Vni(666, L3, 0, "green", (), True)),
        "vni-unexpected",
        "VNI 666 | is not in the plan",
        "not there | L3 VNI of green",
    ),
    "bridged VNI that nobody planned": case(
        added("vnis", Vni(667, L2, 0, "", (), True)),
        "vni-unexpected",
        "VNI 667 | is not in the plan",
        "not there | L2 VNI",
    ),
    "one VTEP missing in two VNIs": case(
        both(changed("vnis", 0, vteps=("10.0.1.3",)), changed("vnis", 1, vteps=())),
        "vtep-missing",
        "VTEP 10.0.1.2 | is not flooded to",
        "in VNI 10020, 10021 | not there",
    ),
    "a VTEP more": case(
        changed("vnis", 1, vteps=("10.0.1.2", "10.0.1.9")),
        "vtep-unexpected",
        "VTEP 10.0.1.9 | is flooded to",
        "not there | in VNI 10021",
    ),
    "EVPN route missing": case(
        without("evpn", 1),
        "evpn-missing",
        "EVPN routes of type 3 of leaf2 | are missing: 1",
        "10.0.0.2:20 10.0.1.2 | no route",
    ),
    "two EVPN routes missing": case(
        without("evpn", 3, 6),
        "evpn-missing",
        "EVPN routes of type 5 of leaf3 | are missing: 2",
        "10.0.0.3:1 172.16.1.0/24, 10.0.0.3:1 fd00:16:1::/64 | no route",
    ),
    "EVPN routes of two leaves missing": case(
        without("evpn", 2, 3),
        "evpn-missing",
        "EVPN routes of type 5 of leaf2 | are missing: 1",
        "10.0.0.2:1 172.16.1.0/24 | no route",
        "evpn-missing",
        "EVPN routes of type 5 of leaf3 | are missing: 1",
        "10.0.0.3:1 172.16.1.0/24 | no route",
    ),
    "a prefix of the same digits": case(
        changed("evpn", 6, key="fd00:1:61::/64"),
        "evpn-missing",
        "EVPN routes of type 5 of leaf3 | are missing: 1",
        "10.0.0.3:1 fd00:16:1::/64 | no route",
    ),
    "own segment missing while its aggregate is up": case(
        without("evpn", 4),
        "evpn-missing",
        "EVPN routes of type 1 of leaf1 | are missing: 1",
        "0000:0000:0000:0001:0005 | no route",
    ),
    "EVPN next hop": case(
        changed("evpn", 2, next_hop="10.0.1.9"),
        "evpn-next-hop",
        "EVPN route type 5 10.0.0.2:1 172.16.1.0/24 of leaf2 | has another VTEP as next hop",
        "10.0.1.2 | 10.0.1.9",
    ),
    "own flooding that nobody planned": case(
        added("evpn", EvpnRoute(3, "10.0.0.1:666", "10.0.1.1", "")),
        "evpn-unexpected",
        "EVPN route type 3 10.0.0.1:666 10.0.1.1 | is announced, but not in the plan",
        "no route | its own",
    ),
    "PFC off on all ports": case(
        both(
            changed("qos", 0, pfc=False, pfc_priorities=()),
            changed("qos", 1, pfc=False, pfc_priorities=()),
        ),
        "qos-pfc-off",
        "2 ports (p1, p2) | does not pause",
        "PFC on 3 | PFC off",
    ),
    "another priority": case(
        changed("qos", 0, pfc_priorities=(3, 4)), "qos-pfc", "port p1 | pauses other priorities", "3 | 3, 4"
    ),
    "no watchdog": case(
        changed("qos", 0, watchdog=False), "qos-watchdog", "port p1 | has other PFC watchdog settings", "on | off"
    ),
    "other thresholds": case(
        changed("qos", 0, ecn=(ECN._replace(maximum_octets=9),)),
        "qos-ecn",
        "port p1 | has other ECN thresholds",
        "queue 3 150000 to 1500000 octets at 5 % | queue 3 150000 to 9 octets at 5 %",
    ),
    "no marking": case(
        changed("qos", 0, ecn=()),
        "qos-ecn",
        "port p1 | has other ECN thresholds",
        "queue 3 150000 to 1500000 octets at 5 % | no marking",
    ),
    "a lossless port that nobody planned": case(
        added("qos", PortQos("p9", True, (3,), True, ())),
        "qos-unexpected",
        "port p9 | is lossless, but not in the plan",
        "no PFC | PFC on",
    ),
}
