"""BGP and its policy in the tables that SONiC's frrcfgd reads.

Prefix sets have no sequence numbers: every entry permits, and both forms are in the model of the release that has them.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.base.text import natural
from fabricgen.device.device import Device
from fabricgen.device.routing import CommunityList, Neighbor, PeerGroup, PrefixEntry, RouteMap, Statement
from fabricgen.platforms.linux.frr_conf import said
from fabricgen.platforms.sonic.ports import quoted

AFI_SAFI = {"ipv4": "ipv4_unicast", "ipv6": "ipv6_unicast", "evpn": "l2vpn_evpn"}
MODES = {"ipv4": "IPv4", "ipv6": "IPv6"}
SHUTDOWN = "graceful-shutdown"
DESCRIPTIONS_KEPT = 512
"""The sessions of a link in both families have one description; a switch has them family by family."""


class PrefixSet(NamedTuple):
    """A prefix set of one family."""

    name: str
    mode: str


class CommunitySet(NamedTuple):
    """A community set of one member."""

    name: str
    member: str


class StatementContext(NamedTuple):
    """One sequence of a route map. `communities` is a JSON list without its brackets; empty fields say nothing."""

    name: str
    sequence: int
    action: str
    community_set: str
    prefix_set: str
    communities: str
    preference: str


class GroupContext(NamedTuple):
    """A peer group: `source` is the address its sessions start from, empty for the link's own."""

    row: PeerGroup
    description: str
    source: str


class FamilyContext(NamedTuple):
    """A peer group in one address family; `maximum` 0 is no limit."""

    group: PeerGroup
    afi_safi: str
    maximum: int


class NeighborContext(NamedTuple):
    """A session, and the families in which it has maps of its own."""

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
    """Routing of one switch; what no table can say is refused before (limits.py)."""
    bgp, policy = device.routing.bgp, device.routing.policy
    groups = {group.name: group for group in bgp.groups}
    originated = (("ipv4", bgp.networks_ipv4), ("ipv6", bgp.networks_ipv6))
    sets = (PrefixSet(found.name, MODES[found.family]) for found in policy.prefix_lists)
    prefixes = {_prefix(found.name, row) for found in policy.prefix_lists for row in found.entries}
    return RoutingContext(
        prefix_sets=tuple(sorted(sets, key=lambda row: natural(row.name))),
        prefixes=tuple(sorted(prefixes, key=natural)),
        community_sets=tuple(_community_set(found) for found in policy.community_lists),
        map_names=tuple(found.name for found in policy.route_maps),
        statements=tuple(row for found in policy.route_maps for row in _statements(found)),
        groups=tuple(
            GroupContext(group, _description(group.description), _source(device, group)) for group in bgp.groups
        ),
        families=tuple(row for group in bgp.groups for row in _families(group)),
        neighbors=tuple([_neighbor(row, groups) for row in sorted(bgp.neighbors, key=_by_peer)]),
        networks=tuple(
            NetworkContext(AFI_SAFI[family], prefix)
            for family, found in originated
            for prefix in sorted(found, key=natural)
        ),
        unicast=tuple(AFI_SAFI[family] for family, found in originated if found or family in bgp.families),
        discards=discards(device),
    )


def discards(device: Device) -> tuple[Prefix, ...]:
    """Static routes that discard; the management VRF's gateway stands with its address."""
    found = (route.prefix for route in device.routing.static_routes if not route.vrf and not route.next_hop)
    return tuple(sorted(found, key=natural))


def _prefix(name: str, row: PrefixEntry) -> str:
    lengths = f"{row.prefix.partition('/')[2]}..{row.longest}" if row.longest else "exact"
    return f"{name}|{row.prefix}|{lengths}"


def _community_set(found: CommunityList) -> CommunitySet:
    return CommunitySet(found.name, SHUTDOWN if found.graceful_shutdown else found.community)


def _statements(found: RouteMap) -> Iterator[StatementContext]:
    for row in found.statements:
        yield StatementContext(
            name=found.name,
            sequence=row.sequence,
            action="permit" if row.permit else "deny",
            community_set=row.match_community_list,
            prefix_set=row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,
            communities=_communities(row),
            preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
        )


def _communities(row: Statement) -> str:
    found = [row.set_community, SHUTDOWN if row.set_graceful_shutdown else ""]
    words = [word for word in found if word]
    if words and not row.replace_communities:
        words.append("additive")
    return ", ".join(quoted(word) for word in words)


def _source(device: Device, group: PeerGroup) -> str:
    """Address that a group's sessions start from: they are between IPv4 loopbacks."""
    found = [row for row in device.interfaces.loopbacks if row.number == group.update_source]
    return found[0].ipv4.partition("/")[0] if found else ""


def _families(group: PeerGroup) -> Iterator[FamilyContext]:
    """FRR has no limit of EVPN routes (bgpd's vty knows `maximum-prefix` in the unicast families only)."""
    for family in group.families:
        yield FamilyContext(group, AFI_SAFI[family], 0 if family == "evpn" else group.maximum_routes)


def _by_peer(row: Neighbor) -> tuple[str | int, ...]:
    return natural(row.peer)


def _neighbor(row: Neighbor, groups: Mapping[str, PeerGroup]) -> NeighborContext:
    own: tuple[str, ...] = ()
    if row.route_map_in or row.route_map_out:
        own = tuple(AFI_SAFI[family] for family in groups[row.group].families)
    return NeighborContext(row, _description(row.description), own)


@lru_cache(maxsize=DESCRIPTIONS_KEPT)
def _description(text: str) -> str:
    return quoted(said(text))
