"""A large fabric by some of its switches: two of each kind, as policies tell switches apart by role and marks alone.

A route passes or not by the policies of the switches on its way, and those of two switches of one kind are equal but
for their own prefixes. So what holds for two of each kind at each place of the hierarchy holds for all: two, because a
circle of buffers needs at most two switches of a tier. A switch with other policies than its like is a kind of its own,
and so is one that announces other numbers of prefixes. Where prefixes of switches overlap, two of each kind are looked
at, too, and every switch that hands packets of a tenant on to another leaf. Policies of EVPN do not tell tenants apart,
but for those whose route targets they match: of each of these there are leaves, too, and so are there switches whose
prefixes a policy names. Who imports what is judged on all.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from itertools import chain, islice
from typing import NamedTuple

from fabricgen.audit.buffers import is_lossless
from fabricgen.audit.onward import DISCARD, static_ways
from fabricgen.audit.parts import parts_of
from fabricgen.audit.reach import exported, imported, matched_marks
from fabricgen.audit.routes import contains
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.tunnels import relays
from fabricgen.audit.views import Network, SessionView, SwitchView, nested
from fabricgen.readback.addresses import family_of
from fabricgen.readback.policy import Policy, PrefixRange

WHOLE = 150
"""Switches of a fabric up to which all are looked at: the work grows with the square of their number."""
WHOLE_AS_PLANNED = 24
"""The same where every text says what the plan asks for, and no limit of routes can be met: nothing is lost then."""
OF_EACH = 2
OWN = PrefixRange("0.0.0.0/0", -1, -1)
"""Stands for a prefix that the switch announces itself."""

Kind = tuple[str, str, frozenset[object], tuple[object, ...]]


class Sample(NamedTuple):
    """The part of a site that is looked at, and how many switches its fabrics have in all."""

    site: SiteView
    examined: int
    switches: int


def sample(site: SiteView, whole: int = WHOLE) -> Sample:
    """The whole site; of its fabrics with more than `whole` switches two of each kind."""
    if all(len(switches) <= whole for switches in site.fabrics.values()):
        return Sample(site, len(site.switches), len(site.switches))
    kept: set[str] = set()
    for switches in site.fabrics.values():
        kept |= _chosen(site, switches) if len(switches) > whole else {switch.name for switch in switches}
    part = SiteView(
        [switch for name, switch in site.switches.items() if name in kept],
        site.cables,
        site.outside,
        site.leaks,
        site.nics,
        site.absent,
    )
    return Sample(part, len(kept), len(site.switches))


def _chosen(site: SiteView, switches: list[SwitchView]) -> set[str]:
    """The first of each kind in each part of the fabric, and two far ends of each kind of session of those chosen."""
    neighbors = {switch.name: _neighbors(site, switch) for switch in switches}
    sessions = {switch.name: _sessions(site, switch) for switch in switches}
    kinds = {switch.name: _kind(switch, frozenset(sessions[switch.name])) for switch in switches}
    chosen: set[str] = set()
    todo = [*_firsts(kinds, neighbors), *_overlapping(switches, kinds), *_of_named_tenants(site, switches)]
    todo += _of_named_prefixes(switches)
    fabric = switches[0].fabric
    # In others every leaf has the subnets of tenants, and no buffers wait for each other.
    for relay in relays(site, fabric) if is_lossless(site, fabric) else ():
        todo += [relay.switch, relay.far]
    while todo:
        name = todo.pop()
        if name in chosen:
            continue
        chosen.add(name)
        for names in (*neighbors[name].values(), *sessions[name].values()):
            known = [far for far in names if far in chosen]
            todo += [far for far in names if far not in chosen][: max(0, OF_EACH - len(known))]
        todo += _static_targets(site, name)
    return chosen


def _static_targets(site: SiteView, name: str) -> Iterator[str]:
    """Switches that static routes of a switch lead to."""
    for (vrf, _), (next_hop, _) in site.switches[name].statics.items():
        if not vrf and next_hop != DISCARD:
            yield from sorted(static_ways(site, name, next_hop))


def _firsts(kinds: Mapping[str, Kind], neighbors: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    parts = parts_of(
        {name: [far for names in by_role.values() for far in names] for name, by_role in neighbors.items()}
    )
    seen: set[tuple[str, Kind]] = set()
    for name, kind in kinds.items():
        if (parts[name], kind) not in seen:
            seen.add((parts[name], kind))
            yield name


def _overlapping(switches: list[SwitchView], kinds: Mapping[str, Kind]) -> Iterator[str]:
    """Of the switches that have routes of their own for one address, by prefixes in each other, two of each kind."""
    by_network: dict[Network, list[str]] = {}
    for switch in switches:
        for prefix in _prefixes(switch):
            by_network.setdefault(ip_network(prefix), []).append(switch.name)
    around: dict[Network, dict[str, None]] = {}
    for network, wide in nested(by_network):
        around.setdefault(wide, {}).update(dict.fromkeys((*by_network[network], *by_network[wide])))
    for names in around.values():
        if len(names) > 1:
            counts: Counter[Kind] = Counter()
            for name in names:
                counts[kinds[name]] += 1
                if counts[kinds[name]] <= OF_EACH:
                    yield name


def _of_named_tenants(site: SiteView, switches: list[SwitchView]) -> Iterator[str]:
    """Where an EVPN policy matches a route target: two switches that export it, two that import it, and neighbors."""
    for switch in switches:
        near = [site.switches[session.far] for session in site.sessions_of(switch.name)]
        for target in sorted(matched_marks([switch]).targets):
            for those in (switches, near):
                yield from [row.name for row in those if target in exported(row)][:OF_EACH]
                yield from [row.name for row in those if target in imported(row)][:OF_EACH]


def _of_named_prefixes(switches: list[SwitchView]) -> Iterator[str]:
    """Of each range that policies match, without a switch's own prefixes, two switches that have prefixes in it."""
    ranges: set[PrefixRange] = set()
    for switch in switches:
        own = {prefix for vrf, prefix in switch.networks if not vrf}
        policies = {
            id(policy): policy
            for near in switch.sessions
            for side in (near.policies_in, near.policies_out)
            for policy in side.values()
        }
        for term in chain.from_iterable(policy.terms for policy in policies.values()):
            found = (*(term.prefixes_ipv4 or ()), *(term.prefixes_ipv6 or ()))
            ranges.update(row for row in found if row.prefix not in own)
    for row in (frozenset({one}) for one in sorted(ranges)):
        inside = (switch.name for switch in switches if any(contains(row, prefix) for prefix in _prefixes(switch)))
        yield from islice(inside, OF_EACH)


def _prefixes(switch: SwitchView) -> Iterator[str]:
    """Prefixes of the default VRF that a switch announces or has a static route to."""
    yield from (prefix for vrf, prefix in switch.networks if not vrf)
    yield from (prefix for (vrf, prefix), (next_hop, _) in switch.statics.items() if not vrf and next_hop != DISCARD)


def _neighbors(site: SiteView, switch: SwitchView) -> dict[str, list[str]]:
    """Role → switches that this one has a session on a link with, in order of name."""
    found: dict[str, list[str]] = {}
    for far in dict.fromkeys(session.far for session in site.sessions_of(switch.name) if not session.near.source):
        found.setdefault(site.switches[far].role, []).append(far)
    return {role: sorted(names) for role, names in found.items()}


def _sessions(site: SiteView, switch: SwitchView) -> dict[object, list[str]]:
    """What of sessions can change where routes go, without the switch's own prefixes → their far ends, in order."""
    own = frozenset(prefix for vrf, prefix in switch.networks if not vrf)
    generals: dict[int, object] = {}

    def general(policy: Policy | None) -> object:
        if policy is None:
            return None
        if id(policy) not in generals:
            generals[id(policy)] = tuple(
                term._replace(
                    prefixes_ipv4=_general(term.prefixes_ipv4, own), prefixes_ipv6=_general(term.prefixes_ipv6, own)
                )
                for term in policy.terms
            )
        return generals[id(policy)]

    # Most sessions of a switch name the same policies: those are looked into once.
    alike: dict[tuple[object, ...], tuple[SessionView, set[str]]] = {}
    for session in site.sessions_of(switch.name):
        near, far = session.near, site.switches[session.far]
        named = id(near.policies_in), id(near.policies_out)
        key = far.role, far.asn == switch.asn, near.unchanged, near.families, site.is_up(session), named
        alike.setdefault(key, (near, set()))[1].add(far.name)
    found: dict[object, set[str]] = {}
    for of_near, (near, names) in alike.items():
        policies_in, policies_out = (
            tuple((family, general(policy)) for family, policy in sorted(side.items()))
            for side in (near.policies_in, near.policies_out)
        )
        found.setdefault((*of_near[:-1], policies_in, policies_out), set()).update(names)
    return {key: sorted(names) for key, names in found.items()}


def _kind(switch: SwitchView, sessions: frozenset[object]) -> Kind:
    """What of a switch can change where routes go, without its own names and numbers."""
    own = frozenset(prefix for vrf, prefix in switch.networks if not vrf)
    routes = Counter((family_of(prefix), ip_network(prefix).prefixlen) for prefix in _prefixes(switch))
    discards = Counter(
        (prefix in own, family_of(prefix), ip_network(prefix).prefixlen)
        for (vrf, prefix), (next_hop, _) in switch.statics.items()
        if not vrf and next_hop == DISCARD
    )
    counts = (*sorted(routes.items()), *sorted(discards.items()), switch.maximum_paths)
    return switch.role, switch.state, sessions, counts


def _general(ranges: frozenset[PrefixRange] | None, own: frozenset[str]) -> frozenset[PrefixRange] | None:
    if ranges is None:
        return None
    exact = (row for row in ranges if row.prefix not in own or row.shortest != row.longest)
    return frozenset(exact) | (
        {OWN} if any(row.prefix in own and row.shortest == row.longest for row in ranges) else set()
    )
