"""What a line of a running configuration is a fact of, where a source says so; nothing where none does."""

import re
from typing import NamedTuple


class LineFact(NamedTuple):
    """One form of line.

    section  a regular expression for each line that it stands under, outermost first; empty at top level
    line     regular expression of the whole line, in the spelling that the reader's `drift` gives
    kind     a name of KINDS
    source   name of the platform's NOTES.md, or a whole citation, that shows the line in this form
    """

    section: tuple[str, ...]
    line: str
    kind: str
    source: str


def kind_of(lines: tuple[LineFact, ...], section: tuple[str, ...], line: str) -> str | None:
    """The kind of fact that a line states; None where no row knows its form, or rows do not agree."""
    kinds = {row.kind for row in lines if _is_of(row, section, line)}
    return kinds.pop() if len(kinds) == 1 else None


def _is_of(row: LineFact, section: tuple[str, ...], line: str) -> bool:
    return (
        len(row.section) == len(section)
        and re.fullmatch(row.line, line) is not None
        and all(re.fullmatch(above, found) for above, found in zip(row.section, section, strict=True))
    )
