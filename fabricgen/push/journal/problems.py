"""Problems of a journal: errors of SQLite and of the operating system, and foreign files."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabricgen.errors import FabricError, Problem

_WRITE = "free disk space, or correct the permissions, then repeat the command: it reads each switch and resumes"
_FOREIGN = ("SQLITE_NOTADB",)
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_MISMATCH")
"""SQLITE_ERROR means a missing table or column: all SQL statements are our own."""
_NO_TEXT = "names of its tables are not UTF-8"


@contextmanager
def write_faults(path: Path) -> Iterator[None]:
    """Turn an error of writing (a full disk, permissions, a reader that locks the file) into a problem."""
    try:
        yield
    except OSError as error:
        raise FabricError([unwritten(path, error.strerror or type(error).__name__)]) from error
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a closed journal, or a run that was never begun: a bug of this program
    except sqlite3.DatabaseError as error:
        raise FabricError([_of_sqlite(path, error) or unwritten(path, f"SQLite says: {error}")]) from error
    except UnicodeDecodeError as error:
        raise FabricError([damaged(path, _NO_TEXT)]) from error


@contextmanager
def read_faults(path: Path) -> Iterator[None]:
    """Turn an error of reading into a problem: no such file, permissions, values that this program did not write."""
    try:
        yield
    except OSError as error:
        raise FabricError([_unread(path, error.strerror or type(error).__name__)]) from error
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.DatabaseError as error:
        raise FabricError([_of_sqlite(path, error) or _unread(path, f"SQLite says: {error}")]) from error
    except UnicodeDecodeError as error:  # sqlite3 could not read SQLite's own message, which quotes the file
        raise FabricError([damaged(path, _NO_TEXT)]) from error


def _of_sqlite(path: Path, error: sqlite3.DatabaseError) -> Problem | None:
    """The problem of the file itself; None where the host is the cause."""
    name = (
        getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
    )  # errors of Python's own, such as text that is not UTF-8, have no name
    if name in _FOREIGN:
        return foreign(path, "it is not an SQLite file")
    return damaged(path, f"SQLite says: {error}") if name.startswith(_DAMAGED) else None


def unwritten(path: Path, reason: str) -> Problem:
    """The problem of a write that failed."""
    return Problem(code="journal-write", what=f"cannot write the journal {path}", why=reason, fix=_WRITE)


def _unread(path: Path, reason: str) -> Problem:
    return Problem(
        code="journal-read",
        what=f"cannot read the journal {path}",
        why=reason,
        fix="use --journal with the path of the journal; before the first push there is none",
    )


def empty(path: Path) -> FabricError:
    """The error of a journal to which no push has written yet."""
    return FabricError([_unread(path, "it is still empty")])


def foreign(path: Path, reason: str) -> Problem:
    """The problem of a file that is not a journal of pushes."""
    return Problem(
        code="journal-foreign",
        what=f"{path} is not a journal of pushes",
        why=reason,
        fix="use another file with --journal; this one stays unchanged",
    )


def damaged(path: Path, reason: str) -> Problem:
    """The problem of a journal whose content is not as it was written."""
    return Problem(
        code="journal-damaged",
        what=f"the journal {path} is damaged",
        why=reason,
        fix=f"rename it (mv {path} {path}.damaged), then push again: each switch is read before it is changed",
    )


def newer(path: Path, version: int, newest: int) -> Problem:
    """The problem of a journal that a later release wrote."""
    return Problem(
        code="journal-newer",
        what=f"the journal {path} was written by a newer fabricgen",
        why=f"its version is {version}, and this release reads versions up to {newest}",
        fix="use that release, or another file with --journal",
    )


def other_release(path: Path, differs: str, unfinished: int | None) -> Problem:
    """The problem of a journal whose tables another release made.

    differs     the table, and how it differs
    unfinished  number of its unfinished runs; None where that cannot be read
    """
    away = f"rename it (mv {path} {path}.old), then repeat the command, which creates a new one"
    fixes = {
        0: f"{away}; or use another file with --journal FILE",
        None: f"if none of its runs is unfinished, {away}",
    }
    end = "end its unfinished run with the release that wrote it (the same push, or --abandon); then " + away
    return Problem(
        code="journal-release",
        what=f"the journal {path} was written by another release of fabricgen",
        why=f"{differs}; {_UNFINISHED.get(unfinished, 'a run in it is unfinished')}",
        fix=fixes.get(unfinished, f"{end}; --journal FILE does not resume that run"),
    )


_UNFINISHED = {0: "no run in it is unfinished", None: "it may have an unfinished run"}


def no_run(path: Path, number: int) -> FabricError:
    """The error of a run that the journal does not have."""
    return FabricError.of(
        code="journal-no-run",
        what=f"the journal {path} has no run {number}",
        why="runs are counted from 1 as they begin",
        fix="use the number of an existing run, or omit it for the last one",
    )


def ambiguous(start: str, ids: list[str]) -> FabricError:
    """The error of a prefix that several approvals share."""
    return FabricError.of(
        code="approval-ambiguous",
        what=f"{len(ids)} approvals begin with {start}",
        why=f"they are {', '.join(ids)}",
        fix="use more characters of the right one",
    )
