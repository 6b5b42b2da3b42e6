"""Published designs and the numbers printed beside them.

DGX B200 SuperPOD, 64-port switches: scalable units → leaves, spines. DGX B300 SuperPOD with Ethernet, 128 ports of
400G, two planes a NIC. DGX B300 SuperPOD XDR, 144 ports of 800G. Spectrum-X with HGX: 32 servers a unit, two rails
a leaf. Juniper's inference frontend: 3:1, two links of 400G a pair.
"""

import pytest

from fabricgen.hardware.ports import ports
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.fabric import places
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import uplinks
from fabricgen.topologies.arithmetic import (
    LeafSplit,
    divisors,
    leaf_capacity,
    legal_spines,
    uplinks_for,
)
from fabricgen.topologies.upper import split_panel
from tests.topologies.sites import pairs, panel, plan_of, rail, shape_of


def split_of(radix: int, down: int, up: int) -> LeafSplit:
    """Ports down and up of a panel of so many whole cages."""
    whole = panel("whole", (radix, 400), most=1)
    return split_panel(whole, ports(whole, 400), Ratio(down, up))


@pytest.mark.parametrize(("units", "leaves", "spines"), [(2, 16, 8), (4, 32, 16), (8, 64, 32)])
def test_dgx_b200_superpod(units: int, leaves: int, spines: int) -> None:
    """32 nodes a unit, 8 leaves, one a rail. 16 units print a core tier: two tiers end at 2,048 endpoints."""
    made = shape_of(rail("r64", "r64", f"0-{32 * units - 1}"))
    (group,) = made.groups
    assert group.slots_a_unit == 32
    assert (group.planned * group.rails, made.spines) == (leaves, spines)
    assert made.links * made.spines == 32, "1:1"
    plan = plan_of(rail("r64", "r64", f"0-{32 * units - 1}")).fabrics["backend"]
    cables = [link for place in places(plan) for link in uplinks(plan, place)]
    assert len(cables) == 256 * units, "cables a tier = GPUs"


def test_dgx_b200_needs_a_core_tier_past_2048() -> None:
    assert legal_spines(64, 32, 64) == (32,)
    assert legal_spines(65, 32, 64) == ()
    assert split_of(64, 1, 1) == (32, 32)


@pytest.mark.parametrize(("units", "leaves", "spines"), [(1, 16, 8), (2, 32, 16), (4, 64, 32), (8, 128, 64)])
def test_dgx_b300_superpod_ethernet(units: int, leaves: int, spines: int) -> None:
    """64 nodes a unit; printed for both planes together, so each plane has half."""
    made = shape_of(rail("r128", "r128", f"0-{64 * units - 1}"))
    (group,) = made.groups
    assert group.slots_a_unit == 64
    assert (2 * group.planned * group.rails, 2 * made.spines) == (leaves, spines)


def test_dgx_b300_ethernet_ends_where_two_tiers_do() -> None:
    """Eight units of 512 GPUs and as many again: 8,192 endpoints a plane."""
    assert shape_of(rail("r128", "r128", "0-1023")).spines == 64


@pytest.mark.parametrize(
    ("units", "leaves", "spines", "nodes"),
    [(1, 8, 4, 72), (2, 16, 8, 144), (4, 32, 18, 288), (8, 64, 36, 576), (18, 144, 72, 1296)],
)
def test_dgx_b300_superpod_xdr(units: int, leaves: int, spines: int, nodes: int) -> None:
    """18 and 36 follow only from `U mod S == 0`: plain ceil(L U / R) gives 16 and 32."""
    made = shape_of(rail("r144", "r144", f"0-{nodes - 1}", model="gpu8-800"))
    (group,) = made.groups
    assert (group.slots_a_unit, group.planned) == (72, units)
    assert (group.planned * group.rails, made.spines) == (leaves, spines)
    assert legal_spines(leaves, 72, 144)[0] == spines
    plain = -(-leaves * 72 // 144)
    assert (plain == spines) == (72 % plain == 0)


def test_dgx_b300_xdr_holds_10368_gpus() -> None:
    """The table prints 9,216 GPUs for 1,296 nodes; 1,296 x 8 = 10,368."""
    made = shape_of(rail("r144", "r144", "0-1295", model="gpu8-800"))
    assert made.groups[0].planned * made.groups[0].rails * 72 == 10368


def test_spectrum_x_hgx() -> None:
    """32 servers a unit, 4 leaves of two rails, 64 ports down and 64 up; two spines for one unit (Netris scenario)."""
    made = shape_of(rail("r128", "r128", "0-31", per_leaf=2))
    (group,) = made.groups
    assert (group.slots_a_unit, group.rails, group.planned) == (32, 4, 1)
    assert (len(group.leaf.down), len(group.leaf.up), made.spines) == (64, 64, 2)
    assert [column[:3] for column in group.columns] == [(rail // 2, 0, rail % 2) for rail in range(8)]


def test_a_partly_filled_unit_gets_all_its_leaves_and_cables() -> None:
    """DGX B300 reference architecture, partial builds."""
    full, part = (shape_of(rail("r128", "r128", f"0-{last}", per_leaf=2)) for last in (31, 4))
    assert (part.spines, part.links, part.groups[0].rails) == (full.spines, full.links, full.groups[0].rails)
    one, two = (plan_of(rail("r128", "r128", f"0-{last}", per_leaf=2)).fabrics["backend"] for last in (31, 4))
    assert [(u.lower, u.upper) for p in places(one) for u in uplinks(one, p)] == [
        (u.lower, u.upper) for p in places(two) for u in uplinks(two, p)
    ]


def test_juniper_inference_frontend() -> None:
    """4 leaves, 2 spines, two links of 400G a pair, 3:1: 24 ports of 200G over 4 uplinks of 400G."""
    made = shape_of(pairs("mixed", "r32", "3:1", "0-47"))
    (group,) = made.groups
    assert (len(group.leaf.down), len(group.leaf.up)) == (24, 4)
    assert group.planned * group.indexes == 4
    assert uplinks_for(24, Ratio(3, 1), 200, 400) == 4
    two = shape_of(pairs("mixed", "r32", "3:1", "0-47", spines="{now: 2}"))
    assert (two.spines, two.links) == (2, 2)


@pytest.mark.parametrize("leaves", [1, 2, 7, 8, 16, 31, 32, 63, 64])
@pytest.mark.parametrize("radix", [8, 64, 128, 144])
def test_legal_spine_counts_are_those_that_can_be_cabled(leaves: int, radix: int) -> None:
    """By trying: give each leaf U links to S spines in turn, and look whether they are even and fit."""
    up = radix // 2
    possible = []
    for spines in range(1, up + 1):
        links = [sum(u % spines == spine for u in range(up)) for spine in range(spines)]
        if len(set(links)) == 1 and leaves * links[0] <= radix:
            possible.append(spines)
    assert legal_spines(leaves, up, radix) == tuple(possible)
    assert set(possible) <= set(divisors(up))
    for spines in possible:
        assert leaf_capacity(spines, up, radix) == radix // (up // spines)


@pytest.mark.parametrize("down", range(1, 49))
@pytest.mark.parametrize(("ratio", "speeds"), [((3, 1), (200, 400)), ((2, 1), (100, 400)), ((5, 2), (400, 400))])
def test_uplinks_are_the_fewest_within_the_ratio(down: int, ratio: tuple[int, int], speeds: tuple[int, int]) -> None:
    found = uplinks_for(down, Ratio(*ratio), *speeds)

    def within(uplinks: int) -> bool:
        return down * speeds[0] * ratio[1] <= uplinks * speeds[1] * ratio[0]

    assert within(found)
    assert not within(found - 1)


@pytest.mark.parametrize("radix", [3, 4, 32, 63, 64, 128, 144])
@pytest.mark.parametrize(("down", "up"), [(1, 1), (2, 1), (3, 1), (3, 2)])
def test_a_split_panel_keeps_its_ratio_and_its_ports(radix: int, down: int, up: int) -> None:
    split = split_of(radix, down, up)
    assert split.down + split.up <= radix
    assert split.down * up <= split.up * down
    assert (split.down + 1) * (down + up) > radix * down, "no host port is given away"


def test_places_of_a_two_tier_fabric_by_role() -> None:
    plan = plan_of(rail("r128", "r128", "0-31", per_leaf=2)).fabrics["backend"]
    assert [place.tier for place in places(plan)] == [Tier.LEAF] * 4 + [Tier.SPINE] * 2
