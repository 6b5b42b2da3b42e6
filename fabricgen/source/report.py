"""Problems and their documents to text for people and values for JSON, sorted by position.

A secret that was written out instead of referred to is never shown, neither in messages nor in the excerpt.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from fabricgen.base.text import printable
from fabricgen.errors import Problem, Source
from fabricgen.source.document import Document
from fabricgen.source.yaml_events import path_text

_WIDTH = 100  # characters of an excerpt

SECRET_KEYS = ("auth", "key", "password", "privacy", "references")
"""Keys of the intent whose value is a reference to a secret, in every part that has them."""

_REFERENCE = re.compile(r"\$\{(env|file):[^{}\s]*\}")
_NOT_SHOWN = "(value not shown)"
_NAMES = 2000  # keys of a document that are compared with the secret ones
_SHOWN = 60  # characters of a value that a message shows; the rest is cut


class _Secret(NamedTuple):
    """A secret that is written out in a document, and the lines that may hold it, counted from 1."""

    file: str
    text: str
    first: int
    last: int


def report(problems: Iterable[Problem], *documents: Document) -> str:
    """Write problems as `file:line:column: error[code]: what`, excerpt, caret, why and fix.

    documents  the intent first, then others whose lines may be shown (lock, hardware files)

    Problems with a position come first, by file, line and column. A problem without `at` and without `where` has no
    position. Without problems the text is empty; otherwise it ends with a line end.
    """
    secrets = _secrets(documents)
    return "".join(
        _text(_discreet(problem, secrets), at, documents, secrets) for problem, at in _placed(problems, documents)
    )


def as_json(problems: Iterable[Problem], *documents: Document) -> list[dict[str, object]]:
    """Return problems as plain values in the order of `report`.

    `where` is the list of keys and list positions, `path` the same as people write it; `file`, `line` and `column` are
    None where the problem has no position.
    """
    secrets = _secrets(documents)
    placed = [(_discreet(problem, secrets), at) for problem, at in _placed(problems, documents)]
    return [
        {
            "code": problem.code,
            "what": problem.what,
            "why": problem.why,
            "fix": problem.fix,
            "where": list(problem.where),
            "path": path_text(problem.where),
            "file": at.file if at else None,
            "line": at.line if at else None,
            "column": at.column if at else None,
        }
        for problem, at in placed
    ]


def _secrets(documents: Iterable[Document]) -> tuple[_Secret, ...]:
    """Every value that was written where a reference to a secret belongs; a misspelt key counts as the key."""
    return tuple(secret for document in documents for secret in _secrets_of(document))


def _secrets_of(document: Document) -> Iterator[_Secret]:
    # Nothing at the root is a secret. The limit bounds the time for a file with very many keys.
    names = dict.fromkeys(path[-1] for path in document.keys if len(path) > 1 and isinstance(path[-1], str))
    secret_names = {name for name in islice(names, _NAMES) if get_close_matches(name.lower(), SECRET_KEYS, n=1)}
    for path, place in document.places.items():
        if len(path) < 2 or secret_names.isdisjoint(path[-2:]):
            continue
        value: object = document.value
        for part in path:
            value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
        text = value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
        if text and not _REFERENCE.fullmatch(text):
            # Text that continues over several lines has whitespace for each line end.
            yield _Secret(document.file, text, place.line, place.line + len(re.findall(r"\s", text)))


def _discreet(problem: Problem, secrets: tuple[_Secret, ...]) -> Problem:
    what, why, fix = problem.what, problem.why, problem.fix
    for secret in secrets:
        # Messages quote a value whole, cut, or in double quotes; a number is not quoted.
        for shown in (f"'{secret.text}'", f"'{secret.text[:_SHOWN]}…'", f'"{secret.text}"'):
            what = what.replace(f"cannot be {shown}", f"is not valid {_NOT_SHOWN}")
            what, why, fix = (text.replace(shown, _NOT_SHOWN) for text in (what, why, fix))
        for verb, instead in ((" is ", " is "), (" cannot be ", " is not valid ")):
            if what.endswith(f"{verb}{secret.text}"):
                what = f"{what.removesuffix(f'{verb}{secret.text}')}{instead}{_NOT_SHOWN}"
        if re.search(rf"(?:: |\[){re.escape(secret.text)}(?:[\]}}]|$)", fix):
            fix = f"write a reference to a secret {_NOT_SHOWN}"
    return problem._replace(what=what, why=why, fix=fix) if secrets else problem


def _placed(problems: Iterable[Problem], documents: tuple[Document, ...]) -> list[tuple[Problem, Source | None]]:
    placed = [(problem, _position(problem, documents)) for problem in problems]
    last = Source(file="\U0010ffff", line=0, column=0)
    return sorted(placed, key=lambda pair: (pair[1] or last, pair[0].code, pair[0].what))


def _position(problem: Problem, documents: tuple[Document, ...]) -> Source | None:
    if problem.at is not None:
        return problem.at
    if problem.where and documents:
        return documents[0].place(problem.where)
    return None


def _text(problem: Problem, at: Source | None, documents: tuple[Document, ...], secrets: tuple[_Secret, ...]) -> str:
    place = f"{at.file}:{at.line}:{at.column}: " if at else ""
    lines = [
        f"{place}error[{problem.code}]: {problem.what}",
        *_excerpt(at, documents, secrets),
        f"  why: {problem.why}",
        f"  fix: {problem.fix}",
    ]
    return "".join(f"{printable(line)}\n" for line in lines)


def _excerpt(at: Source | None, documents: tuple[Document, ...], secrets: tuple[_Secret, ...]) -> list[str]:
    """Return the line and the caret below it; a long line is cut to a window around the caret."""
    if at is None:
        return []
    if any(secret.file == at.file and secret.first <= at.line <= secret.last for secret in secrets):
        return [f"  {at.line} | (line not shown: it may have a secret)"]
    document = next((document for document in documents if document.file == at.file), None)
    if document is None or at.line > len(document.lines):
        return []
    line = document.lines[at.line - 1]
    column = min(at.column - 1, len(line))  # 0-based
    first = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown = line[first : first + _WIDTH].rstrip()
    number = str(at.line)
    return [f"  {number} | {shown}", f"  {' ' * len(number)} | {' ' * (column - first)}^"]
