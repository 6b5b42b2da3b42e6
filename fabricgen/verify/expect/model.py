"""What one switch must show. Derived from Devices; never from a device. Names as in `state`; VRFs as in the plan."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.state.state import EcnState
from fabricgen.verify.finding import FindingEnd


class ExpectedInterface(NamedTuple):
    """One interface. `up` None: up and down are both right. `mtu` 0: not compared.

    name     of a port or subinterface as on the switch; of others a text for people, since each platform names them
    vlan_id  identifies an svi; a lag is identified by the number at the end of its name, a loopback by its addresses
    server   its far end is a server: while it is down, nothing else is required of it
    members  ports that a lag must bundle; empty: not compared
    vlans    (tag, VLAN) of a bridged port, sorted, tag 0 for untagged frames; None: not compared
    mac      of an anycast gateway; empty: not compared
    """

    name: str
    kind: str
    up: bool | None
    mtu: int
    addresses: tuple[str, ...]
    vrf: str = ""
    vlan_id: int = 0
    server: bool = False
    members: tuple[str, ...] = ()
    vlans: tuple[tuple[int, int], ...] | None = None
    mac: str = ""


class ExpectedAdjacency(NamedTuple):
    """What LLDP must show on a port. `required` False: a server need not send LLDP, but must not be another one.

    dead     no neighbor is required: the cable, or the device at its end, is declared dead
    port_id  empty: not compared
    about    name of the cable, for people: "rail 3 plane 0", "uplink 17"
    known    every port id that the plan has for a server; other names of its ports are not compared
    """

    port: str
    system: str
    port_id: str
    required: bool
    about: str
    known: tuple[str, ...] = ()
    dead: bool = False


class ExpectedSession(NamedTuple):
    """One BGP session and the families it must carry. `far` has no port between loopbacks and outside of the plan.

    dead  it is configured and may be up or down: the cable, or the far switch, is declared dead
    """

    vrf: str
    peer: str
    remote_as: int
    families: tuple[str, ...]
    far: FindingEnd
    dead: bool = False


class ExpectedBfd(NamedTuple):
    """One BFD session that must be up."""

    vrf: str
    peer: str


class ExpectedRoute(NamedTuple):
    """One route that the forwarding table must hold over exactly `width` next hops of equal weight.

    If interfaces and addresses are both given and equal in number, they belong together one by one; else each hop must
    have one of each. Link-local next hops are not compared: no plan knows them.

    width       0: any number from one on; less than the interfaces or addresses: this many of them
    interfaces  outgoing interfaces, sorted; empty: not compared
    addresses   next hops; an empty one is a connected network; none: not compared
    discard     the discard route of an aggregate: it must be present and have no next hop
    about       owner of the prefix, for people
    origin      the switch that announces it; empty: none or several
    vlan_id     a subnet connected by the svi of this VLAN; 0: none
    server      the address of a server's NIC behind two leaves: the server, or one of its links, may be down. Then it
                has fewer next hops, or none, and a leaf whose own port is down may have it over others
    """

    vrf: str
    prefix: str
    width: int
    interfaces: tuple[str, ...]
    addresses: tuple[str, ...]
    discard: bool
    about: str
    origin: str = ""
    vlan_id: int = 0
    server: bool = False


class ForbiddenRoute(NamedTuple):
    """A prefix that a VRF must not reach: no route to it, to a part of it, or to a supernet may have a next hop there.

    A forbidden default route (length 0) means only itself.

    accepted  prefixes that the VRF may learn outside, whatever they contain
    """

    vrf: str
    prefix: str
    about: str
    accepted: tuple[str, ...] = ()


class ExpectedVni(NamedTuple):
    """One VNI. `vteps`: the VTEPs that an l2 VNI must flood to, sorted."""

    vni: int
    kind: str
    vlan_id: int
    vrf: str
    vteps: tuple[str, ...]


class ExpectedEvpnRoute(NamedTuple):
    """One EVPN route that must be present; `about` names its originator, another switch or itself.

    rd        empty: not compared
    next_hop  empty: of its own
    lag       required only while this aggregate is up; 0: always
    """

    route_type: int
    rd: str
    key: str
    next_hop: str
    about: str
    lag: int = 0


class ExpectedQos(NamedTuple):
    """Lossless settings of one port."""

    port: str
    pfc_priorities: tuple[int, ...]
    watchdog: bool
    ecn: tuple[EcnState, ...]


class ExpectedQueues(NamedTuple):
    """Queues of one port whose counters are judged.

    marking   queues with ECN that count their marks, sorted
    lossless  traffic classes that must not drop, sorted
    """

    port: str
    marking: tuple[int, ...]
    lossless: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What one switch must show.

    asn          0: not compared; router_id empty: not compared
    configuration  the main artifact as rendered; None: drift is not judged
    files        name of a further artifact → as rendered
    unchecked    check → why it, or a part of it, cannot be judged here
    drained      the plan takes it out of service
    drains       names of the route maps of drained sessions
    management   name of the management port: its cable is not in the plan
    version      release of the network OS according to the intent; empty: not compared
    segments     route distinguisher → VNI of the bridged networks that it has, its own and other leaves'
    closed       VRFs that hold only planned routes
    """

    device: str
    system: str
    asn: int
    router_id: str
    interfaces: tuple[ExpectedInterface, ...]
    adjacencies: tuple[ExpectedAdjacency, ...]
    sessions: tuple[ExpectedSession, ...]
    bfd: tuple[ExpectedBfd, ...]
    routes: tuple[ExpectedRoute, ...]
    forbidden: tuple[ForbiddenRoute, ...]
    vnis: tuple[ExpectedVni, ...]
    evpn: tuple[ExpectedEvpnRoute, ...]
    qos: tuple[ExpectedQos, ...]
    configuration: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    management: str = ""
    queues: tuple[ExpectedQueues, ...] = ()
    drained: bool = False
    drains: frozenset[str] = frozenset()
    version: str = ""
    segments: Mapping[str, int] = field(default_factory=dict)
    closed: tuple[str, ...] = ("",)
    unchecked: Mapping[str, str] = field(default_factory=dict)
