"""ECN profiles against published thresholds, the formula against its table, and each invariant broken."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.policy.ecn import (
    ECN_PROFILE_BY_NAME,
    ECN_PROFILES,
    Ecn,
    Marked,
    base_bdp_octets,
    ecn_before_pfc_faults,
    ecn_faults,
    kmin_limit_octets,
    thresholds_of,
)

LIMIT = 66_000_000
GOOD = Ecn(minimum_octets=150_000, maximum_octets=600_000, probability_percent=20, source="test")
SHARED = 132_000_000  # Tomahawk 5: 165 MB without 33 MB of headroom


def thresholds(
    profile: str, speed: int, *, tiers: int = 2, role: str = "leaf", limit: int = LIMIT, nic: str = "amd"
) -> tuple[int, int, int]:
    found = thresholds_of(profile, Marked(speed, role, tiers, nic, limit))
    assert found is not None
    return found.minimum_octets, found.maximum_octets, found.probability_percent


@pytest.mark.parametrize(
    ("profile", "speed", "role", "published"),
    [
        ("nvidia", 400, "leaf", (150_000, 1_500_000, 100)),
        ("nvidia", 800, "spine", (150_000, 1_500_000, 100)),
        ("cisco-100", 100, "leaf", (150_000, 3_000_000, 7)),
        ("cisco-400", 400, "leaf", (950_000, 3_000_000, 7)),
        ("arista-guide", 400, "leaf", (256_000, 512_000, 100)),
        ("arista-guide", 100, "spine", (512_000, 768_000, 100)),
        ("azure-th5", 400, "leaf", (131_072, 262_144, 5)),
        ("azure-generic", 100, "leaf", (1_048_576, 2_097_152, 5)),
        ("amd-dell", 400, "leaf", (2_048_000, 12_480_000, 15)),
        ("juniper-th5", 400, "leaf", (36_300_000, 59_400_000, 100)),
    ],
)
def test_profiles_are_as_published(profile: str, speed: int, role: str, published: tuple[int, int, int]) -> None:
    assert thresholds(profile, speed, role=role) == published


def test_a_speed_without_a_row_has_no_thresholds() -> None:
    for profile, speed in (("cisco-400", 100), ("arista-guide", 800), ("azure-th5", 100), ("amd-dell", 800)):
        assert thresholds_of(profile, Marked(speed, "leaf", 2, "nvidia", LIMIT)) is None


@pytest.mark.parametrize(
    ("speed", "tiers", "minimum"),
    [
        (100, 2, 150_000),
        (200, 2, 150_000),
        (200, 3, 150_000),
        (400, 2, 150_000),
        (400, 3, 210_000),
        (800, 2, 280_000),
        (800, 3, 420_000),
    ],
)
def test_the_formula_gives_the_values_of_its_table(speed: int, tiers: int, minimum: int) -> None:
    assert thresholds("formula", speed, tiers=tiers) == (minimum, 4 * minimum, 20)


def test_the_formula_follows_the_nic_and_the_queue_limit() -> None:
    assert thresholds("formula", 400, nic="nvidia") == (150_000, 600_000, 100)
    assert thresholds("formula", 400, limit=1_000_000) == (150_000, 500_000, 20)
    assert base_bdp_octets(400, 2) == 400_000
    with pytest.raises(KeyError):
        base_bdp_octets(400, 4)
    with pytest.raises(KeyError):
        thresholds("guess", 400)


def test_the_source_says_which_one_was_used() -> None:
    for profile in ECN_PROFILES:
        row = profile.rows[0]
        found = thresholds_of(profile.name, Marked(row.speed_gbps or 400, row.role or "leaf", 2, "amd", LIMIT))
        assert found is not None
        assert found.source.startswith(f"{profile.name}: ")
        assert found.unsure == profile.name.startswith("juniper-")
    formula = thresholds_of("formula", Marked(400, "leaf", 2, "amd", LIMIT))
    assert formula is not None
    assert formula.unsure
    assert len(ECN_PROFILE_BY_NAME) == len(ECN_PROFILES)


def test_published_profiles_hold_the_invariants_on_their_own_chip() -> None:
    for profile in ECN_PROFILES:
        for row in profile.rows:
            minimum, maximum, percent = thresholds(profile.name, row.speed_gbps or 400, role=row.role or "leaf")
            assert ecn_faults(Ecn(minimum, maximum, percent, "test"), queue_limit_octets=LIMIT, mtu=9216) == ()


@pytest.mark.parametrize(
    ("ecn", "limit", "words"),
    [
        (GOOD._replace(maximum_octets=150_000), LIMIT, "Kmin 150000 is not below Kmax 150000, in octets"),
        (GOOD, 600_000, "Kmax 600000 is not below the queue limit 600000, in octets"),
        (GOOD._replace(minimum_octets=36_863), LIMIT, "Kmin 36863 is below 4 frames of 9216, in octets"),
        (GOOD._replace(probability_percent=0), LIMIT, "probability 0 %"),
        (GOOD._replace(probability_percent=101), LIMIT, "probability 101 %"),
    ],
)
def test_each_invariant_is_tripped(ecn: Ecn, limit: int, words: str) -> None:
    (why,) = ecn_faults(ecn, queue_limit_octets=limit, mtu=9216)
    assert words in why


def test_a_formula_squeezed_by_a_small_queue_is_a_fault() -> None:
    minimum, maximum, percent = thresholds("formula", 400, limit=200_000)
    assert ecn_faults(Ecn(minimum, maximum, percent, "test"), queue_limit_octets=200_000, mtu=9216)


def test_marking_comes_before_pausing() -> None:
    limit = kmin_limit_octets(shared_octets=SHARED, alpha=Fraction(1), fan_out=64)
    assert limit == 1_031_250  # 132 MB / 128: the published 1.03 MB
    assert ecn_before_pfc_faults(GOOD, shared_octets=SHARED, alpha=Fraction(1), fan_out=64) == ()
    at_limit = GOOD._replace(minimum_octets=1_031_250)
    (why,) = ecn_before_pfc_faults(at_limit, shared_octets=SHARED, alpha=Fraction(1), fan_out=64)
    assert "the queues of 64 others: PFC then pauses that port once each of these queues holds 1,031,250 bytes" in why
    assert why.endswith("before ECN marking starts at 1,031,250 bytes (Kmin)")
    # 2 MB passes to a fan-out of about 32.
    two = GOOD._replace(minimum_octets=2_000_000)
    assert ecn_before_pfc_faults(two, shared_octets=SHARED, alpha=Fraction(1), fan_out=32) == ()
    assert ecn_before_pfc_faults(two, shared_octets=SHARED, alpha=Fraction(1), fan_out=34)


@given(
    st.integers(min_value=1, max_value=10**9),
    st.fractions(min_value=Fraction(1, 128), max_value=8),
    st.integers(min_value=1, max_value=128),
)
def test_the_limit_is_the_balance_of_the_paper(shared: int, alpha: Fraction, fan_out: int) -> None:
    kmin = kmin_limit_octets(shared_octets=shared, alpha=alpha, fan_out=fan_out)
    assert alpha * (shared - fan_out * kmin) == fan_out * kmin


@given(st.sampled_from((100, 200, 400, 800)), st.sampled_from((2, 3)), st.integers(600_001, 10**8))
def test_the_formula_keeps_its_own_invariants(speed: int, tiers: int, limit: int) -> None:
    minimum, maximum, _ = thresholds("formula", speed, tiers=tiers, limit=limit)
    assert minimum >= 150_000
    assert maximum <= min(4 * minimum, limit / 2)
