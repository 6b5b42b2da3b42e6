"""Random edits of sites of three tiers and of two planes: what stands is what must, and nothing else moves.

Edits: servers and units come and go, a pod more, another generation, spines and superspines of those planned, more of
both planned, the same numbers written otherwise. The planes of a fabric are fixed; another number is refused.
"""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from fabricgen.checks.dimensions.recorded_fit import recorded_fit
from fabricgen.checks.dimensions.spine_rows import spine_rows, superspine_rows
from fabricgen.errors import FabricError
from fabricgen.plan.place import Place, Tier
from tests.some import LONG, some
from tests.stability.pod_sites import (
    SLOTS_A_UNIT,
    Group,
    Key,
    Site,
    Snapshot,
    first_site,
    must_stand,
    plan_site,
    snapshot,
)

Random = random.Random
HISTORIES, STEPS = 24, 14
MOST_PODS = 5


def a_group(site: Site, dice: Random) -> str:
    return dice.choice(sorted(site.groups))


def with_slots(site: Site, name: str, slots: frozenset[int]) -> bool:
    if not slots or slots == site.groups[name].slots:
        return False
    site.groups[name] = site.groups[name]._replace(slots=slots)
    return True


def add_slot(site: Site, dice: Random) -> bool:
    name = a_group(site, dice)
    group = site.groups[name]
    every = {unit * SLOTS_A_UNIT + at for unit in group.units for at in range(SLOTS_A_UNIT)}
    free = sorted(every - group.slots)
    return bool(free) and with_slots(site, name, group.slots | {dice.choice(free)})


def add_unit(site: Site, dice: Random) -> bool:
    """Anywhere within what is planned: in a pod that stands, or the first of another."""
    name = a_group(site, dice)
    group = site.groups[name]
    free = sorted(set(range(group.planned // SLOTS_A_UNIT)) - group.units)
    if not free:
        return False
    first = dice.choice(free) * SLOTS_A_UNIT
    return with_slots(site, name, group.slots | {first + at for at in range(dice.randint(1, SLOTS_A_UNIT))})


def remove_unit(site: Site, dice: Random) -> bool:
    name = a_group(site, dice)
    group = site.groups[name]
    gone = dice.choice(sorted(group.units))
    return with_slots(site, name, frozenset(slot for slot in group.slots if slot // SLOTS_A_UNIT != gone))


def add_pod(site: Site, dice: Random) -> bool:
    name = a_group(site, dice)
    group = site.groups[name]
    pods = -(-group.planned // (SLOTS_A_UNIT * group.units_a_pod))
    if pods >= MOST_PODS:
        return False
    first = pods * group.units_a_pod * SLOTS_A_UNIT
    planned = first + group.units_a_pod * SLOTS_A_UNIT
    site.groups[name] = group._replace(planned=planned, slots=group.slots | {first})
    return True


def add_generation(site: Site, dice: Random) -> bool:
    if "late" in site.groups:
        return False
    model = "gpu4-slices" if site.planes == 2 else dice.choice(["gpu4", "gpu4-halves"])
    site.groups["late"] = Group(model, frozenset((0, 1)), 4 * dice.randint(1, 3), 1)
    return True


def change_spines(site: Site, dice: Random) -> bool:
    now = dice.choice([count for count in (2, 4, 8) if count != site.spines[0]])
    site.spines = (now, site.spines[1])
    return now <= site.spines[1]


def change_superspines(site: Site, dice: Random) -> bool:
    now = dice.choice([count for count in (2, 4, 8) if count != site.cores[0]])
    site.cores = (now, site.cores[1])
    return now <= site.cores[1]


def plan_more_superspines(site: Site, dice: Random) -> bool:
    site.cores = (site.cores[0], min(32, site.cores[1] * dice.choice((2, 4))))
    return True


def write_otherwise(site: Site, dice: Random) -> bool:
    site.as_mapping = not site.as_mapping
    names = list(site.groups)
    dice.shuffle(names)
    site.groups = {name: site.groups[name] for name in names}
    return True


EDITS: dict[str, Callable[[Site, Random], bool]] = {
    edit.__name__: edit
    for edit in (
        add_slot,
        add_unit,
        remove_unit,
        add_pod,
        add_generation,
        change_spines,
        change_superspines,
        plan_more_superspines,
        write_otherwise,
    )
}

MAY_MOVE = {"change_spines": Tier.LEAF, "change_superspines": Tier.SPINE}
"""Edit → the tier whose cables end elsewhere above; nothing else of it moves."""


def moved(before: Snapshot, after: Snapshot, kind: str) -> list[Key]:
    """What stands on both sides and has another value, but for what the edit may move."""

    def may(key: Key) -> bool:
        return key[0] == "upper end" and isinstance(key[1], Place) and key[1].tier is MAY_MOVE.get(kind)

    return [
        key
        for key, value in before.values.items()
        if key in after.values and after.values[key] != value and not may(key)
    ]


def taken(site: Site, lock: str) -> Snapshot | None:
    """What the edited site gives; None where it cannot be: too many leaves or pods for the spines that stand."""
    try:
        plan = plan_site(site, lock)
    except FabricError:
        return None
    if [*spine_rows(plan), *superspine_rows(plan)]:
        return None
    assert not list(recorded_fit(plan))
    return snapshot(plan)


@pytest.mark.parametrize("histories", [HISTORIES // 3, pytest.param(HISTORIES, marks=LONG)])
@pytest.mark.parametrize(("planes", "rail_planes"), [(1, 2), *some([(2, 1), (1, 1), (2, 2)])])
def test_edits_of_pods_move_nothing(planes: int, rail_planes: int, histories: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(histories // planes):
        dice = Random(seed)
        site = first_site(planes, rail_planes)
        shot = snapshot(plan_site(site))
        for _ in range(STEPS):
            kind = dice.choice(sorted(EDITS))
            after = site.copy()
            if not EDITS[kind](after, dice):
                continue
            found = taken(after, shot.lock)
            if found is None:
                continue
            assert found.switches == must_stand(after)
            wrong = moved(shot, found, kind)
            assert not wrong, (kind, wrong[:3])
            assert set(shot.lock.splitlines()) <= set(found.lock.splitlines())
            done[kind] += 1
            site, shot = after, found
    assert set(done) == set(EDITS), "every kind of edit was made"
    assert min(done.values()) >= (4 if histories == HISTORIES else 1), done


@pytest.mark.parametrize("seed", range(4))
def test_a_pod_that_goes_and_returns_is_the_same(seed: int) -> None:
    dice = Random(seed)
    site = first_site(1)
    site.groups["train"] = site.groups["train"]._replace(slots=frozenset(range(24)), planned=24)
    first = snapshot(plan_site(site))
    less = site.copy()
    gone = dice.randrange(3)
    kept = frozenset(slot for slot in range(24) if slot // 8 != gone)
    less.groups["train"] = less.groups["train"]._replace(slots=kept)
    less.groups["serve"] = less.groups["serve"]._replace(slots=frozenset({4 * ((gone + 1) % 2)}))
    between = snapshot(plan_site(less, first.lock))
    assert between.switches == must_stand(less) < first.switches
    again = snapshot(plan_site(site, between.lock))
    assert again == first


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            lambda group: group._replace(units_a_pod=3),
            "the lock has 2 units per pod, the intent now gives 3: units would change pods",
        ),
        (
            lambda group: group._replace(units_a_pod=1),
            "the lock has 2 units per pod, the intent now gives 1: units would change pods",
        ),
    ],
)
def test_another_size_of_the_pods_is_refused(edit: Callable[[Group], Group], told: str) -> None:
    site = first_site(1)
    lock = snapshot(plan_site(site)).lock
    site.groups["train"] = edit(site.groups["train"])
    (problem,) = recorded_fit(plan_site(site, lock))
    assert problem.code == "lock-misfit"
    assert told in problem.why


def test_another_number_of_planes_is_refused() -> None:
    """Units of one size for both, so that only the planes and, of whole NICs, the uplinks differ."""
    site = first_site(2)
    site.spines = (2, 4)
    site.groups = {name: group._replace(model="gpu4-halves") for name, group in site.groups.items()}
    lock = snapshot(plan_site(site)).lock
    site.planes = 1
    found = {problem.why for problem in recorded_fit(plan_site(site, lock))}
    assert found == {
        "the lock has 2 planes, the intent now gives 1: every NIC would connect to other planes",
        "the lock has 4 uplinks of 400G, the intent now gives 8 uplinks of 400G: cables would change ports",
    }


@pytest.mark.parametrize(("before", "after", "told"), [(1, 2, "1 plane, the intent now gives 2"), (2, 1, "2 planes")])
def test_other_planes_of_rails_are_refused(before: int, after: int, told: str) -> None:
    site = first_site(1, before)
    lock = snapshot(plan_site(site)).lock
    site.rail_planes = after
    found = {problem.why for problem in recorded_fit(plan_site(site, lock))}
    assert any(f"the lock has {told}" in why and "every NIC would connect to other planes" in why for why in found)


def test_the_first_pod_alone_may_grow() -> None:
    site = first_site(1)
    site.groups = {"train": site.groups["train"]._replace(planned=8)}
    before = snapshot(plan_site(site))
    site.groups["train"] = site.groups["train"]._replace(planned=16, units_a_pod=4)
    plan = plan_site(site, before.lock)
    assert not list(recorded_fit(plan))
    assert moved(before, snapshot(plan), "") == []
