"""BGP and its policy in the tables that SONiC's frrcfgd reads.

Prefix sets have no sequence numbers: every entry permits. The model of the release that has them covers both forms.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.base.text import natural
from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor, PeerGroup, PrefixEntry, RouteMap, Statement
from fabricgen.platforms.linux.frr_conf import description_text
from fabricgen.platforms.linux.interfaces import session_source
from fabricgen.platforms.sonic.ports import quoted

AFI_SAFI = {"ipv4": "ipv4_unicast", "ipv6": "ipv6_unicast", "evpn": "l2vpn_evpn"}
MODES = {"ipv4": "IPv4", "ipv6": "IPv6"}
SHUTDOWN = "graceful-shutdown"
DESCRIPTIONS_KEPT = 512
"""Cache size. The two sessions of a link, one per family, share a description, but a switch lists sessions by
family."""


class PrefixSet(NamedTuple):
    """A prefix set of one family."""

    name: str
    mode: str


class CommunitySet(NamedTuple):
    """A community set of one member."""

    name: str
    member: str


class StatementContext(NamedTuple):
    """One sequence of a route map. `communities` is a JSON list without its brackets; an empty field is not printed."""

    name: str
    sequence: int
    action: str
    community_set: str
    prefix_set: str
    communities: str
    preference: str


class GroupContext(NamedTuple):
    """A peer group: `source` is the source address of its sessions, empty for the link's own."""

    row: PeerGroup
    description: str
    source: str


class FamilyContext(NamedTuple):
    """A peer group in one address family."""

    group: PeerGroup
    afi_safi: str


class NeighborContext(NamedTuple):
    """A session, and the address families in which it has its own route maps."""

    row: Neighbor
    description: str
    own: tuple[str, ...]


class NetworkContext(NamedTuple):
    """A prefix that the switch originates."""

    afi_safi: str
    prefix: Prefix


class RoutingContext(NamedTuple):
    """Routing of one switch in SONiC's tables.

    prefixes  keys of all entries: set, prefix, and `exact` or the shortest and the longest length that match
    """

    prefix_sets: tuple[PrefixSet, ...]
    prefixes: tuple[str, ...]
    community_sets: tuple[CommunitySet, ...]
    map_names: tuple[str, ...]
    statements: tuple[StatementContext, ...]
    groups: tuple[GroupContext, ...]
    families: tuple[FamilyContext, ...]
    neighbors: tuple[NeighborContext, ...]
    networks: tuple[NetworkContext, ...]
    unicast: tuple[str, ...]
    discards: tuple[Prefix, ...]


def routing_words(device: Device) -> RoutingContext:
    """Return the routing of one switch. What no table can express was refused before (limits.py)."""
    bgp, policy = device.routing.bgp, device.routing.policy
    groups = {group.name: group for group in bgp.groups}
    originated = (("ipv4", bgp.networks_ipv4), ("ipv6", bgp.networks_ipv6))
    sets = (PrefixSet(row.name, MODES[row.family]) for row in policy.prefix_lists)
    prefixes = {_prefix(row.name, entry) for row in policy.prefix_lists for entry in row.entries}
    return RoutingContext(
        prefix_sets=tuple(sorted(sets, key=lambda entry: natural(entry.name))),
        prefixes=tuple(sorted(prefixes, key=natural)),
        community_sets=tuple(
            CommunitySet(row.name, SHUTDOWN if row.graceful_shutdown else row.community)
            for row in policy.community_lists
        ),
        map_names=tuple(row.name for row in policy.route_maps),
        statements=tuple(entry for row in policy.route_maps for entry in _statements(row)),
        groups=tuple(
            GroupContext(group, _description(group.description), session_source(device, group)) for group in bgp.groups
        ),
        families=tuple(entry for group in bgp.groups for entry in _families(group)),
        neighbors=tuple([_neighbor(row, groups) for row in sorted(bgp.neighbors, key=lambda row: natural(row.peer))]),
        networks=tuple(
            NetworkContext(AFI_SAFI[family], prefix)
            for family, row in originated
            for prefix in sorted(row, key=natural)
        ),
        unicast=tuple(AFI_SAFI[family] for family, row in originated if row or family in bgp.families),
        discards=discards(device),
    )


def discards(device: Device) -> tuple[Prefix, ...]:
    """Return static discard routes; the gateway of the management VRF is rendered with the management address."""
    prefixes = (route.prefix for route in device.routing.static_routes if not route.vrf and not route.next_hop)
    return tuple(sorted(prefixes, key=natural))


def _prefix(name: str, row: PrefixEntry) -> str:
    lengths = f"{row.prefix.partition('/')[2]}..{row.longest}" if row.longest else "exact"
    return f"{name}|{row.prefix}|{lengths}"


def _statements(route_map: RouteMap) -> Iterator[StatementContext]:
    for statement in route_map.statements:
        yield StatementContext(
            name=route_map.name,
            sequence=statement.sequence,
            action="permit" if statement.permit else "deny",
            community_set=statement.match_community_list,
            prefix_set=statement.match_prefix_list_ipv4 or statement.match_prefix_list_ipv6,
            communities=_communities(statement),
            preference=str(statement.set_local_preference) if statement.set_local_preference >= 0 else "",
        )


def _communities(row: Statement) -> str:
    values = [row.set_community, SHUTDOWN if row.set_graceful_shutdown else ""]
    words = [word for word in values if word]
    if words and not row.replace_communities:
        words.append("additive")
    return ", ".join(quoted(word) for word in words)


def _families(group: PeerGroup) -> Iterator[FamilyContext]:
    for family in group.families:
        yield FamilyContext(group, AFI_SAFI[family])


def _neighbor(row: Neighbor, groups: Mapping[str, PeerGroup]) -> NeighborContext:
    own_families: tuple[str, ...] = ()
    if row.route_map_in or row.route_map_out:
        own_families = tuple(AFI_SAFI[family] for family in groups[row.group].families)
    return NeighborContext(row, _description(row.description), own_families)


@lru_cache(maxsize=DESCRIPTIONS_KEPT)
def _description(text: str) -> str:
    return quoted(description_text(text))
