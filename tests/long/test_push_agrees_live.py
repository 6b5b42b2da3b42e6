"""A switch that runs something else than was pushed to it: no push says "Done", and none keeps it."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.lab.faults import daemon_pid
from tests.lab.pushing import LINE, Ended, Pushing, pushing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import SPINES, Site, _over, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SPINE = SPINES[0]
DAEMONS = ("zebra", "staticd", "bgpd")
"""In the order of their start."""
DRAINED = "DRAINED-OUT out"


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy before and after."""
    with pushing(site, tmp_path) as found:
        yield found
    _over(site, *SPINES)


def _restart(lab: Pushing, name: str) -> None:
    """Kill its daemons and start them as they were started: they read what was saved."""
    pids = [daemon_pid(lab.running, name, daemon) for daemon in DAEMONS]
    words = [Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1] for pid in pids]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for each in words:
        lab.running.inside(name, *each)
    lab.running.inside(name, "vtysh", "-b")


def _is_told(ended: Ended, *words: str) -> None:
    assert ended.code == 4, ended.text
    assert "Done" not in ended.text
    assert not [word for word in words if word not in ended.text], ended.text


def _patient(lab: Pushing) -> Path:
    """The inventory, by which sessions may fall in a change that is hitless: else that alone would take it back."""
    folder = lab.folder / "patient"
    shutil.copytree(lab.inventory, folder)
    defaults = yaml.safe_load((folder / "defaults.yaml").read_text())
    defaults["data"]["interruption"] = {"hitless": 60}
    (folder / "defaults.yaml").write_text(yaml.safe_dump(defaults))
    return folder


def test_a_spine_whose_daemons_start_anew_in_its_wave_is_not_brought_back(site: Site, lab: Pushing) -> None:
    """It was drained, the push brings it back, and what was saved is what it ran before: drained."""
    inventory = _patient(lab)
    ended = lab.push(lab.intent({SPINE: "drained"}), "--commit")
    assert ended.code == 0, ended.text
    before = lab.configs()
    where = trap("commit", "after", "wait", device=SPINE)
    with lab.begun(site.intent, "--commit", trap=where, inventory=inventory) as child:
        child.reach()
        _restart(lab, SPINE)
        child.go()
        ended = child.end()
    _is_told(ended, SPINE, "differs", "it does not run what it was to", DRAINED, "route-map")
    assert not lab.waits(SPINE)
    assert DRAINED in lab.runs(SPINE)
    assert lab.starts(SPINE) == before[SPINE][1]
    ended = lab.push(site.intent, "--commit")
    assert ended.code == 0, ended.text
    assert DRAINED not in lab.runs(SPINE) + lab.starts(SPINE)


@pytest.mark.parametrize("killed", [False, True], ids=["behind its wave", "when its run was killed"])
def test_a_hand_that_undoes_what_was_kept_is_told_at_the_end(lab: Pushing, *, killed: bool) -> None:
    line, intent = LINE.format("KEPT"), lab.with_line("KEPT", SPINE)
    where = trap("note", "after", "kill" if killed else "wait", step="done", how="ended", device=SPINE)
    with lab.begun(intent, "--commit", trap=where) as child:
        child.reach()
        if killed:
            assert child.end().code == -signal.SIGKILL
        lab.running.typed(SPINE, f"no {line}")
        child.go()
        ended = lab.push(intent, "--commit") if killed else child.end()
    _is_told(ended, SPINE, f"+ {line}")
    assert lab.has(SPINE, "KEPT") == (False, True)
    ended = lab.push(intent, "--commit")
    assert ended.code == 0, ended.text
    assert lab.has(SPINE, "KEPT") == (True, True)
