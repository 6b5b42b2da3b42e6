"""BGP peers of the switches of a site, reduced to pairs of switches.

Two switches may share 64 links; route propagation depends only on whether all links are under graceful shutdown, or
some are not. Only for the switch whose routes are derived, each link is considered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import Prefix, other_end
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.routing import Neighbor, PeerGroup, RouteMap, Statement
from fabricgen.state.state import EVPN, IPV4, IPV6

FAMILIES = (IPV4, IPV6, EVPN)


class SiteSession(NamedTuple):
    """One session of a switch with another of the site.

    interface  port it runs over; empty between loopbacks
    last       routes learned over it are least preferred (RFC 8326)
    shut       routes sent over it carry the graceful-shutdown community
    """

    neighbor: Neighbor
    group: PeerGroup
    far: str
    far_port: str
    interface: str
    last: bool
    shut: bool


class Half(NamedTuple):
    """One switch's side of its sessions in one family with a group of equivalent peers.

    last  whether this holds for each session with each of them; shut: the same
    fars  names of the peers; until all switches are known, addresses of those with sessions between loopbacks
    """

    family: str
    last: bool
    shut: bool
    fars: frozenset[str]


class Speaker(NamedTuple):
    """One switch, as the others see it.

    above, below  names of the switches at its uplinks and downlinks
    halves        each peer is in one per family; peers above, below and others are in separate halves
    networks      family → prefixes that it originates in the default VRF
    """

    name: str
    fabric: str
    asn: int
    above: frozenset[str]
    below: frozenset[str]
    halves: tuple[Half, ...]
    networks: Mapping[str, tuple[Prefix, ...]]

    def half(self, family: str, far: str) -> Half | None:
        """Its half of the sessions with a peer; None without any."""
        return next((half for half in self.halves if half.family == family and far in half.fars), None)


Same = dict[frozenset[str], frozenset[str]]
"""Shared sets: the switches of a pod lead to the same ones, and a million switches have few such sets."""


def far_address(address: str) -> str:
    """The other address of a /31 or /127, from an address with its length; empty for any other length."""
    host, _, length = address.partition("/")
    return other_end(host) if length == ("127" if ":" in host else "31") else ""


def loopback_owners(devices: Iterable[Device]) -> dict[str, str]:
    """Loopback address of the default VRF → switch; overlay sessions run between them."""
    return {
        address.partition("/")[0]: device.name
        for device in devices
        for row in device.interfaces.loopbacks
        if not row.vrf
        for address in (row.ipv4, row.ipv6)
        if address
    }


def port_by_peer(device: Device) -> dict[str, Ethernet]:
    """Peer of a session over a link → port: the peer's address or, on an unnumbered link, the port name."""
    enabled = [row for row in device.interfaces.ethernet if row.enabled]
    rows = {row.name: row for row in enabled if row.profile.unnumbered}
    for row in enabled:
        rows |= {far_address(address): row for address in (row.ipv4, row.ipv6) if address}
    return rows


class _Call(NamedTuple):
    """A session as configured; row: the port it runs over, None between loopbacks."""

    neighbor: Neighbor
    group: PeerGroup
    row: Ethernet | None
    last: bool
    shut: bool

    @property
    def far(self) -> str:
        """Name of the far switch; its address if this switch knows only that."""
        return self.row.peer if self.row else self.neighbor.address


def _calls(device: Device) -> Iterator[_Call]:
    """Sessions in the order of its neighbors, without those over dead cables."""
    rows = port_by_peer(device)
    groups = {group.name: group for group in device.routing.bgp.groups}
    map_of = {port_row.name: port_row for port_row in device.routing.policy.route_maps}
    last = {name: _last(port_row) for name, port_row in map_of.items()}
    shut = {name: _shut(port_row) for name, port_row in map_of.items()}
    for neighbor in device.routing.bgp.neighbors:
        group, port_row = groups[neighbor.group], rows.get(neighbor.peer)
        if not (port_row and port_row.dead):
            inbound, outbound = (
                neighbor.route_map_in or group.route_map_in,
                neighbor.route_map_out or group.route_map_out,
            )
            yield _Call(neighbor, group, port_row, last.get(inbound, False), shut.get(outbound, False))


def links(device: Device, owners: Mapping[str, str]) -> Iterator[SiteSession]:
    """Sessions of a switch in the order of its neighbors, only those with switches of the site."""
    switch_names = frozenset(owners.values())
    for call in _calls(device):
        far = owners.get(call.far, call.far)
        if far in switch_names:
            port, interface = (call.row.peer_port, call.row.name) if call.row else ("", "")
            yield SiteSession(call.neighbor, call.group, far, port, interface, call.last, call.shut)


def _permits(route_map: RouteMap) -> tuple[Statement, ...]:
    return tuple(statement for statement in route_map.statements if statement.permit)


def _last(inbound: RouteMap) -> bool:
    """Whether a route map makes all routes least preferred, not only those with the community."""
    permits = _permits(inbound)
    return bool(permits) and all(statement.set_local_preference == 0 for statement in permits)


def _shut(outbound: RouteMap) -> bool:
    permits = _permits(outbound)
    return bool(permits) and all(statement.set_graceful_shutdown for statement in permits)


def speaker(device: Device, shared: Same) -> Speaker:
    """Reduce one switch by itself: `introduced` later replaces the addresses by names."""
    ends: dict[tuple[str, str], tuple[bool, bool]] = {}
    for call in _calls(device):
        for family in call.group.families:
            last, shut = ends.get((family, call.far), (True, True))
            ends[family, call.far] = (last and call.last, shut and call.shut)
    bgp = device.routing.bgp
    vtep = (Prefix(f"{device.evpn.vtep}/32"),) if device.evpn else ()
    above, below = (_shared(shared, _peers(device, role)) for role in ("uplink", "downlink"))
    return Speaker(
        name=device.name,
        fabric=device.fabric,
        asn=bgp.asn,
        above=above,
        below=below,
        halves=halves_of(ends, above, below, shared),
        networks={IPV4: bgp.networks_ipv4, IPV6: bgp.networks_ipv6, EVPN: vtep},
    )


def _peers(device: Device, role: str) -> frozenset[str]:
    return frozenset(row.peer for row in device.interfaces.ethernet if row.profile.role == role)


def _shared(shared: Same, names: frozenset[str]) -> frozenset[str]:
    return shared.setdefault(names, names)


def halves_of(
    ends: Mapping[tuple[str, str], tuple[bool, bool]], above: frozenset[str], below: frozenset[str], shared: Same
) -> tuple[Half, ...]:
    """Halves from (family, far switch) → whether all its sessions are last, and shut."""
    alike: dict[tuple[str, bool, bool, bool, bool], set[str]] = {}
    for (family, far), (last, shut) in ends.items():
        alike.setdefault((family, last, shut, far in above, far in below), set()).add(far)
    return tuple(Half(*key[:3], _shared(shared, frozenset(fars))) for key, fars in sorted(alike.items()))


Introduction = Callable[[Speaker], Speaker]


def introduction(owners: Mapping[str, str], shared: Same) -> Introduction:
    """A function that names the peers of a speaker and drops unknown ones, once the loopbacks of all are known."""
    switch_names = frozenset(owners.values())
    cache: dict[tuple[object, ...], tuple[Half, ...]] = {}

    def introduced(known_speaker: Speaker) -> Speaker:
        above, below = _shared(shared, known_speaker.above), _shared(shared, known_speaker.below)
        key = (known_speaker.halves, above, below)
        if key not in cache:
            cache[key] = halves_of(_ends(known_speaker, owners, switch_names), above, below, shared)
        return known_speaker._replace(above=above, below=below, halves=cache[key])

    return introduced


def _ends(
    member: Speaker, owners: Mapping[str, str], known: frozenset[str]
) -> dict[tuple[str, str], tuple[bool, bool]]:
    """Merge a peer that has sessions over links and between loopbacks in one family into one half."""
    merged: dict[tuple[str, str], tuple[bool, bool]] = {}
    for half in member.halves:
        for name in half.fars:
            far = owners.get(name, name)
            if far in known:
                last, shut = merged.get((half.family, far), (True, True))
                merged[half.family, far] = (last and half.last, shut and half.shut)
    return merged
