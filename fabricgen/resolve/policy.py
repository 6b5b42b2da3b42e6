"""Routing policy of one switch. Every object that is used is defined; defined but unused are only maps of a drain.

leaf, in    only the fabric's own prefixes; routes that are being shut down are least preferred (RFC 8326)
leaf, out   only its own aggregates and loopbacks, and never a route that a spine has marked: no path goes
            down and up again, which would also allow a cyclic buffer dependency
            on a leaf of a pair also host routes of its NICs: see `resolve/host_sessions.py`
outside, in only what the intent accepts, without communities of the peer
above, in   of a spine and a superspine: as on a leaf
above, down the fabric's prefixes, marked as coming from above
above, up   of a spine below superspines: the fabric's prefixes without those that a superspine has marked
overlay     the same mark and the same shutdown, without prefixes
link loss   a spine announces downwards by how many links it reaches each leaf; a leaf weighs its paths by that, or
            prefers paths without lost links, and uses the others only if there are none
drained     every route is sent with the graceful-shutdown community, every learned route is least preferred

The drained maps also exist on a switch in service, for all sessions of the underlay at once or for one. Routers apply
a configuration line by line: a session that names a missing map denies every route, and so does one whose map is
removed before the reference to it.

The drain of a spine does not change the overlay. Its next hops are VTEPs, whichever spine has passed a route on, and
traffic to a VTEP follows the underlay. A leaf is a VTEP: when drained, it marks every EVPN route that it originates, so
that others enter by another leaf of the same subnet. Learned routes are unchanged. Its servers' ports are shut where
they have another leaf, and so are their Ethernet segments.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.routing import (
    CommunityList,
    PathsList,
    PrefixEntry,
    PrefixList,
    RouteMap,
    RouteTargetList,
    RoutingPolicy,
    Statement,
)
from fabricgen.intent.fabric import families_of, overlay_of
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import UPPER, Tier
from fabricgen.plan.tenants import PlannedTenant
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import carried, external_name, externals_here, import_map, route_target, subnets
from fabricgen.resolve.host_sessions import (
    host_community_lists,
    host_maps,
    host_prefix_lists,
    host_side,
    hosts_list,
)
from fabricgen.resolve.links import Direction

FROM_ABOVE = "65000:1"
"""Community of a route that a switch has passed on downwards; a switch that learned it never sends it up again."""
FROM_OUTSIDE = "65000:2"
"""The only community on a route that a border leaf learned outside, so that no peer can send one of ours."""
CL_SHUTDOWN = "CL-GRACEFUL-SHUTDOWN"
CL_ABOVE = "CL-FROM-ABOVE"
EC_SHORT = "EC-LINK-SHORT"
"""Name of the list of routes that a spine reaches by fewer links than the pair has."""
LAST = 0
"""Local preference of a route that is being shut down (RFC 8326 section 4.2 recommends 0)."""
SHORT = 50
"""Local preference of a route over a switch that has lost a link: below the default 100, above LAST."""


class Maps(NamedTuple):
    """Names of the route maps of a peer group, or of a session."""

    inbound: str
    outbound: str


def group_name(peers: str, family: str) -> str:
    """Return the peer group of sessions with these peers (`Direction.peers`), for ipv4, ipv6, unnumbered or evpn."""
    return f"{peers}-{family}".upper()


def maps_of(group: str, *, drained: bool = False) -> Maps:
    """Return the names of the maps of a peer group, or of its drained sessions."""
    stem = f"RM-{group}-DRAINED" if drained else f"RM-{group}"
    return Maps(f"{stem}-IN", f"{stem}-OUT")


def resolve_policy(
    context: Context, originated: tuple[Prefix, ...], directions: tuple[Direction, ...]
) -> RoutingPolicy:
    """Return all policy objects of a switch, by name."""
    hosts = host_side(context)
    if not directions and hosts is None:
        return RoutingPolicy(prefix_lists=(), community_lists=(), route_target_lists=(), route_maps=())
    addressing = context.settings.addressing
    lists = [
        prefix_list for family in families_of(addressing) for prefix_list in _prefix_lists(context, family, originated)
    ]
    maps = [*context.alike(("maps", directions), lambda: tuple(_fabric_maps(context, directions)))]
    if hosts is not None:
        lists += host_prefix_lists(hosts)
        maps += host_maps(hosts, _fabric_list(hosts.family), CL_SHUTDOWN, LAST)
    for tenant in carried(context):
        for external_lists, external_maps in _external(context, tenant):
            lists += external_lists
            maps += external_maps
    importing = [tenant for tenant in carried(context) if tenant.reaches]
    for tenant in importing:
        reached = tuple(_reached(context, tenant))
        lists += reached
        maps.append(RouteMap(import_map(tenant), _import_statements(tenant, reached)))
    return RoutingPolicy(
        prefix_lists=tuple(sorted(lists)),
        community_lists=(*_community_lists(directions), *(host_community_lists(hosts) if hosts is not None else ())),
        route_target_lists=tuple(
            RouteTargetList(_target_list(tenant), route_target(context, tenant.vni)) for tenant in importing
        ),
        route_maps=tuple(sorted(maps)),
        paths_lists=(PathsList(EC_SHORT, context.fabric.shape.links),) if _turns_away(context) else (),
    )


def _fabric_maps(context: Context, directions: tuple[Direction, ...]) -> Iterator[RouteMap]:
    """Yield the maps of all sessions with switches of the fabric."""
    for way in directions:
        for family in sorted(context.settings.addressing.links):
            yield from (*_maps(context, way, family, drained=False), *_maps(context, way, family, drained=True))
        if overlay_of(context.settings) is not None:
            yield from _maps(context, way, "evpn", drained=False)
            if context.place.tier not in UPPER:
                out = maps_of(group_name(way.peers, "evpn"), drained=True).outbound
                yield RouteMap(out, _outbound(context, way, "evpn", drained=True))


def _counts(context: Context) -> bool:
    """Return whether a spine announces by how many links it reaches a leaf: with several links, if the intent asks."""
    return context.settings.link_loss != "keep" and context.fabric.shape.links > 1


def _turns_away(context: Context) -> bool:
    """Return whether a leaf avoids a spine that lost a link to the destination while others have all of theirs."""
    return context.place.tier not in UPPER and context.settings.link_loss == "withdraw" and _counts(context)


def _community_lists(directions: tuple[Direction, ...]) -> Iterator[CommunityList]:
    if any(way.upward for way in directions):
        yield CommunityList(CL_ABOVE, FROM_ABOVE, graceful_shutdown=False)
    yield CommunityList(CL_SHUTDOWN, "65535:0", graceful_shutdown=True)


def _fabric_list(family: str) -> str:
    return f"PL-FABRIC-{family.upper()}"


def _own_list(family: str) -> str:
    return f"PL-OWN-{family.upper()}"


def _prefix_lists(context: Context, family: str, originated: tuple[Prefix, ...]) -> Iterator[PrefixList]:
    yield from context.alike(("fabric list", family), lambda: tuple(_fabric_prefixes(context, family)))
    if context.place.tier not in UPPER:
        prefixes = [prefix for prefix in originated if (":" in prefix) == (family == "ipv6")]
        yield PrefixList(_own_list(family), family, _entries(prefixes))


def _fabric_prefixes(context: Context, family: str) -> Iterator[PrefixList]:
    """Yield the list of all prefixes that the fabric has in a family; nothing where it has none."""
    addressing = context.settings.addressing
    network = addressing.ipv4 if family == "ipv4" else addressing.ipv6
    if network is not None:
        entry = PrefixEntry(10, Prefix(str(network)), network.max_prefixlen)
        yield PrefixList(_fabric_list(family), family, (entry,))


Match = dict[str, Any]
"""Match fields of a statement, as keywords of NamedTuple._replace."""


def _match(family: str, name: str) -> Match:
    return {f"match_prefix_list_{family}": name}


def _maps(context: Context, way: Direction, family: str, *, drained: bool) -> tuple[RouteMap, RouteMap]:
    """Return both maps of a peer group, or of its drained sessions."""
    names = maps_of(group_name(way.peers, family), drained=drained)
    return (
        RouteMap(names.inbound, _arriving(context, way, family, drained=drained)),
        RouteMap(names.outbound, _outbound(context, way, family, drained=drained)),
    )


def _matches(context: Context, family: str, name: Callable[[str], str]) -> tuple[Match, ...]:
    """Return a match on the list of each family that a group's sessions carry; EVPN routes have no prefix match."""
    if family == "evpn":
        return ({},)
    families = families_of(context.settings.addressing) if family == "unnumbered" else (family,)
    return tuple(_match(member, name(member)) for member in families)


def _numbered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(row._replace(sequence=10 * position) for position, row in enumerate(statements, start=1))


def _inbound(matches: tuple[Match, ...], *, drained: bool) -> tuple[Statement, ...]:
    """Accept routes; those with the shutdown community, and all over a drained session, get local preference LAST."""
    marked = Statement(sequence=10, permit=True, match_community_list=CL_SHUTDOWN, set_local_preference=LAST)
    other = Statement(sequence=20, permit=True, set_local_preference=LAST if drained else -1)
    return _numbered(row._replace(**match) for match in matches for row in (marked, other))


def _arriving(context: Context, way: Direction, family: str, *, drained: bool) -> tuple[Statement, ...]:
    """Return the inbound statements of a peer group. Link loss matters to undrained underlay sessions only."""
    matches = _matches(context, family, _fabric_list)
    if drained or family == "evpn" or not (way.upward and _turns_away(context)):
        return _inbound(matches, drained=drained)
    short = Statement(sequence=10, permit=True, match_paths_list=EC_SHORT, set_local_preference=SHORT)
    rows: list[Statement] = []
    for match in matches:
        marked, other = _inbound((match,), drained=False)
        rows += [marked, short._replace(**match), other]
    return _numbered(rows)


def _outbound(context: Context, way: Direction, family: str, *, drained: bool) -> tuple[Statement, ...]:
    matches = _matches(context, family, _fabric_list if context.place.tier in UPPER else _own_list)
    permit = Statement(sequence=10, permit=True, set_graceful_shutdown=drained)
    permit = permit._replace(set_paths=not way.upward and family != "evpn" and _counts(context))
    if not way.upward:
        return _numbered(permit._replace(set_community=FROM_ABOVE, **match) for match in matches)
    deny = Statement(sequence=10, permit=False, match_community_list=CL_ABOVE)
    hosts = _hosts_matches(context, matches)
    return _numbered((deny, *(permit._replace(**match) for match in (*matches, *hosts))))


def _hosts_matches(context: Context, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Return the match on the host routes that a leaf of a pair sends up; nothing in other families, and elsewhere."""
    family = context.settings.addressing.hosts
    if context.place.tier is not Tier.LEAF or not has_leaf_pairs(context.fabric):
        return ()
    own = _match(family, _own_list(family))
    return (_match(family, hosts_list(family)),) if own in matches else ()


def _external(context: Context, tenant: PlannedTenant) -> Iterator[tuple[tuple[PrefixList, ...], tuple[RouteMap, ...]]]:
    """Yield lists and maps of each outside session: accepted prefixes, and the tenant's own prefixes outwards."""
    for external in externals_here(context, tenant):
        for end in external.addresses:
            version = end.address.version
            family = f"ipv{version}"
            name = external_name(tenant.name, external, family)
            accept = [Prefix(str(prefix)) for prefix in external.accept if prefix.version == version]
            ways = (("IN", _entries(accept)), ("OUT", _offered(tenant, version)))
            lists = tuple(PrefixList(f"PL-{name}-{way}", family, entries) for way, entries in ways if entries)
            maps = tuple(
                RouteMap(f"RM-{name}-{way}", _external_statements(context, family, name, way, bool(entries)))
                for way, entries in ways
            )
            yield lists, maps


def _offered(tenant: PlannedTenant, version: int) -> tuple[PrefixEntry, ...]:
    """Return the subnets of a tenant, and the address of each relay, to which a server outside answers."""
    entries = _entries([Prefix(str(subnet)) for subnet in subnets(tenant) if subnet.version == version])
    relays = [prefix for prefix in tenant.relay_sources if prefix.version == version]
    return entries + tuple(
        PrefixEntry(10 * position, Prefix(str(prefix)), prefix.max_prefixlen)
        for position, prefix in enumerate(relays, start=len(entries) + 1)
    )


def _target_list(tenant: PlannedTenant) -> str:
    return f"EC-{tenant.name}".upper()


def _reached(context: Context, tenant: PlannedTenant) -> Iterator[PrefixList]:
    """Yield the subnets and relays of the tenants that a tenant reaches, with host routes, one list per family."""
    others = [other for other in context.site.tenants if other.name in tenant.reaches]
    for version, longest in ((4, 32), (6, 128)):
        ranges = [subnet for other in others for subnet in (*subnets(other), *other.relay_sources)]
        in_family = [subnet for subnet in ranges if subnet.version == version]
        if in_family:
            entries = _entries([Prefix(str(subnet)) for subnet in in_family], longest)
            yield PrefixList(f"PL-{tenant.name}-REACHED-IPV{version}".upper(), f"ipv{version}", entries)


def _import_statements(tenant: PlannedTenant, reached: tuple[PrefixList, ...]) -> tuple[Statement, ...]:
    own = Statement(sequence=10, permit=True, match_route_target_list=_target_list(tenant))
    others = (
        Statement(sequence=10 * position, permit=True)._replace(**_match(prefix_list.family, prefix_list.name))
        for position, prefix_list in enumerate(reached, start=2)
    )
    return (own, *others)


def _entries(prefixes: list[Prefix], longest: int = 0) -> tuple[PrefixEntry, ...]:
    return tuple(PrefixEntry(10 * position, prefix, longest) for position, prefix in enumerate(prefixes, start=1))


def _external_statements(context: Context, family: str, name: str, way: str, any_prefix: bool) -> tuple[Statement, ...]:
    if not any_prefix:
        return (Statement(sequence=10, permit=False),)
    match = _match(family, f"PL-{name}-{way}")
    if way == "IN":
        marked, other = _inbound((match,), drained=context.drained)
        own_mark: Match = {"set_community": FROM_OUTSIDE, "replace_communities": True}
        shutdown: Match = {"set_graceful_shutdown": context.drained}
        return (marked._replace(set_graceful_shutdown=True, **own_mark), other._replace(**own_mark, **shutdown))
    return (Statement(sequence=10, permit=True, set_graceful_shutdown=context.drained)._replace(**match),)
