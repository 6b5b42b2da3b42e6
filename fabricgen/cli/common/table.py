"""Tables that fit a terminal: long cells are wrapped, except in the first column."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

GAP = "  "
NARROWEST = 10
"""Least width of a column: on a narrower terminal the lines are longer than it."""

Row = Sequence[str]


def table_width() -> int | None:
    """Width for a table: from COLUMNS or the terminal; None if the output is no terminal."""
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    return None


def table(head: Row, rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """Lines of a table, without line ends. width: the longest line; None: no limit, so each row is one line."""
    columns = [*zip(head, *rows, strict=True)]
    widths = _fitted(columns, sys.maxsize if width is None else width - len(GAP) * (len(head) - 1))
    for row in (head, tuple("-" * column_width for column_width in widths), *rows):
        cells = [_cell(text, column_width) for text, column_width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield GAP.join(f"{text:<{column_width}}" for text, column_width in zip(line, widths, strict=True)).rstrip()


def _fitted(columns: Sequence[Row], limit: int) -> list[int]:
    """Widths of columns. The widest but the first is narrowed, first down to its longest word, then further."""
    widths = [max(map(len, column)) for column in columns]
    longest_words = [max(len(word) for text in column for word in text.split() or [""]) for column in columns]
    for least in (longest_words, [NARROWEST] * len(widths)):
        while sum(widths) > limit:
            spare = [index for index in range(1, len(widths)) if widths[index] > least[index]]
            if not spare:
                break
            widths[max(spare, key=lambda index: widths[index])] -= 1
    return widths


def _cell(text: str, width: int) -> list[str]:
    return [text] if len(text) <= width else wrap(text, width, break_on_hyphens=False)
