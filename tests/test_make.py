"""The virtual environment that make sets up: of the Python that was asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host import require
from tests.streams import ROOT


def _asked(venv: Path, *words: str) -> str:
    """What make would run for `render`; a make above this test may have been given a PYTHON of its own."""
    require("make")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHON" and not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "-n", f"VENV={venv}", *words, "render"],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "fabricgen render" in done.stdout
    return done.stdout


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """An environment that stands, with a double of its Python: a script that says who it is as WHO says."""
    program = tmp_path / "bin/python"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ -z "$WHO" ] || exec echo "$WHO"\nexec ' + f"'{sys.executable}' \"$@\"\n")
    program.chmod(0o755)
    (tmp_path / ".ready").touch()
    return tmp_path


def test_one_that_stands_is_used(ready: Path) -> None:
    assert "-m venv" not in _asked(ready)
    assert "-m venv" not in _asked(ready, f"PYTHON={sys.executable}")


def test_one_of_another_python_is_replaced_where_a_python_is_asked_for(
    ready: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHO", "/usr 3.13.5")
    assert f"{sys.executable} -m venv --clear {ready}" in _asked(ready, f"PYTHON={sys.executable}")
    assert "-m venv" not in _asked(ready)


def test_one_that_is_not_there_is_made(tmp_path: Path) -> None:
    assert f"python3 -m venv  {tmp_path / 'none'}" in _asked(tmp_path / "none")
