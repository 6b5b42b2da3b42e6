"""The command line of `fabricgen audit`."""

from pathlib import Path
from typing import NamedTuple

import click

from fabricgen.cli.common.options import JOBS, OVERLAY, complete_switches, scenario_option, whole


class AuditOptions(NamedTuple):
    """Arguments and options of the command."""

    intent: Path
    configs: Path
    overlay: Path | None
    scenario: str
    device: tuple[str, ...]
    allow_unread: bool
    jobs: int | None
    as_json: bool


@click.command("audit")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option(
    "--configs",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The output folder of render, or a folder with a file per switch, such as backups of running configurations.",
)
@click.option(
    "--device",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_switches,
    help="Read this switch only. Can be repeated.",
)
@click.option("--allow-unread", is_flag=True, help="Exit 0 though lines were not understood.")
@click.option("-j", "--jobs", type=whole(1, 256), help=JOBS)
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Read the configurations of all switches back, and print where they differ from the plan of INTENT.

    The parsers share nothing with the templates. A line that is neither compared nor known to be
    irrelevant is listed as not understood. docs/audit.md says what is compared on each system.

    Exit codes: 0 every configuration is as planned; 3 one differs, is not there, or has lines that were not understood.
    """
    from fabricgen.cli.audit.run import run  # noqa: PLC0415

    run(AuditOptions(**ctx.params))
