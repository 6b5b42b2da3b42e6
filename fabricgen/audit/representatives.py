"""A large fabric by some of its switches: two of each kind, as policies tell switches apart by role and marks alone.

A route passes or not by the policies of the switches on its way, and those of two switches of one kind are equal but
for their own prefixes. So what holds for two of each kind at each place of the hierarchy holds for all: two, because a
circle of buffers needs at most two switches of a tier. A switch with other policies than its like is a kind of its own.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import SwitchView
from fabricgen.readback.policy import Policy, PrefixRange

WHOLE = 150
"""Switches of a fabric up to which all are looked at: the work grows with the square of their number."""
OF_EACH = 2
OWN = PrefixRange("0.0.0.0/0", -1, -1)
"""Stands for a prefix that the switch announces itself."""

Kind = tuple[str, str, frozenset[object]]


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
        [switch for name, switch in site.switches.items() if name in kept], site.cables, site.outside, site.leaks
    )
    return Sample(part, len(kept), len(site.switches))


def _chosen(site: SiteView, switches: list[SwitchView]) -> set[str]:
    """The first of each kind in each part of the fabric, and of the neighbors of each that is chosen two a role."""
    neighbors = {switch.name: _neighbors(site, switch) for switch in switches}
    chosen: set[str] = set()
    todo = list(_firsts(site, switches, neighbors))
    while todo:
        name = todo.pop()
        if name in chosen:
            continue
        chosen.add(name)
        for names in neighbors[name].values():
            known = [far for far in names if far in chosen]
            todo += [far for far in names if far not in chosen][: max(0, OF_EACH - len(known))]
    return chosen


def _firsts(site: SiteView, switches: list[SwitchView], neighbors: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    part: dict[str, str] = {}
    seen: set[tuple[str, Kind]] = set()
    for switch in switches:
        todo = [switch.name]
        while todo:
            name = todo.pop()
            if name not in part:
                part[name] = switch.name
                todo += [far for names in neighbors[name].values() for far in names]
        kind = (part[switch.name], _kind(site, switch))
        if kind not in seen:
            seen.add(kind)
            yield switch.name


def _neighbors(site: SiteView, switch: SwitchView) -> dict[str, list[str]]:
    """Role → switches that this one has a session on a link with, in order of name."""
    found: dict[str, dict[str, None]] = {}
    for session in site.sessions_of(switch.name):
        if not session.near.source:
            found.setdefault(site.switches[session.far].role, {})[session.far] = None
    return {role: sorted(names) for role, names in found.items()}


def _kind(site: SiteView, switch: SwitchView) -> Kind:
    """What of a switch can change where routes go, without its own names and numbers."""
    own = frozenset(prefix for vrf, prefix in switch.networks if not vrf)
    policies: dict[int, object] = {}

    def general(policy: Policy | None) -> object:
        if policy is None:
            return None
        if id(policy) not in policies:
            policies[id(policy)] = tuple(
                term._replace(
                    prefixes_ipv4=_general(term.prefixes_ipv4, own), prefixes_ipv6=_general(term.prefixes_ipv6, own)
                )
                for term in policy.terms
            )
        return policies[id(policy)]

    sessions = frozenset(
        (
            site.switches[session.far].role,
            site.switches[session.far].asn == switch.asn,
            session.near.unchanged,
            session.near.enabled,
            *((family, general(policy)) for family, policy in sorted(session.near.policies_in.items())),
            *((family, general(policy)) for family, policy in sorted(session.near.policies_out.items())),
        )
        for session in site.sessions_of(switch.name)
    )
    return switch.role, switch.state, sessions


def _general(ranges: frozenset[PrefixRange] | None, own: frozenset[str]) -> frozenset[PrefixRange] | None:
    if ranges is None:
        return None
    exact = (row for row in ranges if row.prefix not in own or row.shortest != row.longest)
    return frozenset(exact) | (
        {OWN} if any(row.prefix in own and row.shortest == row.longest for row in ranges) else set()
    )
