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
            "A VNI for bridging is used for routing, or the other way round.",
            "It is bound to a VRF instead of a VLAN, or the reverse: two numbers are exchanged.",
        ),
        FindingCode(
            "vni-wrong-vlan",
            "The VNI is bound to another VLAN: two networks are joined, or one is cut.",
            "Bind it to the planned VLAN.",
        ),
        FindingCode(
            "vni-wrong-vrf",
            "The VNI is in another VRF: its routes reach the wrong tenant.",
            "Bind it to the planned VRF.",
        ),
        FindingCode(
            "vni-down",
            "The VNI is configured and down.",
            "Its VLAN or bridge, the tunnel interface, or the loopback that the tunnel starts from is down or missing.",
        ),
        FindingCode(
            "tunnel-learns",
            "The tunnel of a VNI learns MAC addresses from frames, beside EVPN: a frame with a forged source moves"
            " a server to another leaf.",
            "Somebody turned it on. Turn it off (`bridge link set dev DEVICE learning off`), or load the interfaces"
            " file again.",
        ),
        FindingCode(
            "mac-by-hand",
            "A static MAC entry was added to a port or a tunnel: it never ages. In a tunnel, or with `sticky`,"
            " frames to it go there wherever the server is.",
            "Left over from a repair. Remove it (`bridge fdb del MAC dev INTERFACE master`); the switch then learns"
            " it again.",
        ),
        FindingCode(
            "vni-unexpected",
            "The switch has a VNI that the plan does not give it.",
            "A network that was removed from the intent, or was configured by hand. Remove it, or plan it.",
        ),
        FindingCode(
            "vtep-missing",
            "An L2 VNI does not flood to a VTEP that has it, too: broadcasts do not reach the servers there.",
            "That switch does not announce its type 3 route, or the EVPN sessions in between are down.",
        ),
        FindingCode(
            "vtep-unexpected",
            "An L2 VNI floods to a VTEP that should not have it.",
            "A switch that is not of the plan, or one with a VNI too many, has joined. Look there, not here.",
        ),
    ),
)

EVPN = LiveCheck(
    "evpn",
    "Routes of EVPN that every switch must hold, by type (RFC 7432, RFC 9136), with the VTEP that they lead to; own"
    " flooding routes that nobody planned; addresses that several hosts of a network have.",
    (
        FindingCode(
            "evpn-missing",
            "Planned EVPN routes of a switch are not here.",
            "That switch does not announce them, no EVPN session on the way is established, or an import target does"
            " not match. An aggregate that is down announces none, and is not counted.",
        ),
        FindingCode(
            "evpn-next-hop",
            "The route is here and leads to another VTEP.",
            "A switch in between has put itself in as next hop, or two switches have the same route distinguisher.",
        ),
        FindingCode(
            "address-duplicate",
            "Hosts behind different leaves have one address in one network: packets go to now one, now the other.",
            "The actual value names each MAC address and the leaf that it is at. Find the two ports by their MAC"
            " addresses, and give one host another address. A host that has just moved its address shows so for a"
            " moment, too: ask again with --retry.",
        ),
        FindingCode(
            "evpn-unexpected",
            "The switch announces that it floods for a VNI that the plan does not give it.",
            "See vni-unexpected: a VNI too many.",
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
            "Findings of the switches between them come first. If there are none: the server's own address, route or"
            " filter.",
        ),
        FindingCode(
            "ping-loss",
            "Some packets arrive and some do not.",
            "One of several equal paths is broken, or the fabric still converges: ask again with --retry.",
        ),
        FindingCode(
            "ping-leak",
            "Servers that must be kept apart reach each other.",
            "See isolation on the switches; else a way around the fabric, such as the servers' management network.",
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
            "A bad transceiver, fiber or port; where full-size packets alone are lost, an MTU at one end of it.",
        ),
        FindingCode(
            "path-switch",
            "Packets are lost on the paths through one switch, whichever cables they take.",
            "A switch that drops what it forwards while its sessions are up: drain it, then look at its drop counters.",
        ),
        FindingCode(
            "path-unused",
            "A path that the plan has is taken by no flow, whatever its source port.",
            "A route lacks a next hop (see routes), the hash leaves ports out (fib_multipath_hash_policy of Linux), or"
            " two switches in a row hash alike.",
        ),
    ),
)
