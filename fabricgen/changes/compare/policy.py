"""Changes of the policy objects: prefix lists, community lists, route maps."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import ChangeScope, ComparedField, Thing, added, fact, paired, removed, things
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


def policy_facts(before: RoutingPolicy, after: RoutingPolicy) -> Iterator[DeviceChange]:
    """All changes of the policy."""
    if before.prefix_lists != after.prefix_lists:
        yield from _prefix_lists(before.prefix_lists, after.prefix_lists)
    yield from things(COMMUNITY_LIST, before.community_lists, after.community_lists, lambda row: ChangeScope(row.name))
    yield from things(
        ROUTE_TARGET_LIST, before.route_target_lists, after.route_target_lists, lambda row: ChangeScope(row.name)
    )
    yield from things(PATHS_LIST, before.paths_lists, after.paths_lists, lambda row: ChangeScope(row.name))
    if before.route_maps != after.route_maps:
        yield from _route_maps(before.route_maps, after.route_maps)


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
        yield "say the number of paths"
    if statement.set_local_preference >= 0:
        yield f"set local preference {statement.set_local_preference}"


def _prefix_lists(before: tuple[PrefixList, ...], after: tuple[PrefixList, ...]) -> Iterator[DeviceChange]:
    for old, new in paired(before, after, lambda prefix_list: (prefix_list.name, prefix_list.family)):
        if old is None and new is not None:
            yield added("prefix-list", _entries(new), ChangeScope(new.name))
        elif new is None and old is not None:
            yield removed("prefix-list", _entries(old), ChangeScope(old.name))
        elif old is not None and new is not None:
            yield from _entries_facts(old, new)


def _entries(prefix_list: PrefixList) -> str:
    return ", ".join(entry_words(entry) for entry in prefix_list.entries)


def _entries_facts(old: PrefixList, new: PrefixList) -> Iterator[DeviceChange]:
    """Changes of the entries. Sequence numbers are only an order: the same order with other numbers is no change."""
    old_entries, new_entries = ([entry_words(entry) for entry in prefix_list.entries] for prefix_list in (old, new))
    where = ChangeScope(new.name)
    for entry in dict.fromkeys(old_entries):
        if entry not in new_entries:
            yield removed("prefix-list.entry", entry, where)
    for entry in dict.fromkeys(new_entries):
        if entry not in old_entries:
            yield added("prefix-list.entry", entry, where)
    if old_entries != new_entries and set(old_entries) == set(new_entries):
        yield fact("prefix-list.entry", ", ".join(old_entries), ", ".join(new_entries), where)


def _route_maps(before: tuple[RouteMap, ...], after: tuple[RouteMap, ...]) -> Iterator[DeviceChange]:
    for old, new in paired(before, after, lambda route_map: route_map.name):
        if old is None and new is not None:
            yield added("route-map", _statements(new), ChangeScope(new.name))
        elif new is None and old is not None:
            yield removed("route-map", _statements(old), ChangeScope(old.name))
        elif old is not None and new is not None:
            yield from things(
                STATEMENT, _named(old), _named(new), lambda named: ChangeScope(f"{named[0]} {named[1].sequence}")
            )


def _statements(route_map: RouteMap) -> str:
    return "; ".join(f"{statement.sequence} {statement_words(statement)}" for statement in route_map.statements)


def _named(route_map: RouteMap) -> Iterator[tuple[str, Statement]]:
    return ((route_map.name, statement) for statement in route_map.statements)
