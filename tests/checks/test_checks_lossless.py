"""Headroom, ECN and balancing at their limits, with the limits taken from the sources' own numbers."""

import pytest

from fabricgen.checks.balancing import modes
from fabricgen.checks.lossless import boxes, overcommit, vendor_ratio
from fabricgen.checks.marking import fitting
from tests.checks.intents import as_built, codes, only, plan, with_asic, with_nics, with_switch

ROCE = "fabrics.backend.roce"


def test_the_makers_own_table_is_its_own_limit() -> None:
    """Arista's 128 x 400G of the 7060X6-64PE: 128 rows of 612,140 octets over a pool of 29,423,360 are 2.663:1."""
    box = next(boxes(plan()))
    assert vendor_ratio(box) == pytest.approx(128 * 612_140 / 29_423_360)
    assert round(overcommit(box), 2) == 2.66


def test_a_chip_without_a_table_of_the_model_is_held_to_two() -> None:
    """The same rows over the chip's own pool: 78,353,920 of 33,374,584 octets are 2.35:1."""
    problem = only(plan(hardware=with_switch(headroom_pool_octets=None)))
    assert problem.code == "headroom-pool"
    assert problem.why == (
        "headroom 78353920 is 2.35 times the pool of 33374584 octets; up to 2 is allowed, as not all ports pause at "
        "once"
    )


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({"cables.default.leaf_spine": 150}, []),
        ({"cables.default.leaf_spine": 151}, ["headroom-pool"]),  # past the table nobody has said 2.66
        ({"cables.default.leaf_spine": 151, f"{ROCE}.headroom_overcommit": 4}, []),
        ({f"{ROCE}.headroom_overcommit": 2.67}, []),
        ({f"{ROCE}.headroom_overcommit": 2.66}, ["headroom-pool"]),
        ({"fabrics.backend.transport": "best-effort", f"{ROCE}.headroom_overcommit": 1}, []),
    ],
)
def test_headroom_limit(edits: dict[str, object], expected: list[str]) -> None:
    assert codes(plan(edits)) == expected


def ecn(minimum: int, maximum: int) -> dict[str, object]:
    return {f"{ROCE}.ecn": {"minimum_octets": minimum, "maximum_octets": maximum, "probability_percent": 10}}


@pytest.mark.parametrize(
    ("minimum", "maximum", "expected"),
    [
        # 166,115,492 octets without a pool of 29,423,360, over 2 x 127 egress ports of a leaf: 538,158. EOS has kbytes.
        (538_999, 1_000_000, []),
        (539_000, 1_000_000, ["ecn-after-pfc"]),
        # Four frames of 9,214 octets are 36,856: 36 kbytes are less.
        (37_000, 1_000_000, []),
        (36_999, 1_000_000, ["ecn-thresholds"]),
        (150_000, 150_000, ["ecn-thresholds"]),
        # Two hops of 3.2 MB at 50,000 octets a microsecond are 128 us, the flowlet gap.
        (150_000, 3_199_999, []),
        (150_000, 3_200_000, ["flowlet-gap"]),
    ],
)
def test_ecn_limits(minimum: int, maximum: int, expected: list[str]) -> None:
    assert codes(plan(ecn(minimum, maximum))) == expected


def test_unequal_cables_add_to_the_skew() -> None:
    """A cable of 140 m among 40 m ones is 2 x 100 m longer there and back through the spine: about one microsecond."""
    long = as_built({("be-leaf-000", "Ethernet33/1"): 140.0})
    assert codes(plan(ecn(150_000, 3_190_000))) == []
    assert codes(plan(ecn(150_000, 3_190_000), exceptions=long)) == ["flowlet-gap"]
    assert codes(plan({**ecn(150_000, 3_190_000), "fabrics.backend.load_balancing": "ecmp"}, exceptions=long)) == []


def test_as_built_headroom_is_counted_cable_by_cable() -> None:
    problem = only(plan(exceptions=as_built({("be-leaf-000", "Ethernet33/1"): 2000.0})))
    assert problem.code == "cable-headroom"
    assert problem.where == ("cables", "file")
    assert problem.what == (
        "headroom over the cables has no room on 1 of 4 leaf switches of backend, first be-leaf-000"
    )
    within = as_built({("be-leaf-000", "Ethernet33/1"): 149.0})
    assert codes(plan(exceptions=within)) == []


@pytest.mark.parametrize(
    ("vendor", "marking", "expected"),
    [
        ("nvidia", "nvidia", []),
        ("nvidia", "arista", []),  # DSCP 26 and 48 are in both
        ("nvidia", "amd-pollara", ["nic-marking"]),
        ("broadcom", "nvidia", []),
        ("broadcom", "broadcom", ["cnp-with-control"]),
        ("amd", "amd-pollara", []),
        ("amd", "amd-10-46", []),
        ("amd", "azure", ["nic-marking"]),
        ("intel", "azure", []),
    ],
)
def test_marks_follow_the_nic(vendor: str, marking: str, expected: list[str]) -> None:
    made = plan({f"{ROCE}.marking": marking}, hardware=with_nics(vendor=vendor))
    assert codes(made) == expected


def test_remedy_names_plans_that_pass() -> None:
    for vendor in ("nvidia", "broadcom", "amd", "intel"):
        hardware = with_nics(vendor=vendor)
        names = fitting(plan(hardware=hardware).fabrics["backend"])
        assert names
        for name in names:
            assert codes(plan({f"{ROCE}.marking": name}, hardware=hardware)) == []


@pytest.mark.parametrize(("width", "expected"), [(64, []), (63, ["ecmp-width"]), (None, [])])
def test_ecmp_width(width: int | None, expected: list[str]) -> None:
    assert codes(plan(hardware=with_asic(ecmp_width=width))) == expected


@pytest.mark.parametrize(("reorder", "expected"), [(True, []), (False, ["balancing-mode"])])
def test_spraying_needs_nics_that_reorder(reorder: bool, expected: list[str]) -> None:
    made = plan({"fabrics.backend.load_balancing": "dlb-per-packet"}, hardware=with_nics(reorder=reorder))
    assert [problem.code for problem in modes(made)] == expected
    for problem in modes(made):
        assert "train (compute of dgx-h100)" in problem.why
        assert problem.fix.startswith("write load_balancing: ecmp; ")
        assert "reorder: true under nics.compute in your own hardware file for dgx-h100" in problem.fix
