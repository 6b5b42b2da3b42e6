"""The hooks of the pre-commit recipe.

pre-commit is not installed: each `entry` is run as "Creating new hooks" says that pre-commit runs it, split as a
shell splits words, without a shell, in the root of the repository, with the variables that `git commit` sets for its
hooks (githooks(5): GIT_INDEX_FILE; and GIT_DIR as from a linked worktree) and PRE_COMMIT=1.
"""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.recipes.recipe import doubles, recipe
from tests.recipes.repository import (
    CLEAN,
    INTENT,
    LOCK,
    a_unit,
    broken,
    git,
    past_the_plan,
)

HOOKS = {hook["id"]: hook for hook in recipe("pre-commit-config.yaml")["repos"][0]["hooks"]}
VALIDATE, LOCKED, DIFF = "fabricgen-validate", "fabricgen-lock", "fabricgen-diff"


def hook(work: Path, name: str) -> tuple[int, str]:
    """Stage everything and run one hook; its exit code and what it printed."""
    git(work, "add", "--all")
    tree = work / ".git"
    given = {"GIT_INDEX_FILE": str(tree / "index"), "GIT_DIR": str(tree), "GIT_PREFIX": "", "PRE_COMMIT": "1"}
    env = CLEAN | doubles(work.parent / "double") | given | {"TMPDIR": str(scratch(work))}
    done = subprocess.run(
        shlex.split(HOOKS[name]["entry"]), cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def scratch(work: Path) -> Path:
    """Where the hooks put what they throw away."""
    folder = work.parent / "scratch"
    folder.mkdir(exist_ok=True)
    return folder


def test_the_hooks_are_those_of_the_recipe() -> None:
    assert set(HOOKS) == {VALIDATE, LOCKED, DIFF}
    for found in HOOKS.values():
        # Without pass_filenames: false the names of the staged files would follow the command.
        assert (found["language"], found["pass_filenames"]) == ("system", False)
        assert re.search(found["files"], INTENT)
        assert re.search(found["files"], LOCK)
        assert not re.search(found["files"], "README.md")
    assert HOOKS[DIFF]["verbose"] is True  # else nobody sees what a hook that passes has said


def test_a_good_change_passes_and_is_told(work: Path) -> None:
    a_unit(work)
    assert hook(work, VALIDATE)[0] == 0
    assert hook(work, LOCKED)[0] == 0
    code, told = hook(work, DIFF)
    assert code == 0
    assert "4 leaves of backend: be-leaf-004…007" in told
    assert not list(scratch(work).iterdir())
    assert git(work, "diff", "--name-only").stdout == ""


def test_nothing_differs(work: Path) -> None:
    code, told = hook(work, DIFF)
    assert (code, "No differences." in told) == (0, True)


def test_missing_lock_lines_stop_the_commit(work: Path) -> None:
    past_the_plan(work)
    code, told = hook(work, LOCKED)
    assert code == 3
    assert f"{LOCK} lacks lines. Run render without --locked, and commit the lock. Missing:" in told
    assert not list(scratch(work).iterdir())


def test_a_broken_intent_stops_the_commit(work: Path) -> None:
    broken(work)
    code, told = hook(work, VALIDATE)
    assert code == 1
    assert f"{INTENT}:" in told
    assert hook(work, DIFF)[0] == 1


def test_a_first_commit_has_nothing_to_be_compared_with(work: Path) -> None:
    git(work, "checkout", "--quiet", "--orphan", "new")
    assert hook(work, DIFF) == (0, "")


@pytest.mark.parametrize("linked", [True, pytest.param(False, marks=pytest.mark.long)])
def test_git_itself_runs_the_hooks_from_a_linked_worktree_too(work: Path, linked: bool) -> None:
    """One real commit with a real hook that has the three lines: what git sets is there, and not imitated."""
    lines = "\n".join(found["entry"] + " || exit 1" for found in HOOKS.values())
    place = work / ".git/hooks/pre-commit"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/bash\n{lines}\n")
    place.chmod(0o755)
    where = work
    if linked:
        where = work.parent / "linked"
        git(work, "worktree", "add", "--quiet", "-b", "linked", str(where))
    env = CLEAN | doubles(work.parent / "double", is_installed=linked)
    past_the_plan(where)
    command = ["git", "commit", "--all", "--message", "more storage"]
    refused = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "lacks lines. Run render without --locked, and commit the lock" in refused.stderr
    render = ["fabricgen", "render", INTENT, "-o", str(work.parent / "out")]
    subprocess.run(render, cwd=where, env=env, capture_output=True, check=True)
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert git(where, "status", "--porcelain").stdout == ""
