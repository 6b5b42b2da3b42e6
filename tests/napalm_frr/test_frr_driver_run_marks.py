"""What is armed on a real switch, from its beginning on, and who is at work there."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from napalm.base.exceptions import CommandErrorException

from napalm_frr import FRRDriver
from napalm_frr.run_marks import Armed, Lease, LeasedError, RunMarks, read
from tests.frr.leases import aged
from tests.frr.waiting import becomes
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.clients import Client, killed

NEW = "network 10.88.0.0/24"


def _phase(driver: FRRDriver) -> str:
    armed = driver.run_marks().armed
    return armed.phase if armed is not None else ""


def test_a_switch_that_no_commit_ever_reached_has_nothing_and_gets_nothing(
    wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    with switches.opened(wired["leaf1"], tmp_path / "never") as driver:
        assert driver.run_marks() == RunMarks(None, None)
    assert not (tmp_path / "never").exists()


def test_a_commit_that_waits_shows_its_message_and_the_seconds_that_are_left(leaf: FRRDriver) -> None:
    assert leaf.run_marks().armed is None
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(message="two  words", revert_in=90)
    armed = leaf.run_marks().armed
    assert armed is not None
    assert (armed.phase, armed.message) == ("waits", "two  words")
    assert armed.seconds is not None
    assert 80 < armed.seconds <= 91
    leaf.confirm_commit()
    assert leaf.run_marks().armed is None


def test_what_a_killed_client_has_begun_is_armed_and_can_be_ended_at_once(
    wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    """It is not pending: nobody could confirm it."""
    switch = wired["leaf1"]
    killed(
        Client(
            switches.arguments(switch, tmp_path, commit_seconds=300), "_hold", fabric.text("leaf1", (NEW,)), None, 60
        )
    )
    with switches.opened(switch, tmp_path) as driver:
        assert not driver.has_pending_commit()
        assert NEW in driver.get_config("running")["running"]
        armed = driver.run_marks().armed
        assert armed is not None
        assert armed.seconds is not None
        assert (armed.phase, armed.owner) == ("changes", (tmp_path / "owner").read_text().strip())
        assert 200 < armed.seconds <= 301
        driver.cancel_commit()
        assert driver.run_marks().armed is None
        assert NEW not in driver.get_config("running")["running"]


def test_one_whose_guard_was_killed_is_lost_until_it_is_put_back(leaf: FRRDriver, tmp_path: Path) -> None:
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(message="m", revert_in=600)
    os.kill(int((tmp_path / "state" / "guard.pid").read_text()), 9)
    becomes("lost", _phase, leaf)
    armed = leaf.run_marks().armed
    assert armed is not None
    assert armed.seconds is None
    leaf.cancel_commit()
    assert leaf.run_marks().armed is None
    assert NEW not in leaf.get_config("running")["running"]


def test_of_two_at_work_the_second_is_told_who_and_may_come_later(leaf: FRRDriver, tmp_path: Path) -> None:
    leaf.take_lease("aaaa", "alice@jump", "drains it\nand more")
    leaf.take_lease("aaaa", "alice@jump", "drains it")
    with pytest.raises(LeasedError, match=r"alice@jump is at work on it, drains it") as caught:
        leaf.take_lease("bbbb", "bob@desk")
    assert caught.value.lease is not None
    assert caught.value.lease[:3] == ("aaaa", "alice@jump", "drains it")
    leaf.release_lease("bbbb")  # is not his
    aged(tmp_path / "state" / "lease", 1000)
    with pytest.raises(LeasedError):
        leaf.take_lease("bbbb", "bob@desk", "", 2000)
    with pytest.raises(LeasedError):
        leaf.take_lease("bbbb", "bob@desk", "")
    leaf.take_lease("bbbb", "bob@desk", "", 900)
    lease = leaf.run_marks().lease
    assert lease is not None
    assert (lease.token, lease.owner, lease.seconds < 60) == ("bbbb", "bob@desk", True)
    leaf.release_lease("bbbb")
    assert leaf.run_marks() == RunMarks(None, None)


def test_what_a_switch_prints_is_read_or_refused() -> None:
    told = "armed waits 12 0a0b a message  of words \nlease 7 aaaa alice@jump\ndrains it\n"
    armed, lease = Armed("waits", 12, "0a0b", "a message  of words "), Lease("aaaa", "alice@jump", "drains it", 7)
    assert read(told) == RunMarks(armed, lease)
    assert read("armed lost - 0a0b \n").armed == Armed("lost", None, "0a0b", "")
    assert read("") == RunMarks(None, None)
    for wrong in ("armed", "armed sleeps 1 a b", "lease x a b\n", "something else", "\n"):
        with pytest.raises(CommandErrorException, match="not understood"):
            read(wrong)
