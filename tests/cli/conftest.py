"""The command line as a test calls it, and a copy of the demo for each test."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.cli.sites import DEMO

Run = Callable[..., Result]
Spawn = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """Copy the demo's intent, without a lock, into a folder of its own."""
    path = tmp_path / "site/intent.yaml"
    path.parent.mkdir()
    path.write_text(DEMO.read_text())
    return path


@pytest.fixture
def run() -> Run:
    """Call a verb in this process; an exception that is no exit is a failure of the test."""

    def call(*words: object) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)

    return call


@pytest.fixture
def spawn() -> Spawn:
    """Call fabricgen as a process of its own, `env` on top of this one's."""

    def call(*words: object, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fabricgen", *map(str, words)]
        return subprocess.run(
            command, cwd=cwd, env=os.environ | env, capture_output=True, text=True, timeout=60, check=False
        )

    return call
