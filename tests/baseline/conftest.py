"""A git repository for each test, which no configuration of this machine reaches."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.sites import DEMO, backend_only

IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.net",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.net",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}

Git = Callable[..., str]


@pytest.fixture
def git(monkeypatch: pytest.MonkeyPatch) -> Git:
    """Run git in a folder; what it says."""
    if shutil.which("git") is None:
        pytest.skip("there is no git to read revisions with")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)

    def call(folder: Path, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return call


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The intent of a small site: inventories/dc1/intent.yaml in a folder that will be a repository."""
    path = tmp_path / "repo/inventories/dc1/intent.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(DEMO.read_text())
    backend_only(path)
    return path


@pytest.fixture
def repo(site: Path, git: Git) -> Path:
    """The repository with the site as its first commit, on branch main."""
    top = site.parents[2]
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message=first")
    return top


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary folders of this test are made; it must be empty in the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
