"""The cable between two ends: copper where it reaches, else the shortest optics."""

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import Media
from fabricgen.plan.medium import named_media


@pytest.fixture(scope="module")
def media() -> Media:
    return load_catalog(None).media


LEAF = MediaEnd("osfp", 400, 2)
DGX = MediaEnd("osfp-rhs", 400, 2)
SUPERNIC = MediaEnd("qsfp112", 400, 1)
LANES_200G = MediaEnd("osfp", 800, 2)
"""A cage of 1.6T."""


@pytest.mark.parametrize(
    ("length", "kind", "near", "far", "watts"),
    [
        (2, "dac", "dac-osfp-to-2-qsfp112-400g", "dac-osfp-to-2-qsfp112-400g", 0.15),
        (3, "dac", "dac-osfp-to-2-qsfp112-400g", "dac-osfp-to-2-qsfp112-400g", 0.15),
        (3.1, "acc", "acc-osfp-to-2-qsfp112-400g", "acc-osfp-to-2-qsfp112-400g", 2.25),
        (5, "acc", "acc-osfp-to-2-qsfp112-400g", "acc-osfp-to-2-qsfp112-400g", 2.25),
        (5.1, "optic", "osfp-2x400g-sr4", "qsfp112-400g-sr4", 7.5 + 9),
        (50, "optic", "osfp-2x400g-sr4", "qsfp112-400g-sr4", 7.5 + 9),
        (51, "optic", "osfp-2x400g-dr4", "qsfp112-400g-dr4", 8.5 + 9),
        (100, "optic", "osfp-2x400g-dr4", "qsfp112-400g-dr4", 8.5 + 9),
    ],
)
def test_leaf_to_supernic(media: Media, length: float, kind: str, near: str, far: str, watts: float) -> None:
    choice = choose_cable(media, LEAF, SUPERNIC, length)
    assert choice is not None
    assert (choice.kind, choice.near.removesuffix("-100m"), choice.far, choice.watts) == (kind, near, far, watts)
    assert choice.reach_m >= length


def test_either_end_may_be_named_first(media: Media) -> None:
    there, back = choose_cable(media, LEAF, SUPERNIC, 30), choose_cable(media, SUPERNIC, LEAF, 30)
    assert there is not None
    assert back is not None
    assert (there.near, there.far) == (back.far, back.near)
    assert choose_cable(media, SUPERNIC, LEAF, 2) == choose_cable(media, LEAF, SUPERNIC, 2)


def test_a_straight_cable_needs_both_links_in_one_cage(media: Media) -> None:
    """The two ports of a DGX cage are on different rails: with a leaf a rail, one cable cannot carry both."""
    apart = choose_cable(media, LEAF, DGX, 2)
    together = choose_cable(media, LEAF, DGX, 2, shared=True)
    assert apart is not None
    assert together is not None
    assert (apart.kind, apart.near, apart.far) == ("optic", "osfp-2x400g-sr4", "osfp-rhs-2x400g-sr4")
    assert (together.kind, together.near, together.watts) == ("dac", "dac-osfp-to-osfp-rhs-2x400g", 0.1)


@pytest.mark.parametrize(
    ("near", "far", "length", "name"),
    [
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 2, "dac-osfp-800g"),
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 1000, "osfp-800g-xdr8"),
        (LEAF, LEAF, 400, "osfp-2x400g-dr4"),
        (LEAF, LEAF, 2000, "osfp-2x400g-fr4"),
        (MediaEnd("qsfp-dd", 400, 1), MediaEnd("qsfp-dd", 400, 1), 40, "qsfp-dd-400g-sr8"),
        (MediaEnd("qsfp-dd", 400, 1), MediaEnd("qsfp-dd", 400, 1), 450, "qsfp-dd-400g-dr4"),
        (MediaEnd("qsfp56", 200, 1), MediaEnd("qsfp112", 200, 1), 3, "dac-qsfp56-200g"),
        (MediaEnd("qsfp56", 200, 1), MediaEnd("qsfp56", 200, 1), 5, "qsfp56-200g-sr4"),
        (MediaEnd("qsfp56", 100, 1), MediaEnd("qsfp28", 100, 1), 5, "dac-qsfp28-100g"),
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 5, "osfp-2x400g-sr4"),
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 40, "osfp-2x400g-sr4"),
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 100, "osfp-2x400g-dr4-100m"),
        (MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 300, "osfp-2x400g-dr4"),
        (MediaEnd("qsfp-dd", 200, 2), MediaEnd("qsfp112", 200, 1), 5, "qsfp-dd-400g-sr8"),
        (MediaEnd("osfp", 200, 4), SUPERNIC._replace(speed_gbps=200), 3, "dac-osfp-to-4-qsfp112-200g"),
        (MediaEnd("osfp", 200, 4), SUPERNIC._replace(speed_gbps=200), 5, "acc-osfp-to-4-qsfp112-200g"),
        (MediaEnd("osfp", 200, 4), SUPERNIC._replace(speed_gbps=200), 40, "osfp-2x400g-sr4"),
        (MediaEnd("osfp", 200, 2), MediaEnd("qsfp56", 200, 1), 2, "dac-osfp-to-2-qsfp56-200g"),
        (MediaEnd("osfp", 100, 4), MediaEnd("qsfp56", 100, 1), 2, "dac-osfp-to-4-qsfp56-100g"),
        (MediaEnd("osfp", 100, 8), MediaEnd("qsfp28", 100, 1), 5, "osfp-2x400g-dr4"),
        (MediaEnd("qsfp-dd", 100, 4), MediaEnd("qsfp28", 100, 1), 5, "qsfp-dd-400g-dr4"),
        (MediaEnd("qsfp-dd", 100, 4), MediaEnd("qsfp56", 100, 1), 2, "dac-qsfp-dd-to-4-qsfp56-100g"),
        (MediaEnd("qsfp-dd", 400, 2), SUPERNIC, 2, "dac-qsfp-dd800-to-2-qsfp112-400g"),
        (MediaEnd("qsfp-dd", 400, 2), MediaEnd("osfp-rhs", 400, 1), 5, "qsfp-dd800-2x400g-sr4"),
        (MediaEnd("qsfp-dd", 800, 1), MediaEnd("qsfp-dd", 800, 1), 2, "dac-qsfp-dd800-800g"),
        (MediaEnd("qsfp-dd", 800, 1), MediaEnd("osfp-rhs", 800, 1), 100, "qsfp-dd800-2x400g-dr4"),
        (LANES_200G, MediaEnd("osfp-rhs", 800, 1), 2, "acc-osfp-to-2-osfp-rhs-800g"),
        (LANES_200G, MediaEnd("osfp-rhs", 800, 1), 2.1, "osfp-1600g-2xdr4"),
        (LANES_200G, LANES_200G, 500, "osfp-1600g-2xdr4"),
        (LANES_200G, MediaEnd("osfp-rhs", 800, 2), 500, "osfp-1600g-2xdr4"),
        (LANES_200G, LANES_200G, 501, "osfp-1600g-2xfr4"),
        (LEAF, LEAF, 2001, "osfp-2x400g-lr4"),
        (LEAF, MediaEnd("qsfp-dd", 400, 1), 10_000, "osfp-2x400g-lr4"),
        (MediaEnd("qsfp-dd", 400, 1), MediaEnd("qsfp-dd", 400, 1), 2001, "qsfp-dd-400g-lr4"),
        (MediaEnd("qsfp-dd", 100, 4), MediaEnd("qsfp28", 100, 1), 501, "qsfp-dd-4x100g-fr"),
        (MediaEnd("qsfp28", 100, 1), MediaEnd("qsfp28", 100, 1), 501, "qsfp28-100g-fr"),
        (MediaEnd("qsfp28", 100, 1), MediaEnd("qsfp28", 100, 1), 2001, "qsfp28-100g-lr"),
        (MediaEnd("qsfp28", 25, 4), MediaEnd("sfp28", 25, 1), 5, "dac-qsfp28-to-4-sfp28-25g"),
        (MediaEnd("sfp28", 25, 1), MediaEnd("sfp28", 25, 1), 5, "dac-sfp28-25g"),
        (MediaEnd("sfp28", 25, 1), MediaEnd("sfp28", 25, 1), 100, "sfp28-25g-sr"),
        (MediaEnd("sfp28", 10, 1), MediaEnd("sfp+", 10, 1), 5, "dac-sfp+-10g"),
        (MediaEnd("sfp+", 10, 1), MediaEnd("sfp+", 10, 1), 400, "sfp+-10g-sr"),
    ],
)
def test_other_pairs(media: Media, near: MediaEnd, far: MediaEnd, length: float, name: str) -> None:
    choice = choose_cable(media, near, far, length)
    assert choice is not None
    assert choice.near == name


@pytest.mark.parametrize(
    ("named", "near", "far", "length", "name"),
    [
        ("aec", LEAF, MediaEnd("osfp-rhs", 400, 1), 7, "aec-osfp-to-2-osfp-rhs-400g"),
        ("aec", LEAF, SUPERNIC, 7, "aec-osfp-to-2-qsfp112-400g"),
        ("aec", MediaEnd("osfp", 800, 1), MediaEnd("osfp", 800, 1), 7, "aec-osfp-800g"),
        ("aec-qsfp-dd-400g", MediaEnd("qsfp-dd", 400, 1), MediaEnd("qsfp-dd", 400, 1), 7, "aec-qsfp-dd-400g"),
        ("aoc", MediaEnd("osfp", 200, 2), MediaEnd("qsfp56", 200, 1), 30, "aoc-osfp-to-2-qsfp56-200g"),
    ],
)
def test_some_cables_are_used_where_they_are_named_alone(
    media: Media, named: str, near: MediaEnd, far: MediaEnd, length: float, name: str
) -> None:
    chosen = choose_cable(named_media(media, named), near, far, length)
    assert chosen is not None
    assert chosen.near == chosen.far == name
    assert choose_cable(named_media(media, named), near, far, length + 0.1) is None
    plain = choose_cable(named_media(media, ""), near, far, length)
    assert plain is None or plain.kind == "optic"


# Cages of the switches against each other and against the NICs: what joins them at 5 m and at 40 m.
QSFP_DD = MediaEnd("qsfp-dd", 400, 1)


@pytest.mark.parametrize(
    ("near", "far", "at_5", "at_40"),
    [
        (LEAF, MediaEnd("osfp-rhs", 400, 1), "acc-osfp-to-2-osfp-rhs-400g", "osfp-2x400g-sr4"),
        (LEAF, SUPERNIC, "acc-osfp-to-2-qsfp112-400g", "osfp-2x400g-sr4"),
        (MediaEnd("osfp-rhs", 400, 2), LEAF, "osfp-rhs-2x400g-sr4", "osfp-rhs-2x400g-sr4"),  # two planes, two leaves
        (MediaEnd("osfp-rhs", 200, 4), MediaEnd("osfp", 200, 4), "osfp-rhs-2x400g-sr4", "osfp-rhs-2x400g-sr4"),  # four
        (MediaEnd("osfp-rhs", 800, 1), MediaEnd("osfp", 800, 1), "osfp-rhs-2x400g-sr4", "osfp-rhs-2x400g-sr4"),  # one
        (QSFP_DD, QSFP_DD, "qsfp-dd-400g-sr8", "qsfp-dd-400g-sr8"),
        (QSFP_DD, SUPERNIC, "qsfp-dd-400g-dr4", "qsfp-dd-400g-dr4"),
        (QSFP_DD, MediaEnd("osfp-rhs", 400, 1), "qsfp-dd-400g-dr4", "qsfp-dd-400g-dr4"),
        (QSFP_DD, LEAF, "qsfp-dd-400g-dr4", "qsfp-dd-400g-dr4"),
    ],
)
def test_new_cages_are_joined(media: Media, near: MediaEnd, far: MediaEnd, at_5: str, at_40: str) -> None:
    found = [choose_cable(media, near, far, length) for length in (5, 40)]
    assert [choice.near if choice else None for choice in found] == [at_5, at_40]


def test_twin_module_of_two_planes_ends_in_two_switches(media: Media) -> None:
    """No copper: what is plugged into the NIC's cage splits, and each half ends in a cage of two links."""
    choice = choose_cable(media, MediaEnd("osfp-rhs", 400, 2), LEAF, 1)
    assert choice is not None
    assert (choice.near, choice.far, choice.watts) == ("osfp-rhs-2x400g-sr4", "osfp-2x400g-sr4", 15)


@pytest.mark.parametrize(
    ("near", "far", "length"),
    [
        (MediaEnd("osfp", 200, 4), MediaEnd("qsfp112", 200, 1), 101),
        (QSFP_DD, SUPERNIC, 101),
        (LEAF, SUPERNIC, 101),
        (LEAF, MediaEnd("qsfp112", 200, 1), 2),
        (LEAF, MediaEnd("sfp28", 25, 1), 2),
        (MediaEnd("osfp", 400, 1), MediaEnd("osfp", 400, 1), 2),
        (MediaEnd("qsfp28", 200, 1), MediaEnd("qsfp56", 200, 1), 2),
        (LEAF, LEAF, 10_001),
        (LANES_200G, MediaEnd("osfp", 800, 1), 2),
        (LANES_200G, LANES_200G, 2001),
    ],
)
def test_nothing_joins_them(media: Media, near: MediaEnd, far: MediaEnd, length: float) -> None:
    assert choose_cable(media, near, far, length) is None


def test_a_finned_module_does_not_fit_a_flat_cage(media: Media) -> None:
    names = {module.name for module in media.transceivers if module.connector == "osfp"}
    choice = choose_cable(media, DGX, LEAF, 40)
    assert choice is not None
    assert choice.near not in names
    assert choice.far in names


def test_passive_copper_comes_before_shorter_active_copper(media: Media) -> None:
    acc = next(cable for cable in media.copper if cable.kind == "acc" and cable.ends == ("osfp", "qsfp112"))
    shorter = media.model_copy(update={"copper": (acc.model_copy(update={"reach_m": 2}), *media.copper)})
    choice = choose_cable(shorter, LEAF, SUPERNIC, 1)
    assert choice is not None
    assert (choice.kind, choice.reach_m) == ("dac", 3)
