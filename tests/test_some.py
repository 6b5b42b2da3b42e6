"""Of the cases of a kind some are in every run, and none is lost."""

from typing import NamedTuple

import pytest

from tests.some import some


class Row(NamedTuple):
    """A case with names."""

    one: int
    two: int


def values(cases: list[object]) -> list[object]:
    """What a test would be given, and whether in every run."""
    long = type(pytest.param(0))
    return [(case.values, bool(case.marks)) if isinstance(case, long) else (case, False) for case in cases]


@pytest.mark.parametrize(
    ("cases", "found"),
    [
        (range(4), [(0, False), ((1,), True), ((2,), True), (3, False)]),
        ([("a", 1), ("b", 2)], [(("a", 1), False), (("b", 2), True)]),
        ([Row(1, 2), Row(3, 4)], [(Row(1, 2), False), ((Row(3, 4),), True)]),
    ],
)
def test_the_first_of_each_three_is_for_every_run(cases: list[object], found: list[object]) -> None:
    assert values(some(cases)) == found
