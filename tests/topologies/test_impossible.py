"""An impossible intent names the constraint that binds and the two nearest possible ones."""

from pathlib import Path

import pytest
import yaml

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.fabric import Switch
from fabricgen.intent.model import Intent
from fabricgen.plan.plan import make_shapes
from fabricgen.site.workspace import WorkspaceError, open_workspace
from fabricgen.source.document import load_document, read_document
from fabricgen.source.validate import validate
from fabricgen.topologies.request import larger_switches, make_request
from tests.topologies import sites
from tests.topologies.sites import pairs, problem_of, rail, shape_of, site
from tests.typing_remedies import apply, choices


def assert_says(problem: Problem, code: str, binds: str, *possible: str) -> None:
    assert problem.code == code
    assert binds in problem.why
    assert all(each in problem.fix for each in possible), problem.fix


def test_spines_that_do_not_divide_the_uplinks() -> None:
    """XDR: 32 leaves and 16 spines would need 4.5 links a pair."""
    intent = rail("r144", "r144", "0-287", model="gpu8-800", spines="{now: 16}")
    problem = problem_of(intent)
    assert_says(problem, "illegal-spine-count", "72 uplinks cannot be spread evenly over 16", "write now: 18 or 24")
    assert problem.where == ("fabrics", "backend", "topology", "spines", "now")
    assert problem.why.endswith(
        "; fewer than 18 spines do not work either: with 12 spines, a leaf has 6 links to each, so a spine needs 192 "
        "ports for 32 leaves, and has 144"
    )
    assert problem.fix == "write now: 18 or 24 or 36 or 72"
    assert_possible("0-287", 18, 24, 36, 72)


def assert_possible(slots: str, *spines: int) -> None:
    """What the remedy names is taken."""
    for count in spines:
        assert shape_of(rail("r144", "r144", slots, model="gpu8-800", spines=f"{{now: {count}}}")).spines == count


def test_spines_with_too_few_ports() -> None:
    intent = rail("r144", "r144", "0-287", model="gpu8-800", spines="{now: 12}")
    binds = "32 leaves with 72 uplinks each, over 12 spines, need 192 ports on each spine, and a spine has 144"
    assert_says(problem_of(intent), "illegal-spine-count", binds, "write now: 18 or 24")


def test_more_spines_than_uplinks() -> None:
    intent = rail("r144", "r144", "0-287", model="gpu8-800", spines="{now: 100}")
    assert_says(problem_of(intent), "illegal-spine-count", "72 uplinks cannot be spread evenly over 100", "or 36 or 72")


def test_planned_spines_are_judged_by_their_own_key() -> None:
    intent = rail("r128", "r128", "0-31", per_leaf=2, planned=192, spines="{now: 4, planned: 8}")
    problem = problem_of(intent)
    assert problem.where[-1] == "planned"
    binds = "24 leaves with 64 uplinks each, over 8 spines, need 192 ports on each spine"
    assert_says(problem, "illegal-spine-count", binds, "write planned: 16 or 32")


def test_more_spines_now_than_planned() -> None:
    intent = rail("r128", "r128", "0-31", per_leaf=2, spines="{now: 8, planned: 4}")
    problem = problem_of(intent)
    assert problem.where[-1] == "now"
    assert problem.fix == "write now: 4, or planned: 8"


def test_spines_now_that_do_not_divide() -> None:
    intent = rail("r128", "r128", "0-31", per_leaf=2, spines="{now: 3, planned: 4}")
    assert_says(
        problem_of(intent), "illegal-spine-count", "64 uplinks cannot be spread evenly over 3", "write now: 2 or 4"
    )


def test_too_many_leaves() -> None:
    """Nine units of eight leaves under 64-port spines: eight units fit, or a spine with 128 ports."""
    problem = problem_of(rail("r64", "r64", "0-31", planned=288))
    assert_says(problem, "too-many-leaves", "has 64 ports: 64 leaves at most", "servers.train.planned: 256", "r128")
    assert shape_of(rail("r64", "r64", "0-31", planned=256)).spines == 32
    assert shape_of(rail("r64", "r128", "0-31", planned=288)).spines == 32


def test_too_many_leaves_that_stand() -> None:
    problem = problem_of(rail("r64", "r64", "0-287"))
    assert_says(problem, "too-many-leaves", "64 ports", "servers.train.slots", "256")


def test_too_many_pairs() -> None:
    problem = problem_of(pairs("mixed", "r16", "3:1", "0-479", borders=2))
    assert_says(problem, "too-many-leaves", "has 16 ports: 16 leaves at most", "168", "r64")


def test_one_unit_without_spines_is_full() -> None:
    problem = problem_of(rail("r16", None, "0-16"))
    assert_says(
        problem,
        "needs-spines",
        "without spines a unit has at most 16 servers",
        "at most 16",
        "add a spine",
        "8 servers per unit",
    )


def rail_only(last: int, each: str) -> Intent:
    return site(
        "{backend: {kind: backend, connects: {train: nics}, leaf: {model: r16, os: eos-4.34}, "
        f"topology: {{design: rail-only{each}}}, addressing: {{ipv4: 10.0.0.0/8}}, asns: 4200000000-4200099999}}}}",
        f"{{train: {{model: gpu8, slots: 0-{last}}}}}",
    )


@pytest.mark.parametrize(
    ("last", "each", "fix"),
    [
        (
            9,
            ", servers_per_unit: 4",
            "write topology.servers_per_unit: 10, or add a spine:",
        ),
        (
            16,
            ", servers_per_unit: 4",
            "plan for 16 with servers_per_unit: 16, or add a spine:",
        ),
        (16, "", "plan for at most 16 servers, or add a spine:"),
        (13, ", servers_per_unit: 12", "(then 8 servers per unit, servers_per_unit: 8)"),
    ],
)
def test_one_unit_without_spines_could_be_larger(last: int, each: str, fix: str) -> None:
    """A leaf of 16 ports takes one of 16 servers, or of 8 with as many uplinks; a unit of 4 was asked for, or of 12."""
    problem = problem_of(rail_only(last, each))
    assert problem.code == "needs-spines"
    assert fix in problem.fix
    assert shape_of(rail_only(9, ", servers_per_unit: 10")).groups[0].slots_a_unit == 10


def test_two_groups_without_spines() -> None:
    intent = site(
        "{backend: {kind: backend, connects: {a: nics, b: nics}, leaf: {model: r16, os: eos-4.34}, "
        "topology: {design: rail-optimized}, addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{a: {model: gpu8, slots: 0-3}, b: {model: gpu8, slots: 0-3}}",
    )
    problem = problem_of(intent)
    assert_says(problem, "needs-spines", "one server group", "add a spine", "a fabric of its own")
    assert "a and b" in problem.what


def test_rails_that_do_not_divide() -> None:
    problem = problem_of(rail("r16", "r128", "0-3", model="gpu7", per_leaf=2))
    assert_says(problem, "odd-rails", "7 is not a multiple of 2")
    assert problem.fix == "write rails_per_leaf: 1 or 7"


@pytest.mark.parametrize(("leaf", "spine", "role"), [("slow", "r16", "leaf"), ("r16", "slow", "spine")])
def test_no_port_of_the_speed(leaf: str, spine: str, role: str) -> None:
    problem = problem_of(rail(leaf, spine, "0-3"))
    assert_says(problem, "no-port-of-speed", "100G", f"{role}.model: r2 or two-uplinks")
    assert problem.where == ("fabrics", "backend", role, "model")


def test_a_leaf_too_small_for_its_rails() -> None:
    problem = problem_of(rail("r2", "r16", "0", per_leaf=2))
    assert_says(problem, "leaf-too-small", "4 ports", "leaf.model: mixed-small or r4", "rails_per_leaf: 1")


def test_two_speeds_on_one_backend() -> None:
    intent = site(
        "{backend: {kind: backend, connects: {a: nics, b: nics}, leaf: {model: r16, os: eos-4.34}, "
        "spine: {model: r16, os: eos-4.34}, "
        "topology: {design: rail-optimized}, addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{a: {model: gpu8, slots: 0-3}, b: {model: gpu8-800, slots: 0-3}}",
    )
    problem = problem_of(intent)
    assert_says(problem, "mixed-speeds", "one speed", "a fabric of its own")
    assert "400G and 800G" in problem.what


def without_spine() -> Intent:
    return site(
        "{frontend: {kind: frontend, connects: {train: nics}, leaf: {model: mixed, os: eos-4.34}, "
        'topology: {design: leaf-spine, oversubscription: "3:1"}, '
        "addressing: {ipv4: 10.0.0.0/8}, asns: 4200000000-4200099999}}",
        "{train: {model: two, slots: 0-3}}",
    )


@pytest.mark.parametrize(
    ("intent", "code", "binds", "possible"),
    [
        (without_spine(), "no-spine", "spines", "add spine"),
        (pairs("mixed", "slow", "3:1", "0-3"), "no-common-speed", "200G or 400G", "spine.model: r2 or two-uplinks"),
        (pairs("mixed", "r32", "3:1", "0-3", model="odd-speed"), "no-port-of-speed", "200G", "choose a leaf with 25G"),
        (pairs("r2", "r32", "1:2", "0-3", model="four"), "ratio-impossible", "1:2", "larger ratio"),
        (
            pairs("mixed", "r32", "2:1", "0-3", borders=1, extra="border: {model: two-uplinks, os: eos-4.34}, "),
            "border-ports",
            "same number of links",
            "border.model: mixed or r16",
        ),
    ],
    ids=["no spine", "no common speed", "no server port", "ratio", "border"],
)
def test_leaf_spine_that_can_not_be(intent: Intent, code: str, binds: str, possible: str) -> None:
    problem = problem_of(intent)
    assert_says(problem, code, binds, possible)
    assert problem.where[:2] == ("fabrics", "frontend")


def test_what_the_remedy_says_is_possible() -> None:
    """The spine count that serves as many leaves as a spine has ports is said with them."""
    text = (Path(__file__).parents[2] / "inventories/demo/intent.yaml").read_text()
    value = load_document(text, "intent.yaml").value
    assert isinstance(value, dict)
    del value["fabrics"]["frontend"], value["tenants"], value["servers"]["store"]
    value["servers"]["train"]["planned"] = 9000
    with pytest.raises(FabricError) as raised:
        make_shapes(Intent.model_validate(value), load_catalog(None))
    assert raised.value.problems[0].fix.startswith("write servers.train.planned: 1024 with spines.planned: 64, or ")
    value["servers"]["train"]["planned"] = 1024
    value["fabrics"]["backend"]["topology"]["spines"]["planned"] = 64
    assert make_shapes(Intent.model_validate(value), load_catalog(None))["backend"].spines_planned == 64


def test_a_model_whose_ports_have_no_names_in_that_system() -> None:
    """NVIDIA's boxes are named as Cumulus does; nobody has seen them run the other system."""
    text = (Path(__file__).parents[2] / "inventories/demo/intent.yaml").read_text()
    leaf = "leaf: {model: arista-7060x6-64pe, os: eos-4.34}"
    intent = text.replace(leaf, "leaf: {model: nvidia-sn5600, os: eos-4.34}")
    assert intent != text
    with pytest.raises(FabricError) as raised:
        make_shapes(validate(Intent, load_document(intent, "intent.yaml")), load_catalog(None))
    (problem,) = raised.value.problems
    assert problem.code == "no-port-names"
    assert problem.where == ("fabrics", "backend", "leaf", "os")
    assert "arista-7060x6-64pe" in problem.fix
    assert "dell-z9864f-on" not in problem.fix


def codes_of(path: Path) -> set[str]:
    """Codes of what is wrong with an intent, as far as its plan shows it."""
    try:
        open_workspace(path)
    except WorkspaceError as error:
        return {each.code for each in error.problems}
    return set()


def test_what_runs_on_a_model_is_named_with_its_release(tmp_path: Path) -> None:
    """Each choice is a line to type: the problem is gone then."""
    text = (Path(__file__).parents[2] / "inventories/demo/intent.yaml").read_text()
    leaf = "leaf: {model: arista-7060x6-64pe, os: eos-4.34}"
    path = tmp_path / "intent.yaml"
    path.write_text(text.replace(leaf, "leaf: {model: nvidia-sn5600, os: eos-4.34}"))
    with pytest.raises(WorkspaceError) as raised:
        open_workspace(path)
    (problem,) = raised.value.problems
    offered = choices(problem.fix)
    assert problem.fix.startswith(
        "write os: cumulus-5.16 or os: frr-10.3 or os: sonic-master for this model, or model: arista-"
    )
    assert offered.prose == ()
    document = read_document(path).value
    assert isinstance(document, dict)
    for remedy in offered.typed:
        path.write_text(yaml.safe_dump(apply(document, problem, remedy), sort_keys=False))
        assert "no-port-names" not in codes_of(path), remedy


def test_a_remedy_names_models_that_run_the_switch_own_system() -> None:
    """Leaves run one system, spines another: what is proposed for a spine runs the spine's."""
    eos, sonic = Switch(model="arista-7060x6-64pe", os="eos-4.34"), Switch(model="dell-z9664f-on", os="sonic-202505")
    made = rail("r64", "r64", "0-31")
    request = make_request("backend", made.fabrics["backend"], made.servers, sites.catalog())
    request = request._replace(catalog=load_catalog(None))
    for switch in (eos, sonic):
        names = larger_switches(request, switch, 400, 1)
        assert names
        assert all(switch.os.partition("-")[0] in request.catalog.switches[name].port_names for name in names)


@pytest.mark.parametrize(("uplinks", "down"), [(8, 24), (6, 24), (3, 18), (1, 6)])
def test_uplinks_of_a_frontend_leaf_are_as_many_as_asked_for(uplinks: int, down: int) -> None:
    """The panel has 24 ports of 200G and 8 of 400G: at 3:1 an uplink of 400G carries six ports of 200G."""
    front = pairs("mixed", "r32", "3:1", "0-3")
    topology = front.fabrics["frontend"].topology.model_copy(update={"uplinks": uplinks})
    made = front.model_copy(
        update={"fabrics": {"frontend": front.fabrics["frontend"].model_copy(update={"topology": topology})}}
    )
    (group,) = shape_of(made).groups
    assert (len(group.leaf.up), len(group.leaf.down)) == (uplinks, down)
