"""What a VRF must not reach, looked for in its forwarding table."""

from collections.abc import Iterable, Mapping
from socket import AF_INET, AF_INET6, inet_pton

from fabricgen.state.state import Route
from fabricgen.verify.expect.model import Expected, ForbiddenRoute
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.hops import hops_text
from fabricgen.verify.judge.ledger import Ledger, listed

Block = tuple[str, int, int, int]
"""VRF, IP version, prefix length, and the bits before it."""
Key = tuple[str, str]
"""VRF and prefix."""


def judge_isolation(book: Ledger, expected: Expected, state: Iterable[Route]) -> frozenset[Key]:
    """Each forbidden prefix: neither it, nor anything in it, nor what holds it may lead somewhere.

    Returns the routes that were told, by VRF and prefix.
    """
    blocks = {_block(one.vrf, one.prefix): one for one in expected.forbidden}
    leading = [route for route in state if route.hops]
    reached = _inside(blocks, leading)
    told = {(route.vrf, route.prefix) for routes in reached.values() for route in routes}
    planned = {(one.vrf, one.prefix) for one in expected.routes}
    rest = [route for route in leading if (route.vrf, route.prefix) not in told | planned]
    around = _holding(blocks, rest)
    told |= {(route.vrf, route.prefix) for route, _ in around}
    held = {_block(one.vrf, one.prefix) for _, ones in around for one in ones}
    book.right("isolation", len(blocks) - len(held | set(reached)))
    for key, routes in reached.items():
        book.wrong(_reached(book, blocks[key], routes))
    for route, ones in around:
        # One finding a route, however much it holds.
        what = listed(f"{one.prefix} {one.about}" for one in ones)
        book.wrong(_leak(book, route.vrf, f"reaches {what}", f"{route.prefix} over {hops_text(route.hops)}"))
    return frozenset(told)


def _inside(blocks: Mapping[Block, ForbiddenRoute], leading: Iterable[Route]) -> dict[Block, list[Route]]:
    """Forbidden prefix → routes to it and to parts of it."""
    lengths: dict[tuple[str, int], set[int]] = {}
    for vrf, version, length, _ in blocks:
        lengths.setdefault((vrf, version), set()).add(length)
    reached: dict[Block, list[Route]] = {}
    for route in leading:
        for key in _around(route, lengths):
            if key in blocks:
                reached.setdefault(key, []).append(route)
    return reached


def _holding(
    blocks: Mapping[Block, ForbiddenRoute], leading: Iterable[Route]
) -> list[tuple[Route, list[ForbiddenRoute]]]:
    """Routes that hold forbidden prefixes, with these; without what the VRF may learn outside."""
    routes = {_block(route.vrf, route.prefix): route for route in leading}
    lengths: dict[tuple[str, int], set[int]] = {}
    for vrf, version, length, _ in routes:
        lengths.setdefault((vrf, version), set()).add(length)
    held: dict[Block, list[ForbiddenRoute]] = {}
    for (vrf, version, own, bits), one in blocks.items():
        for length in lengths.get((vrf, version), ()):
            shift = (128 if version == 6 else 32) - length
            key = vrf, version, length, bits >> shift << shift
            if length < own and key in routes and routes[key].prefix not in one.accepted:
                held.setdefault(key, []).append(one)
    return [(routes[key], ones) for key, ones in held.items()]


def _block(vrf: str, prefix: str) -> Block:
    address, _, length = prefix.partition("/")
    version, bits, family = (6, 128, AF_INET6) if ":" in address else (4, 32, AF_INET)
    shift = bits - int(length)
    return vrf, version, int(length), int.from_bytes(inet_pton(family, address), "big") >> shift << shift


def _around(route: Route, lengths: dict[tuple[str, int], set[int]]) -> Iterable[Block]:
    """Blocks of the lengths asked for that hold the route; a default holds nothing but itself."""
    vrf, version, own, bits = _block(route.vrf, route.prefix)
    for length in lengths.get((vrf, version), ()):
        if length == own or 0 < length < own:
            shift = (128 if version == 6 else 32) - length
            yield vrf, version, length, bits >> shift << shift


def _reached(book: Ledger, one: ForbiddenRoute, routes: list[Route]) -> Finding:
    hops = hops_text(hop for route in routes for hop in route.hops)
    prefixes = listed(sorted(route.prefix for route in routes))
    return _leak(book, one.vrf, f"reaches {one.prefix}: {one.about}", f"{prefixes} over {hops}")


def _leak(book: Ledger, vrf: str, problem: str, actual: str) -> Finding:
    return Finding(
        device=book.device,
        check="isolation",
        code="isolation-route",
        subject=f"VRF {vrf}" if vrf else "the default VRF",
        problem=problem,
        expected="no route",
        actual=actual,
    )
