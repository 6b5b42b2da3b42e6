"""A table of the journal: the terms of an approval or a run, in addition to its switches and waves.

   terms  approval (its id; of a run its token), terms (JSON: the options typed and the rules of the inventory, see
          push/plan/approval.py)

The id already covers them as a digest; they are kept so that a later change can be named. Freezes are in no id: those
of a run are the ones at its start, even if others were shown. The table is created where it is missing, so that a
journal of an earlier release can be continued.
"""

import json
import sqlite3
from collections.abc import Mapping

from fabricgen.push.journal.rows import cell, detail_cell, text_of, time_of
from fabricgen.push.plan.site_rules import FREEZE

TABLE = """CREATE TABLE IF NOT EXISTS terms (
    approval TEXT PRIMARY KEY,
    terms TEXT NOT NULL)"""


def keep(database: sqlite3.Connection, owner: str, terms: Mapping[str, object]) -> None:
    """Keep the terms of an approval that is shown, or of a run that begins."""
    database.execute("INSERT OR REPLACE INTO terms VALUES (?, ?)", (cell(owner), detail_cell(terms)))


def terms(database: sqlite3.Connection, owner: str) -> Mapping[str, object]:
    """The kept terms of an approval or a run; empty without any. Raises ValueError for other content."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'terms'").fetchone():
        return {}
    row = database.execute("SELECT terms FROM terms WHERE approval = ?", (cell(owner),)).fetchone()
    if row is None:
        return {}
    parsed = json.loads(text_of(row[0]))
    if not isinstance(parsed, dict):
        raise ValueError(f"{parsed!r} where the terms of an approval are expected")  # noqa: TRY004  # the file's fault
    _must_be_freezes(parsed.get(FREEZE, []))
    return parsed


def _must_be_freezes(rows: object) -> None:
    """Raise ValueError for a row without times: such a freeze would stop nothing."""
    for row in rows if isinstance(rows, list) else [rows]:
        match row:
            case [str(begins), str(ends), str()]:
                _ = time_of(begins), time_of(ends)
            case _:
                raise ValueError(f"{row!r} where a freeze is expected")
