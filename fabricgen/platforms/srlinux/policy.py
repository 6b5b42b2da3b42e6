"""From route maps to SR Linux's policies.

BGP of SR Linux announces whatever its policy accepts of the whole route table, connected links too, whereas a route map
filters only what BGP itself holds. So an outbound statement that permits a prefix list becomes one for routes learned
by BGP, and one for routes that this switch originates; everything else gets the default action, reject.
"""

from collections.abc import Iterable, Iterator
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PrefixEntry, PrefixList, RouteMap, Statement

OUTWARDS = "-OUT"
"""Suffix of the names of outbound route maps (resolve/policy.py)."""
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
    """One member of a set; `options`: whether a route must have any or all of them."""

    name: str
    member: str
    options: str


class PolicyStatement(NamedTuple):
    """One statement of a policy. Empty texts match or set nothing.

    change  add or replace: what happens to the communities of the set `communities`
    """

    policy: str
    name: str
    result: str
    prefixes: str = ""
    protocol: str = ""
    matched: str = ""
    preference: str = ""
    change: str = ""
    communities: str = ""


class _Way(NamedTuple):
    """Protocols of learned routes and originated prefixes of an outbound policy; both empty for an inbound one."""

    learned: tuple[str, ...]
    own: tuple[Prefix, ...]


_INWARDS = _Way((), ())


def prefix_words(device: Device) -> Iterator[PrefixContext]:
    """Yield prefix sets: every list, the originated part of it, and what a VRF originates."""
    for prefix_list in device.routing.policy.prefix_lists:
        for entry in prefix_list.entries:
            prefix_length = entry.prefix.rpartition("/")[2]
            yield PrefixContext(
                prefix_list.name, entry.prefix, f"{prefix_length}..{entry.longest}" if entry.longest else "exact"
            )
    for name, prefix in originated(device):
        yield PrefixContext(name, prefix, "exact")
    for vrf in device.routing.bgp.vrfs:
        for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6):
            yield PrefixContext(vrf_prefixes(vrf), prefix, "exact")


def vrf_prefixes(vrf: BgpVrf) -> str:
    """Return the name of the set of what a VRF originates; "" if that is nothing."""
    return f"PL-{vrf.name}-ORIGINATED".upper() if vrf.networks_ipv4 or vrf.networks_ipv6 else ""


def originated(device: Device) -> tuple[tuple[str, Prefix], ...]:
    """Return set names and prefixes: what this switch originates of the prefix lists in outbound maps."""
    lists = {entry.name: entry for entry in device.routing.policy.prefix_lists}
    pairs = (
        (_own_name(name), prefix)
        for entry in device.routing.policy.route_maps
        for direction in (_way(device, entry),)
        for row in entry.statements
        if row.permit and direction.learned
        for name in (row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,)
        if name
        for prefix in _permitted(lists[name], direction.own)
    )
    return tuple(dict.fromkeys(pairs))


def _own_name(name: str) -> str:
    return f"{name}-ORIGINATED"


def _permitted(prefix_list: PrefixList, prefixes: Iterable[Prefix]) -> Iterator[Prefix]:
    for prefix in prefixes:
        if (":" in prefix) == (prefix_list.family == "ipv6") and any(
            _permits(entry, prefix) for entry in prefix_list.entries
        ):
            yield prefix


def _permits(entry: PrefixEntry, prefix: Prefix) -> bool:
    if not entry.longest:
        return entry.prefix == prefix
    outer, inner = ip_network(entry.prefix), ip_network(prefix)
    return outer.prefixlen <= inner.prefixlen <= entry.longest and (
        outer.network_address == inner.supernet(new_prefix=outer.prefixlen).network_address
    )


def _way(device: Device, route_map: RouteMap) -> _Way:
    bgp = device.routing.bgp
    if not route_map.name.endswith(OUTWARDS):
        return _INWARDS
    for vrf in bgp.vrfs:
        if any(neighbor.route_map_out == route_map.name for neighbor in vrf.neighbors):
            return _Way(LEARNED_IN_VRF, (*vrf.networks_ipv4, *vrf.networks_ipv6))
    return _Way(LEARNED, (*bgp.networks_ipv4, *bgp.networks_ipv6))


def community_words(device: Device) -> Iterator[CommunityContext]:
    """Yield sets to match and sets to add, member by member."""
    policy = device.routing.policy
    for entry in policy.community_lists:
        yield CommunityContext(entry.name, GRACEFUL_SHUTDOWN if entry.graceful_shutdown else entry.community, "any")
    for target in policy.route_target_lists:
        yield CommunityContext(target.name, f"target:{target.route_target}", "any")
    added = dict.fromkeys(_given(row) for entry in policy.route_maps for row in entry.statements)
    for members in added:
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
    """Return the name of the set with a VRF's own route target."""
    return f"RT-{vrf.name}".upper()


def import_set(vrf: BgpVrf) -> str:
    """Return the name of the set with every route target that a VRF imports."""
    return f"RT-{vrf.name}-IMPORTS".upper()


def export_policy(vrf: BgpVrf) -> str:
    """Return the name of the policy of a VRF's exports to EVPN."""
    return f"EVPN-{vrf.name}-OUT".upper()


def statements(device: Device) -> Iterator[PolicyStatement]:
    """Yield the statements of all policies, in order."""
    importing = {vrf.import_map: import_set(vrf) for vrf in device.routing.bgp.vrfs if vrf.import_map}
    sets = {name for name, _ in originated(device)}
    for route_map in device.routing.policy.route_maps:
        direction = _way(device, route_map)
        for row in route_map.statements:
            members = _given(row)
            change = "replace" if row.replace_communities else "add"
            statement = PolicyStatement(
                policy=route_map.name,
                name=str(row.sequence),
                result="accept" if row.permit else "reject",
                prefixes=row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,
                matched=row.match_community_list or row.match_route_target_list or importing.get(route_map.name, ""),
                preference="" if row.set_local_preference < 0 else str(row.set_local_preference),
                change=change if members else "",
                communities=_set_name(members),
            )
            yield from (
                _outwards(statement, direction, sets)
                if row.permit and statement.prefixes and direction.learned
                else (statement,)
            )
    for vrf in device.routing.bgp.vrfs:
        yield from _exported(vrf)


def _outwards(statement: PolicyStatement, direction: _Way, sets: Iterable[str]) -> Iterator[PolicyStatement]:
    for protocol in direction.learned:
        yield statement._replace(name=f"{statement.name}-{protocol.rpartition(':')[2]}", protocol=protocol)
    if _own_name(statement.prefixes) in sets:
        yield statement._replace(name=f"{statement.name}-own", prefixes=_own_name(statement.prefixes))


def _exported(vrf: BgpVrf) -> Iterator[PolicyStatement]:
    """Yield statements on what a VRF exports to EVPN: originated routes, and routes learned outside."""
    export = PolicyStatement(export_policy(vrf), "", "accept", change="add", communities=target_set(vrf))
    prefixes = vrf_prefixes(vrf)
    if prefixes:
        yield export._replace(name="originated", prefixes=prefixes)
    if vrf.neighbors:
        yield export._replace(name="outside", protocol=LEARNED[0])


def policies(device: Device) -> tuple[str, ...]:
    """Return the names of all policies; each rejects what no statement matches."""
    names = [route_map.name for route_map in device.routing.policy.route_maps]
    return (*names, *(export_policy(vrf) for vrf in device.routing.bgp.vrfs))
