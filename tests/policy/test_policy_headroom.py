"""Headroom against published tables, worked examples and the properties that keep a lossless class lossless.

Tables: sonic-net/sonic-buildimage 086b03b (2026-08-23), device/*/*/*/pg_profile_lookup.ini, column xoff.
"""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.hardware.headroom_faults import contradictions, fit_faults
from fabricgen.hardware.model import HeadroomFit, HeadroomRow
from fabricgen.policy.headroom import (
    HeadroomFacts,
    bare_fit,
    headroom,
)
from fabricgen.policy.headroom_fit import FORMULAS, PAUSE_QUANTA, HeadroomInput, cell_occupancy, pause_octets

Table = dict[int, dict[int, int]]

# Dell Z9864F, Tomahawk 5: speed → length → octets.
Z9864F: Table = {
    10: {5: 91440, 40: 94742, 300: 258572},
    25: {5: 91440, 40: 94742, 300: 258572},
    40: {5: 106934, 40: 113538, 300: 258572},
    50: {5: 106934, 40: 113538, 300: 258572},
    100: {5: 147066, 40: 160274, 300: 258572},
    200: {5: 229362, 40: 255778, 300: 452374},
    400: {5: 393192, 40: 446024, 300: 839216},
    800: {5: 729488, 40: 835406, 300: 1621536},
}
# NVIDIA SN5600 (ACS-SN5600), Spectrum-4.
SN5600: Table = {
    10: {5: 45056, 40: 46080, 300: 56320},
    25: {5: 48128, 40: 52224, 300: 76800},
    40: {5: 57344, 40: 62464, 300: 101376},
    50: {5: 63488, 40: 69632, 300: 118784},
    100: {5: 113664, 40: 126976, 300: 225280},
    200: {5: 131072, 40: 157696, 300: 355328},
    400: {5: 231424, 40: 283648, 300: 677888},
    800: {5: 257024, 40: 362496, 300: 1150976},
}
# Arista 7060X6-64PE-B, Tomahawk 5, P32O64: rows that no constant was fitted to.
P32O64: Table = {
    400: {5: 425958, 30: 425958, 300: 839216, 500: 1136396},
    800: {5: 724662, 40: 833536, 300: 1621536},
}
# Arista 7060X6-64PE, Tomahawk 5, O128S2.
O128S2: Table = {400: {5: 612140, 40: 612140, 150: 612140}}

TOMAHAWK_5 = HeadroomFit(
    formula="tomahawk-wire", constants={"reaction_seconds": 2.18e-6, "metres_per_second": 2.0e8}, source="fit"
)
SPECTRUM_4 = HeadroomFit(
    formula="sonic-dynamic",
    constants={
        "metres_per_second": 1.98e8,
        "mac_phy_octets": 0.8 * 1024,
        "extra_seconds": 122.88e-9,
        "lossless_mtu": 1024,
        "small_packet_percent": 100,
    },
    source="fit",
)
FITTED_SPEEDS = (400, 800)


def rows(table: Table) -> tuple[HeadroomRow, ...]:
    return tuple(
        HeadroomRow(speed_gbps=speed, length_m=length, xoff_octets=octets, source="table")
        for speed, lengths in table.items()
        for length, octets in lengths.items()
    )


def links(table: Table) -> list[tuple[int, int, int]]:
    return [(speed, length, octets) for speed, lengths in table.items() for length, octets in lengths.items()]


TH5_FIT = HeadroomFacts(fit=TOMAHAWK_5, cell_octets=254)
SP4_FIT = HeadroomFacts(fit=SPECTRUM_4, cell_octets=192)
TH5 = HeadroomFacts(asic_rows=rows(Z9864F), fit=TOMAHAWK_5, cell_octets=254)
SP4 = HeadroomFacts(asic_rows=rows(SN5600), fit=SPECTRUM_4, cell_octets=192)
ARISTA_O128 = HeadroomFacts(model_rows=rows(O128S2), asic_rows=rows(Z9864F), fit=TOMAHAWK_5, cell_octets=254)
FAMILIES = ((TH5, Z9864F, 9216), (SP4, SN5600, 9100))


def octets_of(facts: HeadroomFacts, speed: int, length: float, mtu: int = 9100) -> int:
    found = headroom(facts, speed_gbps=speed, length_m=length, mtu=mtu)
    assert found is not None
    return found.octets


@pytest.mark.parametrize(
    ("facts", "speed", "length", "mtu", "octets", "cells"),
    [
        (SP4_FIT, 400, 30, 9100, 268_428, 1_399),
        (TH5_FIT, 400, 30, 9216, 430_687, 1_696),
        (SP4_FIT, 800, 100, 9100, 544_436, 2_836),
        (TH5_FIT, 800, 100, 9216, 1_017_306, 4_006),
    ],
)
def test_worked_examples_come_out_of_the_bare_fit(
    facts: HeadroomFacts, speed: int, length: int, mtu: int, octets: int, cells: int
) -> None:
    found = headroom(facts, speed_gbps=speed, length_m=length, mtu=mtu)
    assert found is not None
    bare = bare_fit(facts, HeadroomInput(speed, length, mtu))
    assert bare is not None
    assert (round(bare), found.cells, found.basis) == (octets, cells, "fit")
    assert facts.cell_octets is not None
    assert found.octets == cells * facts.cell_octets


@pytest.mark.parametrize(("facts", "table", "mtu"), FAMILIES)
def test_published_rows_come_out_exactly(facts: HeadroomFacts, table: Table, mtu: int) -> None:
    for speed, length, octets in links(table):
        found = headroom(facts, speed_gbps=speed, length_m=length, mtu=mtu)
        assert found is not None
        assert (found.octets, found.basis) == (octets, "asic-row")


def test_the_row_of_the_model_beats_the_row_of_the_chip() -> None:
    found = headroom(ARISTA_O128, speed_gbps=400, length_m=40, mtu=9216)
    assert found is not None
    assert (found.octets, found.cells, found.basis) == (612_140, 2_410, "model-row")
    lower = HeadroomFacts(model_rows=rows({400: {40: 400_000}}), asic_rows=rows(Z9864F), cell_octets=254)
    assert octets_of(lower, 400, 40) == 400_000


def test_of_two_values_for_one_length_the_larger_counts() -> None:
    twice = HeadroomFacts(asic_rows=(*rows({400: {40: 100}}), *rows({400: {40: 200}}), *rows({400: {40: 150}})))
    assert octets_of(twice, 400, 40) == 200
    model = HeadroomFacts(model_rows=twice.asic_rows)
    assert octets_of(model, 400, 40) == 200


def test_a_length_between_rows_takes_the_next_longer_row() -> None:
    assert octets_of(TH5, 400, 6) == Z9864F[400][40]
    assert octets_of(TH5, 400, 41) == Z9864F[400][300]
    assert octets_of(TH5, 800, 0.5) == Z9864F[800][5]


@pytest.mark.parametrize(("facts", "table", "mtu"), FAMILIES)
def test_past_the_longest_row_the_cable_still_costs(facts: HeadroomFacts, table: Table, mtu: int) -> None:
    for speed, lengths in table.items():
        found = headroom(facts, speed_gbps=speed, length_m=2000, mtu=mtu)
        assert found is not None
        assert found.basis in ("fit", "fit-raised")
        light = 2 * 1700 * speed * 125e6 / 2.0e8  # octets on 1,700 m more of fibre, there and back
        assert found.octets >= lengths[300] + light


def test_a_fit_is_raised_to_a_published_row_of_a_lower_speed() -> None:
    facts = HeadroomFacts(model_rows=rows({10: {5: 91_440}}), fit=TOMAHAWK_5, cell_octets=254)
    found = headroom(facts, speed_gbps=25, length_m=5, mtu=9216)
    assert found is not None
    assert (found.octets, found.basis) == (91_440, "fit-raised")
    bare = bare_fit(facts, HeadroomInput(25, 5, 9216))
    assert bare is not None
    assert round(bare) == 76_807
    assert found.source == "table"


def test_a_row_of_the_chip_is_raised_to_a_row_of_the_model_below_it() -> None:
    facts = HeadroomFacts(model_rows=rows({400: {5: 900_000}}), asic_rows=rows(Z9864F), cell_octets=254)
    assert octets_of(facts, 800, 40) == 900_000
    assert octets_of(facts, 800, 300) == Z9864F[800][300]


def test_nothing_is_invented() -> None:
    assert headroom(HeadroomFacts(), speed_gbps=400, length_m=5, mtu=9100) is None
    rows_only = HeadroomFacts(asic_rows=rows(Z9864F), cell_octets=254)
    assert headroom(rows_only, speed_gbps=400, length_m=301, mtu=9100) is None
    assert headroom(TH5_FIT, speed_gbps=1600, length_m=5, mtu=9100) is None


def test_longer_frames_add_their_cost_and_shorter_ones_take_nothing_off() -> None:
    # Tomahawk: two frames, 254/84 octets of buffer each; 9,416 is 200 more than the row's frame.
    assert octets_of(TH5, 400, 40, 9416) - Z9864F[400][40] == 1210  # ceil(400 × 254 / 84)
    # Spectrum: one frame, three cells' worth; 9,216 is 116 more.
    assert octets_of(SP4, 400, 40, 9216) - SN5600[400][40] == 348
    # No formula: two frames, the 116 octets more in whole cells.
    bare = HeadroomFacts(asic_rows=rows(SN5600), cell_octets=192)
    assert octets_of(bare, 400, 40, 9216) - SN5600[400][40] == 384
    assert octets_of(ARISTA_O128, 400, 40, 9416) - O128S2[400][40] == 1210
    for facts, table, _ in FAMILIES:
        assert octets_of(facts, 400, 40, 1500) == table[400][40]


def errors(facts: HeadroomFacts, table: Table, mtu: int, *, fitted: bool) -> list[float]:
    found = []
    for speed, length, octets in links(table):
        fit = bare_fit(facts, HeadroomInput(speed, length, mtu))
        assert fit is not None
        if (speed in FITTED_SPEEDS) == fitted:
            found.append(fit / octets - 1)
    return found


@pytest.mark.parametrize(
    ("title", "facts", "table", "mtu", "used", "unused"),
    [
        ("Tomahawk 5", TH5, Z9864F, 9216, 0.001, 0.71),
        ("Spectrum-4", SP4, SN5600, 9100, 0.004, 0.023),
    ],
)
def test_error_of_the_bare_fit(
    title: str, facts: HeadroomFacts, table: Table, mtu: int, used: float, unused: float
) -> None:
    """The constants come from the 400 and 800G rows; the others test them. The fit errs low, so rows are floors."""
    for name, fitted, bound in (("rows used", True, used), ("rows not used", False, unused)):
        found = errors(facts, table, mtu, fitted=fitted)
        sys.stdout.write(f"{title}, {name}: {len(found)} rows, {min(found):+.2%} to {max(found):+.2%}\n")
        assert max(map(abs, found)) <= bound
    assert max(errors(facts, table, mtu, fitted=False)) < 0


def test_error_of_the_bare_fit_on_another_box_with_the_chip() -> None:
    found = [fit / octets - 1 for speed, length, octets in links(P32O64) if (fit := wire(speed, length))]
    sys.stdout.write(f"Tomahawk 5, another box: {len(found)} rows, {min(found):+.2%} to {max(found):+.2%}\n")
    assert min(found) > -0.08
    assert max(found) < 0.02


def wire(speed: int, length: int) -> float:
    fit = bare_fit(TH5_FIT, HeadroomInput(speed, length, 9216))
    assert fit is not None
    return fit


def test_pause_quanta_are_the_standards() -> None:
    assert pause_octets(400) == 57_920  # 905 quanta of 512 bits, 1.16 us
    assert pause_octets(100) == 394 * 64
    assert list(PAUSE_QUANTA) == sorted(PAUSE_QUANTA)
    assert cell_occupancy(192, 100) == 3
    assert cell_occupancy(96, 100) == pytest.approx(2 * 96 / 97)
    assert cell_occupancy(192, 0) == 1


def test_good_facts_have_no_fault() -> None:
    for facts, table, _ in FAMILIES:
        assert fit_faults(facts.fit, facts.cell_octets) == ()
        assert contradictions(enumerate(rows(table))) == {}
    assert fit_faults(None, None) == ()


SPEEDS = st.sampled_from(sorted(PAUSE_QUANTA))
LENGTHS = st.floats(min_value=0.5, max_value=5000)
MTUS = st.integers(min_value=1500, max_value=10_000)
FACTS = st.sampled_from((TH5, SP4, TH5_FIT, SP4_FIT, ARISTA_O128))


@given(FACTS, SPEEDS, LENGTHS, LENGTHS, MTUS)
def test_a_longer_cable_never_needs_less(facts: HeadroomFacts, speed: int, one: float, two: float, mtu: int) -> None:
    short, long = sorted((one, two))
    assert octets_of(facts, speed, short, mtu) <= octets_of(facts, speed, long, mtu)


@given(st.sampled_from((TH5, SP4, TH5_FIT, SP4_FIT)), SPEEDS, SPEEDS, LENGTHS, MTUS)
def test_a_faster_link_never_needs_less(facts: HeadroomFacts, one: int, two: int, length: float, mtu: int) -> None:
    slow, fast = sorted((one, two))
    assert octets_of(facts, slow, length, mtu) <= octets_of(facts, fast, length, mtu)


@given(FACTS, SPEEDS, LENGTHS, MTUS, MTUS)
def test_a_longer_frame_never_needs_less(facts: HeadroomFacts, speed: int, length: float, one: int, two: int) -> None:
    small, large = sorted((one, two))
    assert octets_of(facts, speed, length, small) <= octets_of(facts, speed, length, large)


@given(st.sampled_from((TH5, SP4, ARISTA_O128)), SPEEDS, LENGTHS, MTUS)
def test_never_below_a_published_row(facts: HeadroomFacts, speed: int, length: float, mtu: int) -> None:
    for row in facts.model_rows or facts.asic_rows:
        if row.speed_gbps <= speed and row.length_m <= length:
            assert octets_of(facts, speed, length, mtu) >= row.xoff_octets


@given(FACTS, SPEEDS, LENGTHS, MTUS)
def test_cells_hold_the_octets(facts: HeadroomFacts, speed: int, length: float, mtu: int) -> None:
    found = headroom(facts, speed_gbps=speed, length_m=length, mtu=mtu)
    assert found is not None
    assert found.cells is not None
    assert facts.cell_octets is not None
    assert (found.cells - 1) * facts.cell_octets < found.octets <= found.cells * facts.cell_octets


def test_every_formula_names_its_constants() -> None:
    assert {fit.formula: set(fit.constants) for fit in (TOMAHAWK_5, SPECTRUM_4)} == {
        name: set(formula.constants) for name, formula in FORMULAS.items()
    }
