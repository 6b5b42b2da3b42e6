"""Routing policy of the switches → paths that go down and up again, and the buffer cycles that they make.

A path that only goes up and then down uses its channels (a link in one direction, with its lossless buffer) in an
order: up channels tier by tier, then down channels tier by tier, so there is no cycle of buffers that wait for each
other, for any number of tiers. Only a turn from a down channel to an up channel breaks the order: a switch that sends
a route that it learned from one switch above to another above. Its route maps decide that, and they do not depend on
which links are up: the result holds for the whole fabric, for every single failure, and for any number of failures.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.device.routing import PeerGroup, PrefixList, RoutingPolicy, Statement
from fabricgen.errors import Problem


class Passed(NamedTuple):
    """Routes of one family with a community; "" for routes without any community that the switch knows."""

    family: str
    community: str


class Turns(NamedTuple):
    """Routes that one switch learned from the tier above and would send there again, and its marks on routes downwards.

    above   switches of the tier above
    known   communities that its route maps can match
    passed  learned routes that would go up again
    marks   the community of every route sent downwards, by family; a family without a common one is missing
    below   families that it sends down
    """

    name: str
    above: tuple[str, ...]
    known: frozenset[str]
    passed: frozenset[Passed]
    marks: frozenset[Passed]
    below: frozenset[str]


def upward(peers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the switches of the tier above. peers: far device → role of the ports towards it."""
    return tuple([name for name, role in peers.items() if role == "uplink"])


def turns_between(device: Device, peers: Mapping[str, str]) -> Turns:
    """Return the turns from the route maps of a switch; AS-path loop detection is a second safeguard, not counted.

    peers  far ends of its cables: far device → role of the ports towards it
    """
    policy, above = device.routing.policy, upward(peers)
    groups = device.routing.bgp.groups
    downward = [group for group in groups if is_down(device, group, peers)]
    upward_groups = [group for group in groups if group not in downward] if above else []
    communities = (*(item.community for item in policy.community_lists), "")
    exact = own_lists(device)
    return Turns(
        name=device.name,
        above=above,
        known=frozenset(communities),
        passed=frozenset(
            Passed(family, community)
            for group in upward_groups
            for family in group.families
            for community in communities
            if any(_permits(item, policy, community, exact) for item in _outward(device, group))
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
    """Return whether the sessions of a group lead to switches below, judged by the device of the first neighbor."""
    first = next((neighbor for neighbor in device.routing.bgp.neighbors if neighbor.group == group.name), None)
    return first is not None and peers.get(first.description.partition(" ")[0]) == "downlink"


def _outward(device: Device, group: PeerGroup) -> Iterator[tuple[Statement, ...]]:
    """Yield the statements of each outbound map of a group's sessions: the group's, and those of single sessions."""
    routing = device.routing
    session_maps = (neighbor.route_map_out for neighbor in routing.bgp.neighbors if neighbor.group == group.name)
    for name in dict.fromkeys((group.route_map_out, *filter(None, session_maps))):
        yield _statements(routing.policy, name)


def _statements(policy: RoutingPolicy, name: str) -> tuple[Statement, ...]:
    """Return the statements of a map; a session without one permits everything (RFC 8212 is not assumed)."""
    if not name:
        return (Statement(sequence=10, permit=True),)
    return next((route_map.statements for route_map in policy.route_maps if route_map.name == name), ())


def own_lists(device: Device) -> frozenset[str]:
    """Return the prefix lists that match only prefixes that the switch itself originates."""
    bgp = device.routing.bgp
    originated = {*bgp.networks_ipv4, *bgp.networks_ipv6}
    return frozenset(
        prefix_list.name for prefix_list in device.routing.policy.prefix_lists if _only(prefix_list, originated)
    )


def _only(prefix_list: PrefixList, originated: set[Prefix]) -> bool:
    return all(entry.longest == 0 and entry.prefix in originated for entry in prefix_list.entries)


def _permits(statements: tuple[Statement, ...], policy: RoutingPolicy, mark: str, exact: frozenset[str]) -> bool:
    """Return whether a map may send a learned route with this community, "" for none; the first match decides.

    A prefix list with other than own prefixes may match; a deny only counts if it surely matches.
    """
    members = {community_list.name: community_list.community for community_list in policy.community_lists}
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
    """Return the community of every permitted route; empty where there is no common one."""
    communities = {statement.set_community for statement in statements if statement.permit}
    return communities.pop() if len(communities) == 1 else ""


def bouncing(all_turns: tuple[Turns, ...]) -> tuple[Turns, ...]:
    """Return the switches whose policy sends learned routes up again, given the marks of the switches above."""
    below = {turn.name: turn for turn in all_turns if turn.below}
    marks: dict[tuple[str, ...], Mapping[str, str]] = {}
    for turn in all_turns:
        if turn.above not in marks:
            marks[turn.above] = _marks([below[name] for name in turn.above if name in below])
    return tuple(turn for turn in all_turns if len(turn.above) > 1 and _bounces(turn, marks[turn.above]))


def _marks(above: list[Turns]) -> Mapping[str, str]:
    """Return family → the community that all of these switches set; a family that one leaves unmarked is missing."""
    marked = frozenset.intersection(*(turn.marks for turn in above)) if above else frozenset()
    return {mark.family: mark.community for mark in marked}


def _bounces(turn: Turns, marks: Mapping[str, str]) -> bool:
    """Return whether a route from the tier above is sent up again. An unmarked family may carry any community."""
    for passed in turn.passed:
        mark = marks.get(passed.family)
        seen = mark if mark in turn.known else ""
        if mark is None or passed.community == seen:
            return True
    return False


Channel = tuple[str, str]
"""Names of two switches: from, to."""


def channel_graph(bad: tuple[Turns, ...], every: tuple[Turns, ...] = ()) -> Mapping[Channel, frozenset[Channel]]:
    """Return the channels of the bouncing switches and of all above them → the channels that they wait for.

    A channel up waits for every other channel of its upper switch, up and down, except the one back; a channel down
    waits for those further down, and for one up only at a switch that bounces. A channel to a switch below which none
    bounces waits for nothing that leads back, so it is left out. every: the fabric's switches, for tiers in between
    """
    above = _ancestry(bad, every)
    below = grouped((high, low) for low, highs in above.items() for high in highs)
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
    """Return each of these switches, and each above them → the switches directly above it."""
    known = {turn.name: turn.above for turn in (*every, *bad)}
    above: dict[str, tuple[str, ...]] = {}
    todo = [turn.name for turn in bad]
    while todo:
        name = todo.pop()
        if name not in above:
            above[name] = known.get(name, ())
            todo += above[name]
    return above


def cycle(bad: tuple[Turns, ...], every: tuple[Turns, ...] = ()) -> tuple[str, ...]:
    """Return a shortest loop of switches that wait for each other; empty where there is none.

    As every switch of `bad` bounces, two of them under two common switches close a loop of four channels; a
    loop through more switches is found by depth-first search, with the tiers above from `every`.
    """
    for first, second in combinations(bad, 2):
        shared = [name for name in first.above if name in second.above]
        if len(shared) > 1:
            return (shared[0], first.name, shared[1], second.name, shared[0])
    return _search(channel_graph(bad, every))


def _search(graph: Mapping[Channel, frozenset[Channel]]) -> tuple[str, ...]:
    # Depth-first search without recursion: a path may have as many channels as the fabric.
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
    """Switches that differ only in their names, represented by one of them. size: how many they are.

    Two switches of a herd that bounces are enough: both are under the same switches, at least two, and that closes a
    loop. So a herd is a switch with others below it, or the first and the second of those without.
    """

    turns: Turns
    size: int = 1


def valleys(fabric: str, herds: tuple[Herd, ...]) -> Iterator[Problem]:
    """No route learned from above is sent up again: no valley paths, and no cyclic buffer dependencies from them.

    Source: a public reference design marks at the spine and denies at the leaf; the turn rule is the module's proof.
    """
    all_turns = tuple(herd.turns for herd in herds)
    bad = bouncing(all_turns)
    if not bad:
        return
    loop, names = cycle(bad, all_turns), {turn.name for turn in bad}
    count = sum(herd.size for herd in herds if herd.turns.name in names)
    where = f"{count} of {sum(herd.size for herd in herds)} switches of {fabric}, first {bad[0].name}"
    what = f"routes from one switch above go on to another at {where}"
    if loop:
        yield Problem(
            code="buffer-cycle",
            what=what,
            where=("fabrics", fabric),
            why=f"lossless buffers could wait for each other in a circle (PFC deadlock) and stop the fabric: "
            f"{' > '.join(loop)}",
            fix="this is a bug in the rendered policy; report it with your intent",
        )
    else:
        yield Problem(
            code="valley-path",
            what=what,
            where=("fabrics", fabric),
            why="traffic would go down to it and up again, over links that are planned for its own servers only",
            fix="this is a bug in the rendered policy; report it with your intent",
        )
