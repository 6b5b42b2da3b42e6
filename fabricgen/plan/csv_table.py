"""CSV files next to the intent (RFC 4180, UTF-8, a header line) to rows that know the position of each cell."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from fabricgen.errors import FabricError, Problem, Source, did_you_mean
from fabricgen.source.document import Document, decode
from fabricgen.source.yaml_events import REFUSED_TEXT, limit

MAX_OCTETS = 16 << 20
MAX_LINES = 400_000
MAX_LINE = 2_000  # characters
MAX_PROBLEMS = 50  # of one file; reading stops there

_CELL = r'(?:[^",]*|"(?:[^"]|"")*")'
_LINE = re.compile(f"{_CELL}(?:,{_CELL})*")
_INVISIBLE = re.compile(f"{REFUSED_TEXT}|\t")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One file. `columns` is the position of each column by name; `lines` includes the header."""

    file: str
    columns: Mapping[str, int]
    lines: tuple[str, ...]

    @property
    def document(self) -> Document:
        """The file in the form from which `reporting` shows excerpts."""
        start = Source(file=self.file, line=1, column=1)
        return Document(file=self.file, value=None, places={(): start}, keys={}, lines=self.lines)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One line of a table; `number` counts lines from 1."""

    table: Table
    number: int
    cells: list[str]

    def cell(self, column: str) -> str:
        """Text of a cell without surrounding spaces; empty if the file has no such column."""
        position = self.table.columns.get(column)
        return "" if position is None else self.cells[position].strip(" ")

    def at(self, column: str) -> Source:
        """Position at which a cell begins."""
        line = self.table.lines[self.number - 1]
        starts = _starts(line)
        position = self.table.columns.get(column, 0)
        return Source(file=self.table.file, line=self.number, column=starts[min(position, len(starts) - 1)] + 1)


def read_table(octets: bytes, file: str, known: tuple[str, ...], required: tuple[str, ...]) -> Table:
    """Read header and lines of one file. Raises FabricError with every fault that can be found without a plan.

    known  allowed columns, in any order; required: mandatory ones
    """
    start = Source(file=file, line=1, column=1)
    if len(octets) > MAX_OCTETS:
        raise FabricError([limit(start, "file-too-large", "octets", MAX_OCTETS)])
    text = decode(octets, file).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise FabricError([limit(start, "csv-too-long", "lines", MAX_LINES)])
    lines = tuple(text.split("\n"))
    longest = max(range(len(lines)), key=lambda number: len(lines[number]))
    if len(lines[longest]) > MAX_LINE:
        raise FabricError([limit(start._replace(line=longest + 1), "csv-line-too-long", "characters a line", MAX_LINE)])
    problems = [*islice(_invisible(text, lines, file), MAX_PROBLEMS)]
    if problems:
        raise FabricError(problems)
    table = Table(file=file, columns={}, lines=lines)
    header = _cells(table, 1, lines[0])
    if isinstance(header, Problem):
        raise FabricError([header])
    names = [cell.strip(" ") for cell in header.cells]
    problems = [*_header_faults(header, names, known, required)]
    if problems:
        raise FabricError(problems)
    return Table(file=file, columns={name: position for position, name in enumerate(names)}, lines=lines)


def rows(table: Table) -> Iterator[CsvRow | Problem]:
    """Yield each line below the header, or the problem of its form. Empty lines are skipped."""
    for number, line in enumerate(table.lines[1:], 2):
        if not line or line.isspace():
            continue
        row = _cells(table, number, line)
        if isinstance(row, CsvRow) and len(row.cells) != len(table.columns):
            yield Problem(
                code="csv-cells",
                what=f"line {number} has {len(row.cells)} cells",
                why=f"the header has {len(table.columns)}: {','.join(table.columns)}",
                fix="write a comma for each empty cell, and quotes around a cell with a comma in it",
                at=Source(file=table.file, line=number, column=1),
            )
        else:
            yield row


def _cells(table: Table, number: int, line: str) -> CsvRow | Problem:
    if '"' not in line:
        return CsvRow(table, number, line.split(","))
    try:
        cells = next(csv.reader((line,), strict=True))
    except csv.Error as error:
        return _syntax(table, number, line, str(error))
    # The csv module accepts quotes in the middle of a cell, even with strict=True.
    if not _LINE.fullmatch(line):
        return _syntax(table, number, line, "there is a quote inside a cell")
    return CsvRow(table, number, cells)


def _syntax(table: Table, number: int, line: str, why: str) -> Problem:
    return Problem(
        code="csv-syntax",
        what=f"line {number} is not valid CSV",
        why=f"{why} (RFC 4180: quotes around a whole cell, and doubled inside it)",
        fix="close the quotes, or remove them",
        at=Source(file=table.file, line=number, column=line.index('"') + 1),
    )


def _starts(line: str) -> list[int]:
    """Offset of each cell of a line, from 0."""
    starts, is_quoted = [0], False
    for offset, character in enumerate(line):
        if character == '"':
            is_quoted = not is_quoted
        elif character == "," and not is_quoted:
            starts.append(offset + 1)
    return starts


def _invisible(text: str, lines: tuple[str, ...], file: str) -> Iterator[Problem]:
    """Yield characters that are invisible in a review. The whole text is searched first: hardly any file has one."""
    if not _INVISIBLE.search(text):
        return
    for number, line in enumerate(lines, 1):
        for match in _INVISIBLE.finditer(line):
            yield Problem(
                code="csv-control-character",
                what=f"the file has an invisible character U+{ord(match[0]):04X}",
                why="it could start a new configuration line, or change one without being seen",
                fix="delete it",
                at=Source(file=file, line=number, column=match.start() + 1),
            )


def _header_faults(
    header: CsvRow, names: list[str], known: tuple[str, ...], required: tuple[str, ...]
) -> Iterator[Problem]:
    file, starts = header.table.file, _starts(header.table.lines[0])
    if not set(names) & set(known):
        yield Problem(
            code="csv-header",
            what=f"{file} does not begin with a header",
            why="its first line names the columns",
            fix=f"write {','.join(known)} as the first line",
            at=Source(file=file, line=1, column=1),
        )
        return
    for position, name in enumerate(names):
        at = Source(file=file, line=1, column=starts[position] + 1)
        if name not in known:
            yield Problem(
                code="csv-column",
                what=f"unknown column '{name[:40]}'",
                why=f"columns are {', '.join(known)}",
                fix=did_you_mean(name[:40], known),
                at=at,
            )
        elif name in names[:position]:
            yield Problem(
                code="csv-column",
                what=f"column {name} is listed twice",
                why="each column has one name",
                fix="remove one of the two",
                at=at,
            )
    for name in required:
        if name not in names:
            yield Problem(
                code="csv-column",
                what=f"column {name} is missing",
                why=f"every line needs {', '.join(required)}",
                fix=f"add {name} to the header, and its cell to each line",
                at=Source(file=file, line=1, column=1),
            )
