"""`fabricgen export batfish`: a snapshot, and questions with the expected answers.

JSON: as for every export, `switches`, `servers` and `cables` (their numbers), `left_out` (`platform`, `devices`, `why`)
and `unmodelled` (`feature`, `where`, `reason`).
"""

import click

from fabricgen.cli.common.output import echo_pieces, json_object, print_outcome
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.export.command import BatfishOptions
from fabricgen.cli.export.run import commit_export, require_place
from fabricgen.export.batfish import BatfishWriter
from fabricgen.site.checked import LoadRequest, load_checked


def run_batfish(options: BatfishOptions) -> None:
    """Write the snapshot and the questions."""
    with reporting_problems(as_json=options.as_json, writes=True):
        require_place(options.out, options.intent, options.templates)
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario).plan
        writer = BatfishWriter(plan, options.templates)
        outcome = commit_export(options.out, "batfish", writer.files())
    if options.as_json:
        numbers = {"switches": writer.switches, "servers": writer.servers, "cables": writer.cables}
        left_out = [group._asdict() for group in writer.left_out]
        unmodelled = [row._asdict() for row in writer.unmodelled]
        echo_pieces(json_object(outcome.parts, numbers | {"left_out": left_out, "unmodelled": unmodelled}))
        return
    click.echo(f"{writer.switches} switches, {writer.servers} servers, {writer.cables} cables", err=True)
    for group in writer.left_out:
        click.echo(f"not written: {', '.join(group.devices)} ({group.platform}): {group.why}", err=True)
    for row in writer.unmodelled:
        click.echo(f"not modelled by Batfish: {row.feature} ({row.where}): {row.reason}", err=True)
    print_outcome(outcome, options.out)
