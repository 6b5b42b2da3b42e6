"""BGP in EOS's terms: peer groups, sessions and address families, other than Device fields unchanged."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, BgpVrf, ExternalNeighbor, Neighbor, PeerGroup

ROW = attrgetter("row")
MAKE = tuple.__new__
"""Makes a named tuple in half the time of its constructor: for those that exist per port or session."""


class GroupContext(NamedTuple):
    """A peer group. Each session over an unnumbered link has its own: EOS configures them only by group."""

    row: PeerGroup
    name: str
    description: str
    route_map_in: str
    route_map_out: str

    @property
    def restart_seconds(self) -> int:
        """Idle time of a session after too many routes."""
        return 60 * self.row.restart_minutes


class LinkSession(NamedTuple):
    """A session over an unnumbered link, and its own group."""

    row: Neighbor
    group: str


class ActiveGroup(NamedTuple):
    """A group in a family. `extended`: it gets IPv4 prefixes with IPv6 next hops (RFC 8950)."""

    name: str
    extended: bool


class FamilyContext(NamedTuple):
    """One address family of the default VRF. `flaps` are the words of host-flap detection, empty: EOS's own."""

    name: str
    groups: tuple[ActiveGroup, ...]
    networks: tuple[Prefix, ...]
    flaps: str


class VrfFamily(NamedTuple):
    """One address family of a VRF."""

    name: str
    neighbors: tuple[ExternalNeighbor, ...]
    networks: tuple[Prefix, ...]


class OutsideContext(NamedTuple):
    """A session with an external peer, and its idle time after too many routes."""

    row: ExternalNeighbor
    restart_seconds: int


class VrfContext(NamedTuple):
    """BGP of one VRF, by family."""

    vrf: BgpVrf
    families: tuple[VrfFamily, ...]

    @property
    def neighbors(self) -> Iterator[OutsideContext]:
        """Its sessions with external peers."""
        return (OutsideContext(row, 60 * row.restart_minutes) for row in self.vrf.neighbors)


def link_group(row: Neighbor) -> str:
    """Name of the peer group of a session over an unnumbered link, made from its port."""
    return f"{row.group}-{row.interface.replace('/', '-')}"


def link_sessions(bgp: Bgp) -> Iterator[LinkSession]:
    """Sessions over unnumbered links in the order of the Device."""
    return (MAKE(LinkSession, (row, link_group(row))) for row in bgp.neighbors if row.interface)


def groups_of(bgp: Bgp, sessions: tuple[LinkSession, ...]) -> Iterator[GroupContext]:
    """Peer groups in the order of the Device; a group of unnumbered links is replaced by one group per session."""
    of_links = {row.group for row, _ in sessions}
    for group in bgp.groups:
        if not group.extended_next_hop and group.name not in of_links:
            yield GroupContext(group, group.name, group.description, group.route_map_in, group.route_map_out)
        map_in, map_out = group.route_map_in, group.route_map_out
        for row, name in sessions:
            if row.group == group.name:
                yield MAKE(
                    GroupContext,
                    (group, name, row.description, row.route_map_in or map_in, row.route_map_out or map_out),
                )


def families_of(device: Device, groups: tuple[GroupContext, ...]) -> Iterator[FamilyContext]:
    """Families of the default VRF that have a group or a prefix."""
    bgp = device.routing.bgp
    networks: dict[str, tuple[Prefix, ...]] = {"evpn": (), "ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6}
    for name, originated in networks.items():
        active: list[ActiveGroup] = []
        for row, same_row in groupby(groups, ROW):
            if name in row.families:
                extended = name == "ipv4" and row.extended_next_hop
                active += [MAKE(ActiveGroup, (group.name, extended)) for group in same_row]
        if active or originated:
            yield FamilyContext(name, tuple(active), originated, _flaps(device) if name == "evpn" else "")


def _flaps(device: Device) -> str:
    found = device.evpn.duplicate_mac if device.evpn else None
    if found is None:
        return ""
    expiry = f" expiry timeout {found.recovery_seconds} seconds" if found.recovery_seconds else ""
    return f"window {found.window_seconds} threshold {found.moves}{expiry}"


def vrf_families(vrf: BgpVrf) -> Iterator[VrfFamily]:
    """Families of a VRF that have a neighbor or a prefix."""
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    for name, originated in networks.items():
        neighbors = tuple(neighbor for neighbor in vrf.neighbors if neighbor.family == name)
        if neighbors or originated:
            yield VrfFamily(name, neighbors, originated)
