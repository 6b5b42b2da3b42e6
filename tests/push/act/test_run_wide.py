"""Many switches at once behind a canary, on paper: its rest is never skipped, and a kill leaves nothing half."""

from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.push.journal.journal import read_journal
from fabricgen.push.model import RunOutcome, StepName, StepState, Wave
from fabricgen.push.plan.duty import RunRules
from tests.push.act import test_push_run as paper_run
from tests.push.act.test_push_run import DRAINED, NAMES, NEW, OLD, World, no_traffic  # noqa: F401 - a fixture
from tests.push.paper import Killed
from tests.some import POINTS

SOAK = 10.0
REST = frozenset(NAMES) - {"spine-1"}


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A canary, then all the others at once: one that is drained first, and two that are not."""
    rows = (
        Wave(1, "backend", "spine", True, ("spine-1",), Fraction(1, 2)),
        Wave(2, "backend", "spine", False, tuple(sorted(REST)), Fraction(1, 2)),
    )
    monkeypatch.setattr(paper_run, "WAVES", rows)


def rested(folder: Path) -> bool:
    """Whether a rest behind the canary had ended before any other switch was committed to, and none came behind."""
    with read_journal(folder / "push.sqlite") as journal:
        record = journal.last()
    assert record is not None
    ended = [at for at, one in enumerate(record.events) if (one.step, one.how) == (StepName.SOAK, StepState.ENDED)]
    commits = [at for at, one in enumerate(record.events) if one.step is StepName.COMMIT and one.device in REST]
    return len(ended) == 1 and ended[0] < min(commits)


@pytest.mark.parametrize(("rules", "seconds"), [(RunRules(canary=SOAK), SOAK), (RunRules(canary=SOAK, soak=60), 60)])
def test_a_canary_rests_and_other_waves_only_by_the_sites_word(rules: RunRules, seconds: float) -> None:
    assert rules.pause_after(canary=True) == seconds
    assert rules.pause_after(canary=False) == rules.soak


def test_what_breaks_while_the_canary_rests_stops_what_would_go_at_once(tmp_path: Path) -> None:
    world = World(tmp_path, more={"rules": RunRules(canary=SOAK)})
    confirmed: list[float] = []

    def seen(step: StepName, how: StepState, device: str) -> None:
        if (step, how, device) == (StepName.DONE, StepState.ENDED, "spine-1"):
            confirmed.append(world.clock())

    world.on_note = seen
    world.wrong = lambda text: bool(confirmed) and text == NEW and world.clock() >= confirmed[0] + SOAK
    assert world.run() is RunOutcome.FAILED
    assert world.running() == {**dict.fromkeys(REST, OLD), "spine-1": NEW}
    assert all(world.switches[name].history == [] for name in REST)


@POINTS
def test_killed_anywhere_the_canary_has_rested_and_all_end_at_the_intent(tmp_path: Path, stride: int) -> None:
    (tmp_path / "whole").mkdir()
    whole = World(tmp_path / "whole", more={"rules": RunRules(canary=SOAK)})
    assert whole.run() is RunOutcome.DONE
    assert rested(tmp_path / "whole")
    for at in range(0, len(whole.points), stride):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        world = World(folder, kill_at=at, more={"rules": RunRules(canary=SOAK)})
        with pytest.raises(Killed):
            world.run()
        if at % 2:
            world.settle()
        where = world.points[at]
        assert world.run() is RunOutcome.DONE, where
        assert world.running() == dict.fromkeys(NAMES, NEW), where
        assert {switch.startup for switch in world.switches.values()} == {NEW}, where
        assert rested(folder), where
        for name in DRAINED:
            history = world.switches[name].history
            assert (OLD, NEW) not in zip([OLD, *history], history, strict=False), where


def test_one_that_fails_takes_all_that_went_with_it_back(tmp_path: Path) -> None:
    """And nothing waits, wherever the others stood: one was drained by then."""
    world = World(tmp_path, more={"rules": RunRules(canary=SOAK)})
    world.texts["leaf-0"] = "broken"
    assert world.run() is RunOutcome.FAILED
    assert world.running() == {**dict.fromkeys(REST, OLD), "spine-1": NEW}
    assert all(switch.waiting is None and switch.startup == switch.running for switch in world.switches.values())
