"""Blast radius in three tiers, counted by hand: 8 cables of 400G leaf to spine, 16 of 400G spine to superspine."""

from fractions import Fraction

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.blast import Radius
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.plan.fabric import place_of
from tests.resolve import tiers

PLAN = tiers.three_tiers()
DEVICE = DeviceChange("device", ChangeOp.CHANGED, "", "", "")


def bisection(*found: tuple[str, DeviceChange]) -> Fraction:
    fabric = PLAN.fabrics["backend"]
    changed = [
        ChangedSwitch(name, "backend", "", "eos", place_of(fabric, name), place_of(fabric, name), (fact,))
        for name, fact in found
    ]
    return Radius(PLAN, PLAN).of(changed).bisection["backend"]


def port(name: str) -> DeviceChange:
    return DeviceChange("interface.mtu", ChangeOp.CHANGED, name, "9214", "9000", name, "somebody")


@pytest.mark.parametrize(
    ("found", "share"),
    [
        ((("be-leaf-000", DEVICE),), Fraction(2, 8)),
        ((("be-spine-00", DEVICE),), Fraction(1, 4)),  # 2 of 8 below, 4 of 16 above
        ((("be-super-00", DEVICE),), Fraction(4, 16)),
        ((("be-super-00", DEVICE), ("be-spine-00", DEVICE)), Fraction(4 + 2, 16)),  # they share two cables
        ((("be-spine-00", port("Ethernet3/1")),), Fraction(1, 16)),
        ((("be-spine-00", port("Ethernet1/1")),), Fraction(1, 8)),
        ((("be-super-00", port("Ethernet1/1")),), Fraction(1, 16)),
        (tuple((f"be-super-{number:02}", DEVICE) for number in range(4)), Fraction(1)),
    ],
)
def test_shares_of_the_cables_between_two_tiers(found: tuple[tuple[str, DeviceChange], ...], share: Fraction) -> None:
    assert bisection(*found) == share


def test_a_superspine_reaches_no_gpu_by_itself() -> None:
    fabric = PLAN.fabrics["backend"]
    place = place_of(fabric, "be-super-00")
    found = Radius(PLAN, PLAN).of([ChangedSwitch("be-super-00", "backend", "", "eos", place, place, (DEVICE,))])
    assert (found.gpus, found.rails) == (0, ())
