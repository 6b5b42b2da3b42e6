"""`fabricgen plan`: the design summary, the cabling plan, or the steps of a change; only the last are written to files.

JSON: the summary (`summary.page.Page`); `scenario`, the one that it describes; and `transitions`, between each two
scenarios: `before`, `after`, `switches` that change, of `total`, the highest `risk`, `gpus` affected by it, and
`moves` (`what`, `before`, `after`); `waived`, the problems that waivers of the intent accept, each with `code`, `what`,
`path` and `reason`; `notes`, the warnings, each with `code`, `what`, `path`, `why` and `fix`; `left`, settings of all
scenarios that are in no file, each with `feature`, `system`, `roles`, `reason` and what the system does `instead`.
"""

import json
from dataclasses import fields

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.support.left_to_system import left_page, left_to_system, left_values
from fabricgen.cli.common.output import echo_pieces, json_object
from fabricgen.cli.common.problems import accepted_values, print_accepted, reporting_problems, waived_page
from fabricgen.cli.plan.command import PlanOptions
from fabricgen.cli.plan.scenarios import transitions, transitions_text
from fabricgen.cli.plan.steps import StepsRequest, steps_written
from fabricgen.plan.cabling import cables, cabling_csv
from fabricgen.plan.plan import Plan
from fabricgen.site.checked import LoadRequest, load_checked_in_all, of_scenario
from fabricgen.site.workspace import Workspace
from fabricgen.steps.text import plain as plain_steps
from fabricgen.steps.text import table
from fabricgen.summary.page import plain
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text


def run(options: PlanOptions) -> None:
    """Print the summary, the cabling plan or the steps."""
    if options.steps is not None and options.against is not None:
        _write_steps(
            StepsRequest(options.intent, options.steps, options.against, options.floor), as_json=options.as_json
        )
        return
    accepted = Accepted()
    with reporting_problems(as_json=options.as_json):
        workspaces = load_checked_in_all(LoadRequest(options.intent, options.overlay), accepted)
        workspace = of_scenario(workspaces, options.scenario)
    print_accepted(accepted, workspace.documents)
    if options.as_cables:
        _print_cables(workspace.plan, as_json=options.as_json)
    else:
        _print_page(workspace, workspaces, accepted, as_json=options.as_json)


def _print_page(workspace: Workspace, workspaces: tuple[Workspace, ...], accepted: Accepted, *, as_json: bool) -> None:
    page, changes = summarize(workspace.plan), transitions(workspaces)
    defaults = left_to_system(accepted.kinds)
    if as_json:
        value = {item.name: plain(getattr(page, item.name)) for item in fields(page)}
        scenarios = {"scenario": workspace.scenario, "transitions": [item.plain for item in changes]}
        left = {"left": left_values(defaults)}
        click.echo(json.dumps(VERSIONED | value | scenarios | accepted_values(accepted) | left, indent=1))
        return
    for line in (*page_text(page), *left_page(defaults), *waived_page(accepted.waived), *transitions_text(changes)):
        click.echo(line)


def _write_steps(request: StepsRequest, *, as_json: bool) -> None:
    with reporting_problems(as_json=as_json, writes=True):
        sequence = steps_written(request)
    if as_json:
        click.echo(json.dumps(VERSIONED | plain_steps(sequence), indent=1))
        return
    for line in table(sequence):
        click.echo(line)
    click.echo(f"{request.folder}: README.md describes the steps", err=True)


def _print_cables(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        echo_pieces(json_object({"cables": (plain(cable) for cable in cables(plan))}, VERSIONED))
        return
    echo_pieces(cabling_csv(plan))
