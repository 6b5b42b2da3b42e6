"""`make lab-demo`, as a user types it: a cable broken and found, a tenant pushed, a spine drained, and nothing left."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.lab.host.place import place_of
from tests.lab.sites import DEMO, available, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SCRIPT = DEMO.parent / "lab-demo.sh"
MAKEFILE = Path(__file__).parents[2] / "Makefile"


@pytest.mark.long
def test_the_demo_finds_its_broken_cable_and_pushes_without_loss(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    environment = {**os.environ, "FABRICGEN": str(Path(sys.executable).with_name("fabricgen")), "LAB": str(folder)}
    done = subprocess.run(["sh", SCRIPT], env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    clean, broken, mended, served = (line for line in done.stdout.splitlines() if " reached, " in line)
    assert "no findings" in clean
    assert re.search(r": 1 finding with \d+ consequences on 2 devices", broken)
    assert "no findings" in mended
    assert "no findings" in served
    assert " 0% packet loss" in done.stdout
    assert "be-spine-00: done" in done.stdout
    assert remains(place_of(folder)) == {}


def test_make_runs_this_very_script() -> None:
    assert f"FABRICGEN=$(RUN)/fabricgen sh inventories/demo/{SCRIPT.name}" in MAKEFILE.read_text()


@pytest.mark.long
def test_a_verify_that_finds_nothing_fails_the_demo(tmp_path: Path) -> None:
    """Fed something wrong: a verify that always says yes, with the real lab under it."""
    real = Path(sys.executable).with_name("fabricgen")
    blind = tmp_path / "fabricgen"
    blind.write_text(f'#!/bin/sh\nif [ "$1" = verify ]; then exit 0; fi\nexec {real} "$@"\n')
    blind.chmod(0o755)
    environment = {**os.environ, "FABRICGEN": str(blind), "LAB": str(tmp_path / "lab")}
    done = subprocess.run(["sh", SCRIPT], env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 1
    assert "verify exited with 0, not with 4" in done.stderr
    assert remains(place_of(tmp_path / "lab")) == {}
