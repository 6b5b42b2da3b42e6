"""`fabricgen list checks`: every code that fabricgen prints."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from fabricgen.cli.common.table import table
from fabricgen.explain.listed import FoundBy, ListedCode

TITLES = {
    FoundBy.PLAN: "CHECKS OF A PLAN (validate, plan, render)",
    FoundBy.LIVE: "CHECKS OF THE LIVE FABRIC (verify)",
    FoundBy.SERVER: "CHECKS OF A SERVER (by an agent, with expected.json of export hosts)",
    FoundBy.AUDIT: "PROPERTIES OF ALL CONFIGURATIONS (audit, render --audit, diff --prove)",
    FoundBy.WHAT_IF: "NOTES ABOUT FAILURES (what-if)",
    FoundBy.INPUT: "INPUT AND RUNTIME ERRORS (any command)",
}


def checks_text(rows: Sequence[ListedCode], width: int | None) -> Iterator[str]:
    """Lines of one table for each part of fabricgen that reports the codes."""
    for number, (found_by, group) in enumerate(groupby(rows, key=lambda row: row.found_by)):
        yield from ("", TITLES[found_by], "") if number else (TITLES[found_by], "")
        cells = [(row.code, row.severity.value, row.check, row.meaning) for row in group]
        if not any(row[2] for row in cells):
            yield from table(
                ("code", "severity", "means"), [(code, severity, text) for code, severity, _, text in cells], width
            )
        else:
            yield from table(("code", "severity", "check", "means"), cells, width)
    yield from ("", "More about a code: fabricgen explain CODE")
