"""A backend is connected to nothing, none of its planes to another: what a switch lets in, originates or carries."""

from collections.abc import Collection, Iterable, Iterator
from socket import AF_INET, AF_INET6, inet_pton
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, PrefixList
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, place_of


def openings(device: Device, prefixes: tuple[Network, ...], *, shared: bool = False) -> Iterator[str]:
    """Why a backend switch is not closed, in words; nothing when it is. `prefixes` are the fabric's own.

    No default route is originated, configured or accepted; no prefix outside the fabric's is; no VRF, overlay or
    outside session stands on it. (The route to the management gateway is of another VRF.) One that tenants share has
    VRFs and an overlay, whose routes are of the fabric's prefixes too.
    """
    yield from carried_out(device, prefixes, shared=shared)
    yield from taken_in(device, prefixes)


def carried_out(device: Device, prefixes: tuple[Network, ...], *, shared: bool = False) -> Iterator[str]:
    """Of the openings, what a switch originates, sends by a static route, or carries of others."""
    bgp = device.routing.bgp
    inside = [prefix for vrf in bgp.vrfs for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6)]
    for prefix in (*bgp.networks_ipv4, *bgp.networks_ipv6, *inside):
        if not _inside(prefix, prefixes):
            yield f"it originates {prefix}"
    for route in device.routing.static_routes:
        if route.vrf in ("", *(vrf.name for vrf in bgp.vrfs)) and not _inside(route.prefix, prefixes):
            yield f"it has a static route to {route.prefix}"
    outside = device.interfaces.subinterfaces or any(vrf.neighbors for vrf in bgp.vrfs)
    if outside or (not shared and (device.evpn is not None or bgp.vrfs)):
        yield "it carries a VRF, an overlay or an outside session of a tenant"


def strangers(device: Device) -> tuple[str, ...]:
    """Switches that one has a session with and no cable to; a session's description begins with its far end."""
    return tuple(uncabled(device, {row.peer for row in device.interfaces.ethernet}))


def uncabled(device: Device, cabled: Collection[str]) -> list[str]:
    """The same, of a switch with cables to these."""
    # A session is told as its cable is, on most links: what is left is read.
    ports = {row.description for row in device.interfaces.ethernet}
    told = dict.fromkeys([row.description for row in device.routing.bgp.neighbors])
    far = dict.fromkeys([text.partition(" ")[0] for text in told if text not in ports])
    return [name for name in far if name not in cabled]


class Crossing(NamedTuple):
    """A switch of a plane that leads to one of another."""

    name: str
    far: str


def crossings(fabric: FabricPlan, name: str, fars: Iterable[str]) -> tuple[Crossing, ...]:
    """Of the switches that one leads to, by a cable upwards or a session, those of another plane.

    A plane is a fabric of its own for one slice of every NIC, which hears of no other slice's addresses.
    """
    if fabric.shape.planes == 1:
        return ()
    own = plane_of(fabric, name)
    return tuple(Crossing(name, far) for far in fars if own is not None and plane_of(fabric, far) not in (own, None))


def plane_of(fabric: FabricPlan, name: str) -> int | None:
    """Plane of a switch; None for what is no switch of the fabric."""
    place = place_of(fabric, name)
    return None if place is None else place.plane


def planes_apart(fabric: FabricPlan, found: int, first: Crossing) -> Iterator[Problem]:
    """Routes of one plane reach no other, as no cable or session leads there. `found`: how many `crossings`."""
    one, two = plane_of(fabric, first.name), plane_of(fabric, first.far)
    if found:
        yield Problem(
            code="planes-speak",
            what=f"planes of {fabric.name} are joined by {found} pairs of switches, first {first.name} and {first.far}",
            where=("fabrics", fabric.name, "topology"),
            why=f"{first.name} is of plane {one}, {first.far} of plane {two}; routes of one plane would reach the "
            "other, and traffic would cross where there is no capacity for it",
            fix="this is a fault of ours; report it with your intent",
        )


def taken_in(device: Device, prefixes: tuple[Network, ...]) -> Iterator[str]:
    """Of the openings, prefixes from outside the fabric that a session would accept."""
    policy = device.routing.policy
    lists = {found.name: found for found in policy.prefix_lists}
    maps = {found.name: found.statements for found in policy.route_maps}
    for whose, used in _inbound(device.routing.bgp):
        if used not in maps:
            yield f"{whose} accept every route"
            continue
        for statement in maps[used]:
            names = {statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6} - {""}
            if statement.permit and not names:
                yield f"{used} accepts every route"
            elif statement.permit:
                yield from (
                    f"{used} accepts {entry}" for name in sorted(names) for entry in _outside(lists.get(name), prefixes)
                )


def _inbound(bgp: Bgp) -> Iterator[tuple[str, str]]:
    """Inbound maps with the sessions that use them, in words: of each group, then of single sessions, each once."""
    overlay = {group.name for group in bgp.groups if group.families == ("evpn",)}
    # What the overlay brings is for VRFs, which take routes of their own target only: checks.shared_backend.
    yield from ((f"sessions of {group.name}", group.route_map_in) for group in bgp.groups if group.name not in overlay)
    rows = [row for row in reversed(bgp.neighbors) if row.group not in overlay]
    own = {row.route_map_in: row.peer for row in rows if row.route_map_in}
    yield from ((f"sessions such as {peer}", used) for used, peer in own.items())


def _outside(found: PrefixList | None, prefixes: tuple[Network, ...]) -> Iterator[str]:
    if found is None:
        yield "what no prefix list limits"
        return
    yield from (entry.prefix for entry in found.entries if not _inside(entry.prefix, prefixes))


def _inside(text: str, prefixes: tuple[Network, ...]) -> bool:
    """Whether a network lies within one of these. Its bits are compared, as every switch has a dozen."""
    address, _, length = text.partition("/")
    version, bits, family = (6, 128, AF_INET6) if ":" in address else (4, 32, AF_INET)
    start = int.from_bytes(inet_pton(family, address))
    return any(
        own.version == version
        and int(length) >= own.prefixlen
        and (start ^ int(own.network_address)) >> (bits - own.prefixlen) == 0
        for own in prefixes
    )
