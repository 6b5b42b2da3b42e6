"""The journal of pushes: one SQLite file, in which each step is kept before the next is made.

When a method that writes returns, its row survives SIGKILL and the loss of power: each write is its own transaction, in
a write-ahead log that is synced at every commit (`synchronous=EXTRA`, which is FULL there and also syncs the folder on
a file system without such a log). Readers, sqlite3 included, never block a push. While a push runs or after it was
killed, `<path>-wal` and `<path>-shm` belong to the file; `<path>.lock` exists while a push runs.

Tables, for a person with sqlite3; times are UTC, `run` is a number of `runs`:

   approvals  id        digest of what a dry run showed, and when (`at`)
              switches  JSON: switch → [fingerprint of the running, digest of the pushed configuration]
   terms      further terms of an approval or a run; see terms.py
   runs       number, token (in each of its commits' messages), intent, inventory, approval, who (user@host), started;
              ended, outcome (done, stopped, failed, abandoned): both empty while it is not finished
   waves      run, position (in order, from 0), number, fabric, role, canary (0, 1), devices (JSON, names), keeps (3/4)
   planned    run, position, device, wave, need, why, risk, before, artifact, difference (secrets masked),
              accepted (0, 1)
   committed  what each switch ran after a push had committed there; see last_commits.py
   events     number (in order), run, at, device (empty: the whole run), stage (drain, change, undrain or empty),
              step (read, load, commit, quiet, check, confirm, revert, done, …), how (begun, ended, failed),
              detail (JSON)

   sqlite3 push.db "SELECT at, device, stage, step, how, detail FROM events WHERE run = 7 ORDER BY number"
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from fabricgen.errors import FabricError
from fabricgen.push.journal import file, last_commits, paces, problems, rows
from fabricgen.push.journal import terms as journal_terms
from fabricgen.push.journal.last_commits import Committed
from fabricgen.push.journal.lock import exclusive
from fabricgen.push.model import (
    Approval,
    Event,
    Head,
    PlannedSwitch,
    RunOutcome,
    RunRecord,
    StepName,
    StepState,
    Took,
    Wave,
)

TAKEN = "it, its log or its lock was moved or removed while a push writes to it"
SHORTEST = 6
"""Minimum length of a prefix of an approval's id that is accepted if it is unique."""
_NOTHING: Mapping[str, object] = {}


class JournalReader:
    """The content of a journal; for several threads too. Every method raises FabricError where it cannot be read."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        self._lock = Lock()

    def approval(self, start: str) -> Approval | None:
        """The approval with this id, or the only one whose id begins so (six characters at least); None without one.

        Raises FabricError `approval-ambiguous` where several ids begin so.
        """
        query = "SELECT id, at, switches FROM approvals WHERE id = ?1 OR (?2 AND substr(id, 1, length(?1)) = ?1)"
        with self._reading() as database:
            values: list[rows.Row] = database.execute(query, (rows.cell(start), len(start) >= SHORTEST)).fetchall()
            unfilled = map(rows.approval_of, values)
            approvals = [approval._replace(terms=journal_terms.terms(database, approval.id)) for approval in unfilled]
        if len(approvals) > 1:
            approvals = [approval for approval in approvals if approval.id == start] or approvals
        if len(approvals) > 1:
            raise problems.ambiguous(start, sorted(approval.id for approval in approvals))
        return approvals[0] if approvals else None

    def terms(self, owner: str) -> Mapping[str, object]:
        """The terms of an approval, by its id, or of a run, by its token; empty where unknown."""
        with self._reading() as database:
            return journal_terms.terms(database, owner)

    def unfinished(self) -> RunRecord | None:
        """The last run that has no end: it was killed, or runs now. None without one."""
        run = self._newest("WHERE ended IS NULL")
        if run is not None:
            try:
                rows.must_go_on(run)
            except ValueError as error:
                raise FabricError([problems.damaged(self.path, str(error))]) from error
        return run

    def last(self) -> RunRecord | None:
        """The last run; None if there is none."""
        return self._newest("")

    def tokens(self) -> frozenset[str]:
        """Tokens of all runs."""
        with self._reading() as database:
            return frozenset(rows.text_of(row[0]) for row in database.execute("SELECT token FROM runs"))

    def committed(self, device: str) -> Committed | None:
        """What a push committed last on a switch; None if unknown."""
        with self._reading() as database:
            return last_commits.committed(database, device)

    def took(self) -> tuple[int, tuple[Took, ...]] | None:
        """Number of the last run that committed something, and the durations of its steps; None without one."""
        with self._reading() as database:
            return paces.last_took(database)

    def record(self, run: int) -> RunRecord:
        """All of one run. Raises FabricError `journal-no-run` for an unknown run."""
        with self._reading() as database:
            run_record = _record(database, run)
        if run_record is None:
            raise problems.no_run(self.path, run)
        return run_record

    def _newest(self, where: str) -> RunRecord | None:
        query = f"SELECT max(number) FROM runs {where}"  # noqa: S608  # words of our own
        with self._reading() as database:
            (number,) = database.execute(query).fetchone()
            return None if number is None else _record(database, number)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction: one consistent state of the file, whoever writes meanwhile."""
        with self._lock, problems.read_faults(self.path):
            try:
                with file.transaction(self._database, "BEGIN"):
                    yield self._database
            except (ValueError, RecursionError) as error:  # RecursionError: deeply nested JSON
                raise FabricError([problems.damaged(self.path, str(error))]) from error


class Journal(JournalReader):
    """A journal that is locked for one push. What a method wrote is on the disk when it returns.

    Every method raises FabricError `journal-write` where it could not write (a full disk); then nothing was written.
    """

    def __init__(
        self, path: Path, database: sqlite3.Connection, now: Callable[[], datetime], in_place: Callable[[], bool]
    ) -> None:
        super().__init__(path, database)
        self._now, self._in_place = now, in_place

    def approve(self, approval: Approval) -> None:
        """Keep what a dry run showed; replaces an approval of the same id."""
        with self._writing() as database:
            database.execute("INSERT OR REPLACE INTO approvals VALUES (?, ?, ?)", rows.approval_row(approval))
            journal_terms.keep(database, approval.id, approval.terms)

    def begin(
        self,
        head: Head,
        waves: Iterable[Wave],
        planned: Iterable[PlannedSwitch],
        terms: Mapping[str, object] = _NOTHING,
    ) -> int:
        """Begin a run and return its number. An unfinished run stays so: `finish` it first. terms: of the approval."""
        with self._writing() as database:
            columns = "token, intent, inventory, approval, who, started"
            insert = f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608  # words of our own
            run = rows.number_of(database.execute(insert, rows.head_row(head, self._now())).lastrowid)
            values = (rows.wave_row(run, position, wave) for position, wave in enumerate(waves))
            database.executemany("INSERT INTO waves VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            values = (rows.planned_row(run, position, switch) for position, switch in enumerate(planned))
            database.executemany("INSERT INTO planned VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            if terms:
                journal_terms.keep(database, head.token, terms)
        return run

    def note(
        self,
        run: int,
        step: StepName,
        how: StepState,
        *,
        device: str = "",
        stage: str = "",
        detail: Mapping[str, object] = _NOTHING,
    ) -> None:
        """Write one event of a run, at this moment. detail: JSON values; tuples come back as lists."""
        with self._writing() as database:
            _insert(database, run, Event(self._now(), device, stage, step, how, detail))

    def keep(self, run: int, device: str, text: str) -> None:
        """Keep what a switch runs after a commit of this run. text: as SwitchConnection.running returns it."""
        with self._writing() as database:
            last_commits.keep(database, device, Committed(run, self._now(), text))

    def is_sure(self, device: str, *, sure: bool) -> None:
        """Record whether the kept text of a switch is known to be what was committed there last."""
        with self._writing() as database:
            last_commits.mark(database, device, is_sure=sure)

    def finish(self, run: int, outcome: RunOutcome, detail: Mapping[str, object] = _NOTHING) -> None:
        """End a run. A detail becomes an event of the run, DONE, ENDED. Raises LookupError without such an open run."""
        with self._writing() as database:
            at = self._now()
            if detail:
                _insert(database, run, Event(at, "", "", StepName.DONE, StepState.ENDED, detail))
            update = "UPDATE runs SET ended = ?, outcome = ? WHERE number = ? AND ended IS NULL"
            if database.execute(update, (rows.time_cell(at), outcome.value, run)).rowcount != 1:
                raise LookupError(f"there is no unfinished run {run}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on the disk at the end."""
        with self._lock, problems.write_faults(self.path):
            if not self._in_place():
                raise FabricError([problems.unwritten(self.path, TAKEN)])
            with file.transaction(self._database, "BEGIN IMMEDIATE"):
                yield self._database


def utc_now() -> datetime:
    """The present time, in UTC."""
    return datetime.now(UTC)


@contextmanager
def open_journal(path: Path, now: Callable[[], datetime] = utc_now) -> Iterator[Journal]:
    """Open a journal for a push and lock it; it is made, with its folder, where it does not exist (mode 0600).

    now  returns the time, with a zone, for what is written

    Raises FabricError: `push-running` where another process holds the lock; `journal-foreign`, `journal-damaged`,
    `journal-newer`, `journal-release` for a file that must not be written; `journal-write` where the system refuses.
    """
    path = Path(os.path.realpath(path))  # one journal has one lock; Path.resolve fails where links go round
    with problems.write_faults(path):
        file.make_folder(path.parent)
    with exclusive(path, now) as is_held:
        with problems.write_faults(path):
            file.make_file(path)
            database = file.connect(path)
        with closing(database):
            with problems.write_faults(path):
                file.prepare(path, database)
                in_place = file.in_place_check(path)
            yield Journal(path, database, now, lambda: is_held() and in_place())


@contextmanager
def read_journal(path: Path) -> Iterator[JournalReader]:
    """Open a journal to read it, while a push may write to it.

    Raises FabricError: `journal-read` where there is none or the system refuses, `journal-foreign`, `journal-damaged`,
    `journal-newer`, `journal-release`.
    """
    path = Path(os.path.realpath(path))
    with problems.read_faults(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise FabricError([problems.foreign(path, "it is not a regular file")])
        database = file.connect_reading(path)
    with closing(database):
        with problems.read_faults(path):
            if file.is_new(path, database):
                raise problems.empty(path)
        yield JournalReader(path, database)


def _insert(database: sqlite3.Connection, run: int, event: Event) -> None:
    columns = "run, at, device, stage, step, how, detail"
    insert = f"INSERT INTO events ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  # words of our own
    database.execute(insert, rows.event_row(run, event))


def _record(database: sqlite3.Connection, run: int) -> RunRecord | None:
    head = "SELECT number, token, intent, inventory, approval, who, started, ended, outcome FROM runs WHERE number = ?"
    row: rows.Row | None = database.execute(head, (run,)).fetchone()
    if row is None:
        return None
    waves = "SELECT number, fabric, role, canary, devices, keeps FROM waves WHERE run = ? ORDER BY position"
    columns = "device, wave, need, why, risk, before, artifact, difference, accepted"
    planned = f"SELECT {columns} FROM planned WHERE run = ? ORDER BY position"  # noqa: S608  # words of our own
    events = "SELECT at, device, stage, step, how, detail FROM events WHERE run = ? ORDER BY number"
    return rows.record_of(row, *(database.execute(query, (run,)) for query in (waves, planned, events)))
