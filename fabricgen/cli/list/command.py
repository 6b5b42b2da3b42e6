"""The command line of `fabricgen list`."""

import click

from fabricgen.cli.list.parts import PARTS


@click.command("list")
@click.argument("what", type=click.Choice(PARTS))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(*, what: str, as_json: bool) -> None:
    """List what fabricgen knows by itself. It reads no intent.

    \b
    hardware  switches with their ports by speed, chip and operating systems; servers and their NICs
    systems   operating systems with the releases and roles that are rendered, and whether a push is proven
    checks    every code that `explain` knows, with its severity and what it means

    On a terminal the tables take its width. Elsewhere each row is one line, for grep; COLUMNS sets another width.
    """  # noqa: D301 - click reads \b as a backspace: the lines below stay as they are
    from fabricgen.cli.list.run import run  # noqa: PLC0415

    run(what, as_json=as_json)
