"""Facts of the policy objects: prefix lists, community lists, route maps."""

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


def _community(found: CommunityList) -> str:
    return f"{found.community} (graceful shutdown)" if found.graceful_shutdown else found.community


COMMUNITY_LIST = Thing[CommunityList](
    "community-list",
    key=lambda found: found.name,
    summary=_community,
    settings=(ComparedField("community-list.member", _community),),
)
ROUTE_TARGET_LIST = Thing[RouteTargetList](
    "route-target-list",
    key=lambda found: found.name,
    summary=lambda found: found.route_target,
    settings=(ComparedField("route-target-list.member", lambda found: found.route_target),),
)


def _fewer(found: PathsList) -> str:
    return f"fewer than {found.paths} paths"


PATHS_LIST = Thing[PathsList](
    "paths-list",
    key=lambda found: found.name,
    summary=_fewer,
    settings=(ComparedField("paths-list", _fewer),),
)
STATEMENT = Thing[tuple[str, Statement]](
    "route-map.statement",
    key=lambda found: found[1].sequence,
    summary=lambda found: statement_words(found[1]),
    settings=(
        ComparedField("route-map.statement", lambda found: _routes(found[1])),
        ComparedField("route-map.preference", lambda found: ", ".join(_preference(found[1]))),
    ),
)


def policy_facts(before: RoutingPolicy, after: RoutingPolicy) -> Iterator[DeviceChange]:
    """Everything of the policy that differs."""
    if before.prefix_lists != after.prefix_lists:
        yield from _prefix_lists(before.prefix_lists, after.prefix_lists)
    yield from things(
        COMMUNITY_LIST, before.community_lists, after.community_lists, lambda found: ChangeScope(found.name)
    )
    yield from things(
        ROUTE_TARGET_LIST, before.route_target_lists, after.route_target_lists, lambda found: ChangeScope(found.name)
    )
    yield from things(PATHS_LIST, before.paths_lists, after.paths_lists, lambda found: ChangeScope(found.name))
    if before.route_maps != after.route_maps:
        yield from _route_maps(before.route_maps, after.route_maps)


def entry_words(entry: PrefixEntry) -> str:
    """A prefix-list entry without its sequence number."""
    return f"{entry.prefix} le {entry.longest}" if entry.longest else str(entry.prefix)


def statement_words(statement: Statement) -> str:
    """A statement without its sequence number."""
    return ", ".join((_routes(statement), *_preference(statement)))


def _routes(statement: Statement) -> str:
    """Which routes pass, and the marks by which other switches let them pass or not."""
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
    """What makes routes better or worse, and never stops one."""
    if statement.set_graceful_shutdown:
        yield "add community graceful-shutdown"
    if statement.set_paths:
        yield "say the number of paths"
    if statement.set_local_preference >= 0:
        yield f"set local preference {statement.set_local_preference}"


def _prefix_lists(before: tuple[PrefixList, ...], after: tuple[PrefixList, ...]) -> Iterator[DeviceChange]:
    for old, new in paired(before, after, lambda found: (found.name, found.family)):
        if old is None and new is not None:
            yield added("prefix-list", _entries(new), ChangeScope(new.name))
        elif new is None and old is not None:
            yield removed("prefix-list", _entries(old), ChangeScope(old.name))
        elif old is not None and new is not None:
            yield from _entries_facts(old, new)


def _entries(found: PrefixList) -> str:
    return ", ".join(entry_words(entry) for entry in found.entries)


def _entries_facts(old: PrefixList, new: PrefixList) -> Iterator[DeviceChange]:
    """Entries that come or go. Their numbers are only an order: the same order under other numbers is the same."""
    left, right = ([entry_words(entry) for entry in found.entries] for found in (old, new))
    where = ChangeScope(new.name)
    for entry in dict.fromkeys(left):
        if entry not in right:
            yield removed("prefix-list.entry", entry, where)
    for entry in dict.fromkeys(right):
        if entry not in left:
            yield added("prefix-list.entry", entry, where)
    if left != right and set(left) == set(right):
        yield fact("prefix-list.entry", ", ".join(left), ", ".join(right), where)


def _route_maps(before: tuple[RouteMap, ...], after: tuple[RouteMap, ...]) -> Iterator[DeviceChange]:
    for old, new in paired(before, after, lambda found: found.name):
        if old is None and new is not None:
            yield added("route-map", _statements(new), ChangeScope(new.name))
        elif new is None and old is not None:
            yield removed("route-map", _statements(old), ChangeScope(old.name))
        elif old is not None and new is not None:
            yield from things(
                STATEMENT, _named(old), _named(new), lambda found: ChangeScope(f"{found[0]} {found[1].sequence}")
            )


def _statements(found: RouteMap) -> str:
    return "; ".join(f"{one.sequence} {statement_words(one)}" for one in found.statements)


def _named(found: RouteMap) -> Iterator[tuple[str, Statement]]:
    return ((found.name, statement) for statement in found.statements)
