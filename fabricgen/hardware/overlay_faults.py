"""Problems of a user's file that looks like one over the library's, and lies over nothing: a misspelt name.

A file of one's own has all facts of its model. A file with few of them, whose name the library does not have, is meant
for another name; so is a NIC group or a row with few of its keys.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from itertools import groupby
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.hardware.overlay import ROWS, WITHOUT
from fabricgen.source.document import Document, mapping

MISSING = "missing-key"


class _Owner(NamedTuple):
    """What lacks keys: its place, and the names that the library has there."""

    where: IntentPath
    name: str
    known: tuple[str, ...]


def of_misspelt_file(
    problems: tuple[Problem, ...], document: Document, name: str, ours: Mapping[str, object]
) -> tuple[Problem, ...]:
    """Return the problems of a file that the library has no other one for; one, where its name is misspelt.

    ours  names of the library
    """
    missing = [problem for problem in problems if problem.code == MISSING and len(problem.where) == 1]
    near = get_close_matches(name, ours, n=1, cutoff=0.8)
    if len(missing) < 2 or not near:
        return problems
    lacks = listed((str(problem.where[0]) for problem in missing), most=4)
    return (
        Problem(
            code="hardware-overlay",
            what=f"the library has no {name}, and {document.file} is no whole file",
            why=f"it lacks {lacks}: a file that says only what differs has the name of one of the library",
            fix=f"rename it to {near[0]}.yaml, or write all of these keys",
            at=document.place(()),
        ),
    )


def with_library_names(problems: tuple[Problem, ...], document: Document, ours: Document) -> tuple[Problem, ...]:
    """Return the problems of a file over the library's; one for each part whose name the library does not have."""
    found: list[Problem] = []
    for owner, group in groupby(
        (_left_out(problem, document) for problem in problems), key=lambda problem: _owner(problem, document, ours)
    ):
        rows = tuple(group)
        found += [_of_part(owner, rows, document)] if owner is not None else rows
    return tuple(found)


def _left_out(problem: Problem, document: Document) -> Problem:
    """The problem; of a key that the user's file leaves out and that is needed, at its line there."""
    paths = mapping(document.value).get(WITHOUT)
    key = str(problem.where[-1]) if problem.code == MISSING else ""
    for position, path in enumerate(paths if isinstance(paths, list) else ()):
        if key and str(path).rpartition(".")[2] == key:
            return Problem(
                code="hardware-path",
                what=f"{WITHOUT} leaves out {path}, which every such row or file has",
                why=problem.why,
                fix=f"write {key}: of your own in this file, or remove {path} from {WITHOUT}",
                at=document.place((WITHOUT, position)),
            )
    return problem


def _owner(problem: Problem, document: Document, ours: Document) -> _Owner | None:
    """The part that lacks a key and that the library does not have; None for any other problem."""
    if problem.code != MISSING or len(problem.where) < 2:
        return None
    *above, key = problem.where[:-1]
    here, there = _at(document.value, tuple(above)), _at(ours.value, _named(document, ours, tuple(above)))
    if isinstance(key, str) and isinstance(there, dict) and isinstance(here, dict) and key not in there:
        return _Owner(problem.where[:-1], key, tuple(there))
    if isinstance(key, int) and isinstance(there, list) and isinstance(here, list) and str(above[-1]) in ROWS:
        names = ROWS[str(above[-1])]
        known = tuple(_row_name(row, names) for row in there)
        name = _row_name(here[key], names)
        return _Owner(problem.where[:-1], name, known) if name not in known else None
    return None


def _named(document: Document, ours: Document, where: IntentPath) -> IntentPath:
    """The place in the library's file of what is at a place of the user's: a row of the same name."""
    found: list[str | int] = []
    for position, part in enumerate(where):
        if isinstance(part, int) and position:
            names = ROWS.get(str(where[position - 1]), ())
            name = _row_name(_at(document.value, where[: position + 1]), names)
            rows = _at(ours.value, tuple(found))
            known = [_row_name(row, names) for row in rows] if isinstance(rows, list) else []
            found.append(known.index(name) if name in known else -1)
        else:
            found.append(part)
    return tuple(found)


def _at(value: object, where: IntentPath) -> object:
    for part in where:
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and 0 <= part < len(value) else None
        else:
            value = mapping(value).get(part)
    return value


def _row_name(row: object, names: tuple[str, ...]) -> str:
    return ", ".join(f"{name}: {mapping(row).get(name)}" for name in names)


def _of_part(owner: _Owner, rows: tuple[Problem, ...], document: Document) -> Problem:
    lacks = listed((str(problem.where[-1]) for problem in rows), most=4)
    near = did_you_mean(owner.name, owner.known)
    return Problem(
        code="hardware-overlay",
        what=f"the library's file has no {owner.name}",
        why=f"a new one is whole, and this one lacks {lacks}",
        fix=f"{near} Or write {'it' if len(rows) == 1 else 'them'}"
        if near.startswith("did")
        else f"{near}, or write {lacks}",
        at=document.keys.get(owner.where) or document.place(owner.where),
    )
