"""A push that is killed after a switch took its lines and before they wait: nothing goes back behind anybody's back."""

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.lab.pushing import Ended, Pushing, pushing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import SPINES, Site, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SECOND, FIRST = SPINES
"""In the order of the waves: the last one is the canary."""
SECONDS = 12
"""After which a switch reverts a commit whose client is gone."""
DRAINED = "DRAINED-OUT out"


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy and with nothing to push."""
    with pushing(site, tmp_path) as found:
        yield found


@pytest.fixture
def hasty(lab: Pushing) -> Path:
    """An inventory of the lab whose switches do not wait long for a client that is gone."""
    folder = lab.folder / "hasty"
    shutil.copytree(lab.inventory, folder)
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    for row in hosts.values():
        row["connection_options"]["napalm"]["extras"]["optional_args"]["commit_seconds"] = SECONDS
    (folder / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    return folder


def _killed(lab: Pushing, hasty: Path, intent: Path, *words: str, count: int = 0) -> Ended:
    where = trap("hold", "before", device=FIRST, count=count)
    ended = lab.push(intent, "--commit", *words, trap=where, inventory=hasty)
    assert ended.code == -signal.SIGKILL, ended.text
    return ended


def _pass_deadline() -> None:
    """Until the guard's time is over, and it has had time to put back."""
    time.sleep(SECONDS + 6)


def test_what_is_armed_is_seen_and_a_resumed_push_ends_it(lab: Pushing, hasty: Path) -> None:
    """L2: it was "nothing to push", verify was clean, and minutes later the switch went back."""
    intent = lab.with_line("ARMED", FIRST)
    words = ("--accept-loss", FIRST)
    _killed(lab, hasty, intent, *words, count=1)
    assert lab.has(FIRST, "ARMED") == (True, False)
    shown = lab.push(intent, *words, inventory=hasty)
    assert shown.code == 1, shown.text
    assert f"on {FIRST} a commit of push " in shown.err
    assert "is under way: without confirmation the switch reverts to its previous configuration in " in shown.err
    ended = lab.push(intent, "--commit", *words, inventory=hasty)
    assert ended.code == 0, ended.text
    _pass_deadline()
    assert lab.has(FIRST, "ARMED") == (True, True)


def test_a_switch_that_was_drained_first_does_not_go_back_to_its_drain(lab: Pushing, hasty: Path) -> None:
    """L3: the report said that nothing was left there, and later the guard put the drained configuration back."""
    intent = lab.with_line("DRAINED-FIRST", FIRST)
    _killed(lab, hasty, intent, count=2)  # of the last stage: that brings it back
    assert lab.has(FIRST, "DRAINED-FIRST") == (True, True)
    ended = lab.push(intent, "--commit", inventory=hasty)
    assert ended.code == 0, ended.text
    _pass_deadline()
    assert lab.has(FIRST, "DRAINED-FIRST") == (True, True)
    assert lab.has(FIRST, DRAINED) == (False, False)


def test_a_push_that_is_given_up_leaves_nothing_armed(lab: Pushing, hasty: Path) -> None:
    before = lab.configs()[FIRST]
    _killed(lab, hasty, lab.with_line("ABANDONED", FIRST), "--accept-loss", FIRST)
    ended = lab.push(lab.intent(), "--commit", "--abandon", inventory=hasty)
    assert ended.code == 0, ended.text
    assert (
        f"{FIRST}: the commit of the abandoned run was rolled back; the previous configuration runs again" in ended.err
    )
    assert lab.configs()[FIRST] == before


def test_out_of_reach_it_is_said_when_it_goes_back_and_to_what(lab: Pushing, hasty: Path) -> None:
    intent = lab.with_line("AWAY", FIRST)
    _killed(lab, hasty, intent, "--accept-loss", FIRST)
    hosts = yaml.safe_load((hasty / "hosts.yaml").read_text())
    arguments = hosts[FIRST]["connection_options"]["napalm"]["extras"]["optional_args"]
    arguments["namespace"] = "no-such-namespace"
    (hasty / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    ended = lab.push(intent, "--commit", "--accept-loss", FIRST, inventory=hasty)
    assert ended.code == 5, ended.text
    assert "its commit of this run reverts by itself at " in ended.text
    assert "UTC at the latest: then it runs its previous configuration" in ended.text
    _pass_deadline()
    assert lab.has(FIRST, "AWAY") == (False, False)
