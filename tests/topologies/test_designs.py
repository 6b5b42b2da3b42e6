"""What each design makes of its knobs: rails a leaf, ports a server, border leaves, no spines."""

import pytest

from fabricgen.plan.fabric import places
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import downlinks, host_ports, leaf_of, uplinks
from tests.topologies.sites import catalog, pairs, plan_of, rail, shape_of, site


def test_one_unit_without_spines() -> None:
    """All ports of a leaf go to servers: 16 of them, 8 leaves, no cable between switches."""
    plan = plan_of(rail("r16", None, "0-15")).fabrics["backend"]
    standing = list(places(plan))
    assert [place.tier for place in standing] == [Tier.LEAF] * 8
    assert not [link for place in standing for link in uplinks(plan, place)]
    assert all(len(list(host_ports(plan, place))) == 16 for place in standing)
    assert (plan.shape.spines, plan.shape.links, plan.shape.tiers) == (0, 0, 1)
    assert all(segment.row == 0 for found in plan.segments.values() for segment in found)


@pytest.mark.parametrize(("per_leaf", "leaves", "slots"), [(1, 8, 8), (2, 4, 4)])
def test_rails_a_leaf(per_leaf: int, leaves: int, slots: int) -> None:
    plan = plan_of(rail("r16", "r128", "0-3", per_leaf=per_leaf)).fabrics["backend"]
    (group,) = plan.shape.groups
    assert (group.rails, group.slots_a_unit) == (leaves, slots)
    for nic in range(8):
        leaf, number = leaf_of(plan, group, 1, nic, 0)
        assert leaf.rail == nic // per_leaf
        assert number == (nic % per_leaf) * slots + 1, "one row of slots a rail"


def test_an_odd_half_leaves_a_port_spare() -> None:
    """Seven 400G ports down and two rails a leaf: six are used, the seventh is spare."""
    made = shape_of(rail("r144", "r144", "0-35", model="gpu8-800", per_leaf=2))
    assert (len(made.groups[0].leaf.down), len(made.groups[0].leaf.spare)) == (72, 0)
    small = shape_of(rail("r4", "r16", "0", per_leaf=2))
    assert (len(small.groups[0].leaf.down), len(small.groups[0].leaf.up)) == (2, 2)


@pytest.mark.parametrize(("model", "indexes", "rows"), [("one", 1, 1), ("two", 2, 1), ("three", 2, 2), ("four", 2, 2)])
def test_ports_of_a_server(model: str, indexes: int, rows: int) -> None:
    """One port: one leaf. Two: both leaves of a pair. Four: two ports on each, half as many servers."""
    plan = plan_of(pairs("mixed", "r32", "3:1", "0-12", model=model)).fabrics["frontend"]
    (group,) = plan.shape.groups
    assert (group.indexes, group.slots_a_unit) == (indexes, 24 // rows)
    seen = {}
    for place in places(plan):
        if place.tier is Tier.LEAF:
            for host in host_ports(plan, place):
                seen[host.slot, host.nic] = place.index
                assert leaf_of(plan, group, host.slot, host.nic, 0) == (place, host.number)
    nics = {"one": 1, "two": 2, "three": 3, "four": 4}[model]
    assert {(slot, nic) for slot in range(13) for nic in range(nics)} <= set(seen)
    assert all(seen[0, nic] == nic % indexes for nic in range(nics))


def test_a_mixed_panel_at_three_to_one() -> None:
    """24 x 200G + 8 x 400G at 3:1: 24 servers' ports of 4,800G need 1,600G, four whole cages, the last ones."""
    made = shape_of(pairs("mixed", "r32", "3:1", "0-23"))
    leaf = made.groups[0].leaf
    assert [port.cage for port in leaf.up] == [29, 30, 31, 32]
    assert [port.cage for port in leaf.down] == list(range(1, 25))
    assert 24 * 200 == 3 * 4 * 400


@pytest.mark.parametrize(("ratio", "up", "down"), [("2:1", 6, 24), ("3:1", 4, 24), ("6:1", 2, 24), ("12:1", 1, 24)])
def test_uplinks_follow_the_ratio(ratio: str, up: int, down: int) -> None:
    made = shape_of(pairs("mixed", "r64", ratio, "0-23"))
    leaf = made.groups[0].leaf
    assert (len(leaf.up), len(leaf.down)) == (up, down)
    over, under = (int(part) for part in ratio.split(":"))
    assert down * 200 * under <= up * 400 * over


def test_border_leaves_take_the_first_rows_of_the_spines() -> None:
    plan = plan_of(pairs("mixed", "r32", "3:1", "0-47", borders=2)).fabrics["frontend"]
    standing = list(places(plan))
    borders = [place for place in standing if place.tier is Tier.BORDER]
    assert [place.index for place in borders] == [0, 1]
    spine = next(place for place in standing if place.tier is Tier.SPINE)
    first_two = [link.lower for link in downlinks(plan, spine)][:2]
    assert first_two == borders
    assert plan.shape.border is not None
    assert len(plan.shape.border.up) == len(plan.shape.groups[0].leaf.up)
    cages = {port.cage for port in plan.shape.border.up} & {port.cage for port in plan.shape.border.down}
    assert not cages, "a cage looks up or out, never both"


def test_every_leaf_of_two_server_groups_has_the_same_uplinks() -> None:
    intent = site(
        "{frontend: {kind: frontend, connects: {train: nics, store: nics}, leaf: {model: mixed, os: eos-4.34}, "
        'spine: {model: r32, os: eos-4.34}, topology: {design: leaf-spine, oversubscription: "3:1"}, '
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{train: {model: two, slots: 0-23}, store: {model: one, slots: 0-3}}",
    )
    made = shape_of(intent)
    assert {group.name: len(group.leaf.up) for group in made.groups} == {"store": 4, "train": 4}
    assert [group.name for group in made.groups] == ["store", "train"]


def test_spines_now_and_planned() -> None:
    made = shape_of(rail("r128", "r128", "0-31", per_leaf=2, spines="{now: 8, planned: 16}", planned=192))
    assert (made.spines, made.spines_planned, made.links) == (8, 16, 8)


def test_the_library_is_complete() -> None:
    assert set(catalog().switches) >= {"r64", "mixed"}
