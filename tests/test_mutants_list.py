"""The list of breaks cannot rot: every text still stands where it is said to, and every test path exists."""

import pytest

from tests.breaks import MUTANTS
from tests.breaks_model import Mutant
from tests.mutants import ROOT, occurrences


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_break_has_its_text_and_its_tests(mutant: Mutant) -> None:
    assert occurrences(mutant) == 1
    assert mutant.new != mutant.old
    assert [path for path in mutant.tests if not (ROOT / path.partition("::")[0]).exists()] == []


def test_there_are_enough_and_no_two_of_one_name() -> None:
    assert len(MUTANTS) >= 100
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_a_text_that_has_moved_is_counted() -> None:
    moved = MUTANTS[0]._replace(old="this stands nowhere")

    assert occurrences(moved) == 0
