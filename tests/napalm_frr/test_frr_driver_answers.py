"""Commands that are asked together, each with its own answer or error; judged by what each gives alone."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException, ConnectionException

from napalm_frr import FRRDriver
from tests.judges.frr import Loaded
from tests.napalm_frr import switches

ASKED = {
    "show version": "text",
    "ip -j link show": "json",
    "ip -n nobody -j route show": "json",
    "show daemons": "text",
    "show route-map NONE json": "json",
    "bridge -j link show": "json",
    "ping -c 1 -W 1 -I swp1 172.16.11.77": "text",
    "ip rule show": "json",
    "show evpn vni json": "text",
}
"""Of these one fails, a ping whose answer is that nothing came back does not, and one prints no JSON."""
LAST = "show bgp nonsense"


@pytest.fixture(scope="module")
def driver(wired: Mapping[str, Loaded], tmp_path_factory: pytest.TempPathFactory) -> Iterator[FRRDriver]:
    with switches.opened(wired["leaf1"], tmp_path_factory.mktemp("state")) as found:
        yield found


def _alone(driver: FRRDriver, command: str, encoding: str) -> tuple[object, str]:
    try:
        return driver.cli([command], encoding)[command], ""
    except CommandErrorException as error:
        return None, str(error)


def test_each_has_what_it_gives_alone(driver: FRRDriver) -> None:
    asked = {**ASKED, LAST: "text"}
    found = driver.answers(asked)
    assert set(found) == set(asked)
    alone = {command: _alone(driver, command, encoding) for command, encoding in asked.items()}
    moving = {"ping -c 1 -W 1 -I swp1 172.16.11.77"}
    assert {command: (row.value, row.error) for command, row in found.items() if command not in moving} == {
        command: row for command, row in alone.items() if command not in moving
    }
    assert {command for command, row in found.items() if row.error} == {
        "ip -n nobody -j route show",
        "ip rule show",
        LAST,
    }
    assert "100% packet loss" in str(found["ping -c 1 -W 1 -I swp1 172.16.11.77"].value)


def test_behind_one_that_vtysh_fails_at_none_is_certain(driver: FRRDriver) -> None:
    """Programs are, whatever vtysh said."""
    found = driver.answers({"show version": "text", LAST: "text", "show route-map NONE json": "json", **dict.fromkeys(
        ("ip -j link show", "ip -j route show"), "json")})  # fmt: skip
    assert set(found) == {"ip -j link show", "ip -j route show"}
    assert not any(row.error for row in found.values())


HUNG = (
    *("show version", "show bgp summary json", "show evpn vni json", "show running-config no-header"),
    *("show daemons", "ip rule show", "ip link show"),
)


@contextmanager
def stopped(switch: Loaded, *daemons: str) -> Iterator[None]:
    """Daemons of a switch that take connections and say nothing."""
    pids = [int(Path(f"/run/frr/{switch.namespace}/{name}.pid").read_text()) for name in daemons]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_a_daemon_that_hangs_is_named_and_the_others_answer(driver: FRRDriver, wired: Mapping[str, Loaded]) -> None:
    with stopped(wired["leaf1"], "zebra"):
        begun = time.monotonic()
        found = driver.answers(dict.fromkeys(HUNG, "text"))
        took = time.monotonic() - begun
    assert took < 10, took
    named = "zebra hangs: no answer within 2 s; alive: bgpd, staticd, bfdd"
    for command in ("show evpn vni json", "show running-config no-header", "show daemons"):
        assert named in found[command].error
    for command in ("show version", "show bgp summary json", "ip rule show"):
        assert (found[command].error, bool(found[command].value)) == ("", True)
    assert not any(row.error for row in driver.answers(dict.fromkeys(HUNG, "text")).values())


def test_two_daemons_that_hang_are_both_named(driver: FRRDriver, wired: Mapping[str, Loaded]) -> None:
    with stopped(wired["leaf1"], "zebra", "bgpd"):
        found = driver.answers(dict.fromkeys(HUNG, "text"))
    assert "zebra hangs, bgpd hangs: no answer within 2 s; alive: staticd, bfdd" in found["show bgp summary json"].error
    assert "FRRouting" in found["show version"].value


def test_a_vtysh_that_is_only_slow_is_waited_for(driver: FRRDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """No daemon hangs: the same is asked once more, with all the time that a command has."""
    monkeypatch.setattr("napalm_frr.shell.PATIENCE", 0.001)
    found = driver.answers(dict.fromkeys(HUNG, "text"))
    assert set(found) >= set(HUNG)
    assert not any(row.error for row in found.values())


@pytest.mark.parametrize("probe", [True, False])
def test_where_frr_is_away_nothing_is_answered(wired: Mapping[str, Loaded], tmp_path: Path, *, probe: bool) -> None:
    """Told at opening, or else at the first answers."""
    arguments = {**switches.arguments(wired["leaf1"], tmp_path), "pathspace": "nobody9", "probe": probe}
    driver = get_network_driver("frr")("leaf1", "", "", timeout=60, optional_args=arguments)
    if not probe:
        driver.open()
    with pytest.raises(ConnectionException, match="FRR does not answer on leaf1"):
        driver.open() if probe else driver.answers(ASKED)
    assert driver.is_alive() == {"is_alive": False}
