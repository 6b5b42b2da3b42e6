"""The stages of a leaf that is drained, on paper (doubles): in order, killed anywhere, and turned by the intent."""

from itertools import pairwise
from pathlib import Path

import pytest

from fabricgen.push.act import proofs as proofs_module
from fabricgen.push.act import run as run_module
from fabricgen.push.act import run_wave as wave_module
from fabricgen.push.act.proofs import Proofs
from fabricgen.push.act.work import SwitchWork
from fabricgen.push.model import RunOutcome, StageName, StepName, StepState
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.switch import Candidate
from tests.push.act.test_push_run import NEW, OLD, NoCalm, World
from tests.push.paper import Killed
from tests.some import POINTS, some

LEAF = "leaf-0"
WAY = [f"{OLD} marked", f"{OLD} drained", f"{NEW} drained", f"{NEW} marked", NEW]
"""All that it runs: its routes come last before its servers' ports fall, and until they are up again."""


@pytest.fixture(autouse=True)
def leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaf is no switch above others; the doubles of a goal have its name for a Device."""
    monkeypatch.setattr(proofs_module, "DrainWait", NoCalm)
    monkeypatch.setattr(wave_module, "is_above", lambda device: device != LEAF)
    monkeypatch.setattr(proofs_module, "in_use", lambda device: frozenset({"swp1", "swp2"}))
    monkeypatch.setattr(run_module, "drained_sessions", lambda device: ())


def goal(text: str) -> Goal:
    return Goal(device=LEAF, candidate=Candidate(text, {}), digest=text, left=())  # type: ignore[arg-type]


class Leaves(World):
    """A world whose last leaf is drained for its change, or turned by the intent itself."""

    turned = ""

    def work(self, name: str) -> SwitchWork:
        if name != LEAF:
            return super().work(name)
        marked, ports = goal(f"{OLD} marked"), goal(f"{NEW} marked")
        if self.turned == "drained":
            return SwitchWork(goal(NEW), None, marked=marked)
        if self.turned == "active":
            return SwitchWork(goal(NEW), None, ports=ports)
        return SwitchWork(goal(NEW), goal(f"{NEW} drained"), goal(f"{OLD} drained"), marked, ports)


def test_a_leaf_is_marked_before_its_ports_fall_and_until_they_are_up(tmp_path: Path) -> None:
    world = Leaves(tmp_path)
    assert world.run() is RunOutcome.DONE
    assert world.switches[LEAF].history == WAY


@pytest.mark.parametrize(("turned", "way"), [("drained", [WAY[0], NEW]), ("active", [WAY[3], NEW])])
def test_a_leaf_that_the_intent_turns_goes_by_two_steps(tmp_path: Path, turned: str, way: list[str]) -> None:
    world = Leaves(tmp_path)
    world.turned = turned
    assert world.run() is RunOutcome.DONE
    assert world.switches[LEAF].history == way


@POINTS
@pytest.mark.parametrize("turned", some(["", "drained", "active"]))
@pytest.mark.parametrize("late", [False, True], ids=["at once", "when the timers have run out"])
def test_killed_anywhere_no_step_is_left_out(tmp_path: Path, turned: str, stride: int, *, late: bool) -> None:
    """Each text follows the one before it, or goes back to it; no port falls or rises while routes are not marked."""
    (tmp_path / "whole").mkdir()
    whole = Leaves(tmp_path / "whole")
    whole.turned = turned
    whole.run()
    way = [OLD, *whole.switches[LEAF].history]
    allowed = {(a, b) for one, two in pairwise(way) for a, b in ((one, two), (two, one))}
    first = next(at for at, what in enumerate(whole.points) if LEAF in what)
    assert len(whole.points) - first > 20
    for at in range(first + late * stride // 2, len(whole.points), stride):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        world = Leaves(folder, kill_at=at)
        world.turned = turned
        with pytest.raises(Killed):
            world.run()
        if late:
            world.settle()
        where = world.points[at]
        assert world.run() is RunOutcome.DONE, where
        history = [OLD, *world.switches[LEAF].history]
        steps = {(a, b) for a, b in pairwise(history) if a != b}
        assert steps <= allowed, (where, history)
        assert world.switches[LEAF].running == world.switches[LEAF].startup == NEW, where


def test_a_port_that_stays_down_stops_the_return(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told which, and what the leaf ran before it was drained runs again."""
    found = {"wave-3": frozenset({"swp1", "swp2"}), "ports": frozenset({"swp2"})}
    monkeypatch.setattr("tests.push.paper.PaperLooks.up", lambda self, name, switch: found[name])
    world = Leaves(tmp_path)
    assert world.run() is RunOutcome.FAILED
    assert "1 of its ports were up before and are down now: swp1" in world.reasons()
    assert world.switches[LEAF].running == OLD
    assert NEW not in world.switches[LEAF].history


def test_marks_are_looked_for_before_ports_fall_and_before_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof of each of these stages is asked of the peers, with the ports of the leaf as they are then."""
    seen: list[tuple[StageName, str]] = []
    calming = Proofs._drain_wait

    def asked(push: Proofs, names: list[str], stage: StageName) -> object:
        if LEAF in names:
            seen.append((stage, world.switches[LEAF].running))
        return calming(push, names, stage)

    monkeypatch.setattr(Proofs, "_drain_wait", asked)
    world = Leaves(tmp_path)
    assert world.run() is RunOutcome.DONE
    assert seen == [(StageName.MARK, WAY[0]), (StageName.DRAIN, WAY[1]), (StageName.PORTS, WAY[3])]


def test_stages_of_a_journal_are_in_order(tmp_path: Path) -> None:
    world, noted = Leaves(tmp_path), list[str]()

    def note(step: StepName, how: StepState, device: str) -> None:
        if device == LEAF and step is StepName.CONFIRM and how is StepState.ENDED:
            noted.append(world.switches[LEAF].startup)

    world.on_note = note
    assert world.run() is RunOutcome.DONE
    assert noted == WAY
