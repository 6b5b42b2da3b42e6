"""The command line of `fabricgen diff`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import against_posture_option, cluster_option, posture_option, templates_option
from fabricgen.cli.diff.options import LIVE, DiffOptions

FOLDER = click.Path(path_type=Path, file_okay=False)
AGAINST = "A rendered folder, a folder with an intent, a git revision (origin/main, HEAD~1, REV:PATH), or `live`."


@click.command("diff")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--against", required=True, metavar="WHAT", help=AGAINST)
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@posture_option
@against_posture_option
@templates_option
@click.option("--devices", metavar="GLOB", help="Show the text of these switches; of a live fabric: ask these only.")
@click.option(
    "--expect", type=click.Path(path_type=Path), help="A file that says what may change; exit 3 for the rest."
)
@click.option("-i", "--inventory", type=FOLDER, help="Of the live switches: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="What verify --save kept of them, instead of asking.")
@click.option("--workers", type=click.IntRange(1, 256), default=32, show_default=True, help="Switches asked at once.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes that compare; left out: this one.")
@cluster_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a comment for a pull request.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Tell every switch, every fact and who says what it costs.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare INTENT with what was before: facts in classes of switches alike, their risk, and whom they reach.

    Exit codes: 0 nothing differs (with --expect: nothing that is not expected), 3 something does, 5 no switch could be
    read.
    """
    options = DiffOptions(**ctx.params)
    if options.as_json and options.as_markdown:
        raise click.UsageError("say either --json or --markdown", ctx)
    if (options.against == LIVE) != (options.inventory is not None or options.collection is not None):
        raise click.UsageError("--against live goes with -i or --from, and they with it", ctx)
    if options.inventory is not None and options.collection is not None:
        raise click.UsageError("say either -i or --from", ctx)
    if options.against == LIVE and options.against_posture is not None:
        raise click.UsageError("--against-posture goes with an intent, and live switches are in none", ctx)
    if options.against == LIVE and (options.jobs is not None or options.cluster is not None):
        raise click.UsageError("--jobs and --cluster go with a plan on both sides: live switches have none", ctx)
    from fabricgen.cli.diff.run import run  # noqa: PLC0415

    run(options)
