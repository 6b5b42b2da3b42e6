"""Problems and the documents they speak of to text for people and values for JSON, sorted by position."""

import re
from collections.abc import Iterable

from fabricgen.composer import spell
from fabricgen.documents import Document
from fabricgen.errors import Problem, Source

_WIDTH = 100  # characters of an excerpt
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def report(problems: Iterable[Problem], *documents: Document) -> str:
    """Write problems as `file:line:column: error[code]: what`, excerpt, caret, why and fix.

    documents  the intent first, then others whose lines may be shown (lock, hardware files)

    Problems with a position come first, by file, line and column. A problem without `at` and without `where`
    has none and shows none. Without problems the text is empty; otherwise it ends with a line end.
    """
    return "".join(_text(problem, at, documents) for problem, at in _placed(problems, documents))


def as_json(problems: Iterable[Problem], *documents: Document) -> list[dict[str, object]]:
    """Return problems as plain values in the order of `report`.

    `where` is the list of keys and list positions, `path` the same as people write it; `file`, `line` and
    `column` are None where the problem has no position.
    """
    return [
        {
            "code": problem.code,
            "what": problem.what,
            "why": problem.why,
            "fix": problem.fix,
            "where": list(problem.where),
            "path": spell(problem.where),
            "file": at.file if at else None,
            "line": at.line if at else None,
            "column": at.column if at else None,
        }
        for problem, at in _placed(problems, documents)
    ]


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


def _text(problem: Problem, at: Source | None, documents: tuple[Document, ...]) -> str:
    place = f"{at.file}:{at.line}:{at.column}: " if at else ""
    lines = [
        f"{place}error[{problem.code}]: {problem.what}",
        *_excerpt(at, documents),
        f"  why: {problem.why}",
        f"  fix: {problem.fix}",
    ]
    return "".join(f"{_UNPRINTABLE.sub(' ', line)}\n" for line in lines)


def _excerpt(at: Source | None, documents: tuple[Document, ...]) -> list[str]:
    """Return the line and the caret below it; a long line is cut to a window around the caret."""
    if at is None:
        return []
    document = next((document for document in documents if document.file == at.file), None)
    if document is None or at.line > len(document.lines):
        return []
    line = document.lines[at.line - 1]
    column = min(at.column - 1, len(line))  # 0-based
    first = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown = line[first : first + _WIDTH].rstrip()
    number = str(at.line)
    return [f"  {number} | {shown}", f"  {' ' * len(number)} | {' ' * (column - first)}^"]
