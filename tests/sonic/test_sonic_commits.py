"""Commits of `napalm_sonic` that are cut, overtaken or mistaken for another's, on the double of a switch."""

import stat
import subprocess

import pytest
from napalm.base.exceptions import CommandTimeoutException, CommitConfirmException, CommitError

from tests.doubles.sonic_box import APPENDED, Box
from tests.sonic.test_sonic_driver import FRR, FRR_CONF, RUNS, SECRET, changed, leaf, mtu, opened

__all__ = ["leaf"]

NEW = FRR + "! new\n"


def test_a_confirmation_that_is_cut_in_the_midst_leaves_the_commit_to_its_timer(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message="m", revert_in=60)
    leaf.mark("slow-save")
    with pytest.raises(CommandTimeoutException):
        opened(leaf, commit_seconds=1).confirm_commit()
    assert (mtu(leaf), leaf.startup, driver.pending_message()) == ("9100", RUNS, "m")
    commit = leaf.root / "run/napalm-sonic/commit"
    # What its timer runs.
    assert (
        subprocess.run(["sh", commit / "undo", leaf.root, (commit / "owner").read_text()], check=False).returncode == 0
    )
    assert (leaf.running, leaf.startup, leaf.waits, leaf.timers) == (RUNS, RUNS, False, [])


def test_a_commit_that_its_guard_has_ended_goes_no_further(leaf: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabricgen.platforms.sonic.napalm_driver.lifecycle.SLACK", -19)
    leaf.mark("slow", seconds="1.5")
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: NEW})
    with pytest.raises(CommitError, match="the switch has ended it; what ran before runs again"):
        driver.commit_config(revert_in=60)
    assert (leaf.running, leaf.startup, leaf.frr_conf) == (RUNS, RUNS, FRR + APPENDED)
    assert (leaf.waits, leaf.timers) == (False, [])


def test_a_late_timer_ends_no_later_commit(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message="theirs", revert_in=60)
    undo = leaf.root / "run/napalm-sonic/commit/undo"
    assert subprocess.run(["sh", undo, leaf.root, "another"], check=False).returncode == 76
    assert (mtu(leaf), driver.pending_message()) == ("9100", "theirs")


def test_a_message_is_no_command(leaf: Box) -> None:
    message = f'it\'s "$(touch {leaf.root}/done)"; touch {leaf.root}/done %s \\n'
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message=f"{message}\r\n", revert_in=60)
    assert driver.pending_message() == f"{message}  "
    assert not (leaf.root / "done").exists()


def test_files_with_secrets_are_roots_alone_and_those_of_sonic_keep_their_modes(leaf: Box) -> None:
    frr_conf, startup = leaf.root / "etc/sonic/frr/frr.conf", leaf.root / "etc/sonic/config_db.json"
    frr_conf.chmod(0o640)
    startup.chmod(0o644)
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: NEW})
    driver.commit_config(revert_in=60)
    own = list((leaf.root / "run").rglob("*"))
    assert any(SECRET in path.read_text() for path in own if path.is_file())
    assert [path for path in own if path.stat().st_mode & 0o077] == []
    driver.confirm_commit()
    assert (stat.S_IMODE(frr_conf.stat().st_mode), stat.S_IMODE(startup.stat().st_mode)) == (0o640, 0o644)
    assert frr_conf.read_text() == NEW
    assert not list((leaf.root / "etc/sonic").rglob("*.new"))


def test_a_confirmation_that_can_not_be_saved_ends_whosever_commit_it_is(leaf: Box) -> None:
    first, second = opened(leaf), opened(leaf)
    first.load_replace_candidate(config=changed("1500"))
    first.commit_config()
    second.load_replace_candidate(config=changed())
    second.commit_config(revert_in=60)
    leaf.mark("full")
    with pytest.raises(CommitError, match=r"startup file could not be written.*runs again"):
        first.confirm_commit()
    assert mtu(leaf) == "1500"
    assert (leaf.startup, leaf.waits, leaf.timers) == (leaf.running, False, [])
    with pytest.raises(CommitConfirmException):
        second.confirm_commit()


def test_a_commit_that_is_not_whole_yet_is_kept_by_nobody_else(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message="theirs", revert_in=60)
    (leaf.root / "run/napalm-sonic/commit/timed").unlink()
    with pytest.raises(CommitConfirmException):
        opened(leaf).confirm_commit()
    assert (leaf.startup, driver.pending_message()) == (RUNS, "theirs")
