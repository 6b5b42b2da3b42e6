"""Killed at any moment, a render leaves the old tree or the new one, and a lock to match; the next completes it."""

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from tests.cli.conftest import Run
from tests.cli.sites import Tree, backend_only, edit, rendered

TRIES = 20


def killed_after(seconds: float, words: list[str]) -> bool:
    """Run a verb in a process that is killed after so many seconds; tell whether it was still at work."""
    child = os.fork()
    if child == 0:
        try:
            CliRunner().invoke(main, words)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)  # a child that has ended waits for us: its number is still its own
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def state(out: Path, lock: Path) -> tuple[Tree, bytes]:
    return rendered(out), lock.read_bytes()


def test_killed_at_random_moments(intent: Path, tmp_path: Path, run: Run) -> None:
    backend_only(intent)
    edit(intent, "slots: 0-31, planned: 192", "slots: 0-63, planned: 64")
    lock, old_text = intent.parent / "fabricgen.lock", intent.read_text()
    edit(intent, "site: dc1", "site: dc2")
    edit(intent, "slots: 0-63, planned: 64", "slots: 0-31, planned: 192")
    new_text = intent.read_text()

    def rendered_state(out: Path, text: str) -> tuple[Tree, bytes]:
        intent.write_text(text)
        assert run("render", intent, "-o", out).exit_code == 0
        return state(out, lock)

    old = rendered_state(tmp_path / "old", old_text)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    start = time.monotonic()
    new = rendered_state(tmp_path / "new", new_text)
    whole = time.monotonic() - start
    assert new[0].keys() < old[0].keys()
    assert old[1] != new[1]
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    seen = []
    for number in range(TRIES):
        out = tmp_path / f"out{number}"
        shutil.copytree(tmp_path / "old", out)
        lock.write_bytes(old[1])
        # The last third of a render is where it writes.
        was_killed = killed_after(whole * moments.uniform(0.3, 1.1), ["render", str(intent), "-o", str(out)])
        files, lines = state(out, lock)
        is_recorded = (out / ".fabricgen/commit/manifest.json").exists()
        seen.append((was_killed, files == new[0]))
        assert lines in (old[1], new[1])
        assert files in (old[0], new[0]) or is_recorded
        if files == new[0] or is_recorded:
            assert lines == new[1]
        assert rendered_state(out, new_text) == new
        kept = sorted(path.name for path in (out / ".fabricgen").iterdir())
        assert kept == ["inputs", "lock", "manifest.json"]
    assert sum(killed for killed, _ in seen) > TRIES // 4


@pytest.mark.parametrize("committed", [False, True])
def test_a_commit_that_was_cut_short_is_finished_first(
    intent: Path, tmp_path: Path, run: Run, *, committed: bool
) -> None:
    """A lock that is lost is noticed in a tree whose manifest is still in the commit record."""
    backend_only(intent)
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    folder = out / ".fabricgen"
    if committed:  # as a first render leaves it that was killed before its files moved
        (folder / "commit").mkdir()
        for name in ("manifest.json", "inputs"):
            (folder / name).rename(folder / "commit" / name)
    (intent.parent / "fabricgen.lock").unlink()
    result = run("render", intent, "-o", out)
    assert result.exit_code == 1
    assert "error[lock-lost]" in result.stderr
    assert (folder / "inputs/fabricgen.lock").exists()
