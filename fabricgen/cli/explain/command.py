"""The command line of `fabricgen explain`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import OVERLAY, complete_words, scenario_option

CODE_KINDS = ("check", "code")
"""Words before a check or a code (explain.parse.KINDS, which is not imported here)."""


@click.command("explain")
@click.argument("intent", required=False, type=click.Path(path_type=Path), metavar="[INTENT]")
@click.argument("what", nargs=-1, metavar="WHAT...", shell_complete=complete_words)
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option(
    "--lossless",
    is_flag=True,
    help="Print the proof that PFC cannot deadlock, and what one stuck NIC stops. Takes no WHAT.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    intent: Path | None, what: tuple[str, ...], *, overlay: Path | None, scenario: str, lossless: bool, as_json: bool
) -> None:
    """Explain WHAT in INTENT: its values, the formulas behind them, the lines of the lock, and overrides.

    WHAT is a device, a port (`<device> <port>`), a server (`train[17]`), a NIC port, an address, a prefix, an AS
    number, a VNI, a VLAN (`vlan110`), a route target or distinguisher, a tenant, a network, an external peer, a fabric,
    a code (`no-account`, of a message with `error[no-account]`), or a check (`lost-accounts`; `list checks`
    has all, with the codes of each). A number with several meanings is explained as each of them; a word before it
    (`vni 10110`) selects one. A check or a code needs no INTENT:

    \b
      fabricgen explain no-account
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    if intent is None:
        raise click.UsageError(f"Missing argument '{'INTENT' if lossless else 'WHAT'}'.")
    if not all(word.strip() for word in what):
        raise click.UsageError("a word of WHAT is empty")
    if lossless and what:
        raise click.UsageError("--lossless is about whole fabrics: omit WHAT")
    from fabricgen.cli.explain.run import run, run_code, run_lossless  # noqa: PLC0415

    if lossless:
        run_lossless(intent, overlay, scenario, as_json=as_json)
        return

    if not what or (str(intent) in CODE_KINDS and not intent.exists()):
        run_code((str(intent), *what), as_json=as_json)
        return
    run(intent, what, overlay, scenario, as_json=as_json)
