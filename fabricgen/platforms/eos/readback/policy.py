"""Prefix lists, community lists and route maps of EOS.

Sources: manual, route maps: statements in the order of their numbers, a statement's conditions all have to match, what
no statement takes is denied; a map that is named and not there: "the default policy behavior is to permit/accept all
routes" (TOI of 2017, default policy). `ip community-list`: a line with several communities wants all of them, which no
Term says, so it is not understood.
"""

from collections.abc import Iterator
from functools import partial

from fabricgen.readback.forms import Forms, Reader, State, add, idle, opens, put
from fabricgen.readback.policy import GRACEFUL_SHUTDOWN, PrefixRange
from fabricgen.readback.route_maps import (
    Entry,
    RouteMaps,
    communities,
    community,
    members,
    prefix_lists,
    range_of,
    statement,
)
from fabricgen.readback.words import target

WORDS = {"gshut": GRACEFUL_SHUTDOWN}
"""Manual, ip community-list; its number: RFC 8326."""


def _community(text: str) -> str | None:
    return community(text, WORDS)


def _range(
    number: int | None, where: str, exact: int | None, shortest: int | None, longest: int | None
) -> tuple[int | None, PrefixRange] | None:
    """`eq` names the one length (manual, prefix lists)."""
    found = range_of(where, exact or shortest, exact or longest)
    return None if found is None else (number, found)


def _named_range(
    name: str, number: int | None, where: str, exact: int | None, shortest: int | None, longest: int | None
) -> Entry | None:
    found = _range(number, where, exact, shortest, longest)
    return None if found is None else (name, *found)


def _named_community(name: str, text: str) -> tuple[str, str] | None:
    found = _community(text)
    return None if found is None else (name, found)


def _named_target(name: str, text: str) -> tuple[str, str] | None:
    found = target(text)
    return None if found is None else (name, found)


ENTRIES = Forms(
    {
        "seq <n> permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("permit", by=_range),
        "permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("permit", by=partial(_range, None)),
        r"seq \d+ remark <l>": idle("a remark"),
    }
)
STATEMENT = Forms(
    {
        "match community <w>": put("community"),
        "match extcommunity <w>": put("target"),
        "match ip address prefix-list <w>": put("ipv4"),
        "match ipv6 address prefix-list <w>": put("ipv6"),
        "set community (.*?)( additive)?": put("set", by=communities(_community)),
        "set local-preference <n>": put("preference"),
        "description <l>": idle("a remark"),
    },
    keep=True,
)
ROOT = {
    "ip prefix-list <w>": opens("list4", ENTRIES),
    "ipv6 prefix-list <w>": opens("list6", ENTRIES),
    "ip prefix-list <w>(?: seq <n>)? permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("entry", by=_named_range),
    "ipv6 prefix-list <w>(?: seq <n>)? permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("entry", by=_named_range),
    r"ip community-list (?:standard )?(?!regexp |expanded )<w> permit <w>": add("communities", by=_named_community),
    "ip extcommunity-list (?:standard )?<w> permit rt <w>": add("targets", by=_named_target),
    "route-map <w>(?: (permit|deny))?(?: <n>)?": opens("route-map", STATEMENT, by=statement),
}
"""Forms of the top level."""


def policies(root: State, reader: Reader) -> RouteMaps:
    """All route maps."""
    return RouteMaps(
        root.states("route-map"),
        prefix_lists(_entries(root), reader.unread_line),
        members(root, "communities"),
        members(root, "targets"),
    )


def _entries(root: State) -> Iterator[tuple[Entry, int]]:
    for state in (*root.states("list4"), *root.states("list6")):
        yield from (((state.value, *entry), line) for entry, line in state.all("permit"))
    yield from root.all("entry")
