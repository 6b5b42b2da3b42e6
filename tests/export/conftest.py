"""The command line as a test calls it, and copies of the two sites to export."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main

INVENTORIES = Path(__file__).parents[2] / "inventories"
SMALL = "units=1,leaves=2,spines=2,links=2,servers=2,borders=1"

Run = Callable[..., Result]


def called(*words: object) -> Result:
    """Call a verb in this process; an exception that is no exit is a failure of the test."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def run() -> Run:
    """Call a verb."""
    return called


@pytest.fixture(params=["demo", "frr"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An intent of each platform, with its lock, in a folder of its own."""
    return copied(str(request.param), tmp_path)


@pytest.fixture
def eos(tmp_path: Path) -> Path:
    """Return the demo: EOS everywhere."""
    return copied("demo", tmp_path)


@pytest.fixture
def frr(tmp_path: Path) -> Path:
    """Return the site of FRR."""
    return copied("frr", tmp_path)


def copied(name: str, folder: Path) -> Path:
    """Copy an intent and its lock."""
    home = folder / "site"
    home.mkdir()
    for file in ("intent.yaml", "fabricgen.lock"):
        (home / file).write_bytes((INVENTORIES / name / file).read_bytes())
    return home / "intent.yaml"
