"""The command line of `fabricgen lab`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import complete_subset, posture_option, templates_option
from fabricgen.cli.lab.options import LabOptions
from fabricgen.lab.host.place import DEFAULT

WAIT_SECONDS = 180

folder_option = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help=f"The lab's folder; left out: {DEFAULT} here, or the only lab of an intent here.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.group("lab")
def command() -> None:
    """The fabric, or a part of it, on this Linux host: namespaces, daemons, cables. Needs root."""


@command.command("up")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option(
    "--subset",
    shell_complete=complete_subset,
    default="",
    metavar="KEY=N,…",
    help="planes, pods, units, leaves, spines, superspines, links, servers, borders to keep.",
)
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path), help=f"The lab's folder; left out: {DEFAULT} beside the intent."
)
@click.option(
    "--queues",
    "queues_mbps",
    type=click.IntRange(min=1),
    metavar="MBIT",
    help="Give switch ports the plan's queues and marking, at so many Mbit/s.",
)
@click.option(
    "--wait",
    type=click.IntRange(min=0),
    default=WAIT_SECONDS,
    metavar="SECONDS",
    help="Longest to wait for sessions; 0: not at all.",
)
@click.option("--no-wait", is_flag=True, help="Return when the daemons run.")
@posture_option
@templates_option
@json_option
@click.pass_context
def up_command(ctx: click.Context, /, **_: object) -> None:
    """Build it, tell what it cannot show, and wait until every session is established."""
    from fabricgen.cli.lab.run import run_up  # noqa: PLC0415

    run_up(LabOptions(**ctx.params))


@command.command("status")
@folder_option
@json_option
def status_command(*, folder: Path | None, as_json: bool) -> None:
    """Of each switch the daemons that live, the sessions that are established, and the cables."""
    from fabricgen.cli.lab.run import run_status  # noqa: PLC0415

    run_status(folder, as_json=as_json)


@command.command("exec", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED)
@folder_option
def exec_command(name: str, words: tuple[str, ...], *, folder: Path | None) -> None:
    """Run a command inside a switch or server: `lab exec be-leaf-000 -- vtysh -c "show bgp summary"`."""
    from fabricgen.cli.lab.run import run_exec  # noqa: PLC0415

    run_exec(name, words, folder)


@command.command("impair")
@click.argument("cables", nargs=-1, required=True, metavar="CABLE…")
@click.option("--loss", metavar="PERCENT", help="Drop so many packets at random, each way: 1%.")
@click.option("--delay", metavar="TIME", help="Hold every packet so long, each way: 5ms.")
@click.option("--rate", metavar="RATE", help="Limit each way to so much: 100mbit.")
@click.option("--clear", is_flag=True, help="Take all of it away.")
@folder_option
def impair_command(cables: tuple[str, ...], *, folder: Path | None, clear: bool, **faults: str | None) -> None:
    """Give a cable, named by either end (`be-leaf-000/swp33s0`), loss, a delay or a lower rate."""
    from fabricgen.cli.lab.impair import run_impair  # noqa: PLC0415

    run_impair(cables, {kind: words for kind, words in faults.items() if words is not None}, folder, clear=clear)


@command.command("down")
@folder_option
def down_command(*, folder: Path | None) -> None:
    """Remove all of a lab, also what a killed `up` has left."""
    from fabricgen.cli.lab.run import run_down  # noqa: PLC0415

    run_down(folder)
