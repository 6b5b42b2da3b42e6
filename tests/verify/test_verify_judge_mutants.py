"""No field of what is expected is there for nothing: change any of them, and the right switch is found wrong."""

from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random

import pytest

from fabricgen.state.state import EcnState
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected, ExpectedEvpnRoute, ExpectedInterface, ExpectedRoute, ExpectedVni
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, swapped
from tests.verify.seen import right_state
from tests.verify.sites import healthy

TABLES = ("interfaces", "adjacencies", "sessions", "bfd", "routes", "vnis", "evpn", "qos")

UNJUDGED = {
    "about": "words for people",
    "far": "whom a finding names",
    "origin": "whom a finding names",
    "known": "names that are compared with what a server says of itself, not with what is expected",
    "dead": "tells that nothing is asked",
    "required": "tells how much silence weighs, and nobody is silent here",
    "kind": "tells how a row is looked up",
    "server": "tells what else is asked of a port that is down, and none is",
    "lag": "tells when a route need not be there, and every aggregate is up here",
}


def other(value: object, chance: Random) -> object:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 100 + chance.randrange(5)
    if isinstance(value, str):
        return f"{value}9" if value else "9"
    if value is None:
        return False
    if isinstance(value, EcnState):
        return value._replace(minimum_octets=value.minimum_octets + 1)
    return (other(value[0], chance), *value[1:]) if isinstance(value, tuple) and value else None


def mutants(expected: Expected, chance: Random) -> Iterator[tuple[str, Expected]]:
    """One changed field or one missing row at a time."""
    for table in TABLES:
        rows = getattr(expected, table)
        for at, row in enumerate(rows):
            for name in row._fields:
                value = getattr(row, name)
                new = other(value, chance)
                if name not in UNJUDGED and new is not None and not _excused(row, name):
                    changed = (*rows[:at], row._replace(**{name: new}), *rows[at + 1 :])
                    yield f"{table}[{at}].{name}", swapped(expected, table, changed)


NOT_COMPARED = {
    "svi": ("name",),
    "ethernet": ("vlan_id", "mac"),
    "lag": ("vlan_id", "mac"),
    "subinterface": ("vlan_id", "mac"),
    "loopback": ("name", "up", "mtu", "vlan_id", "mac"),
}
"""Fields that are not compared in interfaces of a kind, as the docstring of ExpectedInterface says."""


def _excused(row: object, name: str) -> bool:
    """Fields that are not compared in some rows."""
    excused: tuple[str, ...] = ()
    match row:
        case ExpectedInterface(kind=kind, up=up):
            excused = NOT_COMPARED[kind] if up is not False else ("name", "mtu", "vrf", "vlan_id", "mac")
            excused += ("vlans",) if row.vlans is None else ()
        case ExpectedRoute(discard=True):
            excused = ("width", "vlan_id")
        case ExpectedRoute(width=0):
            excused = ("width",)
        case ExpectedVni(kind="l3"):
            excused = ("vlan_id",)
        case ExpectedEvpnRoute(rd=""):
            excused = ("rd", "next_hop")
    return name in excused


@pytest.mark.parametrize("seed", range(3))
def test_every_field_is_judged(seed: int) -> None:
    state = right_state(LEAF)
    survivors = [
        name
        for name, mutant in mutants(LEAF, Random(seed))  # noqa: S311 - a draw that can be repeated
        if not judge(mutant, state, lambda _, __: ()).findings
    ]
    assert survivors == []


def test_the_mutants_are_many() -> None:
    assert sum(1 for _ in mutants(LEAF, Random(0))) > 120  # noqa: S311


@pytest.mark.parametrize("table", [*TABLES, "forbidden"])
def test_every_row_of_the_state_is_planned(table: str) -> None:
    """A switch that shows less than was planned is wrong, row by row; what it shows more is told where it can be."""
    state = right_state(LEAF)
    more = {"interfaces", "routes", "evpn", "forbidden"}  # of these a switch may well have more than the plan
    rows = getattr(LEAF, table)
    for at in range(len(rows)):
        fewer = swapped(LEAF, table, (*rows[:at], *rows[at + 1 :]))
        assert table in more or judge(fewer, state, lambda _, __: ()).findings, (table, at)
        if table != "forbidden":
            lacking = right_state(fewer)
            verdict = judge(LEAF, lacking, lambda _, __: ())
            silent = table == "adjacencies" and not rows[at].required
            unsaid = table == "qos" and verdict.unchecked
            closed = table == "interfaces" and rows[at].up is False
            assert verdict.findings or silent or unsaid or closed, (table, at)


@pytest.mark.parametrize("name", [d.name for d in healthy()])
def test_a_switch_that_shows_what_is_derived_is_right(name: str) -> None:
    expected = next(one for one in expectations(healthy(), lambda _: "text") if one.device == name)
    verdict = judge(expected, right_state(expected), lambda _, __: ())
    assert verdict.findings == ()
    assert {check for check, _ in verdict.passed} >= {"interfaces", "mtu", "addresses", "lldp", "sessions", "routes"}


@pytest.mark.parametrize(("name", "twin"), [("fe-leaf-002", "fe-leaf-003"), ("be-spine-00", "be-spine-01")])
def test_one_switch_is_not_another(name: str, twin: str) -> None:
    """Two boxes that were racked in each other's place are found out by name; without one in each part that differs."""
    found = {one.device: one for one in expectations(healthy())}
    state = right_state(found[twin])
    wrong = judge(found[name], state, lambda _, __: ())
    assert [(finding.code, finding.actual) for finding in wrong.findings] == [("another-switch", twin)]
    nameless = judge(found[name], replace(state, facts=None), lambda _, __: ())
    assert {"bgp-wrong-router-id", "lldp-wrong-port", "session-missing", "session-unexpected", "address-wrong"} <= {
        finding.code for finding in nameless.findings
    }


def test_every_part_of_expected_is_mutated_or_told_otherwise() -> None:
    """Queues and what is drained: in test_verify_counters.py, test_verify_lines.py; files, segments: in their own."""
    rest = {
        "device",
        "system",
        "asn",
        "router_id",
        "forbidden",
        "closed",
        "configuration",
        "management",
        "unchecked",
        "files",
        "segments",
        "version",
    }
    assert {field.name for field in fields(Expected)} == {*TABLES, *rest, "queues", "drained", "drains"}
