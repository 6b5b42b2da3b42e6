"""A journal whose process is killed, whose disk is full, that another process holds: all with real processes."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.push.journal.journal import open_journal, read_journal
from fabricgen.push.model import StepName, StepState

CHILD = Path(__file__).with_name("journal_child.py")
ROOT = Path(__file__).parents[3]
DEADLINE = 60.0  # seconds


def _command(*words: object) -> list[str]:
    return [sys.executable, str(CHILD), *map(str, words)]


@contextmanager
def child(*words: object) -> Iterator[subprocess.Popen[bytes]]:
    """A child that says something; killed at the end.

    Its output is read without a buffer: `select` and `communicate` do not see what a buffer already has.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        _command(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def heard(process: subprocess.Popen[bytes]) -> str:
    """Its next line."""
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], DEADLINE)[0], "the child says nothing"
    return process.stdout.readline().decode().strip()


def killed(process: subprocess.Popen[bytes]) -> str:
    """Kill it as a loss of power would; what it had said that was not heard yet."""
    process.send_signal(signal.SIGKILL)
    said, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    return said.decode()


def test_all_that_a_child_said_at_once_is_heard(tmp_path: Path) -> None:
    with child("says", tmp_path, 3) as process:
        assert heard(process) == "0"
        assert heard(process) == "1"
        assert killed(process) == "2\n"


@pytest.mark.parametrize("notes", [0, 1, 2, 17, 200])
def test_what_was_noted_is_there_after_sigkill(notes: int, tmp_path: Path) -> None:
    path = tmp_path / "push.db"
    with child("notes", path) as process:
        last = -1
        for _ in range(notes + 1):
            last = int(heard(process))
        rest = killed(process).split("\n")
        last = max([last, *(int(word) for word in rest[:-1])])
    with read_journal(path) as reader:
        record = reader.unfinished()
    assert record is not None
    numbers = [event.detail["number"] for event in record.events]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) - 1 in (last, last + 1)  # the last may be kept and not be said yet
    assert {(event.step, event.how) for event in record.events} == {(StepName.READ, StepState.BEGUN)}


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "push.db"
    with child("notes", path) as process:
        heard(process)
        killed(process)
    with open_journal(path) as journal:
        before = journal.unfinished()
        assert before is not None
        journal.note(before.number, StepName.READ, StepState.ENDED, device="d0")
        after = journal.unfinished()
        assert after is not None
        assert after.events[:-1] == before.events
        assert after.events[-1].how is StepState.ENDED


def test_two_processes_exclude_each_other(tmp_path: Path) -> None:
    path = tmp_path / "push.db"
    with child("holds", path) as process:
        assert heard(process) == "held"
        with pytest.raises(FabricError) as caught, open_journal(path):
            pass
        (problem,) = caught.value.problems
        assert problem.code == "push-running"
        assert str(path) in problem.what
        assert f"process {process.pid} of " in problem.why
        assert " UTC" in problem.why
        assert f"kill -INT {process.pid}" in problem.fix
        with read_journal(path) as reader:
            assert reader.last() is None
        process.communicate()  # ends its standard input
        assert process.returncode == 0
    assert list(tmp_path.iterdir()) == [path]
    with open_journal(path) as journal:
        assert journal.last() is None


def test_sigkill_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "push.db"
    with child("holds", path) as process:
        assert heard(process) == "held"
        killed(process)
    assert (tmp_path / "push.db.lock").exists()
    with open_journal(path) as journal:
        assert journal.last() is None
    assert list(tmp_path.iterdir()) == [path]


def test_a_limit_on_files_stops_the_notes_and_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "push.db"
    with child("limited", path, 300_000) as process:
        returned, code = heard(process).split()
        process.communicate()
        assert process.returncode == 0
    assert code == "journal-write"
    with read_journal(path) as reader:
        assert [event.detail["number"] for event in reader.record(1).events] == list(range(int(returned)))
    assert int(returned) > 10


def _can_mount() -> bool:
    try:
        return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


needs_mounts = pytest.mark.skipif(not _can_mount(), reason="a disk of its own needs root and unshare")


def on_a_disk(script: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a script in a mount namespace of its own; $0, $1 ... are the words."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = ["unshare", "-m", "sh", "-ec", script, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=DEADLINE)


@needs_mounts
def test_a_full_disk_stops_the_notes_and_loses_none(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=1m none "$0"; exec "$@"'
    found = on_a_disk(mount, tmp_path, *_command("full", tmp_path / "push.db", 500_000))
    assert found.returncode == 0, found.stderr
    returned, code, kept, later = found.stdout.split()
    assert code == "journal-write"
    assert int(kept) == int(returned) > 10
    assert int(later) == int(returned) + 1


@needs_mounts
def test_a_full_disk_refuses_to_begin(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=64k none "$0"; head -c 100000 /dev/zero > "$0/filler" || true; exec "$@"'
    code = (
        "import sys; from pathlib import Path\n"
        "from fabricgen.errors import FabricError\n"
        "from fabricgen.push.journal.journal import open_journal\n"
        "try:\n"
        "    with open_journal(Path(sys.argv[1])): print('open')\n"
        "except FabricError as error: print(error.problems[0].code)\n"
    )
    found = on_a_disk(script, tmp_path, sys.executable, "-c", code, tmp_path / "push.db")
    assert found.stdout.split() == ["journal-write"], found.stderr


@needs_mounts
def test_a_disk_that_can_only_be_read_is_read(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with child("notes", tmp_path / "push.db") as process:
        heard(process)
        killed(process)
    script = 'mount -t tmpfs none "$0"; cp "$1" "$0"; mount -o remount,ro "$0"; shift; exec "$@"'
    code = (
        "import sys; from pathlib import Path\n"
        "from fabricgen.errors import FabricError\n"
        "from fabricgen.push.journal.journal import open_journal, read_journal\n"
        "path = Path(sys.argv[1])\n"
        "with read_journal(path) as reader: print(reader.last().number)\n"
        "try:\n"
        "    with open_journal(path): print('open')\n"
        "except FabricError as error: print(error.problems[0].code)\n"
    )
    with open_journal(tmp_path / "push.db"):
        pass  # the log of the killed one goes into the file
    found = on_a_disk(script, disk, tmp_path / "push.db", sys.executable, "-c", code, disk / "push.db")
    assert found.stdout.split() == ["1", "journal-write"], found.stderr
