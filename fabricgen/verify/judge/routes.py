"""The forwarding table of one switch: prefixes, the width of their equal paths and aggregates.

Routes that miss the same next hops are one finding, and so are those that one switch should have announced.
"""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple

from fabricgen.state.state import EVPN, Hop, Route, State
from fabricgen.verify.expect.model import Expected, ExpectedRoute
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd
from fabricgen.verify.judge.hops import Svis, differing, hops_text, number_of, svis, weights
from fabricgen.verify.judge.ledger import Ledger, counted, listed
from fabricgen.verify.judge.unplanned import KEPT, Key, judge_unplanned

ORIGINS = 8
"""Switches whose routes are missing are told one by one up to here."""


class _Shift(NamedTuple):
    """How next hops differ: those that lack, those too many, and how many there are of how many."""

    vrf: str
    lacking: tuple[str, ...]
    extra: tuple[str, ...]
    wanted: int
    has: int


def judge_routes(
    book: Ledger, expected: Expected, state: State, idle: frozenset[str], told: frozenset[Key] = frozenset()
) -> None:
    """Each planned route, and those that nobody planned.

    idle  ports that may be down, whose own links then need no route
    told  routes of which something was said before: they are told once
    """
    planned = {name for one in expected.routes for name in one.interfaces}
    dead = frozenset(one.name for one in expected.interfaces if one.up is None) - planned
    routes = (_alive(route, dead) for route in state.routes or ())
    found: dict[Key, Route] = {(route.vrf, route.prefix): route for route in routes if route is not None}
    missing: list[ExpectedRoute] = []
    there: list[tuple[ExpectedRoute, Route]] = []
    for one in expected.routes:
        route = found.get((one.vrf, one.prefix))
        if route is not None:
            there.append((one, route))
        elif not (one.interfaces and idle.issuperset(one.interfaces)):
            missing.append(one)
    _missing(book, missing)
    _there(book, there, svis(state.interfaces))
    judge_unplanned(book, expected, [route for key, route in found.items() if key not in told])


def _alive(route: Route, dead: frozenset[str]) -> Route | None:
    """The route without next hops over ports that are declared dead, which may work; None where it has only such."""
    hops = tuple(hop for hop in route.hops if hop.interface not in dead)
    if len(hops) == len(route.hops):
        return route
    return route._replace(hops=hops) if hops else None


def _there(book: Ledger, there: Iterable[tuple[ExpectedRoute, Route]], names: Svis | None) -> None:
    """What leaves by wrong next hops is told once for all routes that do so alike, and uneven weights, too."""
    shifts: dict[_Shift, list[ExpectedRoute]] = {}
    uneven: dict[tuple[str, str], list[ExpectedRoute]] = {}
    for one, route in there:
        if one.discard:
            _discard(book, one, route)
        elif (shift := _shift(one, route.hops, names)) is not None:
            shifts.setdefault(shift, []).append(one)
        elif told := weights(route.hops):
            uneven.setdefault((one.vrf, told), []).append(one)
        else:
            book.right("routes")
    for shift, routes in shifts.items():
        book.wrong(_shifted(book, shift, routes))
    for (_, told), routes in uneven.items():
        book.wrong(_uneven(book, told, routes))


def _uneven(book: Ledger, told: str, routes: list[ExpectedRoute]) -> Finding:
    return Finding(
        device=book.device,
        check="routes",
        code="route-weights",
        subject=_subject(routes),
        problem="does not share its traffic evenly" if len(routes) == 1 else "do not share their traffic evenly",
        expected="equal weights",
        actual=told,
    )


def _discard(book: Ledger, one: ExpectedRoute, route: Route) -> None:
    if not route.hops:
        book.right("routes")
        return
    book.wrong(
        Finding(
            device=book.device,
            check="routes",
            code="route-not-discarded",
            subject=_prefix(one),
            problem="is forwarded, not discarded: what no host has would leave again",
            expected="discard",
            actual=hops_text(route.hops),
            lines=(one.prefix,),
        )
    )


def _prefix(one: ExpectedRoute) -> str:
    return f"route {one.prefix} in {one.vrf}" if one.vrf else f"route {one.prefix}"


def _shift(one: ExpectedRoute, hops: tuple[Hop, ...], names: Svis | None) -> _Shift | None:
    """None where the next hops are as planned. The same next hop twice counts once."""
    number = number_of(hops)
    lacking, extra = differing(one, hops, names)
    if not lacking and not extra and number == (one.width or max(number, 1)):
        return None
    return _Shift(one.vrf, lacking, extra, one.width or 1, number)


def _subject(routes: list[ExpectedRoute]) -> str:
    if len(routes) == 1:
        return f"{_prefix(routes[0])} of {routes[0].about}"
    vrf = f" in {routes[0].vrf}" if routes[0].vrf else ""
    return f"{counted(len(routes), 'route')}{vrf} ({listed(one.prefix for one in routes)})"


def _shifted(book: Ledger, shift: _Shift, routes: list[ExpectedRoute]) -> Finding:
    causes = [book.causes[name] for name in shift.lacking if name in book.causes]
    parts = [f"not over {listed(shift.lacking)}"] if shift.lacking else []
    parts += [f"also over {listed(shift.extra)}"] if shift.extra else []
    make = partial(
        Finding,
        device=book.device,
        check="routes",
        subject=_subject(routes),
        problem="; ".join(parts) or ("too few equal paths" if shift.has < shift.wanted else "too many equal paths"),
        expected=counted(shift.wanted, "next hop"),
        actual=counted(shift.has, "next hop"),
        explained=listed(dict.fromkeys(causes), ""),
        about=book.behind(shift.lacking),
        lines=_prefixes(routes),
    )
    return make(code="route-next-hop") if shift.wanted == shift.has else make(code="route-width")


def _missing(book: Ledger, missing: Iterable[ExpectedRoute]) -> None:
    """One finding a cause, and where there is none one a switch that should have announced them."""
    groups: dict[tuple[str, str, str], list[ExpectedRoute]] = {}
    for one in missing:
        cause = _lost(book, one)
        groups.setdefault((one.vrf, cause, "" if cause else one.about), []).append(one)
    unexplained = [key for key in groups if not key[1]]
    if len(unexplained) > ORIGINS:
        book.wrong(_lacks(book, [one for key in unexplained for one in groups.pop(key)], ""))
    for (_, cause, _), routes in groups.items():
        book.wrong(_lacks(book, routes, cause))


def _lacks(book: Ledger, routes: list[ExpectedRoute], cause: str) -> Finding:
    origins = list(dict.fromkeys(one.about for one in routes))
    switches = {one.origin for one in routes}
    return Finding(
        device=book.device,
        check="routes",
        code="route-missing",
        subject=_subject(routes),
        problem="is not in the forwarding table" if len(routes) == 1 else "are not in the forwarding table",
        expected=f"from {origins[0]}" if len(origins) == 1 else f"from {len(origins)} switches, {listed(origins)}",
        actual="no route",
        explained=cause,
        far=FindingEnd(switches.pop(), "") if len(switches) == 1 else NOWHERE,
        prefix=routes[0].prefix if len(routes) == 1 else "",
        lines=_prefixes(routes),
    )


def _prefixes(routes: Iterable[ExpectedRoute]) -> tuple[str, ...]:
    return tuple(one.prefix for one in islice(routes, KEPT))


def _lost(book: Ledger, one: ExpectedRoute) -> str:
    """Why, where every port that could carry a route has a cause."""
    if one.addresses and not one.interfaces:
        return book.causes.get(EVPN, "")
    if not one.interfaces or any(port not in book.causes for port in one.interfaces):
        return ""
    return listed(dict.fromkeys(book.causes[port] for port in one.interfaces))
