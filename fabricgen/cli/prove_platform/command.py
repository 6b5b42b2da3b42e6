"""`fabricgen prove-platform`: test on one switch of the user what fabricgen claims about its platform.

Without --commit nothing is changed: the switch is read, and the plan is printed. With --commit each step changes it
with the switch's own timer and reverts the change; observations and results are written to a bundle, redacted.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import OVERLAY, complete_switches, scenario_option, whole

FOLDER = click.Path(path_type=Path, file_okay=False)
STEPS = ("load", "timer", "revert", "kill", "kill-committing", "port", "session", "confirm", "whole", "drain")
"""Names in prove/steps.py that can be skipped; repeated here because --help imports nothing heavy."""


class ProveOptions(NamedTuple):
    """Typed options."""

    intent: Path | None
    inventory: Path | None
    commit: bool
    device: str | None
    port: str
    session: str
    confirm: bool
    hold: int
    skip: tuple[str, ...]
    take_over: bool
    out: Path | None
    show: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


@click.command("prove-platform")
@click.argument("intent", type=click.Path(path_type=Path), required=False)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory with the switch.")
@click.option("--commit", is_flag=True, help="Run the test. Default: print the plan, change nothing.")
@click.option(
    "--device",
    metavar="NAME",
    shell_complete=complete_switches,
    help="The switch to test, if the inventory has several; no other one is changed.",
)
@click.option("--port", metavar="PORT", default="", help="A spare port that may be shut for a minute.")
@click.option("--session", metavar="PEER", default="", help="A BGP peer whose session may be shut for a minute.")
@click.option("--confirm", is_flag=True, help="Also confirm the test lines, then remove them.")
@click.option(
    "--hold",
    type=whole(5, 3600),
    default=60,
    metavar="SECONDS",
    show_default=True,
    help="Rollback timer of each commit.",
)
@click.option(
    "--skip", type=click.Choice(STEPS), multiple=True, help="Skip this step (docs/proving.md describes each)."
)
@click.option(
    "--take-over", is_flag=True, help="Continue although a test that was killed still has the switch reserved."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="Where to write the evidence, the bundle: a new folder, or a .tar.gz file.",
)
@click.option("--show", metavar="BUNDLE", type=click.Path(path_type=Path), help="Only print a saved bundle.")
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Test on one switch, or VM, what fabricgen relies on for its platform, and keep the evidence.

    The test reads the switch and commits a few lines that nothing refers to: one commit is left to time out, one is
    rolled back, and in one the connection is cut. With INTENT the rendered configuration and the drain are tested as
    well. At the end the switch has its original configuration again; this is compared and reported.

    Exit codes: 0 all tests passed, 3 dry run, 4 a test failed, 5 the switch failed, 130 stopped.
    """
    options = ProveOptions(**ctx.params)
    if (options.show is None) == (options.inventory is None):
        raise click.UsageError("use either -i INVENTORY or --show BUNDLE", ctx)
    if options.show is not None and (options.commit or options.intent is not None or options.out is not None):
        raise click.UsageError("--show only prints: omit INTENT, --commit and -o", ctx)
    if options.intent is None and options.overlay is not None:
        raise click.UsageError("--overlay requires INTENT", ctx)
    # Importing Nornir and NAPALM takes longer than most commands; --help needs neither them nor pydantic.
    from fabricgen.cli.common.problems import reporting_problems  # noqa: PLC0415
    from fabricgen.cli.prove_platform.run import run  # noqa: PLC0415

    with reporting_problems(as_json=options.as_json):
        code = run(options)
    sys.exit(code)
