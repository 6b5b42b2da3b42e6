"""Routing policy of one switch. Everything used is defined here, and everything defined is used or stands ready.

leaf, in    only the fabric's own prefixes; what is being shut down comes last (RFC 8326)
leaf, out   only its own aggregates and loopbacks, and never what a spine has marked: no path goes
            down and up again, which is also the way a cyclic buffer dependency would take
outside, in only what the intent accepts, and with no mark but our own
above, in   of a spine and a superspine: as a leaf
above, down the fabric's prefixes, marked as coming from above
above, up   of a spine below superspines: the fabric's prefixes, but for those that a superspine has marked
overlay     the same mark and the same shutdown, without prefixes
link loss   a spine says below by how many links it reaches each leaf; a leaf weighs its paths by that, or turns to
            those that are whole, and comes back to the others when there are none
drained     every route leaves with the graceful-shutdown community, every route learned comes last

The drained maps stand on a switch that is in use too, for all sessions of the underlay at once or for one. Routers take
a configuration line by line: a session that names a map before it is there denies every route, and so does one whose
map goes before its name.

The drain of a spine leaves the overlay alone. Its next hops are VTEPs, whichever spine has passed a route on, and
traffic to a VTEP goes where the underlay leads. A leaf is a VTEP: drained, it marks every EVPN route that it
originates, so that others enter by another leaf of the same subnet. What it learns stays as it is. Its servers' ports
are shut where they have another leaf, and their Ethernet segments go with them.
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
from fabricgen.plan.place import UPPER
from fabricgen.plan.tenants import PlannedTenant
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import carried, external_name, externals_here, import_map, route_target, subnets
from fabricgen.resolve.links import Direction

FROM_ABOVE = "65000:1"
"""Marks a route that a switch has passed on downwards; none that has learned it sends it up again."""
FROM_OUTSIDE = "65000:2"
"""Stands alone on a route that a border leaf learned outside: no mark of a stranger is taken for one of ours."""
CL_SHUTDOWN = "CL-GRACEFUL-SHUTDOWN"
CL_ABOVE = "CL-FROM-ABOVE"
EC_SHORT = "EC-LINK-SHORT"
"""Routes of what a spine reaches by fewer links than there are between the two."""
LAST = 0
"""Local preference of a route that is being shut down (RFC 8326 section 4.2 recommends 0)."""
SHORT = 50
"""Local preference of a route whose switch has lost a link: below the 100 of others, above what is being shut down."""


class Maps(NamedTuple):
    """Route maps of a peer group, or of a session."""

    inbound: str
    outbound: str


def group_name(peers: str, family: str) -> str:
    """Peer group of the sessions with these peers (`Way.peers`), for ipv4, ipv6, unnumbered or evpn."""
    return f"{peers}-{family}".upper()


def maps_of(group: str, *, drained: bool = False) -> Maps:
    """Names of the maps of a peer group, or of those of its sessions that are drained."""
    stem = f"RM-{group}-DRAINED" if drained else f"RM-{group}"
    return Maps(f"{stem}-IN", f"{stem}-OUT")


def resolve_policy(context: Context, own: tuple[Prefix, ...], found_ways: tuple[Direction, ...]) -> RoutingPolicy:
    """All policy objects of a switch, by name."""
    if not found_ways:
        return RoutingPolicy(prefix_lists=(), community_lists=(), route_target_lists=(), route_maps=())
    addressing = context.settings.addressing
    lists = [found for family in families_of(addressing) for found in _prefix_lists(context, family, own)]
    maps = [*context.alike(("maps", found_ways), lambda: tuple(_fabric_maps(context, found_ways)))]
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
        community_lists=tuple(_community_lists(found_ways)),
        route_target_lists=tuple(
            RouteTargetList(_target_list(tenant), route_target(context, tenant.vni)) for tenant in importing
        ),
        route_maps=tuple(sorted(maps)),
        paths_lists=(PathsList(EC_SHORT, context.fabric.shape.links),) if _turns_away(context) else (),
    )


def _fabric_maps(context: Context, found_ways: tuple[Direction, ...]) -> Iterator[RouteMap]:
    """Maps of all sessions with switches of the fabric."""
    for way in found_ways:
        for family in sorted(context.settings.addressing.links):
            yield from (*_maps(context, way, family, drained=False), *_maps(context, way, family, drained=True))
        if overlay_of(context.settings) is not None:
            yield from _maps(context, way, "evpn", drained=False)
            if context.place.tier not in UPPER:
                out = maps_of(group_name(way.peers, "evpn"), drained=True).outbound
                yield RouteMap(out, _outbound(context, way, "evpn", drained=True))


def _counts(context: Context) -> bool:
    """Whether a spine says below by how many links it reaches a leaf: where there is more than one, and it is asked."""
    return context.settings.link_loss != "keep" and context.fabric.shape.links > 1


def _turns_away(context: Context) -> bool:
    """Whether a leaf leaves a spine that has lost a link to the destination, while others have all of theirs."""
    return context.place.tier not in UPPER and context.settings.link_loss == "withdraw" and _counts(context)


def _community_lists(found_ways: tuple[Direction, ...]) -> Iterator[CommunityList]:
    if any(way.upward for way in found_ways):
        yield CommunityList(CL_ABOVE, FROM_ABOVE, graceful_shutdown=False)
    yield CommunityList(CL_SHUTDOWN, "65535:0", graceful_shutdown=True)


def _fabric_list(family: str) -> str:
    return f"PL-FABRIC-{family.upper()}"


def _own_list(family: str) -> str:
    return f"PL-OWN-{family.upper()}"


def _prefix_lists(context: Context, family: str, own: tuple[Prefix, ...]) -> Iterator[PrefixList]:
    yield from context.alike(("fabric list", family), lambda: tuple(_fabric_prefixes(context, family)))
    if context.place.tier not in UPPER:
        found = [prefix for prefix in own if (":" in prefix) == (family == "ipv6")]
        entries = tuple(PrefixEntry(10 * at, prefix, 0) for at, prefix in enumerate(found, start=1))
        yield PrefixList(_own_list(family), family, entries)


def _fabric_prefixes(context: Context, family: str) -> Iterator[PrefixList]:
    """All that the fabric has in a family; nothing where it has none."""
    addressing = context.settings.addressing
    network = addressing.ipv4 if family == "ipv4" else addressing.ipv6
    if network is not None:
        entry = PrefixEntry(10, Prefix(str(network)), network.max_prefixlen)
        yield PrefixList(_fabric_list(family), family, (entry,))


Match = dict[str, Any]
"""Match fields of a statement; NamedTuple._replace takes them as they are."""


def _match(family: str, name: str) -> Match:
    return {f"match_prefix_list_{family}": name}


def _maps(context: Context, way: Direction, family: str, *, drained: bool) -> tuple[RouteMap, RouteMap]:
    """Both maps of a peer group, or of its drained sessions."""
    names = maps_of(group_name(way.peers, family), drained=drained)
    return (
        RouteMap(names.inbound, _arriving(context, way, family, drained=drained)),
        RouteMap(names.outbound, _outbound(context, way, family, drained=drained)),
    )


def _matches(context: Context, family: str, name: Callable[[str], str]) -> tuple[Match, ...]:
    """A match on the list of each family that a group's sessions carry; EVPN routes are taken whole."""
    if family == "evpn":
        return ({},)
    families = families_of(context.settings.addressing) if family == "unnumbered" else (family,)
    return tuple(_match(found, name(found)) for found in families)


def _numbered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(row._replace(sequence=10 * at) for at, row in enumerate(statements, start=1))


def _inbound(matches: tuple[Match, ...], *, drained: bool) -> tuple[Statement, ...]:
    """Accept; what carries the shutdown community, and over a drained session everything, comes last."""
    marked = Statement(sequence=10, permit=True, match_community_list=CL_SHUTDOWN, set_local_preference=LAST)
    other = Statement(sequence=20, permit=True, set_local_preference=LAST if drained else -1)
    return _numbered(row._replace(**match) for match in matches for row in (marked, other))


def _arriving(context: Context, way: Direction, family: str, *, drained: bool) -> tuple[Statement, ...]:
    """Inbound of a peer group; over a drained session all comes last anyhow. EVPN routes have no links of their own."""
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
    return _numbered((deny, *(permit._replace(**match) for match in matches)))


def _external(context: Context, tenant: PlannedTenant) -> Iterator[tuple[tuple[PrefixList, ...], tuple[RouteMap, ...]]]:
    """Lists and maps of each outside session: what is accepted, and the tenant's own prefixes outwards."""
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
    """Subnets of a tenant as they are, and the address of each relay: a server outside answers to it."""
    entries = _entries([Prefix(str(subnet)) for subnet in subnets(tenant) if subnet.version == version])
    relays = [prefix for prefix in tenant.relay_sources if prefix.version == version]
    return entries + tuple(
        PrefixEntry(10 * at, Prefix(str(prefix)), prefix.max_prefixlen)
        for at, prefix in enumerate(relays, start=len(entries) + 1)
    )


def _target_list(tenant: PlannedTenant) -> str:
    return f"EC-{tenant.name}".upper()


def _reached(context: Context, tenant: PlannedTenant) -> Iterator[PrefixList]:
    """Subnets and relays of the tenants that a tenant reaches, with the host routes in them, a list a family."""
    others = [other for other in context.site.tenants if other.name in tenant.reaches]
    for version, longest in ((4, 32), (6, 128)):
        ranges = [subnet for other in others for subnet in (*subnets(other), *other.relay_sources)]
        found = [subnet for subnet in ranges if subnet.version == version]
        if found:
            entries = tuple(
                PrefixEntry(10 * at, Prefix(str(subnet)), longest) for at, subnet in enumerate(found, start=1)
            )
            yield PrefixList(f"PL-{tenant.name}-REACHED-IPV{version}".upper(), f"ipv{version}", entries)


def _import_statements(tenant: PlannedTenant, reached: tuple[PrefixList, ...]) -> tuple[Statement, ...]:
    own = Statement(sequence=10, permit=True, match_route_target_list=_target_list(tenant))
    others = (
        Statement(sequence=10 * at, permit=True)._replace(**_match(found.family, found.name))
        for at, found in enumerate(reached, start=2)
    )
    return (own, *others)


def _entries(prefixes: list[Prefix]) -> tuple[PrefixEntry, ...]:
    return tuple(PrefixEntry(10 * at, prefix, 0) for at, prefix in enumerate(prefixes, start=1))


def _external_statements(context: Context, family: str, name: str, way: str, any_prefix: bool) -> tuple[Statement, ...]:
    if not any_prefix:
        return (Statement(sequence=10, permit=False),)
    match = _match(family, f"PL-{name}-{way}")
    if way == "IN":
        marked, other = _inbound((match,), drained=context.drained)
        ours: Match = {"set_community": FROM_OUTSIDE, "replace_communities": True}
        shut: Match = {"set_graceful_shutdown": context.drained}
        return (marked._replace(set_graceful_shutdown=True, **ours), other._replace(**ours, **shut))
    return (Statement(sequence=10, permit=True, set_graceful_shutdown=context.drained)._replace(**match),)
