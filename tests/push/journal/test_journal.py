"""The journal: what was put in comes out, files that are none are refused, threads do not lose a note."""

import fcntl
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError, Problem
from fabricgen.push.journal.journal import Journal, JournalReader, open_journal, read_journal
from fabricgen.push.journal.rows import VERSION
from fabricgen.push.model import (
    Approval,
    Event,
    Head,
    Need,
    PlannedSwitch,
    RunOutcome,
    RunRecord,
    StepName,
    StepState,
    Wave,
)

START = datetime(2026, 3, 1, 12, 0, 0, 123456, UTC)
HEAD = Head("c0ffee", "site/intent.yaml", "inventories/lab", "ab" * 32, "alice@jump")
WAVES = (
    Wave(1, "backend", "leaf", True, ("be-leaf-000",), Fraction(1)),
    Wave(2, "backend", "spine", False, ("be-spine-1", "be-spine-2"), Fraction(3, 4)),
)
PLANNED = (
    PlannedSwitch("be-leaf-000", 1, Need.ABSENT, "no server", "hitless", "aa", "bb", "+ line\n- line\n"),
    PlannedSwitch("be-spine-1", 2, Need.DRAIN, "a session falls", "session reset", "cc", "dd", ""),
    PlannedSwitch("be-spine-2", 2, Need.ACCEPTED, "accepted", "reload", "ee", "ff", ""),
)
EDITS = {
    "a step that is none": "UPDATE events SET step = 'jump'",
    "a stage of the plan that is none": "UPDATE planned SET need = 'hope'",
    "an outcome that is none": "UPDATE runs SET ended = started, outcome = 'fine'",
    "a share of nothing": "UPDATE waves SET keeps = '1/0'",
    "a share in words": "UPDATE waves SET keeps = 'most'",
    "a time without a zone": "UPDATE events SET at = '2026-03-01T12:00:00'",
    "a time that is none": "UPDATE runs SET started = 'now'",
    "no JSON": "UPDATE events SET detail = '{'",
    "JSON that is no object": "UPDATE events SET detail = '[1]'",
    "nested JSON": "UPDATE events SET detail = replace(hex(zeroblob(50000)), '0', '[')",
    "devices that are no list": "UPDATE waves SET devices = '7'",
    "devices that are no names": "UPDATE waves SET devices = '[7]'",
    "a number in words": "UPDATE waves SET number = 'two'",
    "octets that are no text": "UPDATE runs SET who = x'ff'",
    "text that is no UTF-8": "UPDATE runs SET who = CAST(x'ff' AS TEXT)",
}
OTHER = {
    "ALTER TABLE planned DROP COLUMN accepted": "its table planned lacks accepted",
    "ALTER TABLE runs ADD COLUMN ticket": "its table runs also has ticket",
    "ALTER TABLE runs RENAME COLUMN who TO operator": "its table runs lacks who and also has operator",
    "DROP TABLE events": "it has no table events",
}
"""What makes the tables another release's → what is said of them."""


def ticking() -> Callable[[], datetime]:
    """A clock that goes on by a second and a microsecond whenever it is asked."""
    ticks = count()
    return lambda: START + timedelta(seconds=(tick := next(ticks)), microseconds=tick)


def problem_of(caught: pytest.ExceptionInfo[FabricError]) -> Problem:
    (problem,) = caught.value.problems
    assert problem.what
    assert problem.why
    assert problem.fix
    return problem


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "push.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with open_journal(path) as opened:
        yield opened


def test_a_run_comes_out_as_it_went_in(path: Path) -> None:
    clock, told = ticking(), ticking()
    told()  # the lock asks once
    with open_journal(path, clock) as journal:
        started = told()
        run = journal.begin(HEAD, WAVES, PLANNED)
        journal.note(run, StepName.READ, StepState.BEGUN, device="be-leaf-000")
        journal.note(run, StepName.READ, StepState.ENDED, device="be-leaf-000", detail={"found": "differs", "lines": 2})
        journal.note(
            run, StepName.LOAD, StepState.FAILED, device="be-leaf-000", stage="change", detail={"kind": "refused"}
        )
        events = (
            Event(told(), "be-leaf-000", "", StepName.READ, StepState.BEGUN, {}),
            Event(told(), "be-leaf-000", "", StepName.READ, StepState.ENDED, {"found": "differs", "lines": 2}),
            Event(told(), "be-leaf-000", "change", StepName.LOAD, StepState.FAILED, {"kind": "refused"}),
        )
        open_run = RunRecord(1, HEAD, started, None, None, WAVES, PLANNED, events)
        assert journal.record(run) == open_run
        assert journal.unfinished() == open_run
        journal.finish(run, RunOutcome.FAILED)
        done = open_run._replace(ended=told(), outcome=RunOutcome.FAILED)
        assert journal.unfinished() is None
        assert journal.last() == done
    with read_journal(path) as reader:
        assert reader.last() == reader.record(1) == done
        assert isinstance(done.events[0].at, datetime)


def test_a_reason_for_the_end_is_an_event_of_the_run(journal: Journal) -> None:
    run = journal.begin(HEAD, (), ())
    journal.finish(run, RunOutcome.STOPPED, {"reason": "Ctrl-C"})
    record = journal.record(run)
    assert [event[1:] for event in record.events] == [("", "", StepName.DONE, StepState.ENDED, {"reason": "Ctrl-C"})]
    assert record.events[0].at == record.ended
    with pytest.raises(LookupError, match="no unfinished run 1"):
        journal.finish(run, RunOutcome.DONE, {"reason": "twice"})
    assert journal.record(run) == record


def test_runs_are_numbered_and_the_newest_open_one_is_found(journal: Journal) -> None:
    assert journal.last() is None
    assert journal.unfinished() is None
    first, second = journal.begin(HEAD, WAVES, ()), journal.begin(HEAD._replace(who="bob"), (), PLANNED)
    assert (first, second) == (1, 2)
    assert (journal.record(first).planned, journal.record(second).waves) == ((), ())
    unfinished = journal.unfinished()
    assert unfinished is not None
    assert unfinished.number == 2
    journal.finish(second, RunOutcome.DONE)
    unfinished, last = journal.unfinished(), journal.last()
    assert unfinished is not None
    assert last is not None
    assert (unfinished.number, last.number) == (1, 2)


def test_a_run_that_is_not_there(journal: Journal) -> None:
    with pytest.raises(FabricError) as caught:
        journal.record(7)
    assert problem_of(caught).code == "journal-no-run"
    with pytest.raises(sqlite3.IntegrityError):  # our own fault, not the operator's
        journal.note(7, StepName.READ, StepState.BEGUN)
    assert journal.begin(HEAD, (), ()) == 1


def test_what_json_has_not_is_refused_and_nothing_is_kept(journal: Journal) -> None:
    run = journal.begin(HEAD, (), ())
    for detail in ({"at": START}, {"rate": float("nan")}):
        with pytest.raises((TypeError, ValueError)):
            journal.note(run, StepName.QUIET, StepState.ENDED, detail=detail)
    assert journal.record(run).events == ()


def test_a_time_without_a_zone_is_refused(path: Path) -> None:
    with open_journal(path, lambda: datetime(2026, 3, 1)) as journal, pytest.raises(ValueError, match="no time zone"):
        journal.begin(HEAD, (), ())


def test_a_time_of_another_zone_is_kept_in_utc(path: Path) -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    with open_journal(path, lambda: START.astimezone(east)) as journal:
        record = journal.record(journal.begin(HEAD, (), ()))
    assert record.started == START
    assert record.started.utcoffset() == timedelta(0)


def test_an_approval_is_found_by_its_beginning(journal: Journal) -> None:
    one = Approval("abcdef0123", START, {"be-leaf-000": ("aa", "bb"), "be-leaf-001": ("cc", "dd")})
    journal.approve(one)
    assert journal.approval("abcdef0123") == journal.approval("abcdef") == one
    assert journal.approval("abcde") is None  # too short
    assert journal.approval("bcdef0") is None
    assert journal.approval("abcdef01234") is None
    assert journal.approval("%_____") is None
    assert journal.approval("ABCDEF") is None
    other = Approval("abcdef9", START, {})
    journal.approve(other)
    with pytest.raises(FabricError) as caught:
        journal.approval("abcdef")
    assert problem_of(caught).code == "approval-ambiguous"
    assert "abcdef0123, abcdef9" in problem_of(caught).why
    assert journal.approval("abcdef9") == other


def test_a_whole_short_id_and_one_that_others_begin_with(journal: Journal) -> None:
    short, long = Approval("abcdef", START, {}), Approval("abcdef0", START, {"a": ("b", "c")})
    tiny = Approval("ab", START, {})
    for one in (short, long, tiny):
        journal.approve(one)
    assert [journal.approval(one.id) for one in (short, long, tiny)] == [short, long, tiny]


def test_the_same_approval_again_takes_the_place_of_the_former(journal: Journal) -> None:
    journal.approve(Approval("abcdef", START, {}))
    later = Approval("abcdef", START + timedelta(days=1), {})
    journal.approve(later)
    assert journal.approval("abcdef") == later


def test_what_a_run_was_begun_with_is_kept_and_a_journal_of_an_earlier_release_has_none_of_it(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(HEAD, (), (), {"soak": 1})
        assert journal.terms(HEAD.token) == {"soak": 1}
        assert journal.terms(HEAD.approval) == {}
        journal.approve(Approval("abcdef", START, {}, {"soak": 2}))
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE terms")
    with read_journal(path) as journal:
        assert (journal.terms(HEAD.token), journal.approval("abcdef")) == ({}, Approval("abcdef", START, {}))
    with open_journal(path) as journal:
        journal.begin(HEAD, (), ())
        assert journal.terms(HEAD.token) == {}


TEXT = st.text(st.characters(codec=None), max_size=12)  # NUL and lone surrogates too
TIMES = st.datetimes(timezones=st.just(UTC)).map(lambda at: at.replace(fold=0))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
DETAILS = st.dictionaries(TEXT, VALUES, max_size=3)
NUMBERS = st.integers(min_value=0, max_value=2**31)
A_HEAD = st.builds(Head, TEXT, TEXT, TEXT, TEXT, TEXT)
A_WAVE = st.builds(
    Wave, NUMBERS, TEXT, TEXT, st.booleans(), st.lists(TEXT, max_size=3).map(tuple), st.fractions(min_value=0)
)
A_PLANNED = st.builds(PlannedSwitch, TEXT, NUMBERS, st.sampled_from(Need), TEXT, TEXT, TEXT, TEXT, TEXT)
AN_EVENT = st.builds(Event, TIMES, TEXT, TEXT, st.sampled_from(StepName), st.sampled_from(StepState), DETAILS)
AN_APPROVAL = st.builds(Approval, TEXT, TIMES, st.dictionaries(TEXT, st.tuples(TEXT, TEXT), max_size=3), DETAILS)


A_RUN = st.builds(
    RunRecord,
    number=st.just(1),
    head=A_HEAD,
    started=TIMES,
    ended=TIMES,
    outcome=st.sampled_from(RunOutcome),
    waves=st.lists(A_WAVE, max_size=3).map(tuple),
    planned=st.lists(A_PLANNED, max_size=3).map(tuple),
    events=st.lists(AN_EVENT, max_size=4).map(tuple),
)


@given(A_RUN, AN_APPROVAL)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_value_round_trips(tmp_path_factory: pytest.TempPathFactory, kept: RunRecord, approval: Approval) -> None:
    assert kept.ended is not None
    assert kept.outcome is not None
    path = tmp_path_factory.mktemp("journal") / "push.db"
    times = iter([START, kept.started, *(event.at for event in kept.events), kept.ended])
    with open_journal(path, lambda: next(times)) as journal:
        run = journal.begin(kept.head, kept.waves, kept.planned)
        for one in kept.events:
            journal.note(run, one.step, one.how, device=one.device, stage=one.stage, detail=one.detail)
        journal.finish(run, kept.outcome)
        journal.approve(approval)
        assert journal.record(run) == kept
        assert journal.approval(approval.id) == approval
    with read_journal(path) as reader:
        assert repr(reader.last()) == repr(kept)  # -0.0 and True stay what they are
        assert reader.approval(approval.id) == approval


def test_names_that_are_no_text_and_a_clock_that_goes_back(path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9/\xff") + "\x00 \udcff é \U0001f9f5"
    times = iter([START, START, START + timedelta(seconds=2), START, START + timedelta(seconds=1)])
    wave = Wave(1, odd, odd, False, (odd,), Fraction(10**30, 10**30 + 1))
    planned = PlannedSwitch(odd, 1, Need.IDLE, odd, odd, odd, odd, odd)
    with open_journal(path, lambda: next(times)) as journal:
        run = journal.begin(Head(odd, odd, odd, odd, odd), [wave], [planned])
        for number in range(3):
            journal.note(run, StepName.LOAD, StepState.FAILED, device=odd, stage=odd, detail={odd: [odd, number, None]})
        record = journal.record(run)
    assert (record.head, record.waves, record.planned) == (Head(odd, odd, odd, odd, odd), (wave,), (planned,))
    assert [event.detail for event in record.events] == [{odd: [odd, number, None]} for number in range(3)]
    assert [event.at for event in record.events] == [START + timedelta(seconds=after) for after in (2, 0, 1)]
    assert {(event.device, event.stage) for event in record.events} == {(odd, odd)}


def test_threads_lose_no_note(journal: Journal) -> None:
    run = journal.begin(HEAD, (), ())

    def work(worker: int) -> None:
        for number in range(50):
            journal.note(run, StepName.READ, StepState.BEGUN, device=f"d{worker}", detail={"number": number})
            if number % 10 == 0:
                journal.record(run)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    events = journal.record(run).events
    assert len(events) == 400
    for worker in range(8):
        mine = [event.detail["number"] for event in events if event.device == f"d{worker}"]
        assert mine == list(range(50))


def test_each_commit_is_synced(journal: Journal) -> None:
    database = journal._database
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (3,)  # EXTRA


def test_the_file_and_its_folder_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b c?#%41" / "push.db"
    with open_journal(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()} == {0o600}
    assert [one.name for one in path.parent.iterdir()] == ["push.db"]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_a_reader_leaves_nothing_and_writes_nothing(path: Path, tmp_path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(HEAD, (), ())
        with read_journal(path) as reader:
            assert reader.last() == journal.last()
            journal.begin(HEAD, (), ())
            assert reader.last() == journal.last()
    before = path.read_bytes()
    with read_journal(path) as reader:
        assert not isinstance(reader, Journal)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._database.execute("DELETE FROM runs")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_person_who_reads_does_not_hold_up_a_push(journal: Journal, path: Path) -> None:
    run = journal.begin(HEAD, (), ())
    with closing(sqlite3.connect(path, isolation_level=None)) as person:
        person.execute("BEGIN")
        assert person.execute("SELECT count(*) FROM events").fetchone() == (0,)
        journal.note(run, StepName.READ, StepState.BEGUN)
    assert len(journal.record(run).events) == 1


def test_a_link_leads_to_the_same_lock(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with open_journal(path), pytest.raises(FabricError) as caught, open_journal(link):
        pass
    assert problem_of(caught).code == "push-running"


def test_a_lock_that_a_hand_removed_and_another_push_took_stays_that_ones(path: Path) -> None:
    lock = path.with_name("push.db.lock")
    with ExitStack() as stack:
        with open_journal(path) as first:
            lock.unlink()
            second = stack.enter_context(open_journal(path))
            with pytest.raises(FabricError) as caught:
                first.begin(HEAD, WAVES, PLANNED)
            assert (problem_of(caught).code, "its lock" in problem_of(caught).why) == ("journal-write", True)
        assert lock.exists()
        second.begin(HEAD, WAVES, PLANNED)
    assert not lock.exists()


def test_a_lock_that_its_holder_removes_meanwhile_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def flock(number: int, operation: int) -> None:
        """The holder ends between the opening and the locking of its file."""
        if not calls:
            path.with_name("push.db.lock").unlink()
        calls.append(operation)
        real(number, operation)

    real = fcntl.flock
    monkeypatch.setattr("fcntl.flock", flock)
    with open_journal(path):
        assert len(calls) == 2
        with pytest.raises(FabricError) as caught, open_journal(path):
            pass
        assert problem_of(caught).code == "push-running"


def _not_sqlite(path: Path) -> None:
    path.write_bytes(b"fabrics:\n  backend: {}\n" * 100)


def _other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE bookmarks (url)")
        database.commit()


def _newer(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(HEAD, (), ())
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
        database.commit()


def _overwritten(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(50):
            journal.begin(HEAD, WAVES, PLANNED)
    octets = bytearray(path.read_bytes())
    octets[4096:] = b"\xa5" * (len(octets) - 4096)
    path.write_bytes(octets)


def _cut(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(50):
            journal.begin(HEAD, WAVES, PLANNED)
    path.write_bytes(path.read_bytes()[:5000])


FILES = {
    "no SQLite file": (_not_sqlite, "journal-foreign"),
    "an SQLite file of another program": (_other_program, "journal-foreign"),
    "a pipe": (os.mkfifo, "journal-foreign"),
    "a newer version": (_newer, "journal-newer"),
    "overwritten": (_overwritten, "journal-damaged"),
    "cut": (_cut, "journal-damaged"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_journal_is_refused_and_stays(name: str, path: Path, tmp_path: Path) -> None:
    make, code = FILES[name]
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(FabricError) as caught, open_journal(path):
        pass
    problem = problem_of(caught)
    assert problem.code == code
    assert str(path) in problem.what
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FabricError) as caught, read_journal(path) as reader:
        reader.last()
    assert problem_of(caught).code == code


@pytest.mark.parametrize("what", EDITS)
def test_what_a_hand_changed_is_damage(what: str, path: Path) -> None:
    with open_journal(path) as journal:
        run = journal.begin(HEAD, WAVES, PLANNED)
        journal.note(run, StepName.READ, StepState.BEGUN)
    with closing(sqlite3.connect(path)) as database:
        database.execute(EDITS[what])
        database.commit()
    for opened in (read_journal(path), open_journal(path)):
        with pytest.raises(FabricError) as caught, opened as reader:
            reader.record(run)
        assert problem_of(caught).code == "journal-damaged"


def test_names_of_tables_that_are_no_text_are_damage(path: Path) -> None:
    """SQLite quotes them in its error, which Python cannot read then."""
    with open_journal(path):
        pass
    octets = path.read_bytes()
    assert octets.count(b"CREATE TABLE waves") == 1
    path.write_bytes(octets.replace(b"CREATE TABLE waves", b"CREATE TABL\xb2 waves"))
    for opened in (read_journal(path), open_journal(path)):
        with pytest.raises(FabricError) as caught, opened:
            pass
        assert problem_of(caught).code == "journal-damaged"


@pytest.mark.parametrize("what", OTHER)
@pytest.mark.parametrize("is_finished", [True, False])
def test_a_journal_of_another_release_is_said_to_be_one_and_stays(what: str, *, is_finished: bool, path: Path) -> None:
    with open_journal(path) as journal:
        run = journal.begin(HEAD, WAVES, PLANNED)
        if is_finished:
            journal.finish(run, RunOutcome.DONE)
    with closing(sqlite3.connect(path)) as database:
        database.execute(what)
        database.commit()
    before = path.read_bytes()
    for opened in (read_journal(path), open_journal(path)):
        with pytest.raises(FabricError) as caught, opened:
            pass
        problem = problem_of(caught)
        assert (problem.code, problem.what) == (
            "journal-release", f"the journal {path} was written by another release of fabricgen"
        )  # fmt: skip
        assert problem.why.startswith(f"{OTHER[what]}; ")
        assert "SQLite" not in problem.why
        assert problem.why.endswith("no run in it is unfinished" if is_finished else "a run in it is unfinished")
        assert f"mv {path} {path}.old" in problem.fix
        assert "--journal FILE" in problem.fix
        assert ("with the release that wrote it" in problem.fix) is not is_finished
    assert path.read_bytes() == before


def test_columns_in_another_order_and_runs_that_can_not_be_counted_are_another_release_too(path: Path) -> None:
    with open_journal(path):
        pass
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE approvals")
        database.execute("CREATE TABLE approvals (id TEXT PRIMARY KEY, switches TEXT NOT NULL, at TEXT NOT NULL)")
        database.execute("ALTER TABLE runs DROP COLUMN ended")
        database.commit()
    with pytest.raises(FabricError) as caught, read_journal(path):
        pass
    problem = problem_of(caught)
    assert problem.why == ("its table approvals has its columns in another order; it may have an unfinished run")
    assert problem.fix.startswith("if none of its runs is unfinished, ")


def test_a_table_that_a_person_added_is_no_matter(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(HEAD, WAVES, PLANNED)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE notes (text)")
        database.commit()
    with open_journal(path) as journal:
        assert journal.last() is not None


@pytest.mark.parametrize("switches", ["[]", '{"a": ["b"]}', '{"a": "bc"}', '{"a": [1, 2]}'])
def test_an_approval_that_a_hand_changed_is_damage(switches: str, path: Path) -> None:
    with open_journal(path) as journal:
        journal.approve(Approval("abcdef", START, {}))
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE approvals SET switches = ?", (switches,))
        database.commit()
    with read_journal(path) as reader, pytest.raises(FabricError) as caught:
        reader.approval("abcdef")
    assert problem_of(caught).code == "journal-damaged"


@pytest.mark.parametrize(
    "said",
    ["[]", '{"freeze": "none"}', '{"freeze": [["a"]]}', '{"freeze": [["soon", "later", "x"]]}',
     '{"freeze": [["2998-12-20T18:00", "2999-01-04T06:00", "no zone"]]}'],
)  # fmt: skip
def test_terms_that_a_hand_changed_are_damage(path: Path, said: str) -> None:
    with open_journal(path) as journal:
        journal.approve(Approval("abcdef", START, {}, {"soak": 2}))
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE terms SET terms = ?", (said,))
        database.commit()
    for ask in (JournalReader.approval, JournalReader.terms):
        with read_journal(path) as reader, pytest.raises(FabricError) as caught:
            ask(reader, "abcdef")
        assert problem_of(caught).code == "journal-damaged"


def test_nothing_to_read(tmp_path: Path) -> None:
    blank = tmp_path / "blank.db"
    blank.touch()
    for path in (tmp_path / "none.db", tmp_path / "none" / "none.db", blank):
        with pytest.raises(FabricError) as caught, read_journal(path):
            pass
        assert problem_of(caught).code == "journal-read"
    assert list(tmp_path.iterdir()) == [blank]
    with pytest.raises(FabricError) as caught, read_journal(tmp_path):
        pass
    assert problem_of(caught).code == "journal-foreign"


def test_a_blank_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    with open_journal(path) as journal:
        assert journal.begin(HEAD, (), ()) == 1


def test_where_nothing_can_be_made(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (file / "push.db", Path("/proc/push.db"), tmp_path, loop):
        with pytest.raises(FabricError) as caught, open_journal(path):
            pass
        assert problem_of(caught).code == "journal-write"


def test_a_person_can_read_it_with_sqlite(path: Path) -> None:
    with open_journal(path, ticking()) as journal:
        run = journal.begin(HEAD, WAVES, PLANNED)
        journal.note(run, StepName.QUIET, StepState.ENDED, device="be-spine-1", stage="drain", detail={"polls": 3})
    with closing(sqlite3.connect(path)) as database:
        (event,) = database.execute("SELECT at, device, stage, step, how, detail FROM events WHERE run = 1").fetchall()
        assert event[:5] == ("2026-03-01T12:00:02.123458+00:00", "be-spine-1", "drain", "quiet", "ended")
        assert json.loads(event[5]) == {"polls": 3}
        assert database.execute("SELECT keeps, devices FROM waves ORDER BY position").fetchall() == [
            ("1", '["be-leaf-000"]'),
            ("3/4", '["be-spine-1", "be-spine-2"]'),
        ]


def test_a_reader_has_no_way_to_write() -> None:
    assert not {"note", "begin", "finish", "approve"} & set(dir(JournalReader))
