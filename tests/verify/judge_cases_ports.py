"""Faults of one leaf's ports, cables and sessions, and what is said of each."""

from dataclasses import replace

from fabricgen.state.state import (
    IPV4,
    IPV6,
    LOOPBACK,
    Adjacency,
    BfdSession,
    Facts,
    FamilyState,
    Interface,
    Session,
    State,
)
from tests.verify.leaf import (
    LAG5,
    LO1,
    P1,
    P8,
    P9,
    P10,
    SUB,
    VLAN20,
    Case,
    added,
    bgp,
    both,
    case,
    changed,
    session,
    without,
)

PROBE = Adjacency("p1", "probe", "eth0")


def named(state: State) -> State:
    """A box with the name of another leaf."""
    return replace(state, facts=Facts("leaf7.example.net", "", "", ""))


PORTS: dict[str, Case] = {
    "another box answers": case(
        both(named, bgp(asn=65007, router_id="10.0.0.7"), changed("interfaces", P1, mtu=1500)),
        "another-switch",
        "management address | belongs to another switch",
        "leaf1 | leaf7.example.net | it has AS 65007 with router id 10.0.0.7; nothing else of it is compared",
    ),
    "another box answers, and nothing is known of its BGP": case(
        both(named, lambda state: replace(state, bgp=None)),
        "another-switch",
        "management address | belongs to another switch",
        "leaf1 | leaf7.example.net | nothing else of it is compared",
    ),
    "the box has another's name": case(
        both(named, changed("interfaces", P1, mtu=1500)),
        "another-name",
        "the switch | has another hostname",
        "leaf1 | leaf7.example.net",
        "mtu-wrong",
        "port p1 | accepts smaller packets than planned",
        "9214 octets | 1500 octets",
    ),
    "missing interface": case(
        without("interfaces", SUB), "interface-missing", "p2.900 | does not exist", "there | not there"
    ),
    "reserved port enabled": case(
        changed("interfaces", P10, admin_up=True),
        "interface-not-shut",
        "port p10 | is enabled",
        "shut down | enabled and down",
    ),
    "reserved port enabled and used": case(
        changed("interfaces", P10, admin_up=True, oper_up=True),
        "interface-not-shut",
        "port p10 | is enabled",
        "shut down | enabled and up",
    ),
    "server port shut by hand": case(
        changed("interfaces", P9, admin_up=False, oper_up=False),
        "interface-shut",
        "port p9 | is shut down",
        "enabled | shut down",
    ),
    "gateway down": case(
        changed("interfaces", VLAN20, oper_up=False), "interface-down", "vlan 20 | is down", "up | enabled and down"
    ),
    "gateway in another VRF": case(
        changed("interfaces", VLAN20, vrf="blue"), "interface-wrong-vrf", "vlan 20 | is in another VRF", "red | blue"
    ),
    "port in a VRF": case(
        changed("interfaces", P9, vrf="blue"),
        "interface-wrong-vrf",
        "port p9 | is in another VRF",
        "the default VRF | blue",
    ),
    "MTU too small": case(
        changed("interfaces", P1, mtu=1500),
        "mtu-wrong",
        "port p1 | accepts smaller packets than planned",
        "9214 octets | 1500 octets",
    ),
    "MTU too large on a routed port": case(
        changed("interfaces", P1, mtu=9500),
        "mtu-wrong",
        "port p1 | accepts larger packets than planned",
        "9214 octets | 9500 octets",
    ),
    "MTU too small on a bridged port": case(
        changed("interfaces", P9, mtu=1500),
        "mtu-wrong",
        "port p9 | accepts smaller packets than planned",
        "9214 octets | 1500 octets",
    ),
    "MTU of an aggregate": case(
        changed("interfaces", LAG5, mtu=1500),
        "mtu-wrong",
        "lag 5 | accepts smaller packets than planned",
        "9214 octets | 1500 octets",
    ),
    "address missing": case(
        changed("interfaces", P8, addresses=()), "address-missing", "port p8 | lacks an address", "10.2.0.0/31 | none"
    ),
    "address missing on a port that is shut": case(
        changed("interfaces", P9 - 1, addresses=(), admin_up=False, oper_up=False),
        "interface-shut",
        "port p8 | is shut down",
        "enabled | shut down",
        "address-missing",
        "port p8 | lacks an address",
        "10.2.0.0/31 | none | port p8 is shut down",
    ),
    "another address": case(
        changed("interfaces", P8, addresses=("10.2.0.0/30",)),
        "address-wrong",
        "port p8 | has another address",
        "10.2.0.0/31 | 10.2.0.0/30",
    ),
    "an address more": case(
        changed("interfaces", P8, addresses=("10.2.0.0/31", "192.0.2.1/24")),
        "address-unexpected",
        "port p8 | has an extra address",
        "10.2.0.0/31 | 10.2.0.0/31, 192.0.2.1/24",
    ),
    "VTEP address gone": case(
        changed("interfaces", LO1, addresses=()),
        "address-missing",
        "loopback 1 | lacks an address",
        "10.0.1.1/32 | none",
    ),
    "VTEP address in another VRF": case(
        changed("interfaces", LO1, vrf="blue"),
        "address-missing",
        "loopback 1 | lacks an address",
        "10.0.1.1/32 | none",
    ),
    "a loopback more in a tenant": case(
        added("interfaces", Interface("Loopback9", LOOPBACK, True, True, 0, ("10.9.9.9/32",), "red")),
        "address-unexpected",
        "loopbacks of red | have more addresses than planned",
        "172.30.0.1/32 | 10.9.9.9/32",
    ),
    "a loopback more": case(
        added("interfaces", Interface("Loopback9", LOOPBACK, True, True, 0, ("10.9.9.9/32",))),
        "address-unexpected",
        "loopbacks | have more addresses than planned",
        "10.0.0.1/32, 10.0.1.1/32, fd00::1:1/128 | 10.9.9.9/32",
    ),
    "no neighbor": case(
        without("lldp", 0),
        "lldp-missing",
        "port p1 (uplink 0 plane 0) | has no LLDP neighbor",
        "spine1 s1 | no neighbor",
    ),
    "no neighbor anywhere": case(
        lambda state: replace(state, lldp=()),
        "lldp-silent",
        "LLDP | has no neighbor on any port",
        "neighbors on 2 ports that are up | no neighbor",
    ),
    "another switch": case(
        changed("lldp", 0, system="spine9"),
        "lldp-wrong-peer",
        "port p1 (uplink 0 plane 0) | is cabled to another system",
        "spine1 s1 | spine9 s1",
    ),
    "two systems, neither right": case(
        both(changed("lldp", 0, port_id="s2"), lambda state: replace(state, lldp=(PROBE, *(state.lldp or ())))),
        "lldp-wrong-port",
        "port p1 (uplink 0 plane 0) | is cabled to another port",
        "spine1 s1 | spine1 s2",
    ),
    "two ports that hear nobody": case(
        without("lldp", 0, 1),
        "lldp-missing",
        "port p1 (uplink 0 plane 0) | has no LLDP neighbor",
        "spine1 s1 | no neighbor",
        "lldp-missing",
        "port p2 (uplink 1 plane 0) | has no LLDP neighbor",
        "spine2 s1 | no neighbor",
    ),
    "another port": case(
        changed("lldp", 0, port_id="s2"),
        "lldp-wrong-port",
        "port p1 (uplink 0 plane 0) | is cabled to another port",
        "spine1 s1 | spine1 s2",
    ),
    "another server": case(
        changed("lldp", 2, system="gpu-001"),
        "lldp-wrong-peer",
        "port p8 (rail 0 plane 0) | is cabled to another system",
        "gpu-000 nic 0 | gpu-001 nic 0",
    ),
    "another rail of the same server": case(
        changed("lldp", 2, port_id="nic 1"),
        "lldp-wrong-port",
        "port p8 (rail 0 plane 0) | is cabled to another port",
        "gpu-000 nic 0 | gpu-000 nic 1",
    ),
    "a switch without a name": case(
        changed("lldp", 0, system=""),
        "lldp-wrong-peer",
        "port p1 (uplink 0 plane 0) | is cabled to another system",
        "spine1 s1 | unnamed s1",
    ),
    "a cable that nobody planned": case(
        added("lldp", Adjacency("p10", "laptop", "eth0")),
        "lldp-unexpected-peer",
        "port p10 | has a cable that is not in the plan",
        "no neighbor | laptop eth0",
    ),
    "AS number typed by hand": case(
        bgp(asn=65999), "bgp-wrong-asn", "BGP | has another local AS", "AS 65001 | AS 65999"
    ),
    "another router id": case(
        bgp(router_id="10.9.9.9"), "bgp-wrong-router-id", "BGP | has another router id", "10.0.0.1 | 10.9.9.9"
    ),
    "no BGP": case(
        bgp(asn=0, router_id="", sessions=()),
        "bgp-not-running",
        "BGP | has no session at all",
        "AS 65001 with 6 sessions | none",
    ),
    "neighbor AS typed by hand": case(
        session(0, remote_as=65101, state="Active", families=()),
        "session-wrong-as",
        "session 10.1.0.1 on p1 (spine1 s1) | is set to another AS",
        "Established with AS 65100 | Active with AS 65101",
    ),
    "session down": case(
        session(5, state="Connect", families=()),
        "session-down",
        "session 172.31.0.1 in red on p2.900 (fw1) | is not established",
        "Established with AS 64601 | Connect with AS 64601",
    ),
    "family missing": case(
        session(4, families=(FamilyState(IPV4, 3),)),
        "session-family-missing",
        "session 10.0.0.101 (spine1) | does not carry evpn",
        "evpn | ipv4",
    ),
    "a family more": case(
        session(0, families=(FamilyState(IPV4, 3), FamilyState(IPV6, 3))),
        "session-family-unexpected",
        "session 10.1.0.1 on p1 (spine1 s1) | also carries ipv6",
        "ipv4 | ipv4, ipv6",
    ),
    "a neighbor more": case(
        lambda state: bgp(
            sessions=(*state.bgp.sessions, Session("red", "192.0.2.1", 64999, "Active", ())) if state.bgp else ()
        )(state),
        "session-unexpected",
        "session 192.0.2.1 in red | is not in the plan",
        "no neighbor | Active with AS 64999",
    ),
    "BFD down": case(
        changed("bfd", 0, up=False),
        "bfd-down",
        "session 10.1.0.1 on p1 (spine1 s1) | is down in BFD",
        "BFD up | BFD down",
    ),
    "BFD missing": case(
        without("bfd", 0),
        "bfd-missing",
        "session 10.1.0.1 on p1 (spine1 s1) | has no BFD session",
        "BFD up | no BFD session",
    ),
    "a BFD session more that is up": case(
        added("bfd", BfdSession("", "192.0.2.1", True)),
        "bfd-unexpected",
        "session 192.0.2.1 | has a BFD session that is not in the plan",
        "no BFD session | BFD up",
    ),
    "a BFD session more": case(
        added("bfd", BfdSession("", "192.0.2.1", False)),
        "bfd-unexpected",
        "session 192.0.2.1 | has a BFD session that is not in the plan",
        "no BFD session | BFD down",
    ),
}
