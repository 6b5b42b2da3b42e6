"""Headroom, ECN and balancing at their limits, with the limits taken from the sources' own numbers."""

from collections.abc import Sequence

import pytest

from fabricgen.checks.capacity.balancing import modes
from fabricgen.checks.catalogue import CHECKS, run_checks
from fabricgen.checks.engine.waivers import covers
from fabricgen.checks.lossless.lossless_switches import boxes, room_of, vendor_ratio
from fabricgen.checks.lossless.marking import fitting
from fabricgen.errors import Problem
from fabricgen.intent.waivers import Waiver
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from tests.checks.intents import as_built, catalog, codes, only, plan, with_asic, with_nics, with_switch

ROCE = "fabrics.backend.roce"


def test_the_makers_own_table_is_its_own_limit() -> None:
    """Arista's 128 x 400G of the 7060X6-64PE: 128 rows of 612,140 octets over a pool of 29,423,360 are 2.663:1."""
    box = next(boxes(plan()))
    assert vendor_ratio(box, [*box.links]) == pytest.approx(128 * 612_140 / 29_423_360)
    room = room_of(box)
    assert room is not None
    assert round(room.allowed, 2) == 2.66


@pytest.mark.parametrize("octets", [(2_000_000, 2_500_000), (2_000_000, 2_000_000)])
def test_rows_of_a_users_file_do_not_raise_their_own_limit(octets: tuple[int, int]) -> None:
    """The allowed ratio is that of Arista's table, 2.66, whatever rows the user writes over it."""
    ours = catalog().switches["arista-7060x6-64pe"].headroom
    own = dict(zip((40, 150), octets, strict=True))
    rows = tuple(
        row.model_copy(update={"xoff_octets": own[row.length_m]})
        if row.speed_gbps == 400 and row.length_m in own
        else row
        for row in ours
    )
    assert rows != ours
    room = room_of(next(boxes(plan(hardware=with_switch(headroom=rows)))))
    assert room is not None
    assert round(room.allowed, 2) == 2.66


def test_a_longer_row_of_a_users_file_is_not_the_vendors_word() -> None:
    """Arista publishes nothing past 150 m: with a row of the user for 300 m the limit is the default, 2."""
    ours = catalog().switches["arista-7060x6-64pe"].headroom
    own = ours[0].model_copy(update={"speed_gbps": 400, "length_m": 300, "xoff_octets": 700_000})
    longer = plan({"cables.default.leaf_spine": 300}, hardware=with_switch(headroom=(*ours, own)))
    room = room_of(next(boxes(longer)))
    assert room is not None
    assert room.allowed == 2


def test_a_chip_without_a_table_of_the_model_is_held_to_two() -> None:
    """The same rows over the chip's own pool: 78,353,920 of 33,374,584 octets are 2.35:1."""
    problem = only(plan(hardware=with_switch(headroom_pool_octets=None)))
    assert problem.code == "headroom-pool"
    assert problem.why == (
        "headroom needs 78,353,920 bytes, 2.35 times the pool of 33,374,584 bytes; up to 2.00 times is allowed, as not "
        "all ports pause at once; each of the 128 ports gets 612,140 bytes, for the longest cable of the switch "
        "(40 m)"
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


def test_a_cable_that_is_too_long_is_said_at_its_length_with_the_longest_that_fits() -> None:
    """Waivers of the fabric and of its leaves still cover it."""
    problem = only(plan({"cables.default.leaf_spine": 4000}))
    assert (problem.code, problem.where) == ("headroom-pool", ("cables", "default", "leaf_spine"))
    assert problem.why.endswith(
        "up to 2.00 times is allowed, as not all ports pause at once (the vendor's own headroom table would allow "
        "2.66 times, but has no value for 4000 m of cable); each of the 128 ports gets 6,652,260 bytes, for the "
        "longest cable of the switch (4000 m)"
    )
    assert problem.fix == "write cables.default.leaf_spine: 150 or less"
    for where in ("cables", "fabrics.backend", "fabrics.backend.leaf", "fabrics.backend.leaf.model"):
        assert covers(Waiver(code="headroom-pool", where=where, reason="measured"), problem)


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


@pytest.mark.parametrize(
    "edits",
    [
        {f"{ROCE}.ecn": "juniper"},
        {f"{ROCE}.ecn": "juniper", f"{ROCE}.marking": "nosuch"},
        {"overrides": {"be-leaf-000": {"roce": {"ecn": "nosuch"}}}},
    ],
)
def test_an_unknown_profile_is_a_problem_with_the_known_ones(edits: dict[str, object]) -> None:
    made = plan(edits)
    found = run_checks(with_exceptions(made, resolve_inputs(made.intent, made.fabrics)))
    assert {problem.code for problem in found} == {"unknown-profile"}
    assert any("juniper-th4" in problem.fix for problem in found)


def test_unequal_cables_add_to_the_skew() -> None:
    """A cable of 140 m among 40 m ones is 2 x 100 m longer there and back through the spine: about one microsecond."""
    long = as_built({("be-leaf-000", "Ethernet33/1"): 140.0})
    assert codes(plan(ecn(150_000, 3_190_000))) == []
    assert codes(plan(ecn(150_000, 3_190_000), exceptions=long)) == ["flowlet-gap"]
    assert codes(plan({**ecn(150_000, 3_190_000), "fabrics.backend.load_balancing": "ecmp"}, exceptions=long)) == []


def test_as_built_headroom_is_counted_as_it_is_rendered() -> None:
    """EOS has one headroom for the whole switch: one cable of 2,000 m gives that of 2,000 m to all of its ports."""
    leaf, spine = run_checks(plan(exceptions=as_built({("be-leaf-000", "Ethernet33/1"): 2000.0})))
    assert {leaf.code, spine.code} == {"cable-headroom"}
    assert leaf.where == ("cables", "file")
    assert leaf.what == (
        "headroom for the cable lengths does not fit the buffer on 1 of 4 leaf switches of backend, first be-leaf-000"
    )
    assert "on 1 of 4 spine switches of backend, first be-spine-00" in spine.what
    assert leaf.why.startswith(
        "headroom needs 464,433,920 bytes, 15.78 times the pool of 29,423,360 bytes; up to 2.00 times is allowed"
    )
    assert leaf.fix == "shorten the cables, or accept it with fabrics.backend.roce.headroom_overcommit: 15.79"
    assert 464433920 % 128 == 0
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


SN4700 = {"model": "nvidia-sn4700", "os": "sonic-202505"}
NVIDIA = {
    "fabrics.backend.leaf": SN4700,
    "fabrics.backend.spine": SN4700,
    "fabrics.backend.topology": {"design": "tor", "servers_per_unit": 2, "spines": {"now": 2, "planned": 2}},
    "servers.train": {"model": "dgx-h100", "slots": "0-3", "planned": 4},
    "fabrics.backend.load_balancing": "ecmp",
    f"{ROCE}.headroom_overcommit": 16,
}


def test_cables_of_a_file_take_the_headroom_that_the_switch_computes() -> None:
    """Spectrum-3 at 400G and 1,500 m: three octets of buffer for each that arrives, 2 x 1,500 m of cable among them.

    sonic-swss 18913fa, cfgmgr/buffer_headroom_mellanox.lua: 2 x 1,500 m x 400 Gb/s / 198,000 km/s are 757,576 octets,
    which are 2,272,728 in smallest packets. The planned rows have half of that, and fit.
    """
    uplinks = as_built({("be-leaf-000", f"Ethernet{8 * cage}"): 1500.0 for cage in range(32)})
    (problem, *_) = cable_headroom(uplinks)
    needed = int(problem.why.split("the headroom of all ports, ")[1].split()[0])
    assert needed > 60_817_392 > 32 * 358_400 * 5
    assert 32 * (2_272_728 + 3 * (905 * 64 + 819 + 9_100)) < needed < 32 * 2_700_000
    assert problem.fix == "shorten the cables, or choose a model with a larger buffer"
    shorter = as_built({("be-leaf-000", f"Ethernet{8 * cage}"): 300.0 for cage in range(32)})
    assert cable_headroom(shorter) == []


def cable_headroom(cables: Exceptions) -> list[Problem]:
    """What the switches say of a cable file; the rest of the demo is not NVIDIA's."""
    check = next(check for check in CHECKS if "cable-headroom" in check.codes)
    return [one for one in check.run(plan(NVIDIA, exceptions=cables)) if one.code == "cable-headroom"]


def test_headroom_that_overrides_give_is_counted_too() -> None:
    """EOS has one headroom for the switch: 2,000,000 octets of one port are 256,000,000 of 128."""
    own = plan(
        {"overrides": {"be-leaf-003/Ethernet1/1": {"headroom_octets": 2_000_000}}},
    )
    leaf, *others = run_checks(with_exceptions(own, resolve_inputs(own.intent, own.fabrics)))
    assert (leaf.code, others) == ("cable-headroom", [])
    assert leaf.where == ("overrides", "be-leaf-003/Ethernet1/1", "headroom_octets")
    assert leaf.why.startswith("headroom needs 256,000,000 bytes, 8.70 times the pool of 29,423,360 bytes")


def test_a_buffer_that_headroom_takes_whole_is_told_and_not_what_follows_from_it() -> None:
    """Thresholds would be held against a limit below nothing."""
    found = list(run_checks(plan(hardware=with_asic(buffer_octets=1_000_000))))
    assert {problem.code for problem in found} == {"buffer"}


@pytest.mark.parametrize(("rails", "expected"), [(range(8), []), ((0, 1, 2, 3, 4, 5, 6, 9), ["rail-leaf"])])
def test_a_rail_that_no_port_has_is_told(rails: Sequence[int], expected: list[str]) -> None:
    """Rail 9 with none of rails 7 and 8: leaves of ten rails would be planned for eight."""
    ports = catalog().servers["dgx-h100"].nics["compute"].ports
    nics = tuple(port.model_copy(update={"rail": rail}) for port, rail in zip(ports, rails, strict=True))
    assert codes(plan(hardware=with_nics(ports=nics))) == expected
