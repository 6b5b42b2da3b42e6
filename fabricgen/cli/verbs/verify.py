"""The words of `fabricgen verify`."""

from dataclasses import dataclass
from pathlib import Path

import click

from fabricgen.cli.options import cluster_option, posture_option, templates_option

FOLDER = click.Path(path_type=Path, file_okay=False)
SECONDS = click.FloatRange(min=0)
KEPT = "Keep what is collected, a file a switch that only you can read; without the secrets of its configuration."


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was typed."""

    intent: Path | None
    inventory: Path | None
    collection: Path | None
    system: str | None
    save: Path | None
    retry: float | None
    watch: float | None
    workers: int
    devices: str
    overlay: Path | None
    posture: str
    templates: Path | None
    jobs: int | None
    cluster: str | None
    junit_file: Path | None
    as_json: bool
    verbose: bool
    paths: bool
    packets: int | None
    journal: Path | None
    since: Path | None
    twice: float | None

    @property
    def probes(self) -> int | None:
        """Packets of every path, 0 for as many as it takes; None where paths are not probed."""
        return self.packets or 0 if self.paths else None


def _refuse_times(ctx: click.Context, words: Words) -> None:
    """Raise UsageError for times that do not go together."""
    if words.twice is not None and (words.since is not None or words.watch is not None):
        raise click.UsageError("--twice goes with neither --since nor --watch", ctx)
    if words.since is not None and words.watch is not None:
        raise click.UsageError("--since goes with no --watch: each round would tell the same again", ctx)


@click.command("verify")
@click.argument("intent", type=click.Path(path_type=Path), required=False)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="Judge what --save kept, or what was collected by hand.")
@click.option("--commands", "system", metavar="PLATFORM", help="Print what to collect by hand, and into which files.")
@click.option("--save", type=FOLDER, help=KEPT)
@click.option("--retry", type=SECONDS, metavar="SECONDS", help="Ask switches with findings anew, for so long.")
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
    help="Of pushes: what was typed by hand since is told (default: push.sqlite in the inventory).",
)
@click.option(
    "--since", type=FOLDER, help="An earlier --save: sessions reset and ports that flapped since then are told."
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
    words = Words(**ctx.params)
    if words.system is not None and (words.inventory is not None or words.collection is not None):
        raise click.UsageError("--commands only prints: leave out -i and --from", ctx)
    if words.system is None and words.intent is None:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if words.system is None and (words.inventory is None) == (words.collection is None):
        raise click.UsageError("say either -i with an inventory, or --from with a collection", ctx)
    live = [name for name in ("save", "retry", "watch") if ctx.params[name] is not None]
    live += ["paths"] if words.paths else []
    live += ["twice"] if words.twice is not None else []
    _refuse_times(ctx, words)
    if words.packets and not words.paths:
        raise click.UsageError("--packets is of --paths", ctx)
    if words.collection is not None and live:
        raise click.UsageError(f"--{live[0]} needs switches to ask, and --from asks none", ctx)
    if words.cluster is not None and words.templates is not None:
        raise click.UsageError("--cluster has only fabricgen's own templates: leave out --templates", ctx)
    from fabricgen.cli.verify import run  # noqa: PLC0415

    run(words)
