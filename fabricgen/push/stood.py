"""What stood before a change and does not stand after it, of what the plan still wants. Pure.

A fault that was there before is nobody's reason to stop, and what the plan takes away may go. A session, neighbor,
port, route, path, VNI or program that was right before and still is to be right must be right after.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.state.state import Hop, Route, State
from fabricgen.verify.expected import Expected, ExpectedRoute

ESTABLISHED = "Established"


class Lost(NamedTuple):
    """One thing that a change took away. was, now: in words. far: the switch at its other end, if there is one."""

    device: str
    check: str
    subject: str
    was: str
    now: str
    far: str = ""

    def __str__(self) -> str:
        return f"{self.device}: {self.subject} was {self.was}, now {self.now}"


def lost(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    """What one switch has no more. expected: of the plan as it is at that moment, drained switches drained."""
    yield from _unread(expected.device, before, after)
    yield from _ports(expected, before, after)
    yield from _neighbors(expected, before, after)
    yield from _sessions(expected, before, after)
    yield from _bfd(expected, before, after)
    yield from _routes(expected, before, after)
    yield from _vnis(expected, before, after)
    yield from _programs(expected.device, before, after)


def _unread(device: str, before: State, after: State) -> Iterator[Lost]:
    for part in ("interfaces", "lldp", "bgp", "bfd", "routes", "vnis"):
        if getattr(before, part) is not None and getattr(after, part) is None:
            why = after.unread.get(part, "it does not say")
            yield Lost(device, "reachable", part, "read", f"not read: {why}")


def _ports(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    up = {row.name for row in after.interfaces or () if row.oper_up}
    were = {row.name for row in before.interfaces or () if row.oper_up}
    wanted = {one.name for one in expected.interfaces if one.up}
    if after.interfaces is not None:
        for name in sorted((wanted & were) - up):
            yield Lost(expected.device, "interfaces", f"port {name}", "up", "down")


def _neighbors(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    if before.lldp is None or after.lldp is None:
        return
    had = {(row.port, _name(row.system)) for row in before.lldp}
    has = {(row.port, _name(row.system)) for row in after.lldp}
    for one in expected.adjacencies:
        key = (one.port, _name(one.system))
        if one.required and key in had and key not in has:
            heard = f"heard {one.system}"
            yield Lost(expected.device, "lldp", f"port {one.port}", heard, "hears it no more", one.system)


def _name(system: str) -> str:
    """A name as it is compared: it may be told with its domain."""
    return system.partition(".")[0].lower()


def _sessions(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    if before.bgp is None or after.bgp is None:
        return
    had = {(row.vrf, row.peer) for row in before.bgp.sessions if row.state == ESTABLISHED}
    has = {(row.vrf, row.peer): row.state for row in after.bgp.sessions}
    for one in expected.sessions:
        state = has.get((one.vrf, one.peer), "gone")
        if (one.vrf, one.peer) in had and state != ESTABLISHED:
            subject = f"session {one.peer} ({one.far})"
            yield Lost(expected.device, "sessions", subject, ESTABLISHED, state, one.far.system)


def _bfd(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    if before.bfd is None or after.bfd is None:
        return
    had = {(row.vrf, row.peer) for row in before.bfd if row.up}
    has = {(row.vrf, row.peer) for row in after.bfd if row.up}
    for one in expected.bfd:
        if (one.vrf, one.peer) in had - has:
            yield Lost(expected.device, "bfd", f"BFD session {one.peer}", "up", "down")


def _routes(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    if before.routes is None or after.routes is None:
        return
    had, has = _table(before.routes), _table(after.routes)
    for one in expected.routes:
        key = (one.vrf, one.prefix)
        if key not in had:
            continue
        if key not in has:
            yield Lost(expected.device, "routes", _named(one), _paths(had[key]), "gone", one.origin)
        elif len(has[key]) < min(len(had[key]), one.width or 1):
            yield Lost(expected.device, "routes", _named(one), _paths(had[key]), _paths(has[key]), one.origin)


def _table(routes: tuple[Route, ...]) -> Mapping[tuple[str, str], frozenset[Hop]]:
    return {(row.vrf, row.prefix): frozenset(row.hops) for row in routes}


def _named(one: ExpectedRoute) -> str:
    inside = f" in {one.vrf}" if one.vrf else ""
    return f"route {one.prefix}{inside} of {one.about}"


def _paths(hops: frozenset[Hop]) -> str:
    return f"over {len(hops)} paths" if len(hops) != 1 else "over 1 path"


def _vnis(expected: Expected, before: State, after: State) -> Iterator[Lost]:
    if before.vnis is None or after.vnis is None:
        return
    had = {row.vni for row in before.vnis if row.up}
    has = {row.vni for row in after.vnis if row.up}
    for one in expected.vnis:
        if one.vni in had - has:
            yield Lost(expected.device, "vnis", f"VNI {one.vni}", "up", "down or gone")


def _programs(device: str, before: State, after: State) -> Iterator[Lost]:
    had = {row.name for row in before.daemons or () if row.running}
    has = {row.name for row in after.daemons or () if row.running}
    if after.daemons is not None:
        for name in sorted(had - has):
            yield Lost(device, "reachable", name, "running", "not running")
