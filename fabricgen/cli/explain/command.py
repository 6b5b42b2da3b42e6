"""The command line of `fabricgen explain`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import complete_words, posture_option

CODE_KINDS = ("check", "code")
"""Words that say that the next one is a check or a code (explain.parse.KINDS, which is not imported here)."""


@click.command("explain")
@click.argument("intent", type=click.Path(path_type=Path), metavar="[INTENT]")
@click.argument("what", nargs=-1, metavar="WHAT...", shell_complete=complete_words)
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@posture_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(intent: Path, what: tuple[str, ...], *, overlay: Path | None, posture: str, as_json: bool) -> None:
    """Say what WHAT is in INTENT, and why: the formula with its numbers, the line of the lock, what overrides it.

    WHAT is a device, a port (`<device> <port>`), a server (`train[17]`), a NIC port, an address, a prefix, an AS
    number, a VNI, a VLAN (`vlan110`), a route target or distinguisher, a tenant, a network, an outside peer, a fabric,
    or a check or code of what `validate` or `verify` found. A number that may be several things is explained as each; a
    word before it (`vni 10110`) says which. A check or a code needs no INTENT: `explain no-account`.
    """
    if not all(word.strip() for word in what):
        raise click.UsageError("say what is to be explained: a word of WHAT is empty")
    from fabricgen.cli.explain.run import run, run_code  # noqa: PLC0415

    if not what or (str(intent) in CODE_KINDS and not intent.exists()):
        run_code((str(intent), *what), as_json=as_json)
        return
    run(intent, what, overlay, posture, as_json=as_json)
