"""Mismatches to seed into the recorded fabric, and what must be found of each."""

from collections.abc import Callable
from typing import Any, NamedTuple

from fabricgen.platforms.eos.live.reader import BGP_IPV4, EVPN_ROUTES, INTERFACES, ROUTES_IPV4, VRFS

LEAF, SPINE = "DC1-LEAF1A", "DC1-SPINE1"
Shown = Any
"""One output, as parsed JSON."""


class Case(NamedTuple):
    """What is changed on which switch; of each finding its check, code, and what subject, expected and actual hold."""

    name: str
    switch: str
    command: str
    change: Callable[[Shown], None]
    found: tuple[tuple[str, str, str, str, str], ...]


def port(name: str, **values: object) -> Callable[[Shown], None]:
    return lambda shown: shown["interfaces"][name].update(values)


def peer(address: str, vrf: str = "default", **values: object) -> Callable[[Shown], None]:
    def change(shown: Shown) -> None:
        next(p for p in shown["vrfs"][vrf]["peerList"] if p["peerAddress"] == address).update(values)

    return change


def without_peer(shown: Shown) -> None:
    rows = shown["vrfs"]["default"]["peerList"]
    rows[:] = [row for row in rows if row["peerAddress"] != "172.31.255.2"]


def without_via(shown: Shown) -> None:
    vias = shown["vrfs"]["default"]["routes"]["192.168.254.6/32"]["vias"]
    vias[:] = [via for via in vias if via["interface"] != "Ethernet2"]


def route(prefix: str, vrf: str = "default", **values: object) -> Callable[[Shown], None]:
    return lambda shown: shown["vrfs"][vrf]["routes"][prefix].update(values)


def without_route(shown: Shown) -> None:
    del shown["vrfs"]["Tenant_A_OP_Zone"]["routes"]["10.255.1.4/32"]


def leaked_route(shown: Shown) -> None:
    """A subnet of another tenant, over the tunnel."""
    routes = shown["vrfs"]["Tenant_A_OP_Zone"]["routes"]
    routes["10.2.10.0/24"] = routes["10.255.1.4/32"]


def unflooded(shown: Shown) -> None:
    shown["interfaces"]["Vxlan1"]["vlanToVtepList"]["110"]["remoteVtepAddr"].remove("192.168.254.4")


def without_vni(shown: Shown) -> None:
    del shown["interfaces"]["Vxlan1"]["vlanToVniMap"]["210"]


def moved_vni(shown: Shown) -> None:
    shown["interfaces"]["Vxlan1"]["vlanToVniMap"]["211"]["vni"] = 20999


def without_type5(shown: Shown) -> None:
    del shown["evpnRoutes"]["RD: 192.168.255.4:15001 ip-prefix 10.1.11.0/24"]


def inactive_type5(shown: Shown) -> None:
    for path in shown["evpnRoutes"]["RD: 192.168.255.4:15001 ip-prefix 10.1.11.0/24"]["evpnRoutePaths"]:
        path["routeType"]["active"] = False


def elsewhere(shown: Shown) -> None:
    for path in shown["evpnRoutes"]["RD: 192.168.255.4:15001 ip-prefix 10.1.11.0/24"]["evpnRoutePaths"]:
        path["nextHop"] = "192.168.254.66"


def other_address(shown: Shown) -> None:
    shown["interfaces"]["Ethernet1"]["interfaceAddress"][0]["primaryIp"]["address"] = "172.31.255.11"


def other_vrf(shown: Shown) -> None:
    shown["vrfs"]["Tenant_A_OP_Zone"]["interfaces"].remove("Vlan110")


CASES = (
    Case(
        "a session that is not established",
        LEAF,
        BGP_IPV4,
        peer("172.31.255.2", state="Active"),
        (
            (
                "sessions",
                "session-down",
                "session 172.31.255.2",
                "Established with AS 65001",
                "Active with AS 65001",
            ),
        ),
    ),
    Case(
        "another AS",
        SPINE,
        BGP_IPV4,
        peer("172.31.255.5", asn="65199", state="Idle"),
        (
            (
                "sessions",
                "session-wrong-as",
                "session 172.31.255.5",
                "Established with AS 65102",
                "Idle with AS 65199",
            ),
        ),
    ),
    Case(
        "a neighbor that is gone",
        LEAF,
        BGP_IPV4,
        without_peer,
        (
            (
                "sessions",
                "session-missing",
                "session 172.31.255.2",
                "Established with AS 65001",
                "no neighbor",
            ),
        ),
    ),
    Case(
        "EVPN not negotiated",
        LEAF,
        BGP_IPV4,
        peer("192.168.255.1", evpnReceived=0, evpnSent=0),
        (("sessions", "session-family-missing", "session 192.168.255.1", "evpn", "none"),),
    ),
    Case(
        "a path of an ECMP route that is gone",
        LEAF,
        ROUTES_IPV4,
        without_via,
        (("routes", "route-width", "route 192.168.254.6/32", "2 next hops", "1 next hop"),),
    ),
    Case(
        "a route that the hardware has not",
        LEAF,
        ROUTES_IPV4,
        route("192.168.254.6/32", hardwareProgrammed=False),
        (("routes", "route-missing", "route 192.168.254.6/32", "from BGP", "no route"),),
    ),
    Case(
        "a route that discards",
        LEAF,
        ROUTES_IPV4,
        route("192.168.254.6/32", routeAction="drop", vias=[]),
        (("routes", "route-width", "route 192.168.254.6/32", "2 next hops", "0 next hops"),),
    ),
    Case(
        "a tenant's route that is gone",
        LEAF,
        ROUTES_IPV4,
        without_route,
        (("routes", "route-missing", "route 10.255.1.4/32 in Tenant_A_OP_Zone", "from tenant", "no route"),),
    ),
    Case(
        "a tenant that reaches another",
        LEAF,
        ROUTES_IPV4,
        leaked_route,
        (
            (
                "isolation",
                "isolation-route",
                "VRF Tenant_A_OP_Zone",
                "no route",
                "10.2.10.0/24 over 192.168.254.4 Vxlan1",
            ),
        ),
    ),
    Case(
        "a port that is shut",
        LEAF,
        INTERFACES,
        port("Ethernet12", interfaceStatus="disabled", lineProtocolStatus="down"),
        (("interfaces", "interface-shut", "port Ethernet12", "enabled", "shut down"),),
    ),
    Case(
        "a port that is down",
        LEAF,
        INTERFACES,
        port("Ethernet12", interfaceStatus="notconnect", lineProtocolStatus="down"),
        (("interfaces", "interface-down", "port Ethernet12", "up", "enabled and down"),),
    ),
    Case(
        "a port that has light and nothing more",
        LEAF,
        INTERFACES,
        port("Ethernet12", interfaceStatus="connected", lineProtocolStatus="lowerLayerDown"),
        (("interfaces", "interface-down", "port Ethernet12", "up", "enabled and down"),),
    ),
    Case(
        "another MTU",
        LEAF,
        INTERFACES,
        port("Ethernet12", mtu=9214),
        (("mtu", "mtu-wrong", "port Ethernet12", "1500 octets", "9214 octets"),),
    ),
    Case(
        "another address",
        LEAF,
        INTERFACES,
        other_address,
        (("addresses", "address-wrong", "port Ethernet1", "172.31.255.1/31", "172.31.255.11/31"),),
    ),
    Case(
        "another VRF",
        LEAF,
        VRFS,
        other_vrf,
        (("interfaces", "interface-wrong-vrf", "Vlan110", "Tenant_A_OP_Zone", "the default VRF"),),
    ),
    Case(
        "a VTEP that is not flooded to",
        LEAF,
        INTERFACES,
        unflooded,
        (("vnis", "vtep-missing", "VTEP 192.168.254.4", "in VNI 10110", "not there"),),
    ),
    Case(
        "a VNI that is gone",
        LEAF,
        INTERFACES,
        without_vni,
        (("vnis", "vni-missing", "VNI 20210", "L2 VNI of ", "not there"),),
    ),
    Case(
        "another VNI",
        LEAF,
        INTERFACES,
        moved_vni,
        (
            ("vnis", "vni-missing", "VNI 20211", "L2 VNI of ", "not there"),
            ("vnis", "vni-unexpected", "VNI 20999", "not there", "L2 VNI"),
        ),
    ),
    *(
        Case(
            name,
            LEAF,
            EVPN_ROUTES,
            change,
            (
                (
                    "evpn",
                    "evpn-missing",
                    "EVPN routes of type 5 of DC1-LEAF2A",
                    "192.168.255.4:15001 10.1.11.0/24",
                    "no route",
                ),
            ),
        )
        for name, change in (("a type-5 route that is gone", without_type5), ("one without a path", inactive_type5))
    ),
    Case(
        "a type-5 route of another VTEP",
        LEAF,
        EVPN_ROUTES,
        elsewhere,
        (
            (
                "evpn",
                "evpn-next-hop",
                "EVPN route type 5 192.168.255.4:15001 10.1.11.0/24 of DC1-LEAF2A",
                "192.168.254.4",
                "192.168.254.66",
            ),
        ),
    ),
)
