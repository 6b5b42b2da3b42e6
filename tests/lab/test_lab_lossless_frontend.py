"""A lossless frontend in a lab: RoCE's mark is on the outer header of a VLAN's packets at the spine.

PFC and queues are not part of a lab. The kernel's tunnels copy the mark where the Device has `marks` (`tos inherit`);
those of a best-effort frontend have 0 there.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.lab.host.place import place_of
from fabricgen.lab.operate.run import run
from tests.lab.sites import available, lab_verb, remains
from tests.lossless_frontend.site import INTENT
from tests.tenancy import outer

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=2,leaves=4,spines=1,links=1,servers=2"
SPINE = "fe-spine-00"
TOS = 26 << 2 | 2
"""DSCP of RoCE data (marking `nvidia`), and ECT(0)."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    work = tmp_path_factory.mktemp("lossless")
    intent = work / "intent.yaml"
    intent.write_text(INTENT.read_text())
    folder = work / "lab"
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        yield folder
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _address(folder: Path, server: str) -> str:
    rows = json.loads(run(folder, server, ["ip", "-4", "-j", "addr"]).stdout)
    (found,) = (one["local"] for row in rows for one in row["addr_info"] if one["local"].startswith("172.18."))
    return str(found)


def test_the_mark_of_roce_is_on_the_outer_header_of_a_vlan(lab: Path) -> None:
    target = _address(lab, "train-000")
    command = place_of(lab).space(SPINE).enter(sys.executable, outer.__file__, "3")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        assert watch.stdout.readline() == "ready\n"
        pinged = run(lab, "store-000", ["ping", "-n", "-c", "3", "-i", "0.3", "-W", "1", "-Q", str(TOS), target])
        assert " ttl=64 " in pinged.stdout, pinged.stdout  # bridged, by leaves of two units
        seen = json.loads(watch.stdout.read())
    assert seen == [[TOS, TOS]]
