"""The overlay of one switch: VLANs, VRFs, VNIs, gateways (RFC 7432, RFC 8365, RFC 9135, RFC 9136)."""

from typing import NamedTuple

from fabricgen.base.addresses import Address, InterfaceAddress


class Vlan(NamedTuple):
    """A bridged network and its L2 VNI.

    macs  MAC addresses that its table must hold, including those of other leaves, where the system has this setting;
          else 0
    """

    vlan_id: int
    name: str
    vni: int
    rd: str
    route_target: str
    vrf: str
    macs: int = 0


class Gateway(NamedTuple):
    """Anycast gateway of a VLAN: the same addresses and MAC on every leaf. DHCP relays are IPv4 or IPv6.

    relay_source  number of the loopback that relayed packets are sent from, -1 without relays
    """

    vlan_id: int
    description: str
    vrf: str
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    relays_ipv4: tuple[Address, ...]
    relays_ipv6: tuple[Address, ...]
    mtu: int
    relay_source: int = -1


class Vrf(NamedTuple):
    """A tenant's VRF and its L3 VNI. `id` is the tenant's number in the lock: it never changes."""

    name: str
    vni: int
    id: int = 0


class DuplicateMac(NamedTuple):
    """When a MAC address that moves between leaves is taken for a duplicate (RFC 7432, section 15.1).

    moves             within the window
    recovery_seconds  after which the address is learned again; 0: as the system does by itself
    """

    moves: int
    window_seconds: int
    recovery_seconds: int = 0


class Evpn(NamedTuple):
    """The VTEP of one leaf. Flooding is by ingress replication, ARP and ND are suppressed.

    mtu    octets of the largest IP packet that fits into the tunnel
    marks  the outer header copies DSCP and ECN of the inner one; congestion marks on it are copied back (RFC 6040)
    multihomed  servers of this fabric may have Ethernet segments, on this leaf or on others
    duplicate_mac  of the leaf's VLANs; None: as the system does by itself
    """

    vtep: Address
    gateway_mac: str
    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]
    gateways: tuple[Gateway, ...]
    mtu: int = 0
    marks: bool = False
    multihomed: bool = False
    duplicate_mac: DuplicateMac | None = None
