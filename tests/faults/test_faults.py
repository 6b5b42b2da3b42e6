"""The catalogue of faults is whole, and judges verify by what was written down before."""

from collections import Counter

import pytest

from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.faults.catalogue import CATALOGUE, LEAST, chosen
from tests.faults.model import Cables, Cause, Fault, on
from tests.faults.run import INTENT, SUBSET
from tests.faults.verdict import Seen, causes_of, is_exact, misses, reached, table
from tests.lab.sites import plan

CODES = {found.code for check in LIVE_CHECKS for found in check.codes}
LEAF, SPINE = "be-leaf-000", "be-spine-00"


def test_there_are_enough_and_two_of_three_are_new() -> None:
    assert len(CATALOGUE) >= LEAST
    assert sum(not one.known for one in CATALOGUE) >= 2 * len(CATALOGUE) / 3


def test_each_has_a_name_of_its_own() -> None:
    assert [name for name, number in Counter(one.id for one in CATALOGUE).items() if number > 1] == []
    assert [one.id for one in CATALOGUE if not one.says.endswith(".")] == []


def test_each_is_made_and_taken_back_on_what_stands_in_the_lab() -> None:
    lab = make_lab(plan(INTENT), parse_subset(SUBSET))
    there = {device.name for device in lab.devices} | {server.name for server in lab.servers}
    for one in CATALOGUE:
        assert one.does, one.id
        assert one.heals, one.id
        healed = {name for act in one.heals for name in act.where}
        assert one.touched <= healed <= there, one.id


def test_each_cable_that_is_pulled_is_laid_again() -> None:
    for one in CATALOGUE:
        pulled = {laid for act in one.does if isinstance(act, Cables) for laid in act.pulled}
        assert pulled == {laid for act in one.heals if isinstance(act, Cables) for laid in act.laid}, one.id


def test_each_cause_is_a_code_of_verify_on_something_near_the_fault() -> None:
    for one in CATALOGUE:
        assert {cause.code for cause in one.causes} <= CODES, one.id
        assert one.causes or one.why, one.id


def test_one_fault_is_on_one_switch_or_on_one_cable() -> None:
    for one in CATALOGUE:
        assert len(one.touched) <= (1, 3)[one.kind in ("cable", "loss")], one.id


def test_faults_are_chosen_by_id_and_by_kind() -> None:
    assert [one.id for one in chosen(["cable-cut"])] == ["cable-cut"]
    assert {one.kind for one in chosen(["cable", "bfd"])} == {"cable", "bfd"}
    with pytest.raises(KeyError, match="no-such"):
        chosen(["no-such"])


FAULT = Fault(
    "x", "port", "It is so.", on(LEAF, "true"), on(LEAF, "true"), (Cause(LEAF, "interface-shut", "port swp1"),)
)
Row = dict[str, object]


def found(device: str, code: str, subject: str, consequences: int = 0, **more: object) -> Row:
    words = dict.fromkeys(("problem", "expected", "actual"), "")
    return {"device": device, "check": "interfaces", "code": code, "subject": subject, **words} | (
        {"consequences": consequences} | more
    )


def exact(*rows: Row) -> bool:
    return is_exact(FAULT, causes_of({"switches": [{"findings": rows}]}), {LEAF, SPINE})


RIGHT = found(LEAF, "interface-shut", "port swp1", 2)


def test_the_cause_is_exact_where_it_is_said_first_and_nobody_else_is_blamed() -> None:
    assert exact(RIGHT)
    assert exact(RIGHT, found(LEAF, "mtu-wrong", "port swp1"), found("train-000", "ping-lost", "ping"))
    assert exact(RIGHT, found(SPINE, "interface-down", "port swp9", cause={}))


def test_else_it_is_not() -> None:
    assert not exact()
    assert not exact(found(LEAF, "interface-shut", "port swp2"))
    assert not exact(found(LEAF, "interface-down", "port swp1"))
    assert not exact(RIGHT, found(LEAF, "mtu-wrong", "port swp1", 3))
    assert not exact(RIGHT, found(SPINE, "mtu-wrong", "port swp1"))


def test_the_goal() -> None:
    """76 of 80 found, 64 by the exact cause, no alarm."""
    seen = Seen(FAULT, found=True, exact=True, seconds=1.0, first="x", causes=1)
    unnamed, missed = seen._replace(exact=False), seen._replace(found=False, exact=False)
    assert reached([seen] * 64 + [unnamed] * 12 + [missed] * 4, 0)
    assert not reached([seen] * 64 + [unnamed] * 11 + [missed] * 5, 0)
    assert not reached([seen] * 63 + [unnamed] * 13 + [missed] * 4, 0)
    assert not reached([seen] * 80, 1)
    assert not reached([seen] * 79 + [seen._replace(healed="session-down")], 0)


def test_what_is_missed_is_told_with_its_reason() -> None:
    seen = Seen(FAULT, found=True, exact=True, seconds=1.0, first="", causes=1)
    assert misses([seen]) == []
    (line,) = misses([seen._replace(exact=False, fault=FAULT._replace(why="nobody knows"))])
    assert line == "x: cause not named: It is so. nobody knows"
    assert len(table([seen, seen])) == 3
