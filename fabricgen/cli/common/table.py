"""Rows in columns that fit a terminal: long cells are wrapped, the first column never is."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

GAP = "  "
NARROWEST = 10
"""A column is made no narrower: a terminal that has no room for it breaks the lines itself."""

Row = Sequence[str]


def table_width() -> int | None:
    """Columns that a table may take: those of COLUMNS or of the terminal. None where the output is no terminal."""
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    return None


def table(head: Row, rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """Lines of a table, without line ends. width: the most that a line has; None: each row is one line."""
    columns = [*zip(head, *rows, strict=True)]
    widths = _fitted(columns, sys.maxsize if width is None else width - len(GAP) * (len(head) - 1))
    for row in (head, tuple("-" * each for each in widths), *rows):
        cells = [_cell(text, each) for text, each in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield GAP.join(f"{text:<{each}}" for text, each in zip(line, widths, strict=True)).rstrip()


def _fitted(columns: Sequence[Row], most: int) -> list[int]:
    """Widths of columns: the widest but the first gives way, first down to its longest word, then into its words."""
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(word) for text in column for word in text.split() or [""]) for column in columns]
    for least in (words, [NARROWEST] * len(widths)):
        while sum(widths) > most:
            spare = [at for at in range(1, len(widths)) if widths[at] > least[at]]
            if not spare:
                break
            widths[max(spare, key=lambda at: widths[at])] -= 1
    return widths


def _cell(text: str, width: int) -> list[str]:
    return [text] if len(text) <= width else wrap(text, width, break_on_hyphens=False)
