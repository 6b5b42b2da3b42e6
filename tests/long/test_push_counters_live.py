"""Counters of real ports around a wave: a link that flaps takes it back, unless the push has drained it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frr.waiting import becomes
from tests.lab.pushing import Ended, Pushing, pushing, standing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import Site

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=2"
SPINE, OTHER = "be-spine-00", "be-spine-01"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two leaves below two spines."""
    with standing(tmp_path_factory.mktemp("lab"), SUBSET) as found:
        yield found


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, as it was made before and after."""
    with pushing(site, tmp_path) as found:
        yield found


def flapped_while_a_spine_is_pushed(lab: Pushing, spine: str) -> tuple[Ended, str]:
    """A push to SPINE, in whose drain the cable from a leaf to a spine goes down and up again; and the leaf's port."""
    device = next(one for one in lab.site.lab.devices if one.role == "leaf")
    port = next(row.name for row in device.interfaces.ethernet if row.peer == spine and row.enabled)
    held = trap("commit", "after", "wait", device=SPINE)
    with lab.begun(lab.with_line("COUNTED", SPINE), "--commit", "-v", trap=held) as child:
        child.reach()
        lab.running.inside(device.name, "ip", "link", "set", port, "down")
        becomes(True, lambda: "DOWN" in lab.running.inside(device.name, "ip", "-br", "link", "show", port))
        lab.running.inside(device.name, "ip", "link", "set", port, "up")
        child.go()
        return child.end(), f"{device.name} port {port}"


def test_a_link_that_flaps_beside_the_wave_takes_it_back(lab: Pushing) -> None:
    before = lab.runs(SPINE)
    ended, port = flapped_while_a_spine_is_pushed(lab, OTHER)
    assert ended.code == 4, ended.text
    assert f"counters rose during the wave: {port}: link flaps" in ended.text
    assert sorted(lab.runs(SPINE).splitlines()) == sorted(before.splitlines())
    assert "not compared: drops of the lossless class" in ended.out


def test_the_link_of_a_spine_that_is_drained_may_flap(lab: Pushing) -> None:
    ended, port = flapped_while_a_spine_is_pushed(lab, SPINE)
    assert ended.code == 0, ended.text
    assert "counters: flaps on" in ended.out
    assert f"{port}: link flaps" not in ended.text
    assert lab.has(SPINE, "COUNTED") == (True, True)
