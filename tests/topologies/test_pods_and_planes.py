"""Pods, superspines, planes, pairs of leaves and mixed speeds: what the intent's keys make, and what is refused."""

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.ports import ports
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.plan import make_shapes
from fabricgen.topologies.shape import Shape
from fabricgen.topologies.upper import split_panel
from tests.topologies.sites import backend, catalog, pairs, problem_of, shape_of, site

RAILS = "design: rail-optimized"
BOTH = "{a: {model: gpu8, slots: 0-63}, b: {model: gpu8-800, slots: 0-63}}"


def generations(topology: str, servers: str = BOTH, core: str = "") -> Intent:
    """Backend of two server groups, 400G and 800G, on 64 cages of 800G."""
    above = f"superspine: {{model: {core}, os: eos-4.34}}, " if core else ""
    return site(
        "{backend: {kind: backend, connects: {a: nics, b: nics}, leaf: {model: r64-800, os: eos-4.34}, "
        f"spine: {{model: r64-800, os: eos-4.34}}, {above}topology: {{{topology}}}, "
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        servers,
        oob="172.16.0.0/14",
    )


def problems_of(intent: Intent) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as raised:
        make_shapes(intent, catalog())
    return raised.value.problems


def test_a_spine_is_split_as_a_leaf_is() -> None:
    """64 ports at 3:1 are 48 and 16 at most; 4 units of 8 leaves have 32 links to a spine: 11 up, even: 12."""
    topology = f'{RAILS}, units_per_pod: 4, spine_oversubscription: "3:1", spines: {{now: 32}}'
    made = shape_of(backend(topology, "0-511", core="r64"))
    assert made.spine is not None
    assert (len(made.spine.down), len(made.spine.up)) == (36, 12)
    assert not {port.number for port in made.spine.down} & {port.number for port in made.spine.up}
    # Four pods: 4 x 12 / C within 64 ports of a superspine, so that one is enough.
    assert (made.cores, made.core_links, made.spine_ratio) == (1, 12, (3, 1))


def test_no_cage_of_a_spine_looks_both_ways() -> None:
    """128 ports of 400G in 64 cages at 2:1: 85 down would leave 43 in 21 cages. 84 and 42, with a cage to spare."""
    panel = catalog().switches["r64-800"]
    assert split_panel(panel, ports(panel, 400), Ratio(2, 1)) == (84, 42)
    topology = f'{RAILS}, uplink_gbps: 400, units_per_pod: 1, spine_oversubscription: "2:1", spines: {{now: 8}}'
    made = shape_of(backend(topology, "0-63", leaf="r128", spine="r64-800", core="r64-800"))
    assert made.spine is not None
    # 8 leaves with 8 links to each spine ask for 32.
    assert (len(made.spine.down), len(made.spine.up)) == (64, 32)
    assert not {port.cage for port in made.spine.down} & {port.cage for port in made.spine.up}
    assert made.legal_cores(1) == (1, 2, 4, 8, 16, 32)


@pytest.mark.parametrize(("now", "planned", "links"), [(2, 2, 16), (4, 8, 8), (8, 8, 4), (32, 32, 1)])
def test_superspines_now_and_planned(now: int, planned: int, links: int) -> None:
    topology = f"{RAILS}, units_per_pod: 4, superspines: {{now: {now}, planned: {planned}}}"
    made = shape_of(backend(topology, "0-511", core="r64"))
    assert (made.cores, made.cores_planned, made.core_links) == (now, planned, links)


@pytest.mark.parametrize(
    ("superspines", "binds", "fix"),
    [
        ("{now: 3}", "32 uplinks cannot be spread evenly over 3", "write now: 2 or 4 or 8 or 16 or 32"),
        (
            "{now: 1}",
            "4 spines with 32 uplinks each, over 1 superspine, need 128 ports on each superspine, and a "
            "superspine has 64",
            "write now: 2 or 4 or 8 or 16 or 32",
        ),
        ("{now: 4, planned: 6}", "32 uplinks cannot be spread evenly over 6", "write planned: 4 or 8 or 16 or 32"),
        (
            "{now: 3, planned: 6}",
            "32 uplinks cannot be spread evenly over 6",
            "write topology.superspines: {now: 2, planned: 4}",
        ),
        ("{now: 8, planned: 4}", "reserved for 4", "write now: 4, or planned: 8"),
    ],
)
def test_superspines_that_can_not_be(superspines: str, binds: str, fix: str) -> None:
    """Four pods of 32 uplinks a spine, 64 ports a superspine: 2, 4, 8, 16 and 32."""
    problem = problem_of(backend(f"{RAILS}, units_per_pod: 4, superspines: {superspines}", "0-511", core="r64"))
    assert problem.code == "illegal-spine-count"
    assert problem.where[:4] == ("fabrics", "backend", "topology", "superspines")
    assert binds in problem.why
    assert problem.fix == fix


def test_more_pods_than_a_superspine_has_ports() -> None:
    problem = problem_of(backend(f"{RAILS}, units_per_pod: 4", "0-8319", core="r64"))
    assert problem.code == "too-many-pods"
    assert "has 64 ports: 64 pods at most, whatever the number of superspines" in problem.why
    assert shape_of(backend(f"{RAILS}, units_per_pod: 4", "0-8191", core="r64")).pods == 64


def test_a_pod_with_more_leaves_than_a_spine_has_ports() -> None:
    problem = problem_of(backend(f"{RAILS}, units_per_pod: 5", "0-511", core="r64"))
    assert problem.code == "too-many-leaves"
    assert "has 32 ports to leaves: 32 leaves at most" in problem.why
    assert problem.fix.startswith("write units_per_pod: 4, or spine.model: r128")


def test_a_larger_spine_has_ports_for_both_sides() -> None:
    """72 leaves want 72 of 144 ports: a spine of 128 is larger than 72, and has 64."""
    problem = problem_of(backend(f"{RAILS}, units_per_pod: 9", "0-511", core="r64"))
    assert problem.fix == "write units_per_pod: 4, or spine.model: r220 or r144"
    assert shape_of(backend(f"{RAILS}, units_per_pod: 9", "0-511", spine="r220", core="r64")).pods == 2


@pytest.mark.parametrize(("borders", "is_possible"), [(15, False), (6, True)])
def test_fewer_border_leaves_where_a_pod_can_not_be_smaller(borders: int, is_possible: bool) -> None:
    """8 ports of each spine down: a pod of one pair has room for 6 border leaves."""
    front = pairs("mixed", "r16", "3:1", "0-63", borders=borders, extra="superspine: {model: r16, os: eos-4.34}, ")
    topology = front.fabrics["frontend"].topology.model_copy(update={"units_per_pod": 1})
    fabric = front.fabrics["frontend"].model_copy(update={"topology": topology})
    made = front.model_copy(update={"fabrics": {"frontend": fabric}})
    if is_possible:
        assert shape_of(made).borders == 6
    else:
        assert problem_of(made).fix.startswith("write border_leaves: 6, or spine.model: r64")


def test_a_smaller_pod_wants_its_own_count_of_spines() -> None:
    """32 leaves under spines with 32 ports down: one link a pair, so as many spines as uplinks."""
    told = backend(f"{RAILS}, units_per_pod: 9, spines: {{now: 8}}", "0-511", core="r64")
    assert problem_of(told).fix.startswith("write units_per_pod: 4 with spines.planned: 32, or")
    mended = backend(f"{RAILS}, units_per_pod: 4, spines: {{now: 8, planned: 32}}", "0-511", core="r64")
    assert shape_of(mended).spines_planned == 32


@pytest.mark.parametrize(
    ("topology", "core", "spine", "code", "where"),
    [
        (f"{RAILS}", "r64", "r64", "units-per-pod", "topology"),
        (f"{RAILS}, units_per_pod: 4", "", "r64", "no-superspine", "units_per_pod"),
        (f"{RAILS}, superspines: {{now: 2}}", "", "r64", "no-superspine", "superspines"),
        (f"{RAILS}, spine_uplinks: 2", "", "r64", "no-superspine", "spine_uplinks"),
        (f'{RAILS}, spine_oversubscription: "2:1"', "", "r64", "no-superspine", "spine_oversubscription"),
        (f"{RAILS}, units_per_pod: 4", "r64", "", "no-spine", "superspine"),
        ("design: rail-only, spines: {now: 2}", "", "", "no-spine", "spines"),
        (f"{RAILS}, rails_per_plane: 1", "", "", "no-spine", "rails_per_plane"),
        (f'{RAILS}, oversubscription: "2:1"', "", "", "no-spine", "oversubscription"),
        (f"{RAILS}, uplink_gbps: 400", "", "", "no-spine", "uplink_gbps"),
        (f"{RAILS}, spines: {{now: 2}}", "", "", "no-spine", "spines"),
        (f"{RAILS}, uplinks: 8", "", "", "no-spine", "uplinks"),
        (f"{RAILS}, uplink_gbps: 300", "", "r64", "no-port-of-speed", "model"),
        (f'{RAILS}, units_per_pod: 1, spine_oversubscription: "1:2"', "r16", "r2", "ratio-impossible", "spine_"),
        (f"{RAILS}, servers_per_unit: 33", "", "r64", "unit-too-large", "servers_per_unit"),
        (f"{RAILS}, planes: 2", "", "r64", "nic-slices", "planes"),
        (f"{RAILS}, leaves_per_rail: 2", "", "r64", "nic-slices", "leaves_per_rail"),
    ],
)
def test_keys_without_a_meaning_are_refused(topology: str, core: str, spine: str, code: str, where: str) -> None:
    (problem,) = problems_of(backend(topology, "0-15", core=core, spine=spine))
    assert problem.code == code
    assert str(problem.where[-1]).startswith(where)


def test_a_unit_that_is_too_large_says_how_large_it_may_be() -> None:
    problem = problem_of(backend(f"{RAILS}, servers_per_unit: 33", "0-15"))
    assert problem.fix == "write servers_per_unit: 32, or choose a leaf.model with more ports"
    assert shape_of(backend(f"{RAILS}, servers_per_unit: 32", "0-15")).groups[0].slots_a_unit == 32
    assert problem.what == "33 servers of train do not fit in a unit: a leaf r64 has ports for 32"


def test_a_smaller_unit_has_only_the_uplinks_that_it_needs() -> None:
    leaf = shape_of(backend(f"{RAILS}, servers_per_unit: 18", "0-35")).groups[0].leaf
    assert (len(leaf.down), len(leaf.up), len(leaf.spare)) == (18, 18, 64 - 36)


def test_uplinks_are_as_many_as_asked_for() -> None:
    """Of 64 ports 18 are for the servers of a unit: at 2:1 they need 9 uplinks, and 46 ports are left."""
    unit = f'{RAILS}, servers_per_unit: 18, oversubscription: "2:1"'
    (least,) = shape_of(backend(unit, "0-35")).groups
    assert len(least.leaf.up) == 9
    for uplinks in (9, 12, 46):
        (group,) = shape_of(backend(f"{unit}, uplinks: {uplinks}", "0-35")).groups
        assert (len(group.leaf.down), len(group.leaf.up), len(group.leaf.spare)) == (18, uplinks, 46 - uplinks)
    for uplinks, why in ((8, "need at least 9 within the ratio"), (47, "there is room for 46")):
        problem = problem_of(backend(f"{unit}, uplinks: {uplinks}", "0-35"))
        assert (problem.code, problem.where[-1]) == ("uplinks-impossible", "uplinks")
        assert problem.why.endswith(why)
        assert problem.fix == "write uplinks: 9 to 46, or remove uplinks"


def test_a_unit_is_what_its_uplinks_carry_where_the_intent_gives_no_number() -> None:
    (group,) = shape_of(backend(f'{RAILS}, oversubscription: "3:1", uplinks: 4', "0-11")).groups
    assert (len(group.leaf.down), len(group.leaf.up)) == (12, 4)


@pytest.mark.parametrize(
    ("planes", "told"),
    [(3, "a NIC of train cannot be divided into 3"), (16, "write planes: 1 or 2 or 4 or 8, or connect")],
)
def test_planes_that_the_nic_does_not_know(planes: int, told: str) -> None:
    problem = problem_of(backend(f"{RAILS}, planes: {planes}", "0-15", model="gpu8-slices"))
    assert problem.code == "nic-slices"
    assert told in f"{problem.what} {problem.fix}"


def test_planes_and_pairs_of_leaves_together() -> None:
    """A NIC of 800G in four: two planes, and in each a port on both leaves of a pair."""
    made = shape_of(backend(f"{RAILS}, planes: 2, leaves_per_rail: 2", "0-15", model="gpu8-slices"))
    (group,) = made.groups
    assert (made.planes, group.indexes, len(group.nics.ports)) == (2, 2, 16)
    assert (group.nics.speed_gbps // group.nics.planes, group.leaf.down[0].speed_gbps) == (200, 200)
    problem = problem_of(backend(f"{RAILS}, planes: 8, leaves_per_rail: 2", "0-15", model="gpu8-slices"))
    assert problem.fix == "write planes: 1 or 2 or 4, or leaves_per_rail: 1"


def test_halves_share_the_cage_of_their_nic() -> None:
    nics = shape_of(backend(f"{RAILS}, leaves_per_rail: 2", "0-15", model="gpu8-slices")).groups[0].nics
    assert [(port.name, port.rail, port.cage) for port in nics.ports[:3]] == [
        ("nic0/0", 0, "nic0"), ("nic0/1", 0, "nic0"), ("nic1/0", 1, "nic1"),
    ]  # fmt: skip
    assert nics.speed_gbps == 400


@pytest.mark.parametrize("per_leaf", [1, 2, 4, 8])
def test_any_divisor_of_the_rails_shares_a_leaf(per_leaf: int) -> None:
    (group,) = shape_of(backend(f"{RAILS}, rails_per_leaf: {per_leaf}", "0-3")).groups
    assert (group.rails, group.slots_a_unit) == (8 // per_leaf, 32 // per_leaf)
    assert {column.rail for column in group.columns} == set(range(8 // per_leaf))


@pytest.mark.parametrize("per_leaf", [3, 5, 16])
def test_other_numbers_of_rails_are_refused(per_leaf: int) -> None:
    problem = problem_of(backend(f"{RAILS}, rails_per_leaf: {per_leaf}", "0-3"))
    assert problem.code == "odd-rails"
    assert "write rails_per_leaf: 1 or 2 or 4 or 8" in problem.fix


def test_a_tor_takes_all_rails() -> None:
    (group,) = shape_of(backend("design: tor", "0-7")).groups
    assert (group.rails, group.slots_a_unit, group.planned) == (1, 4, 2)
    assert [column[:3] for column in group.columns] == [(0, 0, row) for row in range(8)]


@pytest.mark.parametrize(("ratio", "down", "up"), [("1:1", 32, 32), ("2:1", 42, 21), ("3:1", 48, 16), ("8:9", 30, 34)])
def test_an_oversubscribed_backend(ratio: str, down: int, up: int) -> None:
    """R = 64: D = floor(R o / (1 + o)), U = ceil(D / o)."""
    leaf = shape_of(backend(f'{RAILS}, oversubscription: "{ratio}", spines: {{now: {up}}}', "0-3")).groups[0].leaf
    assert (len(leaf.down), len(leaf.up)) == (down, up)


@pytest.mark.parametrize(("uplink", "up"), [(400, 64), (800, 32)])
def test_generations_share_their_uplinks(uplink: int, up: int) -> None:
    """51.2T a leaf: 64 x 400G or 32 x 800G down in the first half of the cages, the other half up on either."""
    made = make_shapes(generations(f"{RAILS}, uplink_gbps: {uplink}"), catalog())["backend"]
    old, new = made.groups
    assert [(len(g.leaf.down), g.leaf.down[0].speed_gbps, len(g.leaf.up)) for g in (old, new)] == [
        (64, 400, up), (32, 800, up),
    ]  # fmt: skip
    assert old.leaf.up == new.leaf.up
    assert (old.slots_a_unit, new.slots_a_unit) == (64, 32)
    cages = {port.cage for port in old.leaf.up}
    assert not cages & {port.cage for group in made.groups for port in group.leaf.down}
    # 8 leaves of the one, 16 of the other.
    assert (made.spines * made.links, 24 * made.links <= 64 * 800 // uplink) == (up, True)


def test_generations_do_not_guess_the_speed_of_their_uplinks() -> None:
    """What is not written would change when a faster generation comes, and with it every cable that stands."""
    (problem,) = problems_of(generations(RAILS))
    assert problem.code == "mixed-speeds"
    assert "write topology.uplink_gbps: 400 or 800" in problem.fix


def test_units_of_a_pod_by_group() -> None:
    topology = f"{RAILS}, uplink_gbps: 800, units_per_pod: {{a: 1, b: 2}}"
    made = make_shapes(generations(topology, core="r64-800"), catalog())["backend"]
    assert {group.name: (group.units_a_pod, group.planned) for group in made.groups} == {"a": (1, 1), "b": (2, 2)}
    assert made.pods == 1
    more = "{a: {model: gpu8, slots: 0-63, planned: 192}, b: {model: gpu8-800, slots: 0-63}}"
    made = make_shapes(generations(topology, more, core="r64-800"), catalog())["backend"]
    assert (made.pods, {group.name: group.planned for group in made.groups}) == (3, {"a": 3, "b": 6})


@pytest.mark.parametrize(
    ("mapping", "code", "told"),
    [
        ("{a: 1}", "units-per-pod", "does not have b"),
        ("{a: 1, b: 1, c: 1}", "unknown-name", "c is not a server group of backend"),
    ],
)
def test_every_group_has_units_in_the_pods(mapping: str, code: str, told: str) -> None:
    topology = f"{RAILS}, uplink_gbps: 800, units_per_pod: {mapping}"
    (problem,) = problems_of(generations(topology, core="r64-800"))
    assert problem.code == code
    assert told in problem.what


def frontend(topology: str, slots: str) -> Shape:
    return shape_of(
        site(
            "{frontend: {kind: frontend, connects: {train: nics}, leaf: {model: mixed, os: eos-4.34}, "
            "spine: {model: r32, os: eos-4.34}, superspine: {model: r32, os: eos-4.34}, "
            f'topology: {{design: leaf-spine, oversubscription: "3:1", {topology}}}, '
            "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
            f"{{train: {{model: two, slots: {slots}}}}}",
        )
    )


def test_a_frontend_of_three_tiers() -> None:
    """Pods of four pairs, and two border leaves in the first: ten leaves a pod at most under 16 ports of a spine."""
    made = frontend("border_leaves: 2, units_per_pod: 4", "0-191")
    (group,) = made.groups
    assert (made.tiers, made.pods, group.units_a_pod, made.borders) == (3, 2, 4, 2)
    assert made.spine is not None
    assert (len(made.spine.down), made.spines, made.links, made.cores, made.core_links) == (10, 4, 1, 1, 10)
    assert len(group.leaf.down) * 200 <= 3 * len(group.leaf.up) * 400


def test_a_storage_fabric_beside_a_frontend() -> None:
    """A second frontend with numbers of its own; the same servers may be on both."""
    text = (
        "kind: frontend, leaf: {model: mixed, os: eos-4.34}, spine: {model: r32, os: eos-4.34}, "
        "asns: 42000%s0000-42000%s9999, addressing: {ipv4: 10.%s.0.0/16}, prefix: %s, "
    )
    intent = site(
        "{frontend: {" + text % (1, 1, 1, "fe") + 'connects: {train: nics}, topology: {design: leaf-spine, '
        'oversubscription: "3:1"}}, storage: {' + text % (2, 2, 2, "st") + "connects: {train: nics, store: nics}, "
        'topology: {design: leaf-spine, oversubscription: "1:1"}}}',
        "{train: {model: two, slots: 0-23}, store: {model: two, slots: 0-7}}",
    )  # fmt: skip
    made = make_shapes(intent, catalog())
    assert {name: (len(shape.groups), shape.ratio) for name, shape in made.items()} == {
        "frontend": (1, (3, 1)), "storage": (2, (1, 1)),
    }  # fmt: skip
    leaf = made["storage"].groups[0].leaf
    assert len(leaf.down) * 200 <= len(leaf.up) * 400
