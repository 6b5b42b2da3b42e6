"""Prefix lists, community lists and route maps of NX-OS.

Sources: unicast routing guide, Configuring Route Policy Manager. `set ip next-hop unchanged` keeps the next hop (VXLAN
guide, spines of eBGP). A map that is named and not there is taken to let every route through [unsure].
"""

from fabricgen.platforms.nxos.readback.values import named
from fabricgen.readback.forms import Forms, Reader, State, add, idle, opens, put
from fabricgen.readback.policy import GRACEFUL_SHUTDOWN
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

WORDS = {"graceful-shutdown": GRACEFUL_SHUTDOWN, "internet": "0:0"}
"""cisco.nxos, rm_templates/route_maps; RFC 8326."""


def _community(text: str) -> str | None:
    return community(text, WORDS)


def _entry(
    name: str, number: int, where: str, exact: int | None, shortest: int | None, longest: int | None
) -> Entry | None:
    """`eq` names the one length (command reference, ip prefix-list)."""
    found = range_of(where, exact or shortest, exact or longest)
    return None if found is None else (name, number, found)


def _member(name: str, text: str) -> tuple[str, str] | None:
    return named(name, _community(text))


STATEMENT = Forms(
    {
        "match community <w>": put("community"),
        "match ip address prefix-list <w>": put("ipv4"),
        "match ipv6 address prefix-list <w>": put("ipv6"),
        "set community (.*?)( additive)?": put("set", by=communities(_community)),
        "set local-preference <n>": put("preference"),
        "set ip next-hop unchanged": put("unchanged", True),
        "description <l>": idle("a remark"),
    },
    keep=True,
)
LENGTHS = "(?: eq <n>)?(?: ge <n>)?(?: le <n>)?"
ROOT = {
    rf"ip prefix-list <w> seq <n> permit <p>{LENGTHS}": add("entry", by=_entry),
    rf"ipv6 prefix-list <w> seq <n> permit <p>{LENGTHS}": add("entry", by=_entry),
    "ip prefix-list <w> description <l>": idle("a remark"),
    "ipv6 prefix-list <w> description <l>": idle("a remark"),
    r"ip community-list standard <w>(?: seq \d+)? permit <w>": add("communities", by=_member),
    "route-map <w>(?: (permit|deny))?(?: <n>)?": opens("route-map", STATEMENT, by=statement),
}
"""Forms of the top level."""


def policies(root: State, reader: Reader) -> RouteMaps:
    """All route maps."""
    lists = prefix_lists(root.all("entry"), reader.unread_line)
    return RouteMaps(root.states("route-map"), lists, members(root, "communities"), {})


def changes_next_hop(maps: RouteMaps, name: str) -> int | None:
    """The line of the first statement that lets routes through with another next hop; None: all keep theirs.

    A map that lets nothing through, or that is not there, keeps none, and has no line for it: 0.
    """
    permits = [state for state in maps.statements(name) if state.value[1]]
    return next((state.number for state in permits if not state.get("unchanged")), None if permits else 0)
