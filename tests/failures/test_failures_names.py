"""Names of parts: what a report prints is what --fail takes."""

import pytest

from fabricgen.failures.classes import Classes
from fabricgen.failures.measures import Measures
from fabricgen.failures.naming import PartNames, names_of
from fabricgen.failures.network import make_network
from fabricgen.failures.parts import Lost
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.plan import Plan
from tests.checks.intents import plan as demo_plan
from tests.failures.sites import SITES, plan_of

PLANNED = {"model": "dgx-h100", "slots": "0-3", "planned": 48}


@pytest.mark.parametrize("name", ["two planes", "three tiers", "frontend", "dead ports", "pair of leaves"])
def test_a_printed_name_means_what_was_lost(name: str) -> None:
    site = next(site for site in SITES if site.name == name)
    plan = plan_of(site)
    fabric = plan.fabrics[site.fabric]
    names, classes = PartNames(plan), Classes(make_network(plan, fabric))
    for failure in classes.singles():
        found = names.losses(names_of(fabric, failure.lost))
        assert found.problems == ()
        assert dict(found.losses) == {site.fabric: failure.lost}


def test_only_a_pod_that_stands_has_a_name() -> None:
    """Two pods are planned, the second without a server. The plane is all of the first: two leaves and a border."""
    site = next(site for site in SITES if site.name == "frontend of two pods")
    plan = plan_of(site._replace(value={**site.value, "servers": {"train": PLANNED}}))
    fabric, names = plan.fabrics["frontend"], PartNames(plan)
    assert fabric.shape.pods == 2
    (problem,) = names.loss("pod:frontend/1").problems
    assert (problem.what, problem.fix) == ("unknown pod:frontend/1", "write one up to pod:frontend/0")
    measures = Measures(make_network(plan, fabric))
    for name in ("pod:frontend/0", "plane:frontend/0"):
        assert measures.of(names.loss(name).losses["frontend"]).vteps == 3


@pytest.fixture(scope="module")
def demo() -> Plan:
    return demo_plan()


def test_a_server_is_lost_in_every_fabric_that_connects_it(demo: Plan) -> None:
    found = PartNames(demo).loss("train[0,2]").losses
    servers = frozenset({SlotKey("train", 0), SlotKey("train", 2)})
    assert found == {"backend": Lost(servers=servers), "frontend": Lost(servers=servers)}


def test_a_cage_is_all_of_its_links(demo: Plan) -> None:
    names = PartNames(demo)
    whole, one = names.loss("cage:be-leaf-000/Ethernet33/1"), names.loss("be-leaf-000/Ethernet33/1")
    assert (len(whole.losses["backend"].wires), len(one.losses["backend"].wires)) == (2, 1)


def test_a_glob_is_all_switches_of_it(demo: Plan) -> None:
    assert len(PartNames(demo).loss("be-spine-*").losses["backend"].switches) == 4


@pytest.mark.parametrize(
    ("name", "what", "fix"),
    [
        ("be-spine-99", "unknown switch be-spine-99", "write a name from be-spine-00 to be-spine-03"),
        ("nothing-*", "nothing-* matches no switch", "choose one of"),
        ("be-leaf-000/Ethernet99/1", "be-leaf-000 has no port Ethernet99/1 in this plan", "did you mean"),
        ("train[999]", "train[999] is not planned; train has slots 0-191", "name a slot up to 191"),
        ("rack:A", "unknown part rack:A", "name a switch, a port as be-leaf-003/Ethernet1/1, "),
        ("trains[1]", "unknown server group trains", "did you mean train?"),
        ("pod:backend/7", "unknown pod:backend/7", "write one up to pod:backend/0"),
        ("pod:back/7", "unknown fabric back", "did you mean backend?"),
        ("be-spine-00/Ethernet64/5", "unknown be-spine-00/Ethernet64/5", "did you mean Ethernet"),
    ],
)
def test_an_unknown_name_says_what_to_type(demo: Plan, name: str, what: str, fix: str) -> None:
    (problem,) = PartNames(demo).loss(name).problems
    assert problem.what == what
    assert problem.fix.startswith(fix)


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("be-leaf-00[12]", ["be-leaf-001", "be-leaf-002"]),
        ("be-leaf-00[1-2]", ["be-leaf-001", "be-leaf-002"]),
        ("be-spine-0?", [f"be-spine-{number:02d}" for number in range(4)]),
        ("be-leaf-00[12]/Ethernet33/1", ["be-leaf-001/Ethernet33/1", "be-leaf-002/Ethernet33/1"]),
        ("cage:be-leaf-00[12]/Ethernet33/1", ["cage:be-leaf-001/Ethernet33/1", "cage:be-leaf-002/Ethernet33/1"]),
    ],
)
def test_globs_are_those_of_overrides(glob: str, names: list[str]) -> None:
    """The forms of docs/overrides.md."""
    parts = PartNames(demo_plan())
    found = parts.losses([glob])
    assert found == parts.losses(names)
    assert found.losses
    (problem,) = parts.losses(["trai[0]"]).problems
    assert "unknown server group trai" in problem.what
