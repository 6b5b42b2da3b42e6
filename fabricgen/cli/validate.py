"""`fabricgen validate`: every mistake of an intent at once."""

import json
from pathlib import Path

import click

from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.problems import problems_told
from fabricgen.workspace import WorkspaceError, open_workspace


@click.command("validate")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(intent: Path, *, overlay: Path | None, as_json: bool) -> None:
    """Say every mistake of INTENT at once, each with its place, the reason and what to type. Writes nothing."""
    with problems_told(as_json=as_json):
        workspace = open_workspace(intent, overlay=overlay)
        problems = run_checks(workspace.plan)
        if problems:
            raise WorkspaceError(problems, workspace.documents)
    if as_json:
        click.echo(json.dumps({"problems": []}))
    else:
        click.echo(f"{intent}: no problems", err=True)
