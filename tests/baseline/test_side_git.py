"""What stands between a person and a revision: other repositories, shallow clones, hooks, signals."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.baseline.git import PLACES
from fabricgen.baseline.open import open_side
from fabricgen.errors import FabricError, Problem
from tests.cli.sites import edit
from tests.some import some

Git = Callable[..., str]


def refused(against: str, site: Path) -> Problem:
    with pytest.raises(FabricError) as caught, open_side(against, site, None):
        pass
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("against", ["", "-", "--output=x", "-p"])
def test_what_could_be_an_option_is_refused(repo: Path, site: Path, against: str) -> None:
    assert refused(against, site).code == "against-option"
    assert not (repo / "x").exists()


@pytest.mark.parametrize(
    "against", ["HEAD --output=x", "nothing", "HEAD~7", "x" * 5000, "HEAD:", "a\nb", ":", ":x", "é~^{"]
)
def test_nothing_of_the_kind(repo: Path, site: Path, against: str) -> None:
    problem = refused(against, site)
    assert problem.code in ("revision-unknown", "against-nothing")
    assert str(repo) in problem.what or problem.code == "against-nothing"


def test_a_misspelt_branch_is_put_right(repo: Path, site: Path, git: Git) -> None:
    git(repo, "branch", "feature-one")
    assert refused("featur-one", site).fix == "did you mean feature-one?"


def test_a_commit_that_is_too_far_back_is_no_branch(repo: Path, site: Path) -> None:
    assert refused("HEAD~9", site).fix == "git log --oneline HEAD lists the commits"
    assert refused("main^2", site).fix == "git log --oneline main lists the commits"
    assert refused("release", site).fix == (
        "use one of the branches and tags of this repository (main), or a commit: git log --oneline lists them"
    )
    del repo


def test_an_intent_in_no_repository(site: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    problem = refused("origin/main", site)
    assert problem.code == "against-unknown"
    assert problem.what == f"origin/main is not a file or folder here, and {site} is not in a git repository"
    del git


def test_without_git(site: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused("origin/main", site).code == "git-missing"


def test_a_branch_that_was_not_fetched(repo: Path, site: Path, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--single-branch", str(repo), "clone")
    git(repo, "branch", "release/1")
    clone = tmp_path / "clone" / site.relative_to(repo)
    problem = refused("origin/release/1~2", clone)
    assert (problem.code, problem.fix) == ("revision-unknown", "git fetch origin release/1")


def test_a_shallow_clone(repo: Path, site: Path, git: Git, tmp_path: Path) -> None:
    edit(site, "slots: 0-31", "slots: 0-47")
    git(repo, "commit", "--quiet", "--all", "--message=second")
    git(repo, "branch", "other")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo}", "clone")
    clone = tmp_path / "clone" / site.relative_to(repo)
    problem = refused("HEAD~1", clone)
    assert problem.why == "this clone is shallow: it has only the newest commits"
    assert problem.fix.startswith(
        "git fetch --unshallow, or check out with its history (fetch-depth: 0 of actions/checkout"
    )
    assert refused("origin/other", clone).fix.startswith(
        "git fetch origin other, or check out with its history (fetch-"
    )
    # What it says is what helps.
    git(tmp_path / "clone", "fetch", "--quiet", "--unshallow")
    with open_side("HEAD~1", clone, None) as side:
        assert side.plan is not None


def test_a_repository_that_git_does_not_trust(repo: Path, site: Path, tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a repository to somebody else")
    for path in (repo, *repo.rglob("*")):
        os.chown(path, 65534, 65534)
    problem = refused("HEAD", site)
    assert problem.code == "git-failed"
    assert problem.fix == f"git config --global --add safe.directory {repo}"
    del tmp_path


def test_a_clone_without_the_objects(repo: Path, site: Path, git: Git) -> None:
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    (repo / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert refused("HEAD", site).code == "git-failed"


def test_places_are_all_that_git_knows(repo: Path, git: Git) -> None:
    """Of the variables that belong to one repository, those of the configuration stay."""
    local = set(git(repo, "rev-parse", "--local-env-vars").split())
    kept = {"GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE"}
    assert local - kept <= set(PLACES)


HOOK = """#!/bin/sh
{environment}
exec {python} -c '
import sys
from pathlib import Path
from fabricgen.baseline.open import open_side
with open_side("HEAD", Path(sys.argv[1]), None) as side:
    print(side.fault or side.plan.intent.servers["train"].slots, file=open(sys.argv[2], "w"))
' "$PWD"/{site} {report}
"""

WRONG = "export GIT_DIR=.git GIT_WORK_TREE=. GIT_PREFIX=x/ GIT_INDEX_FILE=.git/none"
"""What git itself may have set for a hook."""


@pytest.mark.parametrize(
    ("environment", "command"),
    some(
        [
            ("", ("commit", "--only", "inventories/dc1/intent.yaml")),
            ("", ("commit", "--all")),
            (WRONG, ("commit", "--only", "inventories/dc1/intent.yaml")),
            (WRONG, ("commit", "--all")),
        ]
    ),
)
def test_inside_a_hook(repo: Path, site: Path, git: Git, environment: str, command: tuple[str, ...]) -> None:
    report = repo.parent / "report"
    hook = repo / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    words = {"python": sys.executable, "site": site.relative_to(repo), "report": report, "environment": environment}
    hook.write_text(HOOK.format(**words))
    hook.chmod(0o755)
    edit(site, "slots: 0-31", "slots: 0-47")
    git(repo, *command, "--quiet", "--message=second")
    assert "stop=31" in report.read_text() or "31" in report.read_text()
    assert "47" not in report.read_text()


def test_inside_a_hook_of_another_repository(
    repo: Path, site: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    git(tmp_path, "init", "--quiet", "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    with open_side("main", site, None) as side:
        assert side.plan is not None
    del repo


def test_inside_another_working_tree_of_the_repository(repo: Path, site: Path, git: Git, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    copy = tmp_path / "tree" / site.relative_to(repo)
    edit(copy, "slots: 0-31", "slots: 0-47")
    git(tmp_path / "tree", "commit", "--quiet", "--all", "--message=second")
    with open_side("main", copy, None) as before, open_side("other", site, None) as after:
        assert before.plan is not None
        assert after.plan is not None
        assert before.plan.intent != after.plan.intent


def test_a_folder_that_a_link_leads_to(repo: Path, site: Path, tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to(site.parent)
    with open_side("HEAD", tmp_path / "here/intent.yaml", None) as side:
        assert side.plan is not None
        assert side.notes == ()
    del repo


def test_an_exception_takes_the_folder_away(repo: Path, site: Path, temporary: Path) -> None:
    seen: list[Path] = []

    def failing() -> None:
        seen.extend(temporary.iterdir())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), open_side("HEAD", site, None):
        failing()
    assert len(seen) == 1
    del repo


WAITING = """
import sys, time
from pathlib import Path
from fabricgen.baseline.open import open_side
with open_side("HEAD", Path(sys.argv[1]), None):
    print("open", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", some([signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
def test_a_signal_takes_the_folder_away(repo: Path, site: Path, temporary: Path, number: signal.Signals) -> None:
    environment = os.environ | {"TMPDIR": str(temporary)}
    command = [sys.executable, "-c", WAITING, str(site)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(number)
        assert process.wait(timeout=30) != 0
    assert list(temporary.iterdir()) == []
    del repo
