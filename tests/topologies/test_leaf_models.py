"""Leaves of another model for a server group: what all leaves of a fabric share, and what is refused."""

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.model import Intent
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import make_shapes
from fabricgen.plan.wiring import downlinks, uplinks
from fabricgen.summary.counts import counts
from fabricgen.topologies.shape import Shape
from tests.topologies.sites import catalog, plan_of, shape_of, site

RAILS = "design: rail-optimized"


def intent(models: str, topology: str = RAILS, *, leaf: str = "r64", slots: str = "0-31", b: str = "gpu8") -> Intent:
    """A backend of two server groups, `a` on leaves of the fabric's model."""
    return site(
        f"{{backend: {{kind: backend, connects: {{a: nics, b: nics}}, leaf: {{model: {leaf}, os: eos-4.34}}, "
        f"leaf_models: {models}, spine: {{model: r64, os: eos-4.34}}, topology: {{{topology}}}, "
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200999999}}",
        f"{{a: {{model: gpu8, slots: {slots}}}, b: {{model: {b}, slots: {slots}}}}}",
        oob="172.16.0.0/14",
    )


def frontend(leaf: str, other: str, more: str = "") -> Intent:
    return site(
        f"{{frontend: {{kind: frontend, connects: {{a: nics, b: nics}}, leaf: {{model: {leaf}, os: eos-4.34}}, "
        f"leaf_models: {{b: {other}}}, spine: {{model: r64, os: eos-4.34}}, "
        f'topology: {{design: leaf-spine, oversubscription: "3:1"{more}}}, '
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{a: {model: two, slots: 0-23}, b: {model: two, slots: 0-23}}",
    )


def leaves(shape: Shape) -> dict[str, tuple[str, int, int]]:
    """Server group → model, downlinks and uplinks of its leaf."""
    return {group.name: (group.leaf.switch.model, len(group.leaf.down), len(group.leaf.up)) for group in shape.groups}


def problems_of(made: Intent) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as raised:
        make_shapes(made, catalog())
    return raised.value.problems


@pytest.mark.parametrize(
    ("topology", "a", "b"),
    [
        # 1:1 on 64 and on 32 ports are 32 and 16 uplinks; the smaller leaf has no room for 32.
        (RAILS, (16, 16), (16, 16)),
        (f'{RAILS}, oversubscription: "3:1"', (24, 8), (24, 8)),
        (f"{RAILS}, uplinks: 20", (20, 20), (12, 20)),
        (f"{RAILS}, servers_per_unit: {{a: 20, b: 8}}", (20, 20), (8, 20)),
        (f"{RAILS}, servers_per_unit: {{a: 20}}", (20, 20), (12, 20)),
    ],
)
def test_all_leaves_have_as_many_uplinks(topology: str, a: tuple[int, int], b: tuple[int, int]) -> None:
    made = shape_of(intent("{b: r32}", topology))
    assert leaves(made) == {"a": ("r64", *a), "b": ("r32", *b)}
    assert made.links * made.spines == a[1]


def test_a_frontend_with_leaves_of_two_models() -> None:
    """24 ports of 200G and 8 of 400G need 4 uplinks at 3:1; 32 whole ports of 400G carry 200G on 12 of their halves."""
    made = shape_of(frontend("mixed", "r32"))
    assert leaves(made) == {"a": ("mixed", 24, 4), "b": ("r32", 24, 4)}


def test_leaves_without_a_common_speed() -> None:
    (problem,) = problems_of(frontend("mixed", "slow"))
    assert (problem.code, problem.where[-1]) == ("no-common-speed", "leaf_models")
    assert "slow 100G" in problem.why
    assert "r64-800 and" not in problem.what
    # Whole cages of 400G and of 800G: halves of the latter.
    made = shape_of(frontend("r64-800", "r64"))
    assert {group.leaf.up[0].speed_gbps for group in made.groups} == {400}


def test_every_spine_has_as_many_links_to_each_leaf() -> None:
    plan = plan_of(intent("{b: r32}", f"{RAILS}, spines: {{now: 8}}"))
    fabric = plan.fabrics["backend"]
    spines = [place for place in places(fabric) if place.tier is Tier.SPINE]
    lower = [place for place in places(fabric) if place.tier is Tier.LEAF]
    models = {place.group for place in lower}
    assert (len(spines), models) == (8, {"a", "b"})
    for leaf in lower:
        ends = [link.upper for link in uplinks(fabric, leaf)]
        assert sorted(ends) == sorted(spines * 2)
    for spine in spines:
        assert sorted(link.lower for link in downlinks(fabric, spine)) == sorted(lower * 2)
    assert name_of(fabric, Place("backend", Tier.LEAF, "b", 0, 0, 0, 0, 0)) in {name_of(fabric, leaf) for leaf in lower}


@pytest.mark.parametrize(
    ("made", "code", "where", "told"),
    [
        (intent("{c: r32}"), "unknown-name", ("leaf_models", "c"), "c is not a server group of backend"),
        (intent("{b: r33}"), "unknown-name", ("leaf_models", "b"), "did you mean r32?"),
        (intent("{b: slow}"), "no-port-of-speed", ("leaf_models", "b"), "slow has no 400G ports"),
        (
            intent("{b: r16}", f"{RAILS}, servers_per_unit: {{a: 20, b: 1}}"),
            *("leaf-too-small", ("leaf_models", "b"), "write leaf_models.b: r32 or r64, or smaller numbers"),
        ),
        (
            intent("{b: r32}", f"{RAILS}, servers_per_unit: {{a: 20, b: 20}}"),
            *("unit-too-large", ("topology", "servers_per_unit"), "choose a leaf_models.b with more ports"),
        ),
        (
            intent("{b: r32}", f"{RAILS}, uplinks: 32"),
            *("uplinks-impossible", ("topology", "uplinks"), "a leaf r64 or r32 cannot have 32 uplinks"),
        ),
    ],
)
def test_what_cannot_be_is_told_at_the_group(made: Intent, code: str, where: tuple[str, ...], told: str) -> None:
    (problem,) = problems_of(made)
    assert (problem.code, problem.where) == (code, ("fabrics", "backend", *where))
    assert told in f"{problem.what} {problem.fix}"


def test_groups_of_different_ratios_share_the_spines() -> None:
    """Per pod 8 leaves of 32 down and 16 up, and 8 of 8 down and 16 up; 8 spines of 16 ports up.

    Leaves send 8 x 16 + 8 x 8 = 192 links' worth to 128: 1.5:1, and so 2 x 1.5 = 3:1 for the servers of the first.
    """
    topology = (
        f'{RAILS}, servers_per_unit: {{a: 32, b: 8}}, oversubscription: "2:1", spine_oversubscription: "2:1", '
        "units_per_pod: 1, spines: {now: 8}"
    )
    made = site(
        "{backend: {kind: backend, connects: {a: nics, b: nics}, leaf: {model: r64, os: eos-4.34}, "
        "leaf_models: {b: r32}, spine: {model: r64, os: eos-4.34}, superspine: {model: r64, os: eos-4.34}, "
        f"topology: {{{topology}}}, addressing: {{ipv4: 10.0.0.0/8}}, asns: 4200000000-4200999999}}}}",
        "{a: {model: gpu8, slots: 0-63}, b: {model: gpu8, slots: 0-15}}",
        oob="172.16.0.0/14",
    )
    plan = plan_of(made)
    found = counts(plan, plan.fabrics["backend"])
    assert (found.pods, found.spine_down, found.spine_up) == (2, "32 x 400G", "16 x 400G")
    assert {line.group: line.ratio for line in found.groups} == {"a": 2, "b": 0.5}
    assert found.spine_ratio == 2
    assert found.end_to_end == found.end_to_end_full == pytest.approx(3)
