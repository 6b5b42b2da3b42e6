"""`fabricgen render --device`: print the files of one switch, computed from its place, however large the site is.

Nothing is written and the lock remains unchanged. Checks across switches need all of them and do not run here:
`validate` runs them. JSON: `device`, `files`: path → text.
"""

import json

import click

from fabricgen.checks.support.limits import limited
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.render.command import RenderOptions
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, places, state_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.site.checked import LoadRequest, load, named
from fabricgen.site.workspace import WorkspaceError, placed


def run(options: RenderOptions, name: str) -> None:
    """Print the files of one switch. Raises SystemExit if it has none."""
    with reporting_problems(as_json=options.as_json):
        workspace = load(LoadRequest(options.intent, options.overlay), options.scenario)
        fabric, place = _found(workspace.plan, name)
        device = resolve(make_site(workspace.plan, fabric.name), place)
        problems = limited((1, problem_row) for problem_row in PLATFORMS[device.system].limits(device))
        located = tuple(named(placed(problem, workspace.documents), workspace.scenario) for problem in problems)
        if located:
            raise WorkspaceError(located, workspace.documents)
        files = tuple(Renderer(options.templates).render(device))
    if options.as_json:
        click.echo(json.dumps({"device": name, "files": {file.path: file.text for file in files}}))
    else:
        for file in files:
            if len(files) > 1:
                click.echo(f"==> {file.path} <==")
            click.echo(file.text, nl=False)
    click.echo(f"{name}: only this switch was rendered; check the site with fabricgen validate", err=True)


def _found(plan: Plan, name: str) -> tuple[FabricPlan, Place]:
    for fabric in plan.fabrics.values():
        place = place_of(fabric, name)
        if place is not None and state_of(fabric, place) == ABSENT:
            raise FabricError.of(
                code="device-absent",
                what=f"{name} has state: absent",
                why="an absent switch has no configuration",
                fix="remove state: absent from its override",
            )
        if place is not None:
            return fabric, place
    raise FabricError([_unknown(plan, name)])


def _unknown(plan: Plan, name: str) -> Problem:
    tiers: dict[tuple[str, Tier], list[str]] = {}
    for fabric in plan.fabrics.values():
        for place in places(fabric):
            tiers.setdefault((fabric.name, place.tier), []).append(name_of(fabric, place))
    spans = (f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0] for names in map(sorted, tiers.values()))
    return Problem(
        code="unknown-name",
        what=f"unknown switch {name}",
        why="no switch of this intent has this name",
        fix=f"write the name of a switch: {', '.join(spans)}",
    )
