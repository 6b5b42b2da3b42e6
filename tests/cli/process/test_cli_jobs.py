"""`render --jobs`: several processes write what one would, and end with the one that started them."""

import os
import pickle
import signal
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.plan.fabric import name_of, places
from fabricgen.site.workspace import open_workspace
from fabricgen.workers import tree as runs
from fabricgen.workers import units
from fabricgen.workers.tasks import TaskResult, WorkerInput
from tests.cli.conftest import Run
from tests.cli.sites import edit, tree

SECONDS = 20
"""Until which what is waited for has come, on any host."""


def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut even the demo into pieces of work for several processes."""
    monkeypatch.setattr(runs, "LEAST", 5)
    monkeypatch.setattr(units, "PLACES", 5)


def test_the_same_bytes_by_any_number_of_processes(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_pieces(monkeypatch)
    found = []
    for jobs in ("1", "3"):
        out = tmp_path / f"by-{jobs}"
        assert run("render", intent, "-o", out, "--jobs", jobs).exit_code == 0
        found.append(tree(out))
    assert found[0] == found[1]
    again = run("render", intent, "-o", tmp_path / "by-3", "--jobs", "3")
    assert " 0 files written" in again.stderr
    assert " 0 removed" in again.stderr


def test_a_change_is_staged_by_all_of_them(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_pieces(monkeypatch)
    out = tmp_path / "out"
    assert run("render", intent, "-o", out, "-j", "2").exit_code == 0
    hand = out / "be-leaf-000/startup-config"
    hand.write_text("mine")
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]")
    done = run("render", intent, "-o", out, "-j", "2")
    assert done.exit_code == 0
    assert f"{hand}: manual edit overwritten" in done.stderr
    assert run("render", intent, "-o", tmp_path / "other", "-j", "1").exit_code == 0
    assert tree(out) == tree(tmp_path / "other")


def test_what_a_process_finds_is_told_as_ever_and_leaves_nothing(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_pieces(monkeypatch)
    own = tmp_path / "templates/eos"
    own.mkdir(parents=True)
    (own / "hostname.j2").write_text("hostname {{ device.nam }}\n")
    words = ("render", intent, "--templates", own.parent)
    told = [run(*words, "-o", tmp_path / f"out-{jobs}", "-j", jobs) for jobs in ("1", "2")]
    assert [each.exit_code for each in told] == [1, 1]
    assert told[0].stderr == told[1].stderr
    assert "device.nam" in told[0].stderr or "'nam'" in told[0].stderr
    assert not (tmp_path / "out-2").exists()


def lost(work: WorkerInput) -> TaskResult:
    """Ends as the kernel ends a process when memory is gone."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(work)


def test_a_process_that_is_lost_is_told_and_leaves_nothing(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_pieces(monkeypatch)
    monkeypatch.setattr(runs, "part_of", lost)
    done = run("render", intent, "-o", tmp_path / "out", "-j", "2")
    assert done.exit_code == 1
    assert "error[worker-lost]" in done.stderr
    assert not (tmp_path / "out").exists()


def endless(work: WorkerInput) -> TaskResult:
    """Says who it is, and never ends."""
    assert work.out is not None
    (work.out.parent / f"pid-{os.getpid()}").touch()
    time.sleep(10 * SECONDS)
    raise AssertionError(work)


def is_running(pid: int) -> bool:
    """Whether a process is there and no mere entry that nobody has taken off yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killed_it_takes_its_processes_along(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_pieces(monkeypatch)
    monkeypatch.setattr(runs, "part_of", endless)
    child = os.fork()
    if child == 0:
        try:
            CliRunner().invoke(main, ["render", str(intent), "-o", str(tmp_path / "out"), "-j", "2"])
        finally:
            os._exit(0)
    until = time.monotonic() + SECONDS
    while len(list(tmp_path.glob("pid-*"))) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    pids = [int(path.name.removeprefix("pid-")) for path in tmp_path.glob("pid-*")]
    assert len(pids) == 2
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while any(map(is_running, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    left = [pid for pid in pids if is_running(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left
    monkeypatch.undo()
    assert run("render", intent, "-o", tmp_path / "out", "-j", "2").exit_code == 0


def test_a_plan_is_handed_over_without_what_it_remembers(intent: Path) -> None:
    """A thread of the pool pickles it while this one goes on asking it for names: what it remembers would change."""
    plan = open_workspace(intent).plan
    fresh = pickle.dumps(plan)
    for fabric in plan.fabrics.values():
        names = [name_of(fabric, place) for place in places(fabric)]
        assert names
        assert fabric.known
    assert len(pickle.dumps(plan)) == len(fresh)
    assert pickle.loads(fresh) == plan  # noqa: S301 - written above


@pytest.mark.parametrize("switches", [1, 63, 64, 65, 4_224, 40_960])
@pytest.mark.parametrize("jobs", [1, 2, 9])
@pytest.mark.parametrize(("is_here", "most"), [(True, 512), (False, 128)])
def test_pieces_of_work_hold_all_switches_and_the_last_ones_are_small(
    switches: int, jobs: int, is_here: bool, most: int
) -> None:
    found = list(runs.sizes(switches, jobs, is_here=is_here))
    assert sum(found[:-1]) < switches <= sum(found)
    assert found == sorted(found, reverse=True)
    assert max(found) <= most
    assert min(found) == found[-1] == runs.LEAST
