"""A pattern of switch names that matches nothing is refused with the nearest names."""

import pytest

from fabricgen.errors import FabricError
from fabricgen.plan.name_patterns import matching

NAMES = ("be-leaf-000", "be-leaf-001", "be-spine-00", "fe-leaf-000")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("be-leaf-*", ("be-leaf-000", "be-leaf-001")),
        ("?e-leaf-000", ("be-leaf-000", "fe-leaf-000")),
        ("*", NAMES),
        ("fe-leaf-000", ("fe-leaf-000",)),
    ],
)
def test_names_that_match(pattern: str, found: tuple[str, ...]) -> None:
    assert matching(NAMES, pattern) == found


@pytest.mark.parametrize(
    ("pattern", "fix"),
    [
        ("xx*", "write the name of a switch, or a pattern in quotes: 'be-leaf-*', 'be-spine-*', 'fe-leaf-*'"),
        ("be-spin-00", "did you mean be-spine-00 or 'be-spine-*'?"),
        ("be-leef-*", "did you mean 'be-leaf-*', 'fe-leaf-*' or be-leaf-001?"),
    ],
)
def test_the_nearest_names_are_offered(pattern: str, fix: str) -> None:
    with pytest.raises(FabricError) as caught:
        matching(NAMES, pattern)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fix) == ("devices-none", fix)
    assert "4 switches" in problem.why


def test_a_site_without_switches() -> None:
    with pytest.raises(FabricError) as caught:
        matching((), "*")
    assert caught.value.problems[0].why == "the intent has no switch"
