"""One server as a value: its NICs with the settings of their leaf ports, bonds, networks, RoCE settings."""

from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress
from fabricgen.policy.nics import RegisterField

LACP, BACKUP = "802.3ad", "active-backup"
"""Bond modes by their kernel names (bonding.rst)."""


class Nic(NamedTuple):
    """One network interface: a port of the server, or its slice of a plane.

    name         interface name in these files; label: the port's name in the plan
    position     among the ports of its NIC group, from 0; index: which leaf of a pair
    part         number of its PCI function, from 0, of the `parts` that its NIC is split into: planes, or those of the
                 two ports to a pair of leaves
    pci          PCI address of its function, empty where no source gives it
    device       RDMA device; `renamed`: these files give it this name, else it is the name observed on this model
    bond         name of the bond that it is a member of, empty for none
    cable_m      whole metres of its cable, rounded up, from the leaf's port; 0 where the leaf is not configured
    used         the leaf's port is enabled and is for this server
    table        its own routing table, 0 where it has no address
    address      its own, empty on a frontend; gateway: the leaf's end, without length
    prefix       of the fabric, which packets from this address take it to; reached: prefixes with NICs that it reaches
    tenant       VRF of the leaf's port, empty for the default one
    pair         interface that has its address, which it shares with the port towards the other leaf; empty for none
    """

    name: str
    label: str
    fabric: str
    kind: str
    vendor: str
    rail: int
    plane: int
    planes: int
    index: int  # type: ignore[assignment]  # the axis' own name; tuple.index() is never called
    position: int
    pci: str
    device: str
    renamed: bool
    switch: str
    port: str
    speed_gbps: int
    fec: str
    mtu: int
    cable_m: int
    used: bool
    bond: str = ""
    table: int = 0
    address: InterfaceAddress = NO_ADDRESS
    gateway: str = ""
    prefix: str = ""
    reached: tuple[str, ...] = ()
    tenant: str = ""
    pair: str = ""
    part: int = 0
    parts: int = 1


class PairPort(NamedTuple):
    """A port of a NIC towards one leaf of a pair. asn: of the leaf."""

    interface: str
    switch: str
    port: str
    asn: int


class PairedNic(NamedTuple):
    """A NIC with one address behind two leaves, which the server announces by BGP over both ports.

    name     interface that has the address; it has no cable
    number   of the NIC on this server, from 1
    address  with its length; prefix: of the fabric, whose addresses of this length it learns
    asn      AS number of the server
    """

    name: str
    fabric: str
    rail: int
    number: int
    address: InterfaceAddress
    prefix: str
    asn: int
    ports: tuple[PairPort, ...]

    @property
    def host(self) -> str:
        """The address without its length."""
        return self.address.partition("/")[0]

    @property
    def length(self) -> str:
        """32 or 128."""
        return self.address.partition("/")[2]


class Bond(NamedTuple):
    """Both ports towards a frontend as one interface. mode: LACP or BACKUP."""

    name: str
    fabric: str
    mode: str
    mtu: int
    members: tuple[str, ...]


class HostNetwork(NamedTuple):
    """A network of the server's tenant. vlan_id 0: untagged, on `link` itself; else an interface of its own on `link`.

    families  address families that a DHCP relay serves; the site assigns addresses of the others
    """

    name: str
    interface: str
    link: str
    vlan_id: int
    fabric: str
    mtu: int
    families: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NicSettings:
    """The lossless class as configured on the NICs of one fabric, from the marking object of their leaves.

    priorities     of each of the 64 code points, position = DSCP
    remapped_priorities  (DSCP, priority) to configure on a NIC that starts with its own map
    pfc            eight flags, position = priority
    traffic_class  octet of RoCE data as software sets it; cnp_octet: of the class of congestion notifications
    packet_gap     octets between two packets, 0 where no source documents how the NIC takes it
    takes_cable    the NIC's PFC buffers are set for the length of its cable
    reordering     fields of the NIC's register; empty where no switch sprays, or nothing is to be set
    """

    fabric: str
    vendor: str
    marking: str
    data_dscp: int
    priority: int
    pfc: tuple[int, ...]
    priorities: tuple[int, ...]
    remapped_priorities: tuple[tuple[int, int], ...]
    cnp_dscp: int
    cnp_priority: int
    traffic_class: int
    cnp_octet: int
    gid_index: int
    packet_gap: int
    takes_cable: bool
    reordering: tuple[RegisterField, ...]


class Variable(NamedTuple):
    """One line of the collective library's environment, with its reason. An empty value is not set."""

    name: str
    value: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One server. NICs by fabric, backends first, then in the order of rail, index and plane."""

    name: str
    site: str
    group: str
    slot: int
    model: str
    nics: tuple[Nic, ...]
    bonds: tuple[Bond, ...]
    networks: tuple[HostNetwork, ...]
    settings: tuple[NicSettings, ...]
    library: tuple[Variable, ...] = ()
    pairs: tuple[PairedNic, ...] = ()

    @property
    def routed(self) -> tuple[Nic, ...]:
        """NICs with an address and a table of their own."""
        return tuple(nic for nic in self.nics if nic.address)

    def nics_with(self, settings: NicSettings) -> tuple[Nic, ...]:
        """NICs in use that these settings apply to."""
        return tuple(nic for nic in self.nics if nic.fabric == settings.fabric and nic.used)
