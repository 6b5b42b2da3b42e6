"""Routes that nobody planned, in VRFs whose routes are all planned: the default one, and tenants' without a way out."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface, ip_network

from fabricgen.base.addresses import Network
from fabricgen.state.state import ETHERNET, SUBINTERFACE, Route
from fabricgen.verify.expect.model import Expected, ExpectedInterface
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.hops import hops_text
from fabricgen.verify.judge.ledger import Ledger, listed

Key = tuple[str, str]
"""VRF and prefix."""
DEFAULTS = ("0.0.0.0/0", "::/0")
HOST_LENGTHS = ("/32", "/128")
KEPT = 32
"""Prefixes of one finding that are kept as values."""
BY_HAND = ("static", "boot")
"""Protocols of routes that an operator has set; `boot` is the kernel's word of one from a command."""


def judge_unplanned(book: Ledger, expected: Expected, found: Iterable[Route]) -> None:
    """Routes of whatever protocol: one finding a VRF for what BGP has brought, and one for the rest."""
    extra: dict[tuple[str, bool], list[Route]] = {}
    for route in unplanned(expected, found):
        extra.setdefault((route.vrf, "bgp" in route.protocol.lower()), []).append(route)
    for (vrf, learned), routes in sorted(extra.items()):
        book.wrong(_unexpected(book, vrf, learned, sorted(routes)))


def unplanned(expected: Expected, found: Iterable[Route]) -> Iterator[Route]:
    """Routes that nobody planned, of VRFs whose routes are all planned."""
    planned = {(one.vrf, one.prefix) for one in expected.routes}
    more = [
        route
        for route in found
        if route.vrf in expected.closed
        and (route.vrf, route.prefix) not in planned
        and not _is_harmless(route, expected.management)
    ]
    return _unaccounted(expected, more) if more else iter(())


def _unaccounted(expected: Expected, more: Iterable[Route]) -> Iterator[Route]:
    """Those that no interface of the switch, no relay and no host of a planned subnet accounts for."""
    own, inside, relays = _connected(expected), _subnets(expected), _relays(expected)
    for route in more:
        is_relay = bool(route.vrf and route.hops) and route.prefix in relays
        is_own = _is_own(route, own.get((route.vrf, route.prefix)))
        if not (is_relay or is_own or _is_host(route, inside.get(route.vrf, ()))):
            yield route


def _relays(expected: Expected) -> frozenset[str]:
    """Host addresses of tenants that the switch has: a VRF that imports another has the other's as routes.

    In a VRF that does not import the other, they are forbidden, and told as that.
    """
    return frozenset(
        address for one in expected.interfaces if one.vrf for address in one.addresses if address.endswith(HOST_LENGTHS)
    )


def _is_harmless(route: Route, management: str) -> bool:
    """The management network is in no plan, and a default route that discards keeps packets in the VRF."""
    if not route.hops:
        return route.prefix in DEFAULTS
    return bool(management) and all(hop.interface == management for hop in route.hops)


def _connected(expected: Expected) -> Mapping[Key, ExpectedInterface]:
    """Networks of the switch's own interfaces; and their addresses, which some platforms list as routes, too."""
    found: dict[Key, ExpectedInterface] = {}
    for one in expected.interfaces:
        for address in map(ip_interface, one.addresses):
            for prefix in (address.network, ip_network(address.ip)):
                found[one.vrf, str(prefix)] = one
    return found


def _is_own(route: Route, one: ExpectedInterface | None) -> bool:
    """Whether it is a network of an interface, and over that: of ports the plan knows the names that routes have."""
    if one is None or not route.hops or any(hop.address for hop in route.hops):
        return False
    return one.kind not in (ETHERNET, SUBINTERFACE) or all(hop.interface == one.name for hop in route.hops)


def _subnets(expected: Expected) -> Mapping[str, list[Network]]:
    """Closed VRF of a tenant → subnets that it has or imports: hosts in them may have routes of their own."""
    found: dict[str, list[Network]] = {}
    for one in expected.routes:
        if one.vrf and one.vrf in expected.closed:
            found.setdefault(one.vrf, []).append(ip_network(one.prefix))
    return found


def _is_host(route: Route, inside: Iterable[Network]) -> bool:
    """Whether it is a host of a subnet that EVPN has told of."""
    if not route.prefix.endswith(HOST_LENGTHS) or not route.hops or route.protocol.lower() in BY_HAND:
        return False
    address = ip_network(route.prefix).network_address
    return any(address in subnet for subnet in inside)


def _unexpected(book: Ledger, vrf: str, learned: bool, routes: list[Route]) -> Finding:
    prefixes = [route.prefix for route in routes]
    inside = f" in {vrf}" if vrf else ""
    one, many = f"route {prefixes[0]}{inside}", f"{len(routes)} routes{inside} ({listed(prefixes)})"
    verb = "is" if len(routes) == 1 else "are"
    kinds = listed(sorted({route.protocol for route in routes if route.protocol}), "of no known kind")
    return Finding(
        device=book.device,
        check="routes",
        code="route-unexpected",
        subject=one if len(routes) == 1 else many,
        problem="BGP has brought what nobody in the plan announces" if learned else f"{verb} in no plan ({kinds})",
        expected="no such prefix",
        actual=hops_text(hop for route in routes for hop in route.hops),
        lines=tuple(prefixes[:KEPT]),
    )
