"""What each switch reaches by the policies in the texts: everything of its fabric, without valleys."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from fabricgen.audit.parts import parts_of
from fabricgen.audit.routes import NO_MARKS, Learned, Marks, Propagation, Route
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import At, SwitchView, host_of
from fabricgen.audit.violations import Violation
from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
from fabricgen.readback.policy import PERMIT_ALL

UNDERLAY = ("ipv4", "ipv6")
NONE = frozenset[str]()


class Announced(NamedTuple):
    """A prefix of a fabric's default VRF, and who announces it. EVPN: the VTEP that its routes lead to.

    marks    by which EVPN policies tell routes of one VTEP apart; those with the same marks are carried once
    carried  how many routes these are
    """

    family: str
    origin: str
    prefix: str
    marks: Marks = NO_MARKS
    carried: int = 1

    @property
    def text(self) -> str:
        """What is announced."""
        return f"{self.prefix}{self.marked}"

    @property
    def marked(self) -> str:
        """Its marks in words, with a space before them; empty without marks."""
        words = (*sorted(self.marks.targets), *sorted(self.marks.communities), *map(str, self.marks.as_path))
        return f" with {listed(words)}" if words else ""


class Reached(NamedTuple):
    """A prefix, and what all switches of its fabric have of it. parts: which switches sessions join."""

    announced: Announced
    learned: Learned
    parts: Mapping[str, str]
    propagation: Propagation


def matched_marks(switches: Iterable[SwitchView]) -> Marks:
    """What policies of EVPN sessions match, and AS numbers of the switches: routes pass or not by these alone."""
    switches = [*switches]
    policies = {
        id(policy): policy
        for switch in switches
        for near in switch.sessions
        for side in (near.policies_in, near.policies_out)
        if (policy := side.get("evpn")) is not None
    }
    terms = [term for policy in policies.values() for term in policy.terms]
    return Marks(
        frozenset(target for term in terms for target in term.route_targets),
        frozenset(community for term in terms for community in term.communities),
        tuple({switch.asn for switch in switches}),
    )


def reached(site: SiteView, fabric: str, matched: Marks) -> Iterator[Reached]:
    """Every prefix that a switch of a fabric announces, as the others learn it. matched: EVPN by these."""
    joined: dict[str, list[str]] = {}
    for family in (*UNDERLAY, "evpn"):
        propagation = Propagation(site, fabric, family)
        for name, arcs in propagation.arcs.items():
            joined.setdefault(name, []).extend(arc.receiver for arc in arcs)
        # Whom the underlay joins EVPN must join, too.
        parts = parts_of(joined) if family == "evpn" else propagation.parts()
        for origin in propagation.arcs:
            for row in _announced(site.switches[origin], family, matched):
                yield Reached(row, propagation.learned(origin, row.prefix, row.marks), parts, propagation)


def _announced(switch: SwitchView, family: str, matched: Marks) -> Iterator[Announced]:
    """What a switch announces."""
    if family in UNDERLAY:
        yield from (Announced(family, switch.name, prefix) for prefix in switch.announced(family))
    elif switch.vtep:
        for marks, count in _of_vtep(switch, matched).items():
            yield Announced(family, switch.name, switch.tunnel_prefix, marks, count)


def _of_vtep(switch: SwitchView, matched: Marks) -> Counter[Marks]:
    """EVPN routes that a text implies, by what policies match of them.

    One of type 3 for each VLAN, one of type 2 for each gateway, one of type 5 for each network, one of type 4 for each
    segment. How many servers have, and the outside, no text says.
    """
    of_vlan = {row.name: row.exports for row in switch.vlans}
    of_vrf = {row.name: row.exports for row in switch.vrfs}
    targets = [*of_vlan.values(), *(NONE for _ in switch.segments)]
    targets += [of_vlan.get(row.vlan, NONE) | of_vrf.get(row.vrf, NONE) for row in switch.gateways]
    targets += [of_vrf[vrf] for vrf, _ in switch.networks if vrf in of_vrf]
    routes = Counter(Marks(row & matched.targets) for row in targets)
    for session in switch.sessions:
        for family in session.families if session.vrf in of_vrf else ():
            policy = session.policies_in.get(family)
            as_path = tuple({session.remote_as} & {*matched.as_path})
            for term in policy.terms if policy is not None else (PERMIT_ALL,):
                marks = Marks(
                    of_vrf[session.vrf] & matched.targets, term.set_communities & matched.communities, as_path
                )
                routes[marks] += 0
    return routes


def exported(switch: SwitchView) -> frozenset[str]:
    """Route targets that a switch exports."""
    return NONE.union(*(row.exports for row in (*switch.vrfs, *switch.vlans)))


def imported(switch: SwitchView) -> frozenset[str]:
    """Route targets that a switch imports."""
    return NONE.union(*(row.imports for row in (*switch.vrfs, *switch.vlans)))


def reach(site: SiteView) -> Iterator[Violation]:
    """Leaves reach each other, sessions between loopbacks find their ends, no route goes down and up again."""
    yield from _apart(site)
    for fabric in site.fabrics:
        known: set[tuple[str, str]] = set()
        counts: Counter[tuple[str, str, str]] = Counter()
        for row in reached(site, fabric, matched_marks(site.fabrics[fabric])):
            known.update((name, host_of(row.announced.prefix)) for name, routes in row.learned.best.items() if routes)
            family = row.announced.family
            for name, senders in row.learned.senders.items():
                for sender in senders:
                    counts[name, sender, family] += row.announced.carried
            yield from _lost(site, row)
            yield from _stopped(site, row)
            yield from _wrong(site, row)
        yield from _unreached_ends(site, fabric, known)
        yield from _too_many(site, counts)


def limits_hold(site: SiteView, fabric: str) -> bool:
    """Whether no session of a fabric gets more routes than it expects, though all that switches announce came by it."""
    matched = matched_marks(site.fabrics[fabric])
    switches = site.fabrics[fabric]
    totals = {
        family: sum(row.carried for switch in switches for row in _announced(switch, family, matched))
        for family in (*UNDERLAY, "evpn")
    }
    limits = (item for switch in switches for session in switch.sessions for item in session.limits.items())
    return all(totals.get(family, 0) <= limit for family, limit in limits)


def _too_many(site: SiteView, counts: Mapping[tuple[str, str, str], int]) -> Iterator[Violation]:
    """Sessions by which more routes come in than they expect, of EVPN those that texts imply."""
    between = grouped(((session.switch, session.far), session) for session in site.sessions)
    for (name, sender, family), count in counts.items():
        for session in between.get((name, sender), ()):
            limit = session.near.limits.get(family, count)
            if count > limit:
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
        if _wants(site.switches[name], row.announced)
    ]
    if without:
        at = next(
            (where for (vrf, prefix), where in origin.networks.items() if not vrf and prefix == row.announced.prefix),
            origin.at,
        )
        subject = f"{row.announced.prefix} reaches"
        if row.announced.family == "evpn":
            subject = f"its EVPN routes{row.announced.marked} reach"
        what = f"{subject} none of {len(without)} leaves: {listed(without)}"
        yield Violation("reach", origin.name, at, what, "a policy on the way denies it")


def _wants(switch: SwitchView, announced: Announced) -> bool:
    """Whether a leaf takes something of what is announced."""
    return not announced.marks.targets or bool(announced.marks.targets & imported(switch))


def _stopped(site: SiteView, row: Reached) -> Iterator[Violation]:
    """Sessions of EVPN that hold a route back on its way up, or down from above: there is one path less to the VTEP."""
    announced, learned = row.announced, row.learned
    for sender, routes in learned.best.items() if announced.family == "evpn" else ():
        for name in dict.fromkeys(_without(site, row, sender, routes[0]) if routes else ()):
            for at_fault, at in row.propagation.denied(sender, name, routes[0], announced.prefix, announced.marks):
                what = f"EVPN routes of {announced.origin}{announced.marked} do not get from {sender} to {name}"
                yield Violation("reach", at_fault, at, what, "a policy of the session denies them")


def _without(site: SiteView, row: Reached, sender: str, route: Route) -> Iterator[str]:
    """Neighbors that lack a route of a switch: they need it all the way up, and down to leaves that take some of it."""
    tiers = [site.switches[name].tier for name in (*route.path, sender)]
    came_up = tiers == sorted(tiers)
    if not (came_up or tiers[-1]):
        return
    seen = {site.switches[sender].asn, *route.as_path}
    for arc in row.propagation.arcs[sender]:
        if sender in row.learned.senders.get(arc.receiver, NONE):
            continue
        to = site.switches[arc.receiver]
        takes = came_up if to.tier > tiers[-1] else to.tier > 0 or _wants(to, row.announced)
        if takes and to.asn not in seen and to.name != row.announced.origin:
            yield to.name


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
    tiers = tuple(map(site.tiers.__getitem__, way))
    prefix = row.announced.prefix
    if has_valley(tiers):
        # A route travels from its origin; packets go the other way, and up again where it came down.
        yield f"its route to {prefix} comes over {' '.join(way)}", "packets go down and up again: a loop of buffers"
    drained = [step for step in route.path[1:] if site.switches[step].state == "drained"]
    if drained and route.preference > 0 and row.announced.family in UNDERLAY:
        yield f"its route to {prefix} comes over {drained[0]}, which is drained", "packets are lost when it goes down"
    if row.announced.family == "evpn" and route.next_hop != row.announced.origin:
        what = f"EVPN routes of {row.announced.origin} have {route.next_hop} as next hop"
        yield what, "tunnels lead to a switch that is no VTEP"


@cache
def has_valley(tiers: tuple[int, ...]) -> bool:
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
