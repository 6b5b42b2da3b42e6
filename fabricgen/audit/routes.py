"""Routes as BGP would have them, by the policies of the switches: a path-vector computation, one origin at a time.

What is computed is what RFC 4271 and the platforms have in common: policies of export and import, the check of AS loops
(RFC 4271, 9.1.2) and the lines that weaken it, local preference before the length of the AS path (9.1.2.2), equal paths
of one length whatever their AS numbers (multipath relax, which all platforms are told). No timers: the result is the
state in which nothing changes.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from ipaddress import ip_network
from operator import itemgetter
from typing import NamedTuple

from fabricgen.audit.parts import parts_of
from fabricgen.audit.site_view import Arc, SiteView
from fabricgen.audit.views import At, covers
from fabricgen.readback.policy import Policy, PrefixRange, Term
from fabricgen.readback.rows import new

DEFAULT_PREFERENCE = 100
"""Local preference where no policy sets one: the default of all platforms (RFC 4271 leaves it open)."""
ROUNDS = 50
"""How often a switch may decide again, on average, before the routes to a prefix count as unsettled."""


class Route(NamedTuple):
    """A route as a switch has it.

    path      switches that it came over, the origin first, this switch not among them
    as_path   AS numbers, the nearest first
    paths     its link bandwidth in equal paths; 0: none
    next_hop  EVPN: the switch whose address is the next hop
    over      own port that it came in by; empty: a session between loopbacks
    """

    preference: int
    as_path: tuple[int, ...]
    communities: frozenset[str]
    paths: int
    next_hop: str
    path: tuple[str, ...]
    over: str


_order = itemgetter(Route._fields.index("path"), Route._fields.index("over"))


Alike = tuple[int, int, bool, int, bool, bool, int]
"""What ways of a switch have alike that carry the same route."""


def is_private(asn: int) -> bool:
    """Whether an AS number is one for private use (RFC 6996)."""
    return 64512 <= asn <= 65534 or 4200000000 <= asn <= 4294967294


class Way(NamedTuple):
    """Arcs to one receiver that carry the same route: those of parallel links, whose sessions name the same policies.

    own_as  times that the receiver takes its own AS number in a path
    overrides, removes  what the sender does to paths: the receiver's AS number becomes its own, private ones leave them
    alike  identities of the policies, and what is done to paths: ways of a switch with the same carry the same route
    overs  ports of the receiver
    """

    receiver: str
    asn: int
    outward: Policy | None
    inward: Policy | None
    unchanged: bool
    own_as: int
    overrides: bool
    removes: bool
    alike: Alike
    overs: tuple[str, ...]

    @property
    def undoes(self) -> bool:
        """Whether something weakens the check of AS loops on the way."""
        return bool(self.own_as) or self.overrides or self.removes

    def carried(self, sender: int, as_path: tuple[int, ...]) -> tuple[int, ...]:
        """The AS path of a route as the receiver has it. sender: AS number of the sender."""
        if self.removes:
            as_path = tuple(asn for asn in as_path if not is_private(asn))
        if self.overrides:
            as_path = tuple(sender if asn == self.asn else asn for asn in as_path)
        return (sender, *as_path)

    def takes(self, sender: int, as_path: tuple[int, ...]) -> bool:
        """Whether the check of AS loops of the receiver lets a path of the sender in."""
        if self.asn != sender and self.asn not in as_path:
            return True
        return self.carried(sender, as_path).count(self.asn) <= self.own_as


class Marks(NamedTuple):
    """What a route of EVPN has where it begins, by which policies and switches tell it from others.

    as_path  of one from the outside
    """

    targets: frozenset[str] = frozenset()
    communities: frozenset[str] = frozenset()
    as_path: tuple[int, ...] = ()


NO_MARKS = Marks()


class Learned(NamedTuple):
    """What all switches have of one origin's prefix.

    best      switch → its equal best routes, in the order of its sessions
    senders   switch → switches that it has the route from, the best ones and others
    unsettled switches that were still changing when the computation gave up; empty: it has come to rest
    """

    best: Mapping[str, tuple[Route, ...]]
    senders: Mapping[str, frozenset[str]]
    unsettled: frozenset[str] = frozenset()


Received = tuple[Route, tuple[str, ...]]
"""A route without its port, and the ports that it came in by."""
Rib = dict[tuple[str, int], Received]
"""Sender and number of its way → what came by it."""


class Propagation:
    """Routes of one fabric and one family: ipv4, ipv6 or evpn."""

    def __init__(self, site: SiteView, fabric: str, family: str) -> None:
        self.site, self.family = site, family
        self._known: dict[int, Policy] = {}
        self._equal: dict[Policy, Policy] = {}
        self._targets: frozenset[str] = frozenset()
        self.arcs: dict[str, list[Arc]] = {switch.name: [] for switch in site.fabrics.get(fabric, ())}
        for arc in site.arcs:
            if arc.sender in self.arcs and family in arc.near.families and family in arc.back.families:
                self.arcs[arc.sender].append(arc)
        self.ways = {sender: self._grouped(arcs) for sender, arcs in self.arcs.items()}

    def parts(self) -> dict[str, str]:
        """Switch → first switch of the part of the fabric that sessions of the family join."""
        return parts_of({name: [arc.receiver for arc in arcs] for name, arcs in self.arcs.items()})

    def _grouped(self, arcs: list[Arc]) -> list[Way]:
        ways: dict[tuple[object, ...], Way] = {}
        for arc in arcs:
            outward = self._one(arc.near.policies_out.get(self.family))
            inward = self._one(arc.back.policies_in.get(self.family))
            own_as = dict(arc.back.own_as).get(self.family, 0)
            overrides, removes = self.family in arc.near.overrides, self.family in arc.near.removes
            replaced = self.site.switches[arc.receiver].asn if overrides else 0
            alike = id(outward), id(inward), arc.near.unchanged, own_as, overrides, removes, replaced
            way = ways.get((arc.receiver, alike))
            if way is None:
                asn = self.site.switches[arc.receiver].asn
                kept = arc.near.unchanged
                way = Way(arc.receiver, asn, outward, inward, kept, own_as, overrides, removes, alike, (arc.over,))
                ways[arc.receiver, alike] = way
            else:
                ways[arc.receiver, alike] = way._replace(overs=(*way.overs, arc.over))
        return list(ways.values())

    def _one(self, policy: Policy | None) -> Policy | None:
        """One of all policies that are equal: those of switches of a kind are, and are then known by their identity."""
        if policy is None:
            return None
        if id(policy) not in self._known:
            self._known[id(policy)] = self._equal.setdefault(policy, policy)
        return self._known[id(policy)]

    def learned(self, origin: str, prefix: str, marks: Marks = NO_MARKS) -> Learned:
        """What the switches have of a prefix that a switch announces."""
        self._targets = marks.targets
        own = Route(DEFAULT_PREFERENCE, marks.as_path, marks.communities, 0, origin, (), "")
        best: dict[str, tuple[Route, ...]] = {origin: (own,)}
        incoming: dict[str, Rib] = {name: {} for name in self.arcs}
        changed = self._send(origin, best[origin], prefix, incoming)
        queue, queued = deque(changed), set(changed)
        budget = ROUNDS * len(self.arcs)
        while queue and budget > 0:
            budget -= 1
            name = queue.popleft()
            queued.discard(name)
            if name == origin:
                continue
            before, best[name] = best.get(name, ()), self._best(name, incoming[name].values())
            # What is announced is the first of the best routes, and by `set_paths` how many there are.
            if best[name][:1] == before[:1] and len(best[name]) == len(before):
                continue
            for receiver in self._send(name, best[name], prefix, incoming):
                if receiver not in queued:
                    queue.append(receiver)
                    queued.add(receiver)
        senders = {name: frozenset(sender for sender, _ in rib) for name, rib in incoming.items() if rib}
        return Learned(best, senders, frozenset(queued - {origin}))

    def _send(self, sender: str, routes: tuple[Route, ...], prefix: str, incoming: dict[str, Rib]) -> dict[str, None]:
        """Send a switch's best route over all of its sessions; who has something new by that, in order.

        Sessions of the same policies carry the same route, which is worked out once.
        """
        changed: dict[str, None] = {}
        alike: dict[Alike, Route | None] = {}
        own, as_path = self.site.switches[sender].asn, routes[0].as_path if routes else ()
        passed_by = {own, *as_path}
        for number, way in enumerate(self.ways[sender]):
            sent: Route | None
            if not routes or (way.asn in passed_by and not way.takes(own, as_path)):
                sent = None
            else:
                if way.alike not in alike:
                    alike[way.alike] = self._sent(sender, way, routes, prefix)
                sent = alike[way.alike]
            rib, key = incoming[way.receiver], (sender, number)
            before = rib.get(key)
            if sent == (before[0] if before is not None else None):
                continue
            if sent is None:
                del rib[key]
            else:
                rib[key] = (sent, way.overs)
            changed[way.receiver] = None
        return changed

    def denied(self, sender: str, receiver: str, route: Route, prefix: str, marks: Marks) -> Iterator[tuple[str, At]]:
        """Switches whose policies deny a route between two, with the sessions that have the policies."""
        for arc in self.arcs[sender]:
            if arc.receiver == receiver:
                passed = applied(arc.near.policies_out.get(self.family), route, prefix, 1, marks.targets)
                yield (sender, arc.near.at) if passed is None else (receiver, arc.back.at)

    def _best(self, name: str, received: Iterable[Received]) -> tuple[Route, ...]:
        """The equal best routes of a switch; the one that it announces comes first."""
        equal: list[Received] = []
        rank = (-1, 0)
        for row in received:
            route = row[0]
            own = (route.preference, -len(route.as_path))
            if own > rank:
                equal, rank = [row], own
            elif own == rank:
                equal.append(row)
        routes = [new(Route, (*route[:-1], over)) for route, overs in equal for over in overs]
        routes.sort(key=_order)
        return tuple(routes[: self.site.switches[name].maximum_paths or None])

    def _sent(self, sender: str, way: Way, routes: tuple[Route, ...], prefix: str) -> Route | None:
        """The route as the receiver has it behind both policies; None where it has none."""
        route = routes[0]
        sent = route._replace(preference=DEFAULT_PREFERENCE)
        passed = applied(way.outward, sent, prefix, len(routes), self._targets)
        if passed is None:
            return None
        keeps = self.family == "evpn" and (not route.path or way.unchanged)
        came = Route(
            preference=DEFAULT_PREFERENCE,
            as_path=way.carried(self.site.switches[sender].asn, route.as_path),
            communities=passed.communities,
            paths=passed.paths,
            next_hop=route.next_hop if keeps else sender,
            path=(*route.path, sender),
            over="",
        )
        return applied(way.inward, came, prefix, 1, self._targets)


def applied(
    policy: Policy | None, route: Route, prefix: str, own_paths: int, targets: frozenset[str] = frozenset()
) -> Route | None:
    """A route behind a policy; None where it is denied.

    own_paths  equal paths that the switch itself has; targets: route targets of the route
    """
    if policy is None:
        return route
    for term in policy.terms:
        if _matches(term, route, prefix, targets):
            return _set(term, route, own_paths) if term.permit else None
    return None


def _matches(term: Term, route: Route, prefix: str, targets: frozenset[str]) -> bool:
    if term.communities and not term.communities & route.communities:
        return False
    if term.route_targets and not term.route_targets & targets:
        return False
    if term.fewer_paths and not 0 < route.paths < term.fewer_paths:
        return False
    ranges = term.prefixes_ipv6 if ":" in prefix else term.prefixes_ipv4
    return ranges is None or contains(ranges, prefix)


def _set(term: Term, route: Route, own_paths: int) -> Route:
    if not (term.set_communities or term.replace or term.local_preference >= 0 or term.set_paths):
        return route
    return route._replace(
        communities=term.set_communities | (frozenset() if term.replace else route.communities),
        preference=term.local_preference if term.local_preference >= 0 else route.preference,
        paths=own_paths if term.set_paths else route.paths,
    )


@cache
def contains(ranges: frozenset[PrefixRange], prefix: str) -> bool:
    """Whether a prefix is in one of the ranges."""
    length = ip_network(prefix).prefixlen
    return any(row.shortest <= length <= row.longest and covers(row.prefix, prefix) for row in ranges)
