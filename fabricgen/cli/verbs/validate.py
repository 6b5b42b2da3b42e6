"""The words of `fabricgen validate`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.options import cluster_option


class Words(NamedTuple):
    """What was typed."""

    intent: Path
    overlay: Path | None
    jobs: int | None
    cluster: str | None
    as_json: bool


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
    words = Words(**ctx.params)
    from fabricgen.cli.validate import run  # noqa: PLC0415

    run(words)
