"""`fabricgen push`: deploy the intent to live switches in waves, and roll back when a check fails.

Without --commit nothing is changed: each switch is read, the changes of a commit are printed wave by wave, and an
approval is kept in the journal. With --commit the changes are applied. The report is that of the run, as text or, with
--json, as in push/report/json.py; --report also writes it to a file for a change ticket, .md, .json or .txt.
"""

import sys
from datetime import datetime, time, timedelta
from fractions import Fraction
from pathlib import Path

import click

from fabricgen.cli.common.options import (
    OVERLAY,
    against_scenario_option,
    scenario_option,
    seconds,
    templates_option,
    whole,
)
from fabricgen.operation.push.options import PushOptions

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
MORE = whole(1)


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """Parse a share such as 3/4."""
    if value is None:
        return None
    try:
        fraction = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{value!r} is not a share: write one as 3/4", ctx, param) from None
    if not 0 <= fraction <= 1:
        raise click.BadParameter(f"{value} is not between 0 and 1: write a share such as 3/4", ctx, param)
    return fraction


def _until(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """Parse a future time: a time of day in this host's zone, or an ISO 8601 time."""
    if value is None:
        return None
    now = datetime.now().astimezone()
    try:
        moment = (
            datetime.combine(now.date(), time.fromisoformat(value)).astimezone()
            if len(value) <= len("05:00:00")
            else datetime.fromisoformat(value).astimezone()
        )
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a time: write 05:00, or 2026-12-20T05:00+01:00", ctx, param
        ) from None
    if moment <= now and len(value) <= len("05:00:00"):
        moment = datetime.combine(now.date() + timedelta(days=1), moment.time()).astimezone()
    if moment <= now:
        raise click.BadParameter(f"{value} is in the past", ctx, param)
    return moment


AGAINST = (
    "Compute the risk from this state, which must be what the switches run now: a rendered folder, an intent or a git "
    "revision. Without it the risk follows from the changed lines only, and is often unknown."
)


@click.command("push")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("-i", "--inventory", type=FOLDER, required=True, help="Folder of a Nornir inventory.")
@click.option("--commit", is_flag=True, help="Apply the changes. Default: dry run.")
@click.option(
    "--approval",
    metavar="ID",
    help="With --commit: commit exactly what the dry run with this id showed; stop if anything has changed since.",
)
@click.option(
    "--signature",
    type=FILE,
    help="The approval as signed by a second person with ssh-keygen, where the inventory requires it (docs/push.md; "
    "default: approval-ID.txt.sig next to the journal).",
)
@click.option("--devices", metavar="GLOB", default="*", help="Only switches whose names match.")
@click.option("--against", metavar="WHAT", help=AGAINST)
@click.option("--overlay", type=FILE, help=OVERLAY)
@scenario_option
@against_scenario_option
@templates_option
@click.option(
    "--floor",
    callback=_share,
    metavar="SHARE",
    help="Minimum share of uplinks that each leaf keeps in service, e.g. 3/4 (default: the share left when one spine "
    "is out of service).",
)
@click.option(
    "--wave",
    "largest",
    type=MORE,
    help="Maximum number of switches per wave, all pods counted together. Without it: at most 32 of each pod.",
)
@click.option(
    "--together",
    type=click.Choice(("planes", "pairs", "fabrics")),
    multiple=True,
    help="Allow several planes, both leaves of a pair, or several fabrics in the same wave (default: never).",
)
@click.option("--accept-loss", "accepted", metavar="SWITCH", multiple=True, help="Accept traffic loss on this switch.")
@click.option(
    "--drained-hosts",
    "hosts",
    type=FILE,
    help="File of servers that run no job, one per line: changes may interrupt them.",
)
@click.option(
    "--i-have-tested-this",
    "tested",
    is_flag=True,
    help="Push also to platforms whose push was never tested on a real switch.",
)
@click.option(
    "--quiet-below",
    "limit",
    type=MORE,
    default=100_000,
    show_default=True,
    help="Bit/s below which a drained port is idle.",
)
@click.option("--journal", type=FILE, help="Journal of all steps (default: push.sqlite in the folder of -i).")
@click.option("--abandon", is_flag=True, help="Abandon an interrupted run instead of resuming it.")
@click.option("--take-over", is_flag=True, help="Take over from another push that has reported nothing for 15 minutes.")
@click.option(
    "--undo",
    metavar="CHANGE",
    multiple=True,
    help="Let the push remove this manual change. CHANGE is the id that the dry run prints, or `SWITCH: LINE`, where "
    "LINE is the text of the configuration line. If the push would remove manual changes, --commit needs --undo for "
    "each.",
)
@click.option(
    "--soak",
    type=seconds(0, 86_400),
    metavar="SECONDS",
    help="Wait between waves (default: from push.yaml in the folder of -i).",
)
@click.option(
    "--paths", is_flag=True, help="In a lab, probe every equal-cost path before the first wave and after each."
)
@click.option(
    "--until",
    callback=_until,
    metavar="TIME",
    help="Start no wave after TIME, in this host's time zone (05:00, or 2026-12-20T05:00), or with an offset "
    "(2026-12-20T05:00+01:00).",
)
@click.option(
    "--in-freeze",
    "despite",
    metavar="WHY",
    default="",
    help="Push despite a change freeze of push.yaml (in the folder of -i), for this reason.",
)
@click.option("--show", is_flag=True, help="Only print the report of the last run in the journal.")
@click.option(
    "--report", "reports", type=FILE, multiple=True, help="Also write the report to FILE: .md, .json or .txt."
)
@click.option("--workers", type=whole(1, 512), default=32, show_default=True, help="Switches queried in parallel.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Show every line that would change, and every event.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Deploy INTENT to the switches of an inventory: drain where needed, commit with a timer, check, confirm.

    Exit codes: 0 done or nothing to do, 3 dry run with changes, 4 checks failed, 5 a switch failed, 130 stopped.
    Commits that were not confirmed are rolled back.
    """
    options = PushOptions(**ctx.params)
    if options.approval is not None and not options.commit:
        raise click.UsageError("--approval requires --commit", ctx)
    if options.signature is not None and options.approval is None:
        raise click.UsageError("--signature requires --approval", ctx)
    bad = options.bad_reports()
    if bad:
        raise click.UsageError(f"--report {bad[0]}: the name of a report ends in .md, .json or .txt", ctx)
    if options.against_scenario is not None and options.against is None:
        raise click.UsageError("--against-scenario requires --against", ctx)
    if options.abandon and not options.commit:
        raise click.UsageError("--abandon requires --commit", ctx)
    if options.take_over and not options.commit:
        raise click.UsageError("--take-over requires --commit", ctx)
    if options.show and options.commit:
        raise click.UsageError("use either --show or --commit", ctx)
    # Importing Nornir and NAPALM takes longer than most commands; --help needs neither them nor pydantic.
    from fabricgen.cli.common.problems import reporting_problems  # noqa: PLC0415
    from fabricgen.cli.push.run import run  # noqa: PLC0415

    with reporting_problems(as_json=options.as_json):
        code = run(options)
    sys.exit(code)
