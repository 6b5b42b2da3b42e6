"""Known sequences: more servers and their leaves; servers of another tenant."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fabricgen.errors import FabricError
from fabricgen.site.workspace import open_workspace
from fabricgen.steps.known import GROWTH, stays
from fabricgen.steps.model import Intents, KnownSequence
from tests.steps.conftest import Make, Shared, Site, least, refused, rendered, say, shared, steps

SLOTS, MORE = "slots: 0-31, planned: 192", "slots: 0-63, planned: 192"
MOVED = (("train[0-15]", "train[0-11]"), ("train[16-31]", "train[12-31]"))


def test_one_more_unit(demo: Site) -> None:
    """Unit 1 of the backend has rails 0-3; of the frontend, with 24 servers a pair, slots 48-63 are in unit 2."""
    demo.change((SLOTS, MORE))
    found = steps()
    new = ["be-leaf-004", "be-leaf-005", "be-leaf-006", "be-leaf-007", "fe-leaf-006", "fe-leaf-007"]
    assert [step["overrides"] for step in found["steps"]] == [dict.fromkeys(new, "drained"), {}]
    assert [step["base"] for step in found["steps"]] == ["after", "after"]
    assert least(found) == ["1", "1"]
    assert found["cables"] == []
    rendered(found["steps"][0]["command"])
    assert all(Path("out", name).is_dir() for name in new)


@pytest.mark.long
def test_a_new_pair_of_frr(frr: Site) -> None:
    """A pair holds 24 servers: slot 24 needs another, and the backend's unit of 32 does not."""
    frr.change(("slots: 0-7}", "slots: 0-24}"))
    found = steps(typed=True)
    assert found["steps"][0]["overrides"] == {"fe-leaf-004": "drained", "fe-leaf-005": "drained"}
    rendered(found["steps"][0]["command"])
    assert "graceful-shutdown" in Path("out/fe-leaf-004/frr.conf").read_text()


def test_past_the_plan(make: Make) -> None:
    """A new segment: numbers behind those of all others. With 16 spines there are rows for 32 leaves."""
    demo = make("demo", ("spines: {now: 4,", "spines: {now: 16,"))
    demo.change((SLOTS, 'slots: "0-31,192-195", planned: 224'))
    found = steps()
    assert len(found["steps"]) == 2
    assert len(found["steps"][0]["overrides"]) == 4 + 2


def test_in_a_unit_that_stands(demo: Site) -> None:
    demo.change(("store: {model: storage-2x200, slots: 0-7", "store: {model: storage-2x200, slots: 0-9"))
    (step,) = steps()["steps"]
    assert step["command"] == "fabricgen render site/intent.yaml -o out"


def test_numbers_alone(demo: Site) -> None:
    demo.change(("spines: {now: 4, planned: 16}", "spines: {now: 4, planned: 32}"), ("planned: 192", "planned: 240"))
    assert len(steps()["steps"]) == 1


@pytest.mark.long
def test_new_servers_come_with_their_tenant(demo: Site) -> None:
    demo.change((SLOTS, MORE), ("train[16-31]", "train[16-63]"))
    assert [len(step["overrides"]) for step in steps()["steps"]] == [6, 0]


def test_new_servers_and_old_ones_of_another_tenant(demo: Site) -> None:
    demo.change((SLOTS, MORE), *MOVED)
    assert {one["code"] for one in refused()} == {"steps-several"}


def test_servers_that_go(demo: Site) -> None:
    demo.change((SLOTS, "slots: 0-30, planned: 192"), ("train[16-31]", "train[16-30]"))
    (problem,) = refused()
    assert problem["code"] == "steps-shrinks"
    assert problem["what"] == "1 slots no longer hold a server, first train[31]"


def test_numbers_that_move(demo: Site) -> None:
    """With a lock that is made again, more numbers planned shift those behind them."""
    demo.change((SLOTS, "slots: 0-31, planned: 240"), ("fabricgen: 1\n", "fabricgen: 1\ndefaults: 1\n"))
    demo.new.with_name("fabricgen.lock").unlink()
    (problem,) = refused()
    assert problem["code"] == "steps-lock"
    assert problem["fix"].startswith("copy it from ")
    assert say("render", demo.new, "-o", "again").exit_code == 0
    (problem,) = refused()
    assert problem["code"] == "steps-moves"
    assert problem["fix"] == "commit the lock of both sides"


def test_where_neither_intent_has_a_lock_the_first_is_rendered_first(demo: Site) -> None:
    demo.change((SLOTS, "slots: 0-31, planned: 240"))
    for intent in (demo.old, demo.new):
        intent.with_name("fabricgen.lock").unlink()
    (problem,) = refused()
    assert problem["code"] == "steps-lock"
    assert problem["fix"] == "render old/intent.yaml first, which writes fabricgen.lock beside it, and copy that"
    assert say("render", demo.old, "-o", "before").exit_code == 0
    assert demo.old.with_name("fabricgen.lock").is_file()


def test_another_version_of_the_defaults_is_a_change_of_its_own(demo: Site) -> None:
    demo.change((SLOTS, "slots: 0-63, planned: 192"), ("fabricgen: 1\n", "fabricgen: 1\ndefaults: 2\n"))
    problems = refused()
    assert {problem["code"] for problem in problems} == {"steps-unknown"}
    assert problems[0]["what"] == "defaults differs, and no known sequence changes it"


def test_growth_past_the_recorded_spines(frr: Site) -> None:
    """More leaves than the spines have rows for: the count that stands is written down, and no cable moves."""
    frr.change(("slots: 0-3}", "slots: 0-3, planned: 168}"))
    (problem,) = refused()
    assert problem["code"] == "illegal-spine-count"
    assert problem["fix"].startswith("write spines: {now: 2, planned: 4} (no recabling)")
    frr.change(("border_leaves: 2}", "border_leaves: 2, spines: {now: 2, planned: 4}}"))
    found = steps()
    assert (len(found["steps"]), found["cables"]) == (1, [])


def test_cables_that_would_move(frr: Site) -> None:
    """More spines move cables; a sequence that does not list them is none, and says which cable it is."""
    frr.change(("spines: {now: 2, planned: 2}", "spines: {now: 4, planned: 4}"))
    intents = Intents(open_workspace(frr.old), open_workspace(frr.new))
    unlisted = KnownSequence(kind=GROWTH, title="", where=("fabrics", "backend", "topology", "spines"), drafts=())
    with pytest.raises(FabricError) as caught:
        stays(intents, GROWTH, unlisted)
    (problem,) = caught.value.problems
    assert problem.code == "steps-moves"
    assert re.match(r"the cable of be-\w+-\d+ swp\w+ differs after the change", problem.what)
    assert problem.fix == "change the number of spines first"


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """The demo, with four servers given to the other tenant."""
    return shared(tmp_path_factory.mktemp("moved"), "demo", MOVED)


def test_a_tenants_move(moved: Shared) -> None:
    is_a_tenants_move(moved.found, "train[12-15]")


@pytest.mark.long
def test_a_tenants_move_of_frr(frr: Site) -> None:
    frr.change(("train[0-3]", "train[0-2]"), ("train[4-7]", "train[3-7]"))
    is_a_tenants_move(steps(typed=True), "train[3]")


def is_a_tenants_move(found: dict[str, Any], selector: str) -> None:
    assert [(step["base"], step["overrides"]) for step in found["steps"]] == [
        ("before", {selector: "drained"}),
        ("before", {selector: "absent"}),
        ("after", {selector: "absent"}),
        ("after", {}),
    ]
    assert least(found) == ["1"] * 4
    assert found["steps"][0]["risk"] == "none"


def test_ports_are_shut_while_the_network_changes(moved: Shared) -> None:
    """VLAN 110 is research, 120 serving. Server 12 has the 13th port of its pair."""
    seen = []
    for tree in moved.trees:
        text = (tree / "fe-leaf-002/startup-config").read_text()
        stanza = text.partition("\ninterface Ethernet13/1\n")[2].partition("\n!\n")[0].splitlines()
        seen.append([line.strip() for line in stanza if re.search("shutdown|access vlan", line)])
    assert seen == [
        ["no shutdown", "switchport access vlan 110"],
        ["shutdown", "switchport access vlan 110"],
        ["shutdown", "switchport access vlan 120"],
        ["no shutdown", "switchport access vlan 120"],
    ]


@pytest.mark.long
def test_a_tenants_move_where_the_intent_names_slots(demo: Site) -> None:
    """Single slots, as they win over runs of the intent; one that is absent stays so."""
    for intent in demo:
        intent.write_text(
            intent.read_text() + 'overrides:\n  "train[13-14]": {state: drained}\n  "train[15]": {state: absent}\n'
        )
    demo.change(*MOVED)
    first, second, *_ = steps()["steps"]
    slots = ["train[12]", "train[13]", "train[14]"]
    assert first["overrides"] == dict.fromkeys(slots, "drained")
    assert second["overrides"] == dict.fromkeys(slots, "absent")


def test_a_slot_without_a_server_changes_hands(demo: Site) -> None:
    for intent in demo:
        text = intent.read_text()
        intent.write_text(text.replace(SLOTS, "slots: 0-30, planned: 192"))
    demo.change(("train[16-31]", "train[16-30]"))
    (problem,) = refused()
    assert problem["code"] == "steps-nothing"


def test_the_risk_is_what_diff_says(moved: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state held against the rendered tree of the one before."""
    monkeypatch.chdir(moved.folder)
    found = moved.found
    assert say("render", "old/intent.yaml", "-o", "out-0").exit_code == 0
    for number, step in enumerate(found["steps"]):
        words = [word for word in step["command"].split()[2:-2] if word != "--overlay"]
        overlay = ["--overlay", words[1]] if len(words) > 1 else []
        told = json.loads(say("diff", words[0], *overlay, "--against", f"out-{number}", "--json").stdout)
        assert (told["risk"], told["switches"]["before"] - told["switches"]["equal"]) == (
            step["risk"],
            step["switches_changed"],
        )
    # Both leaves of the pair and the four rails lose the servers' ports; then the pair alone is told another VLAN.
    assert [step["switches_changed"] for step in found["steps"]] == [0, 6, 2, 6]
