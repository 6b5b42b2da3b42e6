"""A push and the driver of Cumulus Linux: Box by Box, over SSH, against a double of NVUE."""

import time
from collections.abc import Iterator
from pathlib import Path

import paramiko
import pytest

from fabricgen.platforms.base.live.reader import JSON, TEXT, ReadCommand
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS, COMMIT_PROFILES
from fabricgen.platforms.cumulus.live.commit_profile import CUMULUS
from fabricgen.platforms.readers import READERS
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, Octets
from tests.cumulus.driven import ADDED, AFTER, BEFORE, HIDDEN, PATCH, SECRET, Stand, standing
from tests.push.boxed import at, committing, fleet, inventory, refused

SECONDS = 10
MESSAGE = "run 7f3a leaf change"


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    with standing(tmp_path / "switch") as found:
        yield found


@pytest.fixture
def site(stand: Stand, tmp_path: Path) -> Path:
    """An inventory with the switch."""
    return _site(tmp_path / "site", stand, stand.known)


def _site(folder: Path, stand: Stand, known: Path) -> Path:
    return inventory(folder, {"leaf": stand.server.port}, "cumulus", known_hosts=known, settle_seconds=2)


def test_it_is_registered_and_unproven() -> None:
    assert READERS["cumulus"].driver == CUMULUS.driver == "cumulus"
    assert COMMIT_PROFILES["cumulus"] is CUMULUS
    assert "cumulus" in COMMIT_OPERATIONS
    assert (CUMULUS.proven, CUMULUS.timed, CUMULUS.replaces, CUMULUS.step) == ("", True, True, 60)


def test_a_timed_commit_is_known_by_its_message_and_confirmed_by_another_process(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        assert at(found, lambda it: it.compare(Candidate(BEFORE, {}))) == ""
        assert ADDED in at(found, lambda it: it.compare(Candidate(AFTER, {})))
        assert stand.switch.pending is None
        token = at(found, committing(Candidate(AFTER, {}), f"{MESSAGE}\n ", 61))
    assert "nv config apply --assume-yes --confirm 2 -m run 7f3a leaf change" in stand.switch.asked
    with fleet(site, "cumulus") as found:
        assert (token, at(found, lambda it: it.pending())) == (MESSAGE, MESSAGE)
        assert refused(found, lambda it: it.load(Candidate(BEFORE, {}), "another")).kind == "locked"
        assert refused(found, lambda it: it.confirm("another")).kind == "gone"
        assert refused(found, lambda it: it.revert("another")).kind == "gone"
        at(found, lambda it: it.confirm(token))
        assert at(found, lambda it: it.pending()) is None
        assert refused(found, lambda it: it.confirm(token)).kind == "gone"
        assert ADDED in at(found, lambda it: it.running())
    assert ADDED in stand.switch.startup


def test_a_commit_that_nobody_confirms_reverts_by_itself(stand: Stand, site: Path) -> None:
    stand.switch.minute = 0.3
    with fleet(site, "cumulus") as found:
        at(found, committing(Candidate(AFTER, {}), MESSAGE, 60))
        deadline = time.monotonic() + SECONDS
        while at(found, lambda it: it.pending()) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert ADDED not in at(found, lambda it: it.running())


def test_a_commit_is_reverted_at_once_and_lines_are_merged(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        token = at(found, committing(Candidate(PATCH, {}, merge=True), MESSAGE, 60))
        assert ADDED in at(found, lambda it: it.running())
        at(found, lambda it: it.revert(token))
        assert stand.switch.applied == BEFORE
        at(found, committing(Candidate(PATCH, {}, merge=True), MESSAGE, None))
        assert ADDED in stand.switch.startup


def test_what_nvue_does_not_take_is_refused_and_names_no_secret(stand: Stand, site: Path) -> None:
    wrong = Candidate(HIDDEN.replace("    vrf:", "    vrff:"), {}, hidden=(SECRET,))
    with fleet(site, "cumulus") as found:
        error = refused(found, lambda it: it.load(wrong, MESSAGE))
        assert (error.kind, "vrff" in error.reason, SECRET in error.reason) == ("refused", True, False)
        stand.switch.refuses = f"Config invalid at vrf.RED: '{SECRET}'"
        error = refused(found, committing(Candidate(HIDDEN, {}, hidden=(SECRET,)), MESSAGE, 60))
        assert (error.kind, SECRET in error.reason) == ("refused", False)
        assert stand.switch.pending is None
        assert stand.switch.applied == BEFORE
        assert refused(found, lambda it: it.load(Candidate(BEFORE, {"/etc/x": "y"}), MESSAGE)).kind == "unable"


def test_a_disk_that_is_full(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        token = at(found, committing(Candidate(AFTER, {}), MESSAGE, 60))
        stand.switch.full = True
        assert refused(found, lambda it: it.confirm(token)).kind == "unsaved"


def test_what_runs_is_shown_without_secrets_and_kept_with_them(tmp_path: Path) -> None:
    with standing(tmp_path, HIDDEN) as stand, fleet(_site(tmp_path / "site", stand, stand.known), "cumulus") as found:
        running = at(found, lambda it: it.running())
        assert "remote-as: 64601" in running
        assert "c4n4ry" not in running
        snapshot = at(found, lambda it: it.snapshot())
        assert (snapshot.text, snapshot.files, snapshot.merge) == (HIDDEN, {}, False)
        assert at(found, lambda it: it.compare(snapshot)) == ""


def test_counters_and_commands_are_answered(site: Path) -> None:
    reads = (
        ReadCommand("facts", "nv show system -o json", JSON),
        ReadCommand("running", "nv config show", TEXT),
        ReadCommand("x", "id", JSON),
    )
    with fleet(site, "cumulus") as found:
        assert at(found, lambda it: it.counters()) == {"swp1": Octets(7, 9)}
        outputs = at(found, lambda it: it.ask(reads))
    assert outputs["id"].error
    assert outputs["nv show system -o json"].value == {"hostname": "leaf", "product-release": "5.11.0", "uptime": 12}
    assert "$6$" not in str(outputs["nv config show"].value)


def _lost(found: NapalmFleet, stand: Stand, word: str) -> str:
    stand.server.drops = word
    kind = refused(found, committing(Candidate(AFTER, {}), MESSAGE, 60)).kind
    stand.server.drops = ""
    return kind


def test_what_was_loaded_when_the_connection_went_away_is_swept(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        stand.server.late = True
        assert _lost(found, stand, "mktemp") == "lost"
        assert stand.switch.pending is not None
        assert at(found, lambda it: it.pending()) is None
        assert stand.switch.pending is None


def test_a_commit_in_whose_midst_the_connection_went_away_is_known_again(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        stand.server.late = True
        assert _lost(found, stand, "--confirm") == "lost"
        assert at(found, lambda it: it.pending()) == MESSAGE
        at(found, lambda it: it.revert(MESSAGE))
        assert stand.switch.applied == BEFORE


def test_a_connection_that_went_away_is_opened_again(stand: Stand, site: Path) -> None:
    with fleet(site, "cumulus") as found:
        token = at(found, committing(Candidate(AFTER, {}), MESSAGE, 60))
        found._lines["leaf"].driver._transport.close()
        at(found, lambda it: it.confirm(token))
        assert ADDED in stand.switch.startup


def test_a_wrong_password_and_the_wrong_switch(stand: Stand, site: Path, tmp_path: Path) -> None:
    (site / "password").write_text("c4n4ry-wrong\n")
    with fleet(site, "cumulus") as found:
        assert refused(found, lambda it: it.running()).kind == "login"
    wrong = stand.server.known(tmp_path / "wrong", paramiko.ECDSAKey.generate())
    with fleet(_site(tmp_path / "other", stand, wrong), "cumulus") as found:
        assert refused(found, lambda it: it.running()).kind == "host-key"
    (tmp_path / "none").touch()
    with fleet(_site(tmp_path / "unknown", stand, tmp_path / "none"), "cumulus") as found:
        assert refused(found, lambda it: it.running()).kind == "host-key"
