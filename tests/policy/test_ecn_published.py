"""The maker's thresholds as a default: which box gets which, the formula on boxes of many ports, and no dead ends."""

from fractions import Fraction

import pytest

from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.policy.ecn import (
    ECN_PROFILE_BY_NAME,
    FORMULA,
    Marked,
    ecn_before_pfc_faults,
    formula_thresholds,
    kmin_limit_octets,
    published_or_formula,
    thresholds_of,
)

SHARED = 132_000_000


def queue(speed: int = 400, role: str = "leaf", ports: int = 127) -> Marked:
    limit = int(kmin_limit_octets(shared_octets=SHARED, alpha=Fraction(1), fan_out=ports))
    return Marked(
        speed_gbps=speed,
        role=role,
        tiers=2,
        nic_vendor="nvidia",
        queue_limit_octets=SHARED // 2,
        pfc_limit_octets=limit,
    )


@pytest.mark.parametrize(
    ("system", "asic", "speed", "role", "published"),
    [
        # Arista's guide, 256 and 512 KB on a leaf, 512 and 768 KB on a spine.
        ("eos", "tomahawk5", 400, "leaf", (256_000, 512_000, 100)),
        ("eos", "tomahawk5", 400, "spine", (512_000, 768_000, 100)),
        # Cisco Nexus Dashboard, by speed.
        ("nxos", "cloudscale-gx2a", 100, "leaf", (150_000, 3_000_000, 7)),
        ("nxos", "cloudscale-gx2a", 400, "spine", (950_000, 3_000_000, 7)),
        # Juniper, fill levels of 66,000,000 octets: 55 and 90 %, and 20 and 60 % on the older chip.
        ("junos", "tomahawk5", 800, "spine", (36_300_000, 59_400_000, 100)),
        ("junos", "tomahawk4", 400, "leaf", (13_200_000, 39_600_000, 100)),
        # NVIDIA, any speed; the template of SONiC's own boxes.
        ("cumulus", "spectrum4", 800, "leaf", (150_000, 1_500_000, 100)),
        ("sonic", "tomahawk4", 400, "leaf", (1_048_576, 2_097_152, 5)),
    ],
)
def test_a_box_gets_what_its_maker_publishes(
    system: str, asic: str, speed: int, role: str, published: tuple[int, int, int]
) -> None:
    found = published_or_formula(PLATFORMS[system].published_ecn(asic), queue(speed, role))
    assert (found.minimum_octets, found.maximum_octets, found.probability_percent) == published


@pytest.mark.parametrize(
    ("system", "asic", "speed", "why"),
    [
        ("eos", "tomahawk5", 800, "no published row for 800G is known: arista-guide has none"),
        ("nxos", "silicon-one-g200", 800, "no published row for 800G is known: cisco-100, cisco-400 have none"),
        (
            "srlinux",
            "tomahawk5",
            400,
            ("no thresholds published by the vendor are known for this switch and operating system"),
        ),
    ],
)
def test_the_formula_is_in_force_where_nothing_is_published(system: str, asic: str, speed: int, why: str) -> None:
    found = published_or_formula(PLATFORMS[system].published_ecn(asic), queue(speed))
    formula = formula_thresholds(queue(speed))
    assert found == formula._replace(source=f"{formula.source}; {why}")
    assert found.unsure


@pytest.mark.parametrize("ports", [31, 127, 511, 1023])
@pytest.mark.parametrize("speed", [100, 200, 400, 800])
def test_the_formula_leaves_room_for_every_port(speed: int, ports: int) -> None:
    found = formula_thresholds(queue(speed, ports=ports))
    assert ecn_before_pfc_faults(found, shared_octets=SHARED, alpha=Fraction(1), fan_out=ports) == ()
    assert found.minimum_octets < found.maximum_octets


def test_the_formula_of_few_ports_is_as_it_was() -> None:
    found = formula_thresholds(queue(400, ports=127))
    assert (found.minimum_octets, found.maximum_octets) == (150_000, 600_000)
    # 132 MB by 2 x 511 ports are 129,158 octets, of which 90 %, in whole kbytes.
    crowded = formula_thresholds(queue(400, ports=511))
    assert (crowded.minimum_octets, crowded.maximum_octets) == (116_000, 464_000)


def test_every_published_profile_is_known() -> None:
    for system in ADAPTERS:
        for choice in PLATFORMS[system].ecn:
            assert choice.profile in ECN_PROFILE_BY_NAME
            assert choice.profile != FORMULA
            assert any(thresholds_of(choice.profile, queue(speed)) for speed in (100, 200, 400, 800))
