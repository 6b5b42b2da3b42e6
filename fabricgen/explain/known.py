"""The inputs of an explanation, and where each part was written."""

import re
from dataclasses import dataclass

from fabricgen.errors import IntentPath, Problem, Source
from fabricgen.explain.answer import Origin
from fabricgen.explain.formula import short_segment
from fabricgen.plan.csv_table import CsvRow, Table, rows
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import Segment
from fabricgen.source.document import Document
from fabricgen.source.yaml_events import path_text

NOT_RECORDED = "not yet in the lock: render adds it"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSite:
    """A plan and the files that it came from; a missing file is None."""

    plan: Plan
    intent: Document | None = None
    lock: Document | None = None
    placement: Table | None = None
    cables: Table | None = None


def spot(source: Source | None) -> str:
    """A position as file:line:column; empty for none."""
    return f"{source.file}:{source.line}:{source.column}" if source is not None else ""


def intent_origin(known: KnownSite, path: IntentPath, text: str = "") -> Origin:
    """Where the intent has a value: the position of the key, if there is one. `text`: by default the path as text."""
    text = text or path_text(path)
    if known.intent is None:
        return Origin("", text)
    key = known.intent.keys.get(path)
    text += _pool_of(known.intent, path)
    return Origin(spot(key if key is not None else known.intent.place(path)), text)


def _pool_of(intent: Document, path: IntentPath) -> str:
    """The part of a pool that an intent has in place of a value, as it is written; empty for a value."""
    at = intent.places.get(path)
    match = re.match(r"pool:[a-z0-9/-]+", intent.lines[at.line - 1][at.column - 1 :].strip("\"'")) if at else None
    return f" ({match[0]})" if match else ""


def segment_origin(known: KnownSite, segment: Segment) -> Origin:
    """The line of a segment in the lock. A management address is in only one segment of the site."""
    text = short_segment(segment)
    for index, recorded in enumerate(known.plan.recorded.segments):
        if (recorded.oob, recorded.tier) == (segment.oob, segment.tier):
            return Origin(_lock_spot(known, ("segments", index)), text)
    return Origin("", f"{text}; {NOT_RECORDED}")


def id_origin(known: KnownSite, fabric: str, number: int) -> Origin:
    """The line of the lock that gives a tenant or network its id, which is unique in a fabric."""
    names = {fabric, known.plan.intent.fabrics[fabric].was or fabric}
    text = f"id {number} of {fabric}"
    for index, recorded in enumerate(known.plan.recorded.ids):
        if recorded.id == number and recorded.fabric in names:
            return Origin(_lock_spot(known, ("ids", index)), text)
    return Origin("", f"{text}; {NOT_RECORDED}")


def _lock_spot(known: KnownSite, path: IntentPath) -> str:
    return spot(known.lock.place(path)) if known.lock is not None else ""


def placement_row(known: KnownSite, slot: str) -> CsvRow | None:
    """Line of the placement file for a slot, e.g. train[17]."""
    return _row(known.placement, "slot", slot)


def cable_rows(known: KnownSite, ends: tuple[tuple[str, str], ...]) -> tuple[CsvRow, ...]:
    """Lines of the cable file for a cable, by either of its ends (device, port)."""
    matches = (_row(known.cables, "device", device, port) for device, port in ends)
    return tuple(row for row in matches if row is not None)


def _row(table: Table | None, column: str, text: str, port: str = "") -> CsvRow | None:
    # Only lines that contain the words are parsed: a file may have a line for each of a million cables.
    if table is None or not any(text in line and port in line for line in table.lines):
        return None
    for row in rows(table):
        if not isinstance(row, Problem) and row.cell(column) == text and (not port or row.cell("port") == port):
            return row
    return None
