"""Headroom tables, fits and pools that cannot work, each found; published budgets, each passed."""

import pytest

from fabricgen.hardware.headroom_faults import contradictions, fit_faults
from fabricgen.hardware.model import HeadroomFit, HeadroomRow
from fabricgen.policy.headroom import (
    HeadroomBudget,
    budget_faults,
    profile_faults,
)

Table = dict[int, dict[int, int]]  # speed → length → octets

TOMAHAWK_5 = HeadroomFit(
    formula="tomahawk-wire", constants={"reaction_seconds": 2.18e-6, "metres_per_second": 2.0e8}, source="fit"
)


def rows(table: Table) -> tuple[HeadroomRow, ...]:
    return tuple(
        HeadroomRow(speed_gbps=speed, length_m=length, xoff_octets=octets, source="table")
        for speed, lengths in table.items()
        for length, octets in lengths.items()
    )


@pytest.mark.parametrize(
    ("fit", "cell", "words"),
    [
        (TOMAHAWK_5.model_copy(update={"formula": "guess"}), 254, "formula guess is none of"),
        (TOMAHAWK_5.model_copy(update={"constants": {"reaction_seconds": 1e-6}}), 254, "lacks metres_per_second"),
        (TOMAHAWK_5.model_copy(update={"constants": {**TOMAHAWK_5.constants, "luck": 1}}), 254, "has no constant luck"),
        (TOMAHAWK_5, None, "needs cell_octets"),
        (
            TOMAHAWK_5.model_copy(update={"constants": {**TOMAHAWK_5.constants, "metres_per_second": 0}}),
            254,
            "metres_per_second is 0",
        ),
    ],
)
def test_a_fit_that_can_not_be_computed_is_named(fit: HeadroomFit, cell: int | None, words: str) -> None:
    (why,) = fit_faults(fit, cell)
    assert words in why


@pytest.mark.parametrize(
    "table", [{400: {5: 200, 40: 100}}, {400: {5: 100}, 200: {5: 200}}, {400: {40: 100}, 200: {5: 200}}]
)
def test_a_table_that_contradicts_itself_is_named(table: Table) -> None:
    assert len(contradictions(enumerate(rows(table)))) == 1


def test_two_values_for_one_link_are_named() -> None:
    twice = (*rows({400: {5: 100}}), *rows({400: {5: 200}}))
    assert contradictions(enumerate(twice)) == {(1, 0): (twice[1], twice[0])}


POOL = 33_374_584  # Z9864F, buffers_defaults_t0.j2


@pytest.mark.parametrize(
    ("ports", "octets", "ratio"), [(64, 835_406, 1.60), (128, 446_024, 1.71), (64, 1_017_306, 1.95)]
)
def test_published_budgets_pass(ports: int, octets: int, ratio: float) -> None:
    budget = HeadroomBudget(octets * ports, POOL)
    assert budget.ratio == pytest.approx(ratio, abs=0.005)
    assert budget_faults(budget) == ()


def test_a_budget_above_two_to_one_fails() -> None:
    long = HeadroomBudget(1_621_536 * 64, POOL)
    (why,) = budget_faults(long)
    assert "3.11 times the pool" in why
    assert budget_faults(long, 4) == ()
    even = HeadroomBudget(100, 50)
    assert budget_faults(even) == ()
    assert budget_faults(even._replace(needed_octets=101))


def test_distinct_profiles_stay_within_the_chip() -> None:
    assert profile_faults([1, 1, 2], 2) == ()
    assert profile_faults([1, 2, 3], None) == ()
    assert profile_faults([1, 2, 3], 2) == ("3 distinct headrooms, but the chip holds 2 PFC profiles",)
