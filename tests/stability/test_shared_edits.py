"""Random edits of a backend that tenants share, over numbered and unnumbered links: what an owner has moves no number.

Edits: a server or single NICs of it change hands, a switch gets a state, a scenario comes or goes, a tenant comes, a
server comes. The oracle: names, numbers, cables and host addresses of what stands on both sides are the same.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from fabricgen.errors import FabricError
from fabricgen.intent.model import Intent
from fabricgen.intent.rules import rules
from fabricgen.intent.scenario_rules import in_all_scenarios
from fabricgen.intent.scenarios import in_scenario
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock, read_lock
from fabricgen.plan.plan import Plan, extend_lock, make_plan, make_shapes, with_exceptions
from fabricgen.plan.tenants import server_spans
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.some import some
from tests.stability.sites import CATALOG, Snapshot, first_site, snapshot, text_of

Random = random.Random
Intention = dict[str, Any]
HISTORIES, STEPS = 16, 20
SWITCHES = ("be-leaf-000", "be-leaf-001", "be-spine-01", "be-spine-03")
GUEST = {"networks": {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/20"]}}}
"""A tenant of the frontend, which has no VRF on the backend before it has a server in some scenario."""
SLOTS, NICS = range(16), ("0-1", "2-3")


def first(links: str) -> Intention:
    """Sixteen places for servers of four NICs, twelve of them taken; four tenants; no exception, no scenario."""
    site: Any = first_site()
    del site["servers"]["serve"]
    backend = site["fabrics"]["backend"]
    backend |= {"connects": {"train": "nics"}, "tenancy": "evpn-type5", "evpn": {"admin": 65000, "vni_base": 20000}}
    backend["addressing"]["links"] = [links]
    site["servers"]["train"]["slots"] = list(range(12))
    tenants: Any = {"north": {"servers": ["train[0-4]"]}, "south": {"servers": ["train[5-7]"]}}
    site["tenants"] = tenants | {"east": {"nics": ["train[8]/0-1"]}, "guest": GUEST}
    return {**site, "overrides": {}, "scenarios": {}}


def document_of(site: Intention) -> str:
    """The intent as a file."""
    shared = json.loads(text_of({key: site[key] for key in ("servers", "fabrics", "tenants")} | {"ports": {}}))
    return json.dumps(shared | {"overrides": site["overrides"], "scenarios": site["scenarios"]})


def plans(site: Intention, lock: str = "") -> dict[str, Plan]:
    """Plan of every scenario on the lock beside it, as a workspace makes them: numbers for all scenarios at once.

    Raises FabricError for an intent that cannot be.
    """
    document = load_document(document_of(site), "intent.yaml")
    base = validate(Intent, document)
    recorded = read_lock(load_document(lock, "fabricgen.lock")) if lock else Lock()
    shapes = make_shapes(base, CATALOG)
    numbers = extend_lock(in_all_scenarios(base), shapes, recorded)
    found = {"base": base} | {name: validate(Intent, in_scenario(document, name)) for name in site["scenarios"]}
    problems = [problem for intent in found.values() for problem in rules(intent)]
    if problems:
        raise FabricError(problems)
    made = {name: make_plan(intent, CATALOG, shapes, numbers, Exceptions()) for name, intent in found.items()}
    return {name: with_exceptions(plan, resolve_inputs(base, plan.fabrics)) for name, plan in made.items()}


def owned(site: Intention) -> dict[int, str]:
    """Slots that a tenant has whole."""
    return {
        slot: name
        for name, tenant in site["tenants"].items()
        for spans in server_spans(tenant.get("servers", ())).values()
        for span in spans
        for slot in range(span.first, span.last + 1)
    }


def give(site: Intention, owners: dict[int, str]) -> None:
    """Write who has which whole server."""
    for name, tenant in site["tenants"].items():
        tenant["servers"] = [f"train[{slot}]" for slot, owner in sorted(owners.items()) if owner == name]


def in_part(site: Intention) -> set[int]:
    """Slots of which tenants have single NICs."""
    return {int(text[6:].partition("]")[0]) for tenant in site["tenants"].values() for text in tenant.get("nics", ())}


def move_server(site: Intention, dice: Random) -> bool:
    owners, slot = owned(site), dice.choice(SLOTS)
    to = dice.choice([*site["tenants"], ""])
    if site["scenarios"] or slot in in_part(site) or owners.get(slot, "") == to:
        return False
    give(site, {**owners, slot: to})
    return True


def move_nics(site: Intention, dice: Random) -> bool:
    slot, nics, to = dice.choice(SLOTS), dice.choice(NICS), dice.choice(list(site["tenants"]))
    text = f"train[{slot}]/{nics}"
    if site["scenarios"] or slot in owned(site) or text in site["tenants"][to].get("nics", ()):
        return False
    for tenant in site["tenants"].values():
        tenant["nics"] = [other for other in tenant.get("nics", ()) if other != text]
    site["tenants"][to]["nics"].append(text)
    return True


def override(site: Intention, dice: Random) -> bool:
    name = dice.choice(SWITCHES)
    state = dice.choice(["drained", "dead", "absent", "active"])
    site["overrides"] = {key: value for key, value in site["overrides"].items() if key != name}
    if state != "active":
        site["overrides"][name] = {"state": state}
    return True


def scenario(site: Intention, dice: Random) -> bool:
    if site["scenarios"]:
        site["scenarios"] = {}
        return True
    whole = sorted(owned(site))
    if not whole:
        return False
    slots = dice.sample(whole, min(3, len(whole)))
    to = dice.choice(list(site["tenants"]))
    added = [f"train[{slot}]" for slot in slots if owned(site)[slot] != to]
    site["scenarios"] = {"night": {to: {"add": added}}} if added else {}
    return bool(added)


def add_tenant(site: Intention, dice: Random) -> bool:
    free = [slot for slot in SLOTS if slot not in owned(site) and slot not in in_part(site)]
    name = f"t{dice.randrange(6)}"
    if not free or name in site["tenants"] or site["scenarios"]:
        return False
    site["tenants"][name] = {"servers": [f"train[{dice.choice(free)}]"]}
    return True


def add_server(site: Intention, dice: Random) -> bool:
    slots = site["servers"]["train"]["slots"]
    free = [slot for slot in SLOTS if slot not in slots]
    if not free:
        return False
    site["servers"]["train"]["slots"] = sorted([*slots, dice.choice(free)])
    return True


Edit = Callable[[Intention, Random], bool]
EDITS: dict[str, Edit] = {
    edit.__name__: edit for edit in (move_server, move_nics, override, scenario, add_tenant, add_server)
}
SAME_BYTES = ("override", "add_server")
"""Edits that no line of the lock is written for."""


def judge(kind: str, before: Snapshot, after: dict[str, Snapshot]) -> None:
    """Whatever stood has its values, in every scenario; `present` alone may come with a server."""
    for name, shot in after.items():
        may = ("present",) if kind == "add_server" else ()
        wrong = [
            (key, value, shot.values[key])
            for key, value in before.values.items()
            if key in shot.values and shot.values[key] != value and key[0] not in may
        ]
        assert not wrong, (kind, name, wrong[:3])
        assert set(before.lock.splitlines()) - {"ids: []"} <= set(shot.lock.splitlines())
        if kind in SAME_BYTES:
            assert shot.lock == before.lock
    assert len({shot.lock for shot in after.values()}) == 1, "whichever scenario is rendered first"


@pytest.mark.parametrize("links", some(["unnumbered", "ipv4"]))
def test_who_owns_a_server_and_what_is_broken_moves_no_number(links: str) -> None:
    done: Counter[str] = Counter()
    for seed in range(HISTORIES):
        dice = Random(seed)
        site = first(links)
        shot = snapshot(plans(site)["base"])
        for _ in range(STEPS):
            kind = dice.choice(sorted(EDITS))
            after = deepcopy(site)
            if not EDITS[kind](after, dice):
                continue
            try:
                found = {name: snapshot(plan) for name, plan in plans(after, shot.lock).items()}
            except FabricError:  # a tenant that has nothing left
                continue
            judge(kind, shot, found)
            done[kind] += 1
            site, shot = after, found["base"]
    assert min(done[kind] for kind in EDITS) >= 2, done
