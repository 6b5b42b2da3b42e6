"""Where a switch may send packets to an address, at any moment and under any failures, by policies and static routes.

It is a superset of all forwarding tables. A table holds only routes that were announced at some moment, and what is
announced depends on policies. All prefixes that cover an address count, as a longer one may be missing for a moment;
a discard route and a loopback are never missing, and hide every shorter prefix.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address, ip_network
from itertools import chain
from typing import NamedTuple

from fabricgen.audit.routes import Alike, Propagation, Way, contains
from fabricgen.audit.server_sessions import server_sessions
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import LOOPBACK, At, SwitchView, network_of
from fabricgen.readback.addresses import family_of
from fabricgen.readback.policy import Policy, Term, line_of

DISCARD = "discard"
"""Next hop of a static route that drops packets."""


class Layers(NamedTuple):
    """What keeps routes from going up again, each of which can be taken away to see whether the others are enough.

    loop_check  a switch takes no route with its own AS number in the path (RFC 4271, 9.1.2), but where a session says
                that it does
    marks       terms match communities; without, a term that asks for one matches no route
    prefixes    terms match prefixes; without, a term that asks for some matches every route
    """

    loop_check: bool = True
    marks: bool = True
    prefixes: bool = True


ALL = Layers()
Ways = dict[str, set[str]]
"""Switch → switches that it may send packets to an address to."""


def ways_by_prefix(site: SiteView, fabric: str, family: str, layers: Layers) -> Iterator[tuple[str, Ways]]:
    """Of each prefix that is announced or has a static route: where packets to an address in it may go.

    Of the addresses that servers announce to the same leaves, one stands for all.
    """
    ways = _ways_by_one(site, fabric, family, layers)
    ends = _ends(site.fabrics.get(fabric, ()), family)
    networks = {prefix: ip_network(prefix) for prefix in {**ways, **ends}}
    shortest_first = sorted(networks, key=lambda prefix: networks[prefix].prefixlen)
    for prefix in ways:
        total: Ways = {}
        for wide in shortest_first:
            if networks[prefix].subnet_of(networks[wide]):  # type: ignore[arg-type]
                ended = ends.get(wide, set())
                total = {name: onward for name, onward in total.items() if name not in ended}
                _merge(total, {name: onward for name, onward in ways.get(wide, {}).items() if name not in ended})
        yield prefix, total


def _ways_by_one(site: SiteView, fabric: str, family: str, layers: Layers) -> dict[str, Ways]:
    """Prefix → where packets may go by the routes of this prefix alone."""
    propagation = Propagation(site, fabric, family)
    ways: dict[str, Ways] = {}
    for name in propagation.arcs:
        for prefix, next_hop in _static_routes(site.switches[name], family):
            if next_hop != DISCARD:
                _merge(ways.setdefault(prefix, {}), {name: static_ways(site, name, next_hop)})
    for prefix, states in _origins(site, propagation, family):
        for first in states:
            _merge(ways.setdefault(prefix, {}), _learnable(propagation, first, prefix, layers))
    return ways


def _origins(site: SiteView, propagation: Propagation, family: str) -> Iterator[tuple[str, Iterable["_State"]]]:
    """Prefix and the routes that it begins with: of switches, and of servers as their leaves take them.

    Of the addresses that begin alike at the same leaves the first stands for all: policies know them by the prefix of
    the leaves. A server that may announce everything is one of `server_addresses`.
    """
    by_server: dict[str, dict[_State, None]] = {}
    for name in propagation.arcs:
        switch = site.switches[name]
        for prefix in switch.announced(family):
            yield prefix, [_State(name, frozenset(), frozenset())]
        for row in server_sessions(site, switch):
            if row.family == family:
                first = _State(name, row.term.set_communities, frozenset({row.near.remote_as}))
                for taken in row.ranges or ():
                    by_server.setdefault(taken.prefix, {})[first] = None
    alike: dict[frozenset[_State], str] = {}
    for prefix, firsts in by_server.items():
        if alike.setdefault(frozenset(firsts), prefix) == prefix:
            yield prefix, firsts


def _ends(switches: Iterable[SwitchView], family: str) -> dict[str, set[str]]:
    """Prefix → switches where packets to it end: it is that of a loopback, or a discard route drops them."""
    ends: dict[str, set[str]] = {}
    for switch in switches:
        loopbacks = (
            network_of(address)
            for name, port in switch.ports.items()
            if name.startswith(LOOPBACK) and not port.vrf
            for address in port.addresses
        )
        discards = (prefix for prefix, next_hop in _static_routes(switch, family) if next_hop == DISCARD)
        for prefix in chain(loopbacks, discards):
            if family_of(prefix) == family:
                ends.setdefault(prefix, set()).add(switch.name)
    return ends


def _merge(ways: Ways, more: Mapping[str, set[str]]) -> None:
    for name, onward in more.items():
        ways.setdefault(name, set()).update(onward)


def _static_routes(switch: SwitchView, family: str) -> Iterator[tuple[str, str]]:
    """Prefix and next hop of the static routes of the default VRF."""
    for (vrf, prefix), (next_hop, _) in switch.statics.items():
        if not vrf and family_of(prefix) == family:
            yield prefix, next_hop


def static_ways(site: SiteView, name: str, next_hop: str) -> set[str]:
    """Switches that a static route leads to: none where it leads to a server, every neighbor where nobody knows."""
    port = port_to(site.switches[name], "", next_hop)
    ends = (far for near, far in site.cables.items() if near.switch == name and port in ("", near.port))
    return {far.switch for far in ends} & site.switches.keys()


def port_to(switch: SwitchView, vrf: str, next_hop: str) -> str:
    """The port that is the next hop, or in whose subnet it is; empty: none."""
    if next_hop in switch.ports:
        return next_hop
    try:
        host = ip_address(next_hop)
    except ValueError:
        return ""
    return next(
        (
            port.name
            for port in switch.ports.values()
            if port.vrf == vrf and any(host in ip_network(network_of(address)) for address in port.addresses)
        ),
        "",
    )


class _State(NamedTuple):
    """A route that a switch may hold at some moment.

    undone  sender and receiver of the first session that took it though the check of AS loops forbids it; none: empty
    """

    switch: str
    communities: frozenset[str]
    path: frozenset[int]
    undone: tuple[str, ...] = ()


Hop = tuple[_State, Way, _State]
"""A route before and behind a session."""


def _learnable(propagation: Propagation, first: _State, prefix: str, layers: Layers) -> Ways:
    """Switch → neighbors that it may learn the prefix from, at any moment. first: the route where it begins."""
    ways = Ways()
    for state, way, _ in _hops(propagation, first, prefix, layers):
        ways.setdefault(way.receiver, set()).add(state.switch)
    return ways


def _hops(propagation: Propagation, first: _State, prefix: str, layers: Layers) -> Iterator[Hop]:
    """Every hop that a route to the prefix may take, at any moment."""
    seen, todo = {first}, deque([first])
    sent: dict[tuple[Alike, frozenset[str]], tuple[frozenset[str], ...]] = {}
    while todo:
        state = todo.popleft()
        asn = propagation.site.switches[state.switch].asn
        path = state.path | {asn} if layers.loop_check else frozenset[int]()
        for way in propagation.ways[state.switch]:
            known = _known(way, asn, state, path)
            if known is None:
                continue
            key = (way.alike, state.communities)
            if key not in sent:
                sent[key] = tuple(_sent(way, state.communities, prefix, layers))
            for communities in sent[key]:
                after = _State(way.receiver, communities, *known)
                yield state, way, after
                if after not in seen:
                    seen.add(after)
                    todo.append(after)


Known = tuple[frozenset[int], tuple[str, ...]]
"""AS path of a state, and by which session it is undone."""


def _known(way: Way, asn: int, state: _State, path: frozenset[int]) -> Known | None:
    """What a route has behind a session; None where the check of AS loops forbids it. path: empty without the check.

    How often an AS number is in a path is not counted: a session that takes the own one takes it any number of times.
    """
    if not (way.undoes and path):
        return None if way.asn in path else (path, state.undone)
    carried = frozenset(way.carried(asn, (*state.path,)))
    if way.asn in carried and not way.own_as:
        return None
    return carried, state.undone or ((state.switch, way.receiver) if way.asn in path else ())


def permitting(site: SiteView, fabric: str, before: str, here: str, after: str) -> At | None:
    """The line by which a switch may send to one neighbor what comes from another, both above it. None: no line.

    It is that of a session that takes a route in spite of its AS path, where no other route leads on; else that of the
    term that lets a route out which came from above.
    """
    found: At | None = None
    for family, prefix, hops in _all_hops(site, fabric):
        onward = {row.undone for state, _, row in hops if (state.switch, row.switch) == (after, here)}
        undone = min(onward, default=())
        if undone and (at := _undone_at(site, *undone)) is not None:
            return at
        tiers = site.tiers
        down = {row for state, _, row in hops if row.switch == here and tiers[state.switch] > tiers[here]}
        out = (state for state, way, _ in hops if state in down and way.receiver == before)
        found = found or next(filter(None, (_term_at(site, family, before, state, prefix) for state in out)), None)
    return found


def _all_hops(site: SiteView, fabric: str) -> Iterator[tuple[str, str, list[Hop]]]:
    """Family, prefix, and every hop of its routes, of each route that a switch or a server begins."""
    for family in ("ipv4", "ipv6"):
        propagation = Propagation(site, fabric, family)
        for prefix, states in _origins(site, propagation, family):
            for first in states:
                yield family, prefix, [*_hops(propagation, first, prefix, ALL)]


def _undone_at(site: SiteView, sender: str, receiver: str) -> At | None:
    """Where a session says that it takes a route in spite of its AS path: at the receiver, or at the sender."""
    ends = ((receiver, sender), (sender, receiver))
    rows = (row.near for name, far in ends for row in site.sessions_of(name) if row.far == far)
    return next((near.loops_at for near in rows if near.undoes_loop_check and near.loops_at.line), None)


def _term_at(site: SiteView, family: str, far: str, state: _State, prefix: str) -> At | None:
    """Where the term is that lets a route out to a switch; None for one without a line."""
    for row in site.sessions_of(state.switch):
        policy = row.near.policies_out.get(family)
        if row.far == far and policy is not None and not row.near.vrf:
            terms = zip(policy.terms, policy.lines, strict=False)
            lets = (
                at for term, at in terms if term.permit and _matches(term, state.communities, prefix, ALL) is not False
            )
            line = line_of(next(lets, 0))
            return At(row.near.at.file, line) if line else None
    return None


def _sent(way: Way, communities: frozenset[str], prefix: str, layers: Layers) -> Iterator[frozenset[str]]:
    """Communities that a route may have behind both policies of a session; nothing where it cannot pass."""
    for outward in passed(way.outward, communities, prefix, layers):
        yield from passed(way.inward, outward, prefix, layers)


def passed(policy: Policy | None, communities: frozenset[str], prefix: str, layers: Layers) -> Iterator[frozenset[str]]:
    """Communities that a route may have behind a policy. A term whose match nobody knows is taken both ways."""
    if policy is None:
        yield communities
        return
    for term in policy.terms:
        match = _matches(term, communities, prefix, layers)
        if match is False:
            continue
        if term.permit:
            yield term.set_communities | (frozenset() if term.replace else communities)
        if match is True:
            return


def _matches(term: Term, communities: frozenset[str], prefix: str, layers: Layers) -> bool | None:
    """Whether a term matches; None where that depends on more than the policies, such as live paths."""
    if term.communities and not (layers.marks and term.communities & communities):
        return False
    ranges = term.prefixes_ipv6 if ":" in prefix else term.prefixes_ipv4
    if ranges is not None and layers.prefixes and not contains(ranges, prefix):
        return False
    return None if term.fewer_paths or term.route_targets else True
