"""Durations of the steps of the last push that committed: read row by row, without the events' details."""

import sqlite3
from datetime import datetime

from fabricgen.push.journal.rows import number_of, text_of, time_of
from fabricgen.push.model import StepName, StepState, Took

STEPS = (
    StepName.READ,
    StepName.LOAD,
    StepName.COMMIT,
    StepName.COMPARE,
    StepName.LOGIN,
    StepName.CONFIRM,
    StepName.QUIET,
)
"""Steps of single switches whose duration depends on the switch."""


def last_took(database: sqlite3.Connection) -> tuple[int, tuple[Took, ...]] | None:
    """Number of the last run that committed something, and the durations of its steps; None without one.

    Raises ValueError for rows that this program did not write.
    """
    last_run = "SELECT max(run) FROM events WHERE step = ? AND how = ?"
    (run,) = database.execute(last_run, (StepName.COMMIT.value, StepState.ENDED.value)).fetchone()
    if run is None:
        return None
    marks = ", ".join("?" * len(STEPS))
    query = (
        f"SELECT device, stage, step, how, at FROM events WHERE run = ? AND device != '' AND step IN ({marks}) "  # noqa: S608 - marks of our own
        "ORDER BY number"
    )
    started: dict[tuple[str, str, str], datetime] = {}
    durations: list[Took] = []
    for row in database.execute(query, (run, *(step.value for step in STEPS))):
        device, stage, step = map(text_of, row[:3])
        how, at = StepState(text_of(row[3])), time_of(row[4])
        since = started.pop((device, stage, step), None)
        if how is StepState.BEGUN:
            started[device, stage, step] = at
        elif how is StepState.ENDED and since is not None and at >= since:
            durations.append(Took(device, StepName(step), (at - since).total_seconds()))
    return number_of(run), tuple(durations)
