"""Rails with planes of their own: which NIC is on which plane and leaf, what differs from slices, what is refused."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.checks.cabling.cabling import cable_ends, even_links, planes_disjoint, ports_once
from fabricgen.checks.cabling.rails import rails
from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import host_ports, uplinks
from tests.checks.searching import State, problems_in, recorded, written
from tests.topologies.sites import backend, plan_of, problem_of, shape_of, site
from tests.typing_remedies import apply, choices

RAILS = "design: rail-optimized"
MADE = ("dgx-b200", "eos-4.34")


def joined(plan: FabricPlan) -> list[set[Place]]:
    """Switches by the cables between them."""
    found: list[set[Place]] = []
    for place in places(plan):
        group = {place, *(link.upper for link in uplinks(plan, place))}
        for other in [other for other in found if other & group]:
            found.remove(other)
            group |= other
        found.append(group)
    return found


def nics_of(plan: FabricPlan, switches: set[Place]) -> set[tuple[int, int]]:
    """Rail and slice of the NIC ports at these switches, as the hardware file numbers them."""
    (group,) = plan.shape.groups
    return {
        (group.nics.ports[host.nic].rail, place.plane - group.columns[host.nic].plane)
        for place in switches
        if place.tier is Tier.LEAF
        for host in host_ports(plan, place)
    }


@pytest.mark.parametrize(
    ("topology", "wanted"),
    [
        (f"{RAILS}, rails_per_plane: 1", [{(rail, 0)} for rail in range(8)]),
        ("design: rail-only", [{(rail, 0)} for rail in range(8)]),
        (f"{RAILS}, rails_per_plane: 2, rails_per_leaf: 2", [{(2 * pair, 0), (2 * pair + 1, 0)} for pair in range(4)]),
        (
            f"{RAILS}, rails_per_plane: 4, rails_per_leaf: 2",
            [{(4 * half + at, 0) for at in range(4)} for half in (0, 1)],
        ),
        (f"{RAILS}, rails_per_plane: 1, planes: 2", [{(rail, part)} for rail in range(8) for part in range(2)]),
        (
            f"{RAILS}, rails_per_plane: 4, planes: 2",
            [{(4 * half + at, part) for at in range(4)} for half in range(2) for part in range(2)],
        ),
        (f"{RAILS}, rails_per_plane: 1, leaves_per_rail: 2", [{(rail, 0)} for rail in range(8)]),
        (f"{RAILS}, rails_per_plane: 8", [{(rail, 0) for rail in range(8)}]),
    ],
)
def test_the_cables_make_the_planes(topology: str, wanted: list[set[tuple[int, int]]]) -> None:
    """What is joined by cables between switches has the NICs of one plane, and is numbered in this order."""
    plan = plan_of(backend(topology, "0-40", model="gpu8-slices", leaf="r64-800", spine="r64-800"))
    fabric = plan.fabrics["backend"]
    parts = sorted(joined(fabric), key=lambda part: min(place.plane for place in part))
    assert [nics_of(fabric, part) for part in parts] == wanted
    assert [{place.plane for place in part} for part in parts] == [{at} for at in range(len(wanted))]
    assert fabric.shape.planes == len(wanted)
    for check in (even_links, planes_disjoint, cable_ends, ports_once, rails):
        assert list(check(plan)) == []


def test_a_plane_of_rails_is_a_smaller_fabric() -> None:
    """64 leaves of eight rails under one set of spines, or eight leaves of one rail under each of eight sets."""
    one, eight = (shape_of(backend(f"{RAILS}{more}", "0-255")) for more in ("", ", rails_per_plane: 1"))
    assert (one.planes, one.groups[0].rails, one.spines, one.groups[0].slots_a_unit) == (1, 8, 32, 32)
    assert (eight.planes, eight.groups[0].rails, eight.spines, eight.groups[0].slots_a_unit) == (8, 1, 4, 32)


@pytest.mark.parametrize(
    ("keys", "fix"),
    [
        ({"rails_per_plane": 3}, "write topology.rails_per_plane: 2, or topology.rails_per_plane: 4"),
        ({"rails_per_plane": 16}, "write topology.rails_per_plane: 8, or topology.rails_per_plane: 4"),
        (
            {"rails_per_plane": 1, "rails_per_leaf": 2},
            "write topology.rails_per_plane: 2, or topology.rails_per_plane: 4",
        ),
    ],
)
def test_planes_that_cannot_be_are_refused_where_they_are_written(
    keys: dict[str, object], fix: str, tmp_path: Path
) -> None:
    """The place is the key's own, and each choice of the fix is typed back."""
    document: dict[str, Any] = yaml.safe_load(written(*MADE))
    document["fabrics"]["backend"]["topology"].update(keys)
    found = problems_in(tmp_path)
    (problem,) = found(State(document, None))
    assert (problem.code, problem.fix) == ("rail-planes", fix)
    assert problem.where == ("fabrics", "backend", "topology", "rails_per_plane")
    assert problem.at is not None
    line = Path(problem.at.file).read_text().splitlines()[problem.at.line - 1]
    assert line[problem.at.column - 1 :].startswith(("rails_per_plane", str(keys["rails_per_plane"])))
    for remedy in choices(problem.fix).typed:
        assert found(State(apply(document, problem, remedy), None)) == (), remedy


@pytest.mark.parametrize("design", ["tor", "rail-only"])
def test_the_key_is_of_rail_optimized_alone(design: str, tmp_path: Path) -> None:
    """The switch of a rack has all rails; rail-only has a plane per rail anyway."""
    document: dict[str, Any] = yaml.safe_load(written(*MADE))
    document["fabrics"]["backend"]["topology"].update(design=design, rails_per_plane=1)
    (problem,) = problems_in(tmp_path)(State(document, None))
    assert (problem.code, problem.where[-1]) == ("unknown-key", "rails_per_plane")
    assert problem.fix == f"remove it: it is a key of rail-optimized, not of {design}"


def test_a_key_without_spines_is_refused() -> None:
    problem = problem_of(backend(f"{RAILS}, rails_per_plane: 1", "0-15", spine=""))
    assert (problem.code, problem.where[-1]) == ("no-spine", "rails_per_plane")


def test_server_groups_have_the_same_planes() -> None:
    intent = site(
        "{backend: {kind: backend, connects: {a: nics, b: nics}, leaf: {model: r64, os: eos-4.34}, "
        f"spine: {{model: r64, os: eos-4.34}}, topology: {{{RAILS}, rails_per_plane: 1}}, "
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{a: {model: gpu8, slots: 0-3}, b: {model: gpu4, slots: 0-3}}",
    )
    problem = problem_of(intent)
    assert (problem.code, problem.where) == ("rail-planes", ("fabrics", "backend", "connects", "b"))
    assert problem.what == "rails of a make 8 planes, and those of b make 4"


@pytest.mark.parametrize("first", [{}, {"rails_per_plane": 1}])
def test_planes_of_a_site_that_stands_are_fixed(first: dict[str, object], tmp_path: Path) -> None:
    """The fix is the number that was rendered; typed back, the site is as it was."""
    document: dict[str, Any] = yaml.safe_load(written(*MADE))
    document["fabrics"]["backend"]["topology"].update(first)
    lock = recorded(yaml.safe_dump(document), tmp_path)
    document["fabrics"]["backend"]["topology"]["rails_per_plane"] = 2
    found = problems_in(tmp_path)
    (problem, *_) = found(State(document, lock))
    assert problem.code == "lock-misfit"
    assert "every NIC would connect to other planes" in problem.why
    (remedy, *_) = choices(problem.fix).typed
    assert (remedy.key, remedy.value) == (("topology", "rails_per_plane"), first.get("rails_per_plane", 8))
    assert found(State(apply(document, problem, remedy), lock)) == ()
