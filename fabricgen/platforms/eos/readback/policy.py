"""Prefix lists, community lists and route maps of EOS.

Sources: manual, route maps: statements in the order of their numbers, a statement's conditions all have to match, what
no statement takes is denied; a map that is named and not there: "the default policy behavior is to permit/accept all
routes" (TOI of 2017, default policy). `ip community-list`: a line with several communities wants all of them, which no
Term says, so it is not understood.
"""

from fabricgen.readback.addresses import family_of
from fabricgen.readback.forms import Forms, State, add, idle, opens, put
from fabricgen.readback.policy import GRACEFUL_SHUTDOWN, PrefixRange
from fabricgen.readback.route_maps import Ranges, RouteMaps, communities, community, members, range_of, statement
from fabricgen.readback.words import target

WORDS = {"gshut": GRACEFUL_SHUTDOWN}
"""Manual, ip community-list; its number: RFC 8326."""


def _community(text: str) -> str | None:
    return community(text, WORDS)


def _range(where: str, exact: int | None, shortest: int | None, longest: int | None) -> PrefixRange | None:
    """`eq` names the one length (manual, prefix lists)."""
    return range_of(where, exact or shortest, exact or longest)


def _named_range(
    name: str, where: str, exact: int | None, shortest: int | None, longest: int | None
) -> tuple[str, PrefixRange] | None:
    found = _range(where, exact, shortest, longest)
    return None if found is None else (name, found)


def _named_community(name: str, text: str) -> tuple[str, str] | None:
    found = _community(text)
    return None if found is None else (name, found)


def _named_target(name: str, text: str) -> tuple[str, str] | None:
    found = target(text)
    return None if found is None else (name, found)


ENTRIES = Forms(
    {
        r"seq \d+ permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("permit", by=_range),
        "permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("permit", by=_range),
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
    r"ip prefix-list <w>(?: seq \d+)? permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("entry", by=_named_range),
    r"ipv6 prefix-list <w>(?: seq \d+)? permit <p>(?: eq <n>)?(?: ge <n>)?(?: le <n>)?": add("entry", by=_named_range),
    r"ip community-list (?:standard )?(?!regexp |expanded )<w> permit <w>": add("communities", by=_named_community),
    "ip extcommunity-list (?:standard )?<w> permit rt <w>": add("targets", by=_named_target),
    "route-map <w>(?: (permit|deny))?(?: <n>)?": opens("route-map", STATEMENT, by=statement),
}
"""Forms of the top level."""


def policies(root: State) -> RouteMaps:
    """All route maps."""
    return RouteMaps(
        root.states("route-map"), _prefix_lists(root), members(root, "communities"), members(root, "targets")
    )


def _prefix_lists(root: State) -> dict[tuple[str, str], Ranges]:
    """Family and name → ranges: lists of the two families have names of their own."""
    found: dict[tuple[str, str], dict[PrefixRange, int]] = {}
    for key, family in (("list4", "ipv4"), ("list6", "ipv6")):
        for state in root.states(key):
            found.setdefault((family, state.value), {}).update(state.all("permit"))
    for (name, entry), line in root.all("entry"):
        found.setdefault((family_of(entry.prefix), name), {})[entry] = line
    return dict(found)
