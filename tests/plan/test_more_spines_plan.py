"""A spine more under leaves that keep everything: numbers, cabling, growth and checks, worked out by hand.

Two border leaves and pairs of leaves of the panel "mixed" (see tests/topologies/test_more_spines.py) at 3:1 under
spines of 32 ports: four uplinks are asked. For 8 planned spines 8 are laid out, so a block has 16 addresses.
"""

from dataclasses import replace
from ipaddress import IPv4Address

import pytest

from fabricgen.checks.cabling.cabling import ports_once
from fabricgen.checks.dimensions.recorded_fit import recorded_fit
from fabricgen.checks.dimensions.spine_rows import spine_rows
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, binding_of, own_blocks, port_text
from fabricgen.plan.growth import counts_now, growth
from fabricgen.plan.lock import Lock
from fabricgen.plan.names import make_names
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import downlinks, uplinks
from fabricgen.resolve.routing import maximum_paths
from tests.plan.recabling import recabling
from tests.topologies.sites import pairs, plan_of

LEAF = Place("frontend", Tier.LEAF, "train", 0, 0, 0, 0, 0)
DEAD = Exceptions(ports={PortKey("frontend-leaf-000", "Ethernet29/1"): "dead"})


def plan(
    spines: str,
    recorded: Lock | None = None,
    *,
    slots: str = "0-23",
    ratio: str = "3:1",
    dead: Exceptions | None = None,
) -> Plan:
    intent = pairs("mixed", "r32", ratio, slots, borders=2, spines=spines)
    fabric = intent.fabrics["frontend"]
    only_ipv4 = fabric.addressing.model_copy(update={"links": ("ipv4",)})
    fabrics = {"frontend": fabric.model_copy(update={"addressing": only_ipv4})}
    return plan_of(intent.model_copy(update={"fabrics": fabrics}), recorded, dead)


def frontend(made: Plan) -> FabricPlan:
    return made.fabrics["frontend"]


def cables(made: Plan) -> list[tuple[str, int, str]]:
    """Of the first leaf, by uplink: its port, the spine, the spine's port."""
    at = frontend(made)
    return [
        (port_text(at, LEAF, link.lower_port), link.upper.index, port_text(at, link.upper, link.upper_port))
        for link in uplinks(at, LEAF)
    ]


def test_one_uplink_more_on_five_spines() -> None:
    """Row 2, behind two border leaves: port index 2 of every spine, which is cage 3, as m is 1."""
    four, five = plan("{now: 4, planned: 8}"), plan("{now: 5, planned: 8}")
    assert cables(four) == [(f"Ethernet{29 + u}/1", u, "Ethernet3/1") for u in range(4)]
    assert cables(five) == [*cables(four), ("Ethernet28/1", 4, "Ethernet3/1")]
    assert four.lock == five.lock
    for made in (four, five):
        block, _ = own_blocks(frontend(made), LEAF)
        assert block is not None
        assert block.bits == 32
        # Blocks of /28: two border leaves, then this leaf at .32; its uplink 4 at .40.
        assert IPv4Address(block.uplink(0)) == IPv4Address("10.0.0.32")
        assert IPv4Address(block.uplink(4)) == IPv4Address("10.0.0.40")


@pytest.mark.parametrize(("spines", "length"), [("{now: 4}", 29), ("{now: 4, planned: 8}", 28), ("{now: 5}", 28)])
def test_blocks_are_as_long_as_the_planned_uplinks_need(spines: str, length: int) -> None:
    """Two addresses an uplink: 8 for four, 16 for eight; five need 10, and a block is a power of two."""
    lengths = {s.ipv4.length for s in plan(spines).lock.segments if s.ipv4 is not None}
    assert lengths == {length}


def test_a_spine_sees_what_its_leaves_say() -> None:
    for now in range(1, 9):
        at = frontend(plan(f"{{now: {now}, planned: 8}}"))
        leaves = [LEAF, LEAF._replace(index=1), *(Place("frontend", Tier.BORDER, "", 0, 0, 0, 0, n) for n in (0, 1))]
        spines = [Place("frontend", Tier.SPINE, "", 0, 0, 0, 0, n) for n in range(now)]
        assert {c for leaf in leaves for c in uplinks(at, leaf)} == {c for s in spines for c in downlinks(at, s)}


def test_equal_cost_paths_are_those_laid_out() -> None:
    """A spine more is then no other setting on every switch."""
    for tier in (Tier.LEAF, Tier.SPINE):
        assert {maximum_paths(frontend(plan(f"{{now: {now}, planned: 8}}")), tier) for now in (2, 4, 5, 8)} == {8}
        assert maximum_paths(frontend(plan("{now: 4}")), tier) == 4


def test_room_on_an_m_1_frontend() -> None:
    """4 leaves in rows 0-3: any count stands, with 1 to 4 links a pair of 32 ports."""
    found = growth(plan("{now: 4, planned: 8}"), "frontend")
    assert found.legal == found.legal_now == (1, 2, 3, 4, 5, 6, 7, 8)
    assert (found.next_spines, found.uplinks, found.next_uplinks) == (5, 4, 5)
    assert (found.moved, found.kept) == (0, 16)
    last = growth(plan("{now: 8, planned: 8}"), "frontend")
    assert (last.next_spines, last.uplinks, last.next_uplinks, last.moved, last.kept) == (None, 8, 8, 0, 0)


def test_twenty_rows_stand_on_one_link_a_pair_only() -> None:
    """18 leaves and two border leaves: two links a pair would need 40 of 32 ports. Four and more have one."""
    made = plan("{now: 4, planned: 8}", slots="0-215")
    assert counts_now(frontend(made)) == (4, 5, 6, 7, 8)
    (problem,) = spine_rows(plan("{now: 3, planned: 8}", slots="0-215"))
    assert problem.why == "20 leaves with 2 links to each spine need 40 ports on it, and a spine has 32"
    assert problem.fix == "write spines.now: 4 or 5 or 6 or 7 or 8"
    assert list(spine_rows(made)) == []


@pytest.mark.parametrize("then", [5, 6, 7, 8])
def test_no_cable_moves_while_a_pair_has_one_link(then: int) -> None:
    assert list(recabling(plan("{now: 4, planned: 8}"), "frontend", then)) == []


def test_two_links_a_pair_move_the_fourth_uplink() -> None:
    """Four spines to three: six uplinks. Uplink 3 goes from spine 3 to spine 0, turn 1: port 16 + row. 0-2 stay."""
    moves = list(recabling(plan("{now: 4, planned: 8}"), "frontend", 3))
    assert [(move.leaf, move.uplink, move.to_spine) for move in moves] == [
        (f"frontend-{leaf}", 3, "frontend-spine-00") for leaf in ("border-00", "border-01", "leaf-000", "leaf-001")
    ]
    assert moves[0][1:] == (
        "Ethernet32/1", 3, "frontend-spine-03", "Ethernet1/1", "frontend-spine-00", "Ethernet17/1",
    )  # fmt: skip
    found = growth(plan("{now: 3, planned: 8}"), "frontend")
    # And back: of 6 uplinks 4 remain, of which the one returns.
    assert (found.next_spines, found.uplinks, found.next_uplinks, found.moved, found.kept) == (4, 6, 4, 4, 12)


def test_reserved_ports_are_no_spares() -> None:
    """Eight planned: a dead port finds none. Six planned: it takes cage 26, and the fifth uplink is on 28 as ever."""
    at = frontend(plan("{now: 4, planned: 8}", dead=DEAD))
    assert [port.cage for port in binding_of(at, LEAF).stuck] == [29]
    for now, cages in ((4, [26, 30, 31, 32]), (5, [26, 30, 31, 32, 28]), (6, [26, 30, 31, 32, 28, 27])):
        at = frontend(plan(f"{{now: {now}, planned: 6}}", dead=DEAD))
        assert [port.cage for port in binding_of(at, LEAF).up] == cages


def test_recabling_counts_dead_ports_as_the_plan_after_does() -> None:
    """16 rows. On 4 spines a dead port of a spine finds a spare one; on 3, two links a pair take all 32 of them."""
    dead = Exceptions(ports={PortKey("frontend-spine-00", "Ethernet3/1"): "dead"})
    before, after = (plan(f"{{now: {now}, planned: 6}}", slots="0-167", dead=dead) for now in (4, 3))
    assert (cables(before)[0][2], cables(after)[0][2]) == ("Ethernet32/1", "Ethernet3/1")
    moves = [move for move in recabling(before, "frontend", 3) if move.leaf == "frontend-leaf-000"]
    assert [(move.uplink, move.from_port, move.to_port) for move in moves] == [
        (0, "Ethernet32/1", "Ethernet3/1"),
        (3, "Ethernet3/1", "Ethernet19/1"),
    ]


def test_reserved_ports_have_names() -> None:
    """An override may name them: a port that is dead before its uplink comes."""
    made = plan("{now: 4, planned: 8}")
    names = make_names(made.intent, made.fabrics).ports_of("frontend-leaf-000")
    assert {"Ethernet25/1", "Ethernet28/1", "Ethernet29/1"} <= names


def test_more_spines_planned_than_recorded_blocks_have_room_for() -> None:
    """Four uplinks fill a /29: eight are refused with the number that fits, and nothing moves."""
    lock = plan("{now: 4}").lock
    problems = list(recorded_fit(plan("{now: 4, planned: 8}", lock)))
    assert {problem.code for problem in problems} == {"lock-misfit"}
    assert all(problem.fix.startswith("write topology.spines.planned: 4, or ") for problem in problems)
    assert list(recorded_fit(plan("{now: 2, planned: 4}", lock))) == []


def test_blocks_with_room_take_more_planned_spines_later() -> None:
    """At 2:1 six uplinks have a /28, which holds eight: 8 spines may be planned later, and no port moves."""
    first = plan("{now: 6}", ratio="2:1")
    later = plan("{now: 7, planned: 8}", first.lock, ratio="2:1")
    assert list(recorded_fit(later)) == []
    assert cables(later)[:6] == cables(first)
    assert later.lock.segments[:3] == first.lock.segments[:3]


def test_a_port_reserved_twice_would_be_found() -> None:
    made = plan("{now: 4, planned: 8}")
    assert list(ports_once(made)) == []
    at = frontend(made)
    (group,) = at.shape.groups
    twice = group._replace(leaf=group.leaf._replace(reserved=group.leaf.up[:1]))
    wrong = made._replace(fabrics={"frontend": replace(at, shape=at.shape._replace(groups=(twice,)))})
    assert [problem.code for problem in ports_once(wrong)] == ["port-twice"]
