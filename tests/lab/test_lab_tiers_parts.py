"""A part of three tiers and of several planes: what is kept hangs together, pod by pod and plane by plane."""

from collections.abc import Mapping

import pytest

from fabricgen.export.nodes import axes
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.selection import selected_places, selected_units
from fabricgen.lab.model.subset import parse_subset
from fabricgen.plan.fabric import name_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices
from tests.resolve import tiers

TOWERS, PLANES = tiers.three_tiers(tiers.FRR), tiers.planes(tiers.FRR)


def kept(plan: Plan, text: str) -> tuple[str, ...]:
    fabric = plan.fabrics["backend"]
    return tuple(name_of(fabric, place).removeprefix("be-") for place in selected_places(fabric, parse_subset(text)))


ALL = tuple(
    f"{tier}-{number:0{digits}}" for tier, digits in (("leaf", 3), ("spine", 2), ("super", 2)) for number in range(4)
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ALL),
        ("pods=1", ("leaf-000", "leaf-001", "spine-00", "spine-01", "super-00", "super-01", "super-02", "super-03")),
        ("leaves=1", ("leaf-000", "leaf-002", *ALL[4:])),  # of each pod
        ("units=1", ALL),  # of each pod
        ("spines=1", (*ALL[:4], "spine-00", "spine-02", "super-00", "super-01")),  # and the core group above it
        ("superspines=1", (*ALL[:8], "super-00", "super-02")),
        ("pods=1,leaves=1,spines=1,superspines=1", ("leaf-000", "spine-00", "super-00")),
    ],
)
def test_what_is_kept_of_three_tiers(text: str, wanted: tuple[str, ...]) -> None:
    assert kept(TOWERS, text) == wanted


def test_what_is_kept_of_planes() -> None:
    assert kept(PLANES, "planes=1") == ("leaf-000", "leaf-001", "spine-00", "spine-01")
    assert kept(PLANES, "leaves=1,spines=1") == ("leaf-000", "leaf-002", "spine-00", "spine-02")


def test_what_is_kept_of_planes_of_rails() -> None:
    """A leaf and two spines per pod and plane, four superspines per plane."""
    plan = tiers.rail_planes(tiers.FRR)
    cores = ("super-00", "super-01", "super-02", "super-03")
    spines = ("spine-00", "spine-01", "spine-02", "spine-03")
    assert kept(plan, "planes=1") == ("leaf-000", "leaf-001", *spines, *cores)
    assert kept(plan, "pods=1,spines=1,superspines=1") == (
        "leaf-000", "leaf-002", "spine-00", "spine-04", "super-00", "super-04",
    )  # fmt: skip


def test_units_are_the_first_of_each_pod() -> None:
    (group,) = TOWERS.fabrics["backend"].shape.groups
    assert selected_units(group, parse_subset("units=1")) == (0, 1)
    assert selected_units(group, parse_subset("pods=1")) == (0,)


@pytest.mark.parametrize("text", ["", "links=1", "pods=1,spines=1", "superspines=1,leaves=1"])
def test_cables_join_neighboring_tiers_once_and_carry_both_sessions(text: str) -> None:
    """Each kept cable is taken from its lower end; its sessions are those that both ends have."""
    fabric = TOWERS.fabrics["backend"]
    switches = tuple(PlanSubset(TOWERS, parse_subset(text)).switches())
    found = [link for _, links in switches for link in links]
    ends = [end for link in found for end in link]
    assert len(ends) == len(set(ends))
    assert {end.owner for end in ends} == {name_of(fabric, at) for at in selected_places(fabric, parse_subset(text))}
    alive = {(device.name, row.address) for device, _ in switches for row in device.routing.bgp.neighbors}
    every = {(d.name, n.address) for d in devices(TOWERS) for n in d.routing.bgp.neighbors}
    assert alive <= every
    assert len(alive) == 2 * len(ends)  # two families
    if not text:
        assert len(found) == 4 * 2 + 4 * 4


def labels(plan: Plan) -> Mapping[str, Mapping[str, str]]:
    return {device.name: axes(plan.fabrics["backend"], device) for device in devices(plan)}


def test_axes_of_the_inventories() -> None:
    """A superspine is of no pod: it is of the core group that joins spines of one number."""
    found = labels(TOWERS)
    assert found["be-spine-03"] == {"pod": "1"}
    assert found["be-super-02"] == {"core_group": "1"}
    assert found["be-leaf-002"] == {"pod": "1", "servers": "train", "unit": "1", "rails": "0"}
    assert labels(PLANES)["be-spine-02"] == {"plane": "1"}
