"""The file of a journal: made so that it outlasts a loss of power, opened, and told from any other file."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.push.journal_faults import damaged, foreign, newer
from fabricgen.push.journal_rows import APPLICATION, TABLES, VERSION

_WAIT = 30.0  # seconds for another program that writes to the file


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; their names are on the disk when it returns."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def make_file(path: Path) -> None:
    """Make an empty file where there is none, for its owner alone. Raises FabricError for what is no regular file."""
    # SQLite gives its log the same mode.
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise FabricError([foreign(path, "it is no regular file")])
    finally:
        os.close(number)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Connect to a file that is there, without transactions of Python's own; for several threads, one at a time."""
    uri = f"{path.as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)


def connect_reading(path: Path) -> sqlite3.Connection:
    """Connect to a file that is there to read it, on a disk on which nothing can be written too."""
    try:
        return _reader(path, "rw")  # who can write leaves no log behind
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        # Where nothing can be written SQLite can not share the file; without a log nobody writes to it either.
        return _reader(path, "ro" if log.exists() and log.stat().st_size else "ro&immutable=1")


def _reader(path: Path, mode: str) -> sqlite3.Connection:
    database = connect(path, mode)
    try:
        database.execute("PRAGMA query_only = ON")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        database.close()
        raise
    return database


def prepare(path: Path, database: sqlite3.Connection) -> None:
    """Make the tables where they are not there. Nothing is written to a file that is not ours."""
    has_nothing = is_new(path, database)
    found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise FabricError([damaged(path, found)])
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = EXTRA")
    database.execute("PRAGMA foreign_keys = ON")
    if has_nothing:
        with transaction(database, "BEGIN IMMEDIATE"):
            for table in TABLES:
                database.execute(table)
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")


def is_new(path: Path, database: sqlite3.Connection) -> bool:
    """Whether nothing stands in it yet. Raises FabricError for what this release is not to write."""
    application, version, tables = (
        database.execute(query).fetchone()[0]
        for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if (application, version, tables) == (0, 0, 0):
        return True
    if application != APPLICATION:
        raise FabricError([foreign(path, "it is an SQLite file of another program")])
    if version > VERSION:
        raise FabricError([newer(path, version, VERSION)])
    return False


@contextmanager
def transaction(database: sqlite3.Connection, begin: str) -> Iterator[None]:
    """One transaction, committed at the end or, by whatever exception, undone. begin: BEGIN, or BEGIN IMMEDIATE."""
    database.execute(begin)
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # A commit that a full disk refused has ended by itself, or waits to be ended.
        with suppress(sqlite3.Error):
            if database.in_transaction:
                database.execute("ROLLBACK")
        raise
