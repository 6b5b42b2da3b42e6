"""Steps are written down before and after they are taken, and what a journal has of a run that was killed."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from fractions import Fraction
from pathlib import Path
from threading import Event as Stop
from typing import Any, TypeVar, cast

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.push.act import proofs as proofs_module
from fabricgen.push.act import run as run_module
from fabricgen.push.act import run_wave as wave_module
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.work import Failed, Means, RunSettings, Snapshots, SwitchStage, SwitchWork
from fabricgen.push.journal.journal import Journal
from fabricgen.push.model import Event, RunOutcome, RunRecord, StageName, StepName, StepState, Wave
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError
from tests.push.act import test_push_run as paper_run
from tests.push.act.test_push_run import NEW, OLD, World
from tests.push.push_records import HEAD, START

T = TypeVar("T")


class Paper:
    """A double of a journal and of a fleet. lines: what was noted and done, in order; away: not even connected to."""

    def __init__(self, *away: str) -> None:
        self.lines: list[str] = []
        self.details: list[dict[str, object]] = []
        self.away = away

    def note(self, run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
        self.lines.append(f"{run} {step} {how} {more['device']} {more['stage']}".strip())
        self.details.append(dict(more["detail"]))

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        found: dict[str, T | SwitchError] = {}
        for name in names:
            if name in self.away:
                found[name] = SwitchError("unreachable", f"no route to {name}")
                continue
            try:
                found[name] = act(_Named(name))
            except SwitchError as error:
                found[name] = error
        return found

    def work(self, name: str) -> SwitchWork:
        """Nobody asks for it."""
        raise LookupError(name)

    def steps(self) -> RunSteps:
        """Steps of run 7 with these."""
        means = Means(
            fleet=self, journal=cast("Journal", self), checks=cast("Snapshots", None), work=self.work,
            floor=lambda wave, findings: (), settings=RunSettings(), stop=Stop(), print_line=self.lines.append,
            wait=lambda seconds: None, clock=lambda: 0.0, interruption=lambda planned: None,
            added=lambda planned: frozenset(),
        )  # fmt: skip
        return RunSteps(means, 7)


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name


def act(paper: Paper, *refusing: str) -> Callable[[SwitchConnection], str]:
    """What is done at each switch."""

    def done(box: SwitchConnection) -> str:
        paper.lines.append(f"done at {box.name}")
        if box.name in refusing:
            raise SwitchError("refused", f"{box.name} does not like it")
        return f"token of {box.name}"

    return done


def test_a_step_is_noted_before_it_is_taken_and_after() -> None:
    paper = Paper()
    found = paper.steps().each(StepName.LOAD, "change", ["a", "b"], act(paper), lambda value: {"token": value})
    assert found == {"a": "token of a", "b": "token of b"}
    assert paper.lines == [
        "7 load begun a change", "done at a", "7 load ended a change",
        "7 load begun b change", "done at b", "7 load ended b change",
    ]  # fmt: skip
    assert paper.details == [{}, {"token": "token of a"}, {}, {"token": "token of b"}]


def test_one_that_fails_is_noted_and_told_once_all_have_ended() -> None:
    paper = Paper()
    with pytest.raises(Failed) as caught:
        paper.steps().each(StepName.COMMIT, "drain", ["a", "b"], act(paper, "a"))
    assert caught.value.reasons == {"a": "a does not like it"}
    assert str(caught.value) == "a: a does not like it"
    assert paper.lines[2:] == [
        "7 commit failed a drain",
        "7 commit begun b drain",
        "done at b",
        "7 commit ended b drain",
    ]
    assert paper.details[1] == {"kind": "refused", "reason": "a does not like it"}


def test_one_that_was_not_even_connected_to_is_noted_once() -> None:
    paper = Paper("a")
    found, reasons = paper.steps().tried(StepName.READ, "", ["a", "b"], act(paper))
    assert found == {"b": "token of b"}
    assert reasons == {"a": "no route to a"}
    assert paper.lines == ["7 read begun b", "done at b", "7 read ended b", "7 read failed a"]
    assert paper.details[-1] == {"kind": "unreachable", "reason": "no route to a"}


def test_tried_raises_nothing_and_what_is_no_box_error_passes() -> None:
    paper = Paper()
    assert paper.steps().tried(StepName.REVERT, "", ["a"], act(paper, "a")) == ({}, {"a": "a does not like it"})

    def broken(box: SwitchConnection) -> str:
        raise LookupError(box.name)

    with pytest.raises(LookupError):
        paper.steps().tried(StepName.REVERT, "", ["a"], broken)
    assert paper.lines[-1] == "7 revert begun a"


def past(*events: tuple[str, str, StepName, StepState, dict[str, object]]) -> RunProgress:
    """What a journal with these events tells."""
    rows = tuple(Event(START, device, stage, step, how, detail) for device, stage, step, how, detail in events)
    return RunProgress(RunRecord(7, HEAD, START, None, None, (), (), rows))


def loaded(device: str, stage: str, token: object) -> tuple[str, str, StepName, StepState, dict[str, object]]:
    """A candidate was loaded."""
    return device, stage, StepName.LOAD, StepState.ENDED, {"token": token}


def step(
    device: str, stage: str, name: StepName, how: StepState
) -> tuple[str, str, StepName, StepState, dict[str, object]]:
    """A step without a detail."""
    return device, stage, name, how, {}


CHANGE = StageName.CHANGE


def test_a_run_that_did_nothing_has_no_past() -> None:
    found = past()
    assert (found.done, found.touched, found.begun) == (frozenset(), set(), {})
    assert not found.took_snapshot(0)


def test_a_load_alone_has_not_touched_a_switch() -> None:
    found = past(loaded("a", "change", "t1"))
    assert (found.touched, found.begun) == (set(), {})


def test_a_commit_that_was_begun_may_stand() -> None:
    found = past(loaded("a", "change", "t1"), step("a", "change", StepName.COMMIT, StepState.BEGUN))
    assert found.touched == {"a"}
    assert found.begun == {"a": SwitchStage(CHANGE, "t1")}


@pytest.mark.parametrize("how", [StepState.ENDED, StepState.FAILED])
def test_a_commit_that_ended_waits_and_one_that_failed_may_stand_too(how: StepState) -> None:
    events = (loaded("a", "change", "t1"), step("a", "change", StepName.COMMIT, StepState.BEGUN))
    found = past(*events, step("a", "change", StepName.COMMIT, how))
    assert found.begun == {"a": SwitchStage(CHANGE, "t1")}


@pytest.mark.parametrize("name", [StepName.CONFIRM, StepName.REVERT])
@pytest.mark.parametrize("how", list(StepState))
def test_only_an_end_that_was_reached_ends_a_commit(name: StepName, how: StepState) -> None:
    events = (loaded("a", "change", "t1"), step("a", "change", StepName.COMMIT, StepState.BEGUN))
    found = past(*events, step("a", "change", name, how))
    assert ("a" in found.begun) is (how is not StepState.ENDED)
    assert found.touched == {"a"}


def test_the_last_commit_counts_each_switch_for_itself() -> None:
    found = past(
        loaded("a", "drain", "t1"), step("a", "drain", StepName.COMMIT, StepState.BEGUN),
        step("a", "drain", StepName.CONFIRM, StepState.ENDED), loaded("b", "drain", "u1"),
        step("b", "drain", StepName.COMMIT, StepState.BEGUN), loaded("a", "change", "t2"),
        step("a", "change", StepName.COMMIT, StepState.BEGUN),
    )  # fmt: skip
    assert found.begun == {"a": SwitchStage(CHANGE, "t2"), "b": SwitchStage(StageName.DRAIN, "u1")}


def test_what_is_done_is_done_and_what_was_seen_was_seen() -> None:
    found = past(
        ("", "", StepName.READ, StepState.ENDED, {"wave": 0}),
        ("", "", StepName.READ, StepState.ENDED, {"wave": 2}),
        ("a", "", StepName.READ, StepState.ENDED, {"found": "differs"}),
        step("a", "", StepName.DONE, StepState.ENDED),
    )
    assert found.done == {"a"}
    assert [found.took_snapshot(wave) for wave in (0, 1, 2)] == [True, False, True]


def test_a_switch_that_ran_its_candidate_already_has_no_token() -> None:
    found = past(loaded("a", "drain", None))
    assert found.begun == {}


@pytest.mark.parametrize(
    ("stage", "name", "is_drained"),
    [
        ("drain", StepName.CONFIRM, True),
        pytest.param(
            "change",
            StepName.CONFIRM,
            True,
        ),
        ("undrain", StepName.CONFIRM, False),
        pytest.param(
            "",
            StepName.REVERT,
            True,
        ),
        ("drain", StepName.REVERT, False),
    ],
)
def test_a_switch_is_drained_until_it_is_brought_back(stage: str, name: StepName, is_drained: bool) -> None:
    """CHANGE commits the artifact of the drained Device; what ends the drain is UNDRAIN, or going back from DRAIN."""
    found = past(step("a", "drain", StepName.CONFIRM, StepState.ENDED), step("a", stage, name, StepState.ENDED))
    assert ("a" in found.drained) is is_drained


def both_spines(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both spines be one wave; on paper no traffic flows."""
    monkeypatch.setattr(proofs_module, "DrainWait", paper_run.NoCalm)
    monkeypatch.setattr(wave_module, "is_above", lambda device: True)
    monkeypatch.setattr(run_module, "drained_sessions", lambda device: ())
    waves = (Wave(1, "backend", "spine", False, ("spine-0", "spine-1"), Fraction(1, 2)),)
    monkeypatch.setattr(paper_run, "WAVES", waves)
    assert world.running()["spine-0"] == OLD


def test_a_switch_that_is_done_stays_so_where_another_of_its_wave_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    both_spines(world, monkeypatch)
    confirms: list[str] = []

    def dies(step: StepName, how: StepState, device: str) -> None:
        if step is StepName.CONFIRM and how is StepState.BEGUN and device == "spine-1":
            confirms.append(device)
            world.switches["spine-1"].dead = len(confirms) == 3  # drain, change, undrain

    world.on_note = dies
    assert world.run() is RunOutcome.FAILED
    with world.journal() as journal:
        record = journal.last()
        assert record is not None
    assert "spine-0" in RunProgress(record).done
    assert world.running()["spine-0"] == NEW


def test_a_journal_that_is_full_keeps_no_switch_drained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a wave of one that is drained and one that is not."""
    world = World(tmp_path)
    both_spines(world, monkeypatch)
    waves = (Wave(1, "backend", "spine", False, ("leaf-0", "spine-0"), Fraction(1, 2)),)
    monkeypatch.setattr(paper_run, "WAVES", waves)
    full: list[str] = []
    writing = Journal._writing

    def refuses(journal: Journal) -> AbstractContextManager[sqlite3.Connection]:
        if full:
            raise FabricError([Problem(code="journal-write", what="no room", why="the disk is full", fix="make room")])
        return writing(journal)

    def fills(step: StepName, how: StepState, device: str) -> None:
        if step is StepName.COMMIT and how is StepState.ENDED and world.running()[device] == NEW:
            full.append(device)

    monkeypatch.setattr(Journal, "_writing", refuses)
    world.on_note = fills
    with pytest.raises(FabricError, match="no room"):
        world.run()
    assert full == ["leaf-0"]
    assert world.running() == dict.fromkeys(paper_run.NAMES, OLD)
    assert all(switch.waiting is None for switch in world.switches.values())
