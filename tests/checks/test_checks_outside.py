"""A tenant that reaches its peers outside over no border leaf is an error; over drained ones alone, a warning."""

from typing import Any

import pytest

from fabricgen.checks.capacity.outside import ways_out, ways_out_in_service
from fabricgen.checks.catalogue import examine_plan
from fabricgen.errors import Problem
from tests.checks.test_checks_away import ABSENT, DEAD, DRAINED, made

ONE, TWO = "fe-border-00", "fe-border-01"
WIRE, WIRE2 = f"{ONE}/Ethernet1/1", f"{TWO}/Ethernet1/1"
EXTERNAL = "tenants.serving.external"


def told(overrides: dict[str, Any], **keys: object) -> tuple[list[Problem], list[Problem]]:
    plan = made(overrides, **keys)
    return list(ways_out(plan)), list(ways_out_in_service(plan))


@pytest.mark.parametrize(
    "overrides",
    [
        {"fe-border-*": ABSENT},
        {"fe-border-*": DEAD},
        {ONE: ABSENT, TWO: DEAD},
        {WIRE: ABSENT, WIRE2: ABSENT},
        {ONE: ABSENT, WIRE2: ABSENT},
        {f"link:{WIRE}": DEAD, TWO: DEAD},
        {f"link:{WIRE}": ABSENT, f"link:{WIRE2}": ABSENT},
    ],
)
def test_no_way_out_is_an_error(overrides: dict[str, Any]) -> None:
    (problem,), notes = told(overrides)
    assert (problem.code, notes) == ("outside-lost", [])
    assert problem.what == "tenants research, serving of frontend reach nothing outside the fabric"
    assert problem.where[0] == "overrides"
    codes = [one.code for one in examine_plan(made(overrides)).problems]
    assert "outside-lost" in codes


@pytest.mark.parametrize(
    "overrides",
    [
        {"fe-border-*": DRAINED},
        {ONE: DRAINED, TWO: ABSENT},
        {ONE: DEAD, TWO: DRAINED},
        {WIRE: ABSENT, TWO: DRAINED},
    ],
)
def test_drained_ways_out_alone_are_a_warning(overrides: dict[str, Any]) -> None:
    problems, (note,) = told(overrides)
    assert (problems, note.code) == ([], "outside-drained")
    assert note.what == "tenants research, serving of frontend have only drained border leaves towards external peers"
    assert "is drained" in note.why


@pytest.mark.parametrize(
    "overrides", [{}, {ONE: ABSENT}, {TWO: DEAD}, {ONE: DRAINED}, {WIRE: ABSENT}, {"fe-leaf-*": DRAINED}]
)
def test_one_way_out_in_service_is_enough(overrides: dict[str, Any]) -> None:
    assert told(overrides) == ([], [])


def test_each_tenant_is_asked_by_its_own_sessions() -> None:
    """`serving` has its only session on the border leaf that is away; `research` has another."""
    only = [{"peer": "fw1", "border": 0, "port": 0, "vlan": 901, "asn": 64601,
             "addresses": ["172.31.0.4/31"], "accept": ["0.0.0.0/0"]}]  # fmt: skip
    (problem,), notes = told({ONE: ABSENT}, **{EXTERNAL: only})
    assert notes == []
    assert problem.what == "tenant serving of frontend reaches nothing outside the fabric"
    assert problem.why == "fe-border-00 is absent, and its session to external peers ends there"
    assert problem.where == ("overrides", ONE)
    assert problem.about == (ONE,)
    problems, (note,) = told({ONE: DRAINED}, **{EXTERNAL: only})
    assert (problems, note.what) == (
        [],
        "tenant serving of frontend has only drained border leaves towards external peers",
    )
    assert told({TWO: ABSENT}, **{EXTERNAL: only}) == ([], [])
    assert told({"fe-border-*": ABSENT}, **{EXTERNAL: [], "tenants.research.external": []}) == ([], [])


def test_it_can_be_waived_with_a_reason() -> None:
    waivers = [{"code": "outside-lost", "reason": "the border leaves come next week"}]
    verdict = examine_plan(made({"fe-border-*": ABSENT}, waivers=waivers))
    assert "outside-lost" not in [one.code for one in verdict.problems]
    assert [one.problem.code for one in verdict.waived] == ["outside-lost"]
