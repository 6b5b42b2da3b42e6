"""Two of the published designs of inventories/ as namespaces, as their pages say: all as planned, no option more."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.lab.host.place import place_of
from fabricgen.lab.operate.run import run
from tests.lab.sites import INVENTORIES, available, fabricgen, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUPERPOD = INVENTORIES / "superpod-b300/intent.yaml"
SLICED = INVENTORIES / "time-sliced/intent.yaml"
PLANES = "units=1,leaves=2,spines=2,links=1,servers=2"
NIGHT = "spines=1,links=1,borders=0"


def as_its_page_says(intent: Path, subset: str) -> None:
    assert f"--subset {subset} " in intent.with_name("README.md").read_text()


def built(intent: Path, folder: Path, *words: str) -> Iterator[Path]:
    """The lab, with no complaint of a daemon; taken down, with nothing left."""
    try:
        done = lab_verb("up", intent, *words, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["complaints"] == {}
        yield folder
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def verified(intent: Path, folder: Path, *words: str) -> tuple[int, list[str], set[str]]:
    """Exit code, codes of findings, and the checks that compared something and found it right."""
    command = fabricgen("verify", intent, "-i", folder / "inventory", "--json", *words)
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    switches = json.loads(said.stdout)["switches"]
    codes = [row["code"] for one in switches for row in one["findings"]]
    return said.returncode, codes, {name for one in switches for name, count in one["passed"].items() if count}


@pytest.fixture(scope="module")
def superpod(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    as_its_page_says(SUPERPOD, PLANES)
    yield from built(SUPERPOD, tmp_path_factory.mktemp("superpod") / "lab", "--subset", PLANES)


@pytest.mark.long
def test_both_planes_of_the_superpod_are_as_planned(superpod: Path) -> None:
    """Two leaves and two spines a plane, and one leaf of each kind and two spines of the frontend."""
    code, codes, right = verified(SUPERPOD, superpod)
    assert (code, codes) == (0, [])
    assert right >= {"lldp", "sessions", "routes", "vnis", "pings"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "ttl"), [("10.64.0.3", 63), ("10.64.1.3", 61), ("10.64.64.3", 0), ("10.64.65.3", 0)]
)
def test_a_plane_is_left_by_nothing(superpod: Path, target: str, ttl: int) -> None:
    """train-001 on rail 0: over one leaf; on rail 1: leaf, spine, leaf; in plane 1: not at all."""
    words = ["ping", "-n", "-c", "1", "-W", "1", "-I", "10.64.0.1", target]
    found = re.search(r" ttl=(\d+) ", run(superpod, "train-000", words).stdout)
    assert (int(found[1]) if found else 0) == ttl


@pytest.mark.long
def test_the_night_is_as_planned_and_is_not_the_day(tmp_path: Path) -> None:
    as_its_page_says(SLICED, NIGHT)
    for folder in built(SLICED, tmp_path / "lab", "--scenario", "night", "--subset", NIGHT):
        code, codes, right = verified(SLICED, folder, "--scenario", "night")
        assert (code, codes) == (0, [])
        assert right >= {"lldp", "sessions", "routes", "vnis", "pings"}
        code, codes, _ = verified(SLICED, folder, "--devices", "fe-leaf-002")
        assert code == 4
        assert {found for found in codes if found.startswith("vni")}, codes
