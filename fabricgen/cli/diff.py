"""`fabricgen diff`: what a change of the intent does to the switches, whom it reaches, and what it costs.

JSON: `verdict`, `risk`, `notes`, `whole` (whether both sides could be read), `switches`, `meaning` and `text` (classes
of switches alike), `moved`, `recabled`, `hunks`; of a live fabric `unread`, the switches that did not show what they
run; with --expect also `unexpected` and `unused`.
"""

import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.problems import DIFFERENCES, problems_told
from fabricgen.cli.progress import shown
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.expect import Expect, Unexpected, unexpected, unused
from fabricgen.diff.model import Difference
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_markdown import markdown
from fabricgen.diff.report_text import text
from fabricgen.diff.side import Side
from fabricgen.diff.words import named
from fabricgen.documents import read_document
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.cost import Cost
from fabricgen.render.tree import count_devices
from fabricgen.sides.open import open_side
from fabricgen.validation import validate
from fabricgen.workspace import WorkspaceError, open_workspace

LIVE = "live"
UNREACHED = 5
INTERRUPTED = 130
FOLDER = click.Path(path_type=Path, file_okay=False)
READABLE = click.Path(path_type=Path, file_okay=False, exists=True)
AGAINST = "A rendered folder, a folder with an intent, a git revision (origin/main, HEAD~1, REV:PATH), or `live`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was typed."""

    intent: Path
    against: str
    overlay: Path | None
    templates: Path | None
    devices: str | None
    expect: Path | None
    inventory: Path | None
    collection: Path | None
    workers: int
    as_markdown: bool
    as_json: bool
    verbose: bool


@click.command("diff")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--against", required=True, metavar="WHAT", help=AGAINST)
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option("--templates", type=READABLE, help="Your templates, as for render.")
@click.option("--devices", metavar="GLOB", help="Show the text of these switches; of a live fabric: ask these only.")
@click.option(
    "--expect", type=click.Path(path_type=Path), help="A file that says what may change; exit 3 for the rest."
)
@click.option("-i", "--inventory", type=FOLDER, help="Of the live switches: hosts, groups, defaults.")
@click.option("--from", "collection", type=FOLDER, help="What verify --save kept of them, instead of asking.")
@click.option("--workers", type=click.IntRange(1, 256), default=32, show_default=True, help="Switches asked at once.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a comment for a pull request.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Tell every switch, every fact and who says what it costs.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Compare INTENT with what stood before: facts in classes of switches alike, their risk, and whom they reach.

    Exit codes: 0 nothing differs (with --expect: nothing that is not expected), 3 something does, 5 no switch could be
    read.
    """
    words = Words(**ctx.params)
    if words.as_json and words.as_markdown:
        raise click.UsageError("say either --json or --markdown", ctx)
    if (words.against == LIVE) != (words.inventory is not None or words.collection is not None):
        raise click.UsageError("--against live goes with -i or --from, and they with it", ctx)
    if words.inventory is not None and words.collection is not None:
        raise click.UsageError("say either -i or --from", ctx)
    with problems_told(as_json=words.as_json):
        expect = _expect(words.expect)
        difference, is_stopped = _live(words) if words.against == LIVE else (_difference(words), False)
    code = _tell(words, difference, expect)
    if is_stopped:
        click.echo("interrupted: told is what had been collected by then", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(code)


def _expect(path: Path | None) -> Expect | None:
    """The `expect:` file. Raises WorkspaceError with its lines."""
    if path is None:
        return None
    document = read_document(path)
    try:
        return validate(Expect, document)
    except FabricError as error:
        raise WorkspaceError(error.problems, (document,)) from None


def _live(words: Words) -> tuple[Difference, bool]:
    """What the switches run; and whether somebody stopped the asking."""
    # Nornir and NAPALM take longer to import than most comparisons do.
    from fabricgen.cli.diff_live import How, asked, judged  # noqa: PLC0415

    how = How(words.workers, words.devices or "*", words.templates, words.overlay)
    if words.collection is not None:
        return judged(words.intent, words.collection, how)
    return asked(words.intent, words.inventory or Path(), how)


def _difference(words: Words) -> Difference:
    workspace = open_workspace(words.intent, overlay=words.overlay)
    problems = run_checks(workspace.plan)
    if problems:
        raise WorkspaceError(problems, workspace.documents)
    new = Side(name=str(words.intent), plan=workspace.plan, templates=words.templates)
    standing = shown(count_devices(workspace.plan), "comparing")
    with open_side(words.against, words.intent, words.templates) as old, standing as step:
        return compare(old, new, Options(costs=costs_of, progress=step, devices=words.devices or ""))


def costs_of(system: str) -> Mapping[str, Cost]:
    """What the changes of each kind cost on a platform."""
    return PLATFORMS[system].costs


def _tell(words: Words, difference: Difference, expect: Expect | None) -> int:
    """Tell it, and say by the exit code whether something differs."""
    strays = unexpected(difference, expect) if expect is not None else ()
    spare = unused(difference, expect) if expect is not None else ()
    if words.as_json:
        value = plain(difference)
        if expect is not None:
            value["unexpected"] = [row._asdict() | {"risk": row.risk.words} for row in strays]
            value["unused"] = list(spare)
        click.echo(json.dumps(value, indent=1))
    elif words.as_markdown:
        click.echo(_comment(words, difference, strays if expect is not None else None), nl=False)
    else:
        for line in text(difference, details=words.verbose):
            click.echo(line)
        _tell_strays(words, strays, spare, is_asked=expect is not None)
    if difference.is_live and not difference.before:
        return UNREACHED
    if expect is not None:
        return DIFFERENCES if strays else 0
    return 0 if difference.is_empty else DIFFERENCES


def _tell_strays(words: Words, strays: Iterable[Unexpected], spare: Iterable[int], *, is_asked: bool) -> None:
    if not is_asked:
        return
    click.echo("")
    rows = tuple(strays)
    click.echo(f"{words.expect} does not expect:" if rows else f"{words.expect} expects all of it.")
    for row in rows:
        where = f" on {named(row.devices)}" if row.devices else ""
        click.echo(f"  {row.risk.words}  {row.what}{where}")
    for at in spare:
        click.echo(f"  changes[{at}] of {words.expect} meets nothing in this change", err=True)


def _comment(words: Words, difference: Difference, strays: tuple[Unexpected, ...] | None) -> str:
    return markdown(difference, str(words.intent), words.against, _more(words), strays)


def _more(words: Words) -> str:
    """The same command, with all details."""
    asked = {
        "--overlay": words.overlay,
        "--templates": words.templates,
        "--devices": words.devices,
        "--inventory": words.inventory,
        "--from": words.collection,
    }
    options = [str(word) for name, value in asked.items() if value is not None for word in (name, value)]
    return shlex.join(["fabricgen", "diff", str(words.intent), "--against", words.against, *options, "-v"])
