"""What may go wrong with a commit of NVUE: ends half-way, other hands, time that is over, files that are cut off."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
)

from fabricgen.platforms.cumulus.napalm_driver import CumulusDriver, nvue
from fabricgen.push.switch.switch import Candidate
from tests.cumulus.driven import ADDED, AFTER, BEFORE, PATCH, Stand, standing
from tests.doubles.cumulus_nvue import Switch
from tests.push.boxed import at, committing, fleet, inventory, refused

MESSAGE = "run 7f3a leaf change"
SECONDS = 10
FOREIGN = BEFORE.replace("hostname: leaf", "hostname: leaf\n      timezone: Etc/UTC")


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    with standing(tmp_path / "switch") as found:
        yield found


@pytest.fixture
def leaf(stand: Stand) -> Iterator[CumulusDriver]:
    with stand.driver(settle_seconds=0.2) as driver:
        yield driver


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvue, "PAUSE_SECONDS", 0.02)


def test_an_apply_that_ends_half_way_is_told_and_not_taken_for_nothing(stand: Stand, tmp_path: Path) -> None:
    """Parts of it may be on the switch although NVUE still calls the old one applied."""
    stand.switch.ends = "ignore_fail"
    site = inventory(
        tmp_path / "site", {"leaf": stand.server.port}, "cumulus", known_hosts=stand.known, settle_seconds=0.2
    )
    with fleet(site, "cumulus") as found:
        error = refused(found, committing(Candidate(AFTER, {}), MESSAGE, 60))
        assert (error.kind, "ignore_fail" in error.reason) == ("lost", True)
        assert at(found, lambda it: it.pending()) == MESSAGE
        error = refused(found, lambda it: it.revert(MESSAGE))
        assert "it is ignore_fail" in error.reason
        assert refused(found, lambda it: it.load(Candidate(BEFORE, {}), "another")).kind == "locked"


@pytest.mark.parametrize("state", ["ignore_fail", "ays_fail", "apply_fail", "invalid"])
def test_a_commit_without_a_time_that_fails_is_no_success(stand: Stand, leaf: CumulusDriver, state: str) -> None:
    leaf.load_replace_candidate(config=AFTER)
    stand.switch.ends = state
    with pytest.raises(CommitError, match=state):
        leaf.commit_config(message=MESSAGE)
    assert stand.switch.startup == BEFORE


def test_a_commit_is_waited_for_while_nvue_is_at_it(stand: Stand) -> None:
    with stand.driver() as driver:
        driver.load_replace_candidate(config=AFTER)
        stand.switch.via = ["applied_and_saved", "reloading", "reloaded"]
        driver.commit_config(message=MESSAGE, revert_in=60)
        assert driver.pending_message() == MESSAGE
        stand.switch.via = ["confirm", "confirm", "confirm_yes", "auto_saving", "auto_saving"]
        driver.confirm_commit()
    assert ADDED in stand.switch.startup


def test_a_commit_under_way_is_of_somebody(stand: Stand, leaf: CumulusDriver) -> None:
    """A connection that was lost half-way finds it so: it is no sign that nothing came of it."""
    stand.switch.via = ["reloading"]
    assert leaf.has_pending_commit()
    leaf.load_replace_candidate(config=AFTER)
    stand.switch.via = ["verifying"]
    with pytest.raises(LockError, match="under way"):
        leaf.commit_config(message=MESSAGE, revert_in=60)


@pytest.mark.parametrize("seconds", [60, None])
def test_what_somebody_else_applied_since_is_not_undone(stand: Stand, leaf: CumulusDriver, seconds: int | None) -> None:
    leaf.load_replace_candidate(config=AFTER)
    with stand.driver() as other:
        other.load_replace_candidate(config=FOREIGN)
        other.commit_config(message="by hand")
    asked = len(stand.switch.asked)
    with pytest.raises(LockError, match="somebody else has applied"):
        leaf.commit_config(message=MESSAGE, revert_in=seconds)
    assert not any("nv config apply" in one for one in stand.switch.asked[asked:])
    assert stand.switch.applied == stand.switch.startup
    assert "timezone" in stand.switch.applied


def test_its_time_is_over_while_it_is_confirmed(
    stand: Stand, leaf: CumulusDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf.load_replace_candidate(config=AFTER)
    leaf.commit_config(message=MESSAGE, revert_in=60)
    config = nvue.Nvue.config

    def late(self: nvue.Nvue, *words: str, seconds: float = 0) -> str:
        if "--confirm-yes" in words:
            stand.switch.deadline = time.monotonic()
        return config(self, *words, seconds=seconds)

    monkeypatch.setattr(nvue.Nvue, "config", late)
    with pytest.raises(CommitConfirmException, match="confirm_fail: it was reverted"):
        leaf.confirm_commit()
    assert (stand.switch.applied, stand.switch.startup) == (BEFORE, BEFORE)


def test_what_was_saved_before_it_was_confirmed_is_saved_back(stand: Stand, leaf: CumulusDriver) -> None:
    stand.switch.saves = True
    leaf.load_replace_candidate(config=AFTER)
    leaf.commit_config(message=MESSAGE, revert_in=60)
    assert ADDED in stand.switch.startup
    leaf.cancel_commit()
    assert stand.switch.startup == BEFORE


def test_what_can_not_be_detached_is_not_added_to(stand: Stand, leaf: CumulusDriver) -> None:
    with stand.driver() as other:
        other.load_merge_candidate(config="- set:\n    system: {timezone: Etc/UTC}\n")
        stand.switch.sticks = True
        with pytest.raises(MergeConfigException, match="could not be detached"):
            leaf.load_merge_candidate(config=PATCH)
        stand.switch.sticks = False


def test_a_disk_that_is_full_when_a_file_is_handed_over_leaves_nothing_unsaved(
    stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = (1, "", "cat: write error: No space left on device\n")
    monkeypatch.setattr(type(stand.switch), "_load", lambda *_: said)
    site = inventory(tmp_path / "site", {"leaf": stand.server.port}, "cumulus", known_hosts=stand.known)
    with fleet(site, "cumulus") as found:
        error = refused(found, lambda it: it.load(Candidate(AFTER, {}), MESSAGE))
    assert (error.kind, "No space left" in error.reason) == ("refused", True)


def test_a_configuration_that_is_not_shown_is_not_an_empty_one(
    leaf: CumulusDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Switch, "_config", lambda *_: (0, "\n", ""))
    with pytest.raises(CommandErrorException, match="it printed nothing"):
        leaf.get_config("running")


def test_a_startup_file_that_can_not_be_read_is_not_an_empty_one(
    leaf: CumulusDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Switch, "_said", lambda *_: (1, "", "sudo: a password is required\n"))
    with pytest.raises(CommandErrorException, match="a password is required"):
        leaf.get_config("startup")


# The lines of sh that hand a file over, run by a real shell with a double of `nv` in its path


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder for files of the lines, and a program `nv` that keeps what it is given and waits while it is told to."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    nv = tmp_path / "bin" / "nv"
    nv.write_text(
        f'#!/bin/sh\necho "$1 $2" >{tmp_path}/said; ls -l "$3" >{tmp_path}/mode; cp "$3" {tmp_path}/got\n'
        f"[ -e {tmp_path}/hang ] && sleep 30\nexit 0\n"
    )
    nv.chmod(0o755)
    return tmp_path


def handed(shell: Path, octets: int) -> subprocess.Popen[bytes]:
    environment = {"PATH": f"{shell / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(shell / "tmp")}
    words = ["timeout", "-k", "2", "20", "sh", "-c", nvue.SCRIPT, "replace", str(octets)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(words, env=environment, **pipes)  # type: ignore[call-overload, no-any-return]


def test_a_file_is_handed_over_for_nobody_else_and_goes(shell: Path) -> None:
    text = "- set:\n    system: {hostname: 'ü $x; `id`'}\n".encode()
    child = handed(shell, len(text))
    assert child.communicate(text, SECONDS) == (b"", b"")
    assert (child.returncode, (shell / "got").read_bytes()) == (0, text)
    assert (shell / "said").read_text() == "config replace\n"
    assert (shell / "mode").read_text().startswith("-rw-------")
    assert list((shell / "tmp").iterdir()) == []


def test_a_file_that_is_cut_off_is_not_loaded(shell: Path) -> None:
    child = handed(shell, len(AFTER.encode()))
    _, errors = child.communicate(AFTER[:100].encode(), SECONDS)
    assert (child.returncode, errors) == (1, b"Error: the file came cut off\n")
    assert not (shell / "said").exists()
    assert list((shell / "tmp").iterdir()) == []


def test_a_file_goes_also_where_its_time_is_over(shell: Path) -> None:
    (shell / "hang").touch()
    child = handed(shell, 4)
    assert child.stdin is not None
    child.stdin.write(b"- {}")
    child.stdin.close()
    deadline = time.monotonic() + SECONDS
    while not (shell / "got").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    child.stdin = None
    child.communicate(timeout=SECONDS)
    while list((shell / "tmp").iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
