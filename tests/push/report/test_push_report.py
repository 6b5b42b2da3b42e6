"""A run of the journal as a report: what became of each switch, whatever the journal has or has not."""

from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.push.journal.pending import PendingCommit
from fabricgen.push.model import Need, PlannedSwitch, RunOutcome, StepName, StepState, Wave
from fabricgen.push.report.json import plain
from fabricgen.push.report.markdown import markdown
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, report
from fabricgen.push.report.steps import BeforeAfter, CheckReport, judged_words
from fabricgen.push.report.text import text
from tests.push.push_records import HEAD, LEAF, PLANNED, SPINES, START, Said, broken, done, killed, record, said, took
from tests.some import rounds


def switch_of(found: Report, device: str) -> SwitchResult:
    (switch,) = [one for one in found.switches if one.device == device]
    return switch


def ended(*events: Said, outcome: RunOutcome | None = RunOutcome.FAILED) -> SwitchResult:
    """How the leaf ended by these events."""
    return switch_of(report(record(*events, outcome=outcome)), LEAF)


def test_a_run_that_went_well() -> None:
    found = report(done())
    assert found.counts == {SwitchOutcome.DONE: 2, SwitchOutcome.AT_ARTIFACT: 1}
    assert found.checks == BeforeAfter(CheckReport(2400, 3), CheckReport(2403, 0), (), 0)
    assert found.reasons == ()
    assert found.resume == ""
    assert found.seconds == 65.0
    assert [len(wave.switches) for wave in found.waves] == [1, 2]
    leaf = switch_of(found, LEAF)
    assert (leaf.need, leaf.why, leaf.risk, leaf.lines) == ("absent", "no server stands behind it", "hitless", 12)
    assert leaf.checks == BeforeAfter(CheckReport(1204, 3), CheckReport(1205, 2), (), 2)
    assert (leaf.end, leaf.reason) == (SwitchOutcome.DONE, "")
    assert leaf.seconds == 10.0
    assert leaf.changed == START + timedelta(seconds=5)
    assert [(step.stage, step.step, step.seconds) for step in leaf.steps] == [
        ("", StepName.READ, 0.5),
        ("change", StepName.LOAD, 1.0),
        ("change", StepName.COMMIT, 2.0),
        ("change", StepName.CHECK, 5.25),
        ("change", StepName.CONFIRM, 1.75),
    ]
    assert [step.phrase for step in leaf.steps] == [
        "differs, 12 lines",
        "12 lines",
        "reverts after 120 s unless confirmed",
        "no new failures; before: 1,204 OK, 3 failed; after: 1,205 OK, 2 failed "
        "(failing before, or waiting for switches that are not changed yet)",
        "",
    ]
    assert (found.waves[0].started, found.waves[0].seconds) == (START + timedelta(seconds=2), 10.0)


def test_a_switch_that_was_drained() -> None:
    spine = switch_of(report(done()), SPINES[0])
    assert spine.seconds == 30.0
    assert spine.changed == START + timedelta(seconds=33)
    assert [step.step for step in spine.steps if step.stage == "drain"] == [
        StepName.LOAD,
        StepName.COMMIT,
        StepName.QUIET,
        StepName.CONFIRM,
    ]
    (quiet,) = [step for step in spine.steps if step.step is StepName.QUIET]
    assert quiet.phrase == "at most 1,200 bit/s on 2 ports, limit 10,000 bit/s, 5 polls"
    assert len(spine.steps) == 13


def test_a_switch_that_ran_its_artifact_before() -> None:
    spine = switch_of(report(done()), SPINES[1])
    assert (spine.end, spine.changed, spine.seconds, spine.lines) == (SwitchOutcome.AT_ARTIFACT, None, None, 1)
    assert spine.checks == BeforeAfter(None, None, (), None)


def test_a_run_whose_first_switch_breaks_something() -> None:
    found = report(broken())
    assert found.counts == {SwitchOutcome.REVERTED: 1, SwitchOutcome.NOT_REACHED: 2}
    leaf = switch_of(found, LEAF)
    assert leaf.reason == (
        "checks fail after the change: BGP session be-leaf-000 swp1 is down, and 1 more; "
        "reverted: it runs its previous configuration"
    )
    new = ("BGP session be-leaf-000 swp1 is down", "BGP session be-leaf-000 swp2 is down")
    assert leaf.checks == BeforeAfter(CheckReport(10, 0), CheckReport(8, 2), new, None)
    assert leaf.lines == 2  # of the difference, without its two head lines
    assert [step.how for step in leaf.steps if step.step is StepName.CHECK] == [StepState.FAILED]
    assert leaf.seconds == 36.0  # to the end of the revert
    assert {switch_of(found, name).reason for name in SPINES} == {""}
    assert found.waves[1].started is None


def test_a_run_that_was_killed() -> None:
    found = report(killed())
    assert (found.outcome, found.ended) == (None, None)
    assert found.resume == "fabricgen push site/intent.yaml -i inventories/lab --commit"
    assert found.seconds == 21.0
    spine = switch_of(found, SPINES[0])
    assert (spine.end, spine.reason) == (SwitchOutcome.OPEN, "last event: commit of drain begun")
    assert spine.steps[-1].how is StepState.BEGUN
    assert spine.steps[-1].seconds is None
    assert switch_of(found, SPINES[1]).end is SwitchOutcome.NOT_REACHED
    assert report(killed(), "fabricgen push x --resume").resume == "fabricgen push x --resume"


def test_a_command_with_blanks_is_quoted() -> None:
    odd = killed()._replace(head=HEAD._replace(intent="my site/intent.yaml", inventory="a;b"))
    assert report(odd).resume == "fabricgen push 'my site/intent.yaml' -i 'a;b' --commit"


def test_a_run_that_goes_on_tells_the_step_that_was_cut_off() -> None:
    cut_off = [
        *took(1, 1, LEAF, "change", StepName.LOAD),
        said(2, LEAF, "change", StepName.COMMIT, StepState.BEGUN),
        *took(60, 1, LEAF, "", StepName.READ, found="pending"),
        *took(61, 3, LEAF, "change", StepName.COMMIT, seconds=None),
        said(65, LEAF, "", StepName.DONE, StepState.ENDED, how="pushed"),
    ]
    leaf = ended(*cut_off, outcome=RunOutcome.DONE)
    assert leaf.end is SwitchOutcome.DONE
    commits = [(step.how, step.seconds, step.phrase) for step in leaf.steps if step.step is StepName.COMMIT]
    assert commits == [(StepState.BEGUN, None, ""), (StepState.ENDED, 3.0, "not timed")]


LOADED = took(1, 1, LEAF, "change", StepName.LOAD)
COMMITTED = [*LOADED, *took(3, 1, LEAF, "change", StepName.COMMIT)]
ENDS: dict[str, tuple[list[Said], SwitchOutcome, str]] = {
    "nothing is told": ([], SwitchOutcome.NOT_REACHED, ""),
    "only read": (took(1, 1, LEAF, "", StepName.READ, found="differs"), SwitchOutcome.NOT_REACHED, ""),
    "loaded when another failed": (LOADED, SwitchOutcome.NOT_REACHED, ""),
    "not let in": (
        [said(1, LEAF, "", StepName.READ, StepState.FAILED, kind="login", reason="not let in")],
        SwitchOutcome.FAILED,
        "read failed: login: not let in",
    ),
    "a failure without words": (
        [said(1, LEAF, "change", StepName.LOAD, StepState.FAILED)],
        SwitchOutcome.FAILED,
        "load of change failed",
    ),
    "a check that could not be made": (
        [
            said(
                1,
                LEAF,
                "change",
                StepName.CHECK,
                StepState.FAILED,
                reason="gone away",
                after={"passed": 1, "findings": 1},
            )
        ],
        SwitchOutcome.FAILED,
        "check of change failed: gone away",
    ),
    "committed, nothing after it is recorded": (COMMITTED, SwitchOutcome.OPEN, "last event: commit of change ended"),
    "failed and reverted": (
        [
            *COMMITTED,
            said(5, LEAF, "change", StepName.CONFIRM, StepState.FAILED, kind="lost", reason="gone away"),
            *took(6, 1, LEAF, "", StepName.REVERT, why="reverted"),
        ],
        SwitchOutcome.REVERTED,
        "confirm of change failed: lost: gone away; reverted",
    ),
    "not even reverted": (
        [*COMMITTED, said(6, LEAF, "", StepName.REVERT, StepState.FAILED, kind="lost", reason="gone away")],
        SwitchOutcome.FAILED,
        "revert failed: lost: gone away",
    ),
    "a revert that was only begun": (
        [
            *COMMITTED,
            said(5, LEAF, "change", StepName.CHECK, StepState.FAILED),
            said(6, LEAF, "", StepName.REVERT, StepState.BEGUN),
        ],
        SwitchOutcome.FAILED,
        "check of change failed",
    ),
    "reverted, and read again": (
        [*COMMITTED, *took(6, 1, LEAF, "", StepName.REVERT, why="x"), *took(8, 1, LEAF, "", StepName.READ)],
        SwitchOutcome.REVERTED,
        "x",
    ),
    "reverted, and done later": (
        [
            *COMMITTED,
            *took(6, 1, LEAF, "", StepName.REVERT, why="x"),
            said(9, LEAF, "", StepName.DONE, StepState.ENDED),
        ],
        SwitchOutcome.DONE,
        "",
    ),
    "done before it failed": (
        [
            said(2, LEAF, "", StepName.DONE, StepState.ENDED),
            said(3, LEAF, "", StepName.READ, StepState.FAILED, reason="r"),
        ],
        SwitchOutcome.FAILED,
        "read failed: r",
    ),
}


@pytest.mark.parametrize("what", ENDS)
def test_how_a_switch_ended(what: str) -> None:
    events, end, reason = ENDS[what]
    leaf = ended(*events)
    assert (leaf.end, leaf.reason) == (end, reason)


def test_what_was_loaded_is_unfinished_while_the_run_is() -> None:
    leaf = ended(*LOADED, outcome=None)
    assert (leaf.end, leaf.reason) == (SwitchOutcome.OPEN, "last event: load of change ended")


def test_the_runs_end_names_the_switch_that_was_not_quiet() -> None:
    rows = [
        *took(1, 5, LEAF, "drain", StepName.QUIET, ports={"swp1": None, "swp2": 5e6}, limit=1000),
        *took(7, 1, LEAF, "", StepName.REVERT, why="undrained"),
        said(9, "", "", StepName.DONE, StepState.ENDED, reasons={LEAF: "swp2 is loud", "": "the whole"}),
    ]
    found = report(record(*rows, outcome=RunOutcome.FAILED))
    assert switch_of(found, LEAF).reason == "swp2 is loud; undrained"
    assert switch_of(found, LEAF).steps[0].phrase == "at most 5,000,000 bit/s on 1 port, limit 1,000 bit/s"
    assert found.reasons == ("the whole",)


def test_the_reason_of_a_switch_is_said_once() -> None:
    rows = [
        said(1, LEAF, "change", StepName.LOAD, StepState.FAILED, kind="refused", reason="line 3 is no command"),
        said(2, "", "", StepName.DONE, StepState.ENDED, reasons={LEAF: "line 3 is no command"}),
    ]
    assert ended(*rows).reason == "load of change failed: refused: line 3 is no command"


def test_why_a_run_was_stopped() -> None:
    found = report(
        record(
            said(1, "", "", StepName.DONE, StepState.ENDED, reason="stopped by the operator"),
            outcome=RunOutcome.STOPPED,
        )
    )
    assert found.reasons == ("stopped by the operator",)
    assert found.resume == "fabricgen push site/intent.yaml -i inventories/lab --commit"


@pytest.mark.parametrize("outcome", [RunOutcome.DONE, RunOutcome.FAILED, RunOutcome.ABANDONED])
def test_a_run_that_is_over_has_nothing_to_go_on_with(outcome: RunOutcome) -> None:
    committed = took(3, 1, LEAF, "change", StepName.COMMIT, seconds=120)
    found = report(record(*committed, outcome=outcome), "fabricgen push x")
    assert (found.resume, found.waiting) == ("", ())


TIMED = took(3, 1, LEAF, "change", StepName.COMMIT, seconds=120)
WAITS = PendingCommit(LEAF, 120, START + timedelta(seconds=124), is_sure=True)
LEFT: dict[str, tuple[list[Said], tuple[PendingCommit, ...]]] = {
    "nothing was committed": (took(1, 1, LEAF, "change", StepName.LOAD), ()),
    "a commit waits": (TIMED, (WAITS,)),
    "it is checked": ([*TIMED, said(5, LEAF, "change", StepName.CHECK, StepState.BEGUN)], (WAITS,)),
    "it is confirmed": ([*TIMED, *took(5, 1, LEAF, "change", StepName.CONFIRM)], ()),
    "it may be confirmed": (
        [*TIMED, said(5, LEAF, "change", StepName.CONFIRM, StepState.BEGUN)],
        (WAITS._replace(is_sure=False),),
    ),
    "it could not be confirmed": (
        [*TIMED, said(5, LEAF, "change", StepName.CONFIRM, StepState.FAILED)],
        (WAITS._replace(is_sure=False),),
    ),
    "it is reverted": ([*TIMED, *took(5, 1, LEAF, "", StepName.REVERT)], ()),
    "its revert is begun": ([*TIMED, said(5, LEAF, "", StepName.REVERT, StepState.BEGUN)], (WAITS,)),
    "it was only begun": (TIMED[:1], (PendingCommit(LEAF, None, None, is_sure=False),)),
    "it failed": (
        [*TIMED[:1], said(4, LEAF, "change", StepName.COMMIT, StepState.FAILED)],
        (PendingCommit(LEAF, None, None, is_sure=False),),
    ),
    "it is not timed": (took(3, 1, LEAF, "change", StepName.COMMIT, seconds=None), ()),
    "the next one waits": (
        [
            *TIMED,
            *took(5, 1, LEAF, "change", StepName.CONFIRM),
            *took(7, 1, LEAF, "undrain", StepName.COMMIT, seconds=60),
        ],
        (PendingCommit(LEAF, 60, START + timedelta(seconds=68), is_sure=True),),
    ),
    "another one waits": (
        [*TIMED, *took(5, 1, SPINES[0], "change", StepName.CONFIRM)],
        (WAITS,),
    ),
    "a time that is none": (took(3, 1, LEAF, "change", StepName.COMMIT, seconds=10**30), ()),
}


@pytest.mark.parametrize("what", LEFT)
def test_commits_that_go_back_by_themselves(what: str) -> None:
    events, waiting = LEFT[what]
    assert report(record(*events)).waiting == waiting


WORDS: dict[str, tuple[BeforeAfter, str]] = {
    "nothing is told": (BeforeAfter(None, None, (), None), ""),
    "all is right": (
        BeforeAfter(CheckReport(9, 0), CheckReport(9, 0), (), 0),
        "no new failures; before: 9 OK, 0 failed; after: 9 OK, 0 failed",
    ),
    "all waits": (
        BeforeAfter(CheckReport(236, 6), CheckReport(235, 7), (), 7),
        "no new failures; before: 236 OK, 6 failed; after: 235 OK, 7 failed (REST)",
    ),
    "some was accepted": (
        BeforeAfter(CheckReport(9, 0), CheckReport(1234, 1008), (), 1005),
        "no new failures; before: 9 OK, 0 failed; after: 1,234 OK, 1,008 failed "
        "(1,005 of them REST; 3 of an accepted loss)",
    ),
    "all was accepted": (
        BeforeAfter(CheckReport(9, 0), CheckReport(7, 2), (), 0),
        "no new failures; before: 9 OK, 0 failed; after: 7 OK, 2 failed (2 of an accepted loss)",
    ),
    "some is new": (
        BeforeAfter(CheckReport(9, 0), CheckReport(5, 4), ("a", "b"), 2),
        "2 new failures; before: 9 OK, 0 failed; after: 5 OK, 4 failed (2 of them REST)",
    ),
    "all is new": (
        BeforeAfter(CheckReport(9, 0), CheckReport(5, 4), ("a",), 0),
        "1 new failure; before: 9 OK, 0 failed; after: 5 OK, 4 failed",
    ),
    "nobody counted what waits": (
        BeforeAfter(CheckReport(9, 0), CheckReport(5, 4), ("a",), None),
        "1 new failure; before: 9 OK, 0 failed; after: 5 OK, 4 failed",
    ),
    "nobody looked after it": (BeforeAfter(CheckReport(9, 0), None, (), None), "before: 9 OK, 0 failed; after: –"),
}


@pytest.mark.parametrize("what", WORDS)
def test_checks_in_words(what: str) -> None:
    judged, words = WORDS[what]
    assert judged_words(judged, "REST") == words


def test_switches_without_a_wave_and_waves_without_a_plan_are_told() -> None:
    loose = PlannedSwitch("late", 9, Need.PLAIN, "why", "hitless", "a", "b", "")
    same = PlannedSwitch("third", 1, Need.PLAIN, "why", "hitless", "a", "b", "")
    wave = Wave(1, "backend", "leaf", False, (LEAF, "unplanned"), Fraction(1, 2))
    found = report(record(waves=(wave,), planned=(PLANNED[0], loose, same)))
    assert [[one.device for one in wave.switches] for wave in found.waves] == [[LEAF, "unplanned", "third"], ["late"]]
    assert [one.need for one in found.switches] == ["absent", "", "plain", "plain"]
    assert found.waves[1].wave.role == ""


def test_a_clock_that_was_put_back_gives_no_duration() -> None:
    rows = record(said(5, LEAF, "change", StepName.LOAD, StepState.BEGUN))
    late = rows.events[0]
    early = late._replace(at=START, how=StepState.ENDED)
    found = report(rows._replace(events=(late, early)))
    assert switch_of(found, LEAF).steps[0].seconds is None
    assert switch_of(found, LEAF).seconds is None
    assert found.seconds == 5.0


def test_checks_before_the_first_stage_and_after_the_last() -> None:
    rows = [
        *took(1, 1, LEAF, "change", StepName.CHECK, before={"passed": 5}, after={"passed": 6}, new=["a"]),
        *took(3, 1, LEAF, "undrain", StepName.CHECK, before={"passed": 7}, after={"passed": 8}, new=["b"]),
        said(5, LEAF, "undrain", StepName.CHECK, StepState.BEGUN),
    ]
    leaf = ended(*rows)
    assert leaf.checks == BeforeAfter(CheckReport(5, None), CheckReport(8, None), ("b",), None)


def test_an_end_without_a_beginning_takes_no_others_place() -> None:
    rows = [*took(1, 1, LEAF, "", StepName.READ, found="differs"), said(9, LEAF, "", StepName.READ, StepState.ENDED)]
    assert [(step.seconds, step.phrase) for step in ended(*rows).steps] == [(1.0, "differs"), (None, "")]


def test_a_flag_is_no_number() -> None:
    leaf = ended(*took(1, 1, LEAF, "", StepName.READ, lines=True), *took(3, 1, LEAF, "change", StepName.LOAD, lines=9))
    assert leaf.lines == 9


def test_the_lines_that_were_read_first_count() -> None:
    rows = [
        *took(1, 1, LEAF, "change", StepName.LOAD, lines=9),
        *took(3, 1, LEAF, "", StepName.READ, lines=12),
        *took(5, 1, LEAF, "", StepName.READ, lines=0),
    ]
    assert ended(*rows).lines == 12


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
KEYS = st.sampled_from([
    *("found", "lines", "seconds", "ports", "limit", "polls", "before", "after", "passed", "findings"),
    *("new", "waits", "why", "kind", "reason", "reasons", "how", "wave"),
])  # fmt: skip
EVENTS = st.builds(
    Said,
    st.integers(0, 100),
    st.sampled_from(["", LEAF, *SPINES, "stranger"]),
    st.sampled_from(["", "drain", "change", "undrain", "?"]),
    st.sampled_from(StepName),
    st.sampled_from(StepState),
    st.dictionaries(KEYS, JSON, max_size=4),
)


@given(st.lists(EVENTS, max_size=25), st.none() | st.sampled_from(RunOutcome))
@rounds(200)
def test_no_journal_is_too_strange(events: list[Said], outcome: RunOutcome | None) -> None:
    found = report(record(*events, outcome=outcome))
    assert [one.device for one in found.switches] == [LEAF, *SPINES]
    assert sum(found.counts.values()) == 3
    assert list(text(found, details=True))
    assert markdown(found)
    assert plain(found)["schema_version"] == 0
