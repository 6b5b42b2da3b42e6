"""Load-balancing rules: flowlet gaps as published, and each constraint broken."""

import pytest

from fabricgen.plan.place import Tier
from fabricgen.policy.load_balancing import (
    DLB_GROUPS,
    FLOWLET_GAP_US,
    ecmp_faults,
    flowlet_faults,
    group_faults,
    link_short,
    mode_faults,
    path_skew_us,
    seed_faults,
)
from fabricgen.resolve.qos import HASH_SEEDS


def test_the_chip_balances_so_many_groups() -> None:
    assert group_faults(128, DLB_GROUPS) == ()
    assert "129 ECMP groups" in group_faults(129, DLB_GROUPS)[0]


def test_tiers_have_their_own_seed() -> None:
    seeds = tuple(HASH_SEEDS[tier] for tier in (Tier.LEAF, Tier.SPINE, Tier.SUPERSPINE))
    assert seed_faults(seeds) == ()
    assert seed_faults((1, 2, 1)) == (
        "two tiers share a hash seed (1, 2, 1): the second repeats the first one's choice",
    )


@pytest.mark.parametrize(
    ("mode", "supported", "reorder", "words"),
    [
        ("ecmp", ("ecmp",), False, None),
        ("dlb-flowlet", ("ecmp", "dlb-flowlet"), False, None),
        ("dlb-per-packet", ("dlb-per-packet",), True, None),
        ("dlb-per-packet", ("dlb-per-packet",), False, "out of order"),
        ("dlb-flowlet", ("ecmp",), True, "it supports ecmp"),
        ("dlb-global", ("ecmp", "dlb-flowlet"), False, None),
        ("dlb-global", ("ecmp",), True, "it supports ecmp"),
        ("ecmp-queue-pair", ("ecmp",), False, None),
        ("ecmp", (), True, "it supports none"),
    ],
)
def test_modes(mode: str, supported: tuple[str, ...], reorder: bool, words: str | None) -> None:
    found = mode_faults(mode, supported=supported, nic_reorder=reorder)
    if words is None:
        assert found == ()
    else:
        assert len(found) == 1
        assert words in found[0]


def test_the_gap_must_exceed_the_skew() -> None:
    # 400G, three queues at 600 kB: 12 us each; 198 m more of fibre: 1 us.
    skew = path_skew_us(shortest_m=2, longest_m=200, hops=3, kmax_octets=600_000, speed_gbps=400)
    assert skew == pytest.approx(37)
    assert flowlet_faults(FLOWLET_GAP_US, skew) == ()
    assert flowlet_faults(37, 37.0)
    assert "16 us is not above" in flowlet_faults(16, skew)[0]


def test_groups_fit_the_chip() -> None:
    assert ecmp_faults(64, 64) == ()
    assert ecmp_faults(65, None) == ()
    assert ecmp_faults(65, 64) == ("65 equal-cost paths, but a group of the chip holds 64",)


def test_half_of_a_pair_is_half_of_its_share() -> None:
    """Two links to each of four spines, one lost: an eighth of the leaf's traffic has no room."""
    said = link_short(2, 4, "leaf", "spine", lossless=True)
    assert "the spine still receives 1/4 of the traffic for the leaf, and has only 1 of 2 links to it" in said
    assert "up to 1/8 of the traffic for the leaf does not fit, and is paused by PFC or dropped" in said
