"""Changes of the policy objects: prefix lists, community lists, route maps."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import ChangeScope, ComparedField, Members, Thing, things
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


def _community(row: CommunityList) -> str:
    return f"{row.community} (graceful shutdown)" if row.graceful_shutdown else row.community


def _entries(prefix_list: PrefixList) -> tuple[str, ...]:
    """Entries without their sequence numbers, which are only an order: other numbers are no change."""
    return tuple(entry_words(entry) for entry in prefix_list.entries)


PREFIX_LIST = Thing[PrefixList](
    "prefix-list",
    key=lambda prefix_list: (prefix_list.name, prefix_list.family),
    summary=_entries,
    members=(Members("prefix-list.entry", _entries),),
)
COMMUNITY_LIST = Thing[CommunityList](
    "community-list",
    key=lambda community_list: community_list.name,
    summary=_community,
    settings=(ComparedField("community-list.member", _community),),
)
ROUTE_TARGET_LIST = Thing[RouteTargetList](
    "route-target-list",
    key=lambda route_target_list: route_target_list.name,
    summary=lambda route_target_list: route_target_list.route_target,
    settings=(ComparedField("route-target-list.member", lambda route_target_list: route_target_list.route_target),),
)


def _fewer(paths_list: PathsList) -> str:
    return f"fewer than {paths_list.paths} paths"


PATHS_LIST = Thing[PathsList](
    "paths-list",
    key=lambda paths_list: paths_list.name,
    summary=_fewer,
    settings=(ComparedField("paths-list", _fewer),),
)
STATEMENT = Thing[tuple[str, Statement]](
    "route-map.statement",
    key=lambda named: named[1].sequence,
    summary=lambda named: statement_words(named[1]),
    settings=(
        ComparedField("route-map.statement", lambda named: _routes(named[1])),
        ComparedField("route-map.preference", lambda named: ", ".join(_preference(named[1]))),
    ),
)
ROUTE_MAP = Thing[RouteMap](
    "route-map",
    key=lambda route_map: route_map.name,
    summary=lambda route_map: "; ".join(f"{row.sequence} {statement_words(row)}" for row in route_map.statements),
    within=lambda old, new: things(
        STATEMENT, _named(old), _named(new), lambda named: ChangeScope(f"{named[0]} {named[1].sequence}")
    ),
)


def _named(route_map: RouteMap) -> Iterator[tuple[str, Statement]]:
    return ((route_map.name, statement) for statement in route_map.statements)


def policy_changes(before: RoutingPolicy, after: RoutingPolicy) -> Iterator[DeviceChange]:
    """All changes of the policy."""
    yield from things(PREFIX_LIST, before.prefix_lists, after.prefix_lists, lambda row: ChangeScope(row.name))
    yield from things(COMMUNITY_LIST, before.community_lists, after.community_lists, lambda row: ChangeScope(row.name))
    yield from things(
        ROUTE_TARGET_LIST, before.route_target_lists, after.route_target_lists, lambda row: ChangeScope(row.name)
    )
    yield from things(PATHS_LIST, before.paths_lists, after.paths_lists, lambda row: ChangeScope(row.name))
    yield from things(ROUTE_MAP, before.route_maps, after.route_maps, lambda row: ChangeScope(row.name))


def entry_words(entry: PrefixEntry) -> str:
    """A prefix-list entry without its sequence number."""
    return f"{entry.prefix} le {entry.longest}" if entry.longest else str(entry.prefix)


def statement_words(statement: Statement) -> str:
    """A statement without its sequence number."""
    return ", ".join((_routes(statement), *_preference(statement)))


def _routes(statement: Statement) -> str:
    """Which routes pass, and the communities by which other switches accept or reject them."""
    matches = (
        ("community-list", statement.match_community_list),
        ("route-target-list", statement.match_route_target_list),
        ("paths-list", statement.match_paths_list),
        ("IPv4 prefix-list", statement.match_prefix_list_ipv4),
        ("IPv6 prefix-list", statement.match_prefix_list_ipv6),
    )
    return ", ".join(
        (
            "permit" if statement.permit else "deny",
            *(f"match {what} {name}" for what, name in matches if name),
            *_marks(statement),
        )
    )


def _marks(statement: Statement) -> Iterator[str]:
    if statement.set_community or statement.replace_communities:
        way = "replace by" if statement.replace_communities else "add"
        yield f"{way} community {statement.set_community}".strip()


def _preference(statement: Statement) -> Iterator[str]:
    """Actions that make a route better or worse but never reject it."""
    if statement.set_graceful_shutdown:
        yield "add community graceful-shutdown"
    if statement.set_paths:
        yield "announce the number of paths"
    if statement.set_local_preference >= 0:
        yield f"set local preference {statement.set_local_preference}"
