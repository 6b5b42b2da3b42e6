"""The file of a journal: made so that it survives a loss of power, opened, and distinguished from any other file."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.push.journal import last_commits, terms
from fabricgen.push.journal.problems import damaged, foreign, newer, other_release
from fabricgen.push.journal.rows import APPLICATION, TABLES, VERSION

_WAIT = 30.0  # seconds for another program that writes to the file


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; their names are on the disk when it returns."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def make_file(path: Path) -> None:
    """Make an empty file where there is none, for its owner alone. Raises FabricError for other kinds of files."""
    # SQLite gives its log the same mode.
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise FabricError([foreign(path, "it is not a regular file")])
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
    """Connect to an existing file, without Python's implicit transactions; for several threads, one at a time."""
    uri = f"{path.as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)


def connect_reading(path: Path) -> sqlite3.Connection:
    """Connect to an existing file to read it, on a read-only disk too."""
    try:
        return _reader(path, "rw")  # who can write leaves no log behind
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        # Where nothing can be written SQLite cannot share the file; without a log nobody writes to it either.
        return _reader(path, "ro" if log.exists() and log.stat().st_size else "ro&immutable=1")


def _reader(path: Path, mode: str) -> sqlite3.Connection:
    database = connect(path, mode)
    try:
        database.execute("PRAGMA query_only = ON")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:  # UnicodeDecodeError too: sqlite3 cannot read SQLite's own message, which quotes the file
        database.close()
        raise
    return database


def prepare(path: Path, database: sqlite3.Connection) -> None:
    """Make the missing tables. A file of another program is not written to."""
    has_nothing = is_new(path, database)
    integrity = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if integrity != "ok":
        raise FabricError([damaged(path, integrity)])
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = EXTRA")
    database.execute("PRAGMA foreign_keys = ON")
    if has_nothing:
        with transaction(database, "BEGIN IMMEDIATE"):
            for table in TABLES:
                database.execute(table)
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")
    with transaction(database, "BEGIN IMMEDIATE"):
        database.execute(last_commits.TABLE)
        database.execute(terms.TABLE)


def is_new(path: Path, database: sqlite3.Connection) -> bool:
    """Whether it is empty. Raises FabricError for a file that this release must not write."""
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
    differs = _differing(database)
    if differs:
        raise FabricError([other_release(path, differs, _unfinished(database))])
    return False


def _differing(database: sqlite3.Connection) -> str:
    """In words, the first table that differs from those of this release; empty where none does."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for table in TABLES:
            fresh.execute(table)
        expected = _columns(fresh)
    existing = _columns(database)
    for table, columns in expected.items():
        if table not in existing:
            return f"it has no table {table}"
        if existing[table] != columns:
            lacks, extra = (
                [name for name in some if name not in others]
                for some, others in ((columns, existing[table]), (existing[table], columns))
            )
            parts = [f"{word} {', '.join(names)}" for word, names in (("lacks", lacks), ("also has", extra)) if names]
            return f"its table {table} {' and '.join(parts) or 'has its columns in another order'}"
    return ""


def _columns(database: sqlite3.Connection) -> dict[str, list[str]]:
    """Table → its columns in order. The order counts, since rows are inserted by position."""
    query = "SELECT one.name, part.name FROM sqlite_master AS one, pragma_table_info(one.name) AS part"
    columns: dict[str, list[str]] = {}
    for table, column in database.execute(f"{query} WHERE one.type = 'table' ORDER BY one.name, part.cid"):
        columns.setdefault(table, []).append(column)
    return columns


def _unfinished(database: sqlite3.Connection) -> int | None:
    """The number of unfinished runs; None where the table cannot be read."""
    try:
        number = database.execute("SELECT count(*) FROM runs WHERE ended IS NULL").fetchone()[0]
    except sqlite3.OperationalError:
        return None
    return int(number)


def in_place_check(path: Path) -> Callable[[], bool]:
    """A function that returns whether an open journal and its log are still at their paths.

    SQLite goes on writing to a file that was moved or removed, and what it writes is lost with it.
    """
    files = (path, path.with_name(f"{path.name}-wal"))
    inodes = {file: inode for file in files if (inode := _number(file)) is not None}
    return lambda: all(_number(file) == inode for file, inode in inodes.items())


def _number(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None


@contextmanager
def transaction(database: sqlite3.Connection, begin: str) -> Iterator[None]:
    """One transaction, committed at the end or rolled back by any exception. begin: BEGIN, or BEGIN IMMEDIATE."""
    database.execute(begin)
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # A commit that a full disk refused has ended by itself, or must still be ended.
        with suppress(sqlite3.Error):
            if database.in_transaction:
                database.execute("ROLLBACK")
        raise
