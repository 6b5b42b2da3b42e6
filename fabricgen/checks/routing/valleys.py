"""Routing policy as the switches are told it → paths that go down and up again, and the buffer cycles they make.

A path that only goes up and then down takes its channels (a link in one direction, with its lossless buffer) in an
order: up channels tier by tier, then down channels tier by tier, so no cycle of buffers can wait for itself, whatever
the number of tiers. The only turn that breaks the order is from a down channel to an up channel: a switch that passes
on to one switch above a route it has learned from another above. Whether it may is in its route maps, which do not
know which links are up: what holds for them holds for the whole fabric, for every single failure, and for any number
of failures.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import PeerGroup, PrefixList, RoutingPolicy, Statement
from fabricgen.errors import Problem


class Passed(NamedTuple):
    """Routes of one family that carry a community; "" stands for those that carry none the switch knows."""

    family: str
    community: str


class Turns(NamedTuple):
    """What one switch would pass on to the tier above of what it learned there, and how it marks what it sends down.

    above   switches of the tier above
    known   communities that its route maps can tell
    passed  learned routes that would go up again
    marks   the community that every route of a family leaves downwards with; a family is missing where one may not
    below   families it sends down
    """

    name: str
    above: tuple[str, ...]
    known: frozenset[str]
    passed: frozenset[Passed]
    marks: frozenset[Passed]
    below: frozenset[str]


def turns(device: Device) -> Turns:
    """Read the turns from the route maps of a switch; AS-path loop protection is a second safeguard, not counted."""
    rows = device.interfaces.ethernet
    return turns_between(device, {row.peer: row.profile.role for row in rows})


def upward(peers: Mapping[str, str]) -> tuple[str, ...]:
    """Switches of the tier above. peers: far device → role of the ports towards it."""
    return tuple([name for name, role in peers.items() if role == "uplink"])


def turns_between(device: Device, peers: Mapping[str, str]) -> Turns:
    """The same, with the far ends of its cables known: far device → role of the ports towards it."""
    policy, above = device.routing.policy, upward(peers)
    groups = device.routing.bgp.groups
    downward = [group for group in groups if is_down(device, group, peers)]
    towards = [group for group in groups if group not in downward] if above else []
    communities = (*(found.community for found in policy.community_lists), "")
    exact = own_lists(device)
    return Turns(
        name=device.name,
        above=above,
        known=frozenset(communities),
        passed=frozenset(
            Passed(family, community)
            for group in towards
            for family in group.families
            for community in communities
            if any(_permits(found, policy, community, exact) for found in _outward(device, group))
        ),
        marks=frozenset(
            Passed(family, mark)
            for group in downward
            for family in group.families
            if (mark := _mark(tuple(chain.from_iterable(_outward(device, group)))))
        ),
        below=frozenset(family for group in downward for family in group.families),
    )


def is_down(device: Device, group: PeerGroup, peers: Mapping[str, str]) -> bool:
    """Whether the sessions of a group lead to switches below: the first neighbor's device tells."""
    first = next((n for n in device.routing.bgp.neighbors if n.group == group.name), None)
    return first is not None and peers.get(first.description.partition(" ")[0]) == "downlink"


def _outward(device: Device, group: PeerGroup) -> Iterator[tuple[Statement, ...]]:
    """Statements of each map that the sessions of a group send through: the group's, and those of a session's own."""
    routing = device.routing
    own = (found.route_map_out for found in routing.bgp.neighbors if found.group == group.name)
    for name in dict.fromkeys((group.route_map_out, *filter(None, own))):
        yield _statements(routing.policy, name)


def _statements(policy: RoutingPolicy, name: str) -> tuple[Statement, ...]:
    """Statements of a map; a session without one permits everything (RFC 8212 is not relied on)."""
    if not name:
        return (Statement(sequence=10, permit=True),)
    return next((found.statements for found in policy.route_maps if found.name == name), ())


def own_lists(device: Device) -> frozenset[str]:
    """Prefix lists that match nothing but what the switch itself originates."""
    bgp = device.routing.bgp
    own = {*bgp.networks_ipv4, *bgp.networks_ipv6}
    return frozenset(found.name for found in device.routing.policy.prefix_lists if _only(found, own))


def _only(found: PrefixList, own: set[Prefix]) -> bool:
    return all(entry.longest == 0 and entry.prefix in own for entry in found.entries)


def _permits(statements: tuple[Statement, ...], policy: RoutingPolicy, mark: str, exact: frozenset[str]) -> bool:
    """Whether a map may pass on a learned route with this community, "" for none; the first match decides.

    A prefix list that holds more than own prefixes may match; a deny counts only where it is sure to match.
    """
    members = {found.name: found.community for found in policy.community_lists}
    for statement in statements:
        if statement.match_community_list and members.get(statement.match_community_list) != (mark or None):
            continue
        lists = {statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6} - {""}
        if statement.permit and not lists & exact:
            return True
        if not statement.permit and not lists:
            return False
    return False


def _mark(statements: tuple[Statement, ...]) -> str:
    """The community that every permitted route leaves with; empty where there is none."""
    found = {statement.set_community for statement in statements if statement.permit}
    return found.pop() if len(found) == 1 else ""


def bouncing(found: tuple[Turns, ...]) -> tuple[Turns, ...]:
    """Switches whose policy lets a learned route go up again, given how those above mark what they send down."""
    below = {turn.name: turn for turn in found if turn.below}
    marks: dict[tuple[str, ...], Mapping[str, str]] = {}
    for turn in found:
        if turn.above not in marks:
            marks[turn.above] = _marks([below[name] for name in turn.above if name in below])
    return tuple(turn for turn in found if len(turn.above) > 1 and _bounces(turn, marks[turn.above]))


def _marks(above: list[Turns]) -> Mapping[str, str]:
    """Family → the community that all of these switches mark it with; one that any leaves unmarked is missing."""
    marked = frozenset.intersection(*(turn.marks for turn in above)) if above else frozenset()
    return {mark.family: mark.community for mark in marked}


def _bounces(turn: Turns, marks: Mapping[str, str]) -> bool:
    """Whether a route as the tier above sends it passes. An unmarked family may carry anything."""
    for passed in turn.passed:
        mark = marks.get(passed.family)
        seen = mark if mark in turn.known else ""
        if mark is None or passed.community == seen:
            return True
    return False


Channel = tuple[str, str]
"""Names of two switches: from, to."""


def channel_graph(bad: tuple[Turns, ...], every: tuple[Turns, ...] = ()) -> Mapping[Channel, frozenset[Channel]]:
    """Channels of the bouncing switches and of all above them → the channels they wait for.

    A channel up waits for every other channel of its upper switch, up and down, but the one back; a channel down for
    those further down, and for one up only at a switch that bounces. A channel to a switch below which none bounces
    waits for nothing that leads back, so it is left out. every: the fabric's switches, where any are in between
    """
    above = _ancestry(bad, every)
    below: dict[str, list[str]] = {}
    for low, highs in above.items():
        for high in highs:
            below.setdefault(high, []).append(low)
    bounces = {turn.name for turn in bad}
    graph: dict[Channel, frozenset[Channel]] = {}
    for low, highs in above.items():
        for high in highs:
            onward = (*below.get(high, ()), *above.get(high, ()))
            graph[low, high] = frozenset((high, other) for other in onward if other != low)
            back = (*below.get(low, ()), *(highs if low in bounces else ()))
            graph[high, low] = frozenset((low, other) for other in back if other != high)
    return graph


def _ancestry(bad: tuple[Turns, ...], every: tuple[Turns, ...]) -> Mapping[str, tuple[str, ...]]:
    """Each of these switches, and each above them → those right above it."""
    known = {turn.name: turn.above for turn in (*every, *bad)}
    found: dict[str, tuple[str, ...]] = {}
    todo = [turn.name for turn in bad]
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = known.get(name, ())
            todo += found[name]
    return found


def cycle(bad: tuple[Turns, ...], every: tuple[Turns, ...] = ()) -> tuple[str, ...]:
    """A shortest loop of switches that wait for each other: two that bounce under two common switches; else empty.

    With bounces at every switch of `bad`, two of them under two common switches close a loop of four channels; a
    loop through more switches is found by depth-first search, with the tiers above from `every`.
    """
    for one, two in combinations(bad, 2):
        shared = [name for name in one.above if name in two.above]
        if len(shared) > 1:
            return (shared[0], one.name, shared[1], two.name, shared[0])
    return _search(channel_graph(bad, every))


def _search(graph: Mapping[Channel, frozenset[Channel]]) -> tuple[str, ...]:
    done: set[Channel] = set()
    for start in graph:
        path: list[Channel] = [start]
        choices = [iter(sorted(graph[start]))]
        while path and start not in done:
            following = next(choices[-1], None)
            if following is None:
                done.add(path.pop())
                choices.pop()
            elif following in path:
                loop = path[path.index(following) :]
                return (*(channel[0] for channel in loop), loop[0][0])
            elif following not in done:
                path.append(following)
                choices.append(iter(sorted(graph.get(following, ()))))
    return ()


class Herd(NamedTuple):
    """Switches that differ in their names alone, by one of them: how many it stands for.

    Two of a herd that bounces are enough: both are under the same switches, of which there are two at least, and that
    closes a loop. So a herd is a switch with others below it, or the first and the second of those that have none.
    """

    turns: Turns
    size: int = 1


def valleys(fabric: str, found: tuple[Herd, ...]) -> Iterator[Problem]:
    """No route learned from above is passed on above: no valley path, and no cyclic buffer dependency with it.

    Source: a public reference design marks at the spine and refuses at the leaf; the turn rule is the module's proof.
    """
    every = tuple(herd.turns for herd in found)
    bad = bouncing(every)
    if not bad:
        return
    loop, names = cycle(bad, every), {turn.name for turn in bad}
    count = sum(herd.size for herd in found if herd.turns.name in names)
    where = f"{count} of {sum(herd.size for herd in found)} switches of {fabric}, first {bad[0].name}"
    what = f"routes from one switch above go on to another at {where}"
    if loop:
        yield Problem(
            code="buffer-cycle",
            what=what,
            where=("fabrics", fabric),
            why=f"lossless buffers could wait in a circle and stop the fabric: {' > '.join(loop)}",
            fix="this is a fault of the rendered policy; report it with your intent",
        )
    else:
        yield Problem(
            code="valley-path",
            what=what,
            where=("fabrics", fabric),
            why="traffic would go down to it and up again, over links that are planned for its own servers only",
            fix="this is a fault of the rendered policy; report it with your intent",
        )
