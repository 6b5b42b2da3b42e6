"""`fabricgen list`: hardware, operating systems, codes. Reads the library, writes nothing."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.table import table, table_width
from fabricgen.cli.list.command import CHECKS, HARDWARE
from fabricgen.cli.list.hardware import hardware, hardware_text
from fabricgen.cli.list.systems import systems, systems_text
from fabricgen.explain.listed import FoundBy, ListedCode, listed_codes
from fabricgen.hardware.catalog import load_catalog
from fabricgen.summary.page import plain


def run(what: str, *, as_json: bool) -> None:
    """Print one of the lists."""
    document, lines = _listed(what)
    with reader_may_leave():
        if as_json:
            echo_json(VERSIONED | document)
        else:
            click.echo("\n".join(lines))


def _listed(what: str) -> tuple[dict[str, object], list[str]]:
    """The requested list, as plain values and as lines."""
    if what == HARDWARE:
        models = hardware(load_catalog(None))
        return {name: plain(rows) for name, rows in models._asdict().items()}, [*hardware_text(models, table_width())]
    if what == CHECKS:
        codes = listed_codes()
        return {"checks": plain(codes)}, [*checks_text(codes, table_width())]
    rows = systems()
    return {"systems": plain(rows)}, [*systems_text(rows, table_width())]


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
