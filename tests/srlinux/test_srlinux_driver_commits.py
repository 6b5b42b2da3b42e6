"""Commits of `napalm_srlinux` against a double of SR Linux's JSON-RPC server: timed, ended, lost, of others."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
)

from fabricgen.platforms.base.live.run_marks import name_of
from fabricgen.platforms.srlinux.napalm_driver import SRLinuxDriver
from fabricgen.platforms.srlinux.napalm_driver.rpc import Rpc
from tests.doubles.srlinux_rpc import switch
from tests.doubles.srlinux_switch import Switch
from tests.doubles.srlinux_tree import RpcError
from tests.srlinux.running import AFTER, BEFORE, SECONDS, WHOLE, opened, shown


@pytest.fixture
def box() -> Iterator[Switch]:
    """A switch."""
    with switch(BEFORE) as found:
        found.shown = shown
        yield found


@pytest.fixture
def driver(box: Switch) -> SRLinuxDriver:
    """A driver of it, open."""
    return opened(box)


def test_a_timed_commit_is_confirmed_and_only_then_saved(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(message="run 7", revert_in=60)
    assert driver.pending_checkpoint() == name_of("run 7")
    assert box.runs() == AFTER
    assert box.startup == BEFORE
    driver.load_merge_candidate(config="{}")
    with pytest.raises(CommitError, match="waits for its confirmation"):
        driver.commit_config()
    driver.confirm_commit()
    assert not driver.has_pending_commit()
    assert box.startup == AFTER
    with pytest.raises(CommitConfirmException, match="no commit waits"):
        driver.confirm_commit()


def test_a_timed_commit_reverts_by_itself(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=1)
    assert driver.has_pending_commit()
    deadline = time.monotonic() + SECONDS
    while driver.has_pending_commit():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert box.runs() == BEFORE == box.startup
    with pytest.raises(CommitConfirmException):
        driver.reject_commit()


@pytest.mark.parametrize("ends", ["reject_commit", "rollback"])
def test_a_timed_commit_is_ended_at_once(box: Switch, driver: SRLinuxDriver, ends: str) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    getattr(driver, ends)()
    assert not driver.has_pending_commit()
    assert box.runs() == BEFORE == box.startup


def test_a_commit_that_was_kept_is_rolled_back(box: Switch, driver: SRLinuxDriver) -> None:
    with pytest.raises(CommitError, match="committed nothing"):
        driver.rollback()
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config()
    driver.rollback()
    assert box.runs() == BEFORE == box.startup


def test_a_disk_that_is_full_is_told(box: Switch, driver: SRLinuxDriver) -> None:
    box.full = True
    driver.load_replace_candidate(config=WHOLE)
    with pytest.raises(CommitError, match="it runs and is not saved"):
        driver.commit_config()


def test_a_commit_of_somebody_else_is_known_as_such_and_left_alone(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(message="ours")
    box.commit(box.runs(), 600, "another")
    assert driver.pending_checkpoint() == ""
    assert driver.has_pending_commit()
    for ends in (driver.confirm_commit, driver.reject_commit, driver.rollback):
        with pytest.raises(CommitConfirmException, match="is not ours"):
            ends()
    assert box.timer is not None


def test_a_switch_that_times_every_commit_has_it_confirmed(box: Switch, driver: SRLinuxDriver) -> None:
    commit = Switch.commit

    def timed(self: Switch, tree: Any, seconds: int | None, username: str = "push") -> None:  # noqa: ANN401
        commit(self, tree, 600 if seconds is None else seconds, username)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Switch, "commit", timed)
        driver.load_replace_candidate(config=WHOLE)
        driver.commit_config()
    assert box.timer is None
    assert box.runs() == box.startup == AFTER


def test_a_switch_that_takes_its_time_to_revert_is_waited_for(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.slow = 1
    driver.reject_commit()
    assert box.runs() == BEFORE
    assert driver.pending_checkpoint() is None


def test_a_switch_that_reverts_without_end_is_told(box: Switch) -> None:
    driver = opened(box, seconds=1)
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.slow = 1000
    with pytest.raises(ConnectionException, match="still under way"):
        driver.reject_commit()
    driver.load_replace_candidate(config=WHOLE)
    with pytest.raises(ConnectionException, match="still under way"):
        driver.commit_config()


@pytest.mark.parametrize("is_deaf", [False, True])
def test_a_timer_that_fires_before_the_confirmation_is_heard(box: Switch, driver: SRLinuxDriver, is_deaf: bool) -> None:
    """Whether the switch refuses the word then, or takes it for nothing: what it runs was reverted."""
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.deaf = is_deaf
    box.meanwhile["confirmed-accept"] = lambda it: it.end("failed", it.timer.before if it.timer else None)
    with pytest.raises(CommitConfirmException, match="was not kept: the switch shows it as failed"):
        driver.confirm_commit()
    assert box.runs() == BEFORE == box.startup


def test_a_word_that_is_taken_for_nothing_is_no_confirmation(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.deaf = True
    for word, found in (
        (driver.confirm_commit, "after it was confirmed"),
        (driver.reject_commit, "after it was ended"),
    ):
        with pytest.raises(CommitConfirmException, match=found):
            word()


@pytest.mark.parametrize("word", ["confirmed-accept", "confirmed-reject"])
def test_a_word_whose_answer_is_lost_is_looked_up(box: Switch, driver: SRLinuxDriver, word: str) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.hangs_up = word
    (driver.confirm_commit if word == "confirmed-accept" else driver.reject_commit)()
    assert box.runs() == box.startup == (AFTER if word == "confirmed-accept" else BEFORE)


def test_a_confirmation_whose_second_line_has_no_answer_is_saved(
    box: Switch, driver: SRLinuxDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that was cut: it names no error."""
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    run = Rpc.run
    monkeypatch.setattr(Rpc, "run", lambda self, *lines: run(self, lines[0]))
    driver.confirm_commit()
    assert box.runs() == box.startup == AFTER


@pytest.mark.parametrize("word", ["confirmed-accept", "confirmed-reject"])
def test_a_word_that_is_refused_is_told_where_the_commit_still_waits(
    box: Switch, driver: SRLinuxDriver, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)

    def refuses(self: Switch, status: str, runs: object = None) -> None:
        raise RpcError(f"not now: {status}")

    monkeypatch.setattr(Switch, "end", refuses)
    with pytest.raises(CommandErrorException, match="not now"):
        (driver.confirm_commit if word == "confirmed-accept" else driver.reject_commit)()
    assert box.startup == BEFORE


def leaves(it: Switch) -> None:
    """What is behind the web server goes away for three requests."""
    it.absent = 3


def leaves_for_good(it: Switch) -> None:
    """The same for all to come."""
    it.absent = 1000


@pytest.mark.parametrize("word", ["confirm-timeout", "confirmed-accept", "configuration/save"])
def test_a_server_that_is_away_for_a_while_is_waited_for(box: Switch, driver: SRLinuxDriver, word: str) -> None:
    """As behind a change of what it rests on."""
    box.meanwhile[word] = leaves
    box.hangs_up = word if word != "confirm-timeout" else ""
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(message="run 8", revert_in=60)
    assert driver.pending_checkpoint() == name_of("run 8")
    driver.confirm_commit()
    assert box.startup == AFTER
    assert not box.absent


@pytest.mark.parametrize("looks", [0, 1])
def test_what_is_confirmed_and_can_not_be_saved_is_told(box: Switch, looks: int) -> None:
    """It is refused twice, or refused once and the server is away for good behind a look at what became of it."""
    driver = opened(box, seconds=1)
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.full = True
    look = '"/system/configuration"'
    if looks:
        box.meanwhile["confirmed-accept"] = lambda it: it.meanwhile.update(
            {look: lambda it: it.meanwhile.update({look: leaves_for_good})}
        )
    with pytest.raises(CommitError, match="it runs and is not saved"):
        driver.confirm_commit()


def test_a_web_server_without_an_answer_to_a_commit_leaves_it_open(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    box.meanwhile["generate-checkpoint"] = leaves
    with pytest.raises(ConnectionException, match="HTTP 502"):
        driver.commit_config(revert_in=60)
    assert box.runs() == BEFORE


@pytest.mark.parametrize("seconds", [None, 60])
def test_what_somebody_else_has_not_confirmed_is_neither_confirmed_nor_saved(
    box: Switch, driver: SRLinuxDriver, seconds: int | None
) -> None:
    driver.load_replace_candidate(config=WHOLE)
    theirs = {**AFTER, "srl_nokia-acl:acl": {}}

    def committing(it: Switch) -> None:
        it.meanwhile['"/system/configuration"'] = lambda it: it.commit(theirs, 600, "another")

    box.meanwhile["generate-checkpoint" if seconds is None else "confirmed-accept"] = committing
    if seconds is not None:
        driver.commit_config(revert_in=seconds)
        box.full = True  # saving is refused in the request that confirms, and would be tried again
    with pytest.raises(CommitError, match="a commit that is not ours waits there; it runs and is not saved"):
        (driver.commit_config if seconds is None else driver.confirm_commit)()
    assert box.timer is not None
    assert (box.runs(), box.startup) == (theirs, BEFORE)


def test_a_commit_is_kept_and_saved_by_one_request(box: Switch) -> None:
    """Whoever is killed behind it has left nothing that runs and is not saved."""
    driver = opened(box, seconds=1)
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.meanwhile["confirmed-accept"] = leaves_for_good
    with pytest.raises(ConnectionException):
        driver.confirm_commit()
    assert box.runs() == box.startup == AFTER


def test_a_commit_that_is_to_stay_and_changes_nothing_is_saved_alone(box: Switch, driver: SRLinuxDriver) -> None:
    """As behind a process that was killed between confirming and saving."""
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(revert_in=60)
    box.end("complete")
    driver.load_replace_candidate(config=WHOLE)
    driver.commit_config(message="saved")
    assert box.startup == AFTER
    assert (len(box.commits), len(box.checkpoints)) == (1, 1)


def test_a_connection_that_is_lost(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    box.hangs_up = "confirm-timeout"
    with pytest.raises(ConnectionException, match="went away"):
        driver.commit_config(message="lost", revert_in=60)
    assert driver.pending_checkpoint() == name_of("lost")


@pytest.mark.parametrize("started", ["", "yesterday", "2026-06-12T14:43:22", 7, None])
def test_a_time_that_is_none_is_not_understood(box: Switch, driver: SRLinuxDriver, started: object) -> None:
    box.commits = [{"id": 1, "status": "complete", "started": started}]
    with pytest.raises(CommandErrorException, match="another form"):
        driver.has_pending_commit()
    driver.load_replace_candidate(config=WHOLE)
    with pytest.raises(CommandErrorException, match="another form"):
        driver.commit_config(revert_in=60)
    assert box.runs() == BEFORE
