"""`fabricgen plan`: the page for a design review, or the cabling plan. Writes nothing."""

import json
from pathlib import Path

import click

from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.problems import problems_told
from fabricgen.plan.cabling import cables, cabling_csv
from fabricgen.plan.plan import Plan
from fabricgen.summary.page import plain
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from fabricgen.workspace import WorkspaceError, open_workspace


@click.command("plan")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--cables", "as_cables", is_flag=True, help="Print the cabling plan, one cable a line, as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(intent: Path, *, as_cables: bool, as_json: bool) -> None:
    """Say what INTENT amounts to: counts, ratios, numbers used, lossless settings, watts, growth, what binds."""
    with problems_told(as_json=as_json):
        workspace = open_workspace(intent)
        problems = tuple(run_checks(workspace.plan))
        if problems:
            raise WorkspaceError(problems, workspace.documents)
    if as_cables:
        _print_cables(workspace.plan, as_json=as_json)
    elif as_json:
        click.echo(json.dumps(plain(summarize(workspace.plan)), indent=1))
    else:
        for line in page_text(summarize(workspace.plan)):
            click.echo(line)


def _print_cables(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([plain(cable) for cable in cables(plan)]))
        return
    for line in cabling_csv(plan):
        click.echo(line, nl=False)
