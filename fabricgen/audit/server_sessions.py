"""Sessions with servers whose NICs have two leaves: which address each may announce, and who learns it."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.audit.reach import has_valley
from fabricgen.audit.routes import Marks, Propagation, Route, applied
from fabricgen.audit.site_view import Outside, SiteView
from fabricgen.audit.views import SessionView, SwitchView
from fabricgen.audit.violations import Violation
from fabricgen.base.text import listed
from fabricgen.readback.policy import HOST, PrefixRange, Term

TAKEN, PASSED = "server-addresses", "server-routes"
LEAVES = 2
"""Leaves that a NIC's address may come in by."""


class ServerSession(NamedTuple):
    """A session of a leaf with a server, and one permit term of its inbound policy.

    ranges  prefixes that it takes; None: all
    """

    switch: SwitchView
    near: SessionView
    family: str
    term: Term
    ranges: frozenset[PrefixRange] | None

    @property
    def prefix(self) -> str:
        """The one host route that it takes; empty where it takes others."""
        if self.ranges is None or len(self.ranges) != 1:
            return ""
        (only,) = self.ranges
        length = HOST[self.family]
        is_host = only.prefix.endswith(f"/{length}") and only.shortest == only.longest == length
        return only.prefix if is_host else ""


def has_servers(site: SiteView) -> bool:
    """Whether switches of a site have sessions with servers."""
    return any(True for switch in site.switches.values() for _ in _near(site, switch))


def _near(site: SiteView, switch: SwitchView) -> Iterator[SessionView]:
    """Sessions of a switch with what is no switch, over a port."""
    for near in switch.sessions:
        if near.peer in switch.ports and not near.vrf and Outside(switch.name, "", near.peer) in site.outside:
            yield near


def server_sessions(site: SiteView, switch: SwitchView) -> Iterator[ServerSession]:
    """Sessions of a switch with servers, one for each permit term of their inbound policies."""
    for near in _near(site, switch):
        for family in near.families & HOST.keys():
            policy = near.policies_in.get(family)
            for term in policy.terms if policy is not None else (Term(permit=True),):
                if term.permit:
                    ranges = term.prefixes_ipv6 if family == "ipv6" else term.prefixes_ipv4
                    yield ServerSession(switch, near, family, term, ranges)


def server_addresses(site: SiteView) -> Iterator[Violation]:
    """Each session with a server takes the address of one NIC, which comes in by no other NIC, and few routes."""
    first: dict[tuple[str, str], dict[str, str]] = {}
    for switch in site.switches.values():
        for near in _near(site, switch):
            if any(family not in near.limits for family in near.families):
                what = f"session {near.peer}: a server may announce any number of routes"
                yield Violation(TAKEN, switch.name, near.at, what, "a server can fill the tables of the leaf")
        for session in server_sessions(site, switch):
            peer = session.near.peer
            if not session.prefix:
                taken = "everything" if session.ranges is None else listed(sorted(map(str, session.ranges)))
                what = f"session {peer}: it takes {taken} from a server"
                why = "a server can draw packets to itself that are for others"
                yield Violation(TAKEN, switch.name, session.near.at, what, why)
                continue
            ports = first.setdefault((switch.fabric, session.prefix), {})
            known = ports.setdefault(switch.name, peer)
            if known != peer or len(ports) > LEAVES:
                other = f"{switch.name} {known}" if known != peer else listed(f"{at} {by}" for at, by in ports.items())
                what = f"session {peer}: {session.prefix} may come in here, and at {other}"
                yield Violation(TAKEN, switch.name, session.near.at, what, "packets reach one of two NICs by chance")


def server_routes(site: SiteView) -> Iterator[Violation]:
    """Every leaf learns the address of a NIC, without a valley, and passes it to the servers of the same rail alone.

    Of each leaf and rail one NIC is followed: the policies of its way know addresses by the prefix of the pair.
    """
    for fabric in site.fabrics:
        for family in HOST:
            propagation = Propagation(site, fabric, family)
            parts = propagation.parts()
            done: set[tuple[str, frozenset[str]]] = set()
            for name in propagation.arcs:
                for session in server_sessions(site, site.switches[name]):
                    marks = session.term.set_communities
                    if session.family != family or not session.prefix or session.term.communities:
                        continue
                    if (name, marks) not in done:
                        done.add((name, marks))
                        yield from _followed(site, session, propagation, parts)


def _followed(
    site: SiteView, session: ServerSession, propagation: Propagation, parts: dict[str, str]
) -> Iterator[Violation]:
    origin, prefix, marks = session.switch.name, session.prefix, session.term.set_communities
    learned = propagation.learned(origin, prefix, Marks(communities=marks, as_path=(session.near.remote_as,)))
    leaves = [name for name, part in parts.items() if part == parts.get(origin) and not site.switches[name].tier]
    lost = [name for name in leaves if not learned.best.get(name)]
    if lost:
        what = f"{prefix} of a server reaches none of {len(lost)} leaves: {listed(lost)}"
        yield Violation(PASSED, origin, session.near.at, what, "a policy on the way denies it")
    for name, routes in learned.best.items():
        for route in routes[:1]:
            way = (*route.path, name)
            if has_valley(tuple(map(site.tiers.__getitem__, way))):
                what = f"its route to {prefix} of a server comes over {' '.join(way)}"
                yield Violation(PASSED, name, site.switches[name].at, what, "packets go down and up again")
            yield from _handed_on(site, site.switches[name], session, route)


def _handed_on(site: SiteView, leaf: SwitchView, session: ServerSession, route: Route) -> Iterator[Violation]:
    """Whether a leaf passes a route to the servers whose own addresses it marks alike, and to no others."""
    seen: set[tuple[int, bool]] = set()
    for other in server_sessions(site, leaf):
        if other.family != session.family or other.term.communities or other.near is session.near:
            continue
        policy = other.near.policies_out.get(session.family)
        is_alike = other.term.set_communities == session.term.set_communities
        if (id(policy), is_alike) in seen:
            continue
        seen.add((id(policy), is_alike))
        is_passed = applied(policy, route, session.prefix, 1) is not None
        if is_passed is not is_alike:
            done = "passes" if is_passed else "does not pass"
            what = f"session {other.near.peer}: it {done} {session.prefix} on to the server"
            why = "packets leave by the NIC of another rail" if is_passed else "the server has no route to it"
            yield Violation(PASSED, leaf.name, other.near.at, what, why)
