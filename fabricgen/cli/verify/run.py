"""`fabricgen verify`: compare live state with the plan.

JSON: `summary` counts (`switches` are those judged, `planned` all that exist); `switches` each with `device`, `passed`
(check → comparisons), `findings` and `unchecked`. A finding has its text, and as values, where there are any, the
switch's own `port`, the planned `far` end and the one that LLDP `heard` (each `system` and `port`), the `family` of a
session (4, 6) and the `prefix` of a missing route. One that only follows from another has that one's `device`, `code`
and `subject` under `cause`; a cause has the number of its `consequences`. With --watch one document per line: the first
a whole round, then `summary`, `appeared` and `gone` of each round that changed anything.
"""

import json
import sys
from pathlib import Path

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.common.interrupts import stopping
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.verify.by_hand import collected, print_commands
from fabricgen.cli.verify.command import VerifyOptions
from fabricgen.cli.verify.live import Live, asking, events_since
from fabricgen.cli.verify.parallel import judging
from fabricgen.cli.verify.pings import sent_before
from fabricgen.errors import FabricError
from fabricgen.operation.intended import read_plan
from fabricgen.operation.inventory import open_inventory, where_of, where_of_collection
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.collect.store import PLAIN
from fabricgen.verify.collect.store_folder import check_folder
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.rounds import verify_once, watch
from fabricgen.verify.report.junit import junit
from fabricgen.verify.report.text import changes, finding_lines, plain, plain_finding, summarize, summary_line, text
from fabricgen.workers.request import ParallelOptions

JOURNAL = "push.sqlite"
"""Default file of a push's journal, in the folder of its inventory."""
FOUND = 4
UNREACHED = 5
INTERRUPTED = 130


Verdicts = tuple[SwitchVerdict, ...]


def run(options: VerifyOptions) -> None:
    """Verify, print, and raise SystemExit with the exit code."""
    with reporting_problems(as_json=options.as_json):
        code = _run(options)
    sys.exit(code)


def _run(options: VerifyOptions) -> int:
    if options.system is not None:
        print_commands(options, options.system)
    elif options.intent is not None and options.collection is not None:
        return _judged(options, options.intent, options.collection)
    elif options.intent is not None and options.inventory is not None:
        return _judged_live(options, options.intent, options.inventory)
    return 0


def _judged(options: VerifyOptions, intent: Path, folder: Path) -> int:
    """Judge a collection."""
    where = where_of_collection(folder)
    is_lab = where is not None and where.is_lab
    plan = read_plan(intent, options.overlay, scenario=options.scenario, is_lab=is_lab)
    with judging(
        ParallelOptions(options.jobs, options.cluster), plan, where, options.devices, options.templates
    ) as bench:
        switches = bench.intended
        with collected(folder, switches) as state:
            check_folder(state, switches.names)
            if options.since is not None:
                check_folder(options.since, switches.names)
            extended = events_since(switches, options.since, state)
            verdicts = caused((*extended(bench.judged(state, PLAIN, switches.targets)), *sent_before(switches, folder)))
    _print_round(options, verdicts, len(switches.names))
    return _code(verdicts)


def _judged_live(options: VerifyOptions, intent: Path, inventory: Path) -> int:
    """Read the switches of an inventory and judge them."""
    site = open_inventory(inventory)
    where = where_of(site)
    is_lab = where is not None and where.is_lab
    plan = read_plan(intent, options.overlay, scenario=options.scenario, is_lab=is_lab)
    live = Live(
        site=site,
        workers=options.workers,
        save=options.save,
        retry=options.retry or 0,
        paths=options.probes,
        journal=options.journal or inventory / JOURNAL,
        since=options.since,
        twice=options.twice,
    )
    parallel = ParallelOptions(options.jobs, options.cluster)
    # Start processes before there are threads, and before Ctrl-C is handled.
    with judging(parallel, plan, where, options.devices, options.templates) as bench, stopping() as stop:
        switches = bench.intended
        with asking(live, switches, bench.judged, stop) as once:
            if options.watch is not None:
                return _code(watch(once, options.watch, _RoundPrinter(options, len(switches.names))))
            verdicts = verify_once(once)
        _print_round(options, verdicts, len(switches.names))
        if stop.is_set():
            click.echo("interrupted: this is what was collected until then", err=True)
            return INTERRUPTED
    return _code(verdicts)


def _code(verdicts: Verdicts) -> int:
    counts = summarize(verdicts)
    if not counts.reached:
        return UNREACHED
    return FOUND if counts.findings else 0


def _print_round(options: VerifyOptions, verdicts: Verdicts, planned: int) -> None:
    """Print a whole round. planned: number of switches in the plan."""
    _write_junit(options, verdicts)
    if options.as_json:
        click.echo(json.dumps(plain(verdicts, planned), indent=1 if options.watch is None else None))
        return
    for line in text(verdicts, verbose=options.verbose, planned=planned):
        click.echo(line)


class _RoundPrinter:
    """Prints the rounds of --watch: the first one whole, then only changes."""

    def __init__(self, options: VerifyOptions, planned: int) -> None:
        self._options = options
        self._planned = planned
        self._before: Verdicts | None = None

    def __call__(self, verdicts: Verdicts) -> None:
        """Print a round."""
        if self._before is None:
            _print_round(self._options, verdicts, self._planned)
        else:
            self._print_changes(self._before, verdicts)
        self._before = verdicts
        sys.stdout.flush()

    def _print_changes(self, before: Verdicts, after: Verdicts) -> None:
        diff = changes(before, after)
        if not diff.appeared and not diff.gone:
            return
        _write_junit(self._options, after)
        if self._options.as_json:
            rows = {word: [plain_finding(finding) for finding in findings] for word, findings in diff._asdict().items()}
            click.echo(json.dumps(VERSIONED | {"summary": summarize(after, self._planned)._asdict()} | rows))
            return
        for word, findings in diff._asdict().items():
            for finding in findings:
                first, *details = finding_lines(finding)
                click.echo(f"{word}: {first}")
                for line in details:
                    click.echo(line)
        click.echo(summary_line(summarize(after, self._planned)))


def _write_junit(options: VerifyOptions, verdicts: Verdicts) -> None:
    if options.junit_file is None:
        return
    try:
        options.junit_file.write_text(junit(verdicts, f"fabricgen verify {options.intent}"), encoding="utf-8")
    except OSError as error:
        raise FabricError.of(
            code="junit-write",
            what=f"{options.junit_file} cannot be written",
            why=error.strerror or str(error),
            fix="free disk space, correct the permissions, or use another file",
        ) from None
