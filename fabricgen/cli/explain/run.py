"""`fabricgen explain`: the meaning and derivation of a name or number of the site. Writes nothing.

JSON: `asked`, and `answers`: each `kind`, `title` and `facts` of `label`, `value`, `formula` and `origin` (`at`:
file:line:column, `says`: the text there), null where there is none.
"""

import json
from pathlib import Path

import click

from fabricgen.cli.common.problems import reporting_problems
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.answer import Answer
from fabricgen.explain.code import code_answers, code_words, problem_code_answers
from fabricgen.explain.explain import explain, ungrounded
from fabricgen.explain.known import KnownSite
from fabricgen.explain.nearest import nearest_words
from fabricgen.explain.parse import Question, read_words
from fabricgen.explain.text import answers_text
from fabricgen.explain.unknown import ALIKE, MOST_SHOWN
from fabricgen.plan import csv_cables, csv_placement
from fabricgen.plan.csv_table import Table, read_table
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import Workspace
from fabricgen.summary.page import plain


def run(intent: Path, what: tuple[str, ...], overlay: Path | None, scenario: str, *, as_json: bool) -> None:
    """Print what the words mean."""
    question = read_words(what)
    with reporting_problems(as_json=as_json):
        answers = _answers(LoadRequest(intent, overlay), scenario, question)
    _print_answers(what, answers, as_json=as_json)


def run_lossless(intent: Path, overlay: Path | None, scenario: str, *, as_json: bool) -> None:
    """Print why PFC cannot deadlock the fabrics of an intent, or how it can."""
    from fabricgen.explain.lossless_proof import lossless_answers  # noqa: PLC0415 - reads text back, which nothing else does

    with reporting_problems(as_json=as_json):
        answers = lossless_answers(load_checked(LoadRequest(intent, overlay), scenario).plan)
    _print_answers(("lossless",), answers, as_json=as_json)


def run_code(what: tuple[str, ...], *, as_json: bool) -> None:
    """Print what a check or a code means, without a site. Raises click.UsageError if only an intent was typed."""
    question = read_words(what)
    answers = _of_code(question)
    if not answers and Path(what[0]).exists():
        raise click.UsageError(f"missing argument WHAT: what to explain in {what[0]}")
    with reporting_problems(as_json=as_json):
        if not answers:
            raise FabricError([_unknown_code(question.text)])
    _print_answers(what, answers, as_json=as_json)


def _of_code(question: Question) -> tuple[Answer, ...]:
    return tuple(code_answers(question)) or tuple(problem_code_answers(question))


def _unknown_code(text: str) -> Problem:
    suggestion = nearest_words(text, code_words(), ALIKE)
    return Problem(
        code="unknown-name",
        what=f"{text[:MOST_SHOWN]} is not a check, not a code and not a file",
        why="without an intent, fabricgen explains only checks and codes",
        fix=suggestion or "write fabricgen explain INTENT WHAT, or a code that a verb printed, e.g. no-account",
    )


def _print_answers(what: tuple[str, ...], answers: tuple[Answer, ...], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"asked": " ".join(what), "answers": plain(answers)}, indent=1))
    else:
        for line in answers_text(answers):
            click.echo(line)


def _answers(read: LoadRequest, scenario: str, question: Question) -> tuple[Answer, ...]:
    """Return every meaning. A check is explained even if the intent cannot be read, as it may be the reason."""
    try:
        workspace = load_checked(read, scenario, ungrounded)
    except FabricError:
        codes = _of_code(question)
        if not codes:
            raise
        return codes
    return explain(_known(workspace), question)


def _known(workspace: Workspace) -> KnownSite:
    intent = workspace.intent
    return KnownSite(
        plan=workspace.plan,
        intent=workspace.document,
        lock=workspace.lock_document,
        placement=_table(workspace, intent.placement, csv_placement.COLUMNS, csv_placement.REQUIRED),
        cables=_table(workspace, intent.cables.file, csv_cables.COLUMNS, csv_cables.REQUIRED),
    )


def _table(workspace: Workspace, name: str | None, columns: tuple[str, ...], required: tuple[str, ...]) -> Table | None:
    if name is None:
        return None
    file = str(workspace.path.parent / name)
    return read_table(workspace.inputs[name], file, columns, required)
