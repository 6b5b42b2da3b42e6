"""`fabricgen validate`: report every mistake of an intent at once.

JSON: `problems`, empty; `waived` and `notes`, as for `plan`; `held`, how the rules were checked: `proven` and
`streamed` are codes, `switches` how many were checked in all scenarios, `cables` whether every cable was, too; `left`,
settings that are in no file, as for `plan`.
"""

import click

from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.engine.coverage import held_text, held_values
from fabricgen.checks.support.left_to_system import left_text, left_to_system, left_values
from fabricgen.cli.common.problems import counted, notes_values, problems_told, tell_notes, tell_waived, waived_values
from fabricgen.cli.validate.options import ValidateOptions
from fabricgen.site.checked import LoadRequest, load_checked_in_all
from fabricgen.workers.parallel_observer import looker
from fabricgen.workers.request import ParallelOptions


def run(options: ValidateOptions) -> None:
    """Validate, or raise SystemExit after reporting every problem."""
    accepted = Accepted(looker(ParallelOptions(options.jobs, options.cluster)))
    with problems_told(as_json=options.as_json):
        workspaces = load_checked_in_all(LoadRequest(options.intent, options.overlay), accepted)
    system_defaults = left_to_system(accepted.kinds)
    if options.as_json:
        import json  # noqa: PLC0415

        accepted_values = {"waived": waived_values(accepted.waived), "notes": notes_values(accepted.notes)}
        click.echo(
            json.dumps(
                {"problems": []}
                | accepted_values
                | {"held": held_values(accepted.held), "left": left_values(system_defaults)}
            )
        )
    else:
        tell_waived(accepted.waived, workspaces[0].documents)
        tell_notes(accepted.notes, workspaces[0].documents)
        for line in left_text(system_defaults):
            click.echo(f"{options.intent}: {line}", err=True)
        in_scenarios = (
            f" in {len(workspaces)} scenarios: {', '.join(workspace.scenario for workspace in workspaces)}"
            if len(workspaces) > 1
            else ""
        )
        count = counted(len(accepted.notes), len(accepted.waived))
        click.echo(f"{options.intent}: {count}{in_scenarios} ({held_text(accepted.held)})", err=True)
