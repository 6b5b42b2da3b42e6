"""Faults of cables, ports, LLDP, MTU and addresses."""

from fabricgen.lab.model.lab import LabEnd
from tests.faults.acts import one_way, straight
from tests.faults.model import Cables, Called, Cause, Fault, cable, on

LEAF, OTHER, SPINE, SECOND = "be-leaf-000", "be-leaf-001", "be-spine-00", "be-spine-01"
FRONT, PAIR, TOP = "fe-leaf-000", "fe-leaf-001", "fe-spine-00"
UPLINK = cable("be-leaf-000/swp33s0", "be-spine-00/swp1s0")
NEXT = cable("be-leaf-001/swp33s0", "be-spine-00/swp1s1")
TRUNK = (cable("fe-leaf-000/swp29", "fe-spine-00/swp3"), cable("fe-leaf-000/swp31", "fe-spine-00/swp19"))
STRAY = cable("fe-spine-00/swp9", "fe-spine-01/swp9")
WRONG = LabEnd("be-spine-00", "swp60s1")
SILENT = "kill $(cat /run/fabricgen-lldpd.pid)"
SPEAKS = (
    "rm -f /run/lldpd.socket /run/lldpd.socket.lock; setsid lldpd -d -k -O /run/lldpd.conf </dev/null >/dev/null 2>&1 &"
    " echo $! >/run/fabricgen-lldpd.pid"
)
UPLINKS = "swp29 swp30 swp31 swp32"

CABLES = (
    Fault(
        "cable-cut",
        "cable",
        "A cable between a leaf and a spine is cut.",
        (Cables(pulled=(UPLINK,)),),
        (Cables(laid=(UPLINK,)),),
        (Cause(LEAF, "interface-down", "port swp33s0"), Cause(SPINE, "interface-down", "port swp1s0")),
        known=True,
    ),
    Fault(
        "trunk-cut",
        "cable",
        "A digger cuts the trunk: every cable between a leaf and one spine.",
        (Cables(pulled=TRUNK),),
        (Cables(laid=TRUNK),),
        (
            Cause(FRONT, "interface-down", "port swp29"),
            Cause(FRONT, "interface-down", "port swp31"),
            Cause(TOP, "interface-down", "port swp3"),
            Cause(TOP, "interface-down", "port swp19"),
        ),
    ),
    Fault(
        "cable-one-way",
        "cable",
        "A fiber carries light towards the spine only.",
        (Called(LEAF, one_way(UPLINK)),),
        (Called(LEAF, straight(UPLINK)),),
        (Cause(LEAF, "lldp-missing", "port swp33s0"),),
        known=True,
    ),
    Fault(
        "cable-wrong-hole",
        "cable",
        "After maintenance a cable is in another hole of the right spine.",
        (Cables(pulled=(UPLINK,), laid=((UPLINK[0], WRONG),)),),
        (Cables(pulled=((UPLINK[0], WRONG),), laid=(UPLINK,)),),
        (Cause(LEAF, "lldp-wrong-port", "port swp33s0"),),
        known=True,
    ),
    Fault(
        "cables-swapped",
        "cable",
        "Two cables of two leaves are swapped at the spine.",
        (Cables(pulled=(UPLINK, NEXT), laid=((UPLINK[0], NEXT[1]), (NEXT[0], UPLINK[1]))),),
        (Cables(pulled=((UPLINK[0], NEXT[1]), (NEXT[0], UPLINK[1])), laid=(UPLINK, NEXT)),),
        (
            Cause(LEAF, "lldp-wrong-port", "port swp33s0"),
            Cause(OTHER, "lldp-wrong-port", "port swp33s0"),
            Cause(SPINE, "lldp-wrong-peer", "port swp1s"),
        ),
        known=True,
    ),
    Fault(
        "cable-stray",
        "cable",
        "Somebody joins two spines by free ports.",
        (Cables(laid=(STRAY,)),),
        (Cables(pulled=(STRAY,)),),
        (
            Cause(TOP, "lldp-unexpected-peer", "port swp9"),
            Cause("fe-spine-01", "lldp-unexpected-peer", "port swp9"),
        ),
    ),
)

PORTS = (
    Fault(
        "port-shut-leaf",
        "port",
        "An uplink is shut at the leaf.",
        on(LEAF, "ip link set swp33s0 down"),
        on(LEAF, "ip link set swp33s0 up"),
        (Cause(LEAF, "interface-shut", "port swp33s0"),),
        known=True,
    ),
    Fault(
        "uplinks-all-shut",
        "port",
        "All uplinks of a leaf are shut: its servers talk to nobody else.",
        on(PAIR, f"for port in {UPLINKS}; do ip link set $port down; done"),
        on(PAIR, f"for port in {UPLINKS}; do ip link set $port up; done"),
        tuple(Cause(PAIR, "interface-shut", f"port {port}") for port in UPLINKS.split()),
    ),
    Fault(
        "server-nic-dark",
        "port",
        "A backend NIC of a server has no light.",
        on("train-000", "ip link set OSFP4P2 down"),
        on("train-000", "ip link set OSFP4P2 up; ip route replace 10.64.0.0/16 via 10.64.0.0 dev OSFP4P2"),
        (Cause(LEAF, "interface-down", "port swp1s0"),),
    ),
    Fault(
        "server-port-shut",
        "port",
        "The port of a server is shut at the frontend leaf.",
        on(FRONT, "ip link set swp1 down"),
        on(FRONT, "ip link set swp1 up"),
        (Cause(FRONT, "interface-shut", "port swp1"),),
    ),
    Fault(
        "port-not-shut",
        "port",
        "The port of a server without a tenant is opened.",
        on(FRONT, "ip link set swp7 up"),
        on(FRONT, "ip link set swp7 down"),
        (Cause(FRONT, "interface-not-shut", "port swp7"),),
    ),
    Fault(
        "mtu-uplink",
        "mtu",
        "An uplink is left at 1500 octets.",
        on(LEAF, "ip link set swp33s1 mtu 1500"),
        on(LEAF, "ip link set swp33s1 mtu 9214; ip addr replace fd5e:8c1f:2a00::82/127 dev swp33s1"),
        (Cause(LEAF, "mtu-wrong", "port swp33s1"),),
        known=True,
    ),
    Fault(
        "mtu-larger",
        "mtu",
        "One end of a cable takes larger packets than the other.",
        on(SECOND, "ip link set swp1s1 mtu 9600"),
        on(SECOND, "ip link set swp1s1 mtu 9214"),
        (Cause(SECOND, "mtu-wrong", "port swp1s1"),),
    ),
    Fault(
        "mtu-gateway",
        "mtu",
        "The gateway of a tenant's network has another MTU on one leaf.",
        on(PAIR, "ip -n research link set vlan110 mtu 1500"),
        on(
            PAIR,
            "ip -n research link set vlan110 mtu 9164;"
            " ip -n research addr replace fd5e:8c1f:2a00:2110::1/64 dev vlan110 nodad",
        ),
        (Cause(PAIR, "mtu-wrong", "110"),),
    ),
)

DISCOVERY = (
    Fault(
        "lldp-stopped",
        "lldp",
        "LLDP is stopped on a spine.",
        on(SECOND, SILENT),
        on(SECOND, SPEAKS),
        (Cause(SECOND, "lldp-silent", "LLDP"),),
    ),
    Fault(
        "lldp-port-mute",
        "lldp",
        "LLDP does not send on one port any more.",
        on(SPINE, "lldpcli configure ports swp1s1 lldp status rx-only"),
        on(SPINE, "lldpcli configure ports swp1s1 lldp status rx-and-tx"),
        (Cause(OTHER, "lldp-missing", "port swp33s0"),),
    ),
    Fault(
        "lldp-renamed",
        "lldp",
        "A spine calls itself otherwise in LLDP.",
        on(SPINE, "lldpcli configure system hostname core-1"),
        on(SPINE, f"lldpcli configure system hostname {SPINE}"),
        (Cause(SPINE, "lldp-renamed", SPINE),),
        known=True,
    ),
)

ADDRESSES = (
    Fault(
        "address-lost",
        "address",
        "An uplink has lost its IPv4 address.",
        on(OTHER, "ip addr del 10.64.1.128/31 dev swp33s0"),
        on(OTHER, "ip addr add 10.64.1.128/31 dev swp33s0"),
        (Cause(OTHER, "address-missing", "port swp33s0"),),
    ),
    Fault(
        "address-lost-v6",
        "address",
        "An uplink has lost its IPv6 address.",
        on(PAIR, "ip addr del fd5e:8c1f:2a00:1000::1a/127 dev swp30"),
        on(PAIR, "ip addr add fd5e:8c1f:2a00:1000::1a/127 dev swp30"),
        (Cause(PAIR, "address-missing", "port swp30"),),
    ),
    Fault(
        "address-mistyped",
        "address",
        "An uplink has the address of another link.",
        on(LEAF, "ip addr add 10.64.0.138/31 dev swp34s1; ip addr del 10.64.0.134/31 dev swp34s1"),
        on(LEAF, "ip addr add 10.64.0.134/31 dev swp34s1; ip addr del 10.64.0.138/31 dev swp34s1"),
        (Cause(LEAF, "address-wrong", "port swp34s1"),),
    ),
    Fault(
        "address-one-more",
        "address",
        "A port of a spine was given a second address for a test.",
        on(TOP, "ip addr add 192.0.2.1/24 dev swp1"),
        on(TOP, "ip addr del 192.0.2.1/24 dev swp1"),
        (Cause(TOP, "address-unexpected", "port swp1"),),
    ),
    Fault(
        "address-length",
        "address",
        "A server's port has /24 where /31 is planned.",
        on(OTHER, "ip addr add 10.64.1.0/24 dev swp1s0; ip addr del 10.64.1.0/31 dev swp1s0"),
        on(OTHER, "ip addr del 10.64.1.0/24 dev swp1s0; ip addr add 10.64.1.0/31 dev swp1s0"),
        (Cause(OTHER, "address-wrong", "port swp1s0"),),
    ),
    Fault(
        "vtep-address-lost",
        "address",
        "A leaf has lost the address that its tunnels start from.",
        on(FRONT, "ip addr del 10.128.192.5/32 dev lo"),
        on(FRONT, "ip addr add 10.128.192.5/32 dev lo"),
        (Cause(FRONT, "address-missing", "10.128.192.5"),),
    ),
    Fault(
        "loopback-stolen",
        "address",
        "A leaf has the loopback of its mate as well as its own.",
        on(PAIR, "ip addr add 10.128.192.4/32 dev lo"),
        on(PAIR, "ip addr del 10.128.192.4/32 dev lo"),
        (Cause(PAIR, "address-unexpected", "10.128.192.4"),),
    ),
    Fault(
        "way-into-a-tenant",
        "address",
        "An interface made by hand is a way into a tenant's VRF.",
        on(
            FRONT,
            "ip -n research link add by-hand type veth peer by-hand-2;"
            " ip -n research addr add 192.0.2.9/24 dev by-hand; ip -n research link set by-hand up",
        ),
        on(FRONT, "ip -n research link del by-hand"),
        (Cause(FRONT, "address-unexpected", "by-hand"),),
    ),
)

LINKS = (*CABLES, *PORTS, *DISCOVERY, *ADDRESSES)
