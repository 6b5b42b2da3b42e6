"""Whole outputs of small sites, held as files that a person has read. `make golden` rewrites them; read the diff."""

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main

CASES = Path(__file__).parent / "cases"
EXPECTED = "expected"


def _cases() -> list[str]:
    return sorted(case.name for case in CASES.iterdir() if case.is_dir())


def _render(case: str, folder: Path) -> dict[str, str]:
    """Render a copy of the case; its files by path, the lock and the plan page among them."""
    site = folder / "site"
    shutil.copytree(CASES / case, site, ignore=shutil.ignore_patterns(EXPECTED))
    out = folder / "out"
    rendered = CliRunner().invoke(main, ["render", str(site / "intent.yaml"), "-o", str(out)])
    assert rendered.exit_code == 0, rendered.output
    page = CliRunner().invoke(main, ["plan", str(site / "intent.yaml")])
    assert page.exit_code == 0, page.output
    files = {
        path.relative_to(out).as_posix(): path.read_text()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".fabricgen" not in path.parts
    }
    return {**files, "fabricgen.lock": (site / "fabricgen.lock").read_text(), "plan.txt": page.stdout}


def _held(case: str) -> dict[str, str]:
    folder = CASES / case / EXPECTED
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()
    }


HELD = ("startup-config", "frr.conf", "interfaces")


def _kept(files: dict[str, str]) -> dict[str, str]:
    """What is worth reading: the main files of the first switch of each role, and what is not of a switch."""
    first: dict[str, str] = {}
    kept = {}
    for path, text in files.items():
        device, _, name = path.partition("/")
        if not name or (name in HELD and first.setdefault(device.rpartition("-")[0], device) == device):
            kept[path] = text
    return kept


@pytest.mark.parametrize("case", _cases())
def test_outputs_are_as_read(case: str, tmp_path: Path) -> None:
    files = _kept(_render(case, tmp_path))
    if os.environ.get("FABRICGEN_GOLDEN") == "write":
        folder = CASES / case / EXPECTED
        shutil.rmtree(folder, ignore_errors=True)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return
    held = _held(case)
    assert sorted(files) == sorted(held)
    for path, text in files.items():
        assert text == held[path], f"{case}: {path} differs"
