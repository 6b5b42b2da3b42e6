"""Two operators, each with a journal: while one drains and changes a switch, the other is refused, and sees who."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from napalm import get_network_driver

from tests.frr.leases import aged
from tests.lab.pushing import Pushing, pushing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import SPINES, Site, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

_, FIRST = SPINES


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy and with nothing to push."""
    with pushing(site, tmp_path) as found:
        yield found


def _lease(lab: Pushing, name: str) -> object:
    hosts = yaml.safe_load((lab.inventory / "hosts.yaml").read_text())
    arguments = hosts[name]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver("frr")(name, "", "", optional_args=arguments) as driver:
        return driver.run_marks().lease


@pytest.mark.long
def test_the_second_is_refused_with_who_drains_what_and_the_first_is_done(lab: Pushing) -> None:
    """L8: the second undid the first's drain, and the first said that it was done."""
    theirs = lab.folder / "second" / "push.sqlite"
    first, second = lab.with_line("FIRST", FIRST), lab.with_line("SECOND", FIRST)
    where = trap("note", "after", "wait", step="confirm", how="ended", device=FIRST, stage="drain")
    with lab.begun(first, "--commit", trap=where) as child:
        child.reach()  # it is drained for good, and nothing waits there
        running = lab.runs(FIRST)
        for words in ((), ("--commit",), ("--commit", "--take-over")):
            refused = lab.push(second, *words, journal=theirs)
            assert refused.code == 1, refused.text
            assert f"error[push-leased]: another push is running on {FIRST}" in refused.err
            assert f"{os.uname().nodename} is at work on it with push " in refused.err
            assert f"drains {FIRST} in turn" in refused.err
        assert lab.runs(FIRST) == running
        child.go()
        ended = child.end()
    assert ended.code == 0, ended.text
    assert "Done: " in ended.out
    assert lab.has(FIRST, "FIRST") == (True, True)
    assert _lease(lab, FIRST) is None
    ended = lab.push(second, "--commit", journal=theirs)
    assert ended.code == 0, ended.text


@pytest.mark.long
def test_one_that_lost_its_place_stops_and_is_not_called_done(lab: Pushing) -> None:
    intent = lab.with_line("TAKEN", FIRST)
    where = trap("note", "after", "wait", step="confirm", how="ended", device=FIRST, stage="drain")
    with lab.begun(intent, "--commit", trap=where) as child:
        child.reach()
        aged(_state(lab, FIRST) / "lease", 1000)
        other = lab.push(lab.with_line("OTHER", FIRST), "--commit", "--take-over", journal=lab.folder / "second.sqlite")
        assert other.code == 0, other.text
        _claim(lab, FIRST)  # the second goes on with something else there
        child.go()
        ended = child.end()
    assert ended.code == 5, ended.text
    assert "Done" not in ended.out
    assert "bob@desk is at work on it" in ended.text
    assert lab.has(FIRST, "TAKEN") == (False, False)
    assert lab.has(FIRST, "OTHER") == (True, True)


def _state(lab: Pushing, name: str) -> Path:
    """The driver's folder, as a process of the switch sees it (proc(5))."""
    pid = lab.running.inside(name, "sh", "-c", "cat /run/frr/zebra.pid").strip()
    return Path("/proc", pid, "root", "run", "napalm-frr")


def _claim(lab: Pushing, name: str) -> None:
    hosts = yaml.safe_load((lab.inventory / "hosts.yaml").read_text())
    arguments = hosts[name]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver("frr")(name, "", "", optional_args=arguments) as driver:
        driver.take_lease("bbbbbbbbbbbb", "bob@desk", "mends it")
