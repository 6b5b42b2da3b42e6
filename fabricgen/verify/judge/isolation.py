"""Isolation: forbidden prefixes of a VRF that its forwarding table reaches."""

from collections.abc import Iterable, Mapping
from socket import AF_INET, AF_INET6, inet_pton

from fabricgen.base.grouping import grouped, grouped_sets
from fabricgen.base.text import listed
from fabricgen.state.state import Route
from fabricgen.verify.expect.model import Expected, ForbiddenRoute
from fabricgen.verify.judge.hops import hops_text
from fabricgen.verify.judge.ledger import Ledger

Block = tuple[str, int, int, int]
"""VRF, IP version, prefix length, and the network address as an integer."""
Key = tuple[str, str]
"""VRF and prefix."""


def judge_isolation(ledger: Ledger, expected: Expected, state: Iterable[Route]) -> frozenset[Key]:
    """Judge each forbidden prefix: no route to it, to a part of it, or to a supernet may have a next hop.

    Returns the routes that were reported, by VRF and prefix.
    """
    blocks = {_block(row.vrf, row.prefix): row for row in expected.forbidden}
    leading = [route for route in state if route.hops]
    reached = _inside(blocks, leading)
    reported = {(route.vrf, route.prefix) for routes in reached.values() for route in routes}
    planned = {(row.vrf, row.prefix) for row in expected.routes}
    other_routes = [route for route in leading if (route.vrf, route.prefix) not in reported | planned]
    supernets = _holding(blocks, other_routes)
    reported |= {(route.vrf, route.prefix) for route, _ in supernets}
    covered = {_block(row.vrf, row.prefix) for _, rows in supernets for row in rows}
    ledger.right("isolation", len(blocks) - len(covered | set(reached)))
    for key, routes in reached.items():
        _reached(ledger, blocks[key], routes)
    for route, rows in supernets:
        # One finding per route, however many forbidden prefixes it covers.
        prefixes = listed(f"{row.prefix} {row.about}" for row in rows)
        _leak(ledger, route.vrf, f"reaches {prefixes}", f"{route.prefix} over {hops_text(route.hops)}")
    return frozenset(reported)


def _inside(blocks: Mapping[Block, ForbiddenRoute], leading: Iterable[Route]) -> dict[Block, list[Route]]:
    """Forbidden prefix → routes to it and to parts of it."""
    lengths = grouped_sets(((vrf, version), length) for vrf, version, length, _ in blocks)
    return grouped((key, route) for route in leading for key in _around(route, lengths) if key in blocks)


def _holding(
    blocks: Mapping[Block, ForbiddenRoute], leading: Iterable[Route]
) -> list[tuple[Route, list[ForbiddenRoute]]]:
    """Routes that cover forbidden prefixes, with these prefixes; without those that the VRF may learn outside."""
    routes = {_block(route.vrf, route.prefix): route for route in leading}
    lengths = grouped_sets(((vrf, version), length) for vrf, version, length, _ in routes)
    covered: dict[Block, list[ForbiddenRoute]] = {}
    for (vrf, version, own_length, bits), row in blocks.items():
        for length in lengths.get((vrf, version), ()):
            shift = (128 if version == 6 else 32) - length
            key = vrf, version, length, bits >> shift << shift
            if length < own_length and key in routes and routes[key].prefix not in row.accepted:
                covered.setdefault(key, []).append(row)
    return [(routes[key], rows) for key, rows in covered.items()]


def _block(vrf: str, prefix: str) -> Block:
    address, _, length = prefix.partition("/")
    version, bits, family = (6, 128, AF_INET6) if ":" in address else (4, 32, AF_INET)
    shift = bits - int(length)
    return vrf, version, int(length), int.from_bytes(inet_pton(family, address), "big") >> shift << shift


def _around(route: Route, lengths: dict[tuple[str, int], set[int]]) -> Iterable[Block]:
    """Blocks of the given lengths that contain the route; a default route only matches itself."""
    vrf, version, own_length, bits = _block(route.vrf, route.prefix)
    for length in lengths.get((vrf, version), ()):
        # Length 0 covers everything, so a default route only matches itself.
        if length == own_length or 0 < length < own_length:
            shift = (128 if version == 6 else 32) - length
            yield vrf, version, length, bits >> shift << shift


def _reached(ledger: Ledger, row: ForbiddenRoute, routes: list[Route]) -> None:
    hops = hops_text(hop for route in routes for hop in route.hops)
    prefixes = listed(sorted(route.prefix for route in routes))
    _leak(ledger, row.vrf, f"reaches {row.prefix}: {row.about}", f"{prefixes} over {hops}")


def _leak(ledger: Ledger, vrf: str, problem: str, actual: str) -> None:
    ledger.add(
        code="isolation-route",
        subject=f"VRF {vrf}" if vrf else "the default VRF",
        problem=problem,
        expected="no route",
        actual=actual,
    )
