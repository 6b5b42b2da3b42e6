"""Text of what a lab does not exercise: five lines to print, and a file with every reason."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fabricgen.lab.model.lab import Skipped

NOT_EXERCISED = "not-exercised.txt"
"""In the lab's folder: every row with its reason."""
PAGE = "docs/lab.md#what-it-shows-and-what-it-does-not"
LINES, COLUMNS = 3, 118
"""Printed lines of feature names; one line is above them and one below."""
INDENT = "  "


def brief(rows: Sequence[Skipped], folder: Path) -> Iterator[str]:
    """At most five lines: the count, as many names as fit, and where the reasons are."""
    names = "; ".join(dict.fromkeys(row.feature for row in rows))
    yield f"not as on the real switches ({len(rows)}):"
    yield from textwrap.wrap(
        names, COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT, max_lines=LINES, placeholder=" and more"
    )
    yield f"{INDENT}each with its reason: {folder / NOT_EXERCISED}; {PAGE}"


def in_full(rows: Iterable[Skipped]) -> str:
    """Text of the file: each row with its place and reason."""
    return "".join(f"{row.feature} ({row.where}): {row.reason}\n" for row in rows)
