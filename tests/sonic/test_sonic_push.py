"""A push and `napalm_sonic` over SSH, on doubles of switches: Box by Box, and who is not let in."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import paramiko
import pytest

from fabricgen.platforms.base.live.reader import JSON, ReadCommand
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS, COMMIT_PROFILES
from fabricgen.platforms.sonic.live.asked import RUNNING
from fabricgen.platforms.sonic.live.commit_profile import SONIC
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, Octets
from tests.doubles.sonic_box import APPENDED, box
from tests.doubles.sonic_ssh import Server, sshd
from tests.push.boxed import LOGIN, at, committing, fleet, inventory, refused
from tests.sonic.test_sonic_driver import FRR, FRR_CONF, NAMES, OURS, ROW, RUNS, SECRET, becomes, changed

MESSAGE = "run 7f3a leaf change"
FILES = {FRR_CONF: FRR}
BEFORE, AFTER = Candidate(json.dumps(OURS), FILES), Candidate(changed(), FILES)


@pytest.fixture
def leaf(tmp_path: Path) -> Iterator[Server]:
    """A switch behind SSH."""
    logging.getLogger("paramiko").setLevel(logging.CRITICAL)
    with sshd(box(tmp_path / "leaf", RUNS, FRR + APPENDED), LOGIN) as found:
        yield found


@pytest.fixture
def site(leaf: Server, tmp_path: Path) -> Path:
    """An inventory with that switch."""
    known = leaf.known(tmp_path / "known")
    return inventory(
        tmp_path / "site", {"leaf": leaf.port}, "sonic", known_hosts=known, root=leaf.box.root, commit_seconds=20
    )


def opened(site: Path) -> NapalmFleet:
    """A fleet of it."""
    return fleet(site, "sonic")


def test_it_is_known_and_marked_as_unproven() -> None:
    assert COMMIT_PROFILES["sonic"] is SONIC
    assert "sonic" in COMMIT_OPERATIONS
    assert SONIC.proven == ""
    assert (SONIC.timed, SONIC.replaces, SONIC.carries_message) == (True, True, True)


def test_a_timed_commit_is_known_by_its_message_and_confirmed_by_another_process(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        assert at(sonic, lambda it: it.compare(BEFORE)) == ""
        assert "mtu: 9100" in at(sonic, lambda it: it.compare(AFTER))
        assert at(sonic, lambda it: it.files([FRR_CONF])) == FILES
        running = at(sonic, lambda it: it.running())
        assert (SECRET in running, FRR_CONF in running, APPENDED in running) == (False, True, False)
        assert at(sonic, lambda it: it.pending()) is None
        token = at(sonic, committing(AFTER, f"{MESSAGE}\n", 60))
    with opened(site) as sonic:
        assert (token, at(sonic, lambda it: it.pending())) == (f"{MESSAGE} ", f"{MESSAGE} ")
        assert refused(sonic, lambda it: it.load(BEFORE, "another")).kind == "locked"
        assert refused(sonic, lambda it: it.confirm("another")).kind == "gone"
        assert leaf.box.startup == RUNS
        at(sonic, lambda it: it.confirm(token))
        assert at(sonic, lambda it: it.pending()) is None
        assert refused(sonic, lambda it: it.confirm(token)).kind == "gone"
        assert refused(sonic, lambda it: it.revert(token)).kind == "gone"
    assert leaf.box.startup == leaf.box.running
    assert leaf.box.running["PORT"]["Ethernet0"]["mtu"] == "9100"


def test_a_commit_that_nobody_confirms_reverts_by_itself(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        at(sonic, committing(AFTER, MESSAGE, 1))
        becomes(None, lambda: at(sonic, lambda it: it.pending()))
        assert leaf.box.running == RUNS


def test_a_commit_is_ended_and_what_ran_can_be_gone_back_to(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        before = at(sonic, lambda it: it.snapshot())
        token = at(sonic, committing(AFTER, MESSAGE, 60))
        at(sonic, lambda it: it.revert(token))
        assert leaf.box.running == RUNS
        at(sonic, committing(AFTER, MESSAGE, None))
        at(sonic, committing(before, MESSAGE, None))
        assert leaf.box.running == leaf.box.startup == RUNS
        assert leaf.box.frr_conf == FRR + APPENDED


def test_what_the_switch_refuses(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        assert refused(sonic, lambda it: it.load(Candidate("{", {}), MESSAGE)).kind == "refused"
        (leaf.box.root / "says").write_text(SECRET)
        error = refused(sonic, committing(Candidate(changed("REFUSED"), FILES), MESSAGE, 60))
        assert (error.kind, SECRET in error.reason) == ("refused", False)
        leaf.box.mark("full")
        assert refused(sonic, committing(AFTER, MESSAGE, None)).kind == "unsaved"
    assert leaf.box.running == leaf.box.startup == RUNS


def test_somebody_elses_commit_waits(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        at(sonic, lambda it: it.load(AFTER, MESSAGE))
        (leaf.box.root / "run/napalm-sonic/commit").mkdir(parents=True)
        assert refused(sonic, lambda it: it.commit(60)).kind == "locked"
    assert leaf.box.running == RUNS


def test_a_connection_that_is_lost_leaves_the_commit_to_its_timer(leaf: Server, site: Path) -> None:
    with opened(site) as sonic:
        at(sonic, committing(AFTER, MESSAGE, 1))
        leaf.hang_up()
        assert refused(sonic, lambda it: it.pending()).kind in ("lost", "unreachable")
        becomes(RUNS, lambda: leaf.box.running)
        becomes(False, lambda: leaf.box.waits)
        leaf.cut.clear()
        assert at(sonic, lambda it: it.pending()) is None


def test_a_host_key_that_is_not_known_is_refused(leaf: Server, tmp_path: Path) -> None:
    (tmp_path / "none").touch()
    for known in (leaf.known(tmp_path / "wrong", paramiko.ECDSAKey.generate()), tmp_path / "none"):
        folder = inventory(tmp_path / f"{known.name}-site", {"leaf": leaf.port}, "sonic", known_hosts=known)
        with opened(folder) as sonic:
            assert refused(sonic, lambda it: it.pending()).kind == "host-key"
    assert leaf.box.asked == []


def test_a_login_that_is_refused(leaf: Server, site: Path) -> None:
    leaf.login = "push:another"
    with opened(site) as sonic:
        assert refused(sonic, lambda it: it.pending()).kind == "login"
    assert leaf.box.asked == []


def test_what_is_asked_over_the_same_connection(leaf: Server, site: Path) -> None:
    leaf.box.answer(RUNNING, json.dumps(RUNS))
    leaf.box.answer("sonic-db-dump -n COUNTERS_DB -y -k COUNTERS_PORT_NAME_MAP", json.dumps(NAMES))
    rows = {"COUNTERS:oid:0x1000000000012": {"type": "hash", "value": ROW}}
    leaf.box.answer("sonic-db-dump -n COUNTERS_DB -y -k COUNTERS:oid:0x1????????????", json.dumps(rows))
    with opened(site) as sonic:
        found = at(
            sonic,
            lambda it: it.ask([ReadCommand("running", RUNNING, JSON), ReadCommand("bfd", "vtysh -c 'show x'", JSON)]),
        )
        assert SECRET not in str(found[RUNNING].value)
        assert found["vtysh -c 'show x'"].value is None
        assert at(sonic, lambda it: it.counters()) == {"Ethernet0": Octets(800, 1000)}
