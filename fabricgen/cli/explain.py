"""`fabricgen explain`: what a word of the site means, and why. Writes nothing.

JSON: `asked`, and `answers`: each `kind`, `title` and `facts` of `label`, `value`, `formula` and `origin` (`at`:
file:line:column, `says`: what stands there), null where there is none.
"""

import json
from pathlib import Path

import click

from fabricgen.cli.problems import problems_told
from fabricgen.cli.sound import Read, sound
from fabricgen.errors import FabricError
from fabricgen.explain.answer import Answer
from fabricgen.explain.code import code_answers, told_answers
from fabricgen.explain.explain import explain, ungrounded
from fabricgen.explain.known import Known
from fabricgen.explain.parse import Asked, read_words
from fabricgen.explain.text import answers_text
from fabricgen.plan import csv_cables, csv_placement
from fabricgen.plan.csv_table import Table, read_table
from fabricgen.summary.page import plain
from fabricgen.workspace import Workspace


def run(intent: Path, what: tuple[str, ...], overlay: Path | None, posture: str, *, as_json: bool) -> None:
    """Say what the words mean."""
    asked = read_words(what)
    with problems_told(as_json=as_json):
        answers = _answers(Read(intent, overlay), posture, asked)
    if as_json:
        click.echo(json.dumps({"asked": " ".join(what), "answers": plain(answers)}, indent=1))
    else:
        for line in answers_text(answers):
            click.echo(line)


def _answers(read: Read, posture: str, asked: Asked) -> tuple[Answer, ...]:
    """Every meaning. A check is explained even where the intent can not be read: that is when one asks for it."""
    try:
        workspace = sound(read, posture, ungrounded)
    except FabricError:
        codes = tuple(code_answers(asked)) or tuple(told_answers(asked))
        if not codes:
            raise
        return codes
    return explain(_known(workspace), asked)


def _known(workspace: Workspace) -> Known:
    intent = workspace.intent
    return Known(
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
