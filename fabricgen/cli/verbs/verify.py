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

    intent: Path
    inventory: Path | None
    collection: Path | None
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


@click.command("verify")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="Judge what --save kept; no switch is asked.")
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
@click.option("-v", "--verbose", is_flag=True, help="Tell what passed, too.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare what INTENT plans with what the switches show. Changes nothing on them.

    Exit codes: 0 as planned, 4 findings, 5 no switch could be reached.
    """
    words = Words(**ctx.params)
    if (words.inventory is None) == (words.collection is None):
        raise click.UsageError("say either -i with an inventory, or --from with a collection", ctx)
    live = [name for name in ("save", "retry", "watch") if ctx.params[name] is not None]
    if words.collection is not None and live:
        raise click.UsageError(f"--{live[0]} needs switches to ask, and --from asks none", ctx)
    if words.cluster is not None and words.templates is not None:
        raise click.UsageError("--cluster has only fabricgen's own templates: leave out --templates", ctx)
    from fabricgen.cli.verify import run  # noqa: PLC0415

    run(words)
