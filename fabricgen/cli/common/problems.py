"""Report problems: text on stderr, or JSON on stdout, and the exit code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.base.text import printable
from fabricgen.checks.engine.waivers import Waived
from fabricgen.cli.common.colour import echo_line
from fabricgen.errors import FabricError, Problem
from fabricgen.site.workspace import MAX_PROBLEMS, WorkspaceError, placed
from fabricgen.source.document import Document
from fabricgen.source.yaml_events import path_text

if TYPE_CHECKING:  # who passes one has imported the checks
    from fabricgen.checks.catalogue import Accepted

PROBLEMS = 1
DIFFERENCES = 3


@contextmanager
def reporting_problems(*, as_json: bool, writes: bool = False) -> Iterator[None]:
    """Run the body of a command; a FabricError becomes a report, and exit code 1.

    writes  the command writes files: the report says that none were written
    """
    try:
        yield
    except FabricError as error:
        from fabricgen.source import report  # noqa: PLC0415 - where there is something to report

        documents = error.documents if isinstance(error, WorkspaceError) else ()
        if as_json:
            import json  # noqa: PLC0415

            click.echo(json.dumps(VERSIONED | {"problems": report.as_json(error.problems, *documents)}, indent=1))
        else:
            echo_line(report.report(error.problems[:MAX_PROBLEMS], *documents).rstrip("\n"), err=True)
            count = len(error.problems)
            rest = f", {MAX_PROBLEMS} of them above" if count > MAX_PROBLEMS else ""
            nothing = "; nothing was written" if writes else ""
            click.echo(f"{count} problem{'s' if count != 1 else ''}{rest}{nothing}", err=True)
        sys.exit(PROBLEMS)


def counted(notes: int, waived: int) -> str:
    """Summary of an accepted intent: "no errors, 2 warnings, 1 waived problem"."""
    parts = ((notes, "warning"), (waived, "waived problem"))
    counts = [f"{count} {noun}{'s' if count != 1 else ''}" for count, noun in parts if count]
    return ", ".join(("no errors", *counts)) if counts else "no problems"


def print_accepted(accepted: "Accepted", documents: tuple[Document, ...]) -> None:
    """Print waived problems and warnings on stderr, these with reason and fix. `documents`: the intent first."""
    for entry in accepted.waived:
        _print_headline(entry.problem, "waived", documents)
        click.echo(printable(f"  reason: {entry.reason} (waivers[{entry.number}])"), err=True)
    for note in accepted.notes:
        _print_headline(note, "warning", documents)
        click.echo(printable(f"  why: {note.why}"), err=True)
        echo_line(printable(f"  fix: {note.fix}"), err=True)


def _print_headline(problem: Problem, kind: str, documents: tuple[Document, ...]) -> None:
    at = placed(problem, documents).at
    place = f"{at.file}:{at.line}:{at.column}: " if at else ""
    echo_line(printable(f"{place}{kind}[{problem.code}]: {problem.what}"), err=True)


def waived_page(waived: tuple[Waived, ...]) -> Iterator[str]:
    """Lines of the design summary."""
    if waived:
        yield ""
        yield "Waived"
    for entry in waived:
        yield printable(f"  {entry.problem.code}: {entry.problem.what}")
        yield printable(f"    because {entry.reason} (waivers[{entry.number}])")


def accepted_values(accepted: "Accepted") -> dict[str, list[dict[str, object]]]:
    """Waived problems and warnings as plain values."""
    waived: list[dict[str, object]] = [
        {
            "code": entry.problem.code,
            "what": entry.problem.what,
            "path": path_text(entry.problem.where),
            "reason": entry.reason,
            "waiver": entry.number,
        }
        for entry in accepted.waived
    ]
    notes: list[dict[str, object]] = [
        {"code": note.code, "what": note.what, "path": path_text(note.where), "why": note.why, "fix": note.fix}
        for note in accepted.notes
    ]
    return {"waived": waived, "notes": notes}
