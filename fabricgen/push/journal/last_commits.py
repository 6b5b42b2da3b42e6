"""A table of the journal: what a push committed last on each switch, as the switch printed it.

   committed  device, run, at (UTC), is_sure (0 during a commit there, and after one whose end is unknown),
              text (as SwitchConnection.running returns it, without secrets; compressed with zlib)

The table is created where it is missing, so that a journal of an earlier release can be continued.
"""

import sqlite3
import zlib
from datetime import datetime
from typing import NamedTuple

from fabricgen.push.journal.rows import cell, number_of, text_of, time_cell, time_of

TABLE = """CREATE TABLE IF NOT EXISTS committed (
    device TEXT PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs,
    at TEXT NOT NULL,
    is_sure INTEGER NOT NULL,
    text BLOB NOT NULL)"""


class Committed(NamedTuple):
    """What a switch ran after a push had committed there. text: as SwitchConnection.running returns it."""

    run: int
    at: datetime
    text: str


def keep(database: sqlite3.Connection, device: str, committed: Committed) -> None:
    """Replace what is kept of a switch."""
    octets = zlib.compress(committed.text.encode("utf-8", "surrogatepass"))
    row = (cell(device), committed.run, time_cell(committed.at), 1, octets)
    database.execute("INSERT OR REPLACE INTO committed VALUES (?, ?, ?, ?, ?)", row)


def mark(database: sqlite3.Connection, device: str, *, is_sure: bool) -> None:
    """Record whether the kept text of a switch is known to be what was committed there last."""
    database.execute("UPDATE committed SET is_sure = ? WHERE device = ?", (int(is_sure), cell(device)))


def committed(database: sqlite3.Connection, device: str) -> Committed | None:
    """What is kept of a switch; None where nothing is kept or it may not be the last commit. Raises ValueError."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'committed'").fetchone():
        return None
    query = "SELECT run, at, text FROM committed WHERE device = ? AND is_sure"
    row = database.execute(query, (cell(device),)).fetchone()
    if row is None:
        return None
    try:
        text = zlib.decompress(row[2]).decode("utf-8", "surrogatepass")
    except (zlib.error, TypeError) as error:
        raise ValueError(f"the last commit of {text_of(cell(device))} cannot be read: {error}") from None
    return Committed(number_of(row[0]), time_of(row[1]), text)
