"""`--cluster`: a real scheduler and real workers, on loopback, do what one process would; what is wrong is told."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.verify import parallel as verify_spread
from fabricgen.errors import FabricError
from fabricgen.workers import cluster as clusters
from fabricgen.workers import tree as runs
from fabricgen.workers import units
from fabricgen.workers.cluster import cluster
from fabricgen.workers.pool import AHEAD, Workers
from fabricgen.workers.remote import OtherReleaseError, RemoteRelease, answered, release
from tests.cli.sites import DEMO, edit, tree
from tests.workers import at_worker
from tests.workers.dask_here import ROOT, scheduler, wait_for, workers
from tests.workers.kept import collection


class Here(NamedTuple):
    """A cluster of two workers, by the folder that it writes to."""

    address: str
    folder: Path
    pids: tuple[int, ...]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder = tmp_path_factory.mktemp("dask")
    with scheduler(folder) as address, workers(address, folder, "one", "two") as pids:
        yield Here(address, folder, pids)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    path = tmp_path / "site/intent.yaml"
    path.parent.mkdir()
    path.write_text(DEMO.read_text())
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def problem_of(result: Result) -> str:
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    return result.stderr


def test_the_same_bytes_by_a_cluster(intent: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("render", intent, "-o", tmp_path / "one", "--jobs", 1).exit_code == 0
    monkeypatch.setattr(runs, "LEAST", 5)
    monkeypatch.setattr(units, "PLACES", 5)
    done = run("render", intent, "-o", tmp_path / "many", "--cluster", here.address)
    assert (done.exit_code, done.stdout) == (0, "")
    assert tree(tmp_path / "one") == tree(tmp_path / "many")
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]")
    assert run("render", intent, "-o", tmp_path / "one", "--jobs", 1).exit_code == 0
    assert run("render", intent, "-o", tmp_path / "many", "--cluster", here.address).exit_code == 0
    assert tree(tmp_path / "one") == tree(tmp_path / "many")


def test_both_workers_work(here: Here) -> None:
    with cluster(here.address) as found:
        assert found.threads == len(here.pids)
        futures = [found.executor.submit(at_worker.where) for _ in range(40)]
        assert {future.result() for future in futures} == set(here.pids)


@pytest.mark.parametrize("fault", [False, True])
def test_checks_say_the_same_by_whomever(
    intent: Path, here: Here, monkeypatch: pytest.MonkeyPatch, *, fault: bool
) -> None:
    if fault:  # one end of its links: what a run of one leaf shows is a problem beside runs of the others alone
        intent.write_text(intent.read_text() + "overrides:\n  be-leaf-001: {mtu: 9100}\n")
    monkeypatch.setattr(runs, "LEAST", 3)
    ways = (("--jobs", 1), ("--jobs", 3), ("--cluster", here.address))
    told = [run("validate", intent, *way) for way in ways]
    assert [each.exit_code for each in told] == [int(fault)] * 3
    assert told[0].stderr == told[1].stderr == told[2].stderr
    assert ("mtu-differs" in told[0].stderr) is fault
    assert ("on each of 20 switches" in told[0].stderr) is not fault


@pytest.mark.long
def test_a_change_reads_the_same_by_whomever(
    intent: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Switches that change alike, one that does not, and of a rendered tree what a hand changed: no cluster sees it."""
    out = tmp_path / "out"
    assert run("render", intent, "-o", out).exit_code == 0
    before = shutil.copy2(intent, intent.with_name("before.yaml"))
    (out / "be-leaf-002/startup-config").write_text("mine\n")
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]")
    intent.write_text(intent.read_text() + "overrides:\n  be-spine-01: {state: drained}\n")
    monkeypatch.setattr(runs, "LEAST", 3)
    words = ("diff", intent, "--devices", "be-leaf-00*", "--json", "--against")
    alone, *others = (run(*words, before, *way) for way in ((), ("--jobs", 3), ("--cluster", here.address)))
    assert alone.exit_code == 3
    assert len(json.loads(alone.stdout)["hunks"]) > 1
    assert [each.stdout for each in others] == [alone.stdout] * 2
    alone, other = (run(*words, out, *way) for way in ((), ("--jobs", 3)))
    assert "mine" in alone.stdout
    assert other.stdout == alone.stdout
    assert "error[cluster-files]" in problem_of(run(*words[:-2], "--against", out, "--cluster", here.address))


def test_a_worker_that_dies_costs_a_retry(
    intent: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("render", intent, "-o", tmp_path / "one", "--jobs", 1).exit_code == 0
    monkeypatch.setattr(runs, "LEAST", 1)
    monkeypatch.setattr(units, "PLACES", 1)
    monkeypatch.setattr(runs, "part_of", at_worker.hanging)
    flag = tmp_path / "hangs"
    with workers(here.address, here.folder, "doomed", env={at_worker.HANGS: str(flag)}) as (pid,):
        killed = Thread(target=_kill, args=(flag, pid))
        killed.start()
        done = run("render", intent, "-o", tmp_path / "many", "--cluster", here.address)
        killed.join()
    assert flag.exists(), "the worker that was to die had no work"
    assert done.exit_code == 0
    assert tree(tmp_path / "one") == tree(tmp_path / "many")


def _kill(flag: Path, pid: int) -> None:
    """Kill a worker once it is in the middle of a run."""
    wait_for(flag)
    os.kill(pid, signal.SIGKILL)


def test_work_that_fails_once_is_tried_again(here: Here, tmp_path: Path) -> None:
    with cluster(here.address) as found:
        assert found.executor.submit(at_worker.fails_once, tmp_path / "flag").result() == "done"


def test_memory_is_bounded_by_what_is_taken(here: Here, tmp_path: Path) -> None:
    """No more runs are handed out than AHEAD for each thread: results wait in memory until they are taken."""
    begun: list[int] = []

    def works() -> Iterator[Path]:
        for number in range(50):
            begun.append(number)
            (tmp_path / str(number)).touch()
            yield tmp_path / str(number)

    with cluster(here.address) as found:
        results = Workers(found.executor, found.threads, here=False).each(at_worker.fails_once, works())
        assert next(results) == "done"
        assert len(begun) == AHEAD * found.threads + 1


@pytest.mark.long
def test_a_worker_with_other_sources_is_refused_before_any_work(intent: Path, tmp_path: Path, here: Here) -> None:
    other = tmp_path / "other"
    for name in ("fabricgen", "templates"):
        shutil.copytree(ROOT / name, other / name, ignore=shutil.ignore_patterns("__pycache__"))
    (other / "templates/eos/hostname.j2").write_text("hostname mine\n")
    with workers(here.address, here.folder, "other", root=other):
        told = problem_of(run("render", intent, "-o", tmp_path / "out", "--cluster", here.address))
    assert "error[cluster-release]: the worker tcp://127.0.0.1:" in told
    assert "has other sources or templates of" in told
    assert told.count("error[") == 1
    assert not (tmp_path / "out").exists()


def test_a_worker_that_comes_later_does_nothing_with_another_release(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OtherReleaseError, match=release().version):
        answered(RemoteRelease("9.9", ""), b"never unpacked")
    monkeypatch.setattr(clusters, "_agree", lambda *_: None)
    monkeypatch.setattr(clusters, "release", lambda: RemoteRelease("9.9", ""))
    with pytest.raises(FabricError) as error, cluster(here.address) as found:
        found.executor.submit(at_worker.where).result()
    (problem,) = error.value.problems
    assert (problem.code, problem.why) == ("cluster-release", "this is 9.9, and the other might render differently")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://127.0.0.1:1", "Timed out trying to connect"),
        ("tls://127.0.0.1:1", "TLS"),
        ("127.0.0.1:8786", "it does not begin with tcp:// or tls://"),
        ("tcp://127.0.0.1", "port"),
    ],
)
def test_a_scheduler_that_does_not_answer_is_told(
    intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, why: str
) -> None:
    monkeypatch.setattr(clusters, "SECONDS", 0.2)
    told = problem_of(run("render", intent, "-o", tmp_path / "out", "--cluster", address))
    assert f"error[cluster-unreachable]: no Dask scheduler answers at '{address}'" in told
    assert why in told
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_verify_finds_the_same_by_a_cluster(tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEAST", "MOST"):
        monkeypatch.setattr(verify_spread, name, 1)
    intent, kept = collection(tmp_path, is_sound=False)
    ways = (("--jobs", 1), ("--jobs", 2), ("--cluster", here.address))
    alone, *others = (run("verify", intent, "--from", kept, "--verbose", *way) for way in ways)
    assert alone.exit_code == 4
    assert "timed out" in alone.stdout
    assert [(one.exit_code, one.stdout) for one in others] == [(4, alone.stdout)] * 2


@pytest.mark.long
def test_a_cluster_without_workers_and_one_that_ends_are_told(tmp_path: Path) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(tmp_path))
        with pytest.raises(FabricError, match="cluster-empty"), cluster(address):
            pass
        stack.enter_context(workers(address, tmp_path, "one"))
        with pytest.raises(FabricError, match="worker-lost"), cluster(address) as found:
            _lose(found.executor, stack)


def _lose(executor: Executor, stack: ExitStack) -> None:
    """Wait for work of a cluster whose processes are ended."""
    future = executor.submit(time.sleep, 600)
    stack.close()
    future.result()


def test_own_templates_do_not_go_along(intent: Path, tmp_path: Path) -> None:
    done = run("render", intent, "--templates", tmp_path, "--cluster", "tcp://127.0.0.1:1")
    assert done.exit_code == 2
    assert "omit --templates" in done.stderr


def test_without_dask_it_is_told_what_to_install(intent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = problem_of(run("validate", intent, "--cluster", "tcp://127.0.0.1:1"))
    assert "error[cluster-not-installed]" in told
    assert "pip install 'fabricgen[cluster]'" in told


def test_nothing_of_it_is_imported_where_no_cluster_is_asked_for(intent: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "fabricgen", "validate", str(intent), "--jobs", "2"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"dask", "distributed", "tornado"}
