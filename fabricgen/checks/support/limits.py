"""Values of single switches that a platform does not support, where the capability tables only have features."""

from collections.abc import Iterable, Iterator

from fabricgen.errors import Problem

CODE = "platform-limit"

Limited = tuple[Problem, ...]
"""The problems that a platform reports for one switch."""


def limited(counted: Iterable[tuple[int, Problem]]) -> Iterator[Problem]:
    """Yield one problem per cause: the first switch, and the number of others. counted: how many, the first problem."""
    for count, first in counted:
        more = f"; the same for {count - 1} more switch{'es' if count > 2 else ''}" if count > 1 else ""
        yield first._replace(code=CODE, what=f"{first.what}{more}")
