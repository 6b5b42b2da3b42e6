"""Entries that somebody set by hand in tables that learn, and a tunnel that learns beside EVPN."""

from dataclasses import replace

import pytest

from fabricgen.state.state import State, StaticMac, StaticNeighbor
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT, changed

SHOWN: State = replace(RIGHT, static_macs=(), static_neighbors=())
MAC = "02:de:ad:00:00:01"


def verdict(**parts: object) -> SwitchVerdict:
    return judge(LEAF, replace(SHOWN, **parts), lambda _, __: ())  # type: ignore[arg-type]


def told(found: SwitchVerdict) -> list[tuple[str, str, str, str, str, str]]:
    return [(one.check, one.code, one.subject, one.port, one.expected, one.actual) for one in found.findings]


def test_tables_without_entries_by_hand_are_right() -> None:
    before = dict(judge(LEAF, RIGHT, lambda _, __: ()).passed)
    found = verdict()
    assert (found.findings, found.unchecked) == ((), ())
    assert {check: number - before[check] for check, number in found.passed if number != before[check]} == {
        "addresses": 1,
        "vnis": 1,
    }


def test_a_neighbor_of_a_link_is_the_cause_of_its_dead_session() -> None:
    entry = StaticNeighbor("", "p1", "10.1.0.1", MAC)
    bgp = RIGHT.bgp
    assert bgp is not None
    dead = tuple(one._replace(state="Active", families=()) if one.peer == "10.1.0.1" else one for one in bgp.sessions)
    found = verdict(static_neighbors=(entry,), bgp=bgp._replace(sessions=dead))
    first, *others = found.findings
    assert told(found)[0] == (
        "addresses",
        "neighbor-by-hand",
        "neighbor 10.1.0.1 of port p1",
        "p1",
        "resolved by the switch",
        f"always {MAC}",
    )
    assert first.far == FindingEnd("spine1", "s1")
    assert {one.explained for one in others if one.check == "sessions"} == {"a neighbor of port p1 is static"}


def test_a_neighbor_of_a_tenant() -> None:
    entry = StaticNeighbor("red", "vlan20", "172.16.0.9", MAC)
    assert told(verdict(static_neighbors=(entry,))) == [
        (
            "addresses",
            "neighbor-by-hand",
            "neighbor 172.16.0.9 of vlan20 in red",
            "",
            "resolved by the switch",
            f"always {MAC}",
        )
    ]


@pytest.mark.parametrize(
    "entry", [StaticNeighbor("", "m0", "10.9.0.1", MAC), StaticNeighbor("oob", "m1", "10.9.0.1", MAC)]
)
def test_neighbors_of_the_management_are_no_matter_of_the_plan(entry: StaticNeighbor) -> None:
    assert verdict(static_neighbors=(entry,)).findings == ()


def test_a_mac_address_that_is_bound() -> None:
    entries = (StaticMac("p9", 20, MAC), StaticMac("vni10020", 0, MAC))
    assert told(verdict(static_macs=entries)) == [
        ("vnis", "mac-by-hand", f"MAC address {MAC} of VLAN 20", "p9", "learned, or from EVPN", "static on port p9"),
        ("vnis", "mac-by-hand", f"MAC address {MAC}", "", "learned, or from EVPN", "static on vni10020"),
    ]


def test_a_tunnel_that_learns() -> None:
    found: tuple[Finding, ...] = judge(LEAF, changed("vnis", 0, learning=True)(SHOWN), lambda _, __: ()).findings
    assert [(one.code, one.subject, one.actual) for one in found] == [("tunnel-learns", "VNI 10020", "learning is on")]
    assert judge(LEAF, changed("vnis", 0, learning=False)(SHOWN), lambda _, __: ()).findings == ()


@pytest.mark.parametrize(("part", "check"), [("static_macs", "vnis"), ("static_neighbors", "addresses")])
def test_tables_that_were_not_read_are_told(part: str, check: str) -> None:
    found = verdict(**{part: None}, unread={part: "refused"})
    assert found.unchecked == (Unchecked("leaf1", check, "refused"),)
