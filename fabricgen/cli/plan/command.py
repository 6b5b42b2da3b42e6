"""The command line of `fabricgen plan`."""

from fractions import Fraction
from pathlib import Path

import click

from fabricgen.cli.common.options import BASE, posture_option
from fabricgen.cli.plan.options import PlanOptions


def share(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """Read a share as 3/4 or 0.75; another text is a usage error."""
    from fabricgen.intent.overlay import parse_share  # noqa: PLC0415

    try:
        return None if value is None else parse_share(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("plan")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@posture_option
@click.option("--cables", "as_cables", is_flag=True, help="Print the cabling plan, one cable a line, as CSV.")
@click.option("--steps", type=click.Path(path_type=Path), metavar="DIR", help="Write the steps that lead to INTENT.")
@click.option("--against", metavar="WHAT", help="With --steps: what exists now, as for diff; not live.")
@click.option("--floor", callback=share, help="With --steps: share of its uplinks that every rail keeps, e.g. 3/4.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Print what INTENT amounts to: counts, ratios, pools, lossless settings, power, growth and limits.

    docs/plan-page.md explains each line. With --steps: write how to get there from what runs now, in states that
    carry traffic; docs/steps.md.
    """
    options = PlanOptions(**ctx.params)
    if (options.steps is None) != (options.against is None) or (options.floor is not None and options.steps is None):
        raise click.UsageError("--steps goes with --against, and --floor with both", ctx)
    if options.steps is not None and (options.as_cables or options.overlay is not None or options.posture != BASE):
        raise click.UsageError("--steps goes neither with --cables nor with --overlay nor with --posture", ctx)
    from fabricgen.cli.plan.run import run  # noqa: PLC0415

    run(options)
