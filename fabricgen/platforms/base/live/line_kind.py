"""Which kind of change a line of a running configuration is, where a source says so."""

import re
from typing import NamedTuple


class LineKind(NamedTuple):
    """One form of line.

    section  a regular expression for each line that it is nested under, outermost first; empty at top level
    line     regular expression of the whole line, as the reader's `drift` spells it
    kind     a name of KINDS
    source   name of the platform's NOTES.md, or a whole citation, that shows the line in this form
    """

    section: tuple[str, ...]
    line: str
    kind: str
    source: str


def kind_of(lines: tuple[LineKind, ...], section: tuple[str, ...], line: str) -> str | None:
    """The kind of change that a line is; None if no row knows its form, or if rows disagree."""
    kinds = {row.kind for row in lines if _is_of(row, section, line)}
    return kinds.pop() if len(kinds) == 1 else None


def _is_of(row: LineKind, section: tuple[str, ...], line: str) -> bool:
    return (
        len(row.section) == len(section)
        and re.fullmatch(row.line, line) is not None
        and all(re.fullmatch(pattern, ancestor) for pattern, ancestor in zip(row.section, section, strict=True))
    )
