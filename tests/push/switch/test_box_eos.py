"""A push and NAPALM's own `eos` driver, unmodified, against a double of EOS's configuration sessions."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.reader import JSON, TEXT, ReadCommand
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, Octets
from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import NEW, OLD, Session, Switch, Timer
from tests.doubles.eos_tree import copied, grown
from tests.eos.fleet import samples, text_of
from tests.push.boxed import LOGIN, at, committing, fleet, inventory, refused
from tests.some import some

SECONDS = 20
HASH = "$6$c4n4ry$0a1b2c3d4e5f"
BEFORE = f"""
username admin privilege 15 role network-admin secret sha512 {HASH}
hostname leaf
!
interface Ethernet1
   description to spine
   mtu 9214
   no switchport
!
interface Loopback0
   description without counters
!
router bgp 65001
   router-id 10.0.0.1
"""
AFTER = BEFORE.replace("to spine", "to the spine").replace("   mtu 9214\n", "")
MESSAGE = "run 7f3a leaf change"


@pytest.fixture(params=[OLD, NEW])
def box(request: pytest.FixtureRequest) -> Iterator[Switch]:
    """A switch of a release before the commit timer's form changed, and of one after."""
    with switch(BEFORE, login=LOGIN, release=request.param) as found:
        yield found


@pytest.fixture
def site(box: Switch, tmp_path: Path) -> Path:
    """An inventory with that switch."""
    return inventory(tmp_path / "site", {"leaf": box.port}, "eos", transport="http")


def kind(fleet: NapalmFleet, act: Callable[[SwitchConnection], object]) -> str:
    """Kind of what the switch failed at. It tells no secret of the configuration."""
    found = refused(fleet, act)
    assert HASH not in found.reason
    return found.kind


def staged(box: SwitchConnection) -> str:
    """Load what is to come."""
    return box.load(Candidate(AFTER, {}), MESSAGE)


def changing(seconds: int | None) -> Callable[[SwitchConnection], str]:
    """Commit what is to come; the token."""
    return committing(Candidate(AFTER, {}), MESSAGE, seconds)


def is_(box: Switch, text: str) -> bool:
    """Whether it runs this."""
    with box.lock:
        box.tick()
        return box.running == grown(text)


def test_a_configuration_is_replaced_and_saved(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        difference = at(eos, lambda it: it.compare(Candidate(AFTER, {})))
        assert [line for line in difference.splitlines() if line[0] in "+-"] == [
            "-   description to spine", "-   mtu 9214", "+   description to the spine",
        ]  # fmt: skip
        assert is_(box, BEFORE)
        assert box.sessions == {}
        at(eos, changing(None))
        assert is_(box, AFTER)
        assert box.startup == grown(AFTER)
        assert at(eos, lambda it: it.compare(Candidate(AFTER, {}))) == ""
        assert at(eos, lambda it: it.pending()) is None


def test_a_timed_commit_waits_and_is_confirmed(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        token = at(eos, changing(60))
        assert at(eos, lambda it: it.pending()) == token
        assert is_(box, AFTER)
        assert box.startup == grown(BEFORE)
        at(eos, lambda it: it.confirm(token))
        assert at(eos, lambda it: it.pending()) is None
        assert box.startup == grown(AFTER)
    assert is_(box, AFTER)
    assert box.timer is None


def test_a_commit_that_nobody_confirms_reverts_by_itself(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        token = at(eos, changing(1))
        deadline = time.monotonic() + SECONDS
        while at(eos, lambda it: it.pending()) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert is_(box, BEFORE)
        assert kind(eos, lambda it: it.confirm(token)) == "gone"
        assert kind(eos, lambda it: it.revert(token)) == "gone"
    assert box.startup == grown(BEFORE)


def test_a_commit_is_reverted_at_once_to_what_ran_and_not_to_what_was_saved(box: Switch, site: Path) -> None:
    box.startup = grown(BEFORE.replace("leaf", "saved-before"))
    with fleet(site, "eos") as eos:
        token = at(eos, changing(60))
        at(eos, lambda it: it.revert(token))
        assert at(eos, lambda it: it.pending()) is None
    assert is_(box, BEFORE)
    assert box.startup == grown(BEFORE.replace("leaf", "saved-before"))
    assert not [command for command in box.asked if command.startswith("configure replace")]


@pytest.mark.parametrize("ends", ["confirm", "revert"])
def test_another_process_ends_what_a_dead_one_left(box: Switch, site: Path, ends: str) -> None:
    token = at(fleet(site, "eos"), changing(60))  # which is never closed
    with fleet(site, "eos") as eos:
        assert at(eos, lambda it: it.pending()) == token
        at(eos, lambda it: it.confirm(token) if ends == "confirm" else it.revert(token))
    assert is_(box, AFTER if ends == "confirm" else BEFORE)
    assert box.timer is None


def test_closing_leaves_a_commit_waiting_and_no_session_open(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        at(eos, changing(60))
    assert box.timer is not None
    assert is_(box, AFTER)
    assert not [name for name, row in box.sessions.items() if row.state == "pending"]
    with fleet(site, "eos") as eos:
        found = refused(eos, staged)
        assert (found.kind, box.timer.name in found.reason) == ("locked", True)
    assert box.timer is not None


def test_closing_forgets_what_was_only_loaded(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        at(eos, staged)
        assert len(box.sessions) == 1
    assert box.sessions == {}
    assert is_(box, BEFORE)


def test_what_waits_of_somebody_else_is_named_and_left_alone(box: Switch, site: Path) -> None:
    box.sessions["ours-not"] = Session(copied(box.running), box.done if box.release == NEW else "pendingCommitTimer")
    box.timer = Timer("ours-not", grown(BEFORE), time.monotonic() + 600)
    with fleet(site, "eos") as eos:
        assert at(eos, lambda it: it.pending()) == "ours-not"
        assert kind(eos, staged) == "locked"
        assert "ours-not" in refused(eos, lambda it: it.confirm("fabricgen-0")).reason
        assert kind(eos, lambda it: it.revert("fabricgen-0")) == "gone"
    assert box.timer is not None


def test_an_open_session_of_somebody_else_locks_and_is_named(tmp_path: Path) -> None:
    with switch(BEFORE) as box:
        box.sessions["of-somebody"] = Session(copied(box.running))
        with fleet(inventory(tmp_path, {"leaf": box.port}, "eos", transport="http"), "eos") as eos:
            found = refused(eos, staged)
            assert found.kind == "locked"
            assert "of-somebody" in found.reason
        assert list(box.sessions) == ["of-somebody"]


def test_a_session_that_a_dead_process_left_open_is_its_successors(box: Switch, site: Path) -> None:
    dead = fleet(site, "eos")
    assert at(dead, staged) in box.sessions
    with fleet(site, "eos") as eos:
        merged = Candidate("interface Ethernet1\nshutdown\n", {}, merge=True)
        at(eos, committing(merged, MESSAGE, None))
    assert is_(box, BEFORE.replace("   no switchport\n", "   no switchport\n   shutdown\n"))


def test_lines_are_merged_into_what_runs(box: Switch, site: Path) -> None:
    lines = Candidate("router bgp 65001\nmaximum-paths 4 ecmp 4\n", {}, merge=True)
    with fleet(site, "eos") as eos:
        assert "+   maximum-paths 4 ecmp 4" in at(eos, lambda it: it.compare(lines))
        at(eos, committing(lines, MESSAGE, None))
    assert is_(box, f"{BEFORE}   maximum-paths 4 ecmp 4\n")


def test_an_invalid_line_is_refused_and_nothing_changes(box: Switch, site: Path) -> None:
    wrong = Candidate(AFTER.replace("   no switchport", "   frobnicate"), {})
    with fleet(site, "eos") as eos:
        for act in (lambda it: it.compare(wrong), lambda it: it.load(wrong, MESSAGE)):
            found = refused(eos, act)
            assert found.kind == "refused"
            assert "frobnicate" in found.reason
    assert is_(box, BEFORE)
    assert box.sessions == {}


def test_a_refused_line_does_not_tell_its_secret(box: Switch, site: Path) -> None:
    wrong = Candidate(f"username admin privilege 99 role network-admin secret sha512 {HASH}\n", {})
    with fleet(site, "eos") as eos:
        assert kind(eos, lambda it: it.load(wrong, MESSAGE)) == "refused"


def test_a_full_flash_is_told_and_nothing_changes(box: Switch, site: Path) -> None:
    box.full = True
    with fleet(site, "eos") as eos:
        for seconds in (60, None):
            assert kind(eos, changing(seconds)) == "unsaved"
            assert box.sessions == {}
    assert is_(box, BEFORE)
    assert box.timer is None


def test_a_flash_that_fills_before_the_confirmation_is_told(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        token = at(eos, changing(60))
        box.full = True
        assert kind(eos, lambda it: it.confirm(token)) == "unsaved"
    assert is_(box, AFTER)
    assert box.startup == grown(BEFORE)


def test_a_connection_lost_while_committing_leaves_the_commit_to_be_found(box: Switch, site: Path) -> None:
    box.hangs_up = "commit timer"
    with fleet(site, "eos") as eos:
        assert kind(eos, changing(60)) == "lost"
        token = at(eos, lambda it: it.pending())
        assert token is not None
        at(eos, lambda it: it.confirm(token))
    assert is_(box, AFTER)


def test_what_a_connection_lost_while_loading_left_is_swept(box: Switch, site: Path) -> None:
    box.hangs_up = "router bgp"
    with fleet(site, "eos") as eos:
        assert kind(eos, staged) == "lost"
        assert len(box.sessions) == 1
        assert kind(eos, lambda it: it.commit(60)) == "lost"
        assert box.sessions == {}
    assert is_(box, BEFORE)


def test_what_runs_is_told_without_secrets_and_remarks(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        text = at(eos, lambda it: it.running())
        assert HASH not in text
        assert "!" not in text
        assert "   description to spine\n" in text
        assert HASH in at(eos, lambda it: it.snapshot()).text
        difference = at(eos, lambda it: it.compare(Candidate(AFTER.replace(HASH, f"{HASH}f"), {})))
        assert HASH not in difference
        assert "username admin" in difference


def test_a_snapshot_can_be_loaded_again(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        before = at(eos, lambda it: it.snapshot())
        at(eos, changing(None))
        at(eos, committing(before, "back", None))
    assert is_(box, BEFORE)


def test_counters_and_commands_are_answered(box: Switch, site: Path) -> None:
    box.octets = 1234
    reads = (
        ReadCommand("bgp", "show version", JSON),
        ReadCommand("running", "show running-config", TEXT),
        ReadCommand("x", "show x", TEXT),
    )
    with fleet(site, "eos") as eos:
        assert at(eos, lambda it: it.counters()) == {"Ethernet1": Octets(1234, 2468)}
        outputs = at(eos, lambda it: it.ask(reads))
        assert isinstance(outputs["show version"].value, dict)
        assert HASH not in str(outputs["show running-config"].value)
        assert outputs["show x"].value is None
        assert outputs["show x"].error != ""
        assert kind(eos, lambda it: it.files(["/etc/hosts"])) == "unable"
        assert kind(eos, lambda it: it.compare(Candidate(AFTER, {"/etc/hosts": ""}))) == "unable"


def test_a_timer_of_a_day_is_no_timer(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as eos:
        assert kind(eos, changing(86_400)) == "unable"
    assert is_(box, BEFORE)
    assert box.sessions == {}


def test_over_tls_with_a_wrong_password(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    made = certificate(tmp_path / "switch.pem", authority(folder / "authority.pem"))
    with switch(BEFORE, login="push:another", tls=made) as box:
        with fleet(inventory(folder, {"leaf": box.port}, "eos", ca_file="authority.pem"), "eos") as eos:
            assert kind(eos, lambda it: it.running()) == "login"
        assert box.asked == []


def test_over_tls_with_the_certificate_of_somebody_else(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    authority(folder / "authority.pem")
    made = certificate(tmp_path / "switch.pem", authority(tmp_path / "other.pem"))
    with switch(BEFORE, login=LOGIN, tls=made) as box:
        with fleet(inventory(folder, {"leaf": box.port}, "eos", ca_file="authority.pem"), "eos") as eos:
            assert kind(eos, lambda it: it.running()) == "host-key"
        assert box.asked == []


def test_over_tls_as_it_should_be(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    made = certificate(tmp_path / "switch.pem", authority(folder / "authority.pem"))
    with switch(BEFORE, login=LOGIN, tls=made) as box:
        with fleet(inventory(folder, {"leaf": box.port}, "eos", ca_file="authority.pem"), "eos") as eos:
            token = at(eos, changing(60))
            at(eos, lambda it: it.confirm(token))
        assert is_(box, AFTER)


@pytest.mark.parametrize("name", some(sorted(samples()), of=4))
def test_what_is_rendered_can_be_replaced_with_and_then_nothing_differs(name: str, site: Path, box: Switch) -> None:
    rendered = Candidate(text_of(name), {})
    with fleet(site, "eos") as eos:
        assert at(eos, lambda it: it.compare(rendered)) != ""
        at(eos, committing(rendered, MESSAGE, None))
        assert at(eos, lambda it: it.compare(rendered)) == ""
    assert is_(box, text_of(name))
