"""The operational state of one switch as it was read. Names are OpenConfig's and the RFCs'.

A part that was not read, or could not be understood, is None, and `unread` says why; an empty tuple is a switch that
showed none. The default VRF is "". Addresses are canonical text; VRFs have the plan's names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

ETHERNET, LOOPBACK, SVI, LAG, SUBINTERFACE, OTHER = "ethernet", "loopback", "svi", "lag", "subinterface", "other"
IPV4, IPV6, EVPN = "ipv4", "ipv6", "evpn"
L2, L3 = "l2", "l3"


class Facts(NamedTuple):
    """Who answered. Empty where the platform does not say."""

    hostname: str
    version: str
    model: str
    serial: str


class Interface(NamedTuple):
    """One interface.

    kind       ethernet, loopback, svi, lag, subinterface, other
    mtu        octets of the largest IP packet; 0 where not said
    addresses  with length, canonical, sorted; no link-local ones
    vlan_id    of an svi or subinterface, else 0
    fault      why the switch itself took a port out of service, in its own word: errdisabled; else empty
    members    ports that a lag bundles now, sorted; None where not said, and of all else
    vlans      (tag, VLAN) of a bridged port, sorted, tag 0 for untagged frames; None where not said
    mac        of an svi, aa:bb:cc:dd:ee:ff; empty where not said, and of all else
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
    """One LLDP neighbor of a port: the far system's name and the far port's id, as that system sends them."""

    port: str
    system: str
    port_id: str


class FamilyState(NamedTuple):
    """One negotiated address family of a session: ipv4, ipv6, evpn. `received` prefixes; -1 where not said."""

    name: str
    received: int


class Session(NamedTuple):
    """One BGP session. `state` is the FSM's word of RFC 4271 (Established, Active, …).

    up_seconds  since it is established; -1 where it is not, or that is not said
    ends        times that it has left Established, or has reached it: it grows when it is reset; -1 where not said
    since       when it was established, seconds of the switch's own calendar; -1 where not said
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
    """The speaker and its sessions. `asn` 0 and `router_id` empty where not said."""

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

    weight  its share of the traffic against the others'; 1 where that is not said
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
    """One VNI: l2 or l3. `vlan_id` 0 and `vrf` empty where not said; `vteps` it floods to, sorted (of an l2 one).

    learning  its tunnel learns MAC addresses from frames, beside EVPN; None where not said
    """

    vni: int
    kind: str
    vlan_id: int
    vrf: str
    vteps: tuple[str, ...]
    up: bool
    learning: bool | None = None


class StaticMac(NamedTuple):
    """An entry of a MAC table that was set by hand. `vlan_id` 0 where not said; mac: aa:bb:cc:dd:ee:ff."""

    interface: str
    vlan_id: int
    mac: str


class StaticNeighbor(NamedTuple):
    """An entry of ARP or IPv6 neighbor discovery that was set by hand. mac: aa:bb:cc:dd:ee:ff."""

    vrf: str
    interface: str
    address: str
    mac: str


class EvpnRoute(NamedTuple):
    """One EVPN route (RFC 7432, RFC 9136).

    route_type  1 to 5
    rd          route distinguisher as a.b.c.d:n
    key         what identifies it behind the RD: the prefix (5), originator (3), MAC or "MAC IP" (2), ESI (1, 4)
    next_hop    VTEP; empty for a route of the switch's own
    tag         Ethernet tag of a route of type 2, 3 or 5, by which bundles of VLANs tell their routes apart; 0 where
                there is none, or the system does not show it
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
    """What one port says of its lossless settings. None where it was not said."""

    port: str
    pfc: bool | None
    pfc_priorities: tuple[int, ...] | None
    watchdog: bool | None
    ecn: tuple[EcnState, ...] | None


class Drops(NamedTuple):
    """Packets that a port dropped of one traffic class, or of several that are counted together, sorted."""

    classes: tuple[int, ...]
    packets: int


class PortCounters(NamedTuple):
    """What one port counted since its counters were cleared.

    pfc_received, pfc_sent  pause frames; -1 where not said
    ecn_marked  queue → packets marked; None: marking is not configured there
    dropped     by traffic class; a class that no row has is not counted
    """

    port: str
    pfc_received: int
    pfc_sent: int
    ecn_marked: tuple[tuple[int, int | None], ...]
    dropped: tuple[Drops, ...]


class LinkCounters(NamedTuple):
    """What one port counted of its link since its counters began. None where that is not counted, or not said.

    flaps     changes of the link's state, as the system counts them: both ways, or one
    crc       frames received with a wrong check sequence
    fec       code words that forward error correction could not mend
    watchdog  queues that the PFC watchdog found stuck
    """

    port: str
    flaps: int | None = None
    crc: int | None = None
    fec: int | None = None
    watchdog: int | None = None


class PolicyRule(NamedTuple):
    """One rule that sends packets to a routing table by more than their VRF. `text` as the platform writes it."""

    vrf: str
    priority: int
    text: str


class Daemon(NamedTuple):
    """One program of the platform that configuration and forwarding depend on.

    hangs   it runs and answers nothing
    serves  what it is needed for: sessions, bfd, routes, vnis, evpn
    """

    name: str
    running: bool
    serves: tuple[str, ...]
    hangs: bool = False


class Shaper(NamedTuple):
    """A queueing discipline that holds back, limits or drops what a port sends.

    kind, text  in the system's own words
    vrf         whose namespace the port is in
    """

    port: str
    kind: str
    text: str
    vrf: str = ""


class SideFile(NamedTuple):
    """A file of the switch beside its main configuration. name: of its artifact; text None: there is no such file."""

    name: str
    text: str | None


class Pushed(NamedTuple):
    """What a push had committed last on a switch, in the text that the switch printed then. at: UTC, for people."""

    run: int
    at: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One switch. `unread`: part → why it is None; `running`: the configuration in the platform's own text.

    startup      the configuration that it would start with, in the same text
    pushed       the one that a push had committed there last; None where nobody knows
    files        those beside it that can be read back
    settings     parameters of the kernel that are in force: name → value
    shapers      queueing disciplines that no plan has
    counters     `unread` may have MARKS or QUEUE_DROPS where the others were read
    links        what ports count of their links; `unread` may have one of LINKS where the others were read
    static_macs, static_neighbors  of tables of MAC addresses and neighbors, what was set by hand beside any
                 configuration
    maintenance  what is being taken out of service by hand; None where the platform has no such mode, or did not say
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
"""Fields of State that a switch of any platform is asked for, or that its Reader calls unseen."""

MARKS, QUEUE_DROPS = "marks", "queue drops"
"""Halves of counters, of which one can be unread without the other."""
LINKS: Mapping[str, str] = MappingProxyType(
    {"flaps": "link flaps", "crc": "link crc", "fec": "link fec", "watchdog": "link watchdog"}
)
"""Field of LinkCounters → its name in `unread`."""
