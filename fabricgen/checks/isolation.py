"""A backend is connected to nothing: what one of its switches would let in, originate or carry for others."""

from collections.abc import Iterator
from ipaddress import ip_network

from fabricgen.addresses import Network
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, PrefixList


def openings(device: Device, prefixes: tuple[Network, ...]) -> Iterator[str]:
    """Why a backend switch is not closed, in words; nothing when it is. `prefixes` are the fabric's own.

    No default route is originated, configured or accepted; no prefix outside the fabric's is; no VRF, overlay or
    outside session stands on it. (The route to the management gateway is of another VRF.)
    """
    bgp = device.routing.bgp
    for prefix in (*bgp.networks_ipv4, *bgp.networks_ipv6):
        if not _inside(prefix, prefixes):
            yield f"it originates {prefix}"
    for route in device.routing.static_routes:
        if route.vrf == "" and not _inside(route.prefix, prefixes):
            yield f"it has a static route to {route.prefix}"
    if device.evpn is not None or bgp.vrfs or device.interfaces.subinterfaces:
        yield "it carries a VRF, an overlay or an outside session of a tenant"
    yield from _accepted(device, prefixes)


def _accepted(device: Device, prefixes: tuple[Network, ...]) -> Iterator[str]:
    """Prefixes from outside the fabric that a session would accept."""
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
    yield from ((f"sessions of {group.name}", group.route_map_in) for group in bgp.groups)
    own = {row.route_map_in: row.address for row in reversed(bgp.neighbors) if row.route_map_in}
    yield from ((f"sessions such as {address}", used) for used, address in own.items())


def _outside(found: PrefixList | None, prefixes: tuple[Network, ...]) -> Iterator[str]:
    if found is None:
        yield "what no prefix list limits"
        return
    yield from (entry.prefix for entry in found.entries if not _inside(entry.prefix, prefixes))


def _inside(text: str, prefixes: tuple[Network, ...]) -> bool:
    network = ip_network(text)
    return any(
        network.version == own.version and network.subnet_of(own)  # type: ignore[arg-type]
        for own in prefixes
    )
