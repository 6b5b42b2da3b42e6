"""Zebra that did not find a VRF while it started is started again, or the lab is not called built."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.down import down
from fabricgen.lab.build.kernel import probe
from fabricgen.lab.host import daemons
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.vty import found_vrfs
from fabricgen.lab.model.lab import PLAIN, Lab
from tests.lab.sites import available, remains
from tests.lab.variants import build, lab_of, variant

WHY = available() or (None if probe(LabShell("none")).kind == PLAIN else "VRFs are devices on this kernel")
pytestmark = pytest.mark.skipif(WHY is not None, reason=str(WHY))

LEAF = "fe-leaf-000"


class Misses:
    """Zebra of one leaf, that misses a VRF the first times it is asked. The others say what they have."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.asked: Counter[str] = Counter()

    def __call__(self, mount: Path, seconds: float) -> frozenset[str] | None:
        name = mount.name.removesuffix(".mnt")
        self.asked[name] += 1
        found = found_vrfs(mount, seconds)
        return frozenset() if name == LEAF and self.asked[name] <= self.times else found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Lab, LabPlace, Path]]:
    intent = variant(tmp_path / "base", lambda found: None)
    place = place_of(tmp_path / "lab")
    try:
        yield lab_of(intent), place, intent
    finally:
        down(place)
    assert remains(place) == {}


def starts(place: LabPlace, name: str) -> int:
    return (place.files(name) / "log/zebra.log").read_text().count(" starting: vty")


def test_it_is_started_until_it_has_found_all(
    site: tuple[Lab, LabPlace, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, place, intent = site
    zebra = Misses(2)
    monkeypatch.setattr(daemons, "found_vrfs", zebra)
    build(lab, place, intent)
    leaves = [device.name for device in lab.devices if device.evpn is not None]
    assert {name: (starts(place, name), zebra.asked[name]) for name in leaves} == {
        name: (3, 3) if name == LEAF else (1, 1) for name in leaves
    }


def test_a_lab_whose_zebra_never_finds_it_is_not_built(
    site: tuple[Lab, LabPlace, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, place, intent = site
    monkeypatch.setattr(daemons, "found_vrfs", Misses(daemons.STARTS))
    with pytest.raises(FabricError) as caught:
        build(lab, place, intent)
    assert [problem.code for problem in caught.value.problems] == ["lab-vrfs"]
    assert LEAF in caught.value.problems[0].what
