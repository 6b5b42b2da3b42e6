"""How long a change may interrupt what stood: by driver and risk, by the inventory, and where nobody knows."""

from pathlib import Path

import pytest

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.model import Need, PlannedSwitch
from fabricgen.push.plan.interruption import expected, given
from fabricgen.source.report import report
from fabricgen.verify.collect.inventory import InventoryError, read_inventory

CONVERGE = 90.0


def planned(risk: Risk) -> PlannedSwitch:
    """A switch that changes at this risk."""
    return PlannedSwitch("leaf1", 1, Need.PLAIN, "", risk.words, "", "", "")


@pytest.mark.parametrize("driver", COMMIT_PROFILES)
def test_each_driver_says_what_it_rests_on_and_nothing_may_be_lost_where_nothing_is(driver: str) -> None:
    rows = COMMIT_PROFILES[driver].interrupts
    assert {rows[Risk.NONE].seconds, rows[Risk.HITLESS].seconds} == {0}
    assert all(row.source for row in rows.values())
    assert Risk.UNKNOWN not in rows
    assert rows[Risk.SESSION_RESET].seconds > 9  # of every profile's hold time
    assert rows[Risk.TRAFFIC_LOSS].seconds >= rows[Risk.SESSION_RESET].seconds


def test_only_what_is_sourced_goes_back_before_all_has_converged() -> None:
    frr, eos = COMMIT_PROFILES["frr"], COMMIT_PROFILES["eos"]
    assert expected(planned(Risk.HITLESS), frr, None, CONVERGE) == 0
    assert expected(planned(Risk.SESSION_RESET), frr, None, CONVERGE) == 30
    assert expected(planned(Risk.SESSION_RESET), eos, None, CONVERGE) == CONVERGE  # unsure
    assert expected(planned(Risk.TRAFFIC_LOSS), eos, None, CONVERGE) == 180
    assert expected(planned(Risk.UNKNOWN), frr, None, CONVERGE) is None
    assert expected(planned(Risk.HITLESS)._replace(risk="of another release"), frr, None, CONVERGE) is None


@pytest.mark.parametrize("risk", [Risk.SESSION_RESET, Risk.UNKNOWN, Risk.HITLESS])
def test_the_inventory_says_otherwise(risk: Risk) -> None:
    assert expected(planned(risk), COMMIT_PROFILES["eos"], {risk.words: 7}, CONVERGE) == 7


def _inventory(folder: Path, hosts: str, defaults: str = "{}") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "hosts.yaml").write_text(hosts)
    (folder / "groups.yaml").write_text("leaves: {data: {interruption: {session reset: 60}}}\n")
    (folder / "defaults.yaml").write_text(defaults)
    return folder


def test_hosts_groups_and_defaults_as_nornir_has_them(tmp_path: Path) -> None:
    hosts = "a: {data: {interruption: {hitless: 5}}}\nb: {groups: [leaves]}\nc: {}\n"
    site = read_inventory(_inventory(tmp_path, hosts, "data: {interruption: {reload: 400}}\n"))
    assert given(site, ("a", "b", "c", "d")) == {
        "a": {"hitless": 5},
        "b": {"session reset": 60},
        "c": {"reload": 400},
    }


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("{hitles: 5}", "unknown risk 'hitles'"),
        ("{hitless: soon}", "hitless is 'soon'"),
        ("{hitless: -1}", "hitless is -1"),
        ("{hitless: true}", "hitless is True"),
        ("[60]", "interruption is [60]"),
    ],
)
def test_what_is_no_number_of_seconds_of_a_risk_is_told_with_its_place(tmp_path: Path, rows: str, told: str) -> None:
    site = read_inventory(_inventory(tmp_path, f"a:\n  data:\n    interruption: {rows}\n"))
    with pytest.raises(InventoryError) as raised:
        given(site, ("a",))
    text = report(raised.value.problems)
    assert told in text
    assert f"{tmp_path}/hosts.yaml:3:" in text
    assert "inventory-interruption" in text
