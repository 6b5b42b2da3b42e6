"""Faults of the overlay: gateways, VNIs, tunnels, EVPN, tenants, and what learns MAC addresses."""

from tests.faults.model import Cause, Fault, on, typed
from tests.faults.sessions import EVPN, EXTRA, FRONT, FRONT_BGP, IPV4, MISSING, PAIR, PAIR_BGP, TOP

FLOODED = "00:00:00:00:00:00"
MAC_OF = "mac=$(ip -n research -4 neigh show 172.18.0.2 dev vlan110 | grep -o '..:..:..:..:..:..');"
"""The MAC address of a server as its gateway knows it."""


def tunnel(vrf: str, vni: int, vlan: int, source: str) -> str:
    """A command that makes a tunnel as the lab has it."""
    name = f"vni{vni}"
    return (
        f"ip link add {name} type vxlan id {vni} local {source} dstport 4789 nolearning;"
        f" ip link set {name} mtu 9164 addrgenmode none netns {vrf}; ip -n {vrf} link set {name} master vlan{vlan};"
        f" bridge -n {vrf} link set dev {name} learning off neigh_suppress on; ip -n {vrf} link set {name} up"
    )


GATEWAYS = (
    Fault(
        "gateway-mac",
        "gateway",
        "A gateway has another MAC address on one leaf.",
        on(FRONT, "ip -n research link set vlan110 address 02:00:00:00:00:99"),
        on(FRONT, "ip -n research link set vlan110 address 02:fa:b0:00:00:01"),
        (Cause(FRONT, "gateway-mac-wrong", "110"),),
        known=True,
    ),
    Fault(
        "gateway-lost",
        "gateway",
        "A leaf has lost the gateway's address of a network.",
        on(PAIR, "ip -n serving addr del 172.19.0.1/20 dev vlan120"),
        on(PAIR, "ip -n serving addr add 172.19.0.1/20 dev vlan120"),
        (Cause(PAIR, "address-missing", "172.19.0.1/20"),),
    ),
    Fault(
        "gateway-shut",
        "gateway",
        "The gateway of a network is shut on one leaf.",
        on(FRONT, "ip -n research link set vlan110 down"),
        on(FRONT, "ip -n research link set vlan110 up"),
        (Cause(FRONT, "interface-shut", "110"),),
    ),
    Fault(
        "port-other-tenant",
        "gateway",
        "A server's port is in the network of another tenant.",
        on(FRONT, "ip link set swp1 master b-swp3"),
        on(FRONT, "ip link set swp1 master b-swp1"),
        (Cause(FRONT, "port-wrong-vlan", "port swp1"),),
    ),
)

TUNNELS = (
    Fault(
        "tunnel-shut",
        "tunnel",
        "The tunnel of a VNI is shut.",
        on(PAIR, "ip -n research link set vni10004 down"),
        on(PAIR, "ip -n research link set vni10004 up"),
        (Cause(PAIR, "vni-down", "VNI 10004"),),
    ),
    Fault(
        "tunnel-removed",
        "tunnel",
        "The tunnel of a VNI is gone.",
        on(FRONT, "ip -n serving link del vni10006"),
        on(FRONT, tunnel("serving", 10006, 120, "10.128.192.5")),
        (Cause(FRONT, "vni-missing", "VNI 10006"),),
    ),
    Fault(
        "vni-too-many",
        "tunnel",
        "A leaf has a VNI that nobody planned.",
        on(
            FRONT,
            "ip link add br7777 type bridge; ip link set br7777 up;"
            " ip link add vni7777 type vxlan id 7777 local 10.128.192.5 dstport 4789 nolearning;"
            " ip link set vni7777 master br7777 up",
        ),
        on(FRONT, "ip link del vni7777; ip link del br7777"),
        (Cause(FRONT, "vni-unexpected", "VNI 7777"), Cause(FRONT, "evpn-unexpected", "10.128.192.5")),
    ),
    Fault(
        "vni-other-vlan",
        "tunnel",
        "A VNI leads to another VLAN.",
        on(FRONT, "ip -n serving link set vni10006 master vlan4090"),
        on(
            FRONT,
            "ip -n serving link set vni10006 master vlan120;"
            " bridge -n serving link set dev vni10006 learning off neigh_suppress on",
        ),
        (Cause(FRONT, "vni-wrong-vlan", "VNI 10006"),),
    ),
    Fault(
        "flood-foreign",
        "tunnel",
        "Broadcasts of a network are flooded to a foreign VTEP.",
        on(FRONT, f"bridge -n research fdb append {FLOODED} dev vni10004 dst 10.128.192.99 self permanent"),
        on(FRONT, f"bridge -n research fdb del {FLOODED} dev vni10004 dst 10.128.192.99 self"),
        (Cause(FRONT, "vtep-unexpected", "10.128.192.99"),),
    ),
    Fault(
        "flood-denied",
        "tunnel",
        "A leaf does not take the routes that say where to flood to.",
        typed(FRONT, "route-map RM-SPINES-EVPN-IN deny 5", "match evpn route-type multicast"),
        typed(FRONT, "no route-map RM-SPINES-EVPN-IN deny 5"),
        (Cause(FRONT, EXTRA, "RM-SPINES-EVPN-IN deny 5"),),
    ),
    Fault(
        "tunnel-source",
        "tunnel",
        "A tunnel starts from the loopback that is no VTEP.",
        on(FRONT, f"ip -n research link del vni10004; {tunnel('research', 10004, 110, '10.128.192.4')}"),
        on(FRONT, f"ip -n research link del vni10004; {tunnel('research', 10004, 110, '10.128.192.5')}"),
        (
            Cause(FRONT, "evpn-missing", "10.128.192.5"),
            Cause(FRONT, "evpn-unexpected", "10.128.192.4"),
        ),
    ),
)

ROUTED = (
    Fault(
        "l3-vni-lost",
        "evpn",
        "A tenant's VRF has lost its VNI.",
        typed(PAIR, "vrf research", "no vni 10003"),
        typed(PAIR, "vrf research", "vni 10003"),
        (
            Cause(PAIR, MISSING, "vni 10003"),
            Cause(PAIR, "vni-missing", "VNI 10003"),
            Cause(PAIR, "vni-wrong-kind", "VNI 10003"),
        ),
    ),
    Fault(
        "vnis-unannounced",
        "evpn",
        "A leaf announces no VNI any more.",
        typed(FRONT, FRONT_BGP, EVPN, "no advertise-all-vni"),
        typed(FRONT, FRONT_BGP, EVPN, "advertise-all-vni"),
        (Cause(FRONT, MISSING, "advertise-all-vni"),),
    ),
    Fault(
        "import-target",
        "evpn",
        "A tenant's VRF imports another route target.",
        typed(
            PAIR,
            f"{PAIR_BGP} vrf lonely",
            EVPN,
            "no route-target import 65000:10001",
            "route-target import 65000:19999",
        ),
        typed(
            PAIR,
            f"{PAIR_BGP} vrf lonely",
            EVPN,
            "route-target import 65000:10001",
            "no route-target import 65000:19999",
        ),
        (
            Cause(PAIR, EXTRA, "import 65000:19999"),
            Cause(PAIR, MISSING, "import 65000:10001"),
        ),
    ),
    Fault(
        "distinguisher-stolen",
        "evpn",
        "A tenant's VRF has the route distinguisher of the other leaf.",
        typed(PAIR, f"{PAIR_BGP} vrf lonely", EVPN, "rd 10.128.192.5:1"),
        typed(PAIR, f"{PAIR_BGP} vrf lonely", EVPN, "rd 10.128.192.7:1"),
        (Cause(PAIR, EXTRA, "rd 10.128.192.5:1"), Cause(PAIR, MISSING, "rd 10.128.192.7:1")),
    ),
    Fault(
        "tenant-unannounced",
        "evpn",
        "A leaf no longer announces the subnet of a tenant.",
        typed(FRONT, f"{FRONT_BGP} vrf lonely", IPV4, "no redistribute connected route-map RM-LONELY-ORIGINATED"),
        typed(FRONT, f"{FRONT_BGP} vrf lonely", IPV4, "redistribute connected route-map RM-LONELY-ORIGINATED"),
        (Cause(FRONT, MISSING, "redistribute connected"),),
    ),
    Fault(
        "next-hop-rewritten",
        "evpn",
        "A spine puts itself in as next hop of the overlay.",
        typed(TOP, "route-map RM-LEAVES-EVPN-OUT permit 10", "set ip next-hop 10.128.192.8"),
        typed(TOP, "route-map RM-LEAVES-EVPN-OUT permit 10", "no set ip next-hop"),
        (Cause(TOP, EXTRA, "set ip next-hop 10.128.192.8"),),
    ),
    Fault(
        "tenant-leak",
        "evpn",
        "Routes of a tenant are leaked into another.",
        typed(
            FRONT,
            f"{FRONT_BGP} vrf research",
            IPV4,
            "import vrf lonely",
            "no import vrf route-map",
        ),
        typed(
            FRONT,
            f"{FRONT_BGP} vrf research",
            IPV4,
            "no import vrf lonely",
            "import vrf route-map RM-RESEARCH-IMPORT",
        ),
        (Cause(FRONT, "isolation-route", "research"), Cause(FRONT, EXTRA, "import vrf lonely")),
        known=True,
    ),
)

LEARNED = (
    Fault(
        "mac-moved",
        "tables",
        "The MAC address of a server is nailed to another port.",
        on(
            FRONT,
            f"{MAC_OF} echo $mac >/run/fault.mac; bridge -n research fdb replace $mac dev swp2 master static sticky",
        ),
        on(FRONT, "bridge -n research fdb del $(cat /run/fault.mac) dev swp2 master || true"),
        (Cause(FRONT, "mac-by-hand", "port swp2"),),
    ),
    Fault(
        "neighbor-by-hand",
        "tables",
        "A gateway has a wrong MAC address of a server, set by hand.",
        on(FRONT, "ip -n research neigh replace 172.18.0.2 lladdr 02:de:ad:00:00:01 dev vlan110 nud permanent"),
        on(FRONT, "ip -n research neigh del 172.18.0.2 dev vlan110"),
        (Cause(FRONT, "neighbor-by-hand", "172.18.0.2"),),
    ),
    Fault(
        "neighbor-of-spine",
        "tables",
        "A leaf has a wrong MAC address of a spine, set by hand.",
        on(PAIR, "ip neigh replace 10.128.0.25 lladdr 02:de:ad:00:00:02 dev swp29 nud permanent"),
        on(PAIR, "ip neigh del 10.128.0.25 dev swp29"),
        (Cause(PAIR, "neighbor-by-hand", "10.128.0.25"),),
    ),
    Fault(
        "neighbor-noarp",
        "tables",
        "A leaf has a wrong MAC address of a spine, set by hand so that it shows as no permanent one.",
        on(PAIR, "ip neigh replace 10.128.0.25 lladdr 02:de:ad:00:00:02 dev swp29 nud noarp"),
        on(PAIR, "ip neigh del 10.128.0.25 dev swp29"),
        (Cause(PAIR, "neighbor-by-hand", "10.128.0.25"),),
    ),
    Fault(
        "address-twice",
        "tables",
        "Two servers of a tenant have one address.",
        on("train-001", "ip addr add 172.18.0.2/20 dev Slot2-port-2; ping -c 2 -I 172.18.0.2 172.18.0.1 || true"),
        on("train-001", "ip addr del 172.18.0.2/20 dev Slot2-port-2"),
        (Cause(FRONT, "address-duplicate", "172.18.0.2"), Cause(PAIR, "address-duplicate", "172.18.0.2")),
        known=True,
        why="FRR 8.4 announces no second owner of an address: lost pings tell it",
    ),
    Fault(
        "tunnel-learns",
        "tables",
        "A tunnel learns MAC addresses by itself, beside EVPN.",
        on(FRONT, "bridge -n research link set dev vni10004 learning on"),
        on(FRONT, "bridge -n research link set dev vni10004 learning off"),
        (Cause(FRONT, "tunnel-learns", "VNI 10004"),),
    ),
)

OVERLAY = (*GATEWAYS, *TUNNELS, *ROUTED, *LEARNED)
