"""The command line of `fabricgen what-if`."""

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import OVERLAY, against_scenario_option, complete_switches, scenario_option


class WhatIfOptions(NamedTuple):
    """Arguments and options of the command."""

    intent: Path
    overlay: Path | None
    scenario: str
    pairs: bool
    fail: tuple[str, ...]
    groups: Path | None
    floor: Fraction | None
    against: str | None
    against_scenario: str | None
    as_json: bool


def share(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """Parse a share, e.g. 3/4 or 0.75; any other text is a usage error."""
    from fabricgen.intent.overlay import parse_share  # noqa: PLC0415

    try:
        return None if value is None else parse_share(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


FAIL = "A part that fails, in one of the forms above. Repeat the option for parts that fail together."


@click.command("what-if")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option("--pairs", is_flag=True, help="Also look at all failures of two parts of a fabric at once.")
@click.option("--fail", multiple=True, metavar="NAME", shell_complete=complete_switches, help=FAIL)
@click.option(
    "--groups", type=click.Path(path_type=Path), metavar="FILE", help="YAML file of parts that fail together."
)
@click.option(
    "--floor", callback=share, metavar="SHARE", help="Exit 3 where a failure leaves less capacity than this, e.g. 3/4."
)
@click.option(
    "--against",
    metavar="WHAT",
    help="Also print which failures cost more than in an earlier state: a rendered folder, an intent or a git "
    "revision.",
)
@against_scenario_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Print what each failure costs in INTENT: GPUs cut off, capacity left, the hottest link, and what to do.

    docs/what-if.md explains each figure. Without --fail: every failure of one link, cage, NIC, server, switch, scalable
    unit, pod and plane, in classes that cost the same, the worst first. With --fail a part is one of these:

    \b
    be-leaf-003, be-spine-*      a switch, or all that match
    be-leaf-003/PORT             the link at a port of a switch, to a NIC or a switch
    cage:be-leaf-003/PORT        all links in the cage of a port, i.e. of its optic
    train[17], train[0-31]       servers
    unit:backend/train/0         a scalable unit, numbered across all pods
    pod:backend/0, plane:backend/0

    Exit codes: 0 no failure leaves less than --floor, and nothing is worse than --against; 3 otherwise.
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    options = WhatIfOptions(**ctx.params)
    if options.fail and (options.pairs or options.groups is not None or options.against is not None):
        raise click.UsageError("--fail cannot be combined with --pairs, --groups or --against", ctx)
    if options.against_scenario is not None and options.against is None:
        raise click.UsageError("--against-scenario requires --against", ctx)
    if options.against == "live":
        raise click.UsageError("--against live is not possible: failures are those of a plan", ctx)
    from fabricgen.cli.what_if.run import run  # noqa: PLC0415

    run(options)
