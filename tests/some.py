"""Of many cases of one kind some are for every run, and all of them for `make long`."""

from collections.abc import Iterable

import pytest

LONG = pytest.mark.long
PART = 7
POINTS = pytest.mark.parametrize("stride", [PART, pytest.param(1, marks=LONG)], ids=["some points", "all points"])
"""Of the points at which something can be killed, one in so many is for every run."""


def some(cases: Iterable[object], of: int = 3) -> list[object]:
    """Cases for `parametrize`: the first of each so many is for every run; the others are `long`."""
    return [case if at % of == 0 else _long(case) for at, case in enumerate(cases)]


def _long(case: object) -> object:
    is_row = isinstance(case, tuple) and not hasattr(case, "_fields")
    return pytest.param(*(case if is_row else (case,)), marks=LONG)  # type: ignore[misc]
