"""Policy that lets a path go down and up again is found, and the channel graph of sound policy has no cycle."""

from collections.abc import Iterable

import pytest

from fabricgen.checks.routing.valleys import Passed, Turns, bouncing, channel_graph, cycle
from fabricgen.checks.switches import watch as switches
from fabricgen.device.device import Device
from fabricgen.device.routing import PrefixEntry, RouteMap, Statement
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import uplinks
from fabricgen.resolve.device import devices
from tests.checks.devices import (
    OPEN,
    Edit,
    bgp_edited,
    both,
    list_replaced,
    map_replaced,
    statements_edited,
    turns,
    with_edit,
)
from tests.checks.intents import codes, only, plan

OUT = "RM-SPINES-IPV4-OUT"
DOWN = "RM-LEAVES-IPV4-OUT"

Channel = tuple[str, str]
Graph = dict[Channel, set[Channel]]


def no_deny(statement: Statement) -> Statement | None:
    return statement if statement.permit else None


def no_mark(statement: Statement) -> Statement:
    return statement._replace(set_community="")


WIDE = list_replaced("PL-OWN-IPV4", PrefixEntry(10, "10.64.0.0/12", 32))  # type: ignore[arg-type]
SHUT = statements_edited(OUT, no_deny)


@pytest.mark.parametrize(
    ("edit", "names"),
    [
        (SHUT, ()),  # the list of own prefixes is left
        (WIDE, ()),  # the mark of the spines is left
        (statements_edited(DOWN, no_mark), ()),  # the list of own prefixes is left
    ],
)
def test_each_safeguard_is_enough(monkeypatch: pytest.MonkeyPatch, edit: Edit, names: tuple[str, ...]) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(edit, *names))
    assert codes(plan()) == []


@pytest.mark.parametrize(
    "edit",
    [
        map_replaced(OUT, OPEN),
        both(SHUT, WIDE),
        both(WIDE, statements_edited(DOWN, no_mark)),
        both(WIDE, statements_edited(DOWN, lambda s: s._replace(set_community="65000:2"))),
    ],
)
def test_policy_open_on_every_leaf_is_a_buffer_cycle(monkeypatch: pytest.MonkeyPatch, edit: Edit) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(edit))
    problems = [p for p in switches.switches(plan()) if p.code in ("buffer-cycle", "valley-path")]
    assert {p.where for p in problems} >= {("fabrics", "backend")}
    backend = next(p for p in problems if p.where == ("fabrics", "backend"))
    assert backend.code == "buffer-cycle"
    assert backend.what == (
        "routes from one switch above go on to another at 4 of 8 switches of backend, first be-leaf-000"
    )
    assert backend.why == (
        "lossless buffers could wait for each other in a circle (PFC deadlock) and stop the fabric: "
        "be-spine-00 > be-leaf-000 > be-spine-01 > be-leaf-001 > be-spine-00"
    )


def test_policy_open_on_one_leaf_is_a_valley(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(map_replaced(OUT, OPEN), "be-leaf-002"))
    problem = only(plan())
    assert problem.code == "valley-path"
    assert (
        problem.what == "routes from one switch above go on to another at 1 of 8 switches of backend, first be-leaf-002"
    )


def own_map(statements: tuple[Statement, ...]) -> Edit:
    """Edit that gives the last session of the IPv4 group an outbound map of its own."""

    def edit(device: Device) -> Device:
        last = [row for row in device.routing.bgp.neighbors if row.group.endswith("-IPV4")][-1]
        rows = tuple(
            row._replace(route_map_out="RM-OWN") if row == last else row for row in device.routing.bgp.neighbors
        )
        device = bgp_edited(neighbors=rows)(device)
        policy = device.routing.policy
        maps = (*policy.route_maps, RouteMap("RM-OWN", statements))
        return device._replace(routing=device.routing._replace(policy=policy._replace(route_maps=maps)))

    return edit


def test_an_open_map_of_a_single_session_is_a_valley(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(own_map(OPEN), "be-leaf-002"))
    assert only(plan()).code == "valley-path"


def test_a_single_session_of_a_spine_that_does_not_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the list of own prefixes wide, the mark of every spine is all that is left."""
    spine = next(device for device in devices(plan()) if device.name == "be-spine-01")
    maps = {row.name: row.statements for row in spine.routing.policy.route_maps}
    unmarked = own_map(tuple(no_mark(row) for row in maps[DOWN]))

    def edit(device: Device) -> Device:
        return unmarked(device) if device.name == "be-spine-01" else WIDE(device)

    monkeypatch.setattr(switches, "devices", with_edit(edit))
    assert "buffer-cycle" in codes(plan())


def test_a_session_without_a_map_passes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "devices", with_edit(map_replaced("RM-SPINES-EVPN-OUT", OPEN), "fe-leaf-002"))
    assert only(plan()).code == "valley-path"


def test_a_ring_of_three_is_found() -> None:
    """Three switches, each two of them under one common switch: no pair shares two, yet a ring waits."""
    ring = tuple(
        Turns(name, above, frozenset(), frozenset({Passed("ipv4", "")}), frozenset(), frozenset())
        for name, above in (("a", ("x", "y")), ("b", ("y", "z")), ("c", ("z", "x")))
    )
    assert len(bouncing(ring)) == 3
    loop = cycle(ring)
    assert loop[0] == loop[-1]
    assert {*loop} == {"a", "b", "c", "x", "y", "z"}


def test_a_tree_has_no_cycle() -> None:
    tree = tuple(
        Turns(name, above, frozenset(), frozenset({Passed("ipv4", "")}), frozenset(), frozenset())
        for name, above in (("a", ("x", "y")), ("b", ("y", "z")), ("c", ("z", "w")))
    )
    assert cycle(tree) == ()
    assert not has_cycle({channel: set(after) for channel, after in channel_graph(tree).items()})


def has_cycle(graph: Graph) -> bool:
    """Take away channels that wait for nothing until none is left, or a circle is."""
    left = {channel: set(after) & set(graph) for channel, after in graph.items()}
    while left:
        free = {channel for channel, after in left.items() if not after}
        if not free:
            return True
        left = {channel: after - free for channel, after in left.items() if channel not in free}
    return False


def learned(leaves: dict[str, Turns], links: Iterable[Channel]) -> Graph:
    """Channels that traffic waits for, as routes spread: each leaf announces itself, policy says who passes it on.

    A route is followed hop by hop to all who would accept it, without AS-path loop protection and without choosing
    the best: more dependencies than any real table has.
    """
    up: dict[str, set[str]] = {}
    for leaf, spine in links:
        up.setdefault(leaf, set()).add(spine)
    down: dict[str, set[str]] = {}
    for leaf, spines in up.items():
        for spine in spines:
            down.setdefault(spine, set()).add(leaf)
    graph: Graph = {}
    for origin, spines in up.items():
        reached: set[Channel] = set()
        todo = [(origin, spine) for spine in spines]
        while todo:
            teller, hearer = todo.pop()
            if (teller, hearer) in reached:
                continue
            reached.add((teller, hearer))
            following = down[hearer] - {teller} if hearer in down else bounce(leaves[hearer], up[hearer] - {teller})
            for after in following:
                # Traffic flows against the announcement: from `after` through the hearer to the teller.
                graph.setdefault((after, hearer), set()).add((hearer, teller))
                graph.setdefault((hearer, teller), set())
                todo.append((hearer, after))
    return graph


def bounce(leaf: Turns, others: set[str]) -> set[str]:
    return others if Passed("ipv4", "65000:1") in leaf.passed else set()


def wires(made: Plan) -> list[Channel]:
    fabric = made.fabrics["backend"]
    names = {(0, rail): f"be-leaf-{rail:03d}" for rail in range(4)}
    pairs = {
        (names[0, rail], f"be-spine-{link.upper.index:02d}")
        for rail in range(4)
        for link in uplinks(fabric, Place("backend", Tier.LEAF, "train", 0, 0, 0, rail, 0))
    }
    return sorted(pairs)


def leaves_of(found: Iterable[Device]) -> dict[str, Turns]:
    return {d.name: turns(d) for d in found if d.fabric == "backend" and d.role == "leaf"}


def test_rendered_policy_has_no_cycle_healthy_and_after_each_failure() -> None:
    """The explicit graph of the demo's backend, link by link: what `valleys` proves from the policy alone."""
    made = plan()
    leaves, links = leaves_of(devices(made)), wires(made)
    assert len(links) == 16
    for lost in (None, *links):
        graph = learned(leaves, [link for link in links if link != lost])
        assert graph
        assert not has_cycle(graph)
    for spine in {spine for _, spine in links}:
        assert not has_cycle(learned(leaves, [link for link in links if link[1] != spine]))


def test_the_explicit_graph_finds_the_cycle_of_open_policy() -> None:
    made = plan()
    leaves = leaves_of(with_edit(map_replaced(OUT, OPEN))(made))
    assert has_cycle(learned(leaves, wires(made)))
    one = leaves_of(with_edit(map_replaced(OUT, OPEN), "be-leaf-001")(made))
    assert not has_cycle(learned(one, wires(made)))
