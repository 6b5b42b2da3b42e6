"""`fabricgen export gnmic`: the subscriptions of a gnmic collector.

JSON: as for every export, and `left_out` (`platform`, `devices`, `why`).
"""

import click

from fabricgen.cli.common.output import echo_pieces, json_object, print_outcome
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.export.command import GnmicOptions
from fabricgen.cli.export.run import commit_export, require_place
from fabricgen.export.gnmic import GnmicSettings, GnmicWriter
from fabricgen.export.inventory import username
from fabricgen.resolve.device import devices
from fabricgen.site.checked import LoadRequest, load_checked


def run_gnmic(options: GnmicOptions) -> None:
    """Write the subscriptions."""
    with reporting_problems(as_json=options.as_json, writes=True):
        require_place(options.out, options.intent)
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario).plan
        collector = GnmicSettings(username(plan), options.authority, options.seconds)
        writer = GnmicWriter(collector)
        outcome = commit_export(options.out, "gnmic", writer.files(plan.intent.site, devices(plan)))
    unmonitored = writer.left
    if options.as_json:
        echo_pieces(json_object(outcome.parts, {"left_out": [group._asdict() for group in unmonitored]}))
        return
    for group in unmonitored:
        click.echo(f"not written: {len(group.devices)} switches of {group.platform}: {group.why}", err=True)
    print_outcome(outcome, options.out)
