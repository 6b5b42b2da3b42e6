"""A run over paper switches (doubles): killed at every point, refused, stopped, broken; and what is left then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.act import proofs as proofs_module
from fabricgen.push.act import run as run_module
from fabricgen.push.act import run_wave as wave_module
from fabricgen.push.act.run import push
from fabricgen.push.act.work import Means, RunSettings, SwitchWork
from fabricgen.push.journal.journal import Journal, open_journal, read_journal
from fabricgen.push.model import Head, Need, PlannedSwitch, RunOutcome, RunRecord, StageName, StepName, StepState, Wave
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.report.model import SwitchOutcome, report
from fabricgen.push.report.text import text as text_of
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.switch import Candidate, SwitchError
from tests.push.paper import GUARD_SECONDS, MANNER, Clock, Killed, PaperBox, PaperFleet, PaperLooks, Switch
from tests.some import POINTS, some

OLD, NEW = "old", "new"
NAMES = ("spine-1", "spine-0", "leaf-1", "leaf-0")
DRAINED = ("spine-0", "spine-1")


class NoCalm:
    """A double: on paper no traffic flows. tests/lab has the real thing."""

    def __init__(self, *given: object) -> None:
        pass

    def wait(self) -> None:
        pass

    def wait_peers(self) -> None:
        pass


@pytest.fixture(autouse=True)
def no_traffic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs_module, "DrainWait", NoCalm)
    monkeypatch.setattr(wave_module, "is_above", lambda device: True)
    monkeypatch.setattr(run_module, "drained_sessions", lambda device: ())


def goal(text: str) -> Goal:
    return Goal(device=None, candidate=Candidate(text, {}), digest=text, left=())  # type: ignore[arg-type]


@dataclass
class World:
    """Switches, and how a run goes over them. kill_at: number of the point at which the process is killed."""

    folder: Path
    switches: dict[str, Switch] = field(default_factory=lambda: {name: Switch(name, OLD, OLD) for name in NAMES})
    clock: Clock = field(default_factory=Clock)
    kill_at: int = -1
    points: list[str] = field(default_factory=list)
    stop: Event = field(default_factory=Event)
    accepted: frozenset[str] = frozenset()
    texts: dict[str, str] = field(default_factory=lambda: dict.fromkeys(NAMES, NEW))
    on_note: Callable[[StepName, StepState, str], None] = lambda step, how, device: None
    wrong: Callable[[str], bool] = lambda text: "broken" in text
    interruption: Callable[[PlannedSwitch], float | None] = lambda planned: None
    floor: Callable[..., tuple[Problem, ...]] = lambda wave, findings: ()
    more: dict[str, Any] = field(default_factory=dict)  # of Means
    checks: PaperLooks | None = None  # None: looks that only see what is broken

    def point(self, what: str) -> None:
        self.points.append(what)
        if len(self.points) - 1 == self.kill_at:
            raise Killed(what)

    def work(self, name: str) -> SwitchWork:
        text = self.texts[name]
        return SwitchWork(goal(text), goal(f"{text} drained") if name in DRAINED else None)

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The journal; a process may be killed before and after each line of it."""
        with open_journal(self.folder / "push.sqlite") as journal:
            journal._database.execute("PRAGMA synchronous=OFF")
            note = journal.note

            def noting(run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
                self.point(f"{step} {how} of {more.get('device', '')} about to be noted")
                note(run, step, how, **more)
                self.point(f"{step} {how} of {more.get('device', '')} noted")
                self.on_note(step, how, str(more.get("device", "")))

            journal.note = noting  # type: ignore[method-assign]
            yield journal

    def run(self) -> RunOutcome:
        """The command, once: what was killed goes on."""
        self.stop.clear()
        with self.journal() as journal:
            record = journal.unfinished() or journal.record(journal.begin(HEAD, WAVES, tuple(self.planned())))
            looks = PaperLooks(self.switches, self.wrong)
            means = Means(
                fleet=PaperFleet(self.switches, self.clock, self.point),
                journal=journal,
                checks=self.checks or _Kept(looks, self.folder),
                work=self.work,
                floor=self.floor,
                settings=RunSettings(),
                stop=self.stop,
                print_line=lambda line: None,
                wait=self.clock.wait,
                clock=self.clock,
                interruption=self.interruption,
                added=lambda planned: frozenset(),
                **self.more,
            )
            return push(means, record)

    def planned(self) -> Iterator[PlannedSwitch]:
        for wave in WAVES:
            for name in wave.devices:
                need = Need.DRAIN if name in DRAINED else Need.PLAIN
                before = fingerprint(self.switches[name].running)
                text, accepted = self.texts[name], name in self.accepted
                yield PlannedSwitch(name, wave.number, need, "", "hitless", before, text, "differs", accepted=accepted)

    def running(self) -> dict[str, str]:
        return {name: switch.running for name, switch in self.switches.items()}

    def reasons(self) -> str:
        """Why the last run failed."""
        with read_journal(self.folder / "push.sqlite") as journal:
            record = journal.last()
        return str([event.detail for event in record.events]) if record is not None else ""

    def settle(self) -> None:
        """Let all timers of switches run out."""
        self.clock.wait(10_000)
        for switch in self.switches.values():
            switch.tick(self.clock())


class _Kept:
    """Looks that outlast the process, as files do."""

    ALL: dict[Path, dict[str, dict[str, str]]] = {}  # noqa: RUF012 - by a test's own folder

    def __init__(self, looks: PaperLooks, folder: Path) -> None:
        looks.seen = self.ALL.setdefault(folder, {})
        self._looks = looks

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._looks, name)


HEAD = Head("cafe", "intent.yaml", "inventory", "approved", "me@here")
WAVES = (
    Wave(1, "backend", "spine", True, ("spine-1",), Fraction(1, 2)),
    Wave(2, "backend", "spine", False, ("spine-0",), Fraction(1, 2)),
    Wave(3, "backend", "leaf", False, ("leaf-1", "leaf-0"), Fraction(1)),
)


def test_all_switches_come_to_their_artifacts(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.run() is RunOutcome.DONE
    assert world.running() == dict.fromkeys(NAMES, NEW)
    assert {switch.startup for switch in world.switches.values()} == {NEW}
    assert world.switches["spine-1"].history == ["old drained", "new drained", "new"]
    assert world.switches["leaf-0"].history == ["new"]


def points(tmp_path: Path) -> int:
    """Points at which a whole run can be killed."""
    world = World(tmp_path)
    world.run()
    return len(world.points)


@POINTS
@pytest.mark.parametrize("late", [False, True], ids=["at once", "when the timers have run out"])
def test_killed_anywhere_it_goes_on_and_ends_at_the_intent(tmp_path: Path, stride: int, *, late: bool) -> None:
    """The same command again ends the run: at each point, with timers still running, and with all of them run out."""
    (tmp_path / "whole").mkdir()
    every = points(tmp_path / "whole")
    assert every > 100
    for at in range(late * stride // 2, every, stride):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        world = World(folder, kill_at=at)
        with pytest.raises(Killed):
            world.run()
        if late:
            world.settle()
        where = world.points[at]
        assert world.run() is RunOutcome.DONE, where
        assert world.running() == dict.fromkeys(NAMES, NEW), where
        assert {switch.startup for switch in world.switches.values()} == {NEW}, where
        for name in NAMES:  # no switch that needs a drain was ever changed without one
            history = world.switches[name].history
            changes = [(a, b) for a, b in zip([OLD, *history], history, strict=False) if a != b]
            if name in DRAINED:
                assert (OLD, NEW) not in changes, where


@pytest.mark.long
def test_killed_twice_and_left_alone_nothing_is_half(tmp_path: Path) -> None:
    """When all timers have run out each switch runs something that was meant, and starts with it."""
    (tmp_path / "whole").mkdir()
    every = points(tmp_path / "whole")
    for at in range(0, every, 3):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        world = World(folder, kill_at=at)
        with pytest.raises(Killed):
            world.run()
        world.settle()
        for switch in world.switches.values():
            assert switch.running in {OLD, "old drained", "new drained", NEW}
            assert switch.waiting is None
            assert switch.startup == switch.running


def test_a_canary_that_breaks_is_reverted_and_nothing_else_is_touched(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.texts["spine-1"] = "broken"
    assert world.run() is RunOutcome.FAILED
    assert world.running() == dict.fromkeys(NAMES, OLD)
    assert world.switches["spine-1"].startup == OLD
    assert [world.switches[name].history for name in NAMES[1:]] == [[], [], []]


def test_a_fault_that_shows_late_after_a_slow_commit_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is watched from the end of the commit on, for longer than a hold timer of 9 s."""
    world = World(tmp_path)
    commit, ended = PaperBox.commit, [0.0]

    def slow(box: PaperBox, seconds: int | None) -> None:
        commit(box, seconds)
        world.clock.wait(12)
        ended[0] = world.clock()

    monkeypatch.setattr(PaperBox, "commit", slow)
    world.wrong = lambda text: "late" in text and world.clock() >= ended[0] + 9
    world.texts["spine-1"] = "late"
    assert world.run() is RunOutcome.FAILED
    assert world.running()["spine-1"] == OLD


def test_a_refused_configuration_leaves_its_wave_as_it_was(tmp_path: Path) -> None:
    """The other switch of the wave had committed: it is reverted."""
    world = World(tmp_path)
    world.texts["leaf-0"] = "refused"
    assert world.run() is RunOutcome.FAILED
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}
    assert world.switches["leaf-1"].history == [NEW, OLD]


def test_a_hand_made_change_after_the_approval_stops_it(tmp_path: Path) -> None:
    world = World(tmp_path)

    def by_hand(step: StepName, how: StepState, device: str) -> None:
        if device == "spine-1" and step is StepName.DONE:
            world.switches["leaf-0"].run("old and a line by hand")

    world.on_note = by_hand
    assert world.run() is RunOutcome.FAILED
    assert world.switches["leaf-0"].history == ["old and a line by hand"]
    assert world.switches["leaf-1"].history == []


def test_somebody_elses_commit_is_neither_confirmed_nor_reverted(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.switches["spine-1"].waiting = ("somebody", "before", world.clock() + 10**6)
    assert world.run() is RunOutcome.FAILED
    assert world.switches["spine-1"].waiting is not None
    assert world.switches["spine-1"].history == []


def test_stopped_between_switches_nothing_waits(tmp_path: Path) -> None:
    world = World(tmp_path)

    def stop(step: StepName, how: StepState, device: str) -> None:
        if device == "spine-0" and step is StepName.COMMIT and how is StepState.BEGUN:
            world.stop.set()

    world.on_note = stop
    assert world.run() is RunOutcome.STOPPED
    assert world.running() == {"spine-1": NEW, "spine-0": OLD, "leaf-1": OLD, "leaf-0": OLD}
    assert all(switch.waiting is None for switch in world.switches.values())


def test_a_switch_that_dies_mid_commit_is_told_and_comes_back_by_itself(tmp_path: Path) -> None:
    world = World(tmp_path)

    def die(step: StepName, how: StepState, device: str) -> None:
        if device == "leaf-1" and step is StepName.COMMIT and how is StepState.ENDED:
            world.switches["leaf-1"].dead = True

    world.on_note = die
    world.texts["leaf-0"] = "broken"
    assert world.run() is RunOutcome.FAILED
    world.switches["leaf-1"].dead = False
    world.settle()
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}


@pytest.mark.parametrize("accepted", [False, True])
def test_what_has_nothing_to_drain_it_with_is_changed_by_leave_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, accepted: bool
) -> None:
    """Its sessions were not read; where it was read that none stands, there is nothing to drain."""
    monkeypatch.setattr(PaperBox, "profile", MANNER._replace(drain=lambda device, running: ""))
    monkeypatch.setattr(PaperLooks, "established", lambda self, name, switch: None)
    world = World(tmp_path)
    world.accepted = frozenset(DRAINED) if accepted else frozenset()
    assert world.run() is (RunOutcome.DONE if accepted else RunOutcome.FAILED)
    if not accepted:
        assert "--accept-loss spine-1" in world.reasons()
        assert all(switch.history == [] for switch in world.switches.values())


def test_a_run_that_goes_on_asks_for_the_floor_as_it_is_now(tmp_path: Path) -> None:
    """It was killed before it had committed to anything, and a link elsewhere has gone down since."""
    world = World(tmp_path)
    short = (Problem(code="push-floor-live", what="short", why="", fix=""),)
    whole = World(tmp_path / "whole")
    (tmp_path / "whole").mkdir()
    whole.run()
    world.kill_at = next(at for at, what in enumerate(whole.points) if what == "load begun of spine-1 noted")
    with pytest.raises(Killed):
        world.run()
    world.floor = lambda wave, findings: short
    with pytest.raises(FabricError, match="push-floor-live"):
        world.run()
    assert world.running() == dict.fromkeys(NAMES, OLD)


def test_a_switch_that_waits_already_is_not_left_so_for_the_floor(tmp_path: Path) -> None:
    """Its commit is proven or goes back, and what was drained comes back: that is what helps the floor."""
    world = World(tmp_path)
    whole = World(tmp_path / "whole")
    (tmp_path / "whole").mkdir()
    whole.run()
    world.kill_at = next(at for at, what in enumerate(whole.points) if what == "commit ended of spine-1 noted")
    with pytest.raises(Killed):
        world.run()
    world.floor = lambda wave, findings: (
        (Problem(code="push-floor-live", what="short", why="", fix=""),) if wave.number == 1 else ()
    )
    assert world.run() is RunOutcome.DONE


def test_a_floor_that_the_live_fabric_does_not_keep_stops_before_anything(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.floor = lambda wave, findings: (Problem(code="push-floor-live", what="short", why="", fix=""),)
    with pytest.raises(FabricError, match="push-floor-live"):
        world.run()
    assert world.running() == dict.fromkeys(NAMES, OLD)
    assert all(switch.history == [] for switch in world.switches.values())


@pytest.mark.parametrize(("allowed", "least", "most"), [(0.0, 3, 9), (30.0, 30, 36), (None, 90, 96), (200.0, 90, 96)])
def test_what_is_gone_for_longer_than_the_change_may_interrupt_it_goes_back_at_once(
    tmp_path: Path, allowed: float | None, least: float, most: float
) -> None:
    """By the clock of the doubles; a look takes no time there. 90 s: Settings, converge; 3 s: PAUSE_SECONDS."""
    world = World(tmp_path, interruption=lambda planned: allowed)
    world.texts["leaf-1"] = "broken"
    at: dict[str, float] = {}

    def seen(step: StepName, how: StepState, device: str) -> None:
        if (step, device) in {(StepName.COMMIT, "leaf-1"), (StepName.CHECK, "leaf-1")} and how is not StepState.BEGUN:
            at[step] = world.clock.now

    world.on_note = seen
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD
    assert least <= at[StepName.CHECK] - at[StepName.COMMIT] <= most
    assert ("this change may take" in world.reasons()) == (allowed is not None and allowed < 90)


def test_a_flap_of_one_look_is_waited_for(tmp_path: Path) -> None:
    """Two looks in a row decide."""
    world = World(tmp_path, interruption=lambda planned: 0.0)
    world.texts["leaf-1"] = "flaps"
    looks: list[str] = []

    def flaps(text: str) -> bool:
        looks.append(text)
        return text == "flaps" and looks.count(text) == 1

    world.wrong = flaps
    assert world.run() is RunOutcome.DONE
    assert looks.count("flaps") > 2


def test_what_is_drained_first_may_be_gone_as_long_as_it_takes(tmp_path: Path) -> None:
    world = World(tmp_path, interruption=lambda planned: 0.0)
    world.texts["spine-1"] = "broken"
    began = world.clock.now
    assert world.run() is RunOutcome.FAILED
    assert world.clock.now - began >= 90
    assert world.running()["spine-1"] == OLD


class Pressed(Event):
    """Ctrl-C that came before anything was done."""

    def clear(self) -> None:
        self.set()


@POINTS
@pytest.mark.parametrize("late", some([False, True], of=2))
def test_stopped_at_once_after_a_kill_nothing_of_it_is_left_armed(tmp_path: Path, stride: int, *, late: bool) -> None:
    """Wherever it was killed. late: what waits had gone back by itself."""
    at = late * stride // 2
    while True:
        folder = tmp_path / str(at)
        folder.mkdir()
        world = World(folder, kill_at=at)
        try:
            world.run()
        except Killed:
            pass
        else:
            break
        if late:
            world.clock.wait(GUARD_SECONDS)
        again = World(folder, switches=world.switches, clock=world.clock, stop=Pressed())
        outcome = again.run()
        with read_journal(folder / "push.sqlite") as journal:
            record = journal.last()
        assert record is not None
        assert (outcome, record.outcome) in {(one, one) for one in (RunOutcome.STOPPED, RunOutcome.DONE)}
        armed = {name for name, one in world.switches.items() if one.waiting is not None or one.changing is not None}
        assert armed == set(), world.points[-1]
        drained = {name for name in NAMES if "drained" in world.running()[name].split()}
        said = {switch.device for switch in report(record).switches if "may still be drained" in switch.reason}
        assert drained <= said, world.points[-1]
        at += stride
    assert at > 100


@pytest.mark.parametrize(("said", "runs"), [(OLD, OLD), ("wrong", "old drained"), ("old drained", "old drained")])
def test_behind_a_kill_a_switch_is_led_back_only_to_what_it_ran(tmp_path: Path, said: str, runs: str) -> None:
    """What it ran before, the killed process knew; what --against says now may be something else."""
    (tmp_path / "whole").mkdir()
    whole = World(tmp_path / "whole")
    whole.run()
    at = next(at for at, what in enumerate(whole.points) if what == "confirm ended of spine-1 noted")
    world = World(tmp_path, kill_at=at)
    with pytest.raises(Killed):
        world.run()
    assert world.running()["spine-1"] == "old drained"

    class Against(World):
        def work(self, name: str) -> SwitchWork:
            return super().work(name)._replace(before=goal(said))

    again = Against(tmp_path, switches=world.switches, clock=world.clock, stop=Pressed())
    assert again.run() is RunOutcome.STOPPED
    assert again.running()["spine-1"] == runs
    assert (again.switches["spine-1"].waiting, again.switches["spine-1"].startup) == (None, runs)
    (one,) = (switch for switch in report(record_of(tmp_path)).switches if switch.device == "spine-1")
    assert ("it runs its previous configuration" in one.reason) is (runs == OLD)
    assert ("--against is no longer its previous configuration" in one.reason) is (said != OLD)


def test_a_switch_that_is_not_led_back_is_not_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commit ended well, and did nothing."""
    commit = PaperBox.commit

    def idle(box: PaperBox, seconds: int | None) -> None:
        if seconds is not None:
            commit(box, seconds)

    monkeypatch.setattr(PaperBox, "commit", idle)
    world = World(tmp_path)
    world.texts["spine-1"] = "broken"
    assert world.run() is RunOutcome.FAILED
    assert world.running()["spine-1"] == "old drained"
    (one,) = (switch for switch in report(record_of(tmp_path)).switches if switch.device == "spine-1")
    assert (one.end is SwitchOutcome.REVERTED, "it does not run its previous configuration" in one.reason) == (
        False,
        True,
    )


def test_what_would_get_something_else_than_was_approved_gets_nothing(tmp_path: Path) -> None:
    """Its files are made wave by wave, and what they are made from may change meanwhile."""
    world = World(tmp_path)

    def edited(step: StepName, how: StepState, device: str) -> None:
        if (step, device) == (StepName.DONE, "spine-0"):
            world.texts["leaf-1"] = "never shown"

    world.on_note = edited
    assert world.run() is RunOutcome.FAILED
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}
    assert world.switches["leaf-1"].history == []
    assert "its configuration is not the approved one: an input file has changed" in world.reasons()


HAND = "old drained hand"
"""What a drained switch runs when an operator has typed something there."""


@pytest.mark.parametrize("moment", [(StepName.COMPARE, StepState.BEGUN), (StepName.CONFIRM, StepState.ENDED)])
def test_what_is_typed_on_a_drained_switch_is_not_undone_and_told(
    tmp_path: Path, moment: tuple[StepName, StepState]
) -> None:
    """Before its drain is confirmed, and between that and the change."""
    world = World(tmp_path)
    typed: list[str] = []

    def by_hand(step: StepName, how: StepState, device: str) -> None:
        switch = world.switches.get(device)
        if (step, how) == moment and switch is not None and switch.running == "old drained":
            switch.run(HAND)
            typed.append(device)

    world.on_note = by_hand
    assert world.run() is RunOutcome.FAILED
    assert typed
    for name in typed:
        assert world.running()[name] == HAND
        (one,) = (switch for switch in report(record_of(tmp_path)).switches if switch.device == name)
        assert "it was changed manually after this run" in one.reason
        assert "it was changed manually since it was drained, so it stays drained with these changes" in one.reason
        assert world.switches[name].waiting is None


@POINTS
def test_what_is_typed_behind_a_kill_is_not_undone_by_the_same_command(tmp_path: Path, stride: int) -> None:
    """Wherever it was killed with a switch drained and nothing armed there."""
    seen = 0
    for at in range(0, points_of(tmp_path), stride):
        folder = tmp_path / str(at)
        folder.mkdir()
        world = World(folder, kill_at=at)
        with pytest.raises(Killed):
            world.run()
        world.settle()
        found = [name for name in NAMES if world.running()[name] == "old drained"]
        for name in found:
            world.switches[name].run(HAND)
        if not found:
            continue
        seen += 1
        assert world.run() is RunOutcome.FAILED, world.points[at]
        assert {world.running()[name] for name in found} == {HAND}, world.points[at]
        told = {one.device for one in report(record_of(folder)).switches if "it was changed manually" in one.reason}
        assert told >= set(found), world.points[at]
    assert seen > 20 / stride


def record_of(folder: Path) -> RunRecord:
    with read_journal(folder / "push.sqlite") as journal:
        record = journal.last()
    assert record is not None
    return record


def points_of(folder: Path) -> int:
    (folder / "whole").mkdir()
    return points(folder / "whole")


def test_what_was_typed_on_a_drained_switch_is_by_hand_for_the_next_push(tmp_path: Path) -> None:
    """What the journal keeps is what the run had left there; where it went back, what was kept before it."""
    world = World(tmp_path)
    with world.journal() as journal:
        run = journal.begin(HEAD, (), ())
        journal.finish(run, RunOutcome.DONE)
        for name in NAMES:
            journal.keep(run, name, f"{OLD} kept")

    def by_hand(step: StepName, how: StepState, device: str) -> None:
        if (step, how) == (StepName.CONFIRM, StepState.ENDED) and world.running()[device] == "old drained":
            world.switches[device].run(HAND)

    world.on_note = by_hand
    assert world.run() is RunOutcome.FAILED
    with read_journal(tmp_path / "push.sqlite") as reader:
        kept = {name: reader.committed(name) for name in NAMES}
    texts = {name: one.text for name, one in kept.items() if one is not None}
    found = world.running()
    wanted = {HAND: "old drained", OLD: f"{OLD} kept", NEW: NEW}
    assert texts == {name: wanted[found[name]] for name in NAMES}
    assert HAND in found.values()


@pytest.mark.parametrize("is_known", [True, False])
def test_a_drain_that_went_back_leaves_what_was_kept_before_it(tmp_path: Path, *, is_known: bool) -> None:
    world = World(tmp_path, texts=dict.fromkeys(NAMES, "broken"))
    wanted = {NAMES[0]: f"{OLD} kept"} if is_known else {}
    with world.journal() as journal:
        run = journal.begin(HEAD, (), ())
        journal.finish(run, RunOutcome.DONE)
        for name, text in wanted.items():
            journal.keep(run, name, text)
    assert world.run() is RunOutcome.FAILED
    with read_journal(tmp_path / "push.sqlite") as reader:
        kept = {name: reader.committed(name) for name in NAMES}
    assert {name: one.text for name, one in kept.items() if one is not None} == wanted
    assert world.running() == dict.fromkeys(NAMES, OLD)


def by_words(then: str, now: str) -> tuple[Drift, ...]:
    """A double: each word is a line."""
    had, has = then.split(), now.split()
    gone = (Drift((), word, present=False) for word in had if word not in has)
    return (*(Drift((), word, present=True) for word in has if word not in had), *gone)


def handy(folder: Path, **more: Any) -> World:  # noqa: ANN401
    """A world in which lines are told apart, and a line by hand breaks what stood."""
    return World(folder, more={"drifts": lambda name: by_words}, wrong=lambda text: "hand-1" in text, **more)


def types(world: World, name: str, moment: tuple[StepName, StepState] = (StepName.COMMIT, StepState.ENDED)) -> None:
    def act(step: StepName, how: StepState, device: str) -> None:
        if (step, how, device) == (*moment, name):
            world.switches[name].run(f"{world.switches[name].running} hand-1")

    world.on_note = act


def told_of(folder: Path) -> list[str]:
    return [row for row in text_of(report(record_of(folder))) if "commit waited" in row]


UNDONE = (
    "1. {}: added manually while the commit waited, and undone with the revert: "
    "hand-1: add it again if you still want it"
)


def test_a_line_that_is_typed_while_a_commit_waits_is_told_when_it_goes_back(tmp_path: Path) -> None:
    world = handy(tmp_path)
    types(world, "leaf-1")
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD
    assert told_of(tmp_path)[0].strip() == UNDONE.format("leaf-1")
    assert [one.device for one in report(record_of(tmp_path)).hands] == ["leaf-1"]  # leaf-0 went back with it


def by_rows(then: str, now: str) -> tuple[Drift, ...]:
    """A double: each line is a line."""
    had, has = then.splitlines(), now.splitlines()
    gone = (Drift((), row, present=False) for row in had if row not in has)
    return (*(Drift((), row, present=True) for row in has if row not in had), *gone)


SPELLED = "username admin secret 0 <removed>"
"""As it is sent; as it is shown."""
SHOWN = "username admin secret sha512 <removed>"


@pytest.mark.parametrize(
    ("sent", "shown", "typed"),
    [
        (NEW, NEW, "neighbor 10.0.0.1 password <removed>"),
        (NEW, NEW, "username rescue secret sha512 <removed>"),
        (f"{NEW}\n{SPELLED}", f"{NEW}\n{SHOWN}", "username rescue secret sha512 <removed>"),
    ],
)
def test_a_line_with_a_secret_is_told_too_but_not_one_that_is_spelled_otherwise(
    tmp_path: Path, sent: str, shown: str, typed: str
) -> None:
    world = World(tmp_path, more={"drifts": lambda name: by_rows}, wrong=lambda text: typed in text)
    world.texts["leaf-1"] = sent

    def act(step: StepName, how: StepState, device: str) -> None:
        if (step, how, device) == (StepName.COMMIT, StepState.ENDED, "leaf-1"):
            world.switches[device].run(f"{shown}\n{typed}")

    world.on_note = act
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD
    (hand,) = report(record_of(tmp_path)).hands
    assert (hand.device, hand.typed, hand.removed) == ("leaf-1", (typed,), ())


STANZAS = f"{NEW}\n/etc/network/interfaces\niface swp1\nmtu 9216\niface swp2\nmtu 9216\nlink-down yes\n"
"""Without indents, as ifupdown2 takes it too."""


def test_a_line_of_a_file_that_another_port_has_too_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/etc/network/interfaces"
    profile = MANNER._replace(
        files={"interfaces": path}, heads={"interfaces": COMMIT_PROFILES["frr"].heads["interfaces"]}
    )
    monkeypatch.setattr(PaperBox, "profile", profile)
    world = World(tmp_path, more={"drifts": lambda name: by_rows})
    world.texts["leaf-1"] = STANZAS

    def act(step: StepName, how: StepState, device: str) -> None:
        if (step, how, device) == (StepName.COMPARE, StepState.ENDED, "leaf-1"):
            world.switches[device].run(STANZAS.replace("mtu 9216\niface swp2", "mtu 9216\nlink-down yes\niface swp2"))
        if (step, how) == (StepName.CONFIRM, StepState.BEGUN) and world.running()["leaf-1"].count("link-down") == 2:
            raise FabricError([Problem(code="x", what="no room for the journal", why="", fix="")])

    world.on_note = act
    with pytest.raises(FabricError):
        world.run()
    (hand,) = report(record_of(tmp_path)).hands
    assert (hand.device, hand.typed) == ("leaf-1", (f"{path} / iface swp1 / link-down yes",))


def test_a_line_that_is_there_behind_the_revert_too_is_not_undone(tmp_path: Path) -> None:
    world = handy(tmp_path)

    def act(step: StepName, how: StepState, device: str) -> None:
        if (step, how, device) == (StepName.COMMIT, StepState.ENDED, "leaf-1"):
            world.switches[device].run(f"{NEW} {OLD} hand-1")

    world.on_note = act
    assert world.run() is RunOutcome.FAILED
    (hand,) = report(record_of(tmp_path)).hands
    assert (hand.typed, hand.removed) == (("hand-1",), ())


def test_a_line_that_is_typed_while_a_drain_waits_is_told_when_it_goes_back(tmp_path: Path) -> None:
    """What is merged into what runs is held against what ran right behind the commit."""
    world = handy(tmp_path)

    def stopped(step: StepName, how: StepState, device: str) -> None:
        if (step, how) == (StepName.COMPARE, StepState.BEGUN):
            raise FabricError([Problem(code="x", what="no room for the journal", why="", fix="")])
        if (step, how, device) == (StepName.COMMIT, StepState.ENDED, "spine-1"):
            world.switches[device].run(f"{world.switches[device].running} hand-1")

    world.on_note = stopped
    with pytest.raises(FabricError):
        world.run()
    assert world.running()["spine-1"] == OLD
    assert told_of(tmp_path)[0].strip() == UNDONE.format("spine-1")


def test_a_line_that_is_typed_while_a_drain_is_merged_is_told_and_no_push_undoes_it_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look and the end of the commit: it is none of the lines that were merged."""
    world, commit = handy(tmp_path), PaperBox.commit

    def slow(box: PaperBox, seconds: int | None) -> None:
        commit(box, seconds)
        switch = world.switches[box.name]
        if switch.running == "old drained":
            switch.run(f"{switch.running} hand-1")

    monkeypatch.setattr(PaperBox, "commit", slow)
    world.wrong = lambda text: False
    assert world.run() is RunOutcome.FAILED
    assert world.running()["spine-1"] == OLD
    assert "it was changed manually while it was being drained" in world.reasons()
    assert told_of(tmp_path)[0].strip() == UNDONE.format("spine-1")


@pytest.mark.parametrize(("nth", "end", "runs"), [
    (1, SwitchOutcome.REVERTED, f"{OLD} hand-1"),
    (2, SwitchOutcome.FAILED, f"{OLD} drained hand-1"),
    (3, SwitchOutcome.FAILED, f"{NEW} drained hand-1"),
])  # fmt: skip
def test_what_is_typed_right_before_a_drain_comes_back_and_leaves_nothing_drained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int, end: SwitchOutcome, runs: str
) -> None:
    """Right before the change, or the return, it is drained already, and stays so."""
    world, look, looks = handy(tmp_path), wave_module.WavePush._unmoved, list[str]()
    world.wrong = lambda text: False

    def looked(self: wave_module.WavePush, box: Any, stage: StageName) -> str:  # noqa: ANN401
        seen = look(self, box, stage)
        looks.append(stage)
        if len(looks) == nth:
            world.switches[box.name].run(f"{seen} hand-1")
        return seen

    def meanwhile(box: PaperBox, token: str, mark: object) -> str:
        del token
        armed = box._reach().waiting
        return "" if armed is not None and armed[1] == mark else "somebody"

    monkeypatch.setattr(wave_module.WavePush, "_unmoved", looked)
    monkeypatch.setattr(PaperBox, "mark", PaperBox.running)
    monkeypatch.setattr(PaperBox, "meanwhile", meanwhile)
    assert world.run() is RunOutcome.FAILED
    assert world.running()["spine-1"] == runs
    found = report(record_of(tmp_path))
    one = found.switches[0]
    assert (one.end, found.hands) == (end, ())
    assert "with manual changes right before that: hand-1 (added)" in one.reason
    assert ("it was changed manually since it was drained, so it stays drained with these changes" in one.reason) == (
        end is SwitchOutcome.FAILED
    )
    assert "it does not run its previous configuration" not in one.reason


def test_a_line_of_a_file_that_is_typed_while_a_drain_is_merged_is_told_though_another_port_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/etc/network/interfaces"
    profile = MANNER._replace(
        files={"interfaces": path}, heads={"interfaces": COMMIT_PROFILES["frr"].heads["interfaces"]}
    )
    monkeypatch.setattr(PaperBox, "profile", profile)
    world, commit = World(tmp_path, more={"drifts": lambda name: by_rows}), PaperBox.commit
    before = STANZAS.replace(NEW, OLD, 1)
    world.switches["spine-1"].run(before)

    def slow(box: PaperBox, seconds: int | None) -> None:
        commit(box, seconds)
        switch = world.switches[box.name]
        if "drained" in switch.running and box.name == "spine-1":
            typed = before.replace("mtu 9216\niface swp2", "mtu 9216\nlink-down yes\niface swp2")
            switch.run(typed.replace(OLD, f"{OLD}\ndrained", 1))

    monkeypatch.setattr(PaperBox, "commit", slow)
    assert world.run() is RunOutcome.FAILED
    assert world.running()["spine-1"] == before
    assert "it was changed manually while it was being drained" in world.reasons()
    (hand,) = report(record_of(tmp_path)).hands
    assert (hand.device, hand.typed) == ("spine-1", (f"{path} / iface swp1 / link-down yes",))


def test_what_is_typed_behind_a_kill_is_told_when_it_goes_back(tmp_path: Path) -> None:
    whole = World(tmp_path / "whole")
    (tmp_path / "whole").mkdir()
    whole.run()
    at = next(at for at, what in enumerate(whole.points) if what == "commit ended of leaf-1 noted")
    world = handy(tmp_path, kill_at=at)
    with pytest.raises(Killed):
        world.run()
    world.switches["leaf-1"].run("new hand-1")
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD
    assert told_of(tmp_path)[0].strip() == UNDONE.format("leaf-1")


def test_what_is_typed_on_half_a_commit_behind_a_kill_is_told(tmp_path: Path) -> None:
    whole = World(tmp_path / "whole")
    (tmp_path / "whole").mkdir()
    whole.run()
    at = next(at for at, what in enumerate(whole.points) if what == "commit of leaf-1 applied")
    world = handy(tmp_path, kill_at=at)
    world.texts["leaf-1"] = f"{NEW} {OLD}"
    with pytest.raises(Killed):
        world.run()
    world.switches["leaf-1"].run("half hand-1")  # what it is to run has the old line too: it was not there yet
    assert world.run() is RunOutcome.DONE
    (hand,) = report(record_of(tmp_path)).hands
    assert (hand.device, hand.typed, hand.removed) == ("leaf-1", ("half", "hand-1"), ())


def test_a_timer_that_fires_behind_a_kill_leaves_unknown_what_was_typed(tmp_path: Path) -> None:
    whole = World(tmp_path / "whole")
    (tmp_path / "whole").mkdir()
    whole.run()
    at = next(at for at, what in enumerate(whole.points) if what == "commit ended of leaf-1 noted")
    world = handy(tmp_path, kill_at=at)
    with pytest.raises(Killed):
        world.run()
    world.settle()
    assert world.run() is RunOutcome.DONE
    assert told_of(tmp_path)[0].strip() == (
        "1. leaf-1: manual changes while its commit waited are unknown: its commit is no longer "
        "waiting: it reverted, was never made, or was confirmed by someone else; ask who worked on this switch"
    )


def test_what_can_not_be_read_before_a_revert_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = handy(tmp_path)
    types(world, "leaf-1")
    running = PaperBox.running

    def mute(box: PaperBox) -> str:
        if "hand-1" in running(box):
            raise SwitchError("refused", "the disk is full")
        return running(box)

    monkeypatch.setattr(PaperBox, "running", mute)
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD
    (hand,) = report(record_of(tmp_path)).hands
    assert hand.unknown == "its running configuration could not be read before the revert: the disk is full"


def test_where_nobody_types_nothing_is_said_of_hands(tmp_path: Path) -> None:
    world = handy(tmp_path)
    world.wrong = lambda text: "broken" in text
    world.texts["leaf-0"] = "broken"
    assert world.run() is RunOutcome.FAILED
    assert report(record_of(tmp_path)).hands == ()
