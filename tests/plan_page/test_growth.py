"""Room, recabling point and the list of moves against the formulas of the reference, worked out by hand."""

from typing import Any

import pytest

from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import Exceptions, SlotKey
from fabricgen.plan.growth import counts_now, growth
from fabricgen.plan.plan import Plan
from tests.plan.recabling import recabling
from tests.plan_page.sites import backend, frontend, planned, spines, train


def site(now: int, slots: str = "0-31") -> Plan:
    return planned(servers=train(slots, 192), fabrics={"backend": backend(topology=spines(now, 16))})


def test_room_of_the_planned_numbers() -> None:
    found = growth(site(4, "0-39"), "backend")
    (group,) = found.groups
    # 40 of 192 in units of 32: two units stand with 24 free slots; six are numbered, with four leaves each.
    assert (group.servers, group.planned, group.free_in_units) == (40, 192, 24)
    assert (group.units, group.units_planned, group.slots_a_unit) == (2, 6, 32)
    assert (found.leaves, found.leaves_planned) == (8, 24)


def test_an_absent_server_is_no_free_slot() -> None:
    plan = planned(Exceptions(slots={SlotKey("train", 3): "absent"}))
    (group,) = growth(plan, "backend").groups
    assert (group.servers, group.free_in_units) == (31, 0)


@pytest.mark.parametrize(("now", "leaves", "units"), [(4, 8, 2), (8, 16, 4), (16, 32, 6)])
def test_recabling_point_is_r_over_m(now: int, leaves: int, units: int) -> None:
    # R = 128, U = 64: m = 16, 8, 4, so floor(R / m) = 8, 16, 32 leaves; four leaves a unit, six planned.
    found = growth(site(now), "backend")
    assert (found.recable_leaves, found.recable_units) == (leaves, (("train", units),))


def test_legal_spine_counts() -> None:
    # 24 planned leaves of 64 uplinks: S divides 64 and 24 x 64 / S <= 128. The 4 that stand need 4 x 64 / S <= 128.
    found = growth(site(4), "backend")
    assert found.legal == (16, 32, 64)
    assert found.legal_now == (2, 4, 8, 16)


def test_eight_leaves_can_not_go_back_to_two_spines() -> None:
    plan = site(4, "0-63")
    assert counts_now(plan.fabrics["backend"]) == (4, 8, 16)


@pytest.mark.parametrize(("new", "kept"), [(4, 256), (8, 128), (16, 64), (2, 128)])
def test_doubling_leaves_half_in_place(new: int, kept: int) -> None:
    # Uplink u stays where u mod S = u mod S' and (u div S)(R/m) = (u div S')(R/m'): all, a half, a quarter, a half.
    assert len(list(recabling(site(4), "backend", new))) == 256 - kept


def test_growth_counts_the_moves_to_the_next_count() -> None:
    found = growth(site(4), "backend")
    assert (found.next_spines, found.moved, found.kept) == (8, 128, 128)
    last = growth(site(16), "backend")
    assert (last.next_spines, last.moved, last.kept) == (None, 0, 0)


@pytest.mark.parametrize("new", [2, 8, 16])
def test_moves_are_the_difference_of_the_two_cabling_plans(new: int) -> None:
    def far_ends(plan: Plan) -> dict[tuple[str, str], tuple[str, str]]:
        found = (cable for cable in cables(plan) if cable.kind == "leaf-spine")
        return {(c.near.device, c.near.port): (c.far.device, c.far.port) for c in found}

    before, after = far_ends(site(4)), far_ends(site(new))
    assert set(before) == set(after)
    expected = {near: (before[near], after[near]) for near in before if before[near] != after[near]}
    moves = list(recabling(site(4), "backend", new))
    found = {(m.leaf, m.leaf_port): ((m.from_spine, m.from_port), (m.to_spine, m.to_port)) for m in moves}
    assert found == expected
    assert len(moves) == len(found)


def test_the_first_move_by_hand() -> None:
    # Uplink 4 of leaf 0 is the first port of cage 35. Spine 0, port 1 x 8 = 8: cage 5. With 8 spines: spine 4, port 0.
    first = next(recabling(site(4), "backend", 8))
    assert first == ("be-leaf-000", "Ethernet35/1", 4, "be-spine-00", "Ethernet5/1", "be-spine-04", "Ethernet1/1")


def test_next_tier_point() -> None:
    # 64 x 800G boxes at 400G: R = 128, 8,192 endpoints (ai-fabrics 1.1).
    found = growth(site(4), "backend")
    assert (found.largest_leaves, found.largest_nics) == (128, (("train", 8192),))


def test_border_leaves_take_rows_of_a_frontend() -> None:
    found = growth(planned(fabrics={"frontend": frontend()}), "frontend")
    # Spine of 32 x 400G, 4 uplinks on 4 spines: 32 leaves, of which 2 are borders; 24 ports of 200G each.
    assert (found.recable_leaves, found.leaves, found.leaves_planned) == (32, 6, 18)
    assert found.largest_nics == (("train", 30 * 24),)


def test_a_unit_with_one_leaf_past_the_rows_does_not_fit() -> None:
    # 2 of 4 spines: m = 2 and 16 rows. One border leaf takes row 0, units rows 1-2 to 13-14; 15-16 is one too far.
    topology = {
        "design": "leaf-spine",
        "oversubscription": "3:1",
        "border_leaves": 1,
        "spines": {"now": 2, "planned": 4},
    }
    found = growth(planned(fabrics={"frontend": frontend(topology=topology)}), "frontend")
    assert (found.recable_leaves, found.recable_units) == (16, (("train", 7),))


def test_a_fabric_without_spines() -> None:
    keys: dict[str, Any] = {"spine": None, "topology": {"design": "rail-optimized", "rails_per_leaf": 2}}
    plan = planned(servers=train("0-31", 64), fabrics={"backend": backend(**keys)})
    found = growth(plan, "backend")
    assert (found.recable_leaves, found.legal, found.next_spines, found.largest_leaves) == (None, (), None, None)
