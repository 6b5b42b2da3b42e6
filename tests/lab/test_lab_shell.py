"""Programs that a lab runs: what they say when they fail, and what is left of the lab then."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.up import Job, up
from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.shell import TIMED_OUT, LabShell, each
from fabricgen.lab.interfaces.switch_notes import LOCK
from fabricgen.lab.model import queues
from fabricgen.lab.model.lab import PLAIN
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.frr.waiting import becomes
from tests.host import require
from tests.lab.sites import DEMO, available, plan, remains


def test_a_command_that_fails_is_a_problem_with_what_it_said() -> None:
    require("ip")
    with pytest.raises(FabricError) as caught:
        LabShell("x").must(["ip", "-batch", "-"], "link sett\n", doing="cables")
    (problem,) = caught.value.problems
    assert problem.code == "lab-command"
    assert problem.what == "cables: ip failed"
    assert '"sett" is unknown' in problem.why


def test_a_program_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FabricError) as caught:
        LabShell("x").must(["ip", "netns"], doing="cables")
    (problem,) = caught.value.problems
    assert (problem.code, problem.what) == ("lab-programs", "programs are missing: ip")
    assert "iproute2" in problem.fix


def test_a_command_that_says_nothing_is_told_so() -> None:
    with pytest.raises(FabricError) as caught:
        LabShell("x").must(["false"], doing="cables")
    assert caught.value.problems[0].why == "it printed nothing"


def test_a_command_that_does_not_end_is_ended() -> None:
    done = LabShell("x").run(["sleep", "60"], seconds=0.1)
    assert (done.returncode, done.stderr) == (TIMED_OUT, "it did not end within 0.1 s")


def test_the_first_failure_ends_the_rest() -> None:
    seen: list[int] = []

    def work(number: int) -> None:
        if number == 2:
            raise FabricError([])
        seen.append(number)

    with pytest.raises(FabricError):
        each(work, range(3), lambda: None)
    assert seen == [0, 1]


@pytest.mark.skipif(available() is not None, reason=str(available()))
def test_a_lab_that_fails_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its namespaces, cables and addresses are there when `tc` is given a port that is not."""
    monkeypatch.setattr(queues, "commands", lambda *_: ["qdisc add dev nowhere root pfifo"])
    lab = make_lab(plan(DEMO), parse_subset("units=1,leaves=1,spines=1,links=1,servers=1,borders=0"))
    place = place_of(tmp_path / "lab")
    met: list[dict[str, object]] = []

    def tell(name: str, size: int) -> Callable[[], None]:
        del name, size
        met.append(remains(place))
        return lambda: None

    with pytest.raises(FabricError) as caught:
        up(Job(lab, place, DEMO, PLAIN, tell, 0, queues_mbps=10))
    (problem,) = caught.value.problems
    assert problem.code == "lab-command"
    assert "queues of " in problem.what
    assert "tc failed" in problem.what
    assert "nowhere" in problem.why
    assert met[-1]["namespaces"]
    assert remains(place) == {}


HOLDER = """
import sys
from pathlib import Path
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.interfaces.switch_notes import interfaces_lock
with interfaces_lock(Path(sys.argv[1])) as lock:
    LabShell("none", (lock,)).run(["sh", "-c", "echo >begun; cat <gate"])
"""
"""Holds a folder while a program of it waits to be let go."""


def test_a_lock_lasts_as_long_as_the_programs_of_who_was_killed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], cwd=tmp_path) as begun:
        becomes(True, (tmp_path / "begun").exists)
        begun.kill()
    with (tmp_path / LOCK).open("a") as file:
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (tmp_path / "gate").write_text("")
        fcntl.flock(file, fcntl.LOCK_EX)
