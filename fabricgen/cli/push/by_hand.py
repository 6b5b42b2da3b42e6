"""Lines that somebody typed on a switch since the last push: a push undoes them only by name."""

from collections.abc import Callable, Iterable

import click

from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
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
        click.echo(f"note: manual change, which --commit undoes only with --undo: {_told(line)}", err=True)
    if len(left) > MOST:
        click.echo(f"note: and {len(left) - MOST} more manual changes", err=True)
    for line in named:
        click.echo(f"undoes the manual change: {_told(line)}", err=True)
    return named


def _told(line: HandLine) -> str:
    return f"{line} ({'added' if line.present else 'removed'}, {line.id})"


def _problem(line: HandLine) -> Problem:
    done = "shut down" if line.is_shut else "added" if line.present else "removed"
    return Problem(
        code="push-by-hand",
        what=f"somebody has {done} manually since the last push: {line}",
        why="this push would undo it, and there may be a reason for it",
        fix=f"add it to the intent; or add --undo {line.id}, or --undo '{line}'",
    )


def _more(number: int) -> Problem:
    return Problem(
        code="push-by-hand",
        what=f"{number} more lines were changed manually since the last push",
        why="this push would undo them, and there may be a reason for them",
        fix="run it without --commit and with fewer --devices: it prints each with its id",
    )


def _unknown(given: str) -> Problem:
    return Problem(
        code="push-undo-unknown",
        what=f"--undo {given!r} is not a line that this push would undo",
        why="a line is named by its id, or as `SWITCH: SECTION / LINE`, as the dry run prints it",
        fix="run it without --commit and without --undo to see the lines",
    )
