"""`napalm_sonic` on a double of a switch: its scripts run in a real shell, on files of their own."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
    LockError,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.platforms.sonic.live.asked import RUNNING
from fabricgen.platforms.sonic.napalm_driver import SonicDriver
from tests.doubles.sonic_box import APPENDED, Box, box

SECRET = "k3yOfTacacs"  # noqa: S105 - made up
MAC = "50:00:00:00:00:07"
OURS: dict[str, Any] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf", "docker_routing_config_mode": "split-unified"}},
    "FEATURE": {"lldp": {"state": "enabled"}},
    "PORT": {"Ethernet0": {"lanes": "1,2", "mtu": "9214", "admin_status": "up"}},
    "TACPLUS": {"global": {"passkey": SECRET}},
}
OWN: dict[str, Any] = {
    "CRM": {"Config": {"polling_interval": "300"}},
    "LOGGER": {"orchagent": {"LOGLEVEL": "NOTICE", "LOGOUTPUT": "SYSLOG"}},
    "SNMP": {"LOCATION": {"Location": "public"}},
    "DEVICE_METADATA": {"localhost": {**OURS["DEVICE_METADATA"]["localhost"], "mac": MAC}},
    "FEATURE": {"lldp": {"state": "enabled", "auto_restart": "enabled"}, "bgp": {"state": "enabled"}},
    "PORT": {**OURS["PORT"], "Ethernet8": {"lanes": "9,10", "speed": "400000"}},
}
RUNS: dict[str, Any] = {**OURS, **OWN}
"""Ours, and what SONiC has beside it."""
FRR = "! leaf\nfrr defaults traditional\nrouter bgp 65001\n"
FRR_CONF = "/etc/sonic/frr/frr.conf"
SECONDS = 20


def changed(mtu: str = "9100", **more: Any) -> str:  # noqa: ANN401 - rows
    """Our file with another MTU, and other tables."""
    return json.dumps({**OURS, "PORT": {"Ethernet0": {**OURS["PORT"]["Ethernet0"], "mtu": mtu}}, **more})


@pytest.fixture
def leaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    """A switch that runs what is ours."""
    found = box(tmp_path / "leaf", RUNS, FRR + APPENDED)
    for name, value in found.environment.items():
        monkeypatch.setenv(name, value)
    yield found
    found.end()


def opened(leaf: Box, **options: object) -> SonicDriver:
    """A driver of it."""
    arguments = {"transport": "local", "root": str(leaf.root), "commit_seconds": 20, **options}
    driver = SonicDriver("leaf", "admin", "", timeout=20, optional_args=arguments)
    driver.open()
    return driver


def mtu(leaf: Box) -> str:
    """Of Ethernet0, as it runs."""
    return str(leaf.running["PORT"]["Ethernet0"]["mtu"])


def becomes(wanted: object, read: Callable[[], object]) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + SECONDS
    while read() != wanted:
        assert time.monotonic() < deadline, read()
        time.sleep(0.05)


def test_it_is_one_napalm_driver() -> None:
    assert issubclass(SonicDriver, NetworkDriver)


def test_what_runs_is_no_difference_and_a_change_is_shown_without_secrets(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=json.dumps(OURS))
    assert driver.compare_config() == ""
    driver.load_replace_candidate(
        config=changed(TACPLUS={"global": {"passkey": "another"}}, CRM={"Config": {"a": "1"}})
    )
    assert driver.compare_config().splitlines() == [
        "CRM / Config", "+  a: 1",
        "PORT / Ethernet0", "-  mtu: 9214", "+  mtu: 9100",
        "TACPLUS / global", "-  passkey: <removed>", "+  passkey: <removed>",
    ]  # fmt: skip
    driver.load_replace_candidate(config=json.dumps(OURS))
    driver.load_files({FRR_CONF: FRR + " neighbor 10.0.0.1 password hunter2\n"})
    assert driver.compare_config().splitlines() == [FRR_CONF, "+ neighbor 10.0.0.1 password <removed>"]
    driver.load_files({FRR_CONF: "! another remark\n"})
    assert driver.compare_config() == ""
    driver.discard_config()
    assert driver.compare_config() == ""


def test_a_commit_keeps_what_is_sonics_own(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: FRR})
    driver.commit_config(message="mtu")
    wanted = {**RUNS, "PORT": {**OWN["PORT"], "Ethernet0": {**OURS["PORT"]["Ethernet0"], "mtu": "9100"}}}
    assert leaf.running == leaf.startup == wanted
    assert leaf.running["DEVICE_METADATA"]["localhost"]["mac"] == MAC
    assert not [one for one in leaf.asked if one.startswith("systemctl restart")]
    assert (leaf.timers, leaf.waits, driver.has_pending_commit()) == ([], False, False)
    assert not (leaf.root / "run/napalm-sonic/errors").read_text()


def test_a_port_that_takes_lanes_of_another_replaces_it(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed(PORT={"Ethernet0": {"lanes": "1,2,9"}}))
    driver.commit_config()
    assert leaf.running["PORT"] == {"Ethernet0": {"lanes": "1,2,9"}}


def test_a_timed_commit_reverts_by_itself(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: FRR + "! new\n"})
    driver.commit_config(message="a\nchange", revert_in=1)
    assert driver.pending_message() == "a change"
    driver.close()
    becomes("9214", lambda: mtu(leaf))
    becomes(False, lambda: leaf.waits)
    assert leaf.frr == leaf.frr_conf == FRR + APPENDED
    assert leaf.startup == RUNS
    again = opened(leaf)
    assert again.pending_message() is None
    with pytest.raises(CommitConfirmException):
        again.confirm_commit()
    with pytest.raises(CommitConfirmException):
        again.cancel_commit()
    becomes([], lambda: leaf.timers)


def test_a_timed_commit_is_confirmed_over_another_connection(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: FRR + "! new\n"})
    driver.commit_config(message="run 7 change", revert_in=60)
    assert (mtu(leaf), leaf.startup) == ("9100", RUNS)
    # The container runs the new file, and a switch that starts again would start with the old one.
    assert leaf.frr == f"{FRR}! new\n{APPENDED}"
    assert leaf.frr_conf == FRR + APPENDED
    assert driver.read_files([FRR_CONF]) == {FRR_CONF: FRR + "! new\n"}
    assert leaf.timers == ["napalm-sonic-revert.timer"]
    driver.close()
    again = opened(leaf)
    assert again.has_pending_commit()
    again.confirm_commit()
    assert leaf.running == leaf.startup
    assert leaf.frr_conf == FRR + "! new\n"
    assert again.read_files([FRR_CONF]) == {FRR_CONF: FRR + "! new\n"}
    assert (leaf.timers, again.has_pending_commit()) == ([], False)
    again.rollback()
    assert leaf.running == leaf.startup == RUNS
    assert leaf.frr_conf == FRR + APPENDED
    with pytest.raises(CommitError, match="no commit to roll back"):
        again.rollback()


def test_a_commit_that_waits_is_ended_at_once(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(revert_in=60)
    driver.cancel_commit()
    assert (leaf.running, leaf.waits, leaf.timers) == (RUNS, False, [])


def test_another_commit_waits(leaf: Box) -> None:
    driver, other = opened(leaf), opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message="theirs", revert_in=60)
    other.load_replace_candidate(config=changed("1500"))
    with pytest.raises(LockError, match="nobody ended"):
        other.commit_config()
    assert (mtu(leaf), other.pending_message()) == ("9100", "theirs")


def test_a_refused_candidate_leaves_all_as_it_was(leaf: Box) -> None:
    driver = opened(leaf)
    (leaf.root / "says").write_text(f"the passkey {SECRET}")
    driver.load_replace_candidate(config=changed("REFUSED"))
    driver.load_files({FRR_CONF: FRR + "! new\n"})
    with pytest.raises(CommitError, match=r"refused: .*what ran before runs again") as raised:
        driver.commit_config(revert_in=60)
    assert SECRET not in str(raised.value)
    assert "Patch" not in str(raised.value)
    assert (leaf.running, leaf.startup) == (RUNS, RUNS)
    assert leaf.frr == leaf.frr_conf == FRR + APPENDED
    assert (leaf.timers, leaf.waits) == ([], False)


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ("no-checkpoint", "no checkpoint.*: Failed to create a config checkpoint"),
        ("no-way-back", "could not go back to what runs: Error: Given patch will produce invalid config.*runs again"),
        ("no-timer", "no timer to revert by: Failed to start.*runs again"),
        ("no-bgp", "bgp container did not start.*could not be put back whole"),
        ("full", "startup file could not be written.*runs again"),
    ],
)
def test_what_goes_wrong_is_undone_and_said(leaf: Box, mark: str, words: str) -> None:
    driver = opened(leaf)
    leaf.mark(mark)
    driver.load_replace_candidate(config=changed())
    driver.load_files({FRR_CONF: FRR + "! new\n"})
    with pytest.raises(CommitError, match=words):
        driver.commit_config()
    assert (leaf.running, leaf.startup) == (RUNS, RUNS)
    assert leaf.frr_conf == FRR + APPENDED
    assert not list((leaf.root / "etc/sonic").rglob("*.new"))
    assert leaf.waits is (mark == "no-bgp")


def test_what_can_not_be_put_back_stays_pending(leaf: Box) -> None:
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed())
    driver.commit_config(message="m", revert_in=60)
    leaf.mark("no-rollback")
    with pytest.raises(CommitError, match="could not be put back whole"):
        driver.cancel_commit()
    assert driver.pending_message() == "m"
    leaf.mark("no-rollback", off=True)
    driver.cancel_commit()
    assert leaf.running == RUNS


def test_a_commit_whose_client_is_gone_reverts_by_its_guard(leaf: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabricgen.platforms.sonic.napalm_driver.lifecycle.SLACK", 1)
    driver = opened(leaf, commit_seconds=1)
    leaf.mark("slow")
    driver.load_replace_candidate(config=changed())
    with pytest.raises(CommitError, match="no answer within 1 s"):
        driver.commit_config(revert_in=60)
    becomes(False, lambda: leaf.waits)
    assert leaf.running == RUNS


def test_rows_and_lines_are_merged(leaf: Box) -> None:
    driver = opened(leaf)
    rows = {"BGP_NEIGHBOR_AF": {"default|10.0.0.1|ipv4_unicast": {"route_map_in": ["DRAINED-IN"]}}}
    driver.load_merge_candidate(config=json.dumps(rows))
    assert "+  route_map_in: DRAINED-IN" in driver.compare_config()
    with pytest.raises(MergeConfigException, match="discard it first"):
        driver.load_merge_candidate(config="router bgp 65001\n")
    driver.commit_config()
    assert leaf.running == {**RUNS, **rows}
    driver.load_merge_candidate(config="router bgp 65001\n neighbor 10.0.0.1 route-map DRAINED-IN in\n")
    assert driver.compare_config().splitlines()[1] == "+ neighbor 10.0.0.1 route-map DRAINED-IN in"
    driver.commit_config(revert_in=60)
    assert "DRAINED-IN in" in leaf.frr
    driver.cancel_commit()
    assert "DRAINED-IN in" not in leaf.frr
    driver.load_merge_candidate(config="router bgp 65001\n neighbor 10.0.0.1 route-map DRAINED-IN in\n")
    driver.commit_config()
    assert "DRAINED-IN in" in leaf.frr_conf


def test_where_sonic_makes_frr_conf_the_remarks_are_kept_beside_it(leaf: Box) -> None:
    local = {**OURS["DEVICE_METADATA"]["localhost"], "docker_routing_config_mode": "unified"}
    remarks = "! leaf\n! Made on the switch.\n"
    driver = opened(leaf)
    driver.load_replace_candidate(config=changed(DEVICE_METADATA={"localhost": local}))
    driver.load_files({FRR_CONF: remarks})
    driver.commit_config()
    assert driver.read_files([FRR_CONF]) == {FRR_CONF: remarks}
    assert leaf.frr_conf == FRR + APPENDED
    assert len([one for one in leaf.asked if one == "systemctl restart bgp"]) == 1  # its way to be configured changed


def test_what_is_no_candidate_is_refused_when_it_is_loaded(leaf: Box) -> None:
    driver = opened(leaf)
    for text in ("", "{", "[]", '{"PORT": 3}', '{"PORT": {}}'):
        with pytest.raises(ReplaceConfigException):
            driver.load_replace_candidate(config=text)
    with pytest.raises(ReplaceConfigException, match="load it first"):
        driver.load_files({FRR_CONF: FRR})
    driver.load_replace_candidate(config=changed())
    with pytest.raises(ReplaceConfigException, match="no way to the files /etc/passwd"):
        driver.load_files({"/etc/passwd": ""})
    with pytest.raises(ReplaceConfigException, match="line 2"):
        driver.load_files({FRR_CONF: "router bgp 65001\nbogus\n"})
    with pytest.raises(MergeConfigException, match="discard it first"):
        driver.load_merge_candidate(config="{}")
    driver.discard_config()
    for text in ("", "bogus\n", '{"PORT": 3}'):
        with pytest.raises(MergeConfigException):
            driver.load_merge_candidate(config=text)
    with pytest.raises(CommitError, match="nothing is loaded"):
        driver.commit_config()
    driver.load_replace_candidate(config=changed())
    with pytest.raises(CommitError, match="number of seconds"):
        driver.commit_config(revert_in=0)
    assert leaf.running == RUNS


def test_what_is_asked(leaf: Box) -> None:
    driver = opened(leaf)
    leaf.answer("show version", "SONiC Software Version: SONiC.202505.7\nHwSKU: ACS-MSN4700\nSerial Number: MT1\n")
    leaf.answer("ip -j -d addr show", "[]")
    leaf.answer("vtysh -c show bfd peers json", '[{"peer": "10.0.0.1"}]')
    leaf.answer(RUNNING, json.dumps({**RUNS, "bgpraw": "router bgp 1\n neighbor 10.0.0.1 password hunter2\n"}))
    found = driver.cli(["ip -j -d addr show", "vtysh -c 'show bfd peers json'"], encoding="json")
    assert found == {"ip -j -d addr show": [], "vtysh -c 'show bfd peers json'": [{"peer": "10.0.0.1"}]}
    running = driver.cli([RUNNING], encoding="json")[RUNNING]
    assert running["TACPLUS"]["global"]["passkey"] == "<removed>"
    assert "hunter2" not in running["bgpraw"]
    assert SECRET not in driver.cli([RUNNING])[RUNNING]
    facts = driver.get_facts()
    assert (facts["hostname"], facts["os_version"], facts["model"]) == ("leaf", "202505.7", "ACS-MSN4700")
    assert SECRET not in driver.get_config(retrieve="running", sanitized=True)["running"]
    assert SECRET in driver.get_config(retrieve="running")["running"]
    assert json.loads(driver.get_config()["startup"]) == RUNS
    assert driver.is_alive() == {"is_alive": True}
    driver.close()
    assert driver.is_alive() == {"is_alive": False}


@pytest.mark.parametrize(
    "command",
    ["", "reboot", "config save", "show techsupport", "vtysh -c 'clear bgp *'", "vtysh -c 'show x' -c 'conf t'",
     "ip link set eth0 down", "docker exec lldp sh", "queuestat -c", "ip a; reboot", "'"],
)  # fmt: skip
def test_what_does_more_than_read_is_not_run(leaf: Box, command: str) -> None:
    driver = opened(leaf)
    before = leaf.asked
    with pytest.raises(CommandErrorException):
        driver.cli([command])
    assert leaf.asked == before


def test_a_command_that_fails_is_named(leaf: Box) -> None:
    driver = opened(leaf)
    leaf.answer("show version", "x")
    with pytest.raises(CommandErrorException, match="pfcstat"):
        driver.cli(["show version", "pfcstat"])
    with pytest.raises(CommandErrorException, match="no JSON"):
        driver.cli(["show version"], encoding="json")
    for words in (("show version", "text"), (["show version"], "xml")):
        with pytest.raises(CommandErrorException):
            driver.cli(*words)
    with pytest.raises(CommandErrorException):
        driver.get_config(retrieve="golden")


def test_a_configuration_that_breaks_off_shows_no_secret(leaf: Box) -> None:
    driver = opened(leaf)
    for name in ("sonic-cfggen", "show"):
        (leaf.root / "bin" / name).write_text(f'#!/bin/sh\necho \'{{"TACPLUS": {{"global": "{SECRET}"}}\'\nexit 1\n')
    for act in (driver.get_config, lambda: driver.cli([RUNNING]), driver.open):
        with pytest.raises((CommandErrorException, ConnectionException), match="exit status 1") as raised:
            act()
        assert SECRET not in str(raised.value)


def test_a_startup_file_that_is_broken_is_told(leaf: Box) -> None:
    driver = opened(leaf)
    (leaf.root / "etc/sonic/config_db.json").write_text("{")
    with pytest.raises(CommandErrorException, match="cat: no JSON"):
        driver.get_config(retrieve="startup")


# As tests/mock_tables/counters_db.json of sonic-utilities has names and fields.
NAMES = {"COUNTERS_PORT_NAME_MAP": {"type": "hash", "value": {"Ethernet0": "oid:0x1000000000012"}}}
ROW = {"SAI_PORT_STAT_IF_IN_OCTETS": "800", "SAI_PORT_STAT_IF_OUT_OCTETS": "1000", "SAI_PORT_STAT_IF_IN_ERRORS": "10"}


def test_counters(leaf: Box) -> None:
    driver = opened(leaf)
    leaf.answer("sonic-db-dump -n COUNTERS_DB -y -k COUNTERS_PORT_NAME_MAP", json.dumps(NAMES))
    rows = {"COUNTERS:oid:0x1000000000012": {"type": "hash", "value": ROW}}
    leaf.answer("sonic-db-dump -n COUNTERS_DB -y -k COUNTERS:oid:0x1????????????", json.dumps(rows))
    found = driver.get_interfaces_counters()["Ethernet0"]
    assert (found["rx_octets"], found["tx_octets"], found["rx_errors"], found["tx_errors"]) == (800, 1000, 10, -1)
    leaf.answer("sonic-db-dump -n COUNTERS_DB -y -k COUNTERS:oid:0x1????????????", "[]")
    with pytest.raises(CommandErrorException, match="another form"):
        driver.get_interfaces_counters()


def test_what_is_no_sonic_is_not_opened(leaf: Box) -> None:
    (leaf.root / "db.json").write_text("no such command")
    with pytest.raises(ConnectionException, match="SONiC does not answer"):
        opened(leaf)
    with pytest.raises(ConnectionException, match="ssh or local"):
        opened(leaf, transport="telnet")
