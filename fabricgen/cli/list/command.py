"""The command line of `fabricgen list`."""

import click

from fabricgen.cli.common.options import whole

HARDWARE = "hardware"
SYSTEMS = "systems"
CHECKS = "checks"
PARTS = (HARDWARE, SYSTEMS, CHECKS)


@click.command("list")
@click.argument("what", type=click.Choice(PARTS))
@click.option("--speed", type=whole(1, 100_000), metavar="GBPS", help="Hardware with ports of this speed only.")
@click.option(
    "--lossless",
    is_flag=True,
    help="Switches that can have a lossless class only, and the systems with which they can.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, what: str, speed: int | None, *, lossless: bool, as_json: bool) -> None:
    """List built-in data: no intent is read.

    \b
    hardware  switches: number of ports per speed, chip, operating systems; servers: their NICs
    systems   operating systems with supported releases and roles, and whether a push was tested on a real switch
    checks    every check and error code, with its severity and meaning; `explain CODE` has more

    On a terminal the tables fit its width. Elsewhere each row is one line, for grep; COLUMNS sets another width.
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    from fabricgen.cli.list.run import run  # noqa: PLC0415

    if what != HARDWARE and (speed or lossless):
        raise click.UsageError(f"--speed and --lossless are for `list {HARDWARE}`", ctx)
    run(what, speed, lossless=lossless, as_json=as_json)
