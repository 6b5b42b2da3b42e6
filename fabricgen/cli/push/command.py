"""`fabricgen push`: bring live switches to what the intent says, in waves, and go back where it does not hold.

Without --commit nothing is changed: each switch is read, what a commit would change is shown, wave by wave, and an
approval is kept in the journal. With --commit it goes. The report is that of the run, as text or, with --json, as
push/report/json.py says; --report writes it for a change ticket as well, .md, .json or .txt.
"""

import sys
from datetime import datetime, time, timedelta
from fractions import Fraction
from pathlib import Path

import click

from fabricgen.cli.common.options import against_posture_option, posture_option, templates_option
from fabricgen.cli.push.options import PushOptions

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
MORE = click.IntRange(min=1)


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """A share such as 3/4."""
    if value is None:
        return None
    try:
        found = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{value!r} is no share: write one as 3/4", ctx, param) from None
    if not 0 <= found <= 1:
        raise click.BadParameter(f"{value} is no share: it is between 0 and 1", ctx, param)
    return found


def _until(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """A time to come: of the day, in this host's zone, or a moment as ISO 8601 has it."""
    if value is None:
        return None
    now = datetime.now().astimezone()
    try:
        found = (
            datetime.combine(now.date(), time.fromisoformat(value)).astimezone()
            if len(value) <= len("05:00:00")
            else datetime.fromisoformat(value).astimezone()
        )
    except ValueError:
        raise click.BadParameter(f"{value!r} is no time: write 05:00, or 2026-12-20T05:00+01:00", ctx, param) from None
    if found <= now and len(value) <= len("05:00:00"):
        found = datetime.combine(now.date() + timedelta(days=1), found.time()).astimezone()
    if found <= now:
        raise click.BadParameter(f"{value} is over", ctx, param)
    return found


@click.command("push")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("-i", "--inventory", type=FOLDER, required=True, help="Folder of a Nornir inventory.")
@click.option("--commit", is_flag=True, help="Do it. Without, it is only shown.")
@click.option("--approval", metavar="ID", help="Only what that dry run showed; refused where anything has moved since.")
@click.option("--signature", type=FILE, help="Of the approval (default: beside the journal, where it was signed).")
@click.option("--devices", metavar="GLOB", default="*", help="Only switches whose names match.")
@click.option("--against", metavar="WHAT", help="What runs now, as for diff: the facts that differ tell the risk.")
@click.option("--overlay", type=FILE, help="States of one step, in front of the intent's own.")
@posture_option
@against_posture_option
@templates_option
@click.option(
    "--floor", callback=_share, help="Least share of its uplinks that a leaf keeps (default: all but a spine)."
)
@click.option("--wave", "largest", type=MORE, help="Most switches of a wave (default: 32 of each pod).")
@click.option(
    "--together",
    type=click.Choice(("planes", "pairs", "fabrics")),
    multiple=True,
    help="These may change at the same time, which they never do without a word.",
)
@click.option("--accept-loss", "accepted", metavar="SWITCH", multiple=True, help="This switch may be interrupted.")
@click.option("--drained-hosts", "hosts", type=FILE, help="File with servers that run no job, a name a line.")
@click.option("--i-have-tested-this", "tested", is_flag=True, help="Push to platforms that only doubles have proven.")
@click.option("--quiet-below", "limit", type=MORE, default=100_000, show_default=True, help="Bit/s of a drained port.")
@click.option("--journal", type=FILE, help="What is kept of each step (default: push.sqlite in the inventory).")
@click.option("--abandon", is_flag=True, help="Give up a run that was killed, instead of going on with it.")
@click.option("--take-over", is_flag=True, help="Go ahead where another push has not been heard of for 15 minutes.")
@click.option(
    "--undo", metavar="LINE", multiple=True, help="Undo this line that was typed by hand: its id, or SWITCH: LINE."
)
@click.option(
    "--soak", type=click.FloatRange(0, 86_400), metavar="SECONDS", help="Rest between waves (default: as push.yaml)."
)
@click.option("--paths", is_flag=True, help="In a lab, probe every equal-cost path before the waves and behind each.")
@click.option("--until", callback=_until, metavar="TIME", help="Begin no wave from then on: 05:00, or with its date.")
@click.option("--in-freeze", "despite", metavar="WHY", default="", help="Go on in spite of a freeze of push.yaml.")
@click.option("--show", is_flag=True, help="Only report the last run of the journal.")
@click.option("--report", "reports", type=FILE, multiple=True, help="Write the report as well: .md, .json or .txt.")
@click.option("--workers", type=click.IntRange(1, 512), default=32, show_default=True, help="Switches asked at once.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Show every line that would change, and every event.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Bring the switches of an inventory to what INTENT says: drained where needed, timed, checked, confirmed.

    Exit codes: 0 done or nothing to do, 3 shown what would change, 4 checks did not hold, 5 a switch failed, 130
    stopped. What was not confirmed has been reverted.
    """
    options = PushOptions(**ctx.params)
    if options.approval is not None and not options.commit:
        raise click.UsageError("--approval goes with --commit", ctx)
    if options.signature is not None and options.approval is None:
        raise click.UsageError("--signature goes with --approval", ctx)
    bad = options.bad_reports()
    if bad:
        raise click.UsageError(f"--report {bad[0]}: a report is written as .md, .json or .txt", ctx)
    if options.against_posture is not None and options.against is None:
        raise click.UsageError("--against-posture goes with --against", ctx)
    if options.abandon and not options.commit:
        raise click.UsageError("--abandon goes with --commit", ctx)
    if options.take_over and not options.commit:
        raise click.UsageError("--take-over goes with --commit", ctx)
    if options.show and options.commit:
        raise click.UsageError("say either --show or --commit", ctx)
    # Nornir and NAPALM take longer to import than most verbs run, and --help needs neither them nor pydantic.
    from fabricgen.cli.common.problems import problems_told  # noqa: PLC0415
    from fabricgen.cli.push.run import run  # noqa: PLC0415

    with problems_told(as_json=options.as_json):
        code = run(options)
    sys.exit(code)
