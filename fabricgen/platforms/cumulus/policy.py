"""Policy in NVUE's terms, and FRR lines for what NVUE does not support."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, CommunityList, PrefixList, RouteMap, RoutingPolicy, Statement
from fabricgen.platforms.base.originated import with_originated

GRACEFUL_SHUTDOWN = "65535:0"
"""RFC 8326, as numbers: NVUE's name for it was not found."""


class PrefixRuleContext(NamedTuple):
    """One rule of a prefix list; `longest` 0 means the exact length."""

    sequence: int
    prefix: Prefix
    longest: int


class Prefixes(NamedTuple):
    """A prefix list of one family."""

    name: str
    family: str
    entries: tuple[PrefixRuleContext, ...]


class Communities(NamedTuple):
    """A community list of one member."""

    name: str
    community: str


class RuleContext(NamedTuple):
    """One rule of a route map. `family` is empty if it is for any; empty fields match or set nothing.

    communities  replace those of the route; communities that are added are in the snippet
    prefers_global  IPv6 uses the global next hop, not the link-local one: adaptive routing needs that (NOTES.md)
    """

    sequence: int
    action: str
    community_list: str
    prefix_list: str
    family: str
    communities: tuple[str, ...]
    preference: str
    paths: bool
    prefers_global: bool

    @property
    def matches(self) -> bool:
        """Whether it has a match condition."""
        return bool(self.community_list or self.prefix_list)

    @property
    def sets(self) -> bool:
        """Whether it sets anything."""
        return bool(self.communities or self.preference or self.paths or self.prefers_global)


class RouteMapContext(NamedTuple):
    """A route map."""

    name: str
    rules: tuple[RuleContext, ...]


class Joined(NamedTuple):
    """A rule that adds communities to those of a route: FRR's `additive`, which NVUE does not have."""

    name: str
    action: str
    sequence: int
    communities: str


class PolicyContext(NamedTuple):
    """All policy of one switch."""

    communities: tuple[Communities, ...]
    prefixes: tuple[Prefixes, ...]
    maps: tuple[RouteMapContext, ...]
    joined: tuple[Joined, ...]


def policy_words(device: Device) -> PolicyContext:
    """Policy of one switch in NVUE's terms."""
    bgp = device.routing.bgp
    policy = with_originated(device.routing.policy, bgp.vrfs)
    global_maps = _inbound(bgp) if device.load_balancing.mode == "dlb-per-packet" else set()
    return PolicyContext(
        communities=tuple(_communities(item) for item in policy.community_lists),
        prefixes=tuple(_prefixes(item) for item in policy.prefix_lists),
        maps=tuple(_rules(item, prefers_global=item.name in global_maps) for item in policy.route_maps),
        joined=tuple(_joined(policy)),
    )


def _inbound(bgp: Bgp) -> set[str]:
    """Inbound maps of IPv6 sessions with addresses; a session of an unnumbered link has one next hop only."""
    groups = {group.name: group for group in bgp.groups if "ipv6" in group.families}
    sessions = [row for row in bgp.neighbors if row.group in groups and not row.interface]
    return {row.route_map_in or groups[row.group].route_map_in for row in sessions}


def _communities(community_list: CommunityList) -> Communities:
    return Communities(
        community_list.name, GRACEFUL_SHUTDOWN if community_list.graceful_shutdown else community_list.community
    )


def _prefixes(prefix_list: PrefixList) -> Prefixes:
    return Prefixes(
        prefix_list.name, prefix_list.family, tuple(PrefixRuleContext(*entry) for entry in prefix_list.entries)
    )


def _rules(route_map: RouteMap, *, prefers_global: bool) -> RouteMapContext:
    """A route map without the rules that match a route target.

    Such rules are in maps on a VRF's EVPN imports. Here, a VRF imports its own target's EVPN routes without a map; the
    map applies to routes that are imported from other VRFs inside the switch, none of which has that target.
    """
    rows = [row for row in route_map.statements if not row.match_route_target_list]
    return RouteMapContext(
        route_map.name, tuple(_rule(row, prefers_global=prefers_global and row.permit) for row in rows)
    )


def _rule(row: Statement, *, prefers_global: bool) -> RuleContext:
    return RuleContext(
        sequence=row.sequence,
        action="permit" if row.permit else "deny",
        community_list=row.match_community_list,
        prefix_list=row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,
        family="ipv4" if row.match_prefix_list_ipv4 else "ipv6" if row.match_prefix_list_ipv6 else "",
        communities=_set_communities(row) if row.replace_communities else (),
        preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
        paths=row.set_paths,
        prefers_global=prefers_global,
    )


def _set_communities(row: Statement) -> tuple[str, ...]:
    return tuple(filter(None, (row.set_community, GRACEFUL_SHUTDOWN if row.set_graceful_shutdown else "")))


def _joined(policy: RoutingPolicy) -> Iterator[Joined]:
    for route_map in policy.route_maps:
        for row in route_map.statements:
            communities = " ".join(_set_communities(row))
            if communities and not row.replace_communities:
                action = "permit" if row.permit else "deny"
                yield Joined(route_map.name, action, row.sequence, communities)
