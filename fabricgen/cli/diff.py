"""`fabricgen diff`: what a change of the intent does to the switches, whom it reaches, and what it costs.

JSON: `verdict`, `risk`, `notes`, `whole` (whether both sides could be read), `defaults` (another version of the
defaults, default by default, or null), `switches`, `meaning` and `text` (classes
of switches alike), `moved`, `recabled`, `hunks`; of a live fabric `unread`, the switches that did not show what they
run; with --expect also `unexpected` and `unused`.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import click

from fabricgen.checks.drains import lone_in_force
from fabricgen.cli.diff_defaults import defaults_step
from fabricgen.cli.diff_spread import spread
from fabricgen.cli.options import BASE
from fabricgen.cli.pieces import echo_json, reader_may_leave
from fabricgen.cli.problems import DIFFERENCES, problems_told
from fabricgen.cli.progress import shown
from fabricgen.cli.sound import Read, sound
from fabricgen.cli.verbs.diff import LIVE, Words
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
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.cost import Cost
from fabricgen.render.tree import count_devices
from fabricgen.runs.asked import Asked
from fabricgen.sides.open import open_side
from fabricgen.sides.read import in_words
from fabricgen.validation import validate
from fabricgen.workspace import WorkspaceError

UNREACHED = 5
INTERRUPTED = 130


def run(words: Words) -> None:
    """Compare, tell, and raise SystemExit with what was found."""
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

    how = How(words.workers, words.devices or "*", words.templates, words.overlay, words.posture)
    if words.collection is not None:
        return judged(words.intent, words.collection, how)
    return asked(words.intent, words.inventory or Path(), how)


def _difference(words: Words) -> Difference:
    read = Read(words.intent, words.overlay)
    workspace = sound(read, words.posture)
    name = in_words(str(words.intent), words.posture)
    new = Side(name=name, plan=workspace.plan, templates=words.templates, posture=words.posture)
    standing = shown(count_devices(workspace.plan), "comparing")
    against = open_side(words.against, words.intent, words.templates, posture=words.against_posture)
    asked = Asked(words.jobs or (None if words.cluster else 1), words.cluster)
    with against as old, standing as step, spread(asked, old, new) as looked:
        options = Options(costs=costs_of, progress=step, devices=words.devices or "", spread=looked)
        found = compare(old, new, options)
        alone = Options(costs=costs_of)
        return replace(
            found,
            notes=(*found.notes, *_lost(old.plan, workspace.plan)),
            defaults=defaults_step(old.plan, workspace.plan, read, words.posture, alone),
        )


def _lost(old: Plan | None, new: Plan) -> Iterator[str]:
    """What the change takes from other switches' reach: subnets that a drained leaf alone has, since now."""
    before = {problem.what for problem in lone_in_force(old)} if old is not None else set()
    return (f"{one.what} ({one.code}): {one.why}" for one in lone_in_force(new) if one.what not in before)


def costs_of(system: str) -> Mapping[str, Cost]:
    """What the changes of each kind cost on a platform."""
    return PLATFORMS[system].costs


def _tell(words: Words, difference: Difference, expect: Expect | None) -> int:
    """Tell it, and say by the exit code whether something differs."""
    strays = unexpected(difference, expect) if expect is not None else ()
    with reader_may_leave():
        _print(words, difference, expect, strays)
    if difference.is_live and not difference.before:
        return UNREACHED
    if expect is not None:
        return DIFFERENCES if strays else 0
    return 0 if difference.is_empty else DIFFERENCES


def _print(words: Words, difference: Difference, expect: Expect | None, strays: tuple[Unexpected, ...]) -> None:
    spare = unused(difference, expect) if expect is not None else ()
    if words.as_json:
        value = plain(difference)
        if expect is not None:
            value["unexpected"] = [row._asdict() | {"risk": row.risk.words} for row in strays]
            value["unused"] = list(spare)
        echo_json(value)
    elif words.as_markdown:
        click.echo(_comment(words, difference, strays if expect is not None else None), nl=False)
    else:
        for line in text(difference, details=words.verbose):
            click.echo(line)
        _tell_strays(words, strays, spare, is_asked=expect is not None)


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
        "--posture": words.posture if words.posture != BASE else None,
        "--against-posture": words.against_posture,
        "--templates": words.templates,
        "--devices": words.devices,
        "--inventory": words.inventory,
        "--from": words.collection,
    }
    options = [str(word) for name, value in asked.items() if value is not None for word in (name, value)]
    return shlex.join(["fabricgen", "diff", str(words.intent), "--against", words.against, *options, "-v"])
