"""The command line of `fabricgen list`."""

import click

HARDWARE = "hardware"
SYSTEMS = "systems"
CHECKS = "checks"
PARTS = (HARDWARE, SYSTEMS, CHECKS)


@click.command("list")
@click.argument("what", type=click.Choice(PARTS))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(*, what: str, as_json: bool) -> None:
    """List built-in data: no intent is read.

    \b
    hardware  switches: number of ports per speed, chip, operating systems; servers: their NICs
    systems   operating systems with supported releases and roles, and whether a push was tested on a real switch
    checks    every check and error code, with its severity and meaning; `explain CODE` has more

    On a terminal the tables fit its width. Elsewhere each row is one line, for grep; COLUMNS sets another width.
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    from fabricgen.cli.list.run import run  # noqa: PLC0415

    run(what, as_json=as_json)
