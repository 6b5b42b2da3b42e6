"""What was up before a change and is not after it, although the plan still wants it. Pure.

A fault that existed before stops nothing, and what the plan removes may go. A session, neighbor, port, route, next hop,
VNI, VTEP, EVPN route, lossless setting or program that was right before and is still planned must be right after, and
isolated VRFs must stay isolated.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.base.text import listed
from fabricgen.state.state import ESTABLISHED, EvpnRoute, Hop, PortQos, Route, State
from fabricgen.verify.expect.model import Expected, ExpectedQos, ExpectedRoute
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.hops import Svis, differing, hops_text, svis
from fabricgen.verify.judge.isolation import judge_isolation
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.overlay import DISCOVERY, SEGMENT, up_lags
from fabricgen.verify.judge.unplanned import unplanned

PARTS = ("interfaces", "lldp", "bgp", "bfd", "routes", "vnis", "evpn", "qos")
"""Parts of a State that are compared."""

Advertised = tuple[int, str, str, str]
"""An EVPN route: type, RD, key and next hop; RD and next hop are empty where the plan knows none."""


class Regression(NamedTuple):
    """One thing that a change removed.

    was, now  in words
    far       the switch at its other end, if there is one
    key       identifies it among others of its check: a port, peer, prefix, VNI, VTEP, program
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
    """What one switch has lost. expected: of the plan at that moment, drained switches drained."""
    yield from _unread(expected.device, before, after)
    yield from _ports(expected, before, after)
    yield from _neighbors(expected, before, after)
    yield from _sessions(expected, before, after)
    yield from _bfd(expected, before, after)
    yield from _routes(expected, before, after)
    yield from _diverted(expected, before, after)
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
            reason = after.unread.get(part, "it does not report it")
            yield Regression(device, "reachable", part, "read", f"not read: {reason}", key=part)


def _ports(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    are_up = {row.name for row in after.interfaces or () if row.oper_up}
    were_up = {row.name for row in before.interfaces or () if row.oper_up}
    planned_up = {port.name for port in expected.interfaces if port.up}
    if after.interfaces is not None:
        for name in sorted((planned_up & were_up) - are_up):
            yield Regression(expected.device, "interfaces", f"port {name}", "up", "down", key=name)


def _neighbors(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.lldp is None or after.lldp is None:
        return
    old = {(row.port, _name(row.system)) for row in before.lldp}
    new = {(row.port, _name(row.system)) for row in after.lldp}
    for planned in expected.adjacencies:
        key = (planned.port, _name(planned.system))
        if planned.required and key in old and key not in new:
            heard = f"heard {planned.system}"
            yield Regression(
                expected.device,
                "lldp",
                f"port {planned.port}",
                heard,
                "no longer receives it",
                planned.system,
                planned.port,
            )


def _name(system: str) -> str:
    """A name for comparison: it may be reported with its domain."""
    return system.partition(".")[0].lower()


def _sessions(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.bgp is None or after.bgp is None:
        return
    up_before = {(row.vrf, row.peer) for row in before.bgp.sessions if row.state == ESTABLISHED}
    state_after = {(row.vrf, row.peer): row.state for row in after.bgp.sessions}
    for session in expected.sessions:
        state = state_after.get((session.vrf, session.peer), "gone")
        if (session.vrf, session.peer) in up_before and state != ESTABLISHED:
            subject = f"session {session.peer} ({session.far})"
            yield Regression(expected.device, "sessions", subject, ESTABLISHED, state, session.far.system, session.peer)


def _bfd(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.bfd is None or after.bfd is None:
        return
    up_before = {(row.vrf, row.peer) for row in before.bfd if row.up}
    up_after = {(row.vrf, row.peer) for row in after.bfd if row.up}
    for session in expected.bfd:
        if (session.vrf, session.peer) in up_before - up_after:
            yield Regression(expected.device, "bfd", f"BFD session {session.peer}", "up", "down", key=session.peer)


def _routes(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.routes is None or after.routes is None:
        return
    old, new = _table(before.routes), _table(after.routes)
    vlans = svis(before.interfaces), svis(after.interfaces)
    for route in expected.routes:
        key = (route.vrf, route.prefix)
        if key not in old or old[key] == new.get(key):
            continue
        if key not in new:
            yield Regression(
                expected.device, "routes", _named(route), _paths(old[key]), "gone", route.origin, route.prefix
            )
        elif not route.discard and len(new[key]) < min(len(old[key]), route.width or 1):
            was, now = _paths(old[key]), _paths(new[key])
            yield Regression(expected.device, "routes", _named(route), was, now, route.origin, route.prefix)
        elif was := _moved(route, old[key], new[key], vlans):
            now = f"over {hops_text(new[key])}"
            yield Regression(expected.device, "routes", _named(route), was, now, route.origin, route.prefix)


def _moved(
    route: ExpectedRoute, old: frozenset[Hop], new: frozenset[Hop], vlans: tuple[Svis | None, Svis | None]
) -> str:
    """Planned next hops that a route has lost, in words; empty if none. vlans: svis before and after."""
    if route.discard:
        return "" if old else "discarded"
    lost_hops = _left(route, _planned(route, old, vlans[0]), _planned(route, new, vlans[1]))
    return f"over {lost_hops}" if lost_hops else ""


def _planned(route: ExpectedRoute, hops: Iterable[Hop], vlans: Svis | None) -> frozenset[str]:
    """Interfaces or addresses of the next hops that are as planned; none where the plan names none."""
    if not (route.interfaces or route.addresses or route.vlan_id):
        return frozenset()
    by_address = not route.interfaces and not route.vlan_id
    return frozenset(
        hop.address if by_address else hop.interface for hop in hops if not differing(route, (hop,), vlans)[1]
    )


def _left(route: ExpectedRoute, old: frozenset[str], new: frozenset[str]) -> str:
    """Planned next hops that are lost; empty if enough are left: some plans only require a number of them."""
    is_any = route.width < len(route.interfaces or route.addresses)
    if is_any and len(new) >= min(len(old), route.width or 1):
        return ""
    return listed(sorted(old - new), "")


def _diverted(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """Parts of planned routes whose packets go elsewhere: by a route that is new, longer, and not planned.

    Packets take the longest prefix, so that is a loss, although the planned route is still present. A new route outside
    the planned ones takes none of their packets: verify reports it, and it may still disappear while the fabric
    converges.
    """
    if before.routes is None or after.routes is None:
        return
    old = {(row.vrf, row.prefix) for row in before.routes}
    new = [row for row in after.routes if (row.vrf, row.prefix) not in old]
    for row in unplanned(expected, new) if new else ():
        planned_route = _covering(expected, row)
        if planned_route is not None:
            now = f"{row.prefix} of it {'leads to ' + hops_text(row.hops) if row.hops else 'is discarded'}"
            yield Regression(
                expected.device, "routes", _named(planned_route), "whole", now, planned_route.origin, row.prefix
            )


def _covering(expected: Expected, row: Route) -> ExpectedRoute | None:
    """The planned route that carried packets to this prefix; None where they were discarded or used a default."""
    prefix = ip_network(row.prefix)
    planned = (
        (planned_prefix.prefixlen, route)
        for route in expected.routes
        if route.vrf == row.vrf and _contains(planned_prefix := ip_network(route.prefix), prefix)
    )
    length, longest = max(planned, key=lambda pair: pair[0], default=(0, None))
    return longest if longest is not None and length and not longest.discard else None


def _contains(wide: Network, narrow: Network) -> bool:
    """Whether a prefix is a part of another one."""
    is_longer = wide.version == narrow.version and wide.prefixlen < narrow.prefixlen
    return is_longer and narrow.network_address in wide


def _leaks(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.routes is None or after.routes is None or not expected.forbidden:
        return
    known_leaks = {(leak.subject, leak.problem) for leak in _reached(expected, before.routes)}
    for leak in _reached(expected, after.routes):
        if (leak.subject, leak.problem) not in known_leaks:
            now = f"{leak.problem} ({leak.actual})"
            yield Regression(expected.device, "isolation", leak.subject, "apart", now, key=leak.subject)


def _reached(expected: Expected, routes: tuple[Route, ...]) -> tuple[Finding, ...]:
    ledger = Ledger(expected.device, {})
    judge_isolation(ledger, expected, routes)
    return ledger.verdict().findings


def _table(routes: tuple[Route, ...]) -> Mapping[tuple[str, str], frozenset[Hop]]:
    return {(row.vrf, row.prefix): frozenset(row.hops) for row in routes}


def _named(route: ExpectedRoute) -> str:
    inside = f" in {route.vrf}" if route.vrf else ""
    return f"route {route.prefix}{inside} of {route.about}"


def _paths(hops: frozenset[Hop]) -> str:
    return f"over {len(hops)} paths" if len(hops) != 1 else "over 1 path"


def _vnis(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.vnis is None or after.vnis is None:
        return
    old = {row.vni for row in before.vnis if row.up}
    new = {row.vni for row in after.vnis if row.up}
    for planned in expected.vnis:
        if planned.vni in old - new:
            yield Regression(
                expected.device, "vnis", f"VNI {planned.vni}", "up", "down or gone", key=f"VNI {planned.vni}"
            )


def _floods(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """One regression per VTEP, whatever the number of VNIs that lost it. A lost VNI is reported by itself."""
    old = {row.vni: row.vteps for row in before.vnis or () if row.up}
    new = {row.vni: row.vteps for row in after.vnis or () if row.up}
    lost_vnis: dict[str, list[str]] = {}
    for planned in expected.vnis:
        if planned.vni in old and planned.vni in new:
            for vtep in set(planned.vteps).intersection(old[planned.vni]).difference(new[planned.vni]):
                lost_vnis.setdefault(vtep, []).append(str(planned.vni))
    switch_of = {planned.next_hop: planned.about for planned in expected.evpn if planned.next_hop}
    for vtep, vnis in sorted(lost_vnis.items()):
        was = f"flooded to in VNI {listed(vnis)}"
        yield Regression(
            expected.device, "vnis", f"VTEP {vtep}", was, "not flooded to there", switch_of.get(vtep, ""), vtep
        )


def _evpn(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """One regression per route type and originating switch."""
    if before.evpn is None or after.evpn is None:
        return
    before_routes, after_routes = _advertised(before.evpn), _advertised(after.evpn)
    lags = up_lags(after.interfaces or ())
    lost_routes: dict[tuple[int, str], list[str]] = {}
    for route in expected.evpn:
        key = route.route_type, route.rd, _spelt(route.route_type, route.key), route.next_hop if route.rd else ""
        if key in before_routes and key not in after_routes and (not route.lag or route.lag in lags):
            lost_routes.setdefault((route.route_type, route.about), []).append(f"{route.rd} {route.key}".strip())
    for (kind, about), routes in lost_routes.items():
        far = about if about != expected.device else ""
        subject, key_of_all = f"EVPN type {kind} of {about}", f"EVPN routes of type {kind} of {about}"
        yield Regression(expected.device, "evpn", subject, "there", f"without {listed(routes)}", far, key_of_all)


def _advertised(routes: Iterable[EvpnRoute]) -> frozenset[Advertised]:
    """Each route as a plan finds it with and without an RD."""
    rows = [(row.route_type, row.rd, _spelt(row.route_type, row.key), row.next_hop) for row in routes]
    return frozenset(rows).union((kind, "", key, "") for kind, _, key, _ in rows)


def _spelt(kind: int, key: str) -> str:
    """A comparable key: Ethernet segments are written in ten octets or in five groups."""
    return key.replace(":", "").lower() if kind in (DISCOVERY, SEGMENT) else key


def _qos(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    if before.qos is None or after.qos is None:
        return
    old, new = ({row.port: row for row in rows} for rows in (before.qos, after.qos))
    for planned in expected.qos:
        was, now = (_as_planned(planned, old.get(planned.port)), _as_planned(planned, new.get(planned.port)))
        for name in was:
            if name not in now:
                was_planned = f"with {name} as planned"
                yield Regression(
                    expected.device, "qos", f"port {planned.port}", was_planned, "without", key=planned.port
                )


def _as_planned(expected_port: ExpectedQos, row: PortQos | None) -> tuple[str, ...]:
    """Names of the settings of a port that are as planned."""
    if row is None:
        return ()
    right = {
        "PFC": row.pfc is not False and row.pfc_priorities == expected_port.pfc_priorities,
        "the PFC watchdog": row.watchdog == expected_port.watchdog,
        "ECN": row.ecn is not None and tuple(sorted(row.ecn)) == expected_port.ecn,
    }
    return tuple(name for name, is_right in right.items() if is_right)


def _marking(expected: Expected, before: State, after: State) -> Iterator[Regression]:
    """Queues that counted ECN marks before, and where marking is no longer configured."""
    old, new = ({row.port: dict(row.ecn_marked) for row in state.counters or ()} for state in (before, after))
    for port in expected.queues:
        for queue in port.marking:
            was, now = (old.get(port.port, {}).get(queue), new.get(port.port, {}).get(queue, 0))
            if was is not None and now is None:
                subject = f"queue {queue} of port {port.port}"
                yield Regression(expected.device, "qos", subject, "marking", "not marking", key=port.port)


def _programs(device: str, before: State, after: State) -> Iterator[Regression]:
    running_before = {row.name for row in before.daemons or () if row.running}
    running_after = {row.name for row in after.daemons or () if row.running}
    if after.daemons is not None:
        for name in sorted(running_before - running_after):
            yield Regression(device, "reachable", name, "running", "not running", key=f"daemon {name}")
