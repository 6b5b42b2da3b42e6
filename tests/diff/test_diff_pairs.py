"""Switches of two sides are paired by where they stand, through renames, whether the lock has followed them or not."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.pairs import SwitchPair, pairs, renamed_servers, without_renamed_ends
from fabricgen.plan.exceptions import PlacedServer, SlotKey
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.lock import write_lock
from fabricgen.plan.plan import Plan
from tests.stability.sites import Site, first_site, plan_site


def site(**fabrics: object) -> Site:
    """The small site without prefixes, so that a fabric's name is in its switches' names."""
    found = first_site()
    for name, fabric in found["fabrics"].items():
        fabric["prefix"] = fabrics.get(name, name)
    return found


def renamed(found: Site, section: str, old: str, new: str) -> Site:
    """The site with a fabric or server group under another name, and `was` with the old one."""
    after = deepcopy(found)
    body: dict[str, Any] = dict(after[section].pop(old))
    after[section][new] = body | {"was": old}
    if section == "fabrics":
        after[section][new]["prefix"] = new
    for fabric in after["fabrics"].values():
        connects: Any = fabric["connects"]
        if section == "servers" and old in connects:
            connects[new] = connects.pop(old)
    return after


# Leaves of `serve` are numbered first, 000 to 003; then four units of two leaves of `train`, the last without servers.


def names(plan: Plan) -> list[str]:
    return [name_of(fabric, place) for fabric in plan.fabrics.values() for place in places(fabric)]


def lock(plan: Plan) -> str:
    return write_lock(plan.lock)


def shown(found: tuple[SwitchPair, ...]) -> dict[str, str]:
    return {pair.name_before: pair.name_after for pair in found}


BEFORE = plan_site(site())


def test_a_plan_and_itself_are_the_same_switches() -> None:
    again = pairs(BEFORE, plan_site(site(), lock(BEFORE)))

    assert [(pair.name_before, pair.name_after) for pair in again] == [(name, name) for name in sorted(names(BEFORE))]
    assert all(pair.before == pair.after for pair in again)


@pytest.mark.parametrize("is_carried_out", [False, True])
def test_a_renamed_fabric_is_the_same_switches_under_new_names(is_carried_out: bool) -> None:
    after = plan_site(renamed(site(), "fabrics", "backend", "training"), lock(BEFORE))
    if is_carried_out:
        # The lock has the new name, and the intent still says what it was.
        after = plan_site(renamed(site(), "fabrics", "backend", "training"), lock(after))

    assert shown(pairs(BEFORE, after)) == {name: name.replace("backend-", "training-", 1) for name in names(BEFORE)}


def test_a_renamed_group_is_the_same_leaves() -> None:
    after = plan_site(renamed(site(), "servers", "train", "gpus"), lock(BEFORE))
    found = pairs(BEFORE, after)

    assert shown(found) == {name: name for name in names(BEFORE)}
    assert {(pair.before.group, pair.after.group) for pair in found if pair.before and pair.after} == {
        ("", ""),
        ("train", "gpus"),
        ("serve", "serve"),
        ("store", "store"),
    }


def test_fabric_and_group_are_renamed_at_once() -> None:
    both = renamed(renamed(site(), "servers", "store", "disks"), "fabrics", "frontend", "storage")
    found = pairs(BEFORE, plan_site(both, lock(BEFORE)))

    assert len(found) == len(names(BEFORE))
    assert shown(found)["frontend-leaf-001"] == "storage-leaf-001"


def test_a_rename_that_is_taken_back_is_a_rename() -> None:
    later = plan_site(renamed(site(), "fabrics", "backend", "training"), lock(BEFORE))

    assert shown(pairs(later, BEFORE)) == {name.replace("backend-", "training-", 1): name for name in names(BEFORE)}


def test_a_was_of_long_ago_says_nothing() -> None:
    """Both sides have the new name: what it was belongs to neither."""
    said = renamed(site(), "fabrics", "backend", "training")
    one = plan_site(said, lock(BEFORE))
    more = deepcopy(said)
    more["servers"]["train"]["slots"] = list(range(16))
    found = pairs(one, plan_site(more, lock(one)))

    assert all(pair.name_before in ("", pair.name_after) for pair in found)
    assert [pair.name_after for pair in found if not pair.before] == ["training-leaf-010", "training-leaf-011"]


def test_a_was_renames_nothing_where_both_names_stand_on_one_side() -> None:
    """Before, there was a fabric of each name: `was` is of a rename before that, and one of the two goes."""
    both = renamed(site(), "fabrics", "backend", "training")
    del both["fabrics"]["training"]["was"]
    both["fabrics"]["backend"] = first_site()["fabrics"]["backend"] | {
        "prefix": "backend",
        "connects": {"serve": "nics"},
        "addressing": {"ipv4": "10.96.0.0/12"},
        "asns": "4203000000-4203999999",
    }
    both["fabrics"]["training"]["connects"] = {"train": "nics"}
    one = deepcopy(both)
    del one["fabrics"]["backend"], one["servers"]["serve"]
    one["fabrics"]["training"]["was"] = "backend"
    left, right = plan_site(both), plan_site(one)

    for found in (pairs(left, right), pairs(right, left)):
        assert all(pair.name_before == pair.name_after for pair in found if pair.before and pair.after)
        assert {pair.name_before or pair.name_after for pair in found if not pair.before or not pair.after} == {
            name for name in names(left) if name.startswith("backend-")
        }


def test_without_was_switches_go_and_come() -> None:
    """Negative: only `was` makes a rename, not the likeness of two fabrics."""
    after = renamed(site(), "fabrics", "backend", "training")
    del after["fabrics"]["training"]["was"]
    found = pairs(BEFORE, plan_site(after))
    ours = [name for name in names(BEFORE) if name.startswith("backend")]

    assert [pair.name_before for pair in found if not pair.after] == sorted(ours)
    assert found[-len(ours) :] == tuple(pair for pair in found if not pair.after)
    assert {pair.name_after.partition("-")[0] for pair in found if not pair.before} == {"training"}


def test_units_come_and_go() -> None:
    more = site()
    more["servers"]["train"]["slots"] = list(range(16))
    after = plan_site(more, lock(BEFORE))

    come = [pair for pair in pairs(BEFORE, after) if pair.before is None]
    gone = [pair for pair in pairs(after, BEFORE) if pair.after is None]

    assert [pair.name_after for pair in come] == ["backend-leaf-010", "backend-leaf-011"]
    assert [pair.after for pair in come] == [pair.before for pair in gone]
    assert pairs(after, BEFORE)[-2:] == tuple(gone)


def test_numbers_in_names_are_in_the_order_of_people() -> None:
    plan = plan_site(site(backend="f10", frontend="f9"))
    found = [pair.name_after for pair in pairs(plan, plan)]

    assert found[0] == "f9-border-00"
    assert found[-1] == "f10-spine-03"


# Hosts by slot: what a placement file says.


def hosts(plan: Plan, **servers: str) -> Plan:
    """The plan with servers of `serve` named by a placement file: `s0="a"`, `s0="a serial"`."""
    found = {}
    for key, words in servers.items():
        hostname, _, serial = words.partition(" ")
        found[SlotKey("serve", int(key[1:]))] = PlacedServer(hostname=hostname, rack="", unit="", serial=serial, mac="")
    fabrics = {
        name: replace(fabric, exceptions=fabric.exceptions._replace(servers=found))
        for name, fabric in plan.fabrics.items()
    }
    return plan._replace(fabrics=fabrics)


def test_a_renamed_group_is_the_same_servers() -> None:
    after = plan_site(renamed(site(), "servers", "serve", "inference"), lock(BEFORE))

    assert renamed_servers(BEFORE, after) == {
        "serve-000": "inference-000", "serve-001": "inference-001", "serve-005": "inference-005",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ({}, {"s0": "a", "s1": "b"}, {"serve-000": "a", "serve-001": "b"}),
        ({"s0": "a"}, {"s0": "b"}, {"a": "b"}),
        # The servers change places, or one moves into the slot of another.
        ({"s0": "a", "s1": "b"}, {"s0": "b", "s1": "a"}, {}),
        ({"s0": "a"}, {"s1": "a"}, {}),
        ({"s0": "a"}, {"s0": "b", "s1": "a"}, {}),
        # Another box stands there now.
        ({"s0": "a 7"}, {"s0": "b 8"}, {}),
        ({"s0": "a 7"}, {"s0": "b 7"}, {"a": "b"}),
        ({"s0": "a"}, {"s0": "b 8"}, {"a": "b"}),
    ],
)
def test_a_server_with_another_name_in_its_slot_is_renamed(
    before: dict[str, str], after: dict[str, str], names: dict[str, str]
) -> None:
    assert renamed_servers(hosts(BEFORE, **before), hosts(BEFORE, **after)) == names


def test_a_slot_on_one_side_only_is_renamed_to_nothing() -> None:
    more = site()
    more["servers"]["serve"]["slots"] = [0, 1]
    assert "serve-005" not in renamed_servers(BEFORE, plan_site(more, lock(BEFORE)))


def test_a_cable_to_what_is_only_renamed_is_no_fact() -> None:
    ends = [("a P1", "b P1"), ("a P1", "b P2"), ("a P1", "c P1"), ("c P1", "c P2"), ("a P1", "")]
    found = [DeviceChange("interface.peer", ChangeOp.CHANGED, "x", before, after) for before, after in ends]
    assert [(one.before, one.after) for one in without_renamed_ends(found, {"a": "b"})] == ends[1:]
