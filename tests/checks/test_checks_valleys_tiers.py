"""Paths through three tiers: followed announcement by announcement through the rendered route maps, and the check.

`spread` is no code of ours: it asks each route map what it lets pass, keeps no best path and has no loop protection by
AS numbers, so it finds more ways than any real table has. A way is a valley if it goes down and up again.
"""

from collections.abc import Callable, Iterator
from functools import cache
from ipaddress import ip_network
from typing import NamedTuple

import pytest

from fabricgen.checks.routing.isolation import crossings, planes_apart
from fabricgen.checks.routing.valleys import Passed, Turns, bouncing, cycle
from fabricgen.checks.switches import watch as switches
from fabricgen.device.device import Device
from fabricgen.device.routing import RouteMap, Statement
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices
from tests.checks.devices import OPEN, Edit, both, map_replaced, statements_edited, strangers, turns, with_edit
from tests.resolve import tiers

UP = "RM-SUPERSPINES-IPV4-OUT"
DOWN = "RM-SPINES-IPV4-OUT"
SPINES = tuple(f"be-spine-{number:02}" for number in range(4))
CORES = tuple(f"be-super-{number:02}" for number in range(4))

Channel = tuple[str, str]


class Session(NamedTuple):
    """One direction of a session: who tells, who hears, the maps on the way, and whether it goes up."""

    teller: str
    hearer: str
    out: RouteMap
    upward: bool


class Told(NamedTuple):
    """A route at a switch: its communities, and the switches that it has passed."""

    communities: frozenset[str]
    way: tuple[str, ...]


def sessions(found: dict[str, Device]) -> Iterator[Session]:
    """IPv4 sessions of the underlay with what each end sends through."""
    for device in found.values():
        rows = {row.peer: row.profile.role for row in device.interfaces.ethernet}
        maps = {row.name: row for row in device.routing.policy.route_maps}
        groups = {group.name: group for group in device.routing.bgp.groups}
        for neighbor in device.routing.bgp.neighbors:
            group = groups[neighbor.group]
            if group.families == ("ipv4",):
                far = neighbor.description.split()[0]
                used = maps[neighbor.route_map_out or group.route_map_out]
                yield Session(device.name, far, used, rows[far] == "uplink")


def passed(device: Device, used: RouteMap, prefix: str, communities: frozenset[str]) -> frozenset[str] | None:
    """Communities that a route leaves with; None where the map denies it. As RFC 8195 section 3 reads such maps."""
    policy = device.routing.policy
    lists = {found.name: found.entries for found in policy.prefix_lists}
    members = {found.name: found.community for found in policy.community_lists}
    network = ip_network(prefix)
    for row in used.statements:
        if row.match_community_list and members[row.match_community_list] not in communities:
            continue
        name = row.match_prefix_list_ipv4
        if name and not any(
            network.subnet_of(ip_network(entry.prefix))  # type: ignore[arg-type]
            and network.prefixlen <= (entry.longest or ip_network(entry.prefix).prefixlen)
            for entry in lists[name]
        ):
            continue
        return communities | ({row.set_community} - {""}) if row.permit else None
    return None


Spread = tuple[set[Channel], dict[Channel, set[Channel]]]


def spread(found: dict[str, Device], lost: Callable[[Channel], bool]) -> Spread:
    """Channels that carry traffic, and which waits for which. `lost`: pairs whose links are gone."""
    tells: dict[str, list[Session]] = {}
    for one in sessions(found):
        if not lost((one.teller, one.hearer)):
            tells.setdefault(one.teller, []).append(one)
    waits: dict[Channel, set[Channel]] = {}
    used: set[Channel] = set()
    for origin in (name for name in found if "leaf" in name):
        for way in ways(found, tells, origin):
            # Traffic flows against the announcement.
            used.add((way[-1], way[-2]))
            if len(way) > 2:
                waits.setdefault((way[-1], way[-2]), set()).add((way[-2], way[-3]))
    return used, waits


def ways(found: dict[str, Device], tells: dict[str, list[Session]], origin: str) -> Iterator[tuple[str, ...]]:
    """Ways that the aggregate of a leaf is told along, step by step; none visits a switch twice."""
    prefix = found[origin].routing.bgp.networks_ipv4[0]
    todo = [Told(frozenset(), (origin,))]
    seen: set[tuple[tuple[str, ...], frozenset[str]]] = set()
    while todo:
        route = todo.pop()
        for one in tells[route.way[-1]]:
            sent = passed(found[one.teller], one.out, prefix, route.communities)
            if sent is None or one.hearer in route.way:
                continue
            way = (*route.way, one.hearer)
            yield way
            if (way[-2:], sent) not in seen:
                seen.add((way[-2:], sent))
                todo.append(Told(sent, way))


def has_cycle(graph: dict[Channel, set[Channel]]) -> bool:
    left = {channel: after & graph.keys() for channel, after in graph.items()}
    while left:
        free = {channel for channel, after in left.items() if not after}
        if not free:
            return True
        left = {channel: after - free for channel, after in left.items() if channel not in free}
    return False


def fleet(plan: Plan) -> dict[str, Device]:
    return {device.name: device for device in devices(plan)}


@cache
def backend() -> dict[str, Device]:
    return fleet(tiers.lossless())


def nothing(_: Channel) -> bool:
    return False


def between(one: str, two: str) -> Callable[[Channel], bool]:
    return lambda pair: set(pair) == {one, two}


def at(name: str) -> Callable[[Channel], bool]:
    return lambda pair: name in pair


def all_pairs(found: dict[str, Device]) -> list[Channel]:
    return sorted({(one.teller, one.hearer) for one in sessions(found) if one.upward})


def test_healthy_and_after_each_failure_no_buffers_wait_in_a_circle() -> None:
    found = backend()
    pairs = all_pairs(found)
    assert len(pairs) == 8 + 8  # leaves to spines, spines to superspines
    used, _ = spread(found, nothing)
    assert used == {channel for pair in pairs for channel in (pair, pair[::-1])}, "every cable carries something"
    for gone in (None, *pairs):
        _, waits = spread(found, between(*gone) if gone else nothing)
        assert waits
        assert not has_cycle(waits)
    for name in (*SPINES, *CORES):
        _, waits = spread(found, at(name))
        assert not has_cycle(waits)


@pytest.mark.parametrize(
    "exceptions",
    [
        Exceptions(devices={"be-spine-01": "drained"}),
        Exceptions(devices={"be-super-02": "drained"}),
        Exceptions(devices={"be-leaf-003": "drained"}),
        Exceptions(ports={PortKey("be-spine-00", "Ethernet3/1"): "drained"}),
        Exceptions(ports={PortKey("be-spine-00", "Ethernet3/1"): "absent"}),
    ],
)
def test_a_drained_switch_or_link_opens_no_way_up(exceptions: Exceptions) -> None:
    plan = tiers.lossless(exceptions)
    _, waits = spread(fleet(plan), nothing)
    assert not has_cycle(waits)
    assert not list(switches.switches(plan))


def no_deny(statement: Statement) -> Statement | None:
    return statement if statement.permit else None


def no_mark(statement: Statement) -> Statement:
    return statement._replace(set_community="")


SHUT = statements_edited(UP, no_deny)
UNMARKED = statements_edited(DOWN, no_mark)


@pytest.mark.parametrize("edit", [map_replaced(UP, OPEN), SHUT, UNMARKED])
def test_open_policy_of_spines_is_a_buffer_cycle(monkeypatch: pytest.MonkeyPatch, edit: Edit) -> None:
    """Both judges: the graph of the routes as they spread, and the check. A spine has no list of own prefixes."""
    monkeypatch.setattr(switches, "devices", with_edit(edit))
    plan = tiers.lossless()
    found = {device.name: device for device in with_edit(edit)(plan)}
    assert has_cycle(spread(found, nothing)[1])
    (problem,) = switches.switches(plan)
    assert problem.code == "buffer-cycle"
    assert problem.what == (
        "routes from one switch above go on to another at 4 of 12 switches of backend, first be-spine-00"
    )
    assert problem.why.endswith("be-super-00 > be-spine-00 > be-super-01 > be-spine-02 > be-super-00")


def test_open_policy_of_one_spine_is_a_valley(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(SHUT, "be-spine-03"))
    plan = tiers.lossless()
    (problem,) = switches.switches(plan)
    assert problem.code == "valley-path"
    assert not has_cycle(spread({d.name: d for d in with_edit(SHUT, "be-spine-03")(plan)}, nothing)[1])


def test_a_mark_of_superspines_is_no_excuse_for_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each switch is judged by those right above it: spines that do not mark, below superspines that do."""
    wide = both(map_replaced("RM-LEAVES-IPV4-OUT", OPEN), map_replaced("RM-SPINES-IPV4-OUT", OPEN))
    monkeypatch.setattr(switches, "devices", with_edit(wide, *SPINES, "be-leaf-000"))
    plan = tiers.lossless()
    assert {problem.code for problem in switches.switches(plan)} == {"valley-path"}


def bounce(name: str, *above: str) -> Turns:
    return Turns(name, above, frozenset(), frozenset({Passed("ipv4", "")}), frozenset(), frozenset())


def quiet(name: str, *above: str) -> Turns:
    return Turns(name, above, frozenset({"m"}), frozenset(), frozenset(), frozenset())


def test_two_leaves_of_different_pods_close_a_circle_through_the_cores() -> None:
    """Up spine 0 and core 0 to the other pod, down, up spine 1 and core 1 back: no pair shares a spine."""
    pods = (quiet("s0", "c0"), quiet("s1", "c1"), quiet("t0", "c0"), quiet("t1", "c1"))
    ends = (bounce("a", "s0", "s1"), bounce("b", "t0", "t1"))
    loop = cycle(ends, (*ends, *pods))
    assert loop[0] == loop[-1]
    assert set(loop) == {"a", "b", "s0", "s1", "t0", "t1", "c0", "c1"}
    assert cycle(ends[:1], (*ends, *pods)) == ()
    assert cycle(ends, ends) == (), "without the tier above there is none to be seen"


def test_one_leaf_alone_below_one_core_waits_for_itself() -> None:
    """Where one core joins both spines of a pod, a single leaf that bounces is enough."""
    pod = (quiet("s0", "c"), quiet("s1", "c"))
    loop = cycle((bounce("a", "s0", "s1"),), (bounce("a", "s0", "s1"), *pod))
    assert set(loop) == {"a", "s0", "s1", "c"}


def test_bouncing_counts_those_right_above() -> None:
    above = Turns("s", (), frozenset({"m"}), frozenset(), frozenset({Passed("ipv4", "m")}), frozenset({"ipv4"}))
    other = above._replace(name="t", marks=frozenset())
    low = Turns("a", ("s", "s2"), frozenset({"m", ""}), frozenset({Passed("ipv4", "")}), frozenset(), frozenset())
    assert bouncing((above, other, low)) == ()
    assert bouncing((above, other, low._replace(above=("s", "t")))) == (low._replace(above=("s", "t")),)


def test_planes_are_told_apart_by_cables_and_by_sessions() -> None:
    plan = tiers.planes()
    fabric = plan.fabrics["backend"]
    found = fleet(plan)
    assert all(not crossings(fabric, name, (*turns(d).above, *strangers(d))) for name, d in found.items())
    (crossing,) = crossings(fabric, "be-leaf-000", ("be-spine-00", "be-spine-02"))
    (problem,) = planes_apart(fabric, 1, crossing)
    assert problem.code == "planes-speak"
    assert problem.what == ("planes of backend are connected by 1 pair of switches, first be-leaf-000 and be-spine-02")
    assert not crossings(tiers.lossless().fabrics["backend"], "be-leaf-000", ("be-spine-02",))


def test_a_leaf_of_a_plane_has_no_way_to_another_plane() -> None:
    """Announcements of all leaves, followed: they stay in their plane."""
    used, _ = spread(fleet(tiers.planes()), nothing)
    plane = {name: int(name[-2:]) // 2 for channel in used for name in channel}
    assert used
    assert all(plane[one] == plane[two] for one, two in used)
