"""`fabricgen validate`: report every mistake of an intent at once.

JSON: `problems`, empty; `waived` and `notes`, as for `plan`; `coverage`, how the rules were checked: `proven` and
`streamed` are codes, `switches` how many were checked in all scenarios, `cables` whether every cable was, too; `left`,
settings that are in no file, as for `plan`.
"""

import click

from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.engine.coverage import coverage_text
from fabricgen.checks.support.left_to_system import left_text, left_to_system, left_values
from fabricgen.cli.common.problems import accepted_values, counted, print_accepted, reporting_problems
from fabricgen.cli.validate.command import ValidateOptions
from fabricgen.site.checked import LoadRequest, load_checked_in_all
from fabricgen.workers.parallel_observer import observer_of
from fabricgen.workers.request import ParallelOptions

NOT_HERE = (
    "not checked here: whether rendered files match the plan (`fabricgen audit`), and what a failure costs "
    "(`fabricgen what-if`)"
)
"""What takes longer than a check of an intent may."""


def run(options: ValidateOptions) -> None:
    """Validate, or raise SystemExit after reporting every problem."""
    accepted = Accepted(observer_of(ParallelOptions(options.jobs, options.cluster)))
    with reporting_problems(as_json=options.as_json):
        sites = load_checked_in_all(LoadRequest(options.intent, options.overlay), accepted)
    defaults = left_to_system(accepted.kinds)
    if options.as_json:
        import json  # noqa: PLC0415

        values: dict[str, object] = {"problems": [], **accepted_values(accepted)}
        click.echo(json.dumps(values | {"coverage": accepted.coverage._asdict(), "left": left_values(defaults)}))
    else:
        print_accepted(accepted, sites[0].documents)
        for line in left_text(defaults):
            click.echo(f"{options.intent}: {line}", err=True)
        where = f" in {len(sites)} scenarios: {', '.join(site.scenario for site in sites)}" if len(sites) > 1 else ""
        count = counted(len(accepted.notes), len(accepted.waived))
        click.echo(NOT_HERE, err=True)
        click.echo(f"{options.intent}: {count}{where} ({coverage_text(accepted.coverage)})", err=True)
