"""What an approval or a run holds for beside its switches and waves: a table of the journal of its own.

    terms  approval (its id; of a run its token), terms (JSON: what was typed and what the inventory said of the push,
           see push/plan/approval.py)

The id has them as a digest already; they are kept so that what has changed since can be named. Freezes are in no id:
those of a run are what stood when it began, be it that others were shown. The table is made where it is not there, so
that a journal of an earlier release goes on.
"""

import json
import sqlite3
from collections.abc import Mapping

from fabricgen.push.journal.rows import cell, detail_cell, text_of, time_of
from fabricgen.push.plan.site_rules import FREEZE

TABLE = """CREATE TABLE IF NOT EXISTS terms (
    approval TEXT PRIMARY KEY,
    terms TEXT NOT NULL)"""


def keep(database: sqlite3.Connection, whose: str, terms: Mapping[str, object]) -> None:
    """Of an approval that is shown, or a run that begins."""
    database.execute("INSERT OR REPLACE INTO terms VALUES (?, ?)", (cell(whose), detail_cell(terms)))


def terms(database: sqlite3.Connection, whose: str) -> Mapping[str, object]:
    """What is kept of an approval or a run; empty where nothing is. Raises ValueError for what was not written so."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'terms'").fetchone():
        return {}
    row = database.execute("SELECT terms FROM terms WHERE approval = ?", (cell(whose),)).fetchone()
    if row is None:
        return {}
    found = json.loads(text_of(row[0]))
    if not isinstance(found, dict):
        raise ValueError(f"{found!r} stands where the terms of an approval belong")  # noqa: TRY004  # the file's
    _must_be_freezes(found.get(FREEZE, []))
    return found


def _must_be_freezes(rows: object) -> None:
    """Raise ValueError for what says no times: it would hold nobody back."""
    for row in rows if isinstance(rows, list) else [rows]:
        match row:
            case [str(begins), str(ends), str()]:
                _ = time_of(begins), time_of(ends)
            case _:
                raise ValueError(f"{row!r} stands where a freeze belongs")
