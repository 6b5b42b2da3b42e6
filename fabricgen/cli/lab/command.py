"""The command line of `fabricgen lab`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import scenario_option, subset_option, templates_option, whole
from fabricgen.lab.host.place import DEFAULT

WAIT_SECONDS = 180

folder_option = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help=f"Folder of the lab (default: {DEFAULT} in the current folder; if there is none, the only lab that was built "
    "from an intent in this folder).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


class LabOptions(NamedTuple):
    """Typed options of `up`."""

    intent: Path
    subset: str
    folder: Path | None
    queues_mbps: int | None
    wait: int
    no_wait: bool
    scenario: str
    templates: Path | None
    as_json: bool


@click.group("lab")
def command() -> None:
    """Emulate the fabric, or a part of it, on this Linux host: namespaces, daemons, links. Needs root."""


@command.command("up", short_help="Build the lab and wait for BGP.")
@click.argument("intent", type=click.Path(path_type=Path))
@subset_option("Build")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help=f"Folder of the lab (default: {DEFAULT} beside the intent).",
)
@click.option(
    "--queues",
    "queues_mbps",
    type=whole(1),
    metavar="MBIT",
    help="Give switch ports the planned queues and ECN marking, at a port rate of MBIT Mbit/s.",
)
@click.option(
    "--wait",
    type=whole(0),
    default=WAIT_SECONDS,
    metavar="SECONDS",
    help="Maximum time to wait for BGP sessions; 0: do not wait.",
)
@click.option("--no-wait", is_flag=True, help="Return as soon as the daemons run, as with --wait 0.")
@scenario_option
@templates_option
@json_option
@click.pass_context
def up_command(ctx: click.Context, /, **_: object) -> None:
    """Build the lab, list what it does not emulate, and wait until every BGP session is established."""
    from fabricgen.cli.lab.run import run_up  # noqa: PLC0415

    run_up(LabOptions(**ctx.params))


@command.command("status", short_help="Show daemons, BGP sessions and cables.")
@folder_option
@json_option
def status_command(*, folder: Path | None, as_json: bool) -> None:
    """Show the running daemons, the established BGP sessions and the cables of each switch."""
    from fabricgen.cli.lab.run import run_status  # noqa: PLC0415

    run_status(folder, as_json=as_json)


@command.command(
    "exec", short_help="Run a command in a switch or server.", context_settings={"ignore_unknown_options": True}
)
@click.argument("name")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
@folder_option
def exec_command(name: str, words: tuple[str, ...], *, folder: Path | None) -> None:
    """Run a command inside a switch or server: `lab exec be-leaf-000 -- vtysh -c "show bgp summary"`."""
    from fabricgen.cli.lab.run import run_exec  # noqa: PLC0415

    run_exec(name, words, folder)


@command.command("impair", short_help="Add loss, delay or a rate limit to a cable.")
@click.argument("cables", nargs=-1, required=True, metavar="CABLE…")
@click.option("--loss", metavar="PERCENT", help="Random loss in each direction, e.g. 1%.")
@click.option("--delay", metavar="TIME", help="Delay added in each direction, e.g. 5ms.")
@click.option("--rate", metavar="RATE", help="Rate limit of each direction, e.g. 100mbit.")
@click.option("--clear", is_flag=True, help="Remove loss, delay and rate limit.")
@folder_option
def impair_command(cables: tuple[str, ...], *, folder: Path | None, clear: bool, **faults: str | None) -> None:
    """Add loss, delay or a rate limit to a cable, named by a port at either end.

    \b
    fabricgen lab impair be-leaf-000/swp33s0 --loss 1%
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    from fabricgen.cli.lab.impair import run_impair  # noqa: PLC0415

    run_impair(cables, {kind: words for kind, words in faults.items() if words is not None}, folder, clear=clear)


@command.command("down", short_help="Remove the lab.")
@folder_option
def down_command(*, folder: Path | None) -> None:
    """Remove the lab, including leftovers of an interrupted `lab up`."""
    from fabricgen.cli.lab.run import run_down  # noqa: PLC0415

    run_down(folder)
