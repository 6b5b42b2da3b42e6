"""Random legal edits, one after the other: an edit changes the values of what it names and of nothing else.

The oracle knows no formula of the plan. It says of each kind of edit, from the two sites alone, which objects come,
go or change; all other values must be the same before and after.
"""

import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from fabricgen.errors import FabricError
from fabricgen.plan.rows import rows_fit
from tests.some import some
from tests.stability.sites import Key, Site, Snapshot, Value, first_site, plan_site, snapshot

MANY = (20, 500)
"""Times that each kind of edit is made: in every run, and by `make long`."""

STEPS = 25
"""Edits of one history, from the first site on."""

SLOTS_A_UNIT = {"train": 4, "serve": 4, "store": 8}
FABRIC_OF = {"train": "backend", "serve": "backend", "store": "frontend"}
MOST_UNITS = {"train": 8, "serve": 4, "store": 6}

Random = random.Random
Names = dict[str, str]


def of(name: str) -> str:
    """First name of a thing: a rename puts a number behind it."""
    return name.partition("-")[0]


def fabric_named(site: Site, first: str) -> str:
    return next(name for name in site["fabrics"] if of(name) == first)


def units(site: Site, group: str) -> set[int]:
    """Units that hold a server."""
    size = SLOTS_A_UNIT[of(group)]
    body: dict[str, Any] = site["servers"][group]
    return {slot // size for slot in body["slots"]}


def planned_units(site: Site, group: str) -> int:
    body: dict[str, Any] = site["servers"][group]
    slots: int = max(body["planned"], max(body["slots"]) + 1)
    return -(-slots // SLOTS_A_UNIT[of(group)])


# What may be edited. Each returns False where this site offers no such edit.


def add_slot(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    body: dict[str, Any] = site["servers"][group]
    free = [
        slot
        for unit in units(site, group)
        for slot in range(unit * SLOTS_A_UNIT[of(group)], (unit + 1) * SLOTS_A_UNIT[of(group)])
        if slot not in body["slots"]
    ]
    if not free:
        return False
    body["slots"] = sorted([*body["slots"], dice.choice(free)])
    return True


def remove_slot(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    body: dict[str, Any] = site["servers"][group]
    size = SLOTS_A_UNIT[of(group)]
    held = Counter(slot // size for slot in body["slots"])
    spare = [slot for slot in body["slots"] if held[slot // size] > 1]
    if not spare:
        return False
    gone = dice.choice(spare)
    body["slots"] = [slot for slot in body["slots"] if slot != gone]
    return True


def add_unit(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    body: dict[str, Any] = site["servers"][group]
    free = [unit for unit in range(planned_units(site, group)) if unit not in units(site, group)]
    if not free:
        return False
    size = SLOTS_A_UNIT[of(group)]
    unit = dice.choice(free)
    body["slots"] = sorted([*body["slots"], *range(unit * size, unit * size + dice.randint(1, size))])
    return True


def remove_unit(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    body: dict[str, Any] = site["servers"][group]
    if len(units(site, group)) < 2:
        return False
    gone = dice.choice(sorted(units(site, group)))
    body["slots"] = [slot for slot in body["slots"] if slot // SLOTS_A_UNIT[of(group)] != gone]
    return True


def grow_past_the_plan(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    if planned_units(site, group) >= MOST_UNITS[of(group)]:
        return False
    more = planned_units(site, group) + dice.randint(1, 2)
    site["servers"][group]["planned"] = more * SLOTS_A_UNIT[of(group)]
    return True


def plan_for_less(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    body: dict[str, Any] = site["servers"][group]
    least = max(body["slots"]) + 1
    if body["planned"] <= least:
        return False
    body["planned"] = dice.randint(least, body["planned"] - 1)
    return True


def add_tenant(site: Site, dice: Random) -> bool:
    name = f"t{dice.randrange(12)}"
    if name in site["tenants"] or len(site["tenants"]) > 8:
        return False
    networks = {f"n{at}": {"vlan": 100 + at, "subnets": [f"172.20.{at}.0/24"]} for at in range(dice.randint(1, 3))}
    site["tenants"][name] = {"networks": networks}
    return True


def remove_tenant(site: Site, dice: Random) -> bool:
    if len(site["tenants"]) < 2:
        return False
    del site["tenants"][dice.choice(list(site["tenants"]))]
    return True


def change_spines(site: Site, dice: Random) -> bool:
    name = fabric_named(site, "backend")
    fabric: dict[str, Any] = site["fabrics"][name]
    now = fabric["topology"]["spines"]["now"]
    fabric["topology"]["spines"]["now"] = dice.choice([count for count in (2, 4, 8) if count != now])
    return True


def drain(site: Site, dice: Random) -> bool:
    name = dice.choice(["be-spine-01", "be-leaf-000", "fe-spine-00", "fe-leaf-001"])
    if site["ports"].pop(name, None) is None:
        site["ports"][name] = {"state": "drained"}
    return True


def kill_port(site: Site, dice: Random) -> bool:
    """A port of a store leaf, whose panel has cages to spare; or its revival."""
    name = f"fe-leaf-00{dice.randrange(2)}/Ethernet{dice.choice([1, 2, 3, 9, 12])}/1"
    if site["ports"].pop(name, None) is None:
        site["ports"][name] = {"state": "dead"}
    return True


def rename_fabric(site: Site, dice: Random) -> bool:
    return _rename(site, "fabrics", dice.choice(list(site["fabrics"])))


def rename_group(site: Site, dice: Random) -> bool:
    group = dice.choice(list(site["servers"]))
    if not _rename(site, "servers", group):
        return False
    for fabric in site["fabrics"].values():
        connects: dict[str, str] = fabric["connects"]  # type: ignore[assignment]
        fabric["connects"] = {next_name(name) if name == group else name: nics for name, nics in connects.items()}
    return True


def rename_tenant(site: Site, dice: Random) -> bool:
    """The tenant, and sometimes a network of it as well."""
    name = dice.choice(list(site["tenants"]))
    networks: dict[str, dict[str, object]] = site["tenants"][name]["networks"]  # type: ignore[assignment]
    if dice.random() < 0.4:
        network = dice.choice(list(networks))
        site["tenants"][name]["networks"] = {
            next_name(n) if n == network else n: {**body, "was": n} if n == network else body
            for n, body in networks.items()
        }
    return _rename(site, "tenants", name)


def next_name(name: str) -> str:
    """First train, then train-1, train-2."""
    first, _, number = name.partition("-")
    return f"{first}-{int(number or 0) + 1}"


def _rename(site: Site, section: str, name: str) -> bool:
    new = next_name(name)
    if new in site[section]:
        return False
    site[section] = {
        new if n == name else n: {**body, "was": n} if n == name else body for n, body in site[section].items()
    }
    return True


def reorder_keys(site: Site, dice: Random) -> bool:
    def shuffled(value: object) -> object:
        if not isinstance(value, dict):
            return value
        names = list(value)
        dice.shuffle(names)
        return {name: shuffled(value[name]) for name in names}

    for section in list(site):
        site[section] = shuffled(site.pop(section))  # type: ignore[assignment]
    return True


Edit = Callable[[Site, Random], bool]
EDITS: dict[str, Edit] = {
    edit.__name__: edit
    for edit in (
        add_slot,
        remove_slot,
        add_unit,
        remove_unit,
        grow_past_the_plan,
        plan_for_less,
        add_tenant,
        remove_tenant,
        change_spines,
        drain,
        kill_port,
        rename_fabric,
        rename_group,
        rename_tenant,
        reorder_keys,
    )
}

# What an edit may touch, said of the objects and not of how they are computed.


def allowed(kind: str, key: Key, before: Site, after: Site, names: dict[Key, str]) -> bool:
    """Whether an edit of this kind may bring, take or change this value; `names` are those of the switches."""
    what, fabric = key[0], str(key[1])
    if kind in ("add_slot", "remove_slot"):
        return what == "present" and slots_differ(before, after, str(key[2]), key[3])
    if kind in ("add_unit", "remove_unit"):
        return belongs_to_changed_unit(key, before, after)
    if kind in ("add_tenant", "remove_tenant"):
        return what in ("tenant", "network") and (key[2] in before["tenants"]) != (key[2] in after["tenants"])
    if kind == "change_spines":
        return of(fabric) == "backend" and (what == "upper end" or (what in ("name", "device") and key[2] == "spine"))
    if kind == "kill_port":
        (changed,) = set(before["ports"]) ^ set(after["ports"])
        return what in ("host port", "lower port") and names[key] == changed.partition("/")[0]
    return False


def slots_differ(before: Site, after: Site, group: str, slot: object) -> bool:
    one, two = (site["servers"][group]["slots"] for site in (before, after))
    return (slot in one) != (slot in two)  # type: ignore[operator]


def belongs_to_changed_unit(key: Key, before: Site, after: Site) -> bool:
    """A leaf of the unit and its links, or a host port of its slots."""
    what = key[0]
    if what in ("host", "host port", "present"):
        group, unit = str(key[2]), int(str(key[3])) // SLOTS_A_UNIT[of(str(key[2]))]
    elif key[2] == "leaf":
        group, unit = str(key[3]), int(str(key[4]))
    else:
        return False
    return (unit in units(before, group)) != (unit in units(after, group))


def under_new_names(values: dict[Key, Value], before: Site, after: Site) -> dict[Key, Value]:
    """The values before an edit under the names of after it; a rename keeps the position in its section."""
    names: Names = {}
    for section in ("fabrics", "servers", "tenants"):
        names |= renamed(before[section], after[section])
    networks: dict[tuple[str, str], str] = {}
    for name, tenant in before["tenants"].items():
        new: Any = after["tenants"].get(names.get(name, name))
        if new is not None:
            networks |= {(name, n): m for n, m in renamed(tenant["networks"], new["networks"]).items()}

    if not names and not networks:
        return values

    def rename(key: Key) -> Key:
        if key[0] == "network":
            key = (*key[:3], networks.get((str(key[2]), str(key[3])), key[3]))
        return (key[0], *(names.get(part, part) if isinstance(part, str) else part for part in key[1:]))

    def rename_value(key: Key, value: Value) -> Value:
        return rename(("x", *value))[1:] if key[0] == "host port" else value

    return {rename(key): rename_value(key, value) for key, value in values.items()}


def renamed(before: object, after: object) -> Names:
    """Names that only the first section has, to the names of the second that say so."""
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    return {str(body["was"]): name for name, body in after.items() if body.get("was") in before and name not in before}


def switch_names(values: dict[Key, Value]) -> dict[Key, str]:
    """Switch of each port binding: the leaf that the key, or the value of a host port, names."""
    found = {}
    for key, value in values.items():
        if key[0] == "lower port":
            found[key] = str(values["name", *key[1:-1]][0])
        if key[0] == "host port":
            found[key] = str(values["name", *value[:-1]][0])
    return found


def touched(one: dict[Key, Value], two: dict[Key, Value]) -> set[Key]:
    """Keys whose value came, went or changed."""
    return {key for key in one.keys() | two.keys() if one.get(key) != two.get(key)}


class History:
    """A site that is edited again and again on the lock of the render before."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.site = first_site()
        self.shot = snapshot(plan_site(self.site))

    def step(self, kind: str) -> bool:
        """Make one edit and judge it. False where the site offers none, or the intent would be impossible."""
        after = deepcopy(self.site)
        if not EDITS[kind](after, self.dice):
            return False
        try:
            plan = plan_site(after, self.shot.lock)
        except FabricError:
            return False
        if not all(rows_fit(fabric) for fabric in plan.fabrics.values()):
            return False
        shot = snapshot(plan)
        self.judge(kind, after, shot)
        self.site, self.shot = after, shot
        return True

    def judge(self, kind: str, after: Site, shot: Snapshot) -> None:
        """Compare what the plan gave before and gives now with what the oracle allows."""
        values = under_new_names(dict(self.shot.values), self.site, after)
        found = touched(values, dict(shot.values))
        names = switch_names(dict(shot.values)) if kind == "kill_port" else {}
        wrong = sorted((key for key in found if not allowed(kind, key, self.site, after, names)), key=str)
        assert not wrong, [(key, values.get(key), shot.values.get(key)) for key in wrong[:3]]
        if kind not in ("rename_fabric", "rename_group", "rename_tenant"):
            lines, now = self.shot.lock.splitlines(), set(shot.lock.splitlines())
            assert all(line in now or line == "ids: []" for line in lines), "lines of the lock are only added"
        if kind in ("reorder_keys", "drain", "remove_slot", "remove_unit", "remove_tenant", "plan_for_less"):
            assert shot.lock == self.shot.lock, "the same bytes"


@pytest.mark.parametrize("many", some(MANY))
def test_edits_touch_what_they_name_and_nothing_else(capsys: pytest.CaptureFixture[str], many: int) -> None:
    done: Counter[str] = Counter()
    seed = 0
    while min(done[kind] for kind in EDITS) < many:
        history = History(seed)
        seed += 1
        for _ in range(STEPS):
            few = [kind for kind in EDITS if done[kind] < many]
            kind = history.dice.choice(few if few and history.dice.random() < 0.7 else list(EDITS))
            done[kind] += history.step(kind)
        assert seed < 2000, f"some edit is never possible: {done}"
    with capsys.disabled():
        print(f"\n{sum(done.values())} edits in {seed} histories:", dict(sorted(done.items())))  # noqa: T201


@pytest.mark.parametrize("seed", some(range(60), of=6))
def test_removed_from_the_middle_and_restored_is_the_same(seed: int) -> None:
    """A unit, a slot or a tenant goes, others come and go, it returns: the same bytes, whatever was between."""
    dice = Random(seed)
    site = first_site()
    site["servers"]["train"]["slots"] = list(range(16))
    site["tenants"]["t99"] = {"networks": {"n0": {"vlan": 300, "subnets": ["172.21.0.0/24"]}}}
    first = snapshot(plan_site(site))
    less = deepcopy(site)
    unit = dice.randrange(3)
    less["servers"]["train"]["slots"] = [slot for slot in range(16) if slot // 4 != unit]
    del less["tenants"][dice.choice(["research", "storage"])]
    less["servers"]["train"]["planned"] = dice.choice([16, 20])
    between = snapshot(plan_site(less, first.lock))
    again = snapshot(plan_site(site, between.lock))
    assert again.values == first.values
    if less["servers"]["train"]["planned"] == 16:
        assert again.lock == first.lock == between.lock
