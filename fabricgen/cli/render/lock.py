"""Compare the lock with the one that the output folder was rendered with: deployed numbers must not change silently."""

import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fabricgen.errors import FabricError, Problem, Source
from fabricgen.output.finish import INPUTS
from fabricgen.output.manifest import FOLDER
from fabricgen.plan.lock import Lock, defaults_line, read_lock, write_lock
from fabricgen.plan.lock_changes import ChangedLine, changed_lines
from fabricgen.site.workspace import LOCK, MAX_PROBLEMS, Workspace
from fabricgen.source.document import Document, read_document


def lock_problems(workspace: Workspace, out: Path, forget: tuple[str, ...]) -> list[Problem]:
    """Lines that the lock has lost or changed since the tree in `out` was rendered. New lines are no problem.

    forget  fabrics that are renumbered on purpose
    """
    recorded = out / FOLDER / INPUTS / LOCK
    document = workspace.lock_document
    if document is None:
        return [_lock_lost(workspace, out, recorded)] if recorded.exists() else []
    try:
        before = read_lock(read_document(recorded))
    except FabricError:  # missing or unreadable: there is nothing to compare with
        return []
    problems = list(_defaults_changed(workspace, document, out, before))
    # Renumbering a fabric keeps its ids, so a changed id is a problem even then.
    changes = (line for line in changed_lines(before, workspace.plan) if line.before.ids or line.fabric not in forget)
    return problems + [_line_changed(workspace, document, out, line) for line in islice(changes, MAX_PROBLEMS)]


def _path(workspace: Workspace) -> Path:
    return workspace.path.parent / LOCK


def _lock_lost(workspace: Workspace, out: Path, recorded: Path) -> Problem:
    lock = _path(workspace)
    return Problem(
        code="lock-lost",
        what=f"{lock} is missing, and {out} was rendered with a lock",
        why="without the lock all addresses and AS numbers would be assigned again",
        fix=shlex.join(["cp", str(recorded), str(lock)]),
    )


def _defaults_changed(workspace: Workspace, document: Document, out: Path, before: Lock) -> Iterator[Problem]:
    """Problem of another version of the defaults that the intent does not request."""
    version = workspace.plan.lock.defaults
    if version == before.defaults or _written(workspace.document, "defaults"):
        return
    lock, is_written = _path(workspace), _written(document, "defaults")
    present = f"says `defaults: {version}`" if is_written else f"has no line `defaults:`, which means version {version}"
    yield Problem(
        code="lock-defaults",
        what=f"{lock} {present}, and {out} was rendered with version {before.defaults}",
        why="values in use would change without a change of the intent",
        fix=f"write `{defaults_line(before)}` in {lock}{'' if is_written else ', below `lock: 1`'}; if the other "
        f"version is wanted, write `defaults: {version}` in {workspace.path}; if {out} is of another site, use "
        "another folder with -o",
        at=document.place(("defaults",) if is_written else ("lock",)),
    )


def _written(document: Document, key: str) -> bool:
    return isinstance(document.value, dict) and document.value.get(key) is not None


def _line_changed(workspace: Workspace, document: Document, out: Path, changed: ChangedLine) -> Problem:
    lock, line = _path(workspace), _line(changed.before)
    if changed.now is None:
        return Problem(
            code="lock-lost",
            what=f"{lock} has lost a line that {out} was rendered with",
            why="without this line deployed switches would get other addresses and AS numbers",
            fix=f"use a new folder with -o if the lock is right; if not, restore this line: {line}",
        )
    old, new = _items(changed.before), _items(changed.now)
    return Problem(
        code="lock-moved",
        what=f"{lock} says {_without(new, old)}, and {out} was rendered with {_without(old, new)}",
        why="deployed addresses and AS numbers would change"
        + (f"; render --renumber {changed.fabric} changes them deliberately" if changed.before.segments else ""),
        fix=f"use a new folder with -o if the lock is right; if not, restore the earlier line: {line}",
        at=_place(document, changed.now),
    )


def _place(document: Document, alone: Lock) -> Source:
    """Location of the line in the file."""
    full_lock = read_lock(document)
    if alone.segments:
        return document.place(("segments", full_lock.segments.index(alone.segments[0])))
    return document.place(("ids", full_lock.ids.index(alone.ids[0])))


def _line(alone: Lock) -> str:
    """Text of the single line of a lock."""
    return next(line for line in write_lock(alone).splitlines() if line.startswith("- "))


def _items(alone: Lock) -> list[str]:
    return _line(alone).removeprefix("- {").removesuffix("}").split(", ")


def _without(items: list[str], others: list[str]) -> str:
    return ", ".join(item for item in items if item not in others) or "less"
