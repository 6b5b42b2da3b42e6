"""How long switches took in the last push that committed: read step by step, without what each step saw."""

import sqlite3
from datetime import datetime

from fabricgen.push.journal.rows import number_of, text_of, time_of
from fabricgen.push.model import StepName, StepState, Took

STEPS = (StepName.READ, StepName.LOAD, StepName.COMMIT, StepName.COMPARE, StepName.CONFIRM, StepName.QUIET)
"""Steps of single switches whose time is the switch's own."""


def last_took(database: sqlite3.Connection) -> tuple[int, tuple[Took, ...]] | None:
    """Number of the last run that committed something, and what its steps took; None where none did.

    Raises ValueError for rows that are none of ours.
    """
    newest = "SELECT max(run) FROM events WHERE step = ? AND how = ?"
    (run,) = database.execute(newest, (StepName.COMMIT.value, StepState.ENDED.value)).fetchone()
    if run is None:
        return None
    marks = ", ".join("?" * len(STEPS))
    query = (
        f"SELECT device, stage, step, how, at FROM events WHERE run = ? AND device != '' AND step IN ({marks}) "  # noqa: S608 - marks of our own
        "ORDER BY number"
    )
    begun: dict[tuple[str, str, str], datetime] = {}
    found: list[Took] = []
    for row in database.execute(query, (run, *(step.value for step in STEPS))):
        device, stage, step = map(text_of, row[:3])
        how, at = StepState(text_of(row[3])), time_of(row[4])
        since = begun.pop((device, stage, step), None)
        if how is StepState.BEGUN:
            begun[device, stage, step] = at
        elif how is StepState.ENDED and since is not None and at >= since:
            found.append(Took(device, StepName(step), (at - since).total_seconds()))
    return number_of(run), tuple(found)
