"""A canary that breaks in a change that loses nothing is reverted at once; sound pushes under load are not."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from fabricgen.push.act.work import RunSettings
from tests.lab.pushing import Pushing, pushing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import SPINES, Site, _over, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SPINE = SPINES[0]
MOST_SECONDS = 20
REAL = RunSettings()._asdict()
"""The times of a push as a user types it: what is gone would be waited for 90 s."""
ROUNDS = 3


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy before and after."""
    with pushing(site, tmp_path) as found:
        yield found
    _over(site, *SPINES)


def _moments(lab: Pushing, step: str, how: str) -> list[datetime]:
    query = "SELECT at FROM events WHERE step = ? AND how = ? AND device = ? ORDER BY number"
    with closing(sqlite3.connect(lab.journal)) as database:
        return [datetime.fromisoformat(row[0]) for row in database.execute(query, (step, how, SPINE))]


def test_a_canary_that_breaks_in_a_change_that_loses_nothing_is_reverted_at_once(
    site: Site, lab: Pushing, capsys: pytest.CaptureFixture[str]
) -> None:
    """A spine is brought back, which costs nothing; behind its commit a hand shuts its sessions with a leaf."""
    speaker = lab.running.device(SPINE).routing.bgp
    drained = lab.push(lab.intent({SPINE: "drained"}), "--commit")
    assert drained.code == 0, drained.text
    where = trap("commit", "after", "wait", device=SPINE)
    with lab.begun(site.intent, "--commit", trap=where, settings=REAL) as child:
        child.reach()
        lab.running.typed(SPINE, f"router bgp {speaker.asn}", f"neighbor {speaker.neighbors[0].address} shutdown")
        child.go()
        ended = child.end()
    assert ended.code == 4, ended.text
    assert "risk: hitless" in ended.text
    assert "the interruption is longer than the 0 s that this change may take" in ended.text
    assert not lab.waits(SPINE)
    assert "DRAINED-OUT out" in lab.runs(SPINE)
    assert " shutdown" not in lab.runs(SPINE)
    begun, back = _moments(lab, "commit", "ended")[-1], _moments(lab, "revert", "ended")
    assert len(back) == 1  # once, and not tried again
    seconds = (back[0] - begun).total_seconds()
    with capsys.disabled():
        sys.stdout.write(f"\n{SPINE} was reverted {seconds:.1f} s after its commit\n")
    assert seconds < MOST_SECONDS
    ended = lab.push(site.intent, "--commit")
    assert ended.code == 0, ended.text


@contextmanager
def _load() -> Iterator[None]:
    """Processes that take every processor."""
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        yield


def test_sound_pushes_under_load_are_kept(site: Site, lab: Pushing) -> None:
    """Drained and brought back again and again while others take the processors: nothing goes back."""
    drained = lab.intent({SPINE: "drained"})
    with _load():
        for _ in range(ROUNDS):
            for intent in (drained, site.intent):
                ended = lab.push(intent, "--commit", settings=REAL)
                assert ended.code == 0, ended.text
