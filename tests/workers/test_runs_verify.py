"""`verify` by several: processes of this machine, and the workers of a real cluster on loopback, find the same.

One run by a cluster is among the tests of test_runs_cluster.py: starting another takes twelve seconds.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.verify import parallel as verify_spread
from fabricgen.cli.verify.parallel import judging
from fabricgen.cli.verify.tasks import FabricSwitches, SwitchBatch
from fabricgen.operation.intended import read_plan
from fabricgen.verify.collect.store import PLAIN
from fabricgen.workers.pool import Workers
from fabricgen.workers.remote import packed
from fabricgen.workers.request import ParallelOptions
from tests.some import LONG
from tests.verify.test_verify_command import CANARY, INTENT, Switches, stand
from tests.workers import at_judge, at_worker
from tests.workers.dask_here import scheduler, wait_for, workers
from tests.workers.kept import collection


class Here(NamedTuple):
    """A cluster of two workers, by the folder that it writes to."""

    address: str
    folder: Path


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder = tmp_path_factory.mktemp("dask")
    with scheduler(folder) as address, workers(address, folder, "one", "two"):
        yield Here(address, folder)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of two switches and parts of one, so that several have something to do."""
    for name, size in (("BOILED", 2), ("LEAST", 1), ("MOST", 1)):
        monkeypatch.setattr(verify_spread, name, size)


def verify(*words: object) -> Result:
    result = CliRunner().invoke(main, ["verify", *map(str, words)], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


@LONG
@pytest.mark.parametrize("is_sound", [True, False])
@pytest.mark.parametrize("more", ["--verbose --devices=*-leaf-*", "--json", "--verbose", ""])
def test_the_same_findings_by_whomever(tmp_path: Path, here: Here, more: str, *, is_sound: bool) -> None:
    intent, kept = collection(tmp_path, is_sound=is_sound)
    ways = (("--jobs", 1), ("--jobs", 2), ("--cluster", here.address), ("--cluster", here.address, "--jobs", 5))
    alone, *others = (verify(intent, "--from", kept, *more.split(), *way) for way in ways)
    assert (alone.exit_code, alone.stderr) == (0 if is_sound else 4, "")
    assert [(one.exit_code, one.stdout, one.stderr) for one in others] == [(alone.exit_code, alone.stdout, "")] * 3
    assert all((told in alone.stdout) is not is_sound for told in ("ip source-route", "timed out"))
    if not is_sound and more in ("", "--verbose"):
        assert "1. be-spine-00: the switch is not in the collection." in alone.stdout
        assert ("↳ be-spine-00: is not in the collection" in alone.stdout) is bool(more)
        assert "6 switches, 4 reached: " in alone.stdout


@LONG
@pytest.mark.parametrize("text", ["{", ""])
def test_a_file_that_is_none_is_told_the_same_by_whomever(tmp_path: Path, here: Here, text: str) -> None:
    intent, kept = collection(tmp_path, is_sound=True)
    (kept / "be-leaf-002.json").write_text(text)
    (kept / "be-leaf-003.json").write_text("{")
    ways = (("--jobs", 1), ("--jobs", 2), ("--cluster", here.address))
    alone, *others = (verify(intent, "--from", kept, *way) for way in ways)
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert f"error[collection-file]: {kept / 'be-leaf-002.json'} cannot be used" in alone.stderr
    assert [one.stderr for one in others] == [alone.stderr] * 2


@LONG
def test_a_worker_that_dies_costs_a_retry(tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    intent, kept = collection(tmp_path, is_sound=False)
    alone = verify(intent, "--from", kept, "--jobs", 1)
    monkeypatch.setattr(verify_spread, "judged", at_judge.hanging)
    flag = tmp_path / "hangs"
    with workers(here.address, here.folder, "doomed", env={at_worker.HANGS: str(flag)}) as (pid,):
        killed = Thread(target=_kill, args=(flag, pid))
        killed.start()
        done = verify(intent, "--from", kept, "--cluster", here.address)
        killed.join()
    assert flag.exists(), "the worker that was to die had no work"
    assert (done.exit_code, done.stdout) == (4, alone.stdout)


def _kill(flag: Path, pid: int) -> None:
    """Kill a worker once it is in the middle of a part."""
    wait_for(flag)
    os.kill(pid, signal.SIGKILL)


@LONG
def test_live_switches_are_asked_here_and_judged_by_whomever(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No password leaves this process, neither the inventory's nor where a switch repeats it."""
    switches = Switches(tmp_path)
    stand(switches, monkeypatch)
    switches.become({name: "well" for name in ("be-leaf-000", "be-leaf-001", "fe-spine-01")})
    sent: list[bytes] = []

    def noted(*call: object) -> bytes:
        sent.append(packed(*call))  # type: ignore[arg-type]
        return sent[-1]

    monkeypatch.setattr("fabricgen.workers.cluster.packed", noted)
    ways = (("--jobs", 1), ("--jobs", 2), ("--cluster", here.address))
    alone, *others = (verify(INTENT, "-i", switches.inventory, "--json", *way) for way in ways)
    assert alone.exit_code == 4
    assert '"reached": 3' in alone.stdout
    assert [one.stdout for one in others] == [alone.stdout] * 2
    assert len(sent) == 14 + 7
    assert not [one for one in sent if CANARY.encode() in one]


def test_only_switches_that_are_asked_again_are_judged_again(tmp_path: Path) -> None:
    intent, kept = collection(tmp_path, is_sound=True)
    with judging(ParallelOptions(2), read_plan(intent), None, "*", None) as found:
        names = {"be-spine-01", "be-leaf-001"}
        assert [one.device for one in found.judged(kept, PLAIN, names)] == ["be-leaf-001", "be-spine-01"]
        assert not list(found.judged(kept, PLAIN, ()))


def test_files_that_go_along_are_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many switches or octets, and no folder is read where the part is judged."""
    intent, kept = collection(tmp_path, is_sound=True)
    (kept / "be-leaf-001.json").unlink()
    monkeypatch.setattr(verify_spread, "MOST", 64)
    monkeypatch.setattr(verify_spread, "LEAST", 64)
    parts: list[SwitchBatch] = []

    class Away(Workers):
        """Takes note of what it is given, and does none of it."""

        def each(self, do: object, works: Iterable[SwitchBatch], /) -> Iterator[SwitchBatch]:  # type: ignore[override]
            del do
            parts.extend(works)
            return iter(())

    def sizes(sent: int, octets: int) -> list[int]:
        monkeypatch.setattr(verify_spread, "SENT", sent)
        monkeypatch.setattr(verify_spread, "OCTETS", octets)
        with judging(ParallelOptions(1), read_plan(intent), None, "*", None) as found:
            away = Away(None, 1, here=False)
            parts.clear()
            spread = verify_spread.Judging(
                intended=found.intended, order=found.order, shared=found.shared, workers=away
            )
            assert not list(spread.judged(kept, PLAIN, found.intended.names))
        every = [one.wanted.names for one in parts if isinstance(one.wanted, FabricSwitches)]
        assert sum(every, ()) == found.intended.names
        assert {name for one in parts for name in one.octets or {}} == {*found.intended.names} - {"be-leaf-001"}
        assert all(one.octets is not None for one in parts)
        return [len(names) for names in every]

    largest = max(path.stat().st_size for path in kept.iterdir())
    assert sizes(16, 1 << 30) == [6]
    assert sizes(4, 1 << 30) == [4, 2]
    assert sizes(16, largest - 1)[0] == 2, "one that is missing has no octets"
    assert sum(sizes(16, largest - 1)) == 6


def test_own_templates_do_not_go_along(tmp_path: Path) -> None:
    done = verify(INTENT, "--from", tmp_path, "--templates", tmp_path, "--cluster", "tcp://127.0.0.1:1")
    assert done.exit_code == 2
    assert "omit --templates" in done.stderr
