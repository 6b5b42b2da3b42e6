"""What a platform cannot be told of single switches: values, where the capability tables have features."""

from collections.abc import Iterable, Iterator

from fabricgen.errors import Problem

CODE = "platform-limit"

Limited = tuple[Problem, ...]
"""What the platform of one switch says of it."""


def limited(found: Iterable[tuple[int, Problem]]) -> Iterator[Problem]:
    """One problem a cause: the first switch is named, and how many others have the same. found: how many, the first."""
    for count, first in found:
        more = f"; {count - 1} others like it" if count > 1 else ""
        yield first._replace(code=CODE, what=f"{first.what}{more}")
