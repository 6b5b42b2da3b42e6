"""Unplanned routes, in VRFs whose routes are all planned: the default VRF, and tenants without outside sessions."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface, ip_network

from fabricgen.base.addresses import Network
from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
from fabricgen.state.state import ETHERNET, SUBINTERFACE, Route
from fabricgen.verify.expect.model import Expected, ExpectedInterface
from fabricgen.verify.judge.hops import hops_text
from fabricgen.verify.judge.ledger import Ledger

Key = tuple[str, str]
"""VRF and prefix."""
DEFAULTS = ("0.0.0.0/0", "::/0")
HOST_LENGTHS = ("/32", "/128")
KEPT = 32
"""Maximum number of prefixes that a finding keeps as values."""
BY_HAND = ("static", "boot")
"""Protocols of static routes; `boot` is the kernel's name for one from a command."""


def judge_unplanned(ledger: Ledger, expected: Expected, rows: Iterable[Route]) -> None:
    """Judge routes of all protocols: one finding per VRF for BGP routes, and one for the rest."""
    extra = grouped(((route.vrf, "bgp" in route.protocol.lower()), route) for route in unplanned(expected, rows))
    for (vrf, learned), routes in sorted(extra.items()):
        _unexpected(ledger, vrf, learned, sorted(routes))


def unplanned(expected: Expected, routes: Iterable[Route]) -> Iterator[Route]:
    """Unplanned routes in VRFs whose routes are all planned."""
    planned = {(row.vrf, row.prefix) for row in expected.routes}
    candidates = [
        route
        for route in routes
        if route.vrf in expected.closed
        and (route.vrf, route.prefix) not in planned
        and not _is_harmless(route, expected.management)
    ]
    return _unaccounted(expected, candidates) if candidates else iter(())


def _unaccounted(expected: Expected, candidates: Iterable[Route]) -> Iterator[Route]:
    """Routes that no interface of the switch, no imported host address and no host of a planned subnet explains."""
    connected, inside, relays = _connected(expected), _subnets(expected), _relays(expected)
    for route in candidates:
        is_relay = bool(route.vrf and route.hops) and route.prefix in relays
        is_own = _is_own(route, connected.get((route.vrf, route.prefix)))
        if not (is_relay or is_own or _is_host(route, inside.get(route.vrf, ()))):
            yield route


def _relays(expected: Expected) -> frozenset[str]:
    """Host addresses of tenants on the switch: a VRF that imports another one has its addresses as routes.

    In a VRF that does not import the other, they are forbidden and reported as such.
    """
    return frozenset(
        address for row in expected.interfaces if row.vrf for address in row.addresses if address.endswith(HOST_LENGTHS)
    )


def _is_harmless(route: Route, management: str) -> bool:
    """Whether it may be ignored: management networks are unplanned, and a default discard route keeps packets in."""
    if not route.hops:
        return route.prefix in DEFAULTS
    return bool(management) and all(hop.interface == management for hop in route.hops)


def _connected(expected: Expected) -> Mapping[Key, ExpectedInterface]:
    """Networks of the switch's own interfaces, and their addresses, which some platforms also list as routes."""
    by_key: dict[Key, ExpectedInterface] = {}
    for interface in expected.interfaces:
        for address in map(ip_interface, interface.addresses):
            for prefix in (address.network, ip_network(address.ip)):
                by_key[interface.vrf, str(prefix)] = interface
    return by_key


def _is_own(route: Route, interface: ExpectedInterface | None) -> bool:
    """Whether it is the network of an interface, over that interface. The plan knows only the names of ports."""
    if interface is None or not route.hops or any(hop.address for hop in route.hops):
        return False
    return interface.kind not in (ETHERNET, SUBINTERFACE) or all(hop.interface == interface.name for hop in route.hops)


def _subnets(expected: Expected) -> Mapping[str, list[Network]]:
    """Closed VRF of a tenant → subnets that it has or imports: hosts in them may have routes of their own."""
    return grouped(
        (row.vrf, ip_network(row.prefix)) for row in expected.routes if row.vrf and row.vrf in expected.closed
    )


def _is_host(route: Route, inside: Iterable[Network]) -> bool:
    """Whether it is a host of a subnet, learned by EVPN."""
    if not route.prefix.endswith(HOST_LENGTHS) or not route.hops or route.protocol.lower() in BY_HAND:
        return False
    address = ip_network(route.prefix).network_address
    return any(address in subnet for subnet in inside)


def _unexpected(ledger: Ledger, vrf: str, learned: bool, routes: list[Route]) -> None:
    prefixes = [route.prefix for route in routes]
    inside = f" in {vrf}" if vrf else ""
    single, many = f"route {prefixes[0]}{inside}", f"{len(routes)} routes{inside} ({listed(prefixes)})"
    verb = "is" if len(routes) == 1 else "are"
    kinds = listed(sorted({route.protocol for route in routes if route.protocol}), "of unknown origin")
    ledger.add(
        code="route-unexpected",
        subject=single if len(routes) == 1 else many,
        problem="BGP has routes that no switch of the plan announces"
        if learned
        else f"{verb} not in the plan ({kinds})",
        expected="no such prefix",
        actual=hops_text(hop for route in routes for hop in route.hops),
        lines=tuple(prefixes[:KEPT]),
    )
