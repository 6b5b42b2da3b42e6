"""Problems of the operator as values: what is wrong, where, why, and what to type.

Our own faults are ordinary exceptions with a traceback. A fault of the operator is a `Problem`; a stage
collects all of its problems and raises one `FabricError`.
"""

from bisect import bisect
from collections.abc import Iterable
from typing import NamedTuple

_COMPARED = 300  # names before and after the place where a misspelt one sorts
_LISTED = 40  # choices that a person still reads

IntentPath = tuple[str | int, ...]
"""Keys and list positions from the document's root, e.g. ("fabrics", "backend", "asns")."""


class Source(NamedTuple):
    """A position in a text file. `line` and `column` count from 1."""

    file: str
    line: int
    column: int


class Problem(NamedTuple):
    """One thing the operator must mend.

    code   kebab-case and unique to the rule
    what   the fault in the operator's words, with names
    where  path in the intent; the reporter turns it into file:line:column
    why    the numbers compared, or the rule and its source
    fix    something to type
    at     the position itself, where the fault is not in the intent (lock, CSV, hardware file, YAML syntax)
    about  switches, and paths as people write them, each of which is the whole of it: where a waiver of it may stand.
           Empty: it is about several together; None: its place and the first word of `what` say it
    """

    code: str
    what: str
    why: str
    fix: str
    where: IntentPath = ()
    at: Source | None = None
    about: tuple[str, ...] | None = None


class FabricError(Exception):
    """All the problems of one stage, each once. Nothing has been written when it is raised."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        # What two fabrics share, such as a server group's model, is found wrong by each of them.
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("; ".join(f"{problem.code}: {problem.what}" for problem in self.problems))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a remedy that names the nearest known word, or lists the choices, the first of them where many."""
    # Imported where something is wrong: it takes longer than the rest of this module.
    from difflib import get_close_matches  # noqa: PLC0415

    choices = sorted(known)
    # Of thousands only those that sort beside the name are compared: most slips are not in the first letters.
    at = bisect(choices, name)
    near = get_close_matches(name, choices[max(0, at - _COMPARED) : at + _COMPARED], n=1)
    if near:
        return f"did you mean {near[0]}?"
    more = len(choices) - _LISTED
    return f"choose one of {', '.join(choices[:_LISTED])}" + (f" and {more} more" if more > 0 else "")
