"""The file of a journal: made so that it outlasts a loss of power, opened, and told from any other file."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.push.journal import kept, terms
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
    with transaction(database, "BEGIN IMMEDIATE"):
        database.execute(kept.TABLE)
        database.execute(terms.TABLE)


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
    differs = _differing(database)
    if differs:
        raise FabricError([other_release(path, differs, _unfinished(database))])
    return False


def _differing(database: sqlite3.Connection) -> str:
    """The first table that is not as this release makes it, in words; empty where all are."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for table in TABLES:
            fresh.execute(table)
        wanted = _columns(fresh)
    found = _columns(database)
    for table, columns in wanted.items():
        if table not in found:
            return f"it has no table {table}"
        if found[table] != columns:
            lacks, more = (
                [one for one in a if one not in b] for a, b in ((columns, found[table]), (found[table], columns))
            )
            parts = [f"{word} {', '.join(names)}" for word, names in (("lacks", lacks), ("also has", more)) if names]
            return f"its table {table} {' and '.join(parts) or 'has its columns in another order'}"
    return ""


def _columns(database: sqlite3.Connection) -> dict[str, list[str]]:
    """Table → its columns in order. Rows are written by order, so it counts."""
    query = "SELECT one.name, part.name FROM sqlite_master AS one, pragma_table_info(one.name) AS part"
    found: dict[str, list[str]] = {}
    for table, column in database.execute(f"{query} WHERE one.type = 'table' ORDER BY one.name, part.cid"):
        found.setdefault(table, []).append(column)
    return found


def _unfinished(database: sqlite3.Connection) -> int | None:
    """How many runs have no end; None where the table is too strange to tell."""
    try:
        number = database.execute("SELECT count(*) FROM runs WHERE ended IS NULL").fetchone()[0]
    except sqlite3.OperationalError:
        return None
    return int(number)


def standing(path: Path) -> Callable[[], bool]:
    """What tells whether an open journal and its log still lie where they do now.

    SQLite writes on to a file that was moved or removed, and what it writes is lost with it.
    """
    files = (path, path.with_name(f"{path.name}-wal"))
    then = {file: number for file in files if (number := _number(file)) is not None}
    return lambda: all(_number(file) == number for file, number in then.items())


def _number(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


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
