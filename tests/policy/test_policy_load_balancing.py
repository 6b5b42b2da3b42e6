"""Load-balancing rules: flowlet tables as published, and each constraint broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.policy.load_balancing import (
    DLB_GROUPS,
    FLOW_SETS,
    FLOWLET_GAP_US,
    HASH_FIELDS,
    ecmp_faults,
    flow_set,
    flowlet_faults,
    global_faults,
    group_faults,
    hash_seed,
    link_short,
    mode_faults,
    path_skew_us,
    seed_faults,
)


def test_flow_sets_are_as_published() -> None:
    published = {1: (128, 256), 2: (64, 512), 3: (32, 1024), 4: (16, 2048)}
    published |= {5: (8, 4096), 6: (4, 8192), 7: (2, 16384)}
    assert {flows.size: (flows.groups, flows.flows) for flows in FLOW_SETS} == published
    assert {flows.groups * flows.flows for flows in FLOW_SETS} == {32_768}
    assert max(flows.groups for flows in FLOW_SETS) == DLB_GROUPS


@given(st.integers(min_value=1, max_value=128))
def test_the_flow_set_fits_and_is_the_largest(groups: int) -> None:
    chosen = flow_set(groups)
    assert chosen is not None
    assert chosen.groups >= groups
    assert all(other.groups < groups for other in FLOW_SETS if other.flows > chosen.flows)


def test_too_many_groups_have_no_flow_set() -> None:
    assert flow_set(129) is None
    assert group_faults(128, DLB_GROUPS) == ()
    assert "129 ECMP groups" in group_faults(129, DLB_GROUPS)[0]


def test_tiers_have_their_own_seed() -> None:
    seeds = tuple(hash_seed(tier) for tier in range(3))
    assert seed_faults(seeds) == ()
    assert seed_faults((1, 2, 1)) == (
        "two tiers share a hash seed (1, 2, 1): the second repeats the first one's choice",
    )


def test_the_hash_reads_the_five_tuple() -> None:
    assert len(set(HASH_FIELDS)) == 5


@pytest.mark.parametrize(
    ("mode", "supported", "reorder", "words"),
    [
        ("ecmp", ("ecmp",), False, None),
        ("dlb-flowlet", ("ecmp", "dlb-flowlet"), False, None),
        ("dlb-per-packet", ("dlb-per-packet",), True, None),
        ("dlb-per-packet", ("dlb-per-packet",), False, "out of order"),
        ("dlb-flowlet", ("ecmp",), True, "not what the chip can do: ecmp"),
        ("ecmp", (), True, "not what the chip can do: none"),
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


@pytest.mark.parametrize(
    ("tiers", "leaves", "links", "overlay", "words"),
    [
        (2, 64, 1, False, None),
        (3, 64, 1, False, "2 tiers, not 3"),
        (2, 65, 1, False, "64 leaves, not 65"),
        (2, 64, 2, False, "one link between two devices, not 2"),
        (2, 64, 1, True, "overlay"),
    ],
)
def test_global_load_balancing(tiers: int, leaves: int, links: int, overlay: bool, words: str | None) -> None:
    found = global_faults(tiers=tiers, leaves=leaves, links_per_pair=links, overlay=overlay)
    assert len(found) == (words is not None)
    assert words is None or words in found[0]


def test_half_of_a_pair_is_half_of_its_share() -> None:
    """Two links to each of four spines, one lost: an eighth of the leaf's traffic has no room."""
    assert "1/4 of what is for the lower one" in link_short(2, 4)
    assert "1 of 2 links are left: up to 1/8 of its traffic" in link_short(2, 4)
