"""The report of a push for a ticket: tables that stay tables, and never more than a forge takes."""

import re
from fractions import Fraction

import pytest

from fabricgen.push.model import Need, PlannedSwitch, RunOutcome, RunRecord, StepName, StepState, Wave
from fabricgen.push.report.markdown import markdown
from fabricgen.push.report.model import report
from tests.push.push_records import (
    HEAD,
    LEAF,
    broken,
    changed,
    done,
    killed,
    record,
    said,
    stopped,
    took,
    unsettled,
    waiting,
)
from tests.some import some

HOSTILE = "a|b\n</details><script>`*_[x](y)@everyone#1\x1b[2J\u202e\udcff"


def rows_of(told: str) -> list[str]:
    return [row for row in told.split("\n") if row.startswith("|")]


def cells(row: str) -> list[str]:
    """Cells of a row, as a forge splits it: a pipe behind a backslash is none."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_a_run_that_failed() -> None:
    told = markdown(report(broken()), "fabricgen push --show")
    assert told.startswith(
        "### Push 7 of site/intent.yaml to inventories/lab\n\n"
        "❌ **Failed: unconfirmed commits were rolled back.**\n\n"
        "- 3 switches: 1 reverted, 2 not reached\n"
    )
    assert told.endswith("\n\nEverything: `fabricgen push --show`\n")
    asked = told.partition("**What to do, in this order**\n\n")[2].partition("\n\n")[0].splitlines()
    assert asked[0].startswith("1. find out why be-leaf-000 was rolled back: checks fail after the change")
    assert asked[1].startswith("2. then run the same command without --commit")
    assert told.index(asked[0]) < told.index("**Not as intended: 1**")
    assert "**Not as intended: 1**\n\n- be-leaf-000, reverted: checks fail after the change" in told
    table = [cells(row) for row in rows_of(told) if row.startswith("| be-leaf-000")]
    assert table == [
        [
            "be-leaf-000",
            "🟡 reverted<br>2026-03-01 12:00:05 UTC",
            "not drained first, no server on it<br>no server stands behind it<br>risk: hitless",
            "2",
            "10 OK, 0 failed",
            "8 OK, 2 failed<br>2 new failures",
            "36.0 s<br>read 0.5 s, revert 2.0 s; change: load 1.0 s, commit 2.0 s, check 30.0 s (failed)",
        ]
    ]
    assert "<details><summary>What was to change on be-leaf-000</summary>\n\n```diff\n--- a\n+++ b\n+ one\n" in told
    assert "<summary>Events 1 to 11 of 11 (UTC)</summary>" in told
    assert "- 2026-03-01 12:00:38.000 be-leaf-000: revert ended: reverted: it runs its previous configuration\n" in told


def test_a_run_that_went_well() -> None:
    told = markdown(report(done()))
    assert "✅ **Success: every switch runs the rendered configuration, and all checks passed.**" in told
    assert (
        "\n\nChecks: no new failures; before: 1,204 OK, 3 failed; after: 1,205 OK, 2 failed "
        "(failing before, or waiting for switches that are not changed yet)\n\n"
    ) in told
    assert "Everything" not in told
    assert "Not as intended" not in told
    assert "What was to change on be-spine-1…2" in told  # the same lines, once
    assert told.count("+ three") == 1


def test_a_run_that_was_killed_says_so_and_what_to_type() -> None:
    told = markdown(report(killed()))
    assert "⏳ **Not finished: it is running, or was interrupted.**" in told
    assert "\n- To resume, type `fabricgen push site/intent.yaml -i inventories/lab --commit`\n" in told
    ticked = markdown(report(killed(), "a `b` ``c``"))
    assert "type ``` a `b` ``c`` ```\n" in ticked


def test_a_run_that_was_stopped_says_what_to_type() -> None:
    told = markdown(report(stopped()))
    assert "⏹️ **Stopped before the next switch.**" in told
    assert "\n- To push the rest, type `fabricgen push site/intent.yaml -i inventories/lab --commit`\n" in told
    assert "go on" not in markdown(report(done()))


def test_commits_that_wait_go_back_by_themselves_unless_it_goes_on() -> None:
    assert (
        "\n- If it was killed, be-spine-1 reverts by itself 120 s after its commit, at 2026-03-01 12:02:21 UTC, "
        "unless the push goes on before\n"
        "- On be-spine-2 an unconfirmed commit may be left: it reverts by itself\n"
        "- To resume, type `"
    ) in markdown(report(waiting()))


def test_checks_that_are_not_the_same_are_explained_above_their_table() -> None:
    rows = [
        *took(1, 1, "be-spine-1", "change", StepName.CHECK, before={"passed": 1}, after={"passed": 2, "findings": 0}),
        *took(1, 1, "be-spine-2", "change", StepName.CHECK, before={"passed": 3}, after={"passed": 2, "findings": 4}),
    ]
    told = markdown(report(record(*rows)))
    assert (
        "\n\nChecks: failed checks that are not new were failing before, or waiting for "
        "switches that are not changed yet\n\n| switch |"
    ) in told
    assert "not newly wrong" not in markdown(report(record(*rows[:2])))


@pytest.mark.parametrize("length", [1, 400])
def test_nothing_is_markup(length: int) -> None:
    name = HOSTILE * length
    planned = PlannedSwitch(name, 1, Need.PLAIN, name, name, "a", "b", f"+ ```\n+ {name}\n")
    wave = Wave(1, name, name, False, (name,), Fraction(1))
    rows = [
        *took(1, 1, name, "change", StepName.CHECK, new=[name]),
        said(3, name, name, StepName.LOAD, StepState.FAILED, kind=name, reason=name),
        said(4, "", "", StepName.DONE, StepState.ENDED, reason=name),
    ]
    strange = record(*rows, outcome=RunOutcome.FAILED, waves=(wave,), planned=(planned,))
    strange = strange._replace(head=HEAD._replace(intent=name, inventory=name, who=name))
    told = markdown(report(strange))
    assert len(told) <= 60_000
    assert {len(cells(row)) for row in rows_of(told)} == {7}
    outside = re.sub("````diff.*?\n````\n", "", told, flags=re.DOTALL)  # of what no forge reads as markup
    assert outside.count("<details>") == outside.count("</details>")
    for bad in ("<script", "@everyone", "\x1b", "\u202e"):
        assert bad not in outside
    assert told.encode()
    # What is ours: bold headings, fences of a command, headings, rows of a table.
    texts = [cell for row in rows_of(outside) for cell in cells(row)]
    texts += [row.strip("*#") for row in outside.split("\n") if not row.startswith("|")]
    for row in texts:
        foreign = row.partition("a\\|b")[2].removesuffix("**")
        assert not re.search(r"(?<!\\)[`*_\[\]#|]", foreign), foreign[:200]
    assert sum("a\\|b" in row for row in texts) > 8


def _large(switches: int, waves: int, *, is_good: bool) -> RunRecord:
    """A run of many switches; the last wave's went wrong, where it is not good."""
    each = switches // waves
    kept, planned, rows = [], [], []
    for number in range(waves):
        names = tuple(f"be-leaf-{number * each + at:04d}" for at in range(each))
        kept.append(Wave(number + 1, "backend", "leaf", number == 0, names, Fraction(3, 4)))
        planned += [
            PlannedSwitch(
                name, number + 1, Need.DRAIN, "a session falls", "session reset", "a", "b", f"+ {name}\n" * 50
            )
            for name in names
        ]
        for name in names:
            rows += changed(name, number * 50 + 2, drained=True)
    if not is_good:
        rows += [
            said(100_000, name, "", StepName.READ, StepState.FAILED, reason="gone") for name in kept[-1].devices[:3]
        ]
    return record(
        *rows, outcome=RunOutcome.DONE if is_good else RunOutcome.FAILED, waves=tuple(kept), planned=tuple(planned)
    )


@pytest.mark.parametrize(("switches", "waves"), some([(90, 3), (1024, 4), (2048, 1), (1024, 256)]))
def test_it_is_never_longer_than_a_forge_takes(switches: int, waves: int) -> None:
    told = markdown(report(_large(switches, waves, is_good=False)), "fabricgen push --show")
    assert 10_000 < len(told) <= 60_000
    assert told.count("<details>") == told.count("</details>")
    assert "omitted, because of the length limit of a comment._\n\nEverything: `fabricgen push --show`\n" in told
    last = switches - switches // waves
    for name in (f"be-leaf-{last + at:04d}" for at in range(3)):
        assert f"- {name}, failed: read failed: gone" in told
        assert [row for row in rows_of(told) if row.startswith(f"| {name} | 🔴 failed")]  # its table was not left out


def test_what_goes_well_is_folded_where_there_is_much() -> None:
    told = markdown(report(_large(1024, 4, is_good=True)))
    assert "| 246 more: be-leaf-0010…0255 | 🟢 246 done |" in told
    assert "| 246 more: be-leaf-0778…1023 | 🟢 246 done |" in told
    small = markdown(report(_large(40, 1, is_good=True)))
    assert " more: " not in small
    assert len([row for row in rows_of(small) if row.startswith("| be-leaf")]) == 40


def test_what_went_wrong_stands_above_in_its_table() -> None:
    large = _large(80, 1, is_good=True)
    late = said(100_000, "be-leaf-0077", "", StepName.READ, StepState.FAILED, reason="gone")
    events = (*large.events, record(late).events[0])
    told = markdown(report(large._replace(events=events, outcome=RunOutcome.FAILED)))
    names = [cells(row)[0] for row in rows_of(told) if row.startswith("| be-leaf")]
    assert names[:2] == ["be-leaf-0077", "be-leaf-0000"]
    assert "| 40 more: be-leaf-0039…0076, be-leaf-0078…0079 | 🟢 40 done |" in told


def test_waves_stand_in_their_order_and_the_one_that_went_wrong_is_not_folded() -> None:
    large = _large(150, 3, is_good=True)
    late = [
        said(100_000, f"be-leaf-{at:04d}", "", StepName.READ, StepState.FAILED, reason="gone") for at in range(50, 65)
    ]
    told = markdown(report(large._replace(events=(*large.events, *record(*late).events), outcome=RunOutcome.FAILED)))
    titles = [int(number) for number in re.findall(r"^\*\*Wave (\d+): 50 leaves", told, flags=re.MULTILINE)]
    assert titles == [1, 2, 3]
    names = [cells(row)[0] for row in rows_of(told) if row.startswith("| be-leaf")]
    assert [len([name for name in names if wave * 50 <= int(name[-4:]) < wave * 50 + 50]) for wave in range(3)] == [
        10,
        40,
        10,
    ]


def test_many_waves_are_summed_up() -> None:
    told = markdown(report(_large(256, 64, is_good=True)))
    assert "| 24 more waves: 96 switches | 🟢 96 done |  |  |" in told


def test_a_report_of_nothing() -> None:
    told = markdown(report(record(waves=(), planned=(), outcome=RunOutcome.ABANDONED)))
    assert "⏹️ **Abandoned: another run replaced it.**" in told
    assert LEAF not in told


def test_what_does_not_count_is_told_with_why() -> None:
    told = markdown(report(unsettled()))
    rows = told.partition("Not counted against the push, and why")[2].splitlines()
    assert [row for row in rows[:5] if "swp" in row] == [
        "- pending: be-leaf-000: port swp9 is down (its far end is off)",
        "- excused: be-leaf-000: port swp8 hears nobody (it was there before)",
    ]


def test_a_run_that_was_killed_and_typed_again_says_so() -> None:
    rows = markdown(report(record(said(30, "", "", StepName.RESUME, StepState.ENDED)))).splitlines()
    assert "- interrupted and resumed once: 2026-03-01 12:00:30 UTC" in rows


def test_what_hands_typed_while_commits_waited_comes_first() -> None:
    events = (
        said(30, LEAF, "", StepName.UNDO, StepState.BEGUN, lines=["interface swp1 / shutdown", "mtu 9000"]),
        said(31, LEAF, "", StepName.UNDO, StepState.ENDED, lines=["interface swp1 / shutdown"], removed=["ip routing"]),
        said(32, "be-spine-1", "", StepName.UNDO, StepState.BEGUN, lines=["router bgp 1 / neighbor 10.0.0.1 shutdown"]),
        said(33, "be-spine-2", "", StepName.UNDO, StepState.ENDED, unknown="nobody knows"),
        said(34, "", "", StepName.UNDO, StepState.ENDED, lines=["named before it began"]),
    )
    found = markdown(report(record(*events, outcome=RunOutcome.FAILED)))
    asked = found.partition("**What to do, in this order**\n\n")[2].partition("\n\n")[0].splitlines()
    assert [row.partition(":")[0] for row in asked] == ["1. then run the same command without --commit"]
    block = found.partition("**Manual changes while commits waited: 4**\n\n")[2].partition("\n\n")[0]
    assert block.splitlines() == [
        (
            "- be-leaf-000: added manually while the commit waited, and undone with the revert: interface "
            "swp1 / shutdown: add it again if you still want it"
        ),
        (
            "- be-leaf-000: removed manually while the commit waited, and restored with the revert: ip "
            "routing: remove it again if you still want that"
        ),
        "- be-spine-2: manual changes while its commit waited are unknown: nobody knows; ask who worked on this switch",
        "- be-spine-1: added manually while the commit waited, and undone with the "
        "revert: router bgp 1 / neighbor 10.0.0.1 "
        "shutdown: add it again if you still want it",
    ]
