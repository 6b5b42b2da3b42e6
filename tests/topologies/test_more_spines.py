"""Leaf-spine fabrics on any number of spines: uplinks, ports and what is reserved, worked out by hand.

The panel "mixed" has 24 cages of 200G, 1-24, and 8 of 400G, 25-32. At 3:1 24 servers' ports of 4,800G ask for 1,600G:
four uplinks, cages 29-32. The other four of 400G are free: for more uplinks, the highest first.
"""

import pytest

from fabricgen.errors import FabricError
from fabricgen.topologies import make_shape
from fabricgen.topologies.arithmetic import legal_spines, uplinks_on
from fabricgen.topologies.request import make_request
from fabricgen.topologies.shape import Chassis, Shape, with_spines
from tests.topologies.sites import catalog, pairs, problem_of, rail, shape_of

BASE, MORE = [29, 30, 31, 32], [28, 27, 26, 25]


def mixed(spines: str, *, borders: int = 0, slots: str = "0-23", spine: str = "r32", extra: str = "") -> Shape:
    return shape_of(pairs("mixed", spine, "3:1", slots, spines=spines, borders=borders, extra=extra))


def cages(chassis: Chassis) -> tuple[list[int], list[int], list[int]]:
    """Cages of the uplinks in use, of those reserved, and of the spares."""
    up, reserved, spare = ([port.cage for port in ports] for ports in (chassis.up, chassis.reserved, chassis.spare))
    return up, reserved, spare


@pytest.mark.parametrize(
    ("now", "uplinks", "links"),
    [(1, 4, 4), (2, 4, 2), (3, 6, 2), (4, 4, 1), (5, 5, 1), (6, 6, 1), (7, 7, 1), (8, 8, 1)],
)
def test_uplinks_are_the_smallest_multiple_that_keeps_the_ratio(now: int, uplinks: int, links: int) -> None:
    """The smallest multiple of the spines that is at least 4; 8 are laid out for the 8 planned."""
    made = mixed(f"{{now: {now}, planned: 8}}")
    leaf = made.groups[0].leaf
    assert (len(leaf.up), made.links, made.spines, made.uplinks_laid) == (uplinks, links, now, 8)
    assert cages(leaf) == ((BASE + MORE)[:uplinks], (BASE + MORE)[uplinks:], [])
    assert [port.cage for port in leaf.down] == list(range(1, 25)), "no server moves"
    assert sum(port.speed_gbps for port in leaf.down) <= 3 * sum(port.speed_gbps for port in leaf.up)


def test_ports_are_reserved_for_the_planned_spines_and_no_more() -> None:
    assert cages(mixed("{now: 4, planned: 6}").groups[0].leaf) == (BASE, [28, 27], [26, 25])
    assert cages(mixed("{now: 5}").groups[0].leaf) == ([*BASE, 28], [], [27, 26, 25])


@pytest.mark.parametrize("spines", ["", "{now: 4}", "{now: 2, planned: 4}", "{now: 2}"])
def test_numbers_of_spines_that_divide_the_uplinks_change_nothing(spines: str) -> None:
    """Left out, or divisors of the four: the ports of before, and the spares of before."""
    assert cages(mixed(spines).groups[0].leaf) == (BASE, [], MORE)


def test_border_leaves_have_as_many() -> None:
    """Outside ports are the 200G cages and those of 400G are uplinks or nothing: 25-28 of them as on a leaf."""
    made = mixed("{now: 5, planned: 8}", borders=2)
    assert made.border is not None
    assert cages(made.border) == ([*BASE, 28], [27, 26, 25], [])
    assert [port.cage for port in made.border.down] == list(range(1, 25))


def test_a_border_leaf_of_one_speed_gives_outside_ports_from_the_highest_down() -> None:
    """16 cages of 400G: four of them up and twelve outside; with eight up, outside 1-8 keep their numbers."""
    extra = "border: {model: r16, os: eos-4.34}, "
    before = mixed("{now: 4}", borders=1, extra=extra).border
    after = mixed("{now: 4, planned: 8}", borders=1, extra=extra).border
    assert before is not None
    assert after is not None
    assert [port.cage for port in before.up] == [port.cage for port in after.up] == [13, 14, 15, 16]
    assert [port.cage for port in after.reserved] == [12, 11, 10, 9]
    assert after.down == before.down[: len(after.down)]
    assert {port.cage for port in after.down} == set(range(1, 9))


def test_another_number_of_spines_of_the_same_fabric() -> None:
    """`with_spines` makes of a shape what the intent with that number makes."""
    made = {now: mixed(f"{{now: {now}, planned: 8}}", borders=2) for now in range(1, 9)}
    for one in made.values():
        for now, other in made.items():
            assert with_spines(one, now) == other


def test_planned_spines_past_the_ports() -> None:
    problem = problem_of(pairs("mixed", "r32", "3:1", "0-23", spines="{now: 4, planned: 9}"))
    assert problem.code == "illegal-spine-count"
    assert problem.where[-1] == "planned"
    assert "9 uplinks per leaf, which has room for 8" in problem.why
    assert problem.fix == "write planned: 4 or 5 or 6 or 7 or 8"
    assert mixed("{now: 4, planned: 7}").uplinks_laid == 7


def test_a_panel_without_ports_to_spare() -> None:
    """24 x 200G and 2 x 400G at 6:1: two uplinks, and nothing is left for a third."""
    problem = problem_of(pairs("two-uplinks", "r32", "6:1", "0-23", spines="{now: 2, planned: 3}"))
    assert problem.code == "illegal-spine-count"
    assert "2 uplinks cannot be spread evenly over 3" in problem.why
    assert problem.fix == "write planned: 2"


def test_standing_spines_that_need_more_than_is_laid_out() -> None:
    """Four planned: four uplinks are laid out. Three spines would need six."""
    problem = problem_of(pairs("mixed", "r32", "3:1", "0-23", spines="{now: 3, planned: 4}"))
    assert problem.where[-1] == "now"
    assert "4 uplinks cannot be spread evenly over 3" in problem.why
    assert problem.fix == "write now: 1 or 2 or 4"
    # Seven planned: seven are laid out. At 6 uplinks asked (2:1), four spines would need eight.
    problem = problem_of(pairs("mixed", "r32", "2:1", "0-23", spines="{now: 4, planned: 7}"))
    assert problem.where[-1] == "now"
    assert "8 uplinks per leaf, which has room for 7" in problem.why
    assert problem.fix == "write now: 1 or 2 or 3 or 6 or 7"
    assert shape_of(pairs("mixed", "r32", "2:1", "0-23", spines="{now: 6, planned: 7}")).links == 1


def test_spines_with_too_few_ports_for_two_links_a_pair() -> None:
    """Three spines: two links a pair, and 18 leaves then need 36 of 32 ports."""
    problem = problem_of(pairs("mixed", "r32", "3:1", "0-215", spines="{now: 3}"))
    binds = "18 leaves with 6 uplinks each, over 3 spines, need 36 ports on each spine, and a spine has 32"
    assert binds in problem.why
    assert problem.fix == "write now: 4 or 5 or 6 or 7 or 8"


def test_a_border_leaf_without_ports_for_the_planned_spines() -> None:
    extra = "border: {model: two-uplinks, os: eos-4.34}, "
    intent = pairs("mixed", "r32", "6:1", "0-23", borders=1, spines="{now: 2, planned: 4}", extra=extra)
    problem = problem_of(intent)
    assert problem.code == "border-ports"
    assert "has 2 unsplit 400G cages, and the leaves have 4 uplinks" in problem.what
    fewer = pairs("mixed", "r32", "6:1", "0-23", borders=1, spines="{now: 2}", extra=extra)
    assert shape_of(fewer).links == 1


def test_a_rail_optimized_fabric_has_no_ports_to_reserve() -> None:
    """1:1: the other half of the ports is all that there is, and only its divisors stand."""
    made = shape_of(rail("r128", "r128", "0-31", per_leaf=2, spines="{now: 4, planned: 16}"))
    assert (made.uplinks_asked, made.uplinks_laid, made.groups[0].leaf.reserved) == (64, 64, ())
    with pytest.raises(FabricError):
        shape_of(rail("r128", "r128", "0-31", per_leaf=2, spines="{now: 5, planned: 16}"))


@pytest.mark.parametrize("least", range(1, 13))
@pytest.mark.parametrize("most", [0, 4, 8, 12, 17])
def test_legal_counts_with_room_for_more_uplinks(least: int, most: int) -> None:
    """By trying every number of uplinks up to what there is room for."""
    leaves, ports = 10, 32
    room = max(least, most)
    for spines in range(1, room + 2):
        even = [up for up in range(least, room + 1) if up % spines == 0]
        is_legal = bool(even) and leaves * even[0] // spines <= ports
        assert (spines in legal_spines(leaves, least, ports, most)) == is_legal
        if even:
            assert uplinks_on(spines, least) == even[0]


def test_a_group_more_does_not_move_the_uplinks_of_the_others() -> None:
    """Leaves of one port speed each: what is reserved on one group's leaf follows from its own panel and the ratio."""
    one = pairs("mixed", "r32", "3:1", "0-23", spines="{now: 5, planned: 8}")
    fabric = one.fabrics["frontend"]
    servers = {**one.servers, "more": one.servers["train"]}
    both = fabric.model_copy(update={"connects": {"train": "nics", "more": "nics"}})
    shapes = [make_shape(make_request("frontend", each, servers, catalog())) for each in (fabric, both)]
    leaves = [next(group.leaf for group in shape.groups if group.name == "train") for shape in shapes]
    assert leaves[0] == leaves[1]
