"""`fabricgen prove-platform`: whether what is claimed of a platform holds on one switch of the user.

Without --commit nothing is changed: the switch is read, and the plan is printed. With --commit each step changes it on
the switch's own timer and takes the change back; what was seen and found goes into a bundle, redacted.
"""

import sys
from pathlib import Path

import click

from fabricgen.cli.common.options import complete_switches, posture_option
from fabricgen.cli.prove_platform.options import ProveOptions

FOLDER = click.Path(path_type=Path, file_okay=False)
STEPS = ("load", "timer", "revert", "kill", "kill-committing", "port", "session", "confirm", "whole", "drain")
"""Names of prove/steps.py that can be left out; here since --help imports nothing heavy."""


@click.command("prove-platform")
@click.argument("intent", type=click.Path(path_type=Path), required=False)
@click.option("-i", "--inventory", type=FOLDER, help="Folder of a Nornir inventory with the switch.")
@click.option("--commit", is_flag=True, help="Do it. Without, the plan is printed and nothing is changed.")
@click.option(
    "--device",
    metavar="NAME",
    shell_complete=complete_switches,
    help="The switch, where the inventory has several; no other is changed.",
)
@click.option("--port", metavar="PORT", default="", help="A spare port that may be shut for a minute.")
@click.option("--session", metavar="PEER", default="", help="A BGP peer whose session may be shut for a minute.")
@click.option("--confirm", is_flag=True, help="Also confirm the test lines, and take them away again.")
@click.option(
    "--hold",
    type=click.IntRange(5, 3600),
    default=60,
    metavar="SECONDS",
    show_default=True,
    help="Timer of each commit.",
)
@click.option("--skip", type=click.Choice(STEPS), multiple=True, help="Leave a step out.")
@click.option("--take-over", is_flag=True, help="Go ahead where a proof was killed, whose mark is still there.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The bundle: a new folder, or a .tar.gz file.")
@click.option("--show", metavar="BUNDLE", type=click.Path(path_type=Path), help="Only print a bundle, read again.")
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@posture_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Try on one switch, or VM, what fabricgen claims of its platform, and keep the evidence.

    The switch is read, and commits are made, left to their timer, ended and killed there, each of a few lines that
    nothing refers to. With INTENT its rendered configuration and its drain are tried as well. The switch ends with the
    configuration that it had; that is compared, and reported.

    Exit codes: 0 all that was tried held, 3 the plan was shown, 4 something did not hold, 5 the switch failed, 130
    stopped.
    """
    options = ProveOptions(**ctx.params)
    if (options.show is None) == (options.inventory is None):
        raise click.UsageError("say either -i with an inventory, or --show with a bundle", ctx)
    if options.show is not None and (options.commit or options.intent is not None or options.out is not None):
        raise click.UsageError("--show only prints: leave out INTENT, --commit and -o", ctx)
    if options.intent is None and options.overlay is not None:
        raise click.UsageError("--overlay goes with INTENT", ctx)
    # Nornir and NAPALM take longer to import than most verbs run, and --help needs neither them nor pydantic.
    from fabricgen.cli.common.problems import problems_told  # noqa: PLC0415
    from fabricgen.cli.prove_platform.run import run  # noqa: PLC0415

    with problems_told(as_json=options.as_json):
        code = run(options)
    sys.exit(code)
