"""What goes wrong around a commit: clients that die, two at once, files half written, dead daemons, hostile words."""

import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    LockError,
    NapalmException,
)

from napalm_frr import FRRDriver, lifecycle
from napalm_frr.device_side import SCRIPT
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.clients import Client, killed

PREFIX = "10.88.0.0/24"
NEW = f"network {PREFIX}"


@pytest.fixture
def box() -> Iterator[Loaded]:
    """A switch alone, that may be broken."""
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    with frr.load(fabric.text("leaf1")) as found:
        yield found


@pytest.mark.parametrize(("step", "seconds"), [("_apply", 1), ("remainder", 60), ("_check_confirmed", 60)])
def test_a_client_killed_in_the_middle_leaves_all_or_nothing(
    wired: Mapping[str, Loaded], tmp_path: Path, step: str, seconds: int
) -> None:
    """Killed before the change, after it, and after the decision: the switch reverts the first two by itself.

    The second has time for its change, and the rest of that time is not waited for.
    """
    switch = wired["leaf1"]
    arguments = switches.arguments(switch, tmp_path, commit_seconds=seconds)
    (tmp_path / "candidate.0123456789abcdef").touch()
    killed(Client(arguments, step, fabric.text("leaf1", (NEW,))))
    if step == "remainder":
        assert NEW in switch.show("show running-config")
        (tmp_path / "over").write_text("0\n")
        (tmp_path / "over").replace(tmp_path / "deadline")
    outcome = tmp_path / "outcome"
    becomes(True, outcome.exists)
    kept = step == "_check_confirmed"
    assert outcome.read_text() == ("kept\n" if kept else "reverted\n")
    startup = Path(f"/etc/frr/{switch.namespace}/frr.conf")
    assert list(tmp_path.glob("candidate.*")) == []
    assert (NEW in switch.show("show running-config")) == (NEW in startup.read_text()) == kept
    with switches.opened(switch, tmp_path) as driver:
        assert not driver.has_pending_commit()
        driver.load_replace_candidate(config=fabric.text("leaf1"))
        driver.commit_config()


def test_of_two_clients_at_once_one_commits(leaf: FRRDriver, wired: Mapping[str, Loaded], tmp_path: Path) -> None:
    outcomes = []

    def commit(number: int) -> None:
        with switches.opened(wired["leaf1"], tmp_path / "state") as driver:
            driver.load_replace_candidate(config=fabric.text("leaf1", (f"network 10.{number}.0.0/24",)))
            try:
                driver.commit_config(revert_in=60)
                outcomes.append(number)
            except LockError:
                outcomes.append(0)

    threads = [threading.Thread(target=commit, args=(number,)) for number in (81, 82, 83)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(outcomes)[:2] == [0, 0]
    running = leaf.get_config("running")["running"]
    assert [number for number in (81, 82, 83) if f"network 10.{number}.0.0/24" in running] == [max(outcomes)]


def _verb(folder: Path, *words: str, given: str = "") -> int:
    (folder / "guard.sh").write_text(SCRIPT)
    command = ["sh", str(folder / "guard.sh"), str(folder), "", "5", *words]
    return subprocess.run(command, input=given, text=True, timeout=120, check=False).returncode


def test_a_file_that_came_half_is_not_taken(tmp_path: Path) -> None:
    whole = "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730"  # sha256sum of "bar\n"
    assert _verb(tmp_path, "put", "candidate.1", whole, given="ba") != 0
    assert not (tmp_path / "candidate.1").exists()
    assert _verb(tmp_path, "put", "candidate.1", whole, given="bar\n") == 0
    assert (tmp_path / "candidate.1").read_text() == "bar\n"


def test_nothing_is_applied_without_a_guard(tmp_path: Path) -> None:
    (tmp_path / "owner").write_text("me\n")
    (tmp_path / "pending").touch()
    (tmp_path / "candidate.me").write_text("hostname x\n")
    assert _verb(tmp_path, "apply", "me", "replace") == 79
    assert _verb(tmp_path, "settle", "me", "keep") == 79
    assert _verb(tmp_path, "settle", "", "keep") == 79
    assert _verb(tmp_path, "hold", "me", "5") == 79
    assert _verb(tmp_path, "pending") != 0


def _kill_guard(state: Path) -> None:
    """Kill it, and wait until what it had started is gone too."""

    def try_lock() -> int:
        return subprocess.run(["flock", "-n", str(state / "lock"), "true"], check=False, timeout=120).returncode

    os.kill(int((state / "guard.pid").read_text()), signal.SIGKILL)
    becomes(0, try_lock)


def test_a_client_reverts_itself_when_its_guard_was_killed(
    leaf: FRRDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead: list[bool] = []

    def kill(*_: object) -> str:
        """It is asked twice, and the number of what was killed may be another's by then."""
        if not dead:
            dead.append(True)
            _kill_guard(tmp_path / "state")
        return "interface swp1\n+ description x"

    before = leaf.get_config("running")["running"]
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    with monkeypatch.context() as patched:
        patched.setattr(lifecycle, "remainder", kill)
        with pytest.raises(CommitError, match=r"what ran before was put back$"):
            leaf.commit_config()
    assert leaf.get_config("running")["running"] == before
    assert not leaf.has_pending_commit()
    leaf.commit_config()
    assert NEW in leaf.get_config("startup")["startup"]


@pytest.mark.long
def test_rollback_ends_a_timed_commit_whose_guard_was_killed(leaf: FRRDriver, tmp_path: Path) -> None:
    """Nobody reverts it in time, so no other commit begins over what ran before it, until that is put back."""
    before = leaf.get_config("running")["running"]
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(message="without a way back", revert_in=600)
    _kill_guard(tmp_path / "state")
    assert leaf.has_pending_commit()
    with pytest.raises(CommitConfirmException, match=r"guard of the commit is gone.*rollback\(\)"):
        leaf.confirm_commit()
    leaf.load_replace_candidate(config=fabric.text("leaf1"))
    with pytest.raises(CommitError, match=r"nobody ended.*rollback\(\).*begins: without a way back$"):
        leaf.commit_config()
    assert NEW in leaf.get_config("running")["running"]
    leaf.rollback()
    assert leaf.get_config("running")["running"] == before
    assert not leaf.has_pending_commit()
    with pytest.raises(CommitError, match="no commit to roll back"):
        leaf.rollback()
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config()
    assert NEW in leaf.get_config("startup")["startup"]


def test_rollback_ends_a_commit_whose_client_and_guard_were_killed(
    leaf: FRRDriver, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    """And no more: the commit before it, which was kept, stays."""
    leaf.load_replace_candidate(config=fabric.text("leaf1").replace("description first port", "description port"))
    leaf.commit_config()
    before = leaf.get_config("running")["running"]
    arguments = switches.arguments(wired["leaf1"], tmp_path / "state", commit_seconds=600)
    killed(Client(arguments, "remainder", fabric.text("leaf1", (NEW,))))
    assert not leaf.has_pending_commit(), "its guard will revert it"
    _kill_guard(tmp_path / "state")
    assert leaf.has_pending_commit()
    leaf.rollback()
    assert leaf.get_config("running")["running"] == before
    with pytest.raises(CommitError, match="no commit to roll back"):
        leaf.rollback()


def test_a_guard_killed_after_it_had_saved_leaves_no_startup_file_behind(
    leaf: FRRDriver, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    """Its last steps are done by hand here: the decision, and the startup file."""
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(revert_in=600)
    _kill_guard(tmp_path / "state")
    (tmp_path / "state" / "decision").write_text("keep\n")
    subprocess.run(["vtysh", "-N", wired["leaf1"].namespace, "-c", "write memory"], check=True, timeout=120)
    assert NEW in leaf.get_config("startup")["startup"]
    leaf.rollback()
    assert NEW not in leaf.get_config("running")["running"]
    assert NEW not in leaf.get_config("startup")["startup"]


def test_nothing_is_put_back_without_a_daemon(box: Loaded, tmp_path: Path) -> None:
    with switches.opened(box, tmp_path) as driver:
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        driver.commit_config(revert_in=600)
        _kill_guard(tmp_path)
        os.kill(int(Path(f"/var/run/frr/{box.namespace}/bgpd.pid").read_text()), signal.SIGKILL)
        becomes(False, lambda: "bgpd" in box.show("show daemons"))
        with pytest.raises(CommitError, match=r"configuration of bgpd is not known"):
            driver.rollback()
        assert driver.has_pending_commit()
        assert (tmp_path / "before").exists()


def test_a_lost_guard_that_left_nothing_changed_is_in_nobodys_way(
    leaf: FRRDriver, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    """As after a restart of the switch, which begins with what was saved."""
    leaf.load_merge_candidate(config=f"router bgp {fabric.ASN['leaf1']}\n address-family ipv4 unicast\n  {NEW}\n")
    leaf.commit_config(revert_in=600)
    _kill_guard(tmp_path / "state")
    lines = ("configure", f"router bgp {fabric.ASN['leaf1']}", "address-family ipv4 unicast", f"no {NEW}")
    words = [word for line in lines for word in ("-c", line)]
    subprocess.run(["vtysh", "-N", wired["leaf1"].namespace, *words], check=True, timeout=120)
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config()
    assert NEW in leaf.get_config("startup")["startup"]


def test_a_guard_ends_when_its_folder_is_gone(leaf: FRRDriver, tmp_path: Path) -> None:
    state = tmp_path / "state"
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(revert_in=600)
    guard = Path("/proc") / (state / "guard.pid").read_text().strip()
    assert guard.exists()
    shutil.rmtree(state)
    becomes(False, guard.exists)
    assert not leaf.has_pending_commit()


def test_a_dead_daemon_stops_a_commit_before_it_begins(box: Loaded, tmp_path: Path) -> None:
    """Without bgpd the running configuration has no BGP, and a rollback file made of it would delete it all."""
    pid = int(Path(f"/var/run/frr/{box.namespace}/bgpd.pid").read_text())
    os.kill(pid, signal.SIGKILL)
    becomes(False, lambda: "bgpd" in box.show("show daemons"))
    with switches.opened(box, tmp_path) as driver:
        with pytest.raises(CommandErrorException, match=r"show bgp summary json.*bgpd"):
            driver.cli(["show bgp summary json"], "json")
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        with pytest.raises(CommitError, match="bgpd"):
            driver.commit_config()
        assert not driver.has_pending_commit()


def test_a_startup_file_that_can_not_be_written_undoes_the_commit(box: Loaded, tmp_path: Path) -> None:
    for name in ("frr.conf", "frr.conf.sav"):
        path = Path(f"/etc/frr/{box.namespace}/{name}")
        path.unlink(missing_ok=True)
        (path / "full").mkdir(parents=True)
    with switches.opened(box, tmp_path) as driver:
        before = driver.get_config("running")["running"]
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        with pytest.raises(CommitError, match="startup file"):
            driver.commit_config()
        assert driver.get_config("running")["running"] == before


def test_a_daemon_that_hangs_at_the_confirmation_does_not_hold_the_guard_for_ever(box: Loaded, tmp_path: Path) -> None:
    """It would keep the change, unsaved, past every deadline: nothing else ends it."""
    pid = int(Path(f"/run/frr/{box.namespace}/bgpd.pid").read_text())
    arguments = switches.arguments(box, tmp_path)
    driver = get_network_driver("frr")(box.hostname, "", "", timeout=3, optional_args=arguments)
    with driver:
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        driver.commit_config(revert_in=120)
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(NapalmException):
                driver.confirm_commit()
            becomes(True, (tmp_path / "outcome").exists)
        finally:
            os.kill(pid, signal.SIGCONT)
    assert (tmp_path / "outcome").read_text() in ("damaged\n", "unsaved\n")
    assert NEW not in Path(f"/etc/frr/{box.namespace}/frr.conf").read_text()


def test_words_of_a_user_are_no_commands(leaf: FRRDriver, tmp_path: Path) -> None:
    touch = f"touch {tmp_path}/made"
    message = f"it's $({touch}); `{touch}` && {touch}\nline two\r\x1b[0m | {touch}"
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(message=message)
    log = (tmp_path / "state" / "commit.log").read_text()
    assert f"begins: it's $({touch}); `{touch}` && {touch} line two" in log
    assert len(log.splitlines()) == 2
    assert touch not in leaf.get_config("running")["running"]
    for word in (f"$({touch})", f"; {touch}", f"`{touch}`", "-f", "", f"10.0.0.1\n{touch}"):
        assert "error" in leaf.ping(word)
        assert "error" in leaf.ping("127.0.0.1", source=word or ";")
        for command in (f"ip link show {word}", f"show interface {word}", f"ping -c 1 {shlex.quote(word)}"):
            try:
                leaf.cli([command])
            except CommandErrorException:
                continue
        with pytest.raises(CommandErrorException):
            leaf.get_route_to(word or "x")
    assert not (tmp_path / "made").exists()
