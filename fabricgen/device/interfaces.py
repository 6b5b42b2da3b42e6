"""Interfaces of one switch. Settings that all ports of a role share are in one profile that the rows refer to."""

from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress


class PortProfile(NamedTuple):
    """Settings shared by all ports of one role and speed.

    role      uplink, downlink, host (routed NIC), server (switched), external, unused
    mtu       octets of the largest IP packet
    lanes     electrical lanes of the interface; `parts` interfaces share the cage
    fec       rs-fec where the speed requires it (IEEE 802.3 clause 91/119/161), else empty: the switch's default; an
              override may set rs-fec, fc-fec (IEEE 802.3 clause 74) or none
    qos       name of the QosProfile, empty where none applies
    tracking  upstream or downstream where the loss of an uplink shuts server ports, else empty
    unnumbered  only a link-local IPv6 address (RFC 7404), announced by router advertisements
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
    """Layer-2 settings of a server port: one untagged VLAN, or tagged ones (sorted). The other field is 0 or empty.

    mac_limit  MAC addresses that the port learns; frames from further ones are dropped, the port stays up. 0: no limit
    ra_guard   router advertisements that the server sends are dropped (RFC 6105)
    unknown_unicast_percent  limit of frames to unicast addresses that no table has; 0: none, as of the other two
    """

    access_vlan: int
    trunk_vlans: tuple[int, ...]
    bpdu_guard: bool = False
    broadcast_percent: int = 0
    multicast_percent: int = 0
    mac_limit: int = 0
    unknown_unicast_percent: int = 0
    ra_guard: bool = False


class Ethernet(NamedTuple):
    """One physical interface, in panel order.

    name        as the operating system calls it
    peer        far device and port; the description has both, too, and verify reads them here
    lag         number of the aggregate it belongs to, 0 for none
    headroom_octets  PFC headroom of its lossless priority, 0 where none
    dead        the intent declares the cable or the far end broken: configured as usual, not expected to be up
    vrf         tenant's VRF of a routed port, empty for the default VRF
    """

    name: str
    description: str
    profile: PortProfile
    ipv4: InterfaceAddress = NO_ADDRESS
    ipv6: InterfaceAddress = NO_ADDRESS
    enabled: bool = True
    peer: str = ""
    peer_port: str = ""
    lag: int = 0
    switching: Switching | None = None
    headroom_octets: int = 0
    length_m: float = 0
    vrf: str = ""
    dead: bool = False


class Lag(NamedTuple):
    """An aggregate towards one server, one Ethernet segment where two leaves share it (RFC 7432).

    esi        ten octets, type 0, written 0000:0000:0000:0000:0000; empty for a single-homed server
    es_import  ES-Import route target, six octets: those after the first octet of the identifier
    system_id  LACP system id that both leaves use
    df_preference  preference of this leaf in the election of the segment's designated forwarder (RFC 9785, 1 to 65535):
               the highest leaf forwards broadcast, unknown unicast and multicast to the segment; 0 where the operating
               system elects by its default
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
    """A loopback. Number 0 is the router id, 1 the VTEP; the others are the sources of DHCP relays inside VRFs."""

    number: int
    description: str
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    vrf: str = ""


class Interfaces(NamedTuple):
    """All interfaces; each tuple in natural order of name.

    idle  dead ports without a cable, in cages whose other parts are in use: shut, and the cage stays split
    """

    ethernet: tuple[Ethernet, ...]
    lags: tuple[Lag, ...]
    subinterfaces: tuple[Subinterface, ...]
    loopbacks: tuple[Loopback, ...]
    idle: tuple[Ethernet, ...] = ()
