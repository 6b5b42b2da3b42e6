"""Freezes, the end of a run's time, rest between waves and hooks: over paper switches, and hooks as real processes."""

import json
import sys
import time
import tracemalloc
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fabricgen.operation.push.rules_file import read_rules
from fabricgen.push.act.hooks import Hooks
from fabricgen.push.model import RunOutcome
from fabricgen.push.plan.duty import FREE, Freeze, Hook, HookError, HookName, RunRules, why_not_now
from fabricgen.site.workspace import WorkspaceError
from tests.push.act.test_push_run import NAMES, NEW, OLD, WAVES, World, no_traffic  # noqa: F401 - a fixture
from tests.push.paper import Killed

NOON = datetime(2026, 12, 24, 12, tzinfo=UTC)
FROZEN = Freeze(NOON, NOON + timedelta(hours=2), "year end")


@pytest.mark.parametrize(
    ("rules", "minutes", "wanted"),
    [
        (FREE, 0, ""),
        (RunRules(freezes=(FROZEN,)), -1, ""),
        (RunRules(freezes=(FROZEN,)), 0, "changes are frozen until 2026-12-24 14:00 +0000: year end"),
        (RunRules(freezes=(FROZEN,)), 119, "changes are frozen until 2026-12-24 14:00 +0000: year end"),
        (RunRules(freezes=(FROZEN,)), 120, ""),
        (RunRules(freezes=(FROZEN,), despite="a leaf is on fire"), 0, ""),
        (RunRules(until=NOON), -1, ""),
        (RunRules(until=NOON), 0, "the time of --until has passed: 2026-12-24 12:00 +0000"),
        (RunRules(freezes=(FROZEN,), until=NOON, despite="x"), 1, "the time of --until has passed: 2026-12-24 12:00"),
    ],
)  # fmt: skip
def test_what_holds_a_wave_back(rules: RunRules, minutes: int, wanted: str) -> None:
    found = why_not_now(rules, NOON + timedelta(minutes=minutes))
    assert found.startswith(wanted)
    assert bool(found) == bool(wanted)


class Told:
    """A double of hooks: what they are told, and which of them fail."""

    def __init__(self, *failing: str) -> None:
        self.events: list[tuple[str, object]] = []
        self._failing = failing

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        json.dumps(values)
        self.events.append((str(values["event"]), values.get("wave", values.get("outcome"))))
        if f"{values['event']} {values.get('wave', '')}".strip() in self._failing:
            raise HookError("it ended with 3: the room is on call")


EVERY = {name: Hook(("true",), 1) for name in HookName}


def test_hooks_are_told_of_each_wave_and_of_both_ends(tmp_path: Path) -> None:
    told = Told()
    world = World(tmp_path, more={"rules": RunRules(hooks=EVERY), "call": told})
    assert world.run() is RunOutcome.DONE
    waves = [(event, number) for number in range(1, len(WAVES) + 1) for event in ("wave-begins", "wave-ended")]
    assert told.events == [("run-begins", None), *waves, ("run-ended", "done")]


@pytest.mark.parametrize("refused", ["run-begins", "wave-begins 1"])
def test_a_hook_that_refuses_the_beginning_changes_nothing(tmp_path: Path, refused: str) -> None:
    told = Told(refused)
    world = World(tmp_path, more={"rules": RunRules(hooks=EVERY), "call": told})
    assert world.run() is RunOutcome.STOPPED
    assert world.running() == dict.fromkeys(NAMES, OLD)
    assert "stopped it: it ended with 3: the room is on call" in world.reasons()
    assert told.events[-1] == ("run-ended", "stopped")


def test_what_a_hook_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    world = World(tmp_path, more={"rules": RunRules(hooks=EVERY), "call": Told("wave-begins 3")})
    assert world.run() is RunOutcome.STOPPED
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}
    world.settle()
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}
    told = Told()
    world.more["call"] = told
    assert world.run() is RunOutcome.DONE
    assert world.running() == dict.fromkeys(NAMES, NEW)


@pytest.mark.parametrize("failing", ["wave-ended 1", "run-ended"])
def test_a_hook_that_fails_behind_an_end_changes_nothing(tmp_path: Path, failing: str) -> None:
    world = World(tmp_path, more={"rules": RunRules(hooks=EVERY), "call": Told(failing)})
    assert world.run() is RunOutcome.DONE
    assert world.running() == dict.fromkeys(NAMES, NEW)
    assert "the room is on call" in world.reasons()


def test_a_freeze_that_begins_in_the_midst_lets_its_wave_end(tmp_path: Path) -> None:
    world = World(tmp_path)
    began = world.clock()
    world.more |= {
        "rules": RunRules(freezes=(FROZEN,), soak=600),
        "now": lambda: NOON - timedelta(seconds=1000) + timedelta(seconds=world.clock() - began),
    }
    assert world.run() is RunOutcome.STOPPED
    changed = [name for name in NAMES if world.running()[name] == NEW]
    assert 0 < len(changed) < len(NAMES)
    assert set(world.running().values()) == {OLD, NEW}
    assert "changes are frozen until" in world.reasons()


def test_a_rest_takes_its_time_between_waves_and_not_behind_the_last(tmp_path: Path) -> None:
    took = []
    for number, soak in enumerate((0, 500)):
        world = World(tmp_path / str(number), more={"rules": RunRules(soak=soak)})
        world.folder.mkdir()
        began = world.clock()
        assert world.run() is RunOutcome.DONE
        took.append(world.clock() - began)
    assert took[1] - took[0] == pytest.approx((len(WAVES) - 1) * 500)


def test_what_breaks_while_it_rests_stops_the_run_and_keeps_what_is_confirmed(tmp_path: Path) -> None:
    world = World(tmp_path, more={"rules": RunRules(soak=500)})
    wait = world.clock.wait

    def breaks(seconds: float) -> None:
        wait(seconds)
        if world.switches["spine-1"].startup == NEW and seconds == 1.0:  # a second of the rest
            world.switches["spine-1"].running = "broken"

    world.clock.wait = breaks  # type: ignore[method-assign]
    assert world.run() is RunOutcome.FAILED
    assert [world.running()[name] for name in NAMES[1:]] == [OLD, OLD, OLD]
    assert "500 s after wave 1, which is confirmed: " in world.reasons()


def test_ctrl_c_ends_a_rest_within_a_second(tmp_path: Path) -> None:
    world = World(tmp_path, more={"rules": RunRules(soak=86_400)})
    wait = world.clock.wait

    def stops(seconds: float) -> None:
        wait(seconds)
        if world.switches["spine-1"].startup == NEW and seconds == 1.0:
            world.stop.set()

    world.clock.wait = stops  # type: ignore[method-assign]
    began = world.clock()
    assert world.run() is RunOutcome.STOPPED
    assert world.clock() - began < 1000


# Hooks, as processes.


def script(folder: Path, text: str, seconds: float = 20) -> Hook:
    (folder / "hook.py").write_text(text)
    return Hook((sys.executable, "hook.py"), seconds)


def test_a_hook_reads_json_in_the_inventorys_folder(tmp_path: Path) -> None:
    hook = script(tmp_path, "import sys; open('told', 'w').write(sys.stdin.read())")
    Hooks(tmp_path)(hook, {"event": "run-begins", "run": 7})
    assert json.loads((tmp_path / "told").read_text()) == {"event": "run-begins", "run": 7}


def test_a_hook_that_reads_nothing_is_fine(tmp_path: Path) -> None:
    Hooks(tmp_path)(script(tmp_path, "import sys; sys.stdin.close()"), {"switches": ["x" * 100] * 10_000})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import sys; print('no change today'); sys.exit(3)", "it ended with 3: no change today"),
        ("import sys; sys.exit('\\x1b[2Jon call')", "it ended with 1: ?[2Jon call"),
        ("import os; os.kill(os.getpid(), 9)", "it ended with -9"),
    ],
)
def test_a_hook_that_fails_is_told_with_its_words(tmp_path: Path, text: str, wanted: str) -> None:
    with pytest.raises(HookError) as caught:
        Hooks(tmp_path)(script(tmp_path, text), {})
    assert str(caught.value).replace("\ufffd", "?") == wanted


def test_a_hook_that_hangs_is_killed_with_all_that_it_began(tmp_path: Path) -> None:
    text = (
        "import os, subprocess, time\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(HookError, match="it was killed after 3 s"):
        Hooks(tmp_path)(script(tmp_path, text, 3), {})
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_a_hook_says_is_kept_in_few_bytes(tmp_path: Path) -> None:
    """It says 64 MiB, and ends when all of it has been read."""
    text = "import sys\nfor _ in range(64): sys.stdout.write('no change today\\n' * 65_536)\nsys.exit(3)\n"
    tracemalloc.start()
    try:
        with pytest.raises(HookError, match="it ended with 3: no change today"):
            Hooks(tmp_path)(script(tmp_path, text, 60), {})
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_hook_that_leaves_something_behind_has_ended_all_the_same(tmp_path: Path) -> None:
    """As one that begins a daemon, which holds its pipe."""
    text = (
        "import subprocess, sys\nsubprocess.Popen(['sleep', '20'], start_new_session=True)\nprint('no')\nsys.exit(%d)\n"
    )
    began = time.monotonic()
    Hooks(tmp_path)(script(tmp_path, text % 0, 15), {})
    with pytest.raises(HookError, match="it ended with 3: no"):
        Hooks(tmp_path)(script(tmp_path, text % 3, 15), {})
    assert time.monotonic() - began < 15


def test_a_hook_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(HookError, match="cannot be run: No such file or directory"):
        Hooks(tmp_path)(Hook(("./nowhere",), 1), {})


def test_a_script_beside_the_inventory_is_named_by_its_own_path(tmp_path: Path) -> None:
    (tmp_path / "notify").write_text("#!/bin/sh\ncat >told\n")
    (tmp_path / "notify").chmod(0o700)
    Hooks(tmp_path)(Hook(("./notify",), 20), {"run": 1})
    assert (tmp_path / "told").read_text() == '{"run": 1}'


# push.yaml

GOOD = """
soak: 120
freeze:
  - {from: "2026-12-20T18:00+01:00", until: "2027-01-04T06:00+01:00", why: year end}
hooks:
  wave-begins: {command: [./ask, --room, noc], timeout: 90}
  run-ended: {command: [./tell]}
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "push.yaml").write_text(GOOD)
    found = read_rules(tmp_path)
    assert found.soak == 120
    (one,) = found.freezes
    assert (one.begins.isoformat(), one.why) == ("2026-12-20T18:00:00+01:00", "year end")
    assert found.hooks[HookName.WAVE_BEGINS] == Hook(("./ask", "--room", "noc"), 90)
    assert found.hooks[HookName.RUN_ENDED].timeout == 30


@pytest.mark.parametrize("text", [None, "", "# nothing\n"])
def test_without_rules_nothing_holds_back(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "push.yaml").write_text(text)
    assert read_rules(tmp_path) == FREE


@pytest.mark.parametrize(
    ("text", "line", "code", "word"),
    [
        ("soak: soon\n", 1, "wrong-type", "soak"),
        ("soak: -1\n", 1, "", "0"),
        ("sok: 1\n", 1, "unknown-key", "soak"),
        ("hooks:\n  wave-begin: {command: [a]}\n", 2, "", "wave-begins"),
        ("hooks:\n  run-ended: {command: []}\n", 2, "", "1"),
        ("freeze:\n  - {from: 2026-12-20, until: 2027-01-04T06:00+01:00, why: x}\n", 2, "", "2026-12-20T18:00+01:00"),
        ("freeze:\n  - {from: 2026-12-20T18:00, until: 2027-01-04T06:00+01:00, why: x}\n", 2, "", "zone"),
        ("freeze:\n  - {from: 2027-12-20T18:00Z, until: 2027-01-04T06:00Z, why: x}\n", 2, "freeze-backwards", "before"),
        ("freeze:\n  - {from: 2026-12-20T18:00+01:00, until: 2027-01-04T06:00+01:00}\n", 2, "", "why"),
        ("[1, 2]\n", 1, "", ""),
        ("soak: 1\nsoak: 2\n", 2, "", "soak"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_place(tmp_path: Path, text: str, line: int, code: str, word: str) -> None:
    (tmp_path / "push.yaml").write_text(text)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - both kinds are FabricErrors
        read_rules(tmp_path)
    problem = caught.value.problems[0]  # type: ignore[attr-defined]
    assert problem.at is not None
    assert problem.at.line == line
    assert problem.at.file.endswith("push.yaml")
    assert code in ("", problem.code)
    assert word in f"{problem.what} {problem.why} {problem.fix}"


def test_the_mistakes_of_a_file_come_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "push.yaml").write_text("soak: soon\n")
    with pytest.raises(WorkspaceError) as caught:
        read_rules(tmp_path)
    assert caught.value.documents[0].lines[0] == "soak: soon"


@pytest.mark.parametrize("at", range(4, 60, 4))
def test_a_wave_that_was_begun_is_brought_to_its_end_whatever_holds_the_next_one_back(tmp_path: Path, at: int) -> None:
    world = World(tmp_path, kill_at=at)
    with pytest.raises(Killed):
        world.run()
    world.kill_at = -1
    world.more |= {"rules": RunRules(until=NOON, hooks=EVERY), "call": Told("wave-begins 1"), "now": lambda: NOON}
    assert world.run() is RunOutcome.STOPPED
    assert set(world.running().values()) <= {OLD, NEW}
    assert not any(switch.waiting for switch in world.switches.values())
