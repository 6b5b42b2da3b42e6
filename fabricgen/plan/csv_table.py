"""CSV files beside the intent (RFC 4180, UTF-8, a header line) to rows whose cells know their place."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.composer import REFUSED_TEXT, limit
from fabricgen.documents import Document, decode
from fabricgen.errors import FabricError, Problem, Source, did_you_mean

MAX_OCTETS = 16 << 20
MAX_LINES = 400_000
MAX_PROBLEMS = 50  # of one file; reading stops there


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One file. `columns` is the position of each column by name; `lines` includes the header."""

    file: str
    columns: Mapping[str, int]
    lines: tuple[str, ...]

    @property
    def document(self) -> Document:
        """The file as `reporting` shows excerpts of it."""
        start = Source(file=self.file, line=1, column=1)
        return Document(file=self.file, value=None, places={(): start}, keys={}, lines=self.lines)


class Row(NamedTuple):
    """One line of a table; `number` counts lines from 1."""

    table: Table
    number: int
    cells: list[str]

    def __getitem__(self, column: str) -> str:  # type: ignore[override]  # a row is asked by column only
        """Text of a cell without the spaces around it; empty where the file has no such column."""
        position = self.table.columns.get(column)
        return "" if position is None else self.cells[position].strip(" ")
