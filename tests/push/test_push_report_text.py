"""The report of a push for a terminal, held against texts that were written by hand."""

import re

from fabricgen.push.model import How, Outcome, StepName
from fabricgen.push.report import report
from fabricgen.push.report_text import text
from tests.push.push_records import HEAD, LEAF, PLANNED, broken, done, killed, record, said, took

BROKEN = """\
Push 7 of site/intent.yaml to inventories/lab: Failed: what was committed and not confirmed was reverted.
  started 2026-03-01 12:00:00 UTC, ended 2026-03-01 12:00:40 UTC, 40.0 s; by alice@jump, approval 0123456789ab
  3 switches: 1 reverted, 2 not reached
  The whole was not checked.

Wave 1: 1 leaf of backend, the first of its kind: 1 reverted; from 2026-03-01 12:00:02 UTC, 36.0 s
  checks: 10 right, 0 wrong before; 8 right, 2 wrong after
  be-leaf-000: REVERTED, changed 2026-03-01 12:00:05 UTC, 36.0 s
    the checks do not hold after the change: BGP session be-leaf-000 swp1 is down, and 1 more; \
reverted: it runs what it ran before
    at once, no server behind it (no server stands behind it); risk: hitless; lines: 2
    read 0.5 s, revert 2.0 s; change: load 1.0 s, commit 2.0 s, check 30.0 s (failed)
    new: BGP session be-leaf-000 swp1 is down
    new: BGP session be-leaf-000 swp2 is down

Wave 2: 2 spines of backend; leaves keep 3/4 of their uplinks at least: 2 not reached
  be-spine-1: not reached
    drained first (a session falls); risk: session reset; lines: 1
  be-spine-2: not reached
    drained first (a session falls); risk: session reset; lines: 1
"""
KILLED = """\
Push 7 of site/intent.yaml to inventories/lab: Not finished: it runs now, or was killed.
  started 2026-03-01 12:00:00 UTC, no end is told, 21.0 s; by alice@jump, approval 0123456789ab
  3 switches: 1 done, 1 unfinished, 1 not reached
  The whole was not checked.
  To go on where it stands, type: fabricgen push site/intent.yaml -i inventories/lab --commit
"""
STEERING = "\x1b[2J\x07\u202e\u2066\x9b\udcff"


def test_a_run_that_failed() -> None:
    assert "\n".join(text(report(broken()))) + "\n" == BROKEN


def test_a_run_that_was_killed_says_so_and_what_to_type() -> None:
    said_first = list(text(report(killed())))
    assert "\n".join(said_first[:5]) + "\n" == KILLED
    assert "  be-spine-1: UNFINISHED, 1.0 s" in said_first
    assert "    told last: commit of drain begun" in said_first
    assert "    read 0.5 s; drain: load 1.0 s, commit (no end is told)" in said_first


def test_a_run_that_went_well() -> None:
    rows = list(text(report(done())))
    assert rows[0].endswith(": Done: every switch runs what was rendered, and the checks hold.")
    assert rows[3] == (
        "  Checks of the whole: 2,400 right, 3 wrong before; 2,403 right, 0 wrong after; nothing new is wrong"
    )
    assert "  be-spine-2: at the artifact" in rows
    assert "  checks: 1,204 right, 1 wrong before; 1,205 right, 0 wrong after" in rows
    assert not [row for row in rows if "told last" in row or "type:" in row]


def test_details_have_every_event_and_what_changed() -> None:
    short, long = list(text(report(broken()))), list(text(report(broken()), details=True))
    assert "      + one" in long
    assert "      + one" not in short
    at = long.index("Events")
    assert len(long) - at - 1 == len(broken().events) == 11
    assert long[at + 6] == (
        "  2026-03-01 12:00:05.000 be-leaf-000: commit of change ended: reverts after 120 s unless confirmed"
    )
    assert long[-1] == (
        "  2026-03-01 12:00:39.000 the run: done ended: be-leaf-000: the checks do not hold after the change: "
        "BGP session be-leaf-000 swp1 is down, and 1 more"
    )


def test_a_last_check_that_fails() -> None:
    judged: dict[str, object] = {"before": {"passed": 9, "findings": 0}, "after": {"passed": 8, "findings": 1}}
    rows = [
        said(1, "", "", StepName.CHECK, How.BEGUN),
        said(2, "", "", StepName.CHECK, How.FAILED, **judged, new=["a path is gone"]),
    ]
    found = list(text(report(record(*rows, outcome=Outcome.FAILED))))
    assert found[3:6] == [
        "  Checks of the whole: 9 right, 0 wrong before; 8 right, 1 wrong after; 1 new",
        "    a path is gone",
        "  check failed: before 9 right, 0 wrong; after 8 right, 1 wrong; new: a path is gone",
    ]


def test_a_switch_that_failed_is_for_a_person() -> None:
    rows = said(1, LEAF, "", StepName.REVERT, How.FAILED, kind="lost", reason="gone")
    found = list(text(report(record(rows, outcome=Outcome.FAILED))))
    assert found[0].endswith("was reverted. A person has to look at 1 switch.")
    assert f"  {LEAF}: FAILED, 0.0 s" in found


def test_checks_of_each_switch_where_they_are_not_the_same() -> None:
    rows = [
        *took(1, 1, "be-spine-1", "change", StepName.CHECK, before={"passed": 1}, after={"passed": 2, "findings": 0}),
        *took(1, 1, "be-spine-2", "change", StepName.CHECK, before={"passed": 3}, after={}),
    ]
    found = list(text(report(record(*rows))))
    assert "    checks: 1 right, ? wrong before; 2 right, 0 wrong after" in found
    assert "    checks: 3 right, ? wrong before; – after" in found


def test_nothing_steers_a_terminal() -> None:
    odd = PLANNED[0]._replace(why=f"why{STEERING}", difference=f"+ x{STEERING}\n- y", device=f"leaf{STEERING}\nleaf")
    rows = [
        *took(1, 1, odd.device, "change", StepName.CHECK, new=[f"new{STEERING}"]),
        said(3, odd.device, f"st{STEERING}", StepName.LOAD, How.FAILED, kind=STEERING, reason=f"re{STEERING}\nason"),
    ]
    strange = record(*rows, planned=(odd,), waves=())
    strange = strange._replace(head=HEAD._replace(intent=f"i{STEERING}", who=f"w{STEERING}"))
    told = list(text(report(strange, f"type{STEERING}"), details=True))
    assert re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "".join(told)) is None
    assert any("leaf" in row and "FAILED" in row for row in told)
    assert "\n".join(told).encode()
