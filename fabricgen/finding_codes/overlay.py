"""Finding codes of VNIs, EVPN routes, and reachability between servers."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

VNIS = LiveCheck(
    "vnis",
    "Every planned VNI: its kind, VLAN, VRF and state, and the VTEPs that an L2 VNI floods to.",
    (
        FindingCode(
            "vni-missing",
            "The switch does not have the VNI: the network or VRF does not exist here.",
            "Load the rendered configuration; see drift for its lines.",
        ),
        FindingCode(
            "vni-wrong-kind",
            "An L2 VNI is used as an L3 VNI, or the reverse.",
            "It is bound to a VRF instead of a VLAN, or the reverse: two VNIs are exchanged.",
        ),
        FindingCode(
            "vni-wrong-vlan",
            "The VNI is bound to another VLAN: two networks are connected, or one is split.",
            "Bind it to the planned VLAN.",
        ),
        FindingCode(
            "vni-wrong-vrf",
            "The VNI is in another VRF: its routes reach the wrong tenant.",
            "Bind it to the planned VRF.",
        ),
        FindingCode(
            "vni-down",
            "The VNI is configured, but down.",
            "Its VLAN or bridge, the tunnel interface, or the source loopback of the tunnel is down or missing.",
        ),
        FindingCode(
            "tunnel-learns",
            "The tunnel of a VNI learns MAC addresses from frames, in addition to EVPN: a frame with a forged source "
            "moves a server to another leaf.",
            "Learning was turned on manually. Turn it off (`bridge link set dev DEVICE learning off`), or load the "
            "interfaces"
            " file again.",
        ),
        FindingCode(
            "mac-by-hand",
            "A static MAC entry was added to a port or a tunnel: it never ages. In a tunnel, or with `sticky`,"
            " frames to it always go there, even if the server moves.",
            "Left over from a repair. Remove it (`bridge fdb del MAC dev INTERFACE master`); the switch then learns"
            " it again.",
        ),
        FindingCode(
            "vni-unexpected",
            "The switch has a VNI that is not in its plan.",
            "The network was removed from the intent, or was configured manually. Remove it, or add it to the intent.",
        ),
        FindingCode(
            "vtep-missing",
            "An L2 VNI does not flood to a VTEP that also has it: broadcasts do not reach the servers there.",
            "That switch does not announce its type 3 route, or the EVPN sessions in between are down.",
        ),
        FindingCode(
            "vtep-unexpected",
            "An L2 VNI floods to a VTEP that should not have it.",
            "The other switch is not in the plan, or has an extra VNI. Check that switch, not this one.",
        ),
    ),
)

EVPN = LiveCheck(
    "evpn",
    "EVPN routes that every switch must have, by type (RFC 7432, RFC 9136), with their next-hop VTEP; own flooding "
    "routes that are not in the plan; addresses that several hosts of a network have.",
    (
        FindingCode(
            "evpn-missing",
            "Planned EVPN routes of another switch are missing.",
            "That switch does not announce them, no EVPN session on the way is established, or an import target does"
            " not match. A port channel that is down announces none, and is not counted.",
        ),
        FindingCode(
            "evpn-next-hop",
            "The route exists, but its next hop is another VTEP.",
            "A switch on the path has set itself as next hop, or two switches have the same route distinguisher.",
        ),
        FindingCode(
            "address-duplicate",
            "Hosts on different leaves have the same address in one network: packets go to one or the other.",
            "The actual value names each MAC address and its leaf. Find the two ports by their MAC addresses, and "
            "give one host another address. A host that has just moved can look the same for a moment: query again "
            "with --retry.",
        ),
        FindingCode(
            "evpn-unexpected",
            "The switch announces flooding for a VNI that is not in its plan.",
            "See vni-unexpected: an extra VNI.",
        ),
    ),
)

PINGS = LiveCheck(
    "pings",
    "In a lab, pings between servers: those that must reach each other, and those that must not.",
    (
        FindingCode(
            "ping-lost",
            "Servers that must reach each other do not.",
            "Fix findings of the switches between them first. If there are none, check the server's own address, "
            "route or filter.",
        ),
        FindingCode(
            "ping-loss",
            "Some packets arrive and some do not.",
            "One of several equal paths is broken, or the fabric is still converging: query again with --retry.",
        ),
        FindingCode(
            "ping-leak",
            "Servers that must be isolated reach each other.",
            "See the isolation findings of the switches. Otherwise there is a path around the fabric, such as the "
            "servers' management network.",
        ),
    ),
)

PATHS = LiveCheck(
    "paths",
    "With --paths, in a lab: packets over every equal-cost path between leaves, of backends and of overlays.",
    (
        FindingCode(
            "path-cable",
            "Packets are lost on the paths over one cable, in one direction or both, and on no others.",
            "A bad transceiver, fiber or port; if only full-size packets are lost, the MTU at one end.",
        ),
        FindingCode(
            "path-switch",
            "Packets are lost on the paths through one switch, whichever cables they take.",
            "The switch drops packets while its sessions are up: drain it, then check its drop counters.",
        ),
        FindingCode(
            "path-unused",
            "No flow uses a planned path, whatever its source port.",
            "A route lacks a next hop (see routes), the hash leaves ports out (fib_multipath_hash_policy of Linux), "
            "or two switches on the path use the same hash.",
        ),
    ),
)
