"""A real git repository with the demo in it, its bare origin, and what a branch does to the intent."""

import os
import subprocess
from pathlib import Path

from tests.cli.sites import DEMO, edit
from tests.host import require

INTENT = "site/intent.yaml"
LOCK = "site/fabricgen.lock"
EXPECT = "site/expect.yaml"
# Nobody's own configuration of git, nor hooks that run these tests, reaches the repositories of the tests.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.net",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.net",
}


def git(folder: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run git in a folder; the test is skipped where there is none."""
    require("git")
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=check)


def commit(work: Path, words: str) -> str:
    """Commit everything that stands in a working tree; the commit's name."""
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--allow-empty", "--message", words)
    return git(work, "rev-parse", "HEAD").stdout.strip()


def demo(folder: Path) -> Path:
    """Make a working tree with the demo and its lock on `main`, which is pushed to a bare origin beside it."""
    origin, work = folder / "origin.git", folder / "work"
    git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", str(origin))
    git(folder, "clone", "--quiet", str(origin), str(work))
    git(work, "checkout", "--quiet", "-b", "main")
    (work / "site").mkdir()
    (work / INTENT).write_text(DEMO.read_text())
    (work / LOCK).write_text((DEMO.parent / "fabricgen.lock").read_text())
    (work / ".gitignore").write_text("/fabricgen-diff.md\n")
    commit(work, "the demo")
    git(work, "push", "--quiet", "origin", "main")
    return work


def a_unit(work: Path) -> None:
    """Add the second scalable unit, for which the plan has its numbers."""
    edit(work / INTENT, "slots: 0-31, planned", "slots: 0-63, planned")


def past_the_plan(work: Path) -> None:
    """Plan more storage than before: its leaves are a new segment, a line that the lock has not."""
    edit(work / INTENT, "slots: 0-7, planned: 24", "slots: 0-7, planned: 48")


def another_hold_time(work: Path) -> None:
    """Change a timer of every session of the backend."""
    edit(work / INTENT, "    transport: roce-lossless\n", "    transport: roce-lossless\n    bgp: {hold_seconds: 30}\n")


def broken(work: Path) -> None:
    """Name a switch that nobody makes, twice in the backend."""
    edit(work / INTENT, "model: arista-7060x6-64pe", "model: arista-7060x6-46pe", count=2)
