"""What states have in common is judged once: the steps are those of judging each state by itself."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.checks.catalogue import examine
from fabricgen.checks.engine.waivers import CheckVerdict
from fabricgen.plan.plan import Plan
from fabricgen.steps import judge
from fabricgen.steps.states import States
from tests.cli.terminals import on_terminal
from tests.some import some
from tests.steps.conftest import Site, steps
from tests.steps.test_steps_upgrade import CORE, LEAF, PAIR, SPINE, moved

QUARTER = ("--floor", "1/4")


def each_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resolve all switches of every state, and compare all of them."""
    numbers = itertools.count()
    monkeypatch.setattr(States, "signature", lambda *_: frozenset((next(numbers),)))
    monkeypatch.setattr(States, "reached", lambda *_: None)


@pytest.mark.parametrize("change", some(["three tiers", "drain", "upgrade"]))
def test_steps_are_those_of_judging_each_state_whole(
    here: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "three tiers":
        site = request.getfixturevalue("core")(spines=2, superspines=2)
        moved(site, CORE, "    spine: {model: arista-7060dx5-32, os: ")
    else:
        site = request.getfixturevalue("demo")
        if change == "upgrade":
            moved(site, SPINE, LEAF, PAIR)
        else:
            site.override(**{"be-spine-01": "drained", "fe-leaf-001": "drained", "train[3]": "drained"})
    found = steps(*QUARTER)
    (here / "steps").rename(here / "once")
    each_whole(monkeypatch)
    assert steps(*QUARTER) == found


def test_switches_are_resolved_once_for_each_kind_of_state(demo: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first spine that is drained is a new kind, and so is the first with the new release; the others are not."""
    examined: list[Plan] = []

    def counted(plan: Plan) -> CheckVerdict:
        examined.append(plan)
        return examine(plan)

    monkeypatch.setattr(judge, "examine", counted)
    moved(demo, SPINE)
    assert len(steps()["steps"]) == 12
    # Drained, with the release, back; drained beside one that has it, and with the release beside it; the last state.
    assert len(examined) <= 6


def test_progress_is_for_a_terminal(demo: Site) -> None:
    """12 states; progress is for more of them, so that it is shown here only with a smaller limit."""
    moved(demo, SPINE)
    words = ["plan", "site/intent.yaml", "--against", "old", "--steps"]
    for limit, terminal, shown in ((12, True, True), (12, False, False), (13, True, False)):
        program = (
            f"import sys, fabricgen.cli.plan.steps as verb; verb.STATES = {limit}; "
            "from fabricgen.cli import main; main(sys.argv[1:])"
        )
        command = [sys.executable, "-c", program, *words, f"steps{limit}{terminal}"]
        told = on_terminal(command) if terminal else subprocess.run(command, capture_output=True, check=True).stderr
        assert (b"opening states" in told and b"checking states" in told) is shown
        assert (b"100%" in told) is shown
        assert b"README.md describes the steps" in told
