"""`fabricgen export hosts`: one folder per server.

JSON: as for every export, `servers` (how many were written), and `left_out` (each once: what could not be written
of a model's servers, with `code`, `what`, `why` and `fix`).
"""

from collections.abc import Iterable, Iterator

import click

from fabricgen.cli.common.output import echo_pieces, json_object, print_outcome
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.export.command import HostOptions
from fabricgen.cli.export.run import commit_export, require_place
from fabricgen.errors import FabricError, Problem
from fabricgen.export.hosts import FORMS, HostWriter
from fabricgen.hosts.build import make_hosts
from fabricgen.hosts.missing import missing
from fabricgen.hosts.model import Host
from fabricgen.hosts.selection import selected
from fabricgen.site.checked import LoadRequest, load_checked


class _Tally:
    """Counts servers, and collects what could not be written, each text once."""

    def __init__(self) -> None:
        self.servers = 0
        self.left_out: dict[str, Problem] = {}

    def counted(self, hosts: Iterable[Host]) -> Iterator[Host]:
        """Pass on the servers. Raises FabricError after the last one if there was none."""
        for host in hosts:
            self.servers += 1
            self.left_out |= {row.what: row for row in missing(host)}
            yield host
        if not self.servers:
            raise FabricError.of(
                code="bad-servers",
                what="these slots have no server in service",
                why="their state is absent or dead",
                fix="use other slots with --servers",
            )


def run_hosts(options: HostOptions) -> None:
    """Write the servers."""
    tally = _Tally()
    with reporting_problems(as_json=options.as_json, writes=True):
        require_place(options.out, options.intent, options.templates)
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario).plan
        hosts = tally.counted(make_hosts(plan, selected(plan, options.servers)))
        writer = HostWriter(next(form for form in FORMS if form == options.form), options.templates)
        outcome = commit_export(options.out, "hosts", writer.files(hosts, operator=options.operator))
    if options.as_json:
        left_out = [
            {"code": row.code, "what": row.what, "why": row.why, "fix": row.fix} for row in tally.left_out.values()
        ]
        echo_pieces(json_object(outcome.parts, {"servers": tally.servers, "left_out": left_out}))
        return
    for row in tally.left_out.values():
        click.echo(f"not written: {row.what}: {row.why}. Fix: {row.fix}", err=True)
    click.echo(f"{tally.servers} server{'s' if tally.servers != 1 else ''}", err=True)
    print_outcome(outcome, options.out)
