"""A backend is isolated, and so is each of its planes: what a switch accepts, originates or carries."""

from collections.abc import Collection, Iterable, Iterator
from socket import AF_INET, AF_INET6, inet_pton
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, PrefixList
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, place_of


def carried_out(device: Device, prefixes: tuple[Network, ...], *, shared: bool = False) -> Iterator[str]:
    """Yield what a backend switch originates, has as static routes, or carries for others, and should not, as text.

    No default route and no prefix outside the fabric's (`prefixes`) is originated or configured; there is no VRF,
    overlay or outside session. (The route to the management gateway is in another VRF.) A backend that tenants share
    has VRFs and an overlay, whose routes are also within the fabric's prefixes.
    """
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
        yield "it has a VRF, an overlay or an external session of a tenant"


def uncabled(device: Device, cabled: Collection[str]) -> list[str]:
    """Return the peers of a switch without a cable to it; the description of a session begins with its far end.

    cabled  switches that it has cables to
    """
    # Most sessions have the description of their cable: only the others are parsed.
    ports = {row.description for row in device.interfaces.ethernet}
    descriptions = dict.fromkeys([row.description for row in device.routing.bgp.neighbors])
    far = dict.fromkeys([text.partition(" ")[0] for text in descriptions if text not in ports])
    return [name for name in far if name not in cabled]


class Crossing(NamedTuple):
    """A switch of a plane with a link or session to one of another plane."""

    name: str
    far: str


def crossings(fabric: FabricPlan, name: str, fars: Iterable[str]) -> tuple[Crossing, ...]:
    """Return those of the switches that one leads to, by a cable upwards or a session, that are in another plane.

    A plane is a fabric of its own for one slice of the NICs of its rails, without routes to others.
    """
    if fabric.shape.planes == 1:
        return ()
    plane = plane_of(fabric, name)
    return tuple(
        Crossing(name, far) for far in fars if plane is not None and plane_of(fabric, far) not in (plane, None)
    )


def plane_of(fabric: FabricPlan, name: str) -> int | None:
    """Return the plane of a switch; None if it is no switch of the fabric."""
    place = place_of(fabric, name)
    return None if place is None else place.plane


def planes_apart(fabric: FabricPlan, count: int, first: Crossing) -> Iterator[Problem]:
    """Planes have no cable or session in common, so that their routes stay apart. `count`: number of `crossings`."""
    plane, other = plane_of(fabric, first.name), plane_of(fabric, first.far)
    if count:
        yield Problem(
            code="planes-speak",
            what=f"planes of {fabric.name} are connected by {count} pair{'s' * (count != 1)} of switches, "
            f"first {first.name} and {first.far}",
            where=("fabrics", fabric.name, "topology"),
            why=f"{first.name} is of plane {plane}, {first.far} of plane {other}; routes of one plane would reach the "
            "other, and traffic would cross where there is no capacity for it",
            fix="this is a bug in fabricgen; report it with your intent",
        )


def accepted_prefixes(device: Device, prefixes: tuple[Network, ...]) -> Iterator[str]:
    """Yield the prefixes from outside the fabric that a session would accept, as text."""
    policy = device.routing.policy
    lists = {item.name: item for item in policy.prefix_lists}
    maps = {item.name: item.statements for item in policy.route_maps}
    for sessions, map_name in _inbound(device.routing.bgp):
        if map_name not in maps:
            yield f"{sessions} accept every route"
            continue
        for statement in maps[map_name]:
            names = {statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6} - {""}
            if statement.permit and not names:
                yield f"{map_name} accepts every route"
            elif statement.permit:
                yield from (
                    f"{map_name} accepts {entry}"
                    for name in sorted(names)
                    for entry in _outside(lists.get(name), prefixes)
                )


def _inbound(bgp: Bgp) -> Iterator[tuple[str, str]]:
    """Yield each inbound map once, with the sessions that use it as text: first of groups, then of single sessions."""
    overlay = {group.name for group in bgp.groups if group.families == ("evpn",)}
    # Routes of the overlay are for VRFs, which import only their own route targets: checks.shared_backend.
    yield from ((f"sessions of {group.name}", group.route_map_in) for group in bgp.groups if group.name not in overlay)
    rows = [row for row in reversed(bgp.neighbors) if row.group not in overlay]
    peer_by_map = {row.route_map_in: row.peer for row in rows if row.route_map_in}
    yield from ((f"sessions such as {peer}", map_name) for map_name, peer in peer_by_map.items())


def _outside(prefix_list: PrefixList | None, prefixes: tuple[Network, ...]) -> Iterator[str]:
    if prefix_list is None:
        yield "routes that no prefix list limits"
        return
    yield from (entry.prefix for entry in prefix_list.entries if not _inside(entry.prefix, prefixes))


def _inside(text: str, prefixes: tuple[Network, ...]) -> bool:
    """Return whether a network lies within one of these. Compares bits, for speed: every switch has a dozen."""
    address, _, length = text.partition("/")
    version, bits, family = (6, 128, AF_INET6) if ":" in address else (4, 32, AF_INET)
    start = int.from_bytes(inet_pton(family, address))
    return any(
        network.version == version
        and int(length) >= network.prefixlen
        and (start ^ int(network.network_address)) >> (bits - network.prefixlen) == 0
        for network in prefixes
    )
