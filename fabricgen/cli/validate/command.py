"""The command line of `fabricgen validate`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import cluster_option
from fabricgen.cli.validate.options import ValidateOptions


@click.command("validate")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 256),
    help="Processes that look at switches; by default one, a large site one a CPU.",
)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Say every mistake of INTENT at once, in all its postures, with place, reason and what to type. Writes nothing."""
    options = ValidateOptions(**ctx.params)
    from fabricgen.cli.validate.run import run  # noqa: PLC0415

    run(options)
