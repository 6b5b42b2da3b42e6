"""What each switch reaches by the policies in the texts: everything of its fabric, without valleys."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from fabricgen.audit.routes import Learned, Propagation, Route
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import At, SwitchView, host_of
from fabricgen.audit.violations import Violation
from fabricgen.base.text import listed

UNDERLAY = ("ipv4", "ipv6")


class Announced(NamedTuple):
    """A prefix of a fabric's default VRF, and who announces it. EVPN: the VTEP that its routes lead to.

    targets  route targets of its EVPN routes, where a policy matches some; else empty, as all routes pass alike
    """

    family: str
    origin: str
    prefix: str
    targets: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """What is announced."""
        return f"{self.prefix} with {listed(sorted(self.targets))}" if self.targets else self.prefix


class Reached(NamedTuple):
    """A prefix, and what all switches of its fabric have of it. parts: which switches sessions of its family join."""

    announced: Announced
    learned: Learned
    parts: Mapping[str, str]


def matches_targets(site: SiteView, fabric: str) -> bool:
    """Whether a policy of an EVPN session matches route targets: routes of one switch then pass or not by theirs."""
    sessions = (session.near for switch in site.fabrics.get(fabric, ()) for session in site.sessions_of(switch.name))
    policies = (side.get("evpn") for near in sessions for side in (near.policies_in, near.policies_out))
    return any(term.route_targets for policy in policies if policy is not None for term in policy.terms)


def reached(site: SiteView, fabric: str, *, by_target: bool) -> Iterator[Reached]:
    """Every prefix that a switch of a fabric announces, as the others learn it. by_target: EVPN by route targets."""
    for family in (*UNDERLAY, "evpn"):
        propagation = Propagation(site, fabric, family)
        parts = propagation.parts()
        for origin in propagation.arcs:
            for row in _announced(site.switches[origin], family, by_target=by_target):
                yield Reached(row, propagation.learned(origin, row.prefix, row.targets), parts)


def _announced(switch: SwitchView, family: str, *, by_target: bool) -> Iterator[Announced]:
    """What a switch announces. By target: routes of types 2, 3 and 5 carry those of their VRF or VLAN."""
    exports = dict.fromkeys(row.exports for row in (*switch.vrfs, *switch.vlans) if row.exports)
    for prefix in _prefixes(switch, family):
        for targets in exports if by_target and family == "evpn" else (frozenset[str](),):
            yield Announced(family, switch.name, prefix, targets)


def _imports(switch: SwitchView) -> frozenset[str]:
    return frozenset(target for row in (*switch.vrfs, *switch.vlans) for target in row.imports)


def _prefixes(switch: SwitchView, family: str) -> Iterator[str]:
    if family == "evpn":
        yield from [switch.tunnel_prefix] if switch.vtep else []
        return
    yield from switch.announced(family)


def reach(site: SiteView) -> Iterator[Violation]:
    """Leaves reach each other, sessions between loopbacks find their ends, no route goes down and up again."""
    yield from _apart(site)
    for fabric in site.fabrics:
        known: set[tuple[str, str]] = set()
        counts: Counter[tuple[str, str, str]] = Counter()
        for row in reached(site, fabric, by_target=matches_targets(site, fabric)):
            known.update((name, host_of(row.announced.prefix)) for name, routes in row.learned.best.items() if routes)
            family = row.announced.family
            counts.update((name, sender, family) for name, names in row.learned.senders.items() for sender in names)
            yield from _lost(site, row)
            yield from _wrong(site, row)
        yield from _unreached_ends(site, fabric, known)
        yield from _too_many(site, counts)


def _too_many(site: SiteView, counts: Mapping[tuple[str, str, str], int]) -> Iterator[Violation]:
    """Sessions by which more routes of the underlay come in than they expect. How many EVPN has, servers decide."""
    for (name, sender, family), count in counts.items():
        for session in site.sessions_of(name) if family in UNDERLAY else ():
            limit = session.near.limits.get(family, count)
            if session.far == sender and count > limit:
                what = f"session {session.near.peer}: {count} {family} routes come in, and its limit is {limit}"
                yield Violation("reach", name, session.near.at, what, "the switch warns, or closes the session")


def _apart(site: SiteView) -> Iterator[Violation]:
    """Switches that cables join to others, and no session does."""
    for name in dict.fromkeys(near.switch for near, far in site.cables.items() if far.switch in site.switches):
        if name in site.switches and not site.sessions_of(name):
            what = "it has no session with a switch that a cable leads to"
            yield Violation("reach", name, site.switches[name].at, what, "it reaches no other switch")


def _lost(site: SiteView, row: Reached) -> Iterator[Violation]:
    """Leaves that do not have a prefix of another leaf, though sessions join the two."""
    origin = site.switches[row.announced.origin]
    if origin.tier:
        return
    without = [
        name
        for name, part in row.parts.items()
        if part == row.parts.get(origin.name) and not site.switches[name].tier and not row.learned.best.get(name)
        if not row.announced.targets or row.announced.targets & _imports(site.switches[name])
    ]
    if without:
        at = next(
            (where for (vrf, prefix), where in origin.networks.items() if not vrf and prefix == row.announced.prefix),
            origin.at,
        )
        subject = f"{row.announced.prefix} reaches"
        if row.announced.family == "evpn":
            of = f" with {listed(sorted(row.announced.targets))}" if row.announced.targets else ""
            subject = f"its EVPN routes{of} reach"
        what = f"{subject} none of {len(without)} leaves: {listed(without)}"
        yield Violation("reach", origin.name, at, what, "a policy on the way denies it")


def _wrong(site: SiteView, row: Reached) -> Iterator[Violation]:
    """Routes that do not rest, that make a valley, that lead over a drained switch, or to another next hop."""
    prefix = row.announced.prefix
    for name in sorted(row.learned.unsettled):
        what = f"routes to {prefix} never come to rest"
        yield Violation("reach", name, site.switches[name].at, what, "packets change their way without end")
    for name, routes in row.learned.best.items():
        # Routes over parallel links have one path.
        ways = {(route.path, route.next_hop): route for route in routes}
        for what, why in dict.fromkeys(
            fault for route in ways.values() for fault in _route_faults(site, name, route, row)
        ):
            yield Violation("reach", name, _session_at(site, name, routes[0]), what, why)


def _route_faults(site: SiteView, name: str, route: Route, row: Reached) -> Iterator[tuple[str, str]]:
    way = (*route.path, name)
    tiers = [site.switches[step].tier for step in way]
    prefix = row.announced.prefix
    if _has_valley(tiers):
        # A route travels from its origin; packets go the other way, and up again where it came down.
        yield f"its route to {prefix} comes over {' '.join(way)}", "packets go down and up again: a loop of buffers"
    drained = [step for step in route.path[1:] if site.switches[step].state == "drained"]
    if drained and route.preference > 0 and row.announced.family in UNDERLAY:
        yield f"its route to {prefix} comes over {drained[0]}, which is drained", "packets are lost when it goes down"
    if row.announced.family == "evpn" and route.next_hop != row.announced.origin:
        what = f"EVPN routes of {row.announced.origin} have {route.next_hop} as next hop"
        yield what, "tunnels lead to a switch that is no VTEP"


def _has_valley(tiers: list[int]) -> bool:
    """Whether a way goes up again behind a step down."""
    went_down = False
    for before, after in pairwise(tiers):
        if after > before and went_down:
            return True
        went_down = went_down or after < before
    return False


def _session_at(site: SiteView, name: str, route: Route) -> At:
    """The session that a route came in by."""
    sender = route.path[-1] if route.path else name
    sessions = (row.near.at for row in site.sessions_of(name) if row.far == sender)
    return next(sessions, site.switches[name].at)


def _unreached_ends(site: SiteView, fabric: str, known: set[tuple[str, str]]) -> Iterator[Violation]:
    """Sessions between loopbacks whose peer's address is announced to nobody here."""
    for session in site.sessions:
        switch = site.switches[session.switch]
        if switch.fabric == fabric and session.near.source and (switch.name, session.near.peer) not in known:
            what = f"session {session.near.peer}: no route leads there"
            yield Violation("reach", switch.name, session.near.at, what, "the session does not come up")
