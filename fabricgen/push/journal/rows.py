"""Tables of the journal, and the values of `model` as their rows.

Every value is read back as it was written. Text is UTF-8; a file name that is not text (lone surrogates) is a blob of
the same octets. Times are UTC with microseconds (`2026-03-01T12:00:00.000000+00:00`), shares are fractions (`3/4`).
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction

from fabricgen.push.model import (
    Approval,
    Event,
    Head,
    Need,
    PlannedSwitch,
    RunOutcome,
    RunRecord,
    StageName,
    StepName,
    StepState,
    Wave,
)

Cell = str | bytes | int | None
Row = tuple[Cell, ...]

APPLICATION = int.from_bytes(b"fgpj", "big")
"""`PRAGMA application_id`: the program that the file belongs to."""
VERSION = 1
"""`PRAGMA user_version`: version of the tables."""

TABLES = (
    """CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        switches TEXT NOT NULL)""",
    """CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL,
        intent TEXT NOT NULL,
        inventory TEXT NOT NULL,
        approval TEXT NOT NULL,
        who TEXT NOT NULL,
        started TEXT NOT NULL,
        ended TEXT,
        outcome TEXT)""",
    """CREATE TABLE waves (
        run INTEGER NOT NULL REFERENCES runs,
        position INTEGER NOT NULL,
        number INTEGER NOT NULL,
        fabric TEXT NOT NULL,
        role TEXT NOT NULL,
        canary INTEGER NOT NULL,
        devices TEXT NOT NULL,
        keeps TEXT NOT NULL,
        PRIMARY KEY (run, position))""",
    """CREATE TABLE planned (
        run INTEGER NOT NULL REFERENCES runs,
        position INTEGER NOT NULL,
        device TEXT NOT NULL,
        wave INTEGER NOT NULL,
        need TEXT NOT NULL,
        why TEXT NOT NULL,
        risk TEXT NOT NULL,
        before TEXT NOT NULL,
        artifact TEXT NOT NULL,
        difference TEXT NOT NULL,
        accepted INTEGER NOT NULL,
        PRIMARY KEY (run, position))""",
    """CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER NOT NULL REFERENCES runs,
        at TEXT NOT NULL,
        device TEXT NOT NULL,
        stage TEXT NOT NULL,
        step TEXT NOT NULL,
        how TEXT NOT NULL,
        detail TEXT NOT NULL)""",
    "CREATE INDEX events_of_run ON events (run, number)",
)


def cell(text: str) -> str | bytes:
    """Text for a column."""
    try:
        # A file name that is not UTF-8 has lone surrogates (PEP 383) and is stored as a blob.
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")
    return text


def text_of(value: Cell) -> str:
    """Text of a column. Raises ValueError for any other value."""
    if isinstance(value, bytes):
        return value.decode(errors="surrogatepass")
    if isinstance(value, str):
        return value
    raise ValueError(f"{value!r} where text is expected")


def number_of(value: Cell) -> int:
    """A number of a column. Raises ValueError for any other value."""
    if isinstance(value, int):
        return value
    raise ValueError(f"{value!r} where a number is expected")


def time_cell(at: datetime) -> str:
    """A time for a column. Raises ValueError for one without a zone."""
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def time_of(value: Cell) -> datetime:
    """A time of a column, in UTC. Raises ValueError for any other value."""
    at = datetime.fromisoformat(text_of(value))
    if at.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone")
    return at.astimezone(UTC)


def detail_cell(detail: Mapping[str, object]) -> str:
    """A detail for a column. Raises TypeError or ValueError for values that JSON does not have."""
    return json.dumps(dict(detail), allow_nan=False)


def head_row(head: Head, started: datetime) -> Row:
    """Row of `runs` for a new run, without its number."""
    return (*map(cell, head), time_cell(started))


def wave_row(run: int, position: int, wave: Wave) -> Row:
    """Row of `waves`."""
    devices = json.dumps(wave.devices)
    where = (wave.number, cell(wave.fabric), cell(wave.role), int(wave.canary))
    return (run, position, *where, devices, str(wave.keeps))


def planned_row(run: int, position: int, switch: PlannedSwitch) -> Row:
    """Row of `planned`."""
    texts = (switch.why, switch.risk, switch.before, switch.artifact, switch.difference)
    return (run, position, cell(switch.device), switch.wave, switch.need.value, *map(cell, texts), int(switch.accepted))


def event_row(run: int, event: Event) -> Row:
    """Row of `events`, without its number."""
    where = (cell(event.device), cell(event.stage), event.step.value, event.how.value)
    return (run, time_cell(event.at), *where, detail_cell(event.detail))


def approval_row(approval: Approval) -> Row:
    """Row of `approvals`."""
    return (cell(approval.id), time_cell(approval.at), json.dumps(dict(approval.switches)))


def approval_of(row: Row) -> Approval:
    """Approval of (id, at, switches). Raises ValueError for other values, as all functions below do."""
    switch_rows = _object(row[2])
    switches = {name: _pair(value) for name, value in switch_rows.items()}
    return Approval(text_of(row[0]), time_of(row[1]), switches)


def _object(value: Cell) -> dict[str, object]:
    parsed = json.loads(text_of(value))
    if not isinstance(parsed, dict):
        raise ValueError(f"{parsed!r} where a JSON object is expected")  # noqa: TRY004  # the file's fault, not the caller's
    return parsed


def _pair(value: object) -> tuple[str, str]:
    match value:
        case [str(before), str(after)]:
            return before, after
        case _:
            raise ValueError(f"{value!r} where two digests are expected")


def wave_of(row: Row) -> Wave:
    """Wave of (number, fabric, role, canary, devices, keeps)."""
    devices = json.loads(text_of(row[4]))
    if not isinstance(devices, list) or not all(isinstance(name, str) for name in devices):
        raise ValueError(f"{devices!r} where names of switches are expected")
    try:
        keeps = Fraction(text_of(row[5]))
    except ZeroDivisionError:
        raise ValueError(f"{row[5]!r} where a share is expected") from None
    where = (number_of(row[0]), text_of(row[1]), text_of(row[2]), bool(number_of(row[3])))
    return Wave(*where, tuple(devices), keeps)


def planned_of(row: Row) -> PlannedSwitch:
    """Planned of (device, wave, need, why, risk, before, artifact, difference, accepted)."""
    why, risk, before, artifact, difference = map(text_of, row[3:8])
    where = (text_of(row[0]), number_of(row[1]), Need(text_of(row[2])))
    return PlannedSwitch(*where, why, risk, before, artifact, difference, accepted=bool(number_of(row[8])))


def event_of(row: Row) -> Event:
    """Event of (at, device, stage, step, how, detail)."""
    step, how = StepName(text_of(row[3])), StepState(text_of(row[4]))
    return Event(time_of(row[0]), text_of(row[1]), text_of(row[2]), step, how, _object(row[5]))


def must_go_on(record: RunRecord) -> None:
    """Raise ValueError where the run cannot be resumed by these events: a commit without a load before it."""
    loaded: set[str] = set()
    for event in record.events:
        if event.step is StepName.LOAD and event.how is StepState.ENDED and event.detail.get("token") is not None:
            StageName(event.stage)
            loaded.add(event.device)
        elif event.step is StepName.COMMIT and event.how is StepState.BEGUN and event.device not in loaded:
            raise ValueError(
                f"run {record.number} has a commit of {event.device or 'no switch'}, and no load before it"
            )


def record_of(run: Row, waves: Iterable[Row], planned: Iterable[Row], events: Iterable[Row]) -> RunRecord:
    """Record of the row (number, token, intent, inventory, approval, who, started, ended, outcome) and its parts."""
    ended, outcome = run[7], run[8]
    return RunRecord(
        number=number_of(run[0]),
        head=Head(*map(text_of, run[1:6])),
        started=time_of(run[6]),
        ended=None if ended is None else time_of(ended),
        outcome=None if outcome is None else RunOutcome(text_of(outcome)),
        waves=tuple(map(wave_of, waves)),
        planned=tuple(map(planned_of, planned)),
        events=tuple(map(event_of, events)),
    )
