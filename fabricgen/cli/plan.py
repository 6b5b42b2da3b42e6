"""`fabricgen plan`: the page for a design review, the cabling plan, or the steps of a change; writes only the last."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import click

from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.plan_steps import Asked, share, steps_written
from fabricgen.cli.problems import problems_told
from fabricgen.plan.cabling import cables, cabling_csv
from fabricgen.plan.plan import Plan
from fabricgen.steps.text import plain as plain_steps
from fabricgen.steps.text import table
from fabricgen.summary.page import plain
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from fabricgen.workspace import WorkspaceError, open_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was typed."""

    intent: Path
    overlay: Path | None
    as_cables: bool
    steps: Path | None
    against: str | None
    floor: Fraction | None
    as_json: bool


@click.command("plan")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option("--cables", "as_cables", is_flag=True, help="Print the cabling plan, one cable a line, as CSV.")
@click.option("--steps", type=click.Path(path_type=Path), metavar="DIR", help="Write the steps that lead to INTENT.")
@click.option("--against", metavar="WHAT", help="With --steps: what stands now, as for diff; not live.")
@click.option("--floor", callback=share, help="With --steps: share of its uplinks that every rail keeps, e.g. 3/4.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Say what INTENT amounts to: counts, ratios, numbers used, lossless settings, watts, growth, what binds.

    With --steps: how to get there from what stands now, in states that carry traffic; docs/steps.md.
    """
    words = Words(**ctx.params)
    if (words.steps is None) != (words.against is None) or (words.floor is not None and words.steps is None):
        raise click.UsageError("--steps goes with --against, and --floor with both", ctx)
    if words.steps is not None and (words.as_cables or words.overlay is not None):
        raise click.UsageError("--steps goes neither with --cables nor with --overlay", ctx)
    if words.steps is not None and words.against is not None:
        _write_steps(Asked(words.intent, words.steps, words.against, words.floor), as_json=words.as_json)
        return
    with problems_told(as_json=words.as_json):
        workspace = open_workspace(words.intent, overlay=words.overlay)
        problems = tuple(run_checks(workspace.plan))
        if problems:
            raise WorkspaceError(problems, workspace.documents)
    if words.as_cables:
        _print_cables(workspace.plan, as_json=words.as_json)
    elif words.as_json:
        click.echo(json.dumps(plain(summarize(workspace.plan)), indent=1))
    else:
        for line in page_text(summarize(workspace.plan)):
            click.echo(line)


def _write_steps(asked: Asked, *, as_json: bool) -> None:
    with problems_told(as_json=as_json, writes=True):
        sequence = steps_written(asked)
    if as_json:
        click.echo(json.dumps(plain_steps(sequence), indent=1))
        return
    for line in table(sequence):
        click.echo(line)
    click.echo(f"{asked.folder}: README.md leads through the steps", err=True)


def _print_cables(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([plain(cable) for cable in cables(plan)]))
        return
    for line in cabling_csv(plan):
        click.echo(line, nl=False)
