"""`fabricgen diff`: the effect of a change of the intent on the switches, its impact and its risk.

JSON: `verdict`, `risk`, `notes`, `whole` (whether both sides could be read), `defaults` (another version of the
defaults, default by default, or null), `switches`, `meaning` and `text` (classes
of equal switches), `moved`, `recabled`, `hunks`; of a live fabric `unread`, the switches that did not show their
configuration; with --expect also `unexpected` and `unused`.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import click

from fabricgen.baseline.open import open_side
from fabricgen.baseline.read import in_words
from fabricgen.checks.capacity.drains import lone_in_force
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.options import BASE
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.problems import DIFFERENCES, reporting_problems
from fabricgen.cli.common.progress import shown
from fabricgen.cli.diff.command import LIVE, DiffOptions
from fabricgen.cli.diff.defaults import defaults_step
from fabricgen.cli.diff.parallel import spread
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.expect import Expect, Unexpected, too_low, unexpected, unused
from fabricgen.diff.model import Difference
from fabricgen.diff.pairs import switch_names
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_markdown import markdown
from fabricgen.diff.report_text import text
from fabricgen.diff.side import SiteState
from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.plan.name_patterns import matching
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Cost
from fabricgen.render.tree import count_devices
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import WorkspaceError
from fabricgen.source.document import read_document
from fabricgen.source.validate import validate
from fabricgen.workers.request import ParallelOptions

UNREACHED = 5
PROVE = "Not checked: whether the files of all switches fit together, and which failures cost more (add --prove)."
"""The last line of a difference between two plans."""
INTERRUPTED = 130


def run(options: DiffOptions) -> None:
    """Compare, print, and raise SystemExit with the exit code."""
    with reporting_problems(as_json=options.as_json):
        expect = _expect(options.expect)
        difference, is_stopped = _live(options) if options.against == LIVE else (_difference(options), False)
    code = _report(options, difference, expect)
    if is_stopped:
        click.echo("interrupted: this is what was collected until then", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(code)


def _expect(path: Path | None) -> Expect | None:
    """Read the `expect:` file. Raises WorkspaceError with its lines."""
    if path is None:
        return None
    document = read_document(path)
    try:
        return validate(Expect, document)
    except FabricError as error:
        raise WorkspaceError(error.problems, (document,)) from None


def _live(options: DiffOptions) -> tuple[Difference, bool]:
    """Difference from the running switches, and whether the user stopped the reading."""
    # Importing Nornir and NAPALM takes longer than most comparisons.
    from fabricgen.cli.diff.live import LiveOptions, asked, judged  # noqa: PLC0415

    how = LiveOptions(options.workers, options.devices or "*", options.templates, options.overlay, options.scenario)
    if options.collection is not None:
        return judged(options.intent, options.collection, how)
    return asked(options.intent, options.inventory or Path(), how)


def _difference(options: DiffOptions) -> Difference:
    read = LoadRequest(options.intent, options.overlay)
    workspace = load_checked(read, options.scenario, with_sites=True)
    name = in_words(str(options.intent), options.scenario)
    new = SiteState(name=name, plan=workspace.plan, templates=options.templates, scenario=options.scenario)
    progress = shown(count_devices(workspace.plan), "comparing")
    against = open_side(options.against, options.intent, options.templates, scenario=options.against_scenario)
    parallel = ParallelOptions(options.jobs, options.cluster)
    with against as old, progress as step, spread(parallel, old, new) as parallel_compare:
        if options.devices:
            # Switches that a change removes, too: those of the other side.
            plans = (plan for plan in (workspace.plan, old.plan) if plan is not None)
            matching((name for plan in plans for name in switch_names(plan)), options.devices)
        scope = Options(costs=costs_of, progress=step, devices=options.devices or "", spread=parallel_compare)
        difference = compare(old, new, scope)
        alone = Options(costs=costs_of)
        return replace(
            difference,
            notes=(*difference.notes, *_lost(old.plan, workspace.plan), *_proven(options, old.plan, workspace.plan)),
            defaults=defaults_step(old.plan, workspace.plan, read, options.scenario, alone),
        )


def _proven(options: DiffOptions, old: Plan | None, new: Plan) -> Iterator[str]:
    if options.prove:
        # Parsers and failures are imported by those who ask for them.
        from fabricgen.cli.diff.proven import proven  # noqa: PLC0415

        yield from proven(old, new, options.templates)


def _lost(old: Plan | None, new: Plan) -> Iterator[str]:
    """Subnets that only a drained leaf has, since this change: other switches can no longer reach them."""
    before = {problem.what for problem in lone_in_force(old)} if old is not None else set()
    return (f"{lone.what} ({lone.code}): {lone.why}" for lone in lone_in_force(new) if lone.what not in before)


def costs_of(system: str) -> Mapping[str, Cost]:
    """Risks of each kind of change on a platform."""
    return PLATFORMS[system].costs


def _report(options: DiffOptions, difference: Difference, expect: Expect | None) -> int:
    """Print the difference, and return the exit code."""
    strays = unexpected(difference, expect) if expect is not None else ()
    with reader_may_leave():
        _print(options, difference, expect, strays)
    if difference.is_live and not difference.before:
        return UNREACHED
    if expect is not None:
        return DIFFERENCES if strays else 0
    return 0 if difference.is_empty else DIFFERENCES


def _print(options: DiffOptions, difference: Difference, expect: Expect | None, strays: tuple[Unexpected, ...]) -> None:
    spare = unused(difference, expect) if expect is not None else ()
    if options.as_json:
        value = plain(difference)
        if expect is not None:
            value["unexpected"] = [row._asdict() | {"risk": row.risk.words} for row in strays]
            value["unused"] = list(spare)
        echo_json(value)
    elif options.as_markdown:
        rows = strays if expect is not None else None
        click.echo(markdown(difference, str(options.intent), options.against, _more(options), rows), nl=False)
    else:
        for line in text(difference, details=options.verbose):
            echo_line(line)
        if expect is not None:
            _print_unexpected(options, strays, {position: too_low(difference, expect, position) for position in spare})
        if not options.prove and not difference.is_live and not difference.is_empty:
            click.echo(f"\n{PROVE}")


def _print_unexpected(options: DiffOptions, strays: Iterable[Unexpected], spare: Mapping[int, str]) -> None:
    """Print unexpected changes, and entries that matched nothing. spare: position → why, if it is the risk."""
    click.echo("")
    rows = tuple(strays)
    click.echo(
        f"Unexpected changes (not in {options.expect}):" if rows else f"Every change is expected by {options.expect}."
    )
    for row in rows:
        where = f" on {named(row.devices)}" if row.devices else ""
        click.echo(f"  {row.risk.words}  {row.what}{where}")
    for position, why in spare.items():
        click.echo(f"  changes[{position}] of {options.expect} {why or 'matches no change'}", err=True)


def _more(options: DiffOptions) -> str:
    """The same command with all details."""
    values = {
        "--overlay": options.overlay,
        "--scenario": options.scenario if options.scenario != BASE else None,
        "--against-scenario": options.against_scenario,
        "--templates": options.templates,
        "--devices": options.devices,
        "--inventory": options.inventory,
        "--from": options.collection,
    }
    arguments = [str(word) for name, value in values.items() if value is not None for word in (name, value)]
    return shlex.join(["fabricgen", "diff", str(options.intent), "--against", options.against, *arguments, "-v"])
