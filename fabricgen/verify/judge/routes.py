"""The forwarding table of one switch: prefixes, the width of their equal paths, and aggregates.

Routes that miss the same next hops are one finding, and so are those that one switch should have announced.
"""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.base.text import counted, listed
from fabricgen.state.state import EVPN, Hop, Route, State
from fabricgen.verify.expect.model import Expected, ExpectedRoute
from fabricgen.verify.finding import NOWHERE, FindingEnd
from fabricgen.verify.judge.hops import Svis, differing, hops_text, number_of, svis, weights
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.unplanned import KEPT, Key, judge_unplanned

ORIGINS = 8
"""Maximum number of switches whose missing routes are reported one by one."""


class _Shift(NamedTuple):
    """Difference of next hops: missing ones, unexpected ones, and the wanted and actual number."""

    vrf: str
    lacking: tuple[str, ...]
    extra: tuple[str, ...]
    wanted: int
    has: int


def judge_routes(
    ledger: Ledger, expected: Expected, state: State, idle: frozenset[str], reported: frozenset[Key] = frozenset()
) -> None:
    """Judge each planned route, and routes that are not planned.

    idle      ports that may be down, whose own links then need no route
    reported  routes that were reported before: each is reported once
    """
    planned = {name for row in expected.routes for name in row.interfaces}
    dead = frozenset(row.name for row in expected.interfaces if row.up is None) - planned
    routes = (_alive(route, dead) for route in state.routes or ())
    by_key: dict[Key, Route] = {(route.vrf, route.prefix): route for route in routes if route is not None}
    missing: list[ExpectedRoute] = []
    present: list[tuple[ExpectedRoute, Route]] = []
    for row in expected.routes:
        route = by_key.get((row.vrf, row.prefix))
        is_own_down = bool(row.interfaces) and idle.issuperset(row.interfaces)
        if route is not None:
            # Without its port, a link that is an aggregate is discarded.
            if not (is_own_down and (row.server or not route.hops)):
                present.append((row, route))
        elif row.server and not row.width:
            continue
        elif not is_own_down:
            missing.append(row)
    _missing(ledger, missing)
    _present(ledger, present, svis(state.interfaces))
    _unused(ledger, present)
    judge_unplanned(ledger, expected, [route for key, route in by_key.items() if key not in reported])


def _alive(route: Route, dead: frozenset[str]) -> Route | None:
    """The route without next hops over ports declared dead, which may work; None if it has only such."""
    hops = tuple(hop for hop in route.hops if hop.interface not in dead)
    if len(hops) == len(route.hops):
        return route
    return route._replace(hops=hops) if hops else None


def _present(ledger: Ledger, present: Iterable[tuple[ExpectedRoute, Route]], names: Svis | None) -> None:
    """Judge routes that exist. Equal deviations of next hops, and equal uneven weights, are one finding each."""
    shifts: dict[_Shift, list[ExpectedRoute]] = {}
    uneven: dict[tuple[str, str], list[ExpectedRoute]] = {}
    for row, route in present:
        if row.discard:
            _discard(ledger, row, route)
        elif (shift := _shift(row, route.hops, names)) is not None:
            shifts.setdefault(shift, []).append(row)
        elif shares := weights(route.hops):
            uneven.setdefault((row.vrf, shares), []).append(row)
        else:
            ledger.right("routes")
    for shift, routes in shifts.items():
        _shifted(ledger, shift, routes)
    for (_, shares), routes in uneven.items():
        _uneven(ledger, shares, routes)


def _unused(ledger: Ledger, present: Iterable[tuple[ExpectedRoute, Route]]) -> None:
    """Judge the next hops towards a leaf pair together: one server may have lost a link, but not all of them one leaf.

    Needs two routes, as a single server cannot be told from its leaf.
    """
    groups = grouped(
        ((row.interfaces, row.about), (row, route)) for row, route in present if row.server and not row.width
    )
    for (planned, about), rows in groups.items():
        used = {hop.interface for _, route in rows for hop in route.hops}
        lacking = tuple(sorted(set(planned) - used))
        if len(rows) > 1 and lacking:
            shift = _Shift("", lacking, (), len(planned), len(planned) - len(lacking))
            _shifted(ledger, shift, [row._replace(about=about) for row, _ in rows])


def _uneven(ledger: Ledger, shares: str, routes: list[ExpectedRoute]) -> None:
    ledger.add(
        code="route-weights",
        subject=_subject(routes),
        problem="does not share its traffic evenly" if len(routes) == 1 else "do not share their traffic evenly",
        expected="equal weights",
        actual=shares,
    )


def _discard(ledger: Ledger, row: ExpectedRoute, route: Route) -> None:
    if not route.hops:
        ledger.right("routes")
        return
    ledger.add(
        code="route-not-discarded",
        subject=_prefix(row),
        problem="is forwarded instead of discarded: packets to unused addresses would leave again",
        expected="discard",
        actual=hops_text(route.hops),
        lines=(row.prefix,),
    )


def _prefix(row: ExpectedRoute) -> str:
    return f"route {row.prefix} in {row.vrf}" if row.vrf else f"route {row.prefix}"


def _shift(row: ExpectedRoute, hops: tuple[Hop, ...], names: Svis | None) -> _Shift | None:
    """The deviation of the next hops; None if they are as planned. The same next hop twice counts once."""
    number = number_of(hops)
    lacking, extra = differing(row, hops, names)
    if row.server and not row.width:
        lacking = ()
    if not lacking and not extra and number == (row.width or max(number, 1)):
        return None
    return _Shift(row.vrf, lacking, extra, row.width or 1, number)


def _subject(routes: list[ExpectedRoute]) -> str:
    if len(routes) == 1:
        return f"{_prefix(routes[0])} of {routes[0].about}"
    vrf = f" in {routes[0].vrf}" if routes[0].vrf else ""
    return f"{counted(len(routes), 'route')}{vrf} ({listed(row.prefix for row in routes)})"


def _shifted(ledger: Ledger, shift: _Shift, routes: list[ExpectedRoute]) -> None:
    causes = [ledger.causes[name] for name in shift.lacking if name in ledger.causes]
    parts = [f"not over {listed(shift.lacking)}"] if shift.lacking else []
    parts += [f"also over {listed(shift.extra)}"] if shift.extra else []
    ledger.add(
        code="route-next-hop" if shift.wanted == shift.has else "route-width",
        subject=_subject(routes),
        problem="; ".join(parts) or ("too few equal paths" if shift.has < shift.wanted else "too many equal paths"),
        expected=counted(shift.wanted, "next hop"),
        actual=counted(shift.has, "next hop"),
        explained=listed(dict.fromkeys(causes), ""),
        about=ledger.far_systems(shift.lacking),
        lines=_prefixes(routes),
    )


def _missing(ledger: Ledger, missing: Iterable[ExpectedRoute]) -> None:
    """One finding per cause and, without a cause, one per switch that should have announced the routes."""
    groups: dict[tuple[str, str, str], list[ExpectedRoute]] = {}
    for row in missing:
        cause = _lost(ledger, row)
        groups.setdefault((row.vrf, cause, "" if cause else row.about), []).append(row)
    unexplained = [key for key in groups if not key[1]]
    if len(unexplained) > ORIGINS:
        _lacks(ledger, [row for key in unexplained for row in groups.pop(key)], "")
    for (_, cause, _), routes in groups.items():
        _lacks(ledger, routes, cause)


def _lacks(ledger: Ledger, routes: list[ExpectedRoute], cause: str) -> None:
    origins = list(dict.fromkeys(row.about for row in routes))
    switches = {row.origin for row in routes}
    ledger.add(
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
    return tuple(row.prefix for row in islice(routes, KEPT))


def _lost(ledger: Ledger, row: ExpectedRoute) -> str:
    """The cause, if every port that could carry a route has one; else empty."""
    if row.addresses and not row.interfaces:
        return ledger.causes.get(EVPN, "")
    if not row.interfaces or any(port not in ledger.causes for port in row.interfaces):
        return ""
    return listed(dict.fromkeys(ledger.causes[port] for port in row.interfaces))
