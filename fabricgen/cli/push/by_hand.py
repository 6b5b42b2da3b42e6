"""Manual changes on a switch since the last push: a push undoes them only if they are named."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import click

from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.journal.journal import JournalReader
from fabricgen.push.plan.by_hand import HandLine

MOST = 50
"""Lines that are reported one by one."""


def committed_in(journal: JournalReader) -> Callable[[str], str | None]:
    """Function that returns what a push last committed on a switch, from a journal."""

    def text(device: str) -> str | None:
        entry = journal.committed(device)
        return entry.text if entry is not None else None

    return text


class ManualChanges(NamedTuple):
    """Lines that somebody typed and that a push would undo. named: those that --undo allows."""

    named: tuple[HandLine, ...] = ()
    unnamed: tuple[HandLine, ...] = ()


def undone_by_name(options: PushOptions, surveyed: Iterable[Surveyed]) -> ManualChanges:
    """Lines to undo because they are named, and others. A dry run prints a note for the others.

    Raises FabricError if a commit would undo others, or if a name matches no line.
    """
    changes = sorted((line for switch in surveyed for line in switch.by_hand), key=lambda line: not line.is_shut)
    named = tuple(line for line in changes if any(map(line.is_named, options.undo)))
    unknown = [name for name in options.undo if not any(line.is_named(name) for line in changes)]
    if unknown:
        raise FabricError([_unknown(name) for name in unknown])
    unnamed = tuple(line for line in changes if line not in named)
    if unnamed and options.commit:
        rest = [_more(len(unnamed) - MOST)] if len(unnamed) > MOST else []
        raise FabricError([*map(_problem, unnamed[:MOST]), *rest])
    for line in unnamed[:MOST]:
        click.echo(
            f"note: manual change: {_line_text(line)}; --commit is refused unless you add --undo {line.id}", err=True
        )
    if len(unnamed) > MOST:
        click.echo(f"note: and {len(unnamed) - MOST} more manual changes", err=True)
    for line in named:
        click.echo(f"undoes the manual change: {_line_text(line)}", err=True)
    return ManualChanges(named, unnamed)


def _line_text(line: HandLine) -> str:
    return f"{line} ({'added' if line.present else 'removed'}; id {line.id})"


def _problem(line: HandLine) -> Problem:
    action = "shut down" if line.is_shut else "added" if line.present else "removed"
    return Problem(
        code="push-by-hand",
        what=f"a line was {action} manually since the last push: {line}",
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


def _unknown(name: str) -> Problem:
    return Problem(
        code="push-undo-unknown",
        what=f"--undo {name!r} is not a line that this push would undo",
        why="name a line by its id, or as `SWITCH: SECTION / LINE`, as the dry run prints it",
        fix="run it without --commit and without --undo to see the lines",
    )
