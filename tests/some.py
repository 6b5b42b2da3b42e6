"""Of many cases of one kind some are for every run, and all of them for `make long`."""

import os
from collections.abc import Iterable

import pytest
from hypothesis import settings

LONG = pytest.mark.long
PART = 11
POINTS = pytest.mark.parametrize("stride", [PART, pytest.param(1, marks=LONG)], ids=["some points", "all points"])
"""Of the points at which something can be killed, one in so many is for every run."""


def some(cases: Iterable[object], of: int = 3) -> list[object]:
    """Cases for `parametrize`: the first of each so many is for every run; the others are `long`."""
    return [case if at % of == 0 else _long(case) for at, case in enumerate(cases)]


def rounds(count: int, of: int = 4) -> settings:
    """For tests of random values that take long: one round in so many is for every run; `make long` runs all."""
    return settings(max_examples=count if os.environ.get("FABRICGEN_ROUNDS") == "all" else count // of)


def _long(case: object) -> object:
    is_row = isinstance(case, tuple) and not hasattr(case, "_fields")
    return pytest.param(*(case if is_row else (case,)), marks=LONG)  # type: ignore[misc]
