"""What the switches of a site are to each other: who speaks BGP with whom, boiled down to pairs of switches.

A pair of switches may have sixty-four links; how routes spread depends on none of them but on whether all of them, or
all but some, are being shut down. Only the switch whose routes are derived is looked at link by link.
"""

from collections.abc import Iterable, Iterator, Mapping
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton
from typing import NamedTuple

from fabricgen.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.routing import Neighbor, PeerGroup, RouteMap, Statement
from fabricgen.state.state import EVPN, IPV4, IPV6

FAMILIES = (IPV4, IPV6, EVPN)


class Link(NamedTuple):
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


class Side(NamedTuple):
    """One switch's half of all its sessions with another in one family: `last` and `shut` where each of them is."""

    last: bool
    shut: bool


class Speaker(NamedTuple):
    """One switch, as the others meet it.

    above, below  names of the switches its uplinks and downlinks lead to
    sides         (family, far switch) → its half
    networks      family → what it originates in the default VRF
    """

    name: str
    fabric: str
    asn: int
    above: frozenset[str]
    below: frozenset[str]
    sides: Mapping[tuple[str, str], Side]
    networks: Mapping[str, tuple[Prefix, ...]]


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


def links(device: Device, owners: Mapping[str, str]) -> Iterator[Link]:
    """Sessions of a switch in the order of its neighbors. One with nobody of the site is not among them."""
    rows = rows_behind(device)
    groups = {group.name: group for group in device.routing.bgp.groups}
    maps = {found.name: found for found in device.routing.policy.route_maps}
    last = {name: _last(found) for name, found in maps.items()}
    shut = {name: _shut(found) for name, found in maps.items()}
    known = frozenset(owners.values())
    for neighbor in device.routing.bgp.neighbors:
        group, found = groups[neighbor.group], rows.get(neighbor.peer)
        far = found.peer if found else owners.get(neighbor.address, "")
        if far in known and not (found and found.dead):
            port, interface = (found.peer_port, found.name) if found else ("", "")
            into, out = neighbor.route_map_in or group.route_map_in, neighbor.route_map_out or group.route_map_out
            yield Link(neighbor, group, far, port, interface, last.get(into, False), shut.get(out, False))


def _permits(found: RouteMap) -> tuple[Statement, ...]:
    return tuple(statement for statement in found.statements if statement.permit)


def _last(inbound: RouteMap) -> bool:
    """Whether a map takes everything last, not only what carries the community."""
    permits = _permits(inbound)
    return bool(permits) and all(statement.set_local_preference == 0 for statement in permits)


def _shut(outbound: RouteMap) -> bool:
    permits = _permits(outbound)
    return bool(permits) and all(statement.set_graceful_shutdown for statement in permits)


def speaker(device: Device, owners: Mapping[str, str]) -> Speaker:
    """Boil one switch down."""
    halves: dict[tuple[str, str], list[Link]] = {}
    for link in links(device, owners):
        for family in link.group.families:
            halves.setdefault((family, link.far), []).append(link)
    bgp = device.routing.bgp
    vtep = (Prefix(f"{device.evpn.vtep}/32"),) if device.evpn else ()
    return Speaker(
        name=device.name,
        fabric=device.fabric,
        asn=bgp.asn,
        above=frozenset(row.peer for row in device.interfaces.ethernet if row.profile.role == "uplink"),
        below=frozenset(row.peer for row in device.interfaces.ethernet if row.profile.role == "downlink"),
        sides={
            key: Side(all(link.last for link in found), all(link.shut for link in found))
            for key, found in halves.items()
        },
        networks={IPV4: bgp.networks_ipv4, IPV6: bgp.networks_ipv6, EVPN: vtep},
    )
