"""What the switches of a site are to each other: who speaks BGP with whom, boiled down to pairs of switches.

A pair of switches may have sixty-four links; how routes spread depends on none of them but on whether all of them, or
all but some, are being shut down. Only the switch whose routes are derived is looked at link by link.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.routing import Neighbor, PeerGroup, RouteMap, Statement
from fabricgen.state.state import EVPN, IPV4, IPV6

FAMILIES = (IPV4, IPV6, EVPN)


class SiteSession(NamedTuple):
    """One session of a switch with another of the site.

    interface  port it runs over; empty between loopbacks
    last       all that is learned over it is taken last (RFC 8326)
    shut       all that is sent over it carries the graceful-shutdown community
    """

    neighbor: Neighbor
    group: PeerGroup
    far: str
    far_port: str
    interface: str
    last: bool
    shut: bool


class Half(NamedTuple):
    """One switch's half of all its sessions in one family with others that are alike to it.

    last  whether each session with each of them is so; shut: the same
    fars  their names; until all switches are known, the addresses of those that are met between loopbacks
    """

    family: str
    last: bool
    shut: bool
    fars: frozenset[str]


class Speaker(NamedTuple):
    """One switch, as the others meet it.

    above, below  names of the switches its uplinks and downlinks lead to
    halves        each far switch is in one of a family; those above, those below and others are apart
    networks      family → what it originates in the default VRF
    """

    name: str
    fabric: str
    asn: int
    above: frozenset[str]
    below: frozenset[str]
    halves: tuple[Half, ...]
    networks: Mapping[str, tuple[Prefix, ...]]

    def half(self, family: str, far: str) -> Half | None:
        """Its half of the sessions with another; None where it has none."""
        return next((half for half in self.halves if half.family == family and far in half.fars), None)


Same = dict[frozenset[str], frozenset[str]]
"""Sets that are held already: the switches of a pod lead to the same ones, and a million of them have few such sets."""


def other_end(address: str) -> str:
    """The other address of a /31 or /127, from an address with its length; empty for any other length."""
    host, _, length = address.partition("/")
    family, wanted = (AF_INET6, "127") if ":" in host else (AF_INET, "31")
    if length != wanted:
        return ""
    raw = bytearray(inet_pton(family, host))
    raw[-1] ^= 1
    return inet_ntop(family, bytes(raw))


def loopback_owners(devices: Iterable[Device]) -> dict[str, str]:
    """Address of a loopback of the default VRF → switch; sessions of the overlay run between them."""
    return {
        address.partition("/")[0]: device.name
        for device in devices
        for row in device.interfaces.loopbacks
        if not row.vrf
        for address in (row.ipv4, row.ipv6)
        if address
    }


def rows_behind(device: Device) -> dict[str, Ethernet]:
    """What a session over a link calls the far end → the port: its address, or where there is none the port itself."""
    enabled = [row for row in device.interfaces.ethernet if row.enabled]
    found = {row.name: row for row in enabled if row.profile.unnumbered}
    for row in enabled:
        found |= {other_end(address): row for address in (row.ipv4, row.ipv6) if address}
    return found


class _Call(NamedTuple):
    """A session as it is configured; row: the port it runs over, None between loopbacks."""

    neighbor: Neighbor
    group: PeerGroup
    row: Ethernet | None
    last: bool
    shut: bool

    @property
    def far(self) -> str:
        """Name of the far switch; its address where that is all that this one knows."""
        return self.row.peer if self.row else self.neighbor.address


def _calls(device: Device) -> Iterator[_Call]:
    """Sessions in the order of its neighbors, those over dead cables apart."""
    rows = rows_behind(device)
    groups = {group.name: group for group in device.routing.bgp.groups}
    maps = {found.name: found for found in device.routing.policy.route_maps}
    last = {name: _last(found) for name, found in maps.items()}
    shut = {name: _shut(found) for name, found in maps.items()}
    for neighbor in device.routing.bgp.neighbors:
        group, found = groups[neighbor.group], rows.get(neighbor.peer)
        if not (found and found.dead):
            into, out = neighbor.route_map_in or group.route_map_in, neighbor.route_map_out or group.route_map_out
            yield _Call(neighbor, group, found, last.get(into, False), shut.get(out, False))


def links(device: Device, owners: Mapping[str, str]) -> Iterator[SiteSession]:
    """Sessions of a switch in the order of its neighbors. One with nobody of the site is not among them."""
    known = frozenset(owners.values())
    for call in _calls(device):
        far = owners.get(call.far, call.far)
        if far in known:
            port, interface = (call.row.peer_port, call.row.name) if call.row else ("", "")
            yield SiteSession(call.neighbor, call.group, far, port, interface, call.last, call.shut)


def _permits(found: RouteMap) -> tuple[Statement, ...]:
    return tuple(statement for statement in found.statements if statement.permit)


def _last(inbound: RouteMap) -> bool:
    """Whether a map takes everything last, not only what carries the community."""
    permits = _permits(inbound)
    return bool(permits) and all(statement.set_local_preference == 0 for statement in permits)


def _shut(outbound: RouteMap) -> bool:
    permits = _permits(outbound)
    return bool(permits) and all(statement.set_graceful_shutdown for statement in permits)


def speaker(device: Device, same: Same) -> Speaker:
    """Boil one switch down, by itself: `introduced` tells it whose the addresses are that it knows."""
    ends: dict[tuple[str, str], tuple[bool, bool]] = {}
    for call in _calls(device):
        for family in call.group.families:
            last, shut = ends.get((family, call.far), (True, True))
            ends[family, call.far] = (last and call.last, shut and call.shut)
    bgp = device.routing.bgp
    vtep = (Prefix(f"{device.evpn.vtep}/32"),) if device.evpn else ()
    above, below = (_held(same, _peers(device, role)) for role in ("uplink", "downlink"))
    return Speaker(
        name=device.name,
        fabric=device.fabric,
        asn=bgp.asn,
        above=above,
        below=below,
        halves=halves_of(ends, above, below, same),
        networks={IPV4: bgp.networks_ipv4, IPV6: bgp.networks_ipv6, EVPN: vtep},
    )


def _peers(device: Device, role: str) -> frozenset[str]:
    return frozenset(row.peer for row in device.interfaces.ethernet if row.profile.role == role)


def _held(same: Same, names: frozenset[str]) -> frozenset[str]:
    return same.setdefault(names, names)


def halves_of(
    ends: Mapping[tuple[str, str], tuple[bool, bool]], above: frozenset[str], below: frozenset[str], same: Same
) -> tuple[Half, ...]:
    """From (family, far switch) → whether all its sessions are last, and shut."""
    alike: dict[tuple[str, bool, bool, bool, bool], set[str]] = {}
    for (family, far), (last, shut) in ends.items():
        alike.setdefault((family, last, shut, far in above, far in below), set()).add(far)
    return tuple(Half(*key[:3], _held(same, frozenset(fars))) for key, fars in sorted(alike.items()))


Introduction = Callable[[Speaker], Speaker]


def introduction(owners: Mapping[str, str], same: Same) -> Introduction:
    """Once the loopbacks of all are known: what names the others of a speaker, and leaves out those nobody knows."""
    known = frozenset(owners.values())
    done: dict[tuple[object, ...], tuple[Half, ...]] = {}

    def introduced(one: Speaker) -> Speaker:
        above, below = _held(same, one.above), _held(same, one.below)
        key = (one.halves, above, below)
        if key not in done:
            done[key] = halves_of(_ends(one, owners, known), above, below, same)
        return one._replace(above=above, below=below, halves=done[key])

    return introduced


def _ends(one: Speaker, owners: Mapping[str, str], known: frozenset[str]) -> dict[tuple[str, str], tuple[bool, bool]]:
    """A switch that is met over links and between loopbacks, in one family, has one half."""
    found: dict[tuple[str, str], tuple[bool, bool]] = {}
    for half in one.halves:
        for name in half.fars:
            far = owners.get(name, name)
            if far in known:
                last, shut = found.get((half.family, far), (True, True))
                found[half.family, far] = (last and half.last, shut and half.shut)
    return found
