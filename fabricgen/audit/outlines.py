"""One switch as those of its kind are: what decides on which switches stand for all of a large fabric."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import ip_network
from itertools import chain
from typing import NamedTuple

from fabricgen.audit.onward import DISCARD
from fabricgen.audit.parts import parts_of
from fabricgen.audit.routes import contains
from fabricgen.audit.views import TIERS, Network, SessionView, SwitchView, nested
from fabricgen.readback.addresses import family_of
from fabricgen.readback.policy import Policy, PrefixRange

OF_EACH = 2
"""Switches of a kind that stand for all of it."""

Kind = tuple[str, str, frozenset[object], tuple[object, ...]]


class Joined(NamedTuple):
    """A session of a switch with another one of its fabric.

    is_same_as  both have one AS number; is_up: it comes up by what the two ends say of each other
    """

    near: SessionView
    far: str
    far_role: str
    is_same_as: bool
    is_up: bool


class Outline(NamedTuple):
    """What of a switch decides on which switches stand for all.

    neighbors  role → switches that it has a session on a link with, in order of name
    sessions   what of sessions can change where routes go, without the switch's own prefixes → their far ends, in order
    kind       what of the switch can, without its own names and numbers
    asn        its AS number
    prefixes   of the default VRF, which it announces or has a static route to
    ranges     of prefixes that its policies match, without its own prefixes
    """

    name: str
    neighbors: Mapping[str, list[str]]
    sessions: Mapping[object, list[str]]
    kind: Kind
    asn: int
    prefixes: tuple[str, ...]
    ranges: frozenset[PrefixRange]


def outline(switch: SwitchView, joined: Iterable[Joined]) -> Outline:
    """The outline of a switch by its view and its sessions."""
    rows = [*joined]
    sessions = _sessions(switch, rows)
    kind = _kind(switch, frozenset(sessions))
    return Outline(switch.name, _neighbors(rows), sessions, kind, switch.asn, tuple(_prefixes(switch)), _ranges(switch))


def chosen(outlines: Mapping[str, Outline], also: Iterable[str], onward: Callable[[str], Iterable[str]]) -> set[str]:
    """The first of each kind in each part of a fabric, and two far ends of each kind of session of those chosen.

    outlines  of all switches of the fabric; also: switches to begin with
    onward    those that a chosen one asks for
    """
    kept: set[str] = set()
    rows = [*outlines.values()]
    todo = [*_firsts(outlines), *_overlapping(rows), *_of_one_as(rows), *_of_named_prefixes(rows), *also]
    while todo:
        name = todo.pop()
        if name in kept:
            continue
        kept.add(name)
        here = outlines[name]
        for names in (*here.neighbors.values(), *here.sessions.values()):
            known = [far for far in names if far in kept]
            todo += [far for far in names if far not in kept][: max(0, OF_EACH - len(known))]
        todo += onward(name)
    return kept


def _firsts(outlines: Mapping[str, Outline]) -> Iterator[str]:
    parts = parts_of({name: [*chain.from_iterable(row.neighbors.values())] for name, row in outlines.items()})
    seen: set[tuple[str, Kind]] = set()
    for name, row in outlines.items():
        if (parts[name], row.kind) not in seen:
            seen.add((parts[name], row.kind))
            yield name


def _overlapping(outlines: Iterable[Outline]) -> Iterator[str]:
    """Of the switches that have routes of their own for one address, by prefixes in each other, two of each kind."""
    by_network: dict[Network, list[Outline]] = {}
    for row in outlines:
        for prefix in row.prefixes:
            by_network.setdefault(ip_network(prefix), []).append(row)
    around: dict[Network, dict[str, Outline]] = {}
    for network, wide in nested(by_network):
        here = around.setdefault(wide, {})
        here.update((row.name, row) for row in (*by_network[network], *by_network[wide]))
    for rows in around.values():
        if len(rows) > 1:
            counts: Counter[Kind] = Counter()
            for row in rows.values():
                counts[row.kind] += 1
                if counts[row.kind] <= OF_EACH:
                    yield row.name


def _of_one_as(outlines: Iterable[Outline]) -> Iterator[str]:
    """Of switches of the lowest tier that have one AS number two: neither takes what comes from the other."""
    by_asn: dict[int, list[str]] = {}
    for row in outlines:
        if not TIERS[row.kind[0]]:
            by_asn.setdefault(row.asn, []).append(row.name)
    for names in by_asn.values():
        if len(names) > 1:
            yield from names[:OF_EACH]


def _of_named_prefixes(outlines: Iterable[Outline]) -> Iterator[str]:
    """Of the ranges that policies match: two switches whose prefixes are in the same ones, or in none."""
    rows = [*outlines]
    named = [frozenset({one}) for one in sorted(frozenset[PrefixRange]().union(*(row.ranges for row in rows)))]
    alike: dict[object, list[str]] = {}
    for row in rows:
        inside = [tuple(contains(one, prefix) for one in named) for prefix in row.prefixes]
        alike.setdefault((row.kind, *sorted(inside)), []).append(row.name)
    for names in alike.values():
        yield from names[:OF_EACH]


def _ranges(switch: SwitchView) -> frozenset[PrefixRange]:
    own = {prefix for vrf, prefix in switch.networks if not vrf}
    sides = {id(side): side for near in switch.sessions for side in (near.policies_in, near.policies_out)}
    policies = {id(policy): policy for side in sides.values() for policy in side.values()}
    return frozenset(
        row
        for term in chain.from_iterable(policy.terms for policy in policies.values())
        for row in (*(term.prefixes_ipv4 or ()), *(term.prefixes_ipv6 or ()))
        if row.prefix not in own
    )


def _prefixes(switch: SwitchView) -> Iterator[str]:
    yield from (prefix for vrf, prefix in switch.networks if not vrf)
    yield from (prefix for (vrf, prefix), (next_hop, _) in switch.statics.items() if not vrf and next_hop != DISCARD)


def _neighbors(rows: Iterable[Joined]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        if not row.near.source:
            found.setdefault(row.far_role, set()).add(row.far)
    return {role: sorted(names) for role, names in found.items()}


def _sessions(switch: SwitchView, rows: Iterable[Joined]) -> dict[object, list[str]]:
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
    for near, far, far_role, is_same_as, is_up in rows:
        named = id(near.policies_in), id(near.policies_out)
        loops = near.own_as, near.overrides, near.removes
        key = far_role, is_same_as, bool(near.source), near.unchanged, near.families, is_up, loops, named
        alike.setdefault(key, (near, set()))[1].add(far)
    found: dict[object, set[str]] = {}
    for of_near, (near, names) in alike.items():
        policies_in, policies_out = (
            tuple((family, general(policy)) for family, policy in sorted(side.items()))
            for side in (near.policies_in, near.policies_out)
        )
        found.setdefault((*of_near[:-1], policies_in, policies_out), set()).update(names)
    return {key: sorted(names) for key, names in found.items()}


def _kind(switch: SwitchView, sessions: frozenset[object]) -> Kind:
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
    """Ranges with how many own prefixes of each length are named in place of these."""
    if ranges is None:
        return None
    exact = frozenset(row for row in ranges if row.prefix in own and row.shortest == row.longest)
    counts = Counter((row.prefix.partition("/")[2], row.longest) for row in exact)
    return (ranges - exact) | {
        PrefixRange(f"own/{length}", longest, -count) for (length, longest), count in counts.items()
    }
