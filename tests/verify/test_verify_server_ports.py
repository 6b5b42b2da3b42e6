"""Ports towards servers: dead ones are found, faults of their own are named, silence is told."""

from dataclasses import replace

import pytest

from fabricgen.state.state import ETHERNET, LAG, Interface, State
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LAG5, LEAF, P8, P9, P10, RIGHT, Edit, both, changed, without

HERE = tuple(
    one._replace(up=True, server=True, members=("p9",) if one.kind == LAG else ())
    if one.name in ("p8", "p9", "lag 5")
    else one
    for one in LEAF.interfaces
)
WITH_SERVERS: Expected = replace(LEAF, interfaces=HERE)
"""The leaf whose servers the plan has: a routed one on p8, and one of a bundle of p9."""
BUNDLED = changed("interfaces", LAG5, members=("p9",))


def verdict(*edits: Edit, expected: Expected = WITH_SERVERS) -> SwitchVerdict:
    state: State = both(BUNDLED, *edits)(RIGHT)
    return judge(expected, state, lambda _, __: ())


def told(found: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    return [(one.code, one.subject, one.explained) for one in found]


DOWN = {"oper_up": False}


def test_a_leaf_with_all_its_servers_is_clean() -> None:
    assert (verdict().findings, verdict().unchecked) == ((), ())


def test_a_server_that_is_off_is_found_once() -> None:
    """Neither the route to it nor its silence is told again."""
    found = verdict(changed("interfaces", P8, **DOWN), without("routes", 4), without("lldp", 2))
    assert told(found.findings) == [("interface-down", "port p8", "")]
    assert found.unchecked == ()


def test_a_bundle_without_its_ports_follows_from_them() -> None:
    found = verdict(changed("interfaces", P9, **DOWN), changed("interfaces", LAG5, oper_up=False, members=()))
    assert told(found.findings) == [
        ("interface-down", "port p9", ""),
        ("interface-down", "lag 5", "port p9 is down"),
    ]


def test_a_bundle_that_does_not_bundle() -> None:
    found = verdict(changed("interfaces", LAG5, oper_up=False, members=()))
    assert told(found.findings) == [("interface-down", "lag 5", "")]
    up = verdict(changed("interfaces", LAG5, members=("p7",))).findings
    assert [(one.code, one.problem, one.expected, one.actual) for one in up] == [
        ("lag-member-missing", "lacks the member p9, which is up", "p9", "p7")
    ]


def test_members_that_are_not_said_are_told() -> None:
    found = verdict(changed("interfaces", LAG5, members=None))
    assert found.findings == ()
    assert found.unchecked == (
        Unchecked(
            "leaf1",
            "interfaces",
            "their member ports cannot be read, and are not verified, of 1 bridged port: lag 5",
        ),
    )


@pytest.mark.parametrize("oper_up", [True, False])
def test_a_port_that_the_switch_took_out_of_service(oper_up: bool) -> None:
    edit = changed("interfaces", P9, fault="errdisabled", oper_up=oper_up)
    for expected in (WITH_SERVERS, LEAF):  # also where a server may be off
        found = verdict(edit, expected=expected).findings
        assert [(one.code, one.subject, one.actual) for one in found] == [("interface-fault", "port p9", "errdisabled")]


def test_reserved_ports_may_be_down() -> None:
    assert verdict(changed("interfaces", P10, **DOWN)).findings == ()


def test_a_server_that_is_silent_is_told_in_one_line() -> None:
    found = verdict(without("lldp", 2))
    assert found.findings == ()
    assert found.unchecked == (
        Unchecked("leaf1", "lldp", "no LLDP neighbor on 1 server port (p8): its cable is not verified"),
    )
    assert dict(found.passed)["lldp"] == 2


def test_the_newest_of_equal_names_does_not_hide_the_right_one() -> None:
    """The same name in another VRF: the planned one is judged, and the other is no port."""
    stray = Interface("p8", ETHERNET, True, True, 9214, (), "red")
    state = replace(RIGHT, interfaces=(*(RIGHT.interfaces or ()), stray))
    assert judge(LEAF, state, lambda _, __: ()).findings == ()
