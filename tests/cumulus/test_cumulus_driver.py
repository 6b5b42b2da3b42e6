"""The NAPALM-shaped driver over a real SSH connection to a double of NVUE (tests/doubles/cumulus_nvue.py)."""

import time
from collections.abc import Iterator
from pathlib import Path

import paramiko
import pytest
from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectAuthError,
    ConnectionException,
    LockError,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.cumulus import napalm_driver as napalm_cumulus
from fabricgen.platforms.cumulus.napalm_driver import CumulusDriver
from tests.cumulus.driven import ADDED, AFTER, BEFORE, HIDDEN, PATCH, SECRET, Stand, standing
from tests.push.boxed import CANARY

MESSAGE = "run 7f3a leaf change"
SECONDS = 10


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    with standing(tmp_path) as found:
        yield found


@pytest.fixture
def leaf(stand: Stand) -> Iterator[CumulusDriver]:
    with stand.driver() as driver:
        yield driver


def timed(driver: CumulusDriver, text: str = AFTER) -> None:
    driver.load_replace_candidate(config=text)
    driver.commit_config(message=MESSAGE, revert_in=60)


def test_it_is_the_one_driver_of_its_package() -> None:
    assert PLATFORMS["cumulus"].own_driver == f"{napalm_cumulus.__name__}:{CumulusDriver.__name__}"
    classes = [found for found in vars(napalm_cumulus).values() if isinstance(found, type)]
    assert [found for found in classes if issubclass(found, NetworkDriver)] == [CumulusDriver]


def test_a_timed_commit_is_kept_by_a_confirmation_of_another_connection(stand: Stand) -> None:
    with stand.driver() as driver:
        assert driver.is_alive() == {"is_alive": True}
        driver.load_replace_candidate(config=AFTER)
        assert ADDED in driver.compare_config()
        assert stand.switch.applied == BEFORE
        driver.commit_config(message=MESSAGE, revert_in=120)
        assert driver.pending_message() == MESSAGE
    assert driver.is_alive() == {"is_alive": False}
    assert ADDED not in stand.switch.startup
    with stand.driver() as driver:
        assert driver.has_pending_commit()
        driver.confirm_commit()
        assert driver.pending_message() is None
        with pytest.raises(CommitConfirmException):
            driver.confirm_commit()
    assert ADDED in stand.switch.applied
    assert ADDED in stand.switch.startup
    assert "nv config apply --assume-yes --confirm 2 -m run 7f3a leaf change" in stand.switch.asked
    assert "nv config apply 2 --confirm-yes --assume-yes" in stand.switch.asked


def test_a_commit_that_nobody_confirms_reverts_by_itself(stand: Stand) -> None:
    stand.switch.minute = 0.3
    with stand.driver() as driver:
        timed(driver)
    assert ADDED in stand.switch.applied
    deadline = time.monotonic() + SECONDS
    while stand.switch.waiting() is not None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert stand.switch.applied == BEFORE
    with stand.driver() as driver:
        assert driver.pending_message() is None
        with pytest.raises(CommitConfirmException, match="no commit waits"):
            driver.confirm_commit()


def test_a_pending_commit_is_reverted_at_once(stand: Stand, leaf: CumulusDriver) -> None:
    timed(leaf)
    leaf.cancel_commit()
    assert (stand.switch.applied, stand.switch.startup) == (BEFORE, BEFORE)
    with pytest.raises(CommitConfirmException):
        leaf.cancel_commit()


def test_a_commit_that_is_kept_at_once_is_saved_and_rolled_back(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.load_merge_candidate(config=PATCH)
    leaf.commit_config(message=MESSAGE)
    assert (leaf.has_pending_commit(), ADDED in stand.switch.startup) == (False, True)
    assert "10.0.0.1/32" in stand.switch.applied
    leaf.rollback()
    assert ADDED not in stand.switch.startup
    timed(leaf)
    leaf.rollback()
    assert ADDED not in stand.switch.applied


def test_lines_to_merge_add_up(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.load_merge_candidate(config=PATCH)
    leaf.load_merge_candidate(config="- unset:\n    interface:\n      lo:\n        type:\n")
    found = leaf.compare_config()
    assert ADDED in found
    assert "unset" in found
    leaf.discard_config()
    assert leaf.compare_config() == ""
    assert stand.switch.pending is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no list"),
        ("hostname leaf", "no list"),
        ("- set: [", "no YAML"),
        ("- set:\n    frobnicate: {on: {}}\n", "Config invalid at frobnicate"),
    ],
)
def test_a_candidate_that_is_not_taken_leaves_all_as_it_was(
    stand: Stand, leaf: CumulusDriver, text: str, reason: str
) -> None:
    with pytest.raises(ReplaceConfigException, match=reason):
        leaf.load_replace_candidate(config=text)
    with pytest.raises(MergeConfigException, match=reason):
        leaf.load_merge_candidate(config=text)
    assert (stand.switch.applied, stand.switch.startup, stand.switch.pending) == (BEFORE, BEFORE, None)
    assert leaf.compare_config() == ""
    with pytest.raises(CommitError, match="nothing is loaded"):
        leaf.commit_config()


def test_what_nvue_refuses_when_it_is_applied(stand: Stand, leaf: CumulusDriver) -> None:
    """It says so and exits as if it had not."""
    stand.switch.refuses = "Config invalid at interface.swp1.link.breakout: '4x10G' is not of type 'object'"
    leaf.load_replace_candidate(config=AFTER)
    for seconds in (60, None):
        with pytest.raises(CommitError, match=r"nv config apply: Invalid config .*breakout"):
            leaf.commit_config(message=MESSAGE, revert_in=seconds)
    assert stand.switch.applied == BEFORE
    assert leaf.pending_message() is None


def test_texts_of_a_configuration_are_no_refusals(tmp_path: Path) -> None:
    text = BEFORE.replace(
        "      hostname: leaf\n", "      hostname: leaf\n      message:\n        pre-login: |\n          Error\n"
    )
    with standing(tmp_path, text + "          Invalid access is logged\n") as stand, stand.driver() as driver:
        assert "Invalid access" in driver.get_config("running")["running"]


def test_a_candidate_takes_the_place_of_another(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.load_replace_candidate(config=AFTER)
    leaf.load_replace_candidate(config=BEFORE)
    assert leaf.get_config("candidate")["candidate"] == BEFORE
    assert leaf.compare_config() == ""


def test_a_commit_that_is_not_known_again_is_no_success(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.load_replace_candidate(config=AFTER)
    stand.switch.pending = None
    with pytest.raises(CommitError, match=r"did not become what waits: none.*no changes to apply"):
        leaf.commit_config(message=MESSAGE, revert_in=60)


def test_a_foreign_commit_that_waits_locks(stand: Stand, leaf: CumulusDriver) -> None:
    timed(leaf)
    leaf.load_replace_candidate(config=BEFORE)
    with pytest.raises(LockError, match="another timed commit waits"):
        leaf.commit_config(message="another", revert_in=60)
    assert leaf.pending_message() == MESSAGE


@pytest.mark.parametrize("seconds", [0, 30, 90, -60])
def test_times_are_whole_minutes(leaf: CumulusDriver, seconds: int) -> None:
    leaf.load_replace_candidate(config=AFTER)
    with pytest.raises(CommitError, match="whole minutes"):
        leaf.commit_config(revert_in=seconds)


def test_a_confirmation_that_changes_nothing_is_no_success(stand: Stand) -> None:
    with stand.driver(settle_seconds=0.2) as driver:
        timed(driver)
        stand.switch.stuck = True
        with pytest.raises(CommitError, match="still waits"):
            driver.confirm_commit()
        with pytest.raises(CommitError, match="still waits"):
            driver.cancel_commit()


def test_a_full_disk(stand: Stand, leaf: CumulusDriver) -> None:
    timed(leaf)
    stand.switch.full = True
    with pytest.raises(CommitError, match="startup file could not be written"):
        leaf.confirm_commit()


def test_revisions_of_another_form_are_not_taken_for_none(stand: Stand, leaf: CumulusDriver) -> None:
    stand.switch.mute = True
    with pytest.raises(CommandErrorException, match="no JSON"):
        leaf.pending_message()


def test_no_secret_is_in_what_is_shown_or_refused(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.load_replace_candidate(config=HIDDEN)
    found = leaf.compare_config()
    assert "password: <removed>" in found
    assert SECRET not in found
    stand.switch.refuses = f"'{SECRET}' is too short"
    with pytest.raises(CommitError, match="too short") as caught:
        leaf.commit_config(revert_in=60)
    assert SECRET not in str(caught.value)
    with pytest.raises(ReplaceConfigException) as refused:
        leaf.load_replace_candidate(config=HIDDEN.replace("    vrf:", "    vrff:"))
    assert SECRET not in str(refused.value)
    stand.switch.refuses = ""
    leaf.load_replace_candidate(config=HIDDEN)
    leaf.commit_config()
    shown = leaf.cli(["nv config show"])["nv config show"]
    assert "c4n4ry" not in shown
    assert "c4n4ry" not in str(leaf.get_config(sanitized=True))
    assert SECRET in leaf.get_config("running")["running"]


def test_a_candidate_is_forgotten_when_it_is_closed(stand: Stand) -> None:
    with stand.driver() as driver:
        driver.load_replace_candidate(config=AFTER)
        assert stand.switch.pending is not None
    assert stand.switch.pending is None
    assert not any("rm -rf" in one for one in stand.switch.asked)


def test_configurations(stand: Stand, leaf: CumulusDriver, tmp_path: Path) -> None:
    (tmp_path / "startup.yaml").write_text(AFTER)
    leaf.load_replace_candidate(filename=str(tmp_path / "startup.yaml"))
    assert leaf.get_config() == {"running": BEFORE, "startup": BEFORE, "candidate": AFTER}
    assert leaf.get_config("running")["startup"] == ""
    with pytest.raises(CommandErrorException):
        leaf.get_config("saved")
    with pytest.raises(ReplaceConfigException, match="cannot be read"):
        leaf.load_replace_candidate(filename=str(tmp_path / "none.yaml"))


def test_commands_of_every_kind_are_answered(stand: Stand, leaf: CumulusDriver) -> None:
    text = leaf.cli(["show version", "show daemons"])
    assert text == {
        "show version": "FRRouting 8.4.3 (leaf) on Linux\n",
        "show daemons": " zebra bgpd watchfrr staticd\n",
    }
    commands = ["nv show system -o json", "show bgp vrf all neighbors json", "ip -j link show"]
    found = leaf.cli(commands, encoding="json")
    assert list(found) == commands
    assert found["nv show system -o json"]["hostname"] == "leaf"
    assert found["ip -j link show"] == [{"ifname": "lo"}, {"ifname": "swp1"}]
    assert any(one.startswith("sudo vtysh -c show daemons") for one in stand.switch.asked)


@pytest.mark.parametrize(
    "command",
    [
        "nv set system hostname x",
        "nv config apply",
        "nv action reboot system",
        "nv",
        "nv config",
        "configure",
        "rm -rf /x",
        "ip link set swp1 down",
        "nv show 'system",
        "sh -c id",
    ],
)
def test_what_does_more_than_read_is_not_run(stand: Stand, leaf: CumulusDriver, command: str) -> None:
    asked = len(stand.switch.asked)
    with pytest.raises(CommandErrorException):
        leaf.cli([command])
    assert len(stand.switch.asked) == asked


def test_what_the_switch_does_not_know_is_an_error_of_its_command(leaf: CumulusDriver) -> None:
    with pytest.raises(CommandErrorException, match="nv show frob"):
        leaf.cli(["nv show frob -o json"], encoding="json")
    with pytest.raises(CommandErrorException, match="show frob"):
        leaf.cli(["show frob"])
    with pytest.raises(CommandErrorException, match="encoding"):
        leaf.cli(["show version"], encoding="xml")


def test_facts_and_counters(leaf: CumulusDriver) -> None:
    assert leaf.get_facts() == {
        "uptime": 12.0,
        "vendor": "NVIDIA",
        "os_version": "5.11.0",
        "serial_number": "MT1",
        "model": "SN5600",
        "hostname": "leaf",
        "fqdn": "leaf",
        "interface_list": ["lo", "swp1"],
    }
    counted = leaf.get_interfaces_counters()["swp1"]
    assert (counted["rx_octets"], counted["tx_octets"], counted["tx_errors"], counted["rx_discards"]) == (7, 9, 1, -1)


def test_vtysh_is_run_as_root_and_nvue_as_the_user(stand: Stand, leaf: CumulusDriver) -> None:
    leaf.cli(["show version", "nv show system -o json"])
    assert stand.switch.asked[-2:] == ["sudo vtysh -c show version", "nv show system -o json"]
    with stand.driver(sudo=False) as driver:
        driver.cli(["show version"])
        assert stand.switch.asked[-1] == "vtysh -c show version"


def test_a_wrong_password_and_an_unknown_host(stand: Stand, tmp_path: Path) -> None:
    with pytest.raises(ConnectAuthError) as login:
        stand.driver(password="c4n4ry-wrong").open()  # noqa: S106
    other = paramiko.ECDSAKey.generate()
    wrong = stand.server.known(tmp_path / "wrong", other)
    with pytest.raises(ConnectionException, match="host key") as foreign:
        stand.driver(known_hosts=str(wrong)).open()
    (tmp_path / "none").touch()
    with pytest.raises(ConnectionException, match="known_hosts") as unknown:
        stand.driver(known_hosts=str(tmp_path / "none")).open()
    for caught in (login, foreign, unknown):
        assert "c4n4ry" not in str(caught.value)
        assert CANARY not in str(caught.value)
    with stand.driver(known_hosts=str(tmp_path / "none"), ssh_strict=False) as driver:
        assert driver.is_alive()["is_alive"]


def test_a_host_without_nvue(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = stand.driver()
    monkeypatch.setattr(
        driver._transport, "run", lambda *_: type("R", (), {"status": 127, "output": "", "errors": ""})()
    )
    with pytest.raises(ConnectionException, match="nv is not found"):
        driver.open()
    assert driver.is_alive() == {"is_alive": False}


@pytest.mark.parametrize("late", [False, True])
def test_a_connection_that_is_lost_in_the_midst_of_a_commit(stand: Stand, late: bool) -> None:
    """Whether it was applied is seen by the next connection alone."""
    driver = stand.driver()
    driver.open()
    driver.load_replace_candidate(config=AFTER)
    stand.server.drops, stand.server.late = "--assume-yes", late
    with pytest.raises(ConnectionException, match="connection lost"):
        driver.commit_config(message=MESSAGE, revert_in=60)
    driver.close()
    stand.server.drops = ""
    with stand.driver() as again:
        assert again.pending_message() == (MESSAGE if late else None)
        again.detach()
    assert stand.switch.pending is None


def test_a_transport_that_is_none() -> None:
    with pytest.raises(ConnectionException, match="transport is ssh or local"):
        CumulusDriver("leaf", "a", "b", optional_args={"transport": "telnet"})
