"""Problems of the operator as values: what is wrong, where, why, and what to type.

A fault of our own is an ordinary exception with a traceback. A fault of the operator is a `Problem`. A stage collects
all of its problems and raises one `FabricError`.
"""

from bisect import bisect
from collections.abc import Iterable
from typing import NamedTuple, Self

_COMPARED = 300  # names compared on each side of the misspelt one, in sorted order
_LISTED = 40  # choices listed in a remedy

NEAR = 0.7
"""Similarity from which a known word is offered for an unknown one."""
SHORT, ANY_NEAR = 4, 0.6
"""Letters of a word of which one swapped pair is a large part, and its similarity: `ans` for `asn`."""

IntentPath = tuple[str | int, ...]
"""Keys and list positions from the document's root, e.g. ("fabrics", "backend", "asns")."""


class Source(NamedTuple):
    """A position in a text file. `line` and `column` count from 1."""

    file: str
    line: int
    column: int


class Problem(NamedTuple):
    """One thing that the operator must fix.

    code   kebab-case, unique to the rule
    what   the fault, with names
    where  path in the intent; the reporter turns it into file:line:column
    why    the numbers compared, or the rule and its source
    fix    what to type
    at     position in a file, if the fault is not in the intent (lock, CSV, hardware file, YAML syntax)
    about  switches, and paths as people write them, each of which has the whole problem: a waiver may be written for
           each. Empty: the problem is about several together. None: `where` and the first word of `what` say it
    """

    code: str
    what: str
    why: str
    fix: str
    where: IntentPath = ()
    at: Source | None = None
    about: tuple[str, ...] | None = None


class FabricError(Exception):
    """All problems of one stage, each once. Nothing has been written when it is raised."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        # Two fabrics that share an object, such as a server group's model, report the same problem.
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("; ".join(f"{problem.code}: {problem.what}" for problem in self.problems))

    @classmethod
    def of(cls, *, code: str, what: str, why: str, fix: str, where: IntentPath = (), at: Source | None = None) -> Self:
        """The error of one problem."""
        return cls([Problem(code, what, why, fix, where, at)])


def did_you_mean(name: str, known: Iterable[str], near: float = NEAR) -> str:
    """Return a remedy that names the nearest known word, or lists the choices (the first ones if there are many)."""
    # Imported here because only a problem needs it: the import takes longer than the rest of this module.
    from difflib import SequenceMatcher, get_close_matches  # noqa: PLC0415

    choices = sorted(known)
    # With thousands of names, only those next to it in sorted order are compared: most typos are not in the first
    # letters.
    position = bisect(choices, name)
    nearest = get_close_matches(
        name,
        choices[max(0, position - _COMPARED) : position + _COMPARED],
        n=2 * _COMPARED,
        cutoff=near if len(name) > SHORT else ANY_NEAR,
    )
    if nearest:
        # Of names that are equally near, one that begins as it was typed; then the first: be-leaf-000 for be-leaf-00.
        ratios = {word: SequenceMatcher(None, word, name).ratio() for word in nearest}
        best = [word for word in nearest if ratios[word] == max(ratios.values())]
        return f"did you mean {min(best, key=lambda word: (not word.startswith(name), word))}?"
    if len(choices) == 1:
        return f"write {choices[0]}, the only choice"
    more = len(choices) - _LISTED
    return f"choose one of {', '.join(choices[:_LISTED])}" + (f" and {more} more" if more > 0 else "")
