"""What a platform can not be told of single switches: values, where the capability tables have features."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabricgen.errors import IntentPath, Problem

CODE = "platform-limit"

Limited = tuple[Problem, ...]
"""What the platform of one switch says of it."""


def limited(found: Iterable[Limited]) -> Iterator[Problem]:
    """One problem a cause: the first switch is named, and how many others have the same."""
    causes: dict[tuple[IntentPath, str, str], list[Problem]] = {}
    for problems in found:
        for problem in problems:
            causes.setdefault((problem.where, problem.why, problem.fix), []).append(problem)
    for same in causes.values():
        more = f"; {len(same) - 1} others like it" if len(same) > 1 else ""
        yield replace(same[0], code=CODE, what=f"{same[0].what}{more}")
