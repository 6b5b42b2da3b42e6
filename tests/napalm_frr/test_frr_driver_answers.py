"""Commands that are asked together, each with its own answer or error; judged by what each gives alone."""

from collections.abc import Iterator, Mapping
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
