"""BGP in NX-OS's terms: every session is configured in full, with a block for each address family below it."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, BgpVrf, ExternalNeighbor, Neighbor, PeerGroup

FAMILIES = {"ipv4": "ipv4 unicast", "ipv6": "ipv6 unicast", "evpn": "l2vpn evpn"}
VRF_FAMILIES = ("ipv4", "ipv6")
"""Families of a VRF's routes: both, as another leaf or border leaf may announce either."""


class NeighborContext(NamedTuple):
    """One session of the default VRF with the settings of its group, and its effective route maps.

    bfd  command for the BFD session (RFC 5881, between loopbacks RFC 5883); empty without BFD
    """

    row: Neighbor
    group: PeerGroup
    bfd: str
    families: tuple[str, ...]
    route_map_in: str
    route_map_out: str


class FamilyContext(NamedTuple):
    """One address family of the default VRF. `relays`: the switch passes on EVPN routes and has no tunnel."""

    name: str
    networks: tuple[Prefix, ...]
    routed: bool
    relays: bool


class ExternalContext(NamedTuple):
    """An external session of a VRF and its family."""

    row: ExternalNeighbor
    family: str


class VrfFamily(NamedTuple):
    """One address family of a VRF."""

    name: str
    networks: tuple[Prefix, ...]


class VrfSpeaker(NamedTuple):
    """BGP of one VRF."""

    vrf: BgpVrf
    families: tuple[VrfFamily, ...]
    neighbors: tuple[ExternalContext, ...]


def neighbors_of(bgp: Bgp) -> Iterator[NeighborContext]:
    """Yield sessions over links with addresses, and between loopbacks."""
    groups = {group.name: group for group in bgp.groups}
    for row in bgp.neighbors:
        group = groups[row.group]
        yield NeighborContext(
            row=row,
            group=group,
            bfd=_bfd(group),
            families=tuple(FAMILIES[family] for family in group.families),
            route_map_in=row.route_map_in or group.route_map_in,
            route_map_out=row.route_map_out or group.route_map_out,
        )


def _bfd(group: PeerGroup) -> str:
    if not group.bfd:
        return ""
    return "bfd multihop" if group.multihop else "bfd"


def families_of(device: Device) -> Iterator[FamilyContext]:
    """Yield the families of the default VRF that have a session or a prefix."""
    bgp = device.routing.bgp
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6, "evpn": ()}
    used = {family for group in bgp.groups for family in group.families}
    for family, originated in networks.items():
        if family in used or originated:
            is_overlay = family == "evpn"
            yield FamilyContext(FAMILIES[family], originated, not is_overlay, is_overlay and device.evpn is None)


def speaks_evpn(bgp: Bgp) -> bool:
    """Return whether any session carries EVPN."""
    return any("evpn" in group.families for group in bgp.groups)


def unchanged_maps(bgp: Bgp) -> frozenset[str]:
    """Return route maps of sessions with an unchanged next hop, which NX-OS can set only in the map."""
    return frozenset(
        neighbor.route_map_out
        for neighbor in neighbors_of(bgp)
        if neighbor.group.next_hop_unchanged and neighbor.route_map_out
    )


def vrf_speakers(bgp: Bgp) -> Iterator[VrfSpeaker]:
    """Yield BGP of every VRF, with both address families."""
    for vrf in bgp.vrfs:
        networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
        yield VrfSpeaker(
            vrf=vrf,
            families=tuple(VrfFamily(FAMILIES[family], networks[family]) for family in VRF_FAMILIES),
            neighbors=tuple(ExternalContext(row, FAMILIES[row.family]) for row in vrf.neighbors),
        )
