"""A push and `napalm_srlinux`, against a double of SR Linux's JSON-RPC server."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import fabricgen.platforms.srlinux.napalm_driver as package
from fabricgen.platforms.base.live.reader import JSON, TEXT, ReadCommand
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, Octets
from tests.doubles.certificate import authority, certificate
from tests.doubles.srlinux_rpc import switch
from tests.doubles.srlinux_switch import Switch
from tests.push.boxed import CANARY, LOGIN, at, committing, fleet, inventory, refused
from tests.srlinux.running import AFTER, BEFORE, HASH, KEY, SECONDS, WHOLE, shown

MESSAGE = 'run 7f3a leaf "change"'
WANTED = Candidate(WHOLE, {}, hidden=(HASH,))
PART = Candidate('{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "mtu": 1500}]}', {}, merge=True)


@pytest.fixture
def box() -> Iterator[Switch]:
    """A switch."""
    with switch(BEFORE, login=LOGIN) as found:
        found.shown = shown
        yield found


@pytest.fixture
def site(box: Switch, tmp_path: Path) -> Path:
    """An inventory with that switch."""
    return inventory(tmp_path / "site", {"leaf": box.port}, "srlinux", transport="http")


def kind(fleet: NapalmFleet, act: Callable[[SwitchConnection], object]) -> str:
    """Kind of what the switch failed at. It tells no secret of the configuration."""
    found = refused(fleet, act)
    assert not any(secret in found.reason for secret in (HASH, KEY))
    return found.kind


def changing(seconds: int | None) -> Callable[[SwitchConnection], str]:
    """Commit what is to come; the token."""
    return committing(WANTED, MESSAGE, seconds)


def test_a_configuration_is_replaced_and_saved(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        difference = at(found, lambda it: it.compare(WANTED))
        assert "description to the spine" in difference
        assert box.runs() == BEFORE
        at(found, changing(None))
        assert box.runs() == box.startup == AFTER
        assert at(found, lambda it: it.compare(WANTED)) == ""
        assert at(found, lambda it: it.pending()) is None


def test_a_timed_commit_waits_and_is_confirmed(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        token = at(found, changing(60))
        assert at(found, lambda it: it.pending()) == token
        assert (box.runs(), box.startup) == (AFTER, BEFORE)
        assert kind(found, lambda it: it.load(WANTED, "more")) == "locked"
        at(found, lambda it: it.confirm(token))
        assert at(found, lambda it: it.pending()) is None
    assert box.startup == AFTER


def test_a_commit_that_nobody_confirms_reverts_by_itself(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        token = at(found, changing(1))
        deadline = time.monotonic() + SECONDS
        while at(found, lambda it: it.pending()) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert box.runs() == BEFORE == box.startup
        assert kind(found, lambda it: it.confirm(token)) == "gone"
        assert kind(found, lambda it: it.revert(token)) == "gone"


@pytest.mark.parametrize("ends", ["confirm", "revert"])
def test_another_process_ends_what_a_dead_one_left(box: Switch, site: Path, ends: str) -> None:
    token = at(fleet(site, "srlinux"), changing(60))  # which is never closed
    with fleet(site, "srlinux") as found:
        assert at(found, lambda it: it.pending()) == token
        at(found, lambda it: it.confirm(token) if ends == "confirm" else it.revert(token))
    assert box.runs() == (AFTER if ends == "confirm" else BEFORE)
    assert box.timer is None


def test_closing_leaves_a_commit_waiting_and_forgets_what_was_loaded(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        at(found, lambda it: it.load(WANTED, MESSAGE))
    assert box.runs() == BEFORE
    with fleet(site, "srlinux") as found:
        at(found, changing(60))
    assert box.timer is not None


def test_what_waits_of_somebody_else_is_left_alone(box: Switch, site: Path) -> None:
    box.commit(box.runs(), 600, "another")
    with fleet(site, "srlinux") as found:
        assert at(found, lambda it: it.pending()) == ""
        assert kind(found, lambda it: it.load(WANTED, MESSAGE)) == "locked"
        assert kind(found, lambda it: it.confirm("fabricgen-0")) == "gone"
        assert kind(found, lambda it: it.revert("fabricgen-0")) == "gone"
    assert box.timer is not None


def test_parts_are_merged_into_what_runs(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        assert "mtu 1500" in at(found, lambda it: it.compare(PART))
        at(found, committing(PART, MESSAGE, None))
    assert box.runs()["srl_nokia-interfaces:interface"][0]["mtu"] == 1500


def test_what_is_refused_changes_nothing_and_tells_no_secret(box: Switch, site: Path) -> None:
    wrong = Candidate(WHOLE.replace("srl_nokia-interfaces:interface", f"other:{HASH}"), {}, hidden=(HASH,))
    with fleet(site, "srlinux") as found:
        assert kind(found, lambda it: it.compare(wrong)) == "refused"
        assert kind(found, lambda it: it.load(wrong, MESSAGE)) == "refused"
        assert kind(found, lambda it: it.commit(60)) == "lost"
    assert box.runs() == BEFORE


def test_a_disk_that_fills_before_the_confirmation_is_told(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        token = at(found, changing(60))
        box.full = True
        assert kind(found, lambda it: it.confirm(token)) == "unsaved"
    assert (box.runs(), box.startup) == (AFTER, BEFORE)


def test_a_connection_lost_while_committing_leaves_the_commit_to_be_found(box: Switch, site: Path) -> None:
    box.hangs_up = "confirm-timeout"
    with fleet(site, "srlinux") as found:
        assert kind(found, changing(60)) == "lost"
        token = at(found, lambda it: it.pending())
        assert token
        at(found, lambda it: it.confirm(token))
    assert box.runs() == AFTER


def test_what_runs_is_told_without_secrets_and_a_snapshot_can_be_loaded_again(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        text = at(found, lambda it: it.running())
        assert not any(secret in text for secret in (HASH, KEY))
        before = at(found, lambda it: it.snapshot())
        assert HASH in before.text
        at(found, changing(None))
        at(found, committing(before, "back", None))
    assert box.runs() == {key: value for key, value in BEFORE.items() if key != "_annotate"}


def test_counters_and_paths_are_answered(box: Switch, site: Path) -> None:
    reads = (
        ReadCommand("facts", "/system/name/host-name", JSON),
        ReadCommand("running", "running /", TEXT),
        ReadCommand("x", "/x", JSON),
    )
    with fleet(site, "srlinux") as found:
        assert at(found, lambda it: it.counters()) == {"ethernet-1/1": Octets(48049, 50229)}
        outputs = at(found, lambda it: it.ask(reads))
        assert outputs["/system/name/host-name"].value == "leaf"
        assert "to spine" in str(outputs["running /"].value)
        assert not any(secret in str(outputs) for secret in (HASH, KEY))
        assert outputs["/x"].value is None
        assert "unknown element" in outputs["/x"].error
        assert kind(found, lambda it: it.files(["/etc/hosts"])) == "unable"


def test_a_commit_that_is_not_known_again_is_told_and_left_to_its_timer(
    box: Switch, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A switch that keeps no checkpoint tells nobody whose commit waits."""
    with fleet(site, "srlinux") as found:
        monkeypatch.setattr(package.SRLinuxDriver, "pending_checkpoint", lambda _: "" if box.timer else None)
        assert kind(found, changing(60)) == "unable"
    assert box.timer is not None


def test_a_timer_of_more_than_a_day_is_none(box: Switch, site: Path) -> None:
    with fleet(site, "srlinux") as found:
        assert kind(found, changing(86_401)) == "unable"
    assert box.runs() == BEFORE


@pytest.mark.parametrize(
    ("own", "login", "wanted"), [(True, LOGIN, ""), (True, "push:other", "login"), (False, LOGIN, "host-key")]
)
def test_over_tls(tmp_path: Path, own: bool, login: str, wanted: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    trusted = authority(folder / "authority.pem")
    made = certificate(tmp_path / "switch.pem", trusted if own else authority(tmp_path / "other.pem"))
    with switch(BEFORE, tls=made, login=login) as box:
        box.shown = shown
        listed = inventory(folder, {"leaf": box.port}, "srlinux", ca_file="authority.pem")
        with fleet(listed, "srlinux") as found:
            if not wanted:
                assert at(found, lambda it: it.pending()) is None
                return
            error = refused(found, lambda it: it.running())
        assert (error.kind, CANARY in error.reason, box.asked) == (wanted, False, [])
