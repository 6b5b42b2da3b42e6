"""No field of a Device changes unseen, and every kind is seen."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.compare.device import changes_between
from fabricgen.changes.kinds.catalogue import KIND, KINDS
from fabricgen.device.device import Device
from tests.changes.walk import Edit, Field, edits, fleet, names, samples, types
from tests.some import LONG

NOT_TOLD: dict[Field, str] = {
    ("PortProfile", "name"): "role and speed once more",
    ("PrefixEntry", "sequence"): "an order, and that stays",
    ("HeadroomProfile", "ports"): "bookkeeping of ours",
    ("HeadroomProfile", "basis"): "bookkeeping of ours",
    ("HeadroomProfile", "source"): "bookkeeping of ours",
    ("RawLines", "where"): "place in the intent",
}
"""What no switch is told, and why: the only fields that may change without a fact."""

NOT_OF_ONE_SWITCH = {"device", "device.derived"}
"""A switch that comes or goes has no two states: pairs of switches say it. What a platform derives, no field holds."""

ORDERED = {"dns", "ntp", "syslog", "servers", "traps", "collectors", "families", "lines"}
"""Tuples of single values whose order is a fact."""

MIRRORED = {ChangeOp.ADDED: ChangeOp.REMOVED, ChangeOp.CHANGED: ChangeOp.CHANGED, ChangeOp.REMOVED: ChangeOp.ADDED}


class Seen:
    """One change, and what is said of it in both directions."""

    def __init__(self, device: Device, edit: Edit) -> None:
        self.edit, self.there, self.back = (
            edit,
            changes_between(device, edit.value),
            changes_between(edit.value, device),
        )


@cache
def seen() -> tuple[Seen, ...]:
    return tuple(Seen(device, edit) for device in samples() for edit in edits(device))


def is_told(edit: Edit) -> bool:
    return edit.field not in NOT_TOLD and edit.how != "order"


def test_every_field_of_every_type_was_changed() -> None:
    fields = {(one.__name__, name) for one in types() for name in names(one)}
    changed = {step for one in seen() for step in one.edit.path}

    assert {"Device", "PortProfile", "Queue", "ExternalNeighbor", "Statement", "User"} <= {name for name, _ in fields}
    assert fields - changed == set()


def test_every_change_is_at_least_one_fact() -> None:
    silent = [one.edit[:2] for one in seen() if is_told(one.edit) and not one.there]

    assert silent == []


def test_only_known_kinds_are_said() -> None:
    assert {found.kind for one in seen() for found in (*one.there, *one.back)} <= set(KIND)


def test_every_kind_is_said_of_some_change() -> None:
    said = {found.kind for one in seen() for found in (*one.there, *one.back)}

    assert {kind.name for kind in KINDS} - said == NOT_OF_ONE_SWITCH


def test_what_no_switch_is_told_is_no_fact() -> None:
    untold = [one for one in seen() if one.edit.field in NOT_TOLD]

    assert {one.edit.field for one in untold} == set(NOT_TOLD)
    assert [(one.edit.field, one.there) for one in untold if one.there] == []


def test_the_order_of_what_has_a_name_is_no_fact_and_that_of_servers_is() -> None:
    orders = [one for one in seen() if one.edit.how == "order"]
    named = [
        one for one in orders if one.edit.field[1] in ("ethernet", "lags", "neighbors", "groups", "vlans", "users")
    ]
    ordered = [one for one in orders if one.edit.field[1] in ("dns", "ntp", "servers")]

    assert named
    assert [one.edit.path for one in named if one.there] == []
    assert ordered
    assert [one.edit.path for one in ordered if not one.there] == []


def test_back_is_there_in_the_mirror() -> None:
    wrong = [one.edit[:2] for one in seen() if Counter(map(mirror, lasting(one.there))) != Counter(map(bare, one.back))]

    assert wrong == []


def lasting(found: tuple[DeviceChange, ...]) -> Iterator[DeviceChange]:
    """Facts without what only happens on the way, and so has no way back."""
    return (fact for fact in found if fact.kind != "route-map.first-use")


def bare(found: DeviceChange) -> DeviceChange:
    """A fact without what names the side it is looked at from."""
    return found._replace(port="", peer="", vrf="")


def mirror(found: DeviceChange) -> DeviceChange:
    """The same fact from the other side."""
    return bare(found)._replace(change=MIRRORED[found.change], before=found.after, after=found.before)


def test_what_is_added_has_no_before_and_what_is_removed_no_after() -> None:
    said = [found for one in seen() for found in one.there]

    assert {found.before for found in said if found.change is ChangeOp.ADDED} == {""}
    assert {found.after for found in said if found.change is ChangeOp.REMOVED} == {""}
    assert [found for found in said if found.change is ChangeOp.ADDED and not found.after] == []
    assert [found for found in said if found.change is ChangeOp.REMOVED and not found.before] == []


@pytest.mark.parametrize("inventory", ["demo", "frr"])
def test_equal_switches_have_no_facts(inventory: str) -> None:
    again = {device.name: device for device in fleet.__wrapped__(inventory).values()}

    for name, device in fleet(inventory).items():
        assert again[name] is not device
        assert changes_between(device, device) == changes_between(device, again[name]) == ()


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=LONG)], ids=["some pairs", "all pairs"])
def test_all_facts_of_two_unlike_switches_are_sorted_and_the_same_each_time(stride: int) -> None:
    order = {kind.name: at for at, kind in enumerate(KINDS)}
    for before, after in [*product(samples(), samples())][::stride]:
        found = changes_between(before, after)
        ranks = [order[one.kind] for one in found]
        assert ranks == sorted(ranks)
        assert found == changes_between(before, after)
