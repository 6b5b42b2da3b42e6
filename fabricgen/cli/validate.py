"""`fabricgen validate`: every mistake of an intent at once."""

import json
from pathlib import Path

import click

from fabricgen.cli.problems import report_problems
from fabricgen.workspace import open_workspace


@click.command("validate")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="print the result as JSON")
def command(intent: Path, as_json: bool) -> None:  # noqa: FBT001 - click passes options by name
    """Say every mistake of INTENT at once, each with its place, the reason and what to type. Writes nothing."""
    with report_problems(intent, as_json=as_json):
        workspace = open_workspace(intent)
        workspace.check()
    if as_json:
        click.echo(json.dumps({"problems": []}))
    else:
        click.echo(f"{intent}: no problems", err=True)
