"""What stood before a change and does not stand after it, of what the plan still wants. Pure.

A fault that was there before is nobody's reason to stop, and what the plan takes away may go. A session, neighbor,
port, route, next hop, VNI, VTEP, EVPN route, lossless setting or program that was right before and still is to be right
must be right after, and what was kept apart stays apart.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.state.state import EvpnRoute, Hop, PortQos, Route, State
from fabricgen.verify.expect.model import Expected, ExpectedQos, ExpectedRoute
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.hops import Svis, differing, hops_text, svis
from fabricgen.verify.judge.isolation import judge_isolation
from fabricgen.verify.judge.ledger import Ledger, listed
from fabricgen.verify.judge.overlay import DISCOVERY, SEGMENT, up_lags
from fabricgen.verify.judge.unplanned import unplanned

ESTABLISHED = "Established"
PARTS = ("interfaces", "lldp", "bgp", "bfd", "routes", "vnis", "evpn", "qos")
"""Parts of a State that are held against each other."""

Advertised = tuple[int, str, str, str]
"""An EVPN route: type, RD, key and next hop; RD and next hop are empty where the plan knows none."""


class Regression(NamedTuple):
    """One thing that a change took away.

    was, now  in words
    far       the switch at its other end, if there is one
    key       what tells it from others of its check: a port, peer, prefix, VNI, VTEP, program
    """

    device: str
    check: str
    subject: str
    was: str
    now: str
    far: str = ""
    key: str = ""

    def __str__(self) -> str:
        return f"{self.device}: {self.subject} was {self.was}, now {self.now}"


def lost(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """What one switch has no more. expected: of the plan as it is at that moment, drained switches drained."""
    yield from _unread(expected.device, before, after)
    yield from _ports(expected, before, after)
    yield from _neighbors(expected, before, after)
    yield from _sessions(expected, before, after)
    yield from _bfd(expected, before, after)
    yield from _routes(expected, before, after)
    yield from _taken(expected, before, after)
    yield from _leaks(expected, before, after)
    yield from _vnis(expected, before, after)
    yield from _floods(expected, before, after)
    yield from _evpn(expected, before, after)
    yield from _qos(expected, before, after)
    yield from _marking(expected, before, after)
    yield from _programs(expected.device, before, after)


def _unread(device: str, before: State, after: State) -> Iterator[Regression]:
    for part in PARTS:
        if getattr(before, part) is not None and getattr(after, part) is None:
            why = after.unread.get(part, "it does not say")
            yield Regression(device, "reachable", part, "read", f"not read: {why}", key=part)


def _ports(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    up = {row.name for row in after.interfaces or () if row.oper_up}
    were = {row.name for row in before.interfaces or () if row.oper_up}
    wanted = {one.name for one in expected.interfaces if one.up}
    if after.interfaces is not None:
        for name in sorted((wanted & were) - up):
            yield Regression(expected.device, "interfaces", f"port {name}", "up", "down", key=name)


def _neighbors(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.lldp is None or after.lldp is None:
        return
    had = {(row.port, _name(row.system)) for row in before.lldp}
    has = {(row.port, _name(row.system)) for row in after.lldp}
    for one in expected.adjacencies:
        key = (one.port, _name(one.system))
        if one.required and key in had and key not in has:
            heard = f"heard {one.system}"
            yield Regression(
                expected.device, "lldp", f"port {one.port}", heard, "hears it no more", one.system, one.port
            )


def _name(system: str) -> str:
    """A name as it is compared: it may be told with its domain."""
    return system.partition(".")[0].lower()


def _sessions(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.bgp is None or after.bgp is None:
        return
    had = {(row.vrf, row.peer) for row in before.bgp.sessions if row.state == ESTABLISHED}
    has = {(row.vrf, row.peer): row.state for row in after.bgp.sessions}
    for one in expected.sessions:
        state = has.get((one.vrf, one.peer), "gone")
        if (one.vrf, one.peer) in had and state != ESTABLISHED:
            subject = f"session {one.peer} ({one.far})"
            yield Regression(expected.device, "sessions", subject, ESTABLISHED, state, one.far.system, one.peer)


def _bfd(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.bfd is None or after.bfd is None:
        return
    had = {(row.vrf, row.peer) for row in before.bfd if row.up}
    has = {(row.vrf, row.peer) for row in after.bfd if row.up}
    for one in expected.bfd:
        if (one.vrf, one.peer) in had - has:
            yield Regression(expected.device, "bfd", f"BFD session {one.peer}", "up", "down", key=one.peer)


def _routes(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.routes is None or after.routes is None:
        return
    had, has = _table(before.routes), _table(after.routes)
    own = svis(before.interfaces), svis(after.interfaces)
    for one in expected.routes:
        key = (one.vrf, one.prefix)
        if key not in had or had[key] == has.get(key):
            continue
        if key not in has:
            yield Regression(expected.device, "routes", _named(one), _paths(had[key]), "gone", one.origin, one.prefix)
        elif not one.discard and len(has[key]) < min(len(had[key]), one.width or 1):
            was, now = _paths(had[key]), _paths(has[key])
            yield Regression(expected.device, "routes", _named(one), was, now, one.origin, one.prefix)
        elif was := _moved(one, had[key], has[key], own):
            now = f"over {hops_text(has[key])}"
            yield Regression(expected.device, "routes", _named(one), was, now, one.origin, one.prefix)


def _moved(one: ExpectedRoute, had: frozenset[Hop], has: frozenset[Hop], own: tuple[Svis | None, Svis | None]) -> str:
    """Where a route led as planned and does not any more; empty where it does. own: svis before and after."""
    if one.discard:
        return "" if had else "discarded"
    gone = _left(one, _planned(one, had, own[0]), _planned(one, has, own[1]))
    return f"over {gone}" if gone else ""


def _planned(one: ExpectedRoute, hops: Iterable[Hop], own: Svis | None) -> frozenset[str]:
    """Interfaces or addresses of the next hops that are as planned; none where the plan names none."""
    if not (one.interfaces or one.addresses or one.vlan_id):
        return frozenset()
    by_address = not one.interfaces and not one.vlan_id
    return frozenset(hop.address if by_address else hop.interface for hop in hops if not differing(one, (hop,), own)[1])


def _left(one: ExpectedRoute, had: frozenset[str], has: frozenset[str]) -> str:
    """Planned next hops that are gone; empty where none is missed: of some plans so many are enough, whichever."""
    is_any = one.width < len(one.interfaces or one.addresses)
    if is_any and len(has) >= min(len(had), one.width or 1):
        return ""
    return listed(sorted(had - has), "")


def _taken(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """Parts of planned routes whose packets go elsewhere: by a route that is new, longer, and in no plan.

    Packets take the longest prefix, so that is a loss, though the planned route stands. A new route beside the planned
    ones takes no packet of theirs: verify tells it, and it may yet go while the fabric converges.
    """
    if before.routes is None or after.routes is None:
        return
    had = {(row.vrf, row.prefix) for row in before.routes}
    new = [row for row in after.routes if (row.vrf, row.prefix) not in had]
    for row in unplanned(expected, new) if new else ():
        whole = _covering(expected, row)
        if whole is not None:
            now = f"{row.prefix} of it {'leads to ' + hops_text(row.hops) if row.hops else 'is discarded'}"
            yield Regression(expected.device, "routes", _named(whole), "whole", now, whole.origin, row.prefix)


def _covering(expected: Expected, row: Route) -> ExpectedRoute | None:
    """The planned route by which packets to this prefix went; None where they were discarded, or left by a default."""
    prefix = ip_network(row.prefix)
    planned = (
        (wanted.prefixlen, one)
        for one in expected.routes
        if one.vrf == row.vrf and _holds(wanted := ip_network(one.prefix), prefix)
    )
    length, whole = max(planned, key=lambda pair: pair[0], default=(0, None))
    return whole if whole is not None and length and not whole.discard else None


def _holds(wide: Network, narrow: Network) -> bool:
    """Whether a prefix is a part of another one."""
    same = wide.version == narrow.version and wide.prefixlen < narrow.prefixlen
    return same and narrow.network_address in wide


def _leaks(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.routes is None or after.routes is None or not expected.forbidden:
        return
    had = {(one.subject, one.problem) for one in _reached(expected, before.routes)}
    for one in _reached(expected, after.routes):
        if (one.subject, one.problem) not in had:
            now = f"{one.problem} ({one.actual})"
            yield Regression(expected.device, "isolation", one.subject, "apart", now, key=one.subject)


def _reached(expected: Expected, routes: tuple[Route, ...]) -> tuple[Finding, ...]:
    book = Ledger(expected.device, {})
    judge_isolation(book, expected, routes)
    return book.verdict().findings


def _table(routes: tuple[Route, ...]) -> Mapping[tuple[str, str], frozenset[Hop]]:
    return {(row.vrf, row.prefix): frozenset(row.hops) for row in routes}


def _named(one: ExpectedRoute) -> str:
    inside = f" in {one.vrf}" if one.vrf else ""
    return f"route {one.prefix}{inside} of {one.about}"


def _paths(hops: frozenset[Hop]) -> str:
    return f"over {len(hops)} paths" if len(hops) != 1 else "over 1 path"


def _vnis(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.vnis is None or after.vnis is None:
        return
    had = {row.vni for row in before.vnis if row.up}
    has = {row.vni for row in after.vnis if row.up}
    for one in expected.vnis:
        if one.vni in had - has:
            yield Regression(expected.device, "vnis", f"VNI {one.vni}", "up", "down or gone", key=f"VNI {one.vni}")


def _floods(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """One a VTEP, whatever number of VNIs lost it. A VNI that is lost itself is told as such."""
    had = {row.vni: row.vteps for row in before.vnis or () if row.up}
    has = {row.vni: row.vteps for row in after.vnis or () if row.up}
    gone: dict[str, list[str]] = {}
    for one in expected.vnis:
        if one.vni in had and one.vni in has:
            for vtep in set(one.vteps).intersection(had[one.vni]).difference(has[one.vni]):
                gone.setdefault(vtep, []).append(str(one.vni))
    whose = {one.next_hop: one.about for one in expected.evpn if one.next_hop}
    for vtep, vnis in sorted(gone.items()):
        was = f"flooded to in VNI {listed(vnis)}"
        yield Regression(
            expected.device, "vnis", f"VTEP {vtep}", was, "not flooded to there", whose.get(vtep, ""), vtep
        )


def _evpn(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """One a type and switch whose routes they are."""
    if before.evpn is None or after.evpn is None:
        return
    had, has = _advertised(before.evpn), _advertised(after.evpn)
    lags = up_lags(after.interfaces or ())
    gone: dict[tuple[int, str], list[str]] = {}
    for one in expected.evpn:
        key = one.route_type, one.rd, _spelt(one.route_type, one.key), one.next_hop if one.rd else ""
        if key in had and key not in has and (not one.lag or one.lag in lags):
            gone.setdefault((one.route_type, one.about), []).append(f"{one.rd} {one.key}".strip())
    for (kind, about), routes in gone.items():
        far = about if about != expected.device else ""
        told, whole = f"EVPN type {kind} of {about}", f"EVPN routes of type {kind} of {about}"
        yield Regression(expected.device, "evpn", told, "there", f"without {listed(routes)}", far, whole)


def _advertised(routes: Iterable[EvpnRoute]) -> frozenset[Advertised]:
    """Each as a plan with and without an RD finds it."""
    every = [(row.route_type, row.rd, _spelt(row.route_type, row.key), row.next_hop) for row in routes]
    return frozenset(every).union((kind, "", key, "") for kind, _, key, _ in every)


def _spelt(kind: int, key: str) -> str:
    """Ethernet segments are written in ten octets or in five groups."""
    return key.replace(":", "").lower() if kind in (DISCOVERY, SEGMENT) else key


def _qos(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.qos is None or after.qos is None:
        return
    had, has = ({row.port: row for row in rows} for rows in (before.qos, after.qos))
    for one in expected.qos:
        was, now = _as_planned(one, had.get(one.port)), _as_planned(one, has.get(one.port))
        for name in was:
            if name not in now:
                had_it = f"with {name} as planned"
                yield Regression(expected.device, "qos", f"port {one.port}", had_it, "without", key=one.port)


def _as_planned(one: ExpectedQos, row: PortQos | None) -> tuple[str, ...]:
    """Names of the settings of a port that are."""
    if row is None:
        return ()
    right = {
        "PFC": row.pfc is not False and row.pfc_priorities == one.pfc_priorities,
        "the PFC watchdog": row.watchdog == one.watchdog,
        "ECN": row.ecn is not None and tuple(sorted(row.ecn)) == one.ecn,
    }
    return tuple(name for name, is_right in right.items() if is_right)


def _marking(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """Queues that counted their marks, and where marking is not configured any more."""
    had, has = ({row.port: dict(row.ecn_marked) for row in state.counters or ()} for state in (before, after))
    for one in expected.queues:
        for queue in one.marking:
            was, now = had.get(one.port, {}).get(queue), has.get(one.port, {}).get(queue, 0)
            if was is not None and now is None:
                told = f"queue {queue} of port {one.port}"
                yield Regression(expected.device, "qos", told, "marking", "not marking", key=one.port)


def _programs(device: str, before: State, after: State) -> Iterator[Regression]:
    had = {row.name for row in before.daemons or () if row.running}
    has = {row.name for row in after.daemons or () if row.running}
    if after.daemons is not None:
        for name in sorted(had - has):
            yield Regression(device, "reachable", name, "running", "not running", key=f"daemon {name}")
