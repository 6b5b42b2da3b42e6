"""Operational state of one switch as read from it. Names follow OpenConfig and the RFCs.

A part that was not read, or could not be parsed, is None, and `unread` says why. An empty tuple means that the switch
has none. The default VRF is "". Addresses are canonical text. VRFs have the plan's names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

ETHERNET, LOOPBACK, SVI, LAG, SUBINTERFACE, OTHER = "ethernet", "loopback", "svi", "lag", "subinterface", "other"
IPV4, IPV6, EVPN = "ipv4", "ipv6", "evpn"
L2, L3 = "l2", "l3"
ESTABLISHED = "Established"
"""State of a BGP session that is up (RFC 4271, section 8.2.2)."""


class Facts(NamedTuple):
    """Identity of the switch that answered. Empty where the platform does not report it."""

    hostname: str
    version: str
    model: str
    serial: str


class Interface(NamedTuple):
    """One interface.

    kind       ethernet, loopback, svi, lag, subinterface, other
    mtu        octets of the largest IP packet; 0 where not reported
    addresses  with prefix length, canonical, sorted, without link-local ones
    vlan_id    of an svi or subinterface, else 0
    fault      why the switch itself took a port out of service, as the switch names it, e.g. errdisabled; else empty
    members    active member ports of a lag, sorted; None where not reported, and for all other kinds
    vlans      (tag, VLAN) of a bridged port, sorted, tag 0 for untagged frames; None where not reported
    mac        of an svi, aa:bb:cc:dd:ee:ff; empty where not reported, and for all other kinds
    """

    name: str
    kind: str
    admin_up: bool
    oper_up: bool
    mtu: int
    addresses: tuple[str, ...]
    vrf: str = ""
    vlan_id: int = 0
    fault: str = ""
    members: tuple[str, ...] | None = None
    vlans: tuple[tuple[int, int], ...] | None = None
    mac: str = ""


class Adjacency(NamedTuple):
    """One LLDP neighbor of a port: the remote system's name and port id, as that system sends them."""

    port: str
    system: str
    port_id: str


class FamilyState(NamedTuple):
    """One negotiated address family of a session: ipv4, ipv6, evpn. `received` prefixes; -1 where not reported."""

    name: str
    received: int


class Session(NamedTuple):
    """One BGP session. `state` is the FSM state of RFC 4271 (Established, Active, …).

    up_seconds  seconds since it became Established; -1 where it is not, or where that is not reported
    ends        how often it left, or reached, Established: a reset raises it; -1 where not reported
    since       when it became Established, in seconds of the switch's own calendar; -1 where not reported
    """

    vrf: str
    peer: str
    remote_as: int
    state: str
    families: tuple[FamilyState, ...]
    up_seconds: int = -1
    ends: int = -1
    since: float = -1.0


class BgpState(NamedTuple):
    """The BGP speaker and its sessions. `asn` is 0 and `router_id` empty where not reported."""

    asn: int
    router_id: str
    sessions: tuple[Session, ...]


class BfdSession(NamedTuple):
    """One BFD session."""

    vrf: str
    peer: str
    up: bool


class Hop(NamedTuple):
    """One next hop: its address (empty where only the interface is known) and its interface.

    weight  its share of the traffic relative to the other next hops; 1 where not reported
    """

    address: str
    interface: str
    weight: int = 1


class Route(NamedTuple):
    """One route of the forwarding table, never of a RIB. A discard route has no hops."""

    vrf: str
    prefix: str
    protocol: str
    hops: tuple[Hop, ...]


class Vni(NamedTuple):
    """One VNI: l2 or l3. `vlan_id` is 0 and `vrf` empty where not reported.

    vteps     the VTEPs to which an l2 VNI floods, sorted
    learning  whether its tunnel learns MAC addresses from frames, in addition to EVPN; None where not reported
    """

    vni: int
    kind: str
    vlan_id: int
    vrf: str
    vteps: tuple[str, ...]
    up: bool
    learning: bool | None = None


class StaticMac(NamedTuple):
    """A static entry of a MAC table. `vlan_id` 0 where not reported; mac: aa:bb:cc:dd:ee:ff."""

    interface: str
    vlan_id: int
    mac: str


class StaticNeighbor(NamedTuple):
    """A static entry of the ARP or IPv6 neighbor table. mac: aa:bb:cc:dd:ee:ff."""

    vrf: str
    interface: str
    address: str
    mac: str


class EvpnRoute(NamedTuple):
    """One EVPN route (RFC 7432, RFC 9136).

    route_type  1 to 5
    rd          route distinguisher as a.b.c.d:n
    key         identifies it after the RD: prefix (5), originator (3), MAC or "MAC IP" (2), ESI (1, 4)
    next_hop    VTEP; empty for the switch's own route
    tag         Ethernet tag of a route of type 2, 3 or 5, which separates the routes of VLANs in one VLAN-aware bundle;
                0 where there is none, or where the system does not show it
    """

    route_type: int
    rd: str
    key: str
    next_hop: str
    tag: int = 0


class EcnState(NamedTuple):
    """Marking of one queue. Octets; percent at the maximum."""

    queue: int
    minimum_octets: int
    maximum_octets: int
    probability_percent: int


class PortQos(NamedTuple):
    """Lossless settings of one port. None where not reported."""

    port: str
    pfc: bool | None
    pfc_priorities: tuple[int, ...] | None
    watchdog: bool | None
    ecn: tuple[EcnState, ...] | None


class Drops(NamedTuple):
    """Packets that a port dropped in one traffic class, or in several that are counted together; classes sorted."""

    classes: tuple[int, ...]
    packets: int


class PortCounters(NamedTuple):
    """What one port counted since its counters were cleared.

    pfc_received, pfc_sent  pause frames; -1 where not reported
    ecn_marked  queue → packets marked; None: marking is not configured there
    dropped     by traffic class; a class without a row is not counted
    """

    port: str
    pfc_received: int
    pfc_sent: int
    ecn_marked: tuple[tuple[int, int | None], ...]
    dropped: tuple[Drops, ...]


class LinkCounters(NamedTuple):
    """Link counters of one port since they started. None where not counted, or not reported.

    flaps     changes of the link's state, as the system counts them: both directions, or one
    crc       frames received with a wrong check sequence
    fec       code words that forward error correction could not correct
    watchdog  queues that the PFC watchdog found stuck
    """

    port: str
    flaps: int | None = None
    crc: int | None = None
    fec: int | None = None
    watchdog: int | None = None


class PolicyRule(NamedTuple):
    """One rule that selects a routing table by more than the VRF of a packet. `text` as the platform writes it."""

    vrf: str
    priority: int
    text: str


class Daemon(NamedTuple):
    """One program of the platform that configuration and forwarding depend on.

    hangs   it runs but does not answer
    serves  what needs it: sessions, bfd, routes, vnis, evpn
    """

    name: str
    running: bool
    serves: tuple[str, ...]
    hangs: bool = False


class Shaper(NamedTuple):
    """A queueing discipline that delays, limits or drops what a port sends.

    kind, text  in the system's own words
    vrf         VRF whose namespace holds the port
    """

    port: str
    kind: str
    text: str
    vrf: str = ""


class SideFile(NamedTuple):
    """A file of the switch other than its main configuration. name: of its artifact; text None: the file is missing."""

    name: str
    text: str | None


class Pushed(NamedTuple):
    """What a push last committed on a switch, in the text that the switch printed then. at: UTC, for people."""

    run: int
    at: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One switch. `unread`: part → why it is None; `running`: the configuration in the platform's own text.

    startup      the configuration that the switch would boot with, in the same text
    pushed       the one that a push last committed there; None where unknown
    files        further files of the configuration that can be read back
    settings     kernel parameters in force: name → value
    shapers      queueing disciplines that no plan has
    counters     `unread` may have MARKS or QUEUE_DROPS where the other counters were read
    links        link counters of ports; `unread` may have one of LINKS where the others were read
    static_macs, static_neighbors  static entries of MAC and neighbor tables that are in no configuration
    maintenance  what an operator is taking out of service; None where the platform has no such mode, or did not report
                 it
    """

    facts: Facts | None = None
    interfaces: tuple[Interface, ...] | None = None
    lldp: tuple[Adjacency, ...] | None = None
    bgp: BgpState | None = None
    bfd: tuple[BfdSession, ...] | None = None
    routes: tuple[Route, ...] | None = None
    vnis: tuple[Vni, ...] | None = None
    evpn: tuple[EvpnRoute, ...] | None = None
    qos: tuple[PortQos, ...] | None = None
    counters: tuple[PortCounters, ...] | None = None
    running: str | None = None
    unread: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[PolicyRule, ...] | None = None
    daemons: tuple[Daemon, ...] | None = None
    maintenance: tuple[str, ...] | None = None
    startup: str | None = None
    files: tuple[SideFile, ...] | None = None
    settings: Mapping[str, str] | None = None
    shapers: tuple[Shaper, ...] | None = None
    links: tuple[LinkCounters, ...] | None = None
    pushed: Pushed | None = None
    static_macs: tuple[StaticMac, ...] | None = None
    static_neighbors: tuple[StaticNeighbor, ...] | None = None


PARTS = ("facts", "interfaces", "lldp", "bgp", "bfd", "routes", "vnis", "evpn", "qos", "counters", "running")
"""Fields of State that every switch is asked for, except those that its platform's Reader lists as unseen."""

MARKS, QUEUE_DROPS = "marks", "queue drops"
"""Halves of counters, of which one can be unread without the other."""
LINKS: Mapping[str, str] = {"flaps": "link flaps", "crc": "link crc", "fec": "link fec", "watchdog": "link watchdog"}
"""Field of LinkCounters → its name in `unread`."""
