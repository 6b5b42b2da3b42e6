"""Two renders of one intent at once: stopped or killed between any two steps, no line of the lock is ever lost."""

import copy
import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.errors import FabricError
from fabricgen.output import writer
from fabricgen.output.writer import one_writer, write_lock_file
from tests.cli.conftest import Run
from tests.lab.mixed import frontend
from tests.some import LONG, some

EVENTS = ("open", "os.rename", "os.remove", "fcntl.flock", "os.mkdir")
MOST = 300
"""Steps; far more than a render of this site has beside its intent."""


def site(*tenants: str) -> dict[str, Any]:
    """A small frontend with tenants that draw VNIs, the later ones behind those before them."""
    made = copy.deepcopy(frontend())
    made["overrides"], made["waivers"] = {}, []
    pattern = made["tenants"].pop("research")
    for at, name in enumerate(tenants):
        networks = {"hosts": {"vlan": 1200 + at, "subnets": [f"172.{20 + at}.0.0/20"]}}
        made["tenants"][name] = {**pattern, "servers": [f"train[{at}]"], "imports": [], "networks": networks}
    return made


def write(intent: Path, *tenants: str) -> None:
    """As an editor does: whole or not at all."""
    staged = intent.with_name("staged")
    staged.write_text(yaml.safe_dump(site(*tenants), sort_keys=False))
    staged.rename(intent)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    path = tmp_path / "site/intent.yaml"
    path.parent.mkdir()
    write(path)
    assert CliRunner().invoke(main, ["render", str(path), "-o", str(tmp_path / "first")]).exit_code == 0
    return path


def ids(intent: Path) -> dict[str, int]:
    """Numbers of tenants, as the lock has them."""
    found = yaml.safe_load((intent.parent / "fabricgen.lock").read_text())
    return {row["name"]: row["id"] for row in found["ids"]}


class Stop:
    """Stops its process before one step: an event beside the intent, or the lock of any file, counted from 0."""

    def __init__(self, folder: Path, step: int) -> None:
        self._folder, self._left = str(folder), step

    def __call__(self, event: str, given: tuple[object, ...]) -> None:
        if event not in EVENTS or not (event == "fcntl.flock" or any(self._is_here(one) for one in given)):
            return
        self._left -= 1
        if self._left == -1:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _is_here(self, path: object) -> bool:
        return isinstance(path, str | Path) and str(path).startswith(self._folder)


def child(words: list[object], most_seconds: float, stop: Stop | None = None) -> int:
    """A verb in a process of its own, which waits no longer for another; the process."""
    made = os.fork()
    if made == 0:
        code = 70
        try:
            writer.MOST_SECONDS = most_seconds
            if stop is not None:
                sys.addaudithook(stop)
            code = CliRunner().invoke(main, [str(word) for word in words]).exit_code
        finally:
            os._exit(code)
    return made


def waited(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=LONG)])
@pytest.mark.parametrize("end", some([signal.SIGKILL, signal.SIGCONT]))
def test_stopped_or_killed_between_any_two_steps_a_second_writer_loses_nothing(
    intent: Path, tmp_path: Path, end: signal.Signals, stride: int
) -> None:
    lock, old = intent.parent / "fabricgen.lock", (intent.parent / "fabricgen.lock").read_bytes()
    two = ["render", intent, "-o", tmp_path / "two"]
    seen = []
    for step in range(0, MOST, stride):
        lock.write_bytes(old)
        write(intent, "one")
        first = child(["render", intent, "-o", tmp_path / "one"], 0.0, Stop(intent.parent, step))
        _, status = os.waitpid(first, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            assert os.waitstatus_to_exitcode(status) == 0
            break
        # Somebody puts a tenant in front, which takes a number too, and renders into another folder.
        write(intent, "two", "one")
        before = lock.read_bytes()
        second = waited(child(two, 0.2))
        assert second == 0 or (second == 1 and lock.read_bytes() == before)
        after = ids(intent)
        os.kill(first, end)
        assert waited(first) in (0, 1, -signal.SIGKILL)
        assert after.items() <= ids(intent).items(), "what was written stays"
        assert waited(child(two, 5.0)) == 0
        found = ids(intent)
        assert len(set(found.values())) == len(found) == 6
        assert sorted(path.name for path in intent.parent.iterdir()) == ["fabricgen.lock", "intent.yaml"]
        seen.append(second)
    else:
        pytest.fail("no render has so many steps")
    # Before it holds the folder and after it let go, the second is first; in between it is refused.
    assert len(seen) > 8 // stride
    assert set(seen) == {0, 1}


def refusal(words: list[object], run: Run) -> tuple[str, str, str]:
    result = run(*words)
    assert result.exit_code == 1
    code, rest = result.stderr.split("error[")[1].split("]", 1)
    return code, rest, result.stderr


@pytest.fixture
def held(intent: Path) -> Iterator[int]:
    """Another process that holds the folder of the intent; its number."""
    script = (
        "import fcntl, os, sys, time; f = os.open(sys.argv[1], os.O_RDONLY); fcntl.flock(f, fcntl.LOCK_EX);"
        "print('held', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script, str(intent.parent)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    yield holder.pid
    holder.kill()
    holder.wait()
    holder.stdout.close()


def test_a_second_writer_waits_says_for_whom_and_goes_on(intent: Path, tmp_path: Path, run: Run, held: int) -> None:
    threading.Timer(1.0, os.kill, (held, signal.SIGKILL)).start()
    begin = time.monotonic()
    result = run("render", intent, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert time.monotonic() - begin > 0.9
    assert result.stderr.count(f"another fabricgen (process {held}) is writing to {intent.parent}: waiting") == 1


def test_who_waits_too_long_is_refused_by_name(
    intent: Path, tmp_path: Path, run: Run, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_SECONDS", 0.2)
    for words in (["-o", tmp_path / "out"], ["-o", tmp_path / "out", "--locked"]):
        code, told, _ = refusal(["render", intent, *words], run)
        assert code == "lock-busy"
        assert f"process {held}" in told
    assert not (tmp_path / "out").exists()
    # What reads only waits for nobody.
    assert run("validate", intent).exit_code == 0
    assert run("plan", intent, "--json").exit_code == 0


def test_a_lock_that_is_a_link_is_held_where_it_lies(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_SECONDS", 0.2)
    other = tmp_path / "other"
    other.mkdir()
    (other / "intent.yaml").write_text(intent.read_text())
    (other / "fabricgen.lock").symlink_to("../site/fabricgen.lock")
    with one_writer(intent.parent / "fabricgen.lock", print):
        assert refusal(["render", other / "intent.yaml", "-o", tmp_path / "out"], run)[0] == "lock-busy"
    with one_writer(other / "fabricgen.lock", print):
        assert refusal(["render", intent, "-o", tmp_path / "out"], run)[0] == "lock-busy"
    assert run("render", other / "intent.yaml", "-o", tmp_path / "out").exit_code == 0


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EIO])
def test_a_file_system_without_locks_is_told(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """As NFS does without its lock service. A double: no such file system is at hand."""

    def refuse(_handle: int, _operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    code, told, _ = refusal(["render", intent, "-o", tmp_path / "out"], run)
    assert code == "lock-unavailable"
    assert os.strerror(number) in told
    assert not (tmp_path / "out").exists()


def test_a_lock_that_others_change_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Git, an editor, or a machine that does not see our locks."""
    lock = tmp_path / "fabricgen.lock"
    lock.write_text("theirs\n")
    for read in (None, b"ours\n"):
        with pytest.raises(FabricError) as caught:
            write_lock_file(lock, "new\n", read)
        assert [problem.code for problem in caught.value.problems] == ["lock-changed"]
    assert lock.read_text() == "theirs\n"
    write_lock_file(lock, "new\n", b"theirs\n")
    lock.unlink()
    with pytest.raises(FabricError):
        write_lock_file(lock, "newer\n", b"new\n")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_writer_has_left_goes_and_no_other_file_does(intent: Path, tmp_path: Path, run: Run) -> None:
    (intent.parent / "fabricgen.lock").unlink(missing_ok=True)
    (intent.parent / ".fabricgen.lock.fabricgen-tmp").write_text("half")
    kept = (
        *(f".fabricgen.lock.{end}" for end in ("original", "20261120", "k3_9xz1a", "new", "orig", "notes.txt")),
        ".fabricgen.lock.fabricgen-tmp-2",
        "fabricgen.lock.bak",
    )
    for name in kept:
        (intent.parent / name).write_text("the user's")
    (intent.parent / ".fabricgen.lock.abcdefgh").symlink_to("intent.yaml")
    assert run("render", intent, "-o", tmp_path / "out").exit_code == 0
    left = {path.name for path in intent.parent.iterdir()}
    assert left == {"fabricgen.lock", "intent.yaml", ".fabricgen.lock.abcdefgh", *kept}


def test_what_a_killed_writer_has_left_goes_where_the_lock_needs_no_new_line(
    intent: Path, tmp_path: Path, run: Run
) -> None:
    """The change was taken back after the kill."""
    (intent.parent / ".fabricgen.lock.fabricgen-tmp").write_text("half")
    before = (intent.parent / "fabricgen.lock").read_bytes()
    assert run("render", intent, "-o", tmp_path / "out").exit_code == 0
    assert {path.name for path in intent.parent.iterdir()} == {"fabricgen.lock", "intent.yaml"}
    assert (intent.parent / "fabricgen.lock").read_bytes() == before


@pytest.mark.parametrize("words", [["--locked"], []], ids=["locked", "refused"])
def test_a_render_that_writes_no_lock_leaves_all_beside_it(
    intent: Path, tmp_path: Path, run: Run, words: list[str]
) -> None:
    (intent.parent / "fabricgen.lock").unlink(missing_ok=True)
    if not words:
        intent.write_text("fabricgen: 1\n")
    (intent.parent / ".fabricgen.lock.fabricgen-tmp").write_text("half")
    (intent.parent / ".fabricgen.lock.original").write_text("the user's")
    before = sorted(path.name for path in intent.parent.iterdir())
    assert run("render", intent, "-o", tmp_path / "out", *words).exit_code != 0
    assert sorted(path.name for path in intent.parent.iterdir()) == before


def test_beside_the_target_of_a_link_only_ours_is_removed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there/fabricgen.lock").write_text("old\n")
    for name in (".fabricgen.lock.original", ".fabricgen.lock.new", ".fabricgen.lock.fabricgen-tmp"):
        (tmp_path / "there" / name).write_text("x")
    lock = tmp_path / "here/fabricgen.lock"
    lock.symlink_to("../there/fabricgen.lock")
    with one_writer(lock, print):
        write_lock_file(lock, "new\n", b"old\n")
    assert lock.read_text() == "new\n"
    left = sorted(path.name for path in (tmp_path / "there").iterdir())
    assert left == [".fabricgen.lock.new", ".fabricgen.lock.original", "fabricgen.lock"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_a_lock_keeps_its_mode_and_a_first_one_is_for_all_to_read(tmp_path: Path, mode: int) -> None:
    lock = tmp_path / "fabricgen.lock"
    write_lock_file(lock, "one\n", None)
    assert stat.S_IMODE(lock.stat().st_mode) == 0o644
    lock.chmod(mode)
    write_lock_file(lock, "two\n", b"one\n")
    assert stat.S_IMODE(lock.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to give a file away")
def test_a_lock_keeps_its_owner(tmp_path: Path) -> None:
    lock = tmp_path / "fabricgen.lock"
    lock.write_text("one\n")
    os.chown(lock, 65534, 65533)
    write_lock_file(lock, "two\n", b"one\n")
    assert (lock.stat().st_uid, lock.stat().st_gid) == (65534, 65533)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become another user")
def test_a_folder_of_another_user_that_may_be_read_is_rendered_where_the_lock_stays(
    intent: Path, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    for path in tmp_path.parents:
        if path.stat().st_uid == 0 and path != Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o111)
    intent.parent.chmod(0o555)
    out = tmp_path / "theirs"
    out.mkdir()
    os.chown(out, 65534, 65534)

    def as_nobody(*words: object) -> int:
        made = os.fork()
        if made == 0:
            code = 70
            try:
                os.setgid(65534)
                os.setuid(65534)
                code = CliRunner().invoke(main, [str(word) for word in words]).exit_code
            finally:
                os._exit(code)
        return waited(made)

    assert as_nobody("render", intent, "-o", out) == 0
    write(intent, "one")
    before = (intent.parent / "fabricgen.lock").read_bytes()
    assert as_nobody("render", intent, "-o", out) == 1  # the lock would have to be written
    assert (intent.parent / "fabricgen.lock").read_bytes() == before
    intent.parent.chmod(0o311)
    assert as_nobody("validate", intent) in (0, 1)
    assert as_nobody("render", intent, "-o", out) == 1  # it cannot be opened, so not locked


@pytest.mark.parametrize("out", ["hardware", "hardware/out", "own", "own/deep/out", "link/out", "../site/hardware/out"])
def test_no_tree_lies_among_files_that_are_read(
    intent: Path, run: Run, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    """It would be hardware, or templates, of the next run, and refused there."""
    monkeypatch.chdir(intent.parent)
    Path("own").mkdir()
    Path("link").symlink_to("own")
    before = {path.name for path in Path().rglob("*")}
    words = ["intent.yaml", "-o", out, "--templates", "link"]
    assert refusal(["render", *words], run)[0] == "output-folder"
    assert refusal(["render", *words, "--with-secrets"], run)[0] == "output-folder"
    assert refusal(["export", "containerlab", *words], run)[0] == "output-folder"
    assert refusal(["export", "containerlab", *words, "--with-secrets"], run)[0] == "output-folder"
    assert refusal(["export", "hosts", *words], run)[0] == "output-folder"
    assert refusal(["export", "batfish", *words], run)[0] == "output-folder"
    if "hardware" in out:
        for what in ("nornir", "ansible", "gnmic"):
            assert refusal(["export", what, "intent.yaml", "-o", out], run)[0] == "output-folder"
    assert {path.name for path in Path().rglob("*")} == before
    assert run("validate", "intent.yaml").exit_code == 0


@pytest.mark.parametrize("out", [".", "site", "../site", "site/."])
def test_no_tree_fills_the_folder_of_the_intent(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.chdir(tmp_path if out.startswith("site") else intent.parent)
    (intent.parent / ".fabricgen").mkdir()
    (intent.parent / ".fabricgen/manifest.json").write_text("{}")  # even where it looks like a tree of ours
    assert refusal(["render", intent, "-o", out], run)[0] == "output-folder"
    assert refusal(["render", intent, "-o", "gone/../.."], run)[0] == "output-folder"
    assert {path.name for path in intent.parent.iterdir()} == {"fabricgen.lock", "intent.yaml", ".fabricgen"}
