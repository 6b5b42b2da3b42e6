"""The command line of `fabricgen verify`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import (
    JOBS,
    OVERLAY,
    cluster_option,
    scenario_option,
    seconds,
    templates_option,
    whole,
)

FOLDER = click.Path(path_type=Path, file_okay=False)
SECONDS = seconds()
KEPT = "Save the collected state, one file per switch. Only you can read the files; secrets are removed."


class VerifyOptions(NamedTuple):
    """Typed options."""

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
    scenario: str
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
        """Packets per path, 0 for as many as needed; None where paths are not probed."""
        return self.packets or 0 if self.paths else None


def _refuse_times(ctx: click.Context, options: VerifyOptions) -> None:
    """Raise UsageError for options of time that cannot be combined."""
    if options.twice is not None and (options.since is not None or options.watch is not None):
        raise click.UsageError("--twice cannot be combined with --since or --watch", ctx)
    if options.since is not None and options.watch is not None:
        raise click.UsageError("--since cannot be combined with --watch: each round would report the same again", ctx)


@click.command("verify")
@click.argument("intent", type=click.Path(path_type=Path), required=False)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="Check state saved by --save, or collected manually.")
@click.option(
    "--commands",
    "system",
    metavar="PLATFORM",
    help="Print the commands for manual collection, and the file name for the output of each.",
)
@click.option("--save", type=FOLDER, help=KEPT)
@click.option("--retry", type=SECONDS, metavar="SECONDS", help="Query switches with findings again for up to SECONDS.")
@click.option("--watch", type=SECONDS, metavar="SECONDS", help="Repeat every SECONDS until Ctrl-C; report changes.")
@click.option("--workers", type=whole(1, 256), default=32, show_default=True, help="Switches queried in parallel.")
@click.option("--devices", metavar="GLOB", default="*", help="Only switches whose names match.")
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@templates_option
@click.option("-j", "--jobs", type=whole(1, 256), help=JOBS)
@cluster_option
@click.option("--junit", "junit_file", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML as well.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Journal of pushes; manual changes since the last push are reported (default: push.sqlite in the folder of "
    "-i).",
)
@click.option(
    "--since", type=FOLDER, help="Folder of an earlier --save; session resets and port flaps since then are reported."
)
@click.option("--twice", type=SECONDS, metavar="SECONDS", help="Query twice, SECONDS apart; report resets and flaps.")
@click.option("--paths", is_flag=True, help="In a lab, probe every equal-cost path and report packet loss.")
@click.option(
    "--packets",
    type=whole(2, 100_000),
    metavar="N",
    help="With --paths: packets per path (default: enough to detect 1 % loss on one link).",
)
@click.option("-v", "--verbose", is_flag=True, help="Also list what passed, and findings that follow from another one.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare the state of live switches with INTENT. Changes nothing on them.

    Exit codes: 0 as planned, 4 findings (a switch that cannot be reached is one), 5 no switch could be reached.
    """
    options = VerifyOptions(**ctx.params)
    if options.system is not None and (options.inventory is not None or options.collection is not None):
        raise click.UsageError("--commands only prints: omit -i and --from", ctx)
    if options.system is None and options.intent is None:
        raise click.UsageError("missing argument INTENT: only --commands works without it", ctx)
    if options.system is None and (options.inventory is None) == (options.collection is None):
        raise click.UsageError("use either -i INVENTORY or --from DIRECTORY", ctx)
    live = [name for name in ("save", "retry", "watch") if ctx.params[name] is not None]
    live += ["paths"] if options.paths else []
    live += ["twice"] if options.twice is not None else []
    _refuse_times(ctx, options)
    if options.packets and not options.paths:
        raise click.UsageError("--packets requires --paths", ctx)
    if options.collection is not None and live:
        raise click.UsageError(f"--{live[0]} queries live switches, and --from queries none: omit one of them", ctx)
    if options.cluster is not None and options.templates is not None:
        raise click.UsageError("--cluster uses the built-in templates only: omit --templates", ctx)
    from fabricgen.cli.verify.run import run  # noqa: PLC0415

    run(options)
