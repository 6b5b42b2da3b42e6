"""The command line of `fabricgen verify`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import cluster_option, posture_option, templates_option
from fabricgen.cli.verify.options import VerifyOptions

FOLDER = click.Path(path_type=Path, file_okay=False)
SECONDS = click.FloatRange(min=0)
KEPT = "Keep what is collected, a file a switch that only you can read; without the secrets of its configuration."


def _refuse_times(ctx: click.Context, options: VerifyOptions) -> None:
    """Raise UsageError for times that do not go together."""
    if options.twice is not None and (options.since is not None or options.watch is not None):
        raise click.UsageError("--twice goes with neither --since nor --watch", ctx)
    if options.since is not None and options.watch is not None:
        raise click.UsageError("--since goes with no --watch: each round would tell the same again", ctx)


@click.command("verify")
@click.argument("intent", type=click.Path(path_type=Path), required=False)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="Judge what --save kept, or what was collected by hand.")
@click.option("--commands", "system", metavar="PLATFORM", help="Print what to collect by hand, and into which files.")
@click.option("--save", type=FOLDER, help=KEPT)
@click.option("--retry", type=SECONDS, metavar="SECONDS", help="Ask switches with findings again, for so long.")
@click.option("--watch", type=SECONDS, metavar="SECONDS", help="Verify every so often until Ctrl-C; tell what changed.")
@click.option("--workers", type=click.IntRange(1, 256), default=32, show_default=True, help="Switches asked at once.")
@click.option("--devices", metavar="GLOB", default="*", help="Only switches whose names match.")
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@posture_option
@templates_option
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), help="Processes that judge; by default one, a large site one a CPU."
)
@cluster_option
@click.option("--junit", "junit_file", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML as well.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Of pushes: what was typed by hand since is reported (default: push.sqlite in the inventory).",
)
@click.option(
    "--since", type=FOLDER, help="An earlier --save: sessions reset and ports that flapped since then are reported."
)
@click.option("--twice", type=SECONDS, metavar="SECONDS", help="Ask twice, and tell what happened between.")
@click.option("--paths", is_flag=True, help="In a lab, probe every equal-cost path and name what loses packets.")
@click.option(
    "--packets",
    type=click.IntRange(2, 100_000),
    metavar="N",
    help="Packets of every path, with --paths; left out: as many as show 1 % of loss on one cable.",
)
@click.option("-v", "--verbose", is_flag=True, help="Tell what passed and each consequence, too.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare what INTENT plans with what the switches show. Changes nothing on them.

    Exit codes: 0 as planned, 4 findings, 5 no switch could be reached.
    """
    options = VerifyOptions(**ctx.params)
    if options.system is not None and (options.inventory is not None or options.collection is not None):
        raise click.UsageError("--commands only prints: leave out -i and --from", ctx)
    if options.system is None and options.intent is None:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if options.system is None and (options.inventory is None) == (options.collection is None):
        raise click.UsageError("say either -i with an inventory, or --from with a collection", ctx)
    live = [name for name in ("save", "retry", "watch") if ctx.params[name] is not None]
    live += ["paths"] if options.paths else []
    live += ["twice"] if options.twice is not None else []
    _refuse_times(ctx, options)
    if options.packets and not options.paths:
        raise click.UsageError("--packets is of --paths", ctx)
    if options.collection is not None and live:
        raise click.UsageError(f"--{live[0]} needs switches to ask, and --from asks none", ctx)
    if options.cluster is not None and options.templates is not None:
        raise click.UsageError("--cluster has only fabricgen's own templates: leave out --templates", ctx)
    from fabricgen.cli.verify.run import run  # noqa: PLC0415

    run(options)
