"""The report of a push for a terminal, held against texts that were written by hand."""

import re

from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from tests.push.push_records import (
    HEAD,
    LEAF,
    PLANNED,
    broken,
    changed,
    cut,
    done,
    killed,
    record,
    said,
    stopped,
    took,
    unsettled,
    waiting,
)

BROKEN = """\
Push 7 of site/intent.yaml to inventories/lab: Failed: unconfirmed commits were rolled back.
  1. find out why be-leaf-000 was rolled back: checks fail after the change: BGP session \
be-leaf-000 swp1 is down, and 1 more; reverted: it runs its previous configuration
  2. then run the same command without --commit: it shows what is left to change, and changes nothing
  started 2026-03-01 12:00:00 UTC, ended 2026-03-01 12:00:40 UTC, 40.0 s; by alice@jump, approval 0123456789ab
  3 switches: 1 reverted, 2 not reached
  The fabric was not checked.

Wave 1: 1 leaf of backend, the first of its kind: 1 reverted; from 2026-03-01 12:00:02 UTC, 36.0 s
  checks: 2 new failures; before: 10 OK, 0 failed; after: 8 OK, 2 failed
    new: BGP session be-leaf-000 swp1 is down
    new: BGP session be-leaf-000 swp2 is down
  be-leaf-000: REVERTED, changed 2026-03-01 12:00:05 UTC, 36.0 s
    checks fail after the change: BGP session be-leaf-000 swp1 is down, and 1 more; \
reverted: it runs its previous configuration
    not drained first, no server on it (no server stands behind it); risk: hitless; lines: 2
    read 0.5 s, revert 2.0 s; change: load 1.0 s, commit 2.0 s, check 30.0 s (failed)

Wave 2: 2 spines of backend; leaves keep at least 3/4 of their uplinks: 2 not reached
  be-spine-1: not reached
    drained first (a session falls); risk: session reset; lines: 1
  be-spine-2: not reached
    drained first (a session falls); risk: session reset; lines: 1
"""
KILLED = """\
Push 7 of site/intent.yaml to inventories/lab: Not finished: it is running, or was interrupted.
  started 2026-03-01 12:00:00 UTC, end not recorded, 21.0 s; by alice@jump, approval 0123456789ab
  3 switches: 1 done, 1 unfinished, 1 not reached
  The fabric was not checked.
"""
COMMAND = "fabricgen push site/intent.yaml -i inventories/lab --commit"
STEERING = "\x1b[2J\x07\u202e\u2066\x9b\udcff"


def test_a_run_that_failed() -> None:
    assert "\n".join(text(report(broken()))) + "\n" == BROKEN


def test_a_cause_is_told_once_with_what_follows_from_it_below() -> None:
    rows = list(text(report(cut())))
    seen = "before: 10 OK, 0 failed; after: 8 OK, 2 failed"
    at = rows.index(f"  checks: 2 new failures, with 3 consequences; {seen}")
    assert rows[at + 1 : at + 5] == [
        "    new: be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down",
        "      3 consequences: sessions 1, routes 2 (on be-leaf-000, be-leaf-001)",
        "    new: be-leaf-000: daemon bgpd does not run",
        "  be-leaf-000: REVERTED, changed 2026-03-01 12:00:05 UTC, 36.0 s",
    ]
    assert rows[1:3] == [
        "  1. fix be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down, with 3 consequences",
        "  2. fix be-leaf-000: daemon bgpd does not run",
    ]
    assert not any("route 10.9.0.0/24" in row for row in rows)
    assert "        route 10.9.0.0/24 was over 2 paths, now over 1 path" in list(text(report(cut()), details=True))


def test_a_run_that_was_killed_says_so_and_what_to_type() -> None:
    said_first = list(text(report(killed())))
    assert "\n".join(said_first[:4]) + "\n" == KILLED
    for details in (False, True):
        assert list(text(report(killed()), details=details))[-3:] == [
            "",
            "On be-spine-1 an unconfirmed commit may be left: it reverts by itself.",
            f"To resume, type: {COMMAND}",
        ]
    assert "  be-spine-1: UNFINISHED, 1.0 s" in said_first
    assert "    last event: commit of drain begun" in said_first
    assert "    read 0.5 s; drain: load 1.0 s, commit (end not recorded)" in said_first


def test_who_signed_stands_beside_who_typed() -> None:
    signed = said(0, "", "", StepName.APPROVE, StepState.ENDED, by="bob@example.net")
    found = done()
    (line,) = (
        row
        for row in text(report(found._replace(events=(*found.events, *record(signed, signed).events))))
        if "started" in row
    )
    assert line.endswith(", signed by bob@example.net")
    assert "signed" not in "".join(text(report(found)))


def test_a_run_that_was_killed_and_goes_on_says_how_often() -> None:
    again = [said(30 + at, "", "", StepName.RESUME, StepState.ENDED) for at in range(7)]
    assert "typed again" not in "\n".join(text(report(killed())))
    first = "  interrupted and resumed once: 2026-03-01 12:00:30 UTC"
    assert list(text(report(record(*changed(LEAF, 2, drained=False), again[0]))))[2] == first
    assert list(text(report(record(*again))))[2] == (
        "  interrupted and resumed 7 times: 2026-03-01 12:00:30 UTC, 2026-03-01 12:00:31 UTC, 2026-03-01 12:00:32 UTC, "
        "2026-03-01 12:00:33 UTC, 2026-03-01 12:00:34 UTC, and 2 more"
    )


def test_a_run_that_was_stopped_ends_with_what_to_type() -> None:
    rows = list(text(report(stopped())))
    assert rows[0].endswith(": Stopped before the next switch.")
    assert rows[-2:] == ["", f"To push the rest, type: {COMMAND}"]


def test_commits_that_wait_go_back_by_themselves_unless_it_goes_on() -> None:
    assert list(text(report(waiting())))[-4:] == [
        "",
        "If it was killed, be-spine-1 reverts by itself 120 s after its commit, at 2026-03-01 12:02:21 UTC, "
        "unless the push goes on before.",
        "On be-spine-2 an unconfirmed commit may be left: it reverts by itself.",
        f"To resume, type: {COMMAND}",
    ]
    both = record(
        *took(20, 1, "be-spine-1", "drain", StepName.COMMIT, seconds=120),
        *took(20, 3, "be-spine-2", "drain", StepName.COMMIT, seconds=120),
        *took(20, 4, LEAF, "drain", StepName.COMMIT, seconds=60),
    )
    assert list(text(report(both)))[-3:-1] == [
        "If it was killed, be-spine-1…2 revert by themselves 120 s after their commits, the last at "
        "2026-03-01 12:02:23 UTC, unless the push goes on before.",
        "If it was killed, be-leaf-000 reverts by itself 60 s after its commit, at 2026-03-01 12:01:24 UTC, "
        "unless the push goes on before.",
    ]


def test_what_is_not_as_planned_after_the_last_look_at_the_whole_is_explained() -> None:
    judged: dict[str, object] = {"before": {"passed": 860, "findings": 99}, "after": {"passed": 869, "findings": 96}}
    found = list(text(report(record(*took(1, 1, "", "", StepName.CHECK, **judged, new=[], waits=96)))))
    assert found[3] == (
        "  Fabric checks, by the new intent: no new failures; before: 860 OK, 99 failed; after: 869 OK, 96 failed"
        " (failing before, or on switches that this push did not change)"
    )


def test_a_run_that_went_well() -> None:
    rows = list(text(report(done())))
    assert rows[0].endswith(": Success: every switch runs the rendered configuration, and all checks passed.")
    assert rows[3] == (
        "  Fabric checks, by the new intent: no new failures; before: 2,400 OK, 3 failed; after: 2,403 OK, 0 failed"
    )
    assert "  be-spine-2: at the artifact" in rows
    assert (
        "  checks: no new failures; before: 1,204 OK, 3 failed; after: 1,205 OK, 2 failed "
        "(failing before, or waiting for switches that are not changed yet)"
    ) in rows
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
        "  2026-03-01 12:00:39.000 the run: done ended: be-leaf-000: checks fail after the change: "
        "BGP session be-leaf-000 swp1 is down, and 1 more"
    )


def test_a_last_check_that_fails() -> None:
    judged: dict[str, object] = {"before": {"passed": 9, "findings": 0}, "after": {"passed": 8, "findings": 1}}
    rows = [
        said(1, "", "", StepName.CHECK, StepState.BEGUN),
        said(2, "", "", StepName.CHECK, StepState.FAILED, **judged, new=["a path is gone"]),
    ]
    found = list(text(report(record(*rows, outcome=RunOutcome.FAILED))))
    assert found[0].endswith(": Failed: no switch was changed.")
    rows.append(said(3, LEAF, "", StepName.DONE, StepState.ENDED))
    whole = list(text(report(record(*rows, outcome=RunOutcome.FAILED))))
    assert whole[0].endswith(": Failed: nothing was rolled back, and confirmed changes stay.")
    assert found[1:3] == [
        "  1. see the message of the run: check failed: 1 new failure; before: 9 OK, 0 failed; "
        "after: 8 OK, 1 failed; new: a path is gone",
        "  2. then run the same command without --commit: it shows what is left to change, and changes nothing",
    ]
    assert found[5:8] == [
        "  Fabric checks, by the new intent: 1 new failure; before: 9 OK, 0 failed; after: 8 OK, 1 failed",
        "    a path is gone",
        "  check failed: 1 new failure; before: 9 OK, 0 failed; after: 8 OK, 1 failed; new: a path is gone",
    ]


def test_a_switch_that_failed_is_for_a_person() -> None:
    rows = said(1, LEAF, "", StepName.REVERT, StepState.FAILED, kind="lost", reason="gone")
    found = list(text(report(record(rows, outcome=RunOutcome.FAILED))))
    assert found[0].endswith(
        "Failed: some switches may run neither the earlier nor the rendered configuration. "
        "An operator has to check 1 switch."
    )
    assert found[1].startswith(f"  1. check {LEAF}: ")
    assert "gone" in found[1]
    assert f"  {LEAF}: FAILED, 0.0 s" in found


def test_checks_of_each_switch_where_they_are_not_the_same() -> None:
    rows = [
        *took(1, 1, "be-spine-1", "change", StepName.CHECK, before={"passed": 1}, after={"passed": 2, "findings": 0}),
        *took(1, 1, "be-spine-2", "change", StepName.CHECK, before={"passed": 3}, after={}),
    ]
    found = list(text(report(record(*rows))))
    told = "    checks: no new failures; before: 1 OK, ? failed; after: 2 OK, 0 failed"
    assert told in found
    assert "    checks: before: 3 OK, ? failed; after: –" in found


def test_nothing_steers_a_terminal() -> None:
    odd = PLANNED[0]._replace(why=f"why{STEERING}", difference=f"+ x{STEERING}\n- y", device=f"leaf{STEERING}\nleaf")
    rows = [
        *took(1, 1, odd.device, "change", StepName.CHECK, new=[f"new{STEERING}"]),
        said(
            3, odd.device, f"st{STEERING}", StepName.LOAD, StepState.FAILED, kind=STEERING, reason=f"re{STEERING}\nason"
        ),
    ]
    strange = record(*rows, planned=(odd,), waves=())
    strange = strange._replace(head=HEAD._replace(intent=f"i{STEERING}", who=f"w{STEERING}"))
    told = list(text(report(strange, f"type{STEERING}"), details=True))
    assert re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "".join(told)) is None
    assert any("leaf" in row and "FAILED" in row for row in told)
    assert "\n".join(told).encode()


def test_what_does_not_count_is_told_with_why_and_what_waits_stands_in_the_first_line() -> None:
    rows = [*text(report(unsettled()))]
    assert rows[0].endswith("all checks passed. 1 finding waits for something outside of it, see pending.")
    at = next(number for number, row in enumerate(rows) if row.startswith("  Fabric checks"))
    assert rows[at + 1 : at + 3] == [
        "    pending: be-leaf-000: port swp9 is down (its far end is off)",
        "    excused: be-leaf-000: port swp8 hears nobody (it was there before)",
    ]
    assert len([row for row in rows if "swp9" in row]) == 1  # once, not at each wave that was good


def test_of_a_run_that_failed_what_did_not_count_stands_at_its_wave() -> None:
    found = broken()
    told = {"pending": ["one"], "excused": ["another"]}
    events = (one._replace(detail={**one.detail, **told}) if "new" in one.detail else one for one in found.events)
    rows = [*text(report(found._replace(events=tuple(events))))]
    assert [rows.count(f"    {row}") for row in ("pending: one", "excused: another")] == [1, 1]
