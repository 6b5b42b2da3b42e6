"""From route maps to SR Linux's policies.

A BGP of SR Linux announces whatever its policy accepts of the whole route table, connected links too, and a route map
stands before what BGP itself holds. So a statement that permits a prefix list outwards becomes one on what was learned
by BGP, and one on what this switch originates; all else falls to the default action, reject.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PrefixEntry, PrefixList, RouteMap, Statement

OUTWARDS = "-OUT"
"""How the name of a route map on what is sent ends (resolve/policy.py)."""
LEARNED = ("srl_nokia-common:bgp",)
LEARNED_IN_VRF = ("srl_nokia-common:bgp", "srl_nokia-common:bgp-evpn")
GRACEFUL_SHUTDOWN = "65535:0"
"""RFC 8326 section 7."""


class PrefixContext(NamedTuple):
    """One prefix of a set, and the lengths that match."""

    name: str
    prefix: str
    lengths: str


class CommunityContext(NamedTuple):
    """One member of a set; `options` any or all of them must be on a route."""

    name: str
    member: str
    options: str


class PolicyStatement(NamedTuple):
    """One statement of a policy. Empty texts match or set nothing.

    change  add or replace: what becomes of the communities named in `communities`
    """

    policy: str
    name: str
    result: str
    prefixes: str
    protocol: str
    matched: str
    preference: str
    change: str
    communities: str


class _Way(NamedTuple):
    """Where a policy stands: what counts as learned there, and what the switch originates; empty inwards."""

    learned: tuple[str, ...]
    own: tuple[Prefix, ...]


_INWARDS = _Way((), ())


def prefix_words(device: Device) -> Iterator[PrefixContext]:
    """Prefix sets: every list, what is originated of it, and what a VRF originates."""
    for found in device.routing.policy.prefix_lists:
        for entry in found.entries:
            own = entry.prefix.rpartition("/")[2]
            yield PrefixContext(found.name, entry.prefix, f"{own}..{entry.longest}" if entry.longest else "exact")
    for name, prefix in originated(device):
        yield PrefixContext(name, prefix, "exact")
    for vrf in device.routing.bgp.vrfs:
        for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6):
            yield PrefixContext(vrf_prefixes(vrf), prefix, "exact")


def vrf_prefixes(vrf: BgpVrf) -> str:
    """Name of the set of what a VRF originates; empty where that is nothing."""
    return f"PL-{vrf.name}-ORIGINATED".upper() if vrf.networks_ipv4 or vrf.networks_ipv6 else ""


def originated(device: Device) -> tuple[tuple[str, Prefix], ...]:
    """Name of a set and a prefix: what is originated here of a prefix list that stands in a map outwards."""
    lists = {found.name: found for found in device.routing.policy.prefix_lists}
    pairs = (
        (_own_name(name), prefix)
        for found in device.routing.policy.route_maps
        for way in (_way(device, found),)
        for row in found.statements
        if row.permit and way.learned
        for name in (row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,)
        if name
        for prefix in _permitted(lists[name], way.own)
    )
    return tuple(dict.fromkeys(pairs))


def _own_name(name: str) -> str:
    return f"{name}-ORIGINATED"


def _permitted(found: PrefixList, prefixes: Iterable[Prefix]) -> Iterator[Prefix]:
    for prefix in prefixes:
        if (":" in prefix) == (found.family == "ipv6") and any(_permits(entry, prefix) for entry in found.entries):
            yield prefix


def _permits(entry: PrefixEntry, prefix: Prefix) -> bool:
    if not entry.longest:
        return entry.prefix == prefix
    outer, inner = ip_network(entry.prefix), ip_network(prefix)
    return (
        outer.network_address == inner.supernet(new_prefix=outer.prefixlen).network_address
        if outer.prefixlen <= inner.prefixlen <= entry.longest
        else False
    )


def _way(device: Device, found: RouteMap) -> _Way:
    bgp = device.routing.bgp
    if not found.name.endswith(OUTWARDS):
        return _INWARDS
    for vrf in bgp.vrfs:
        if any(neighbor.route_map_out == found.name for neighbor in vrf.neighbors):
            return _Way(LEARNED_IN_VRF, (*vrf.networks_ipv4, *vrf.networks_ipv6))
    return _Way(LEARNED, (*bgp.networks_ipv4, *bgp.networks_ipv6))


def community_words(device: Device) -> Iterator[CommunityContext]:
    """Sets to match and sets to give, member by member."""
    policy = device.routing.policy
    for found in policy.community_lists:
        yield CommunityContext(found.name, GRACEFUL_SHUTDOWN if found.graceful_shutdown else found.community, "any")
    for target in policy.route_target_lists:
        yield CommunityContext(target.name, f"target:{target.route_target}", "any")
    given = dict.fromkeys(_given(row) for found in policy.route_maps for row in found.statements)
    for members in given:
        for member in members:
            yield CommunityContext(_set_name(members), member, "all")
    for vrf in device.routing.bgp.vrfs:
        yield CommunityContext(target_set(vrf), f"target:{vrf.export_target}", "all")
        for imported in vrf.import_targets if vrf.import_map else ():
            yield CommunityContext(import_set(vrf), f"target:{imported}", "any")


def _given(row: Statement) -> tuple[str, ...]:
    shut = (GRACEFUL_SHUTDOWN,) if row.set_graceful_shutdown else ()
    return ((row.set_community,) if row.set_community else ()) + shut


def _set_name(members: tuple[str, ...]) -> str:
    return "-".join(("SET", *members)) if members else ""


def target_set(vrf: BgpVrf) -> str:
    """Name of the set with a VRF's own route target."""
    return f"RT-{vrf.name}".upper()


def import_set(vrf: BgpVrf) -> str:
    """Name of the set with every route target that a VRF takes."""
    return f"RT-{vrf.name}-IMPORTS".upper()


def export_policy(vrf: BgpVrf) -> str:
    """Name of the policy on what a VRF sends into EVPN."""
    return f"EVPN-{vrf.name}-OUT".upper()


def statements(device: Device) -> Iterator[PolicyStatement]:
    """Statements of all policies, in order."""
    importing = {vrf.import_map: import_set(vrf) for vrf in device.routing.bgp.vrfs if vrf.import_map}
    own = {name for name, _ in originated(device)}
    for found in device.routing.policy.route_maps:
        way = _way(device, found)
        for row in found.statements:
            members = _given(row)
            change = "replace" if row.replace_communities else "add"
            words = PolicyStatement(
                policy=found.name,
                name=str(row.sequence),
                result="accept" if row.permit else "reject",
                prefixes=row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,
                protocol="",
                matched=row.match_community_list or row.match_route_target_list or importing.get(found.name, ""),
                preference="" if row.set_local_preference < 0 else str(row.set_local_preference),
                change=change if members else "",
                communities=_set_name(members),
            )
            yield from _outwards(words, way, own) if row.permit and words.prefixes and way.learned else (words,)
    for vrf in device.routing.bgp.vrfs:
        yield from _exported(vrf)


def _outwards(words: PolicyStatement, way: _Way, own: Iterable[str]) -> Iterator[PolicyStatement]:
    for protocol in way.learned:
        yield words._replace(name=f"{words.name}-{protocol.rpartition(':')[2]}", protocol=protocol)
    if _own_name(words.prefixes) in own:
        yield words._replace(name=f"{words.name}-own", prefixes=_own_name(words.prefixes))


def _exported(vrf: BgpVrf) -> Iterator[PolicyStatement]:
    """What a VRF sends into EVPN: what it originates, and what it has learned outside. The rest stays here."""
    ways: Mapping[str, tuple[str, str]] = {
        "originated": (vrf_prefixes(vrf), ""),
        "outside": ("", LEARNED[0] if vrf.neighbors else ""),
    }
    for name, (prefixes, protocol) in ways.items():
        if prefixes or protocol:
            yield PolicyStatement(
                policy=export_policy(vrf),
                name=name,
                result="accept",
                prefixes=prefixes,
                protocol=protocol,
                matched="",
                preference="",
                change="add",
                communities=target_set(vrf),
            )


def policies(device: Device) -> tuple[str, ...]:
    """Names of all policies; each rejects what none of its statements takes."""
    names = [found.name for found in device.routing.policy.route_maps]
    return (*names, *(export_policy(vrf) for vrf in device.routing.bgp.vrfs))
