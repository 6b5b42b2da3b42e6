"""Switches that differ are grouped as they come, and of each its facts are kept packed."""

import pickle

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.groups import ChangedSwitch, Groups
from fabricgen.plan.place import Place, Tier

SESSIONS = 128


def switch(number: int, *, sessions: int = SESSIONS, role: str = "leaf") -> ChangedSwitch:
    """A switch whose every session has another number of its own."""
    facts = (
        DeviceChange(
            "bgp.neighbor.remote-as",
            ChangeOp.CHANGED,
            f"10.{number}.0.{at}",
            f"{4210000000 + number * 256 + at}",
            f"{4200000000 + number * 256 + at}",
            f"Ethernet{at}/1",
            f"be-spine-{at:02}",
        )
        for at in range(sessions)
    )
    place = Place("backend", Tier.LEAF, "train", 0, 0, 0, 0, number)
    return ChangedSwitch(f"be-{role}-{number}", "backend", role, "eos", place, place, tuple(facts))


def told(groups: Groups) -> list[list[ChangedSwitch]]:
    return [list(group) for group in groups]


def test_what_is_unpacked_is_what_was_packed() -> None:
    leaves, spines = [switch(at) for at in range(12)], [switch(at, role="spine") for at in (0, 1)]
    fewer = switch(12, sessions=1)
    found = Groups([*leaves, fewer, *spines])
    assert told(found) == [leaves, [fewer], spines]
    assert [group.names for group in found][1:] == [("be-leaf-12",), ("be-spine-0", "be-spine-1")]
    assert [dict(group.device_changes) for group in found][2] == {one.name: one.changes for one in spines}


def test_a_switch_without_facts_is_kept_too() -> None:
    nothing = switch(0, sessions=0)
    assert told(Groups([nothing])) == [[nothing]]


def test_groups_of_several_processes_are_joined() -> None:
    switches = [switch(at) for at in range(12)]
    found = Groups(switches[8:])
    for part in (switches[:4], switches[4:8]):
        # What another process has found comes as octets.
        found.join(pickle.loads(pickle.dumps(Groups(part))))  # noqa: S301 - our own
    assert told(found) == [switches]


def test_switches_are_found_by_name() -> None:
    switches = [switch(0), switch(1), switch(0, role="spine")]
    assert list(Groups(switches).named({"be-leaf-1", "be-spine-0"})) == switches[1:]


@pytest.mark.parametrize("sessions", [SESSIONS, 4 * SESSIONS])
def test_of_each_switch_little_is_kept(sessions: int) -> None:
    few, many = (
        len(pickle.dumps(Groups(switch(at, sessions=sessions) for at in range(count)), protocol=5)) for count in (1, 17)
    )
    assert (many - few) / 16 < len(pickle.dumps(switch(0, sessions=sessions), protocol=5)) / 5
