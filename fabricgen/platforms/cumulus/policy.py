"""Policy in NVUE's words, and the lines of FRR's own that NVUE has no words for."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, CommunityList, PrefixList, RouteMap, RoutingPolicy, Statement
from fabricgen.platforms.base.originated import with_originated

GRACEFUL_SHUTDOWN = "65535:0"
"""RFC 8326, in figures: NVUE's word for it was not found."""


class PrefixRuleContext(NamedTuple):
    """One rule of a prefix list; `longest` 0 is the exact length."""

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
    """One rule of a route map. `family` is empty where it is of any; empty fields match or set nothing.

    communities  stand in place of what the route carries; those that join it are in the snippet
    prefers_global  IPv6 goes to the global next hop and not to the link's: what adaptive routing wants (NOTES.md)
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
        """Whether it asks anything of a route."""
        return bool(self.community_list or self.prefix_list)

    @property
    def sets(self) -> bool:
        """Whether it changes anything of a route."""
        return bool(self.communities or self.preference or self.paths or self.prefers_global)


class RouteMapContext(NamedTuple):
    """A route map."""

    name: str
    rules: tuple[RuleContext, ...]


class Joined(NamedTuple):
    """A rule that adds communities to those a route carries: FRR's `additive`, which NVUE does not have."""

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
    """Policy of one switch as NVUE spells it."""
    bgp = device.routing.bgp
    policy = with_originated(device.routing.policy, bgp.vrfs)
    spread = _inbound(bgp) if device.load_balancing.mode == "dlb-per-packet" else set()
    return PolicyContext(
        communities=tuple(_communities(found) for found in policy.community_lists),
        prefixes=tuple(_prefixes(found) for found in policy.prefix_lists),
        maps=tuple(_rules(found, prefers_global=found.name in spread) for found in policy.route_maps),
        joined=tuple(_joined(policy)),
    )


def _inbound(bgp: Bgp) -> set[str]:
    """Maps on what comes in over sessions of IPv6 between numbered ends; links without numbers have one next hop."""
    groups = {group.name: group for group in bgp.groups if "ipv6" in group.families}
    sessions = [row for row in bgp.neighbors if row.group in groups and not row.interface]
    return {row.route_map_in or groups[row.group].route_map_in for row in sessions}


def _communities(found: CommunityList) -> Communities:
    return Communities(found.name, GRACEFUL_SHUTDOWN if found.graceful_shutdown else found.community)


def _prefixes(found: PrefixList) -> Prefixes:
    return Prefixes(found.name, found.family, tuple(PrefixRuleContext(*entry) for entry in found.entries))


def _rules(found: RouteMap, *, prefers_global: bool) -> RouteMapContext:
    """All rules but those that ask for a route target.

    They are of maps on what a VRF imports, and speak of what comes by EVPN. Here EVPN gives a VRF its own target's
    routes and no map; the map is on what is taken over from other VRFs inside the switch, none of which has that
    target.
    """
    rows = [row for row in found.statements if not row.match_route_target_list]
    return RouteMapContext(found.name, tuple(_rule(row, prefers_global=prefers_global and row.permit) for row in rows))


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
    for found in policy.route_maps:
        for row in found.statements:
            communities = " ".join(_set_communities(row))
            if communities and not row.replace_communities:
                action = "permit" if row.permit else "deny"
                yield Joined(found.name, action, row.sequence, communities)
