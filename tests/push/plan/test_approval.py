"""An approval is void once what runs, or what is to run, is no longer what was shown."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.push.model import Approval, Need, PlannedSwitch, Wave
from fabricgen.push.plan import approval
from fabricgen.push.plan.approval import Terms, fingerprint, moved

AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
SWITCHES = {f"leaf-{at:03}": (f"runs {at}", f"is to run {at}") for at in range(6)}
WAVES = (
    Wave(1, "backend", "leaf", canary=True, devices=("leaf-005",), keeps=Fraction(1)),
    Wave(2, "backend", "leaf", canary=False, devices=("leaf-000", "leaf-001"), keeps=Fraction(1)),
    Wave(3, "backend", "leaf", canary=False, devices=("leaf-002", "leaf-003", "leaf-004"), keeps=Fraction(1)),
)
TERMS = Terms(Path("/sites/a"), Fraction(3, 4), 100_000, None, paths=False, undone=())


def planned(name: str, before: str, artifact: str) -> PlannedSwitch:
    """A switch that is changed at once."""
    return PlannedSwitch(name, 1, Need.PLAIN, "", "hitless", before, artifact, "")


def approval_of(switches: Mapping[str, tuple[str, str]], waves: Sequence[Wave], terms: Terms, at: datetime) -> Approval:
    """Approval of switches that are changed at once."""
    return approval.approval_of([planned(name, *pair) for name, pair in switches.items()], waves, terms, at)


APPROVAL = approval_of(SWITCHES, WAVES, TERMS, AT)


def test_fingerprint_is_sha256() -> None:
    """FIPS 180-2, appendix B.1: the message "abc"."""
    assert fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert fingerprint("é") == fingerprint("\u00e9") != fingerprint("e\u0301")


def test_an_id_is_of_what_is_approved_and_of_no_clock() -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", APPROVAL.id)
    assert approval_of(dict(reversed(SWITCHES.items())), list(WAVES), TERMS, AT + timedelta(days=9)).id == APPROVAL.id
    assert APPROVAL.at == AT
    assert APPROVAL.switches == SWITCHES


OTHERS: tuple[Callable[[], Approval], ...] = (
    lambda: approval_of({**SWITCHES, "leaf-003": ("runs x", "is to run 3")}, WAVES, TERMS, AT),
    lambda: approval_of({**SWITCHES, "leaf-003": ("runs 3", "is to run x")}, WAVES, TERMS, AT),
    lambda: approval_of({**SWITCHES, "leaf-009": ("", "")}, WAVES, TERMS, AT),
    lambda: approval_of({name: pair[::-1] for name, pair in SWITCHES.items()}, WAVES, TERMS, AT),
    lambda: approval_of(SWITCHES, WAVES[:2], TERMS, AT),
    lambda: approval_of(SWITCHES, (WAVES[0], WAVES[2], WAVES[1]), TERMS, AT),
    lambda: approval_of(SWITCHES, (WAVES[0]._replace(devices=("leaf-004",)), *WAVES[1:]), TERMS, AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(inventory=Path("/sites/b")), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(floor=Fraction(1, 2)), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(floor=None), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(quiet_below=100_001), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(soak=0.0), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(paths=True), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(undone=("leaf-000: shutdown",)), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(site={"push.yaml": {"soak": 60.0}}), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(site={"push.yaml": {"soak": 61.0}}), AT),
    lambda: approval_of(SWITCHES, WAVES, TERMS._replace(site={"interruption": {"leaf-000": {"hitless": 9}}}), AT),
    lambda: approval_of({}, (), TERMS, AT),
)


def test_anything_else_has_another_id() -> None:
    ids = {APPROVAL.id, *(make().id for make in OTHERS)}
    assert len(ids) == 1 + len(OTHERS)


SWITCH = planned("leaf-000", "runs", "is to run")


def test_another_way_to_change_a_switch_has_another_id() -> None:
    """Who approved that it is drained first, or that it is harmless, has not approved that packets are lost."""
    ways = [
        SWITCH,
        SWITCH._replace(need=Need.DRAIN),
        SWITCH._replace(need=Need.ACCEPTED),
        SWITCH._replace(risk="unknown"),
        SWITCH._replace(accepted=True),
    ]
    found = [approval.approval_of([one], (), TERMS, AT) for one in ways]
    assert len({one.id for one in found}) == len(ways)
    assert all(one.switches == {"leaf-000": ("runs", "is to run")} for one in found)
    assert not any(moved(found[0], one.switches) for one in found)


def test_why_a_switch_may_be_changed_is_in_no_id() -> None:
    """Words of a reason may be written otherwise in another release."""
    other = SWITCH._replace(why="other words", difference="+ other words")
    assert approval.approval_of([other], (), TERMS, AT).id == approval.approval_of([SWITCH], (), TERMS, AT).id


WORDS = st.text(st.sampled_from('ab",[]\\\x00'), max_size=3)


@given(st.dictionaries(WORDS, st.tuples(WORDS, WORDS)), st.dictionaries(WORDS, st.tuples(WORDS, WORDS)))
def test_no_two_of_one_id(one: dict[str, tuple[str, str]], other: dict[str, tuple[str, str]]) -> None:
    """However names and digests are cut."""
    same = approval_of(one, (), TERMS, AT).id == approval_of(other, (), TERMS, AT).id
    assert same == (one == other)
    assert (moved(approval_of(one, (), TERMS, AT), other) == ()) == same


def test_what_runs_is_not_what_is_to_run() -> None:
    ids = {approval_of({"leaf": pair}, (), TERMS, AT).id for pair in (("ab", ""), ("a", "b"), ("", "ab"))}
    assert len({*ids, approval_of({"leafa": ("b", "")}, (), TERMS, AT).id}) == 4


def test_nothing_has_moved() -> None:
    assert moved(APPROVAL, dict(SWITCHES)) == ()


@pytest.mark.parametrize(
    ("now", "what"),
    [
        (
            {**SWITCHES, "leaf-001": ("by hand", "is to run 1")},
            "leaf-001: has another running configuration than at the approval: it was changed since",
        ),
        (
            {**SWITCHES, "leaf-001": ("runs 1", "another"), "leaf-000": ("runs 0", "another")},
            "leaf-000, leaf-001: each would get another configuration than the approved one",
        ),
        ({**SWITCHES, "leaf-077": ("", "")}, "leaf-077: would change, but is not in the approval"),
        (
            {"leaf-005": SWITCHES["leaf-005"]},
            "leaf-000, leaf-001, leaf-002 and 2 more: each is in the approval, but no longer needs a change",
        ),
    ],
)
def test_what_has_moved(now: dict[str, tuple[str, str]], what: str) -> None:
    (problem,) = moved(APPROVAL, now)
    assert problem.code == "approval-moved"
    assert problem.what == what
    assert problem.why == f"approval {APPROVAL.id} of 2026-03-04 05:06:07 UTC is valid as long as nothing changes"
    assert "without --commit and --approval" in problem.fix


def test_several_things_at_once() -> None:
    now = {"leaf-000": ("by hand", "another"), "leaf-010": ("", "")}
    assert len(moved(APPROVAL, now)) == 4
