"""Known sequence: another number of spines; the moved uplinks are drained, shut, moved, brought up drained, used."""

import csv
import shutil
from pathlib import Path

import pytest

from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import uplinks
from fabricgen.resolve.links import link_state
from fabricgen.site.workspace import open_workspace
from fabricgen.steps.selectors import port_selectors
from tests.plan.recabling import recabling
from tests.steps.conftest import Make, Shared, Site, least, refused, rendered, say, shared, steps

FOUR, EIGHT = "spines: {now: 4, planned: 16}", "spines: {now: 8, planned: 16}"
TWO_OF_FOUR, FOUR_OF_FOUR = "spines: {now: 2, planned: 4}", "spines: {now: 4, planned: 4}"
STATES = ["drained", "absent", "absent", "drained", None]


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The demo from 4 to 8 spines."""
    return shared(tmp_path_factory.mktemp("doubled"), "demo", ((FOUR, EIGHT),), "--floor", "1/2")


def test_four_to_eight(doubled: Shared) -> None:
    found = doubled.found
    # Uplink u goes to spine u mod S: of 64, those with u mod 8 < 4 stay where they are.
    assert found["start"]["least"] == "1"
    assert least(found) == ["1/2", "1/2", "1/2", "1/2", "1"]
    assert [step["base"] for step in found["steps"]] == ["before", "before", "after", "after", "after"]
    moved = [f"Ethernet{33 + number // 2}/{1 + number % 2 * 4}" for number in range(64) if number % 8 >= 4]
    for step, state in zip(found["steps"], STATES, strict=True):
        assert step["overrides"] == ({f"be-leaf-*/{port}": state for port in moved} if state else {})
    assert [step["overlay"] for step in found["steps"]] == [
        "1-drained.yaml",
        "2-absent.yaml",
        "3-absent.yaml",
        "4-drained.yaml",
        "",
    ]


def test_the_cables_are_those_of_the_growth_page(doubled: Shared) -> None:
    old = open_workspace(doubled.folder / "old/intent.yaml").plan
    listed = [move._asdict() for move in recabling(old, "backend", 8)]
    assert doubled.found["cables"] == listed
    assert len(listed) == 4 * 32
    # Leaf 0 has row 0 of every spine. Uplink 4 was the second one to spine 0: port 1 x (128 / 16) + 0, counted from 0,
    # is the first of the two in cage 5.
    assert listed[0] == {
        "leaf": "be-leaf-000",
        "leaf_port": "Ethernet35/1",
        "uplink": 4,
        "from_spine": "be-spine-00",
        "from_port": "Ethernet5/1",
        "to_spine": "be-spine-04",
        "to_port": "Ethernet1/1",
    }
    with (doubled.folder / "steps/cables.csv").open() as file:
        assert [{**row, "uplink": int(row["uplink"])} for row in csv.DictReader(file)] == listed


def test_shut_at_both_ends_until_the_cables_are_moved(doubled: Shared) -> None:
    def shown(step: int, name: str) -> str:
        return (doubled.trees[step] / name / "startup-config").read_text()

    leaf, spine = shown(1, "be-leaf-000"), shown(1, "be-spine-00")
    assert is_shut(leaf, "Ethernet35/1")
    assert not is_shut(leaf, "Ethernet33/1")
    assert is_shut(spine, "Ethernet5/1")
    assert not is_shut(spine, "Ethernet1/1")
    assert is_shut(shown(2, "be-leaf-000"), "Ethernet35/1")
    assert is_shut(shown(2, "be-spine-04"), "Ethernet1/1")
    assert not is_shut(shown(3, "be-spine-04"), "Ethernet1/1")


def is_shut(text: str, port: str) -> bool:
    """Whether a port's stanza says shutdown."""
    stanza = text.partition(f"\ninterface {port}\n")[2].partition("\n!")[0].splitlines()
    assert ("   shutdown" in stanza) != ("   no shutdown" in stanza)
    return "   shutdown" in stanza


def test_at_the_default_floor(demo: Site) -> None:
    demo.change((FOUR, EIGHT))
    (problem,) = refused()
    assert problem["code"] == "steps-floor"
    assert problem["path"] == "fabrics.backend.topology.spines.now"
    assert "now: 8" in demo.new.read_text().splitlines()[problem["line"] - 1]
    assert problem["why"].startswith("the floor is 3/4, and no order of these steps keeps more than 1/2")
    assert problem["fix"] == "write --floor 1/2, or leave topology.spines.now at 4"


def test_far_away_there_is_a_stop_in_between(demo: Site) -> None:
    demo.change((FOUR, "spines: {now: 16, planned: 16}"))
    (problem,) = refused("--floor", "1/2")
    assert problem["fix"] == "write --floor 1/4, or first change to 8 spines, in a separate change"


@pytest.mark.long
def test_eight_to_four(make: Make) -> None:
    demo = make("demo", (FOUR, EIGHT))
    demo.change((EIGHT, FOUR))
    found = steps("--floor", "1/2", typed=True)
    assert least(found) == ["1/2", "1/2", "1/2", "1/2", "1"]
    assert {cable["from_spine"] for cable in found["cables"]} == {f"be-spine-0{number}" for number in range(4, 8)}
    assert not Path("out/be-spine-04").exists()


@pytest.mark.long
def test_two_to_four_of_frr(make: Make) -> None:
    frr = make("frr", ("spines: {now: 2, planned: 2}", TWO_OF_FOUR))
    listed = [move._asdict() for move in recabling(open_workspace(frr.old).plan, "backend", 4)]
    frr.change((TWO_OF_FOUR, FOUR_OF_FOUR))
    found = steps(typed=True)
    assert found["floors"]["backend"] == "1/2"
    assert least(found) == ["1/2", "1/2", "1/2", "1/2", "1"]
    assert found["cables"] == listed
    assert len(listed) == 4 * 32


@pytest.mark.long
def test_more_numbers_in_the_same_change(frr: Site) -> None:
    frr.change(("spines: {now: 2, planned: 2}", FOUR_OF_FOUR))
    assert len(steps()["cables"]) == 4 * 32


def test_what_the_intent_has_taken_away_stays_away(make: Make) -> None:
    """A link that is absent already is not brought up by the step that drains it."""
    overrides = 'overrides: {"be-leaf-000/Ethernet35/1": {state: absent}}\n'
    fewer = ("slots: 0-31, planned: 192", "slots: 0-30, planned: 192")  # 62 x 400G of servers on 63 uplinks
    demo = make("demo", ("\ntenants:", f"\n{overrides}tenants:"), fewer)
    demo.change((FOUR, EIGHT))
    found = steps("--floor", "1/2")
    first = found["steps"][0]["overrides"]
    assert len(first) == 127
    assert "be-leaf-000/Ethernet35/1" not in first
    assert found["start"]["less"][0]["share"] == "63/64"
    assert least(found) == ["1/2", "1/2", "1/2", "1/2", "63/64"]


@pytest.mark.parametrize("now", [4, 8])
def test_a_number_that_is_only_written_differently(make: Make, now: int) -> None:
    demo = make("demo", (FOUR, f"spines: {{now: {now}, planned: 16}}"))
    demo.change((f"spines: {{now: {now}, planned: 16}}", f"spines: {{planned: 16, now: {now}}}"))
    (problem,) = refused()
    assert problem["code"] == "steps-nothing"


def test_two_fabrics(demo: Site) -> None:
    demo.change(
        (FOUR, EIGHT),
        ('oversubscription: "3:1", border', 'oversubscription: "3:1", spines: {now: 2, planned: 4}, border'),
    )
    problems = refused("--floor", "1/2")
    assert [(one["code"], one["path"]) for one in problems] == [
        ("steps-several", "fabrics.backend.topology.spines.now"),
        ("steps-several", "fabrics.frontend.topology.spines"),
    ]


@pytest.mark.long
def test_the_frontend(demo: Site) -> None:
    """4 uplinks a leaf, one to each of 4 spines; with 2 spines uplinks 0 and 1 stay."""
    demo.change(('oversubscription: "3:1", border', 'oversubscription: "3:1", spines: {now: 2, planned: 4}, border'))
    found = steps(typed=True)
    assert least(found) == ["1/2", "1/2", "1/2", "1/2", "1"]
    assert len(found["cables"]) == (2 + 2 + 4) * 2  # borders, storage pair, two pairs for training
    assert say("diff", demo.new, "--against", "out").exit_code == 0


def test_a_state_that_a_check_refuses(make: Make) -> None:
    """Each of two leaves lacks a link to another spine: together one more than either, which the shut links uncover.

    31 servers send 62 x 400G over 63 uplinks, 62 between the two. With 32 of them shut, 30 are left between the two,
    and the floor asks for 31.
    """
    lacking = '"be-leaf-000/Ethernet33/1": {state: absent}, "be-leaf-001/Ethernet33/5": {state: absent}'
    overrides = ("\ntenants:", f"\noverrides: {{{lacking}}}\ntenants:")
    demo = make("demo", overrides, ("slots: 0-31, planned: 192", "slots: 0-30, planned: 192"))
    demo.change((FOUR, EIGHT))
    problems = refused("--floor", "31/64")
    assert {one["code"] for one in problems} == {"links-missing"}
    assert (
        problems[0]["what"]
        == "step 2 (absent): be-leaf-000 keeps 12000 Gb/s to be-leaf-001; its servers need 12400 Gb/s"
    )
    assert problems[0]["why"].startswith("its servers can send 24800 Gb/s, and the planned ratio is 1:1; ")
    (problem,) = refused("--floor", "1/2")
    assert problem["code"] == "steps-floor"
    assert problem["what"].startswith("step 1 (drained) leaves 31/64")


def test_a_glob_means_no_port_more(demo: Site) -> None:
    plan = open_workspace(demo.new).plan
    every = [PortKey(f"be-leaf-00{number}", "Ethernet33/1") for number in range(4)]
    assert port_selectors(plan, every) == ("be-leaf-*/Ethernet33/1",)
    assert port_selectors(plan, every[:3]) == tuple(f"be-leaf-00{number}/Ethernet33/1" for number in range(3))


ONE_A_PAIR = ('oversubscription: "3:1", border', 'oversubscription: "3:1", spines: {now: 4, planned: 8}, border')
LEAVES = 2 + 2 + 4  # of the frontend: borders, storage pair, two pairs for training


@pytest.fixture
def one_a_pair(make: Make) -> Site:
    """A frontend with one link a leaf and spine, and numbers for 8 spines."""
    site = make("demo", ONE_A_PAIR)
    lock = site.old.with_name("fabricgen.lock")
    lock.unlink()
    assert say("render", site.old).exit_code == 0
    shutil.copy(lock, site.new.parent)
    return site


def test_one_spine_more(one_a_pair: Site) -> None:
    """Nothing moves, and every leaf gets one uplink more: it is drained until it is cabled. Nothing is ever lost."""
    one_a_pair.change(("now: 4, planned: 8", "now: 5, planned: 8"))
    found = steps()
    assert [(step["base"], step["overlay"]) for step in found["steps"]] == [("after", "1-drained.yaml"), ("after", "")]
    assert least(found) == ["1", "1"]
    assert found["cables"] == []
    assert found["title"] == f"frontend goes from 4 to 5 spines: 0 cables to move, {LEAVES} new ones"
    rendered(found["steps"][0]["command"])
    plan = open_workspace(one_a_pair.new, overlay=Path("steps/1-drained.yaml")).plan.fabrics["frontend"]
    states = {
        (name_of(plan, leaf), name_of(plan, link.upper)): link_state(plan, link)
        for leaf in places(plan)
        if leaf.tier in (Tier.LEAF, Tier.BORDER)
        for link in uplinks(plan, leaf)
    }
    assert len(states) == LEAVES * 5
    assert {pair[1] for pair, state in states.items() if state == "drained"} == {"fe-spine-04"}
    assert list(states.values()).count("drained") == LEAVES


@pytest.mark.long
def test_one_spine_fewer(one_a_pair: Site) -> None:
    for intent in one_a_pair:
        intent.write_text(intent.read_text().replace("now: 4, planned: 8", "now: 5, planned: 8"))
    one_a_pair.change(("now: 5, planned: 8", "now: 4, planned: 8"))
    found = steps(typed=True)
    assert [(step["base"], step["overlay"]) for step in found["steps"]] == [
        ("before", "1-drained.yaml"),
        ("before", "2-absent.yaml"),
        ("after", ""),
    ]
    assert least(found) == ["1", "1", "1"]  # of the four uplinks that a leaf has on both sides
    assert found["title"].endswith(f"0 cables to move, {LEAVES} to remove")
    assert f"unplug the {LEAVES} that are no longer used" in found["steps"][1]["do"]
