"""The command line of `fabricgen validate`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import JOBS, OVERLAY, cluster_option, whole


class ValidateOptions(NamedTuple):
    """Typed options."""

    intent: Path
    overlay: Path | None
    jobs: int | None
    cluster: str | None
    as_json: bool


@click.command("validate")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@click.option("-j", "--jobs", type=whole(1, 256), help=JOBS)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Check INTENT in all its scenarios: report errors with their line, reason and fix. Writes nothing.

    It stops after the first stage with errors (text, values, names, counts and ports, plan, configuration of each
    switch): run it again after a fix.
    """
    options = ValidateOptions(**ctx.params)
    from fabricgen.cli.validate.run import run  # noqa: PLC0415

    run(options)
