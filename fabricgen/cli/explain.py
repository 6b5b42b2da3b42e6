"""`fabricgen explain`: what a word of the site means, and why. Writes nothing.

JSON: `asked`, and `answers`: each `kind`, `title` and `facts` of `label`, `value`, `formula` and `origin` (`at`:
file:line:column, `says`: what stands there), null where there is none.
"""

import json
from pathlib import Path

import click

from fabricgen.cli.problems import problems_told
from fabricgen.errors import FabricError
from fabricgen.explain.answer import Answer
from fabricgen.explain.code import code_answers
from fabricgen.explain.explain import explain, ungrounded
from fabricgen.explain.known import Known
from fabricgen.explain.parse import Asked, read_words
from fabricgen.explain.text import answers_text
from fabricgen.plan import csv_cables, csv_placement
from fabricgen.plan.csv_table import Table, read_table
from fabricgen.summary.page import plain
from fabricgen.workspace import Workspace, WorkspaceError, open_workspace


@click.command("explain")
@click.argument("intent", type=click.Path(path_type=Path))
@click.argument("what", nargs=-1, required=True)
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(intent: Path, what: tuple[str, ...], *, overlay: Path | None, as_json: bool) -> None:
    """Say what WHAT is in INTENT, and why: the formula with its numbers, the line of the lock, what overrides it.

    WHAT is a device, a port (`<device> <port>`), a server (`train[17]`), a NIC port, an address, a prefix, an AS
    number, a VNI, a VLAN (`vlan110`), a route target or distinguisher, a tenant, a network, an outside peer, a fabric,
    or a check or code of what `validate` or `verify` found. A number that may be several things is explained as each; a
    word before it (`vni 10110`) says which.
    """
    if not all(word.strip() for word in what):
        raise click.UsageError("say what is to be explained: a word of WHAT is empty")
    asked = read_words(what)
    with problems_told(as_json=as_json):
        answers = _answers(intent, overlay, asked)
    if as_json:
        click.echo(json.dumps({"asked": " ".join(what), "answers": plain(answers)}, indent=1))
    else:
        for line in answers_text(answers):
            click.echo(line)


def _answers(intent: Path, overlay: Path | None, asked: Asked) -> tuple[Answer, ...]:
    """Every meaning. A check is explained even where the intent can not be read: that is when one asks for it."""
    try:
        workspace = open_workspace(intent, overlay=overlay)
        problems = ungrounded(workspace.plan)
        if problems:
            raise WorkspaceError(problems, workspace.documents)
    except FabricError:
        codes = tuple(code_answers(asked))
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
