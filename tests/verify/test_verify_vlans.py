"""VLANs of bridged ports against the plan."""

from dataclasses import replace

import pytest

from fabricgen.state.state import State
from fabricgen.verify.finding import SwitchVerdict, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, P9, RIGHT, changed

ACCESS, TRUNK = ((0, 20),), ((120, 120), (121, 121))


def verdict(wanted: tuple[tuple[int, int], ...], found: object) -> SwitchVerdict:
    interfaces = tuple(one._replace(vlans=wanted) if one.name == "p9" else one for one in LEAF.interfaces)
    state: State = changed("interfaces", P9, vlans=found)(RIGHT)
    return judge(replace(LEAF, interfaces=interfaces), state, lambda _, __: ())


@pytest.mark.parametrize("vlans", [ACCESS, TRUNK])
def test_the_planned_ones_are_right(vlans: tuple[tuple[int, int], ...]) -> None:
    found = verdict(vlans, vlans)
    assert (found.findings, found.unchecked) == ((), ())
    assert dict(found.passed)["interfaces"] == 10 + 1


@pytest.mark.parametrize(
    ("wanted", "found", "expected", "actual"),
    [
        (ACCESS, (), "VLAN 20 untagged", "no VLAN"),
        (ACCESS, ((0, 30),), "VLAN 20 untagged", "VLAN 30 untagged"),
        (ACCESS, ((20, 20),), "VLAN 20 untagged", "VLAN 20 tagged"),
        (TRUNK, ((120, 120), (121, 120)), "VLAN 120 tagged, VLAN 121 tagged", "VLAN 120 tagged, VLAN 120 by tag 121"),
        (
            TRUNK,
            ((0, 1), *TRUNK),
            "VLAN 120 tagged, VLAN 121 tagged",
            "VLAN 1 untagged, VLAN 120 tagged, VLAN 121 tagged",
        ),
    ],
)
def test_others_are_found(wanted: tuple[tuple[int, int], ...], found: object, expected: str, actual: str) -> None:
    told = verdict(wanted, found).findings
    assert [(one.check, one.code, one.subject, one.port) for one in told] == [
        ("interfaces", "port-wrong-vlan", "port p9", "p9")
    ]
    assert [(one.expected, one.actual) for one in told] == [(expected, actual)]


def test_those_that_are_not_said_are_told() -> None:
    assert verdict(ACCESS, None).unchecked == (
        Unchecked("leaf1", "interfaces", "their VLANs cannot be read, and are not verified, of 1 bridged port: p9"),
    )
