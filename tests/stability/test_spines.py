"""Random sequences of spines that stand, within those planned: no number and no port of a leaf ever moves."""

import random

import pytest

from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan
from tests.some import some
from tests.stability.sites import Key, Snapshot, snapshot
from tests.topologies.sites import pairs, plan_of

Random = random.Random

HISTORIES, STEPS = 40, 8
ASKED = {"3:1": 4, "4:1": 3, "6:1": 2}
"""Uplinks that 24 ports of 200G ask for at a ratio: 4,800 Gb/s down over 400G up."""


def standing(ratio: str, planned: int) -> list[int]:
    """Counts that need no more uplinks than are laid out for the planned one."""

    def uplinks(spines: int) -> int:
        return -(-ASKED[ratio] // spines) * spines

    return [now for now in range(1, planned + 1) if uplinks(now) <= uplinks(planned)]


def links(plan: Plan) -> int:
    return plan.fabrics["frontend"].shape.links


def moved(before: Snapshot, after: Snapshot, *, ends: bool) -> list[Key]:
    """Keys of what stands in both and has another value; `ends`: the spine's end of a cable as well."""
    kinds = {"name", "device", "link", "lower port", "host", "host port"} | ({"upper end"} if ends else set())
    return [
        key
        for key, value in before.values.items()
        if key[0] in kinds and key in after.values and after.values[key] != value
    ]


@pytest.mark.parametrize("seed", some(range(HISTORIES), of=4))
def test_spines_come_and_go_and_nothing_moves(seed: int) -> None:
    dice = Random(seed)
    ratio, planned = dice.choice(sorted(ASKED)), dice.randint(2, 8)
    counts, lock, last = standing(ratio, planned), Lock(), None
    changed = 0
    for _ in range(STEPS):
        now, slots = dice.choice(counts), dice.choice(["0-23", "0-71", "24-47", "'0-23,48-71'"])
        intent = pairs("mixed", "r128", ratio, slots, borders=2, spines=f"{{now: {now}, planned: {planned}}}")
        plan = plan_of(intent, lock)
        found = snapshot(plan)
        if last is not None:
            both_single = links(plan) == links(last[0]) == 1
            assert moved(last[1], found, ends=both_single) == []
            changed += last[1].values != found.values
        lock, last = plan.lock, (plan, found)
    assert changed or len(counts) == 1


def test_a_number_that_moves_is_seen() -> None:
    """Planned for another number at first: the blocks are shorter, and everything behind them is elsewhere."""
    one, two = (
        snapshot(plan_of(pairs("mixed", "r32", "3:1", "0-23", spines=f"{{now: 4, planned: {planned}}}")))
        for planned in (4, 8)
    )
    assert "link" in {key[0] for key in moved(one, two, ends=True)}
