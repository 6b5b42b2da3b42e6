"""Interfaces of one switch. What all ports of a role share is one profile that the rows point to."""

from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress


class PortProfile(NamedTuple):
    """What all ports of one role and speed share.

    role      uplink, downlink, host (routed NIC), server (switched), external, unused
    mtu       octets of the largest IP packet
    lanes     electrical lanes of the interface; `parts` interfaces share the cage
    fec       rs-fec where the speed needs it (IEEE 802.3 clause 91/119/161), else empty: the switch's own default; an
              override may say rs-fec, fc-fec (IEEE 802.3 clause 74) or none
    qos       name of the QosProfile, empty where none applies
    tracking  upstream or downstream where a lost uplink takes server ports down, else empty
    unnumbered  it has a link-local IPv6 address alone (RFC 7404), and says so by router advertisements
    """

    name: str
    role: str
    routed: bool
    speed_gbps: int
    lanes: int
    parts: int
    mtu: int
    fec: str
    qos: str = ""
    sflow: bool = False
    tracking: str = ""
    unnumbered: bool = False


class Switching(NamedTuple):
    """Layer-2 side of a server port: one untagged VLAN, or tagged ones (sorted). The other is 0 or empty.

    mac_limit  MAC addresses that are learned of it; a packet of another one is dropped, and the port stays up. 0: all
    """

    access_vlan: int
    trunk_vlans: tuple[int, ...]
    bpdu_guard: bool
    broadcast_percent: int
    multicast_percent: int
    mac_limit: int = 0


class Ethernet(NamedTuple):
    """One physical interface, in panel order.

    name        as the operating system calls it
    peer        far device and port; both are in the description, and verify reads them from here
    lag         number of the aggregate it belongs to, 0 for none
    headroom_octets  PFC headroom of its lossless priority, 0 where none
    dead        the cable, or what is at its far end, is declared broken: configured as ever, and not expected to be up
    vrf         tenant's VRF that a routed port is in, empty for the default one
    """

    name: str
    description: str
    profile: PortProfile
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    enabled: bool
    peer: str
    peer_port: str
    lag: int
    switching: Switching | None
    headroom_octets: int
    length_m: float
    vrf: str = ""
    dead: bool = False


class Lag(NamedTuple):
    """An aggregate towards one server, one Ethernet segment where two leaves share it (RFC 7432).

    esi        ten octets, type 0, written 0000:0000:0000:0000:0000; empty for a single-homed server
    es_import  ES-Import route target, six octets: those behind the first of the identifier
    system_id  LACP system id that both leaves present
    df_preference  of this leaf in the election of the segment's designated forwarder: the highest of the leaves that
               announce the segment forwards broadcast, unknown unicast and multicast to it (RFC 9785, 1 to 65535); 0
               where the operating system elects as it does by default
    """

    number: int
    description: str
    switching: Switching
    mtu: int
    esi: str
    es_import: str
    system_id: str
    fallback: bool
    tracking: str
    members: tuple[str, ...]
    df_preference: int = 0


class Subinterface(NamedTuple):
    """A routed 802.1Q interface on a port, inside a VRF."""

    parent: str
    vlan_id: int
    description: str
    vrf: str
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    mtu: int


class Loopback(NamedTuple):
    """A loopback. Number 0 is the router id, 1 the VTEP; the others relay DHCP from inside a VRF."""

    number: int
    description: str
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    vrf: str = ""


class Interfaces(NamedTuple):
    """All of them; each tuple in natural order of name.

    idle  dead ports without a cable, of cages whose other parts are in use: shut, and their lanes stay divided
    """

    ethernet: tuple[Ethernet, ...]
    lags: tuple[Lag, ...]
    subinterfaces: tuple[Subinterface, ...]
    loopbacks: tuple[Loopback, ...]
    idle: tuple[Ethernet, ...] = ()
