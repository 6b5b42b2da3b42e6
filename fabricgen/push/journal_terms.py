"""What an approval holds for beside its switches and waves: a table of the journal of its own.

    terms  approval (its id), terms (JSON: what was typed and what the inventory said of the push, see push/approval.py)

Its id has them as a digest already; they are kept so that what has changed since can be named. The table is made where
it is not there, so that a journal of an earlier release goes on.
"""

import json
import sqlite3
from collections.abc import Mapping

from fabricgen.push.journal_rows import cell, detail_cell, text_of

TABLE = """CREATE TABLE IF NOT EXISTS terms (
    approval TEXT PRIMARY KEY,
    terms TEXT NOT NULL)"""


def keep(database: sqlite3.Connection, approval: str, terms: Mapping[str, object]) -> None:
    """Of an approval that is shown."""
    database.execute("INSERT OR REPLACE INTO terms VALUES (?, ?)", (cell(approval), detail_cell(terms)))


def begin(database: sqlite3.Connection, approval: str, terms: Mapping[str, object]) -> None:
    """Of a run that begins; those that were shown stand."""
    database.execute("INSERT OR IGNORE INTO terms VALUES (?, ?)", (cell(approval), detail_cell(terms)))


def terms(database: sqlite3.Connection, approval: str) -> Mapping[str, object]:
    """What is kept of an approval; empty where nothing is. Raises ValueError for what is no object of JSON."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'terms'").fetchone():
        return {}
    row = database.execute("SELECT terms FROM terms WHERE approval = ?", (cell(approval),)).fetchone()
    if row is None:
        return {}
    found = json.loads(text_of(row[0]))
    if not isinstance(found, dict):
        raise ValueError(f"{found!r} stands where the terms of an approval belong")  # noqa: TRY004  # the file's
    return found
