"""The command line of `fabricgen plan`."""

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import BASE, OVERLAY, scenario_option


class PlanOptions(NamedTuple):
    """Typed options."""

    intent: Path
    overlay: Path | None
    scenario: str
    as_cables: bool
    steps: Path | None
    against: str | None
    floor: Fraction | None
    as_json: bool


def share(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """Parse a share such as 3/4 or 0.75; another text is a usage error."""
    from fabricgen.intent.overlay import parse_share  # noqa: PLC0415

    try:
        return None if value is None else parse_share(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


AGAINST = "With --steps: the current state, as a rendered folder, an intent or a git revision (`live` is not possible)."


@click.command("plan")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option("--cables", "as_cables", is_flag=True, help="Print the cabling plan as CSV, one cable per line.")
@click.option(
    "--steps", type=click.Path(path_type=Path), metavar="DIR", help="Write the steps of a migration to INTENT into DIR."
)
@click.option("--against", metavar="WHAT", help=AGAINST)
@click.option(
    "--floor",
    callback=share,
    metavar="SHARE",
    help="With --steps: minimum share of uplinks that each rail keeps in service, e.g. 3/4 (default: the share left "
    "when one spine is out of service).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Print the design summary of INTENT: counts, oversubscription, address pools, QoS, power, growth and limits.

    docs/plan-page.md explains each line. With --steps: write a migration from the current state to INTENT, in
    steps that keep enough uplinks in service; docs/steps.md explains them.
    """
    options = PlanOptions(**ctx.params)
    if (options.steps is None) != (options.against is None) or (options.floor is not None and options.steps is None):
        raise click.UsageError("--steps requires --against and --against requires --steps; --floor requires both", ctx)
    if options.steps is not None and (options.as_cables or options.overlay is not None or options.scenario != BASE):
        raise click.UsageError("--steps cannot be combined with --cables, --overlay or --scenario", ctx)
    from fabricgen.cli.plan.run import run  # noqa: PLC0415

    run(options)
