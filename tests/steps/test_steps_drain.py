"""Known sequence: switches, ports and slots between active and drained."""

import json
from pathlib import Path
from typing import Any

from tests.steps.conftest import Site, least, refused, say, steps


def overrides(found: dict[str, Any]) -> list[dict[str, str]]:
    return [step["overrides"] for step in found["steps"]]


def test_one_spine(demo: Site) -> None:
    demo.override(**{"be-spine-01": "drained"})
    found = steps(typed=True)
    assert least(found) == ["3/4"]
    (step,) = found["steps"]
    # 4 rails of two on the backend, each with 16 of its 64 uplinks on every spine.
    assert [(row["fabric"], row["rail"], row["share"]) for row in step["capacity"]["less"]] == [
        ("backend", rail, "3/4") for rail in range(4)
    ]
    assert step["command"] == "fabricgen render site/intent.yaml -o out"
    assert found["floors"] == {"backend": "3/4", "frontend": "3/4"}
    assert step["risk"] == "hitless"
    assert step["switches_changed"] == 1


def test_one_step_a_switch_each_with_those_before(demo: Site) -> None:
    demo.override(**{"be-spine-01": "drained", "fe-spine-00": "drained", "train[3]": "drained"})
    found = steps(typed=True)
    assert overrides(found) == [
        {"train[3]": "drained"},
        {"train[3]": "drained", "be-spine-01": "drained"},
        {},
    ]
    assert least(found) == ["1", "3/4", "3/4"]
    assert [step["base"] for step in found["steps"]] == ["before", "before", "after"]
    assert len(found["steps"][2]["capacity"]["less"]) == 4 + 3  # rails of the backend, and pairs of the frontend


def test_a_port(demo: Site) -> None:
    demo.override(**{"be-leaf-002/Ethernet33/1": "drained"})
    found = steps()
    assert least(found) == ["63/64"]
    assert [row["rail"] for row in found["steps"][0]["capacity"]["less"]] == [2]


def test_a_port_of_a_spine_counts_for_its_leaf(demo: Site) -> None:
    demo.override(**{"be-spine-00/Ethernet1/1": "drained"})
    assert least(steps()) == ["63/64"]


def test_the_other_way_round_comes_first(demo: Site) -> None:
    """Spine 0 goes back to work before spine 1 is drained: at no time are two drained."""
    demo.write(demo.old, {"be-spine-00": "drained"})
    demo.override(**{"be-spine-01": "drained"})
    found = steps()
    assert found["start"]["least"] == "3/4"
    assert overrides(found) == [{"be-spine-00": "active"}, {}]
    assert least(found) == ["1", "3/4"]


def test_frr(frr: Site) -> None:
    frr.override(**{"be-spine-01": "drained"})
    found = steps(typed=True)
    assert least(found) == ["1/2"]
    assert found["floors"] == {"backend": "1/2", "frontend": "1/2"}
    assert "graceful-shutdown" in Path("out/be-spine-01/frr.conf").read_text()


def test_a_leaf_of_a_pair(demo: Site) -> None:
    demo.override(**{"fe-leaf-002": "drained"})
    (problem,) = refused()
    assert problem["code"] == "steps-floor"
    assert "leaves 1/2 of the uplinks of fe-leaf-002 and fe-leaf-003" in problem["what"]
    assert problem["fix"].startswith("write --floor 1/2,")
    assert least(steps("--floor", "1/2")) == ["1/2"]


def test_two_spines_of_four(demo: Site) -> None:
    demo.override(**{"be-spine-01": "drained", "be-spine-02": "drained"})
    (problem,) = refused()
    assert (problem["code"], problem["file"]) == ("steps-floor", "site/intent.yaml")
    assert problem["what"].startswith("step 2 (drained) leaves 1/2 of the uplinks of be-leaf-000")
    assert "--floor 1/2" in problem["fix"]
    assert least(steps("--floor", "1/2")) == ["3/4", "1/2"]


def test_a_floor_that_no_state_keeps(demo: Site) -> None:
    demo.override(**{"be-spine-01": "drained"})
    (problem,) = refused("--floor", "1")
    assert problem["code"] == "steps-floor"
    assert "the floor is 1, and no order of these steps keeps more than 3/4" in problem["why"]


def test_the_only_leaf_of_its_servers(demo: Site) -> None:
    demo.override(**{"be-leaf-001": "drained"})
    for floor in ("3/4", "0.000001"):
        (problem,) = refused("--floor", floor)
        assert problem["code"] == "steps-leaf"
        assert problem["why"] == "its servers are connected to be-leaf-001 only"
        assert "train[0-31]: {state: absent}" in problem["fix"]
        line = demo.new.read_text().splitlines()[problem["line"] - 1]
        assert "be-leaf-001" in line


def test_the_remedy_works(demo: Site) -> None:
    for path in (demo.old, demo.new):
        path.write_text(path.read_text() + 'overrides:\n  "train[0-31]": {state: absent}\n')
    demo.new.write_text(demo.new.read_text() + "  be-leaf-001: {state: drained}\n")
    found = steps()
    assert least(found) == ["1"]
    assert found["steps"][0]["capacity"]["rails"] == 1  # the pair of the storage servers


def test_what_was_dark_before_does_not_stand_in_the_way(demo: Site) -> None:
    demo.write(demo.old, {"be-leaf-000": "drained", "be-leaf-001": "drained"})
    demo.override(**{"be-leaf-000": "drained"})
    found = steps()
    assert found["start"]["less"] != []
    assert least(found) == ["0"]
    assert [row["rail"] for row in found["steps"][0]["capacity"]["less"]] == [0]


def test_the_last_spines_of_a_fabric(frr: Site) -> None:
    """The new intent is refused as the ordinary line refuses it, before there is any talk of steps."""
    frr.override(**{"be-spine-00": "drained", "be-spine-01": "drained"})
    assert [one["code"] for one in refused("--floor", "1/100")] == ["spines-drained"]


def test_all_uplinks_of_a_leaf(frr: Site) -> None:
    """No switch is drained, so no remedy of servers is named; and no floor of 0, which is none."""
    ports = [f"be-leaf-000/swp{cage}s{part}" for cage in range(33, 65) for part in (0, 1)]
    frr.override(**dict.fromkeys(ports, "drained"))
    (problem,) = refused("--floor", "1/100")
    assert problem["code"] == "steps-floor"
    assert problem["what"].startswith("step 1 (drained) leaves 0 of the uplinks of be-leaf-000")
    assert problem["fix"] == "change less at once"


def test_absent_is_no_drain(demo: Site) -> None:
    demo.override(**{"train[3]": "absent", "be-spine-01": "drained"})
    (problem,) = refused()
    assert problem["code"] == "steps-state"
    assert problem["what"] == "train[3] is active before and absent after"
    assert "train[3]" in demo.new.read_text().splitlines()[problem["line"] - 1]


def test_nothing_differs(demo: Site) -> None:
    (problem,) = refused()
    assert problem["code"] == "steps-nothing"
    assert problem["what"] == f"no steps are needed to reach {demo.new}"
    demo.override(**{"be-spine-01": "active"})
    (problem,) = refused()
    assert problem["code"] == "steps-nothing"


def test_text_is_a_table(demo: Site) -> None:
    demo.override(**{"be-spine-01": "drained", "be-spine-02": "drained"})
    result = say("plan", demo.new, "--steps", "steps", "--against", "old", "--floor", "1/2")
    lines = result.stdout.splitlines()
    assert lines[2].split() == ["step", "state", "capacity", "risk", "command"]
    drained = "fabricgen render old/intent.yaml --overlay steps/1-drained.yaml -o out"
    assert lines[3:] == [
        "      now                              1",
        f"1     old intent, be-spine-01 drained  3/4       hitless  {drained}",
        "2     new intent                       1/2       hitless  fabricgen render site/intent.yaml -o out",
    ]
    page = Path("steps/README.md").read_text()
    assert "Capacity: 1/2 (4 of the 4 rails of backend, e.g. train plane 0 pod 0 unit 0 rail 0)." in page
    judged = json.loads(say("validate", demo.old, "--overlay", "steps/1-drained.yaml", "--json").stdout)
    assert judged["problems"] == []
