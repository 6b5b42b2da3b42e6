"""Lines that somebody typed on a switch since the last push: a push undoes them only by name."""

from collections.abc import Callable, Iterable

import click

from fabricgen.cli.push.options import PushOptions
from fabricgen.errors import FabricError, Problem
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.journal.journal import JournalReader
from fabricgen.push.plan.by_hand import HandLine

MOST = 50
"""Lines that are told one by one."""


def committed_in(journal: JournalReader) -> Callable[[str], str | None]:
    """What a push committed last on a switch, by a journal."""

    def text(device: str) -> str | None:
        found = journal.committed(device)
        return found.text if found is not None else None

    return text


def undone_by_name(options: PushOptions, found: Iterable[Surveyed]) -> tuple[HandLine, ...]:
    """Lines that are undone because they are named. A dry run is told of those that are not.

    Raises FabricError where a commit would undo others, and where what is named is none of them.
    """
    every = sorted((line for one in found for line in one.by_hand), key=lambda line: not line.is_shut)
    named = tuple(line for line in every if any(map(line.is_named, options.undo)))
    unknown = [given for given in options.undo if not any(line.is_named(given) for line in every)]
    if unknown:
        raise FabricError([_unknown(given) for given in unknown])
    left = [line for line in every if line not in named]
    if left and options.commit:
        more = [_more(len(left) - MOST)] if len(left) > MOST else []
        raise FabricError([*map(_problem, left[:MOST]), *more])
    for line in left[:MOST]:
        click.echo(f"note: by hand, and --commit is refused unless it is named: {_told(line)}", err=True)
    if len(left) > MOST:
        click.echo(f"note: and {len(left) - MOST} more lines by hand", err=True)
    for line in named:
        click.echo(f"undoes what was typed by hand: {_told(line)}", err=True)
    return named


def _told(line: HandLine) -> str:
    return f"{line} ({'added' if line.present else 'removed'}, {line.id})"


def _problem(line: HandLine) -> Problem:
    done = "shut down" if line.is_shut else "added" if line.present else "removed"
    return Problem(
        code="push-by-hand",
        what=f"somebody has {done} by hand since the last push: {line}",
        why="this push would undo it, and nobody has said that it may: there may be a reason for it",
        fix=f"bring it into the intent; or say --undo {line.id}, or --undo '{line}'",
    )


def _more(number: int) -> Problem:
    return Problem(
        code="push-by-hand",
        what=f"{number} more lines were typed by hand since the last push",
        why="this push would undo them, and nobody has said that it may",
        fix="type it without --commit and with fewer --devices: each is told with its id",
    )


def _unknown(given: str) -> Problem:
    return Problem(
        code="push-undo-unknown",
        what=f"--undo {given!r} is no line that this push would undo",
        why="a line is named by its id, or as `SWITCH: SECTION / LINE`, as the dry run tells it",
        fix="type it without --commit and without --undo",
    )
