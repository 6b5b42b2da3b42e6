"""The command line of `fabricgen diff`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import (
    OVERLAY,
    against_scenario_option,
    cluster_option,
    scenario_option,
    templates_option,
    whole,
)

FOLDER = click.Path(path_type=Path, file_okay=False)
LIVE = "live"
AGAINST = (
    "State to compare with: a rendered folder, an intent or a folder with one, a git revision (origin/main, HEAD~1, "
    "REV:PATH), or `live`."
)


class DiffOptions(NamedTuple):
    """Typed options."""

    intent: Path
    against: str
    overlay: Path | None
    scenario: str
    against_scenario: str | None
    templates: Path | None
    devices: str | None
    expect: Path | None
    inventory: Path | None
    collection: Path | None
    workers: int
    jobs: int | None
    cluster: str | None
    prove: bool
    as_markdown: bool
    as_json: bool
    verbose: bool


@click.command("diff")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--against", required=True, metavar="WHAT", help=AGAINST)
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@against_scenario_option
@templates_option
@click.option(
    "--devices",
    metavar="GLOB",
    help="Also show the text that changes on matching switches. With `live`: query only these.",
)
@click.option(
    "--expect",
    type=click.Path(path_type=Path),
    help="File of expected changes: those that it lists do not cause exit code 3.",
)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory of the live switches.")
@click.option("--from", "collection", type=FOLDER, help="With `live`: folder of verify --save, nothing is queried.")
@click.option("--workers", type=whole(1, 256), default=32, show_default=True, help="Switches queried in parallel.")
@click.option("-j", "--jobs", type=whole(1, 256), help="Parallel processes (default: 1).")
@cluster_option
@click.option(
    "--prove",
    is_flag=True,
    help="Also check that the rendered files fit together, e.g. that both ends of each session agree and tenants are "
    "separate (list: docs/audit.md), and list single failures whose impact is larger than before the change.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a comment for a pull request.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Also list every switch, every change and the source of its risk.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare INTENT with an earlier state, or with what the switches run.

    Switches with the same changes form a group; each group has its risk, and the servers and tenants that it affects.

    Exit codes: 0 no differences (with --expect: no unexpected ones), 3 differences, or some switches could not be read,
    5 no switch could be read.
    """
    options = DiffOptions(**ctx.params)
    if options.prove and options.against == LIVE:
        raise click.UsageError("--prove is about two plans: omit it with --against live", ctx)
    if options.as_json and options.as_markdown:
        raise click.UsageError("use either --json or --markdown", ctx)
    if (options.against == LIVE) != (options.inventory is not None or options.collection is not None):
        raise click.UsageError(
            "--against live requires -i or --from, and these two are valid only with --against live", ctx
        )
    if options.inventory is not None and options.collection is not None:
        raise click.UsageError("use either -i or --from", ctx)
    if options.against == LIVE and options.against_scenario is not None:
        raise click.UsageError(
            "--against-scenario cannot be combined with --against live: live switches have no scenario", ctx
        )
    if options.against == LIVE and (options.jobs is not None or options.cluster is not None):
        raise click.UsageError(
            "--jobs and --cluster cannot be combined with --against live: they compare two plans", ctx
        )
    from fabricgen.cli.diff.run import run  # noqa: PLC0415

    run(options)
