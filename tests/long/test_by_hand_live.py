"""What a person collects with a shell loop over vtysh and iproute2 is judged as what the driver collects."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabricgen.lab.model.lab import LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests import forked
from tests.lab.faults import Running, unplugged
from tests.lab.sites import SMALL, available, lab_verb, plan

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=2,links=1,servers=2,borders=0"
BACKEND = ("--devices", "be-*")
SECONDS = 300

LOOP = """
set -eu
while IFS="$(printf '\\t')" read -r file typed; do
  mkdir -p "$1/${file%%/*}"
  "$3" -m fabricgen lab exec --dir "$2" "${file%%/*}" -- sh -c "$typed" </dev/null >"$1/$file" 2>/dev/null || true
done
"""
"""As somebody would write it: file and command from --commands. $1: into, $2: the lab, $3: Python."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", SMALL, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        running = Running(folder, SMALL, make_lab(plan(SMALL), parse_subset(SUBSET)))
        running.heals(*BACKEND)
        yield running
    finally:
        lab_verb("down", "--dir", folder)


def by_hand(lab: Running, into: Path) -> None:
    """Collect the backend's switches of the lab with a shell loop."""
    listed = forked.fabricgen(["verify", SMALL, "--commands", "frr", *BACKEND], SECONDS).stdout
    there = {device.name for device in lab.lab.devices}
    lines = [line for line in listed.splitlines() if line.partition("/")[0] in there]
    assert len(lines) > 50
    text = "".join(f"{line}\n" for line in lines)
    words = ["sh", "-c", LOOP, "loop", str(into), str(lab.folder), sys.executable]
    subprocess.run(words, input=text, text=True, check=True, timeout=SECONDS)


def findings(result: dict[str, Any]) -> list[Any]:
    return [one for switch in result["switches"] for one in switch["findings"]]


def judged(folder: Path) -> dict[str, Any]:
    done = forked.fabricgen(["verify", SMALL, "--from", folder, "--json", *BACKEND], SECONDS)
    assert done.returncode == 4, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_collection_by_hand_is_judged_as_one_of_the_driver(lab: Running, tmp_path: Path) -> None:
    cable = next(link for link in lab.lab.links if link.near.owner.startswith("be-leaf"))
    ends: tuple[LabEnd, LabEnd] = (cable.near, cable.far)
    saved, hand = tmp_path / "saved", tmp_path / "hand"
    hand.mkdir()
    with unplugged(lab, ends):
        assert lab.comes_to_show({(ends[0].owner, "session-down")}, *BACKEND)
        code, live = lab.verify("--save", str(saved), *BACKEND)
        by_hand(lab, hand)
        shutil.copy(saved / "_lab.json", hand)  # which part of the plan stands here
    assert code == 4
    result = judged(hand)
    assert findings(result)
    of_switches = [one for one in findings(live) if one["check"] != "pings"]
    assert findings(result) == of_switches
    assert [one["passed"] for one in result["switches"] if one["device"].startswith("be-leaf")] == [
        {check: count for check, count in one["passed"].items() if check != "pings"}
        for one in live["switches"]
        if one["device"].startswith("be-leaf")
    ]
    lab.heals(*BACKEND)
