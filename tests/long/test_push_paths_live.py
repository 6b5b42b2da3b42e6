"""Push with packets over every path, in a lab: a wave during which a cable begins to lose them goes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.pushing import Pushing, pushing, trap
from tests.lab.sites import available, lab_verb
from tests.lab.test_drain_live import LINK, Site, site

__all__ = ("site",)

pytestmark = [pytest.mark.long, pytest.mark.skipif(available() is not None, reason=str(available()))]

SPINE = LINK.partition("/")[0]


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    with pushing(site, tmp_path) as found:
        yield found


def test_paths_that_pass_are_told(lab: Pushing) -> None:
    ended = lab.push(lab.with_line("calm", SPINE), "--commit", "--paths")
    assert ended.code == 0, ended.text
    assert "pass without loss" in ended.out
    assert lab.has(SPINE, "calm") == (True, True)


def test_a_cable_that_begins_to_lose_packets_in_the_wave_sends_it_back(site: Site, lab: Pushing) -> None:
    """Sessions stand all the while: no other proof sees it."""
    held = trap("commit", "after", "wait", device=SPINE)
    try:
        with lab.begun(lab.with_line("lossy", SPINE), "--commit", "--paths", trap=held) as child:
            child.reach()
            done = lab_verb("impair", LINK, "--loss", "5%", "--dir", site.folder)
            assert done.returncode == 0, done.stderr
            child.go()
            ended = child.end()
    finally:
        assert lab_verb("impair", LINK, "--clear", "--dir", site.folder).returncode == 0
    assert ended.code == 4, ended.text
    assert "the wave lost packets" in ended.out
    assert LINK in ended.out
    assert lab.has(SPINE, "lossy") == (False, False)
    assert not lab.waits(SPINE)


def test_what_lost_packets_before_is_no_matter_of_the_push(site: Site, lab: Pushing) -> None:
    assert lab_verb("impair", LINK, "--loss", "5%", "--dir", site.folder).returncode == 0
    try:
        ended = lab.push(lab.with_line("before", SPINE), "--commit", "--paths")
    finally:
        assert lab_verb("impair", LINK, "--clear", "--dir", site.folder).returncode == 0
    assert ended.code == 0, ended.text
    assert "before: " in ended.out
