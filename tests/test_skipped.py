"""Skipped tests: with CI=true each is a failure, but one that the machine itself cannot run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULE = """
import pytest
from tests.host import cannot

@pytest.fixture(scope="session")
def processor():
    cannot("too new")

def test_installed():
    pytest.skip("not installed")

@pytest.mark.skipif(True, reason="no root")
def test_root(): pass

def test_in_the_kernel(processor): pass

def test_in_the_kernel_too(processor): pass

@pytest.mark.xfail(reason="known", strict=True)
def test_known(): assert False
"""


@pytest.mark.parametrize(
    ("in_ci", "counts", "words"),
    [
        pytest.param("true", "1 failed, 2 skipped, 1 xfailed, 1 error", (), id="in CI"),
        pytest.param(
            "true", "1 failed, 2 skipped, 1 xfailed, 1 error", ("-n", "2"), marks=pytest.mark.long, id="in CI, workers"
        ),
        pytest.param("false", "4 skipped, 1 xfailed", (), id="elsewhere"),
    ],
)
def test_ci_accepts_what_the_machine_cannot_run(
    tmp_path: Path, in_ci: str, counts: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "test_module.py").write_text(MODULE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    given = ("-q", "-ra", "-p", "no:cacheprovider", "-p", "tests.conftest", *words, str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *given],
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {"CI": in_ci},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout.splitlines()
    assert said[-1].startswith(counts), done.stdout + done.stderr
    assert done.returncode == (1 if in_ci == "true" else 0)
    assert sum("this machine cannot run it: too new" in line for line in said if line.startswith("SKIPPED")) in (1, 2)
