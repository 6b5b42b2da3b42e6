"""What make runs: an environment of the Python that was asked for, and in `make test` every test and every judge."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host import require

ROOT = Path(__file__).parents[1]
PROGRAMS = ("ruff", "mypy", "lint-imports", "pytest")
PROGRAM = """#!/bin/sh
echo "$(basename "$0") $* $PYTHONPYCACHEPREFIX:$PYTHONDONTWRITEBYTECODE"
! echo "$0 $*" | grep -q "$FAILS"
"""


def _make(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Call make; one above this test may have been given a PYTHON of its own."""
    require("make")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHON" and not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *words], cwd=ROOT, env=clean | more, capture_output=True, text=True, check=False, timeout=60
    )


def _asked(venv: Path, *words: str) -> str:
    """What make would run for `render`."""
    done = _make("-n", f"VENV={venv}", *words, "render")
    assert done.returncode == 0, done.stderr
    assert "fabricgen render" in done.stdout
    return done.stdout


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """An environment that is ready, with a double of its Python: a script that says who it is as WHO says."""
    program = tmp_path / "bin/python"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ -z "$WHO" ] || exec echo "$WHO"\nexec ' + f"'{sys.executable}' \"$@\"\n")
    program.chmod(0o755)
    (tmp_path / ".ready").touch()
    return tmp_path


def test_one_that_is_ready_is_used(ready: Path) -> None:
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


def _tested(ready: Path, fails: str = "nothing") -> subprocess.CompletedProcess[str]:
    """`make test` where the programs are doubles: each prints its words, and where it keeps what Python compiles.

    fails  a pattern; the double fails whose name and words have it
    """
    for name in PROGRAMS:
        double = ready / "bin" / name
        double.write_text(PROGRAM)
        double.chmod(0o755)
    return _make(f"VENV={ready}", "test", FAILS=fails, PYTHONDONTWRITEBYTECODE="1")


def _calls(printed: str) -> list[list[str]]:
    return [shlex.split(line) for line in printed.splitlines() if line.partition(" ")[0] in PROGRAMS]


def _takes(words: list[str], path: Path) -> bool:
    """Whether a call of pytest collects a file."""
    ignored = {Path(word.removeprefix("--ignore=")) for word in words if word.startswith("--ignore=")}
    wanted = {Path(word) for word in words if word.startswith("tests")}
    above = {path, *path.parents}
    return bool(wanted & above) and not ignored & above


def test_make_test_runs_each_test_once_and_every_judge(ready: Path) -> None:
    done = _tested(ready)
    assert done.returncode == 0, done.stdout + done.stderr
    found = _calls(done.stdout)
    assert sorted(program for program, *_ in found) == ["lint-imports", "mypy", "pytest", "pytest", "ruff", "ruff"]
    calls = [words for program, *words in found if program == "pytest"]
    files = [path.relative_to(ROOT) for path in sorted(ROOT.glob("tests/**/test_*.py"))]
    assert files
    assert [path for path in files if sum(_takes(words, path) for words in calls) != 1] == []


def test_what_waits_for_daemons_exists(ready: Path) -> None:
    """A name that is left behind by a file that moved would be run beside what computes."""
    ignored = [word for call in _calls(_tested(ready).stdout) for word in call if word.startswith("--ignore=")]
    assert len(ignored) > 3
    assert [word for word in ignored if not (ROOT / word.removeprefix("--ignore=")).exists()] == []


@pytest.mark.parametrize(
    "fails", ["ruff check", "ruff format", "mypy", "lint-imports", "pytest.* tests/lab", "pytest.* tests$"]
)
def test_one_that_fails_is_told_and_stops_no_other(ready: Path, fails: str) -> None:
    whole = len(_calls(_tested(ready).stdout))
    done = _tested(ready, fails)
    assert done.returncode != 0
    # Two commands of one target: the second is for a text that passed the first.
    assert len(_calls(done.stdout)) == whole - (fails == "ruff check")


def test_programs_keep_what_python_compiles(ready: Path) -> None:
    kept = {words[-1] for words in _calls(_tested(ready).stdout)}
    assert kept == {f"{ROOT / 'out/tests/bytecode'}:"}
