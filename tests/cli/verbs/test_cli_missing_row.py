"""A cable that spines have no port for, named by an override or the cable file: the missing ports are the problem."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.sites import backend_only, edit

OVERRIDE = 'overrides: {"link:be-leaf-003/Ethernet64/1": {state: drained}}\n'
ROWS = "device,port,length_m,kind\nbe-leaf-003,Ethernet64/1,12,\n"


@pytest.mark.parametrize("named", ["by an override", "in the cable file", "nowhere"])
def test_ports_that_spines_lack_are_the_problem(run: Run, intent: Path, named: str) -> None:
    """Four leaves of 64 uplinks each need 256 ports, and the only spine has 128."""
    backend_only(intent)
    edit(intent, "spines: {now: 4, planned: 16}", "spines: {now: 1, planned: 16}")
    if named == "by an override":
        intent.write_text(intent.read_text() + OVERRIDE)
    if named == "in the cable file":
        (intent.parent / "cables.csv").write_text(ROWS)
        edit(intent, "cables: {", "cables: {file: cables.csv, ")
    told = run("validate", intent)
    assert told.exit_code == 1
    assert "error[spine-ports]: 1 spine of backend has too few ports for 4 leaves\n" in told.stderr
    assert told.stderr.endswith("1 problem\n")
