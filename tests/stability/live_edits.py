"""What people edit from day to day in sites that stand: overrides of all kinds, files beside the intent, the intent.

An edit turns a document; whether it is legal is for fabricgen to say, and one that is not is taken back.
"""

import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from fabricgen.plan.fabric import binding_of, chassis_of, name_of, places, port_text
from fabricgen.plan.plan import Plan

ROOT = Path(__file__).parents[2]
Random = random.Random
Document = dict[str, Any]
Edit = Callable[[Document, Plan, Random], None]

PODS = {
    "design": "rail-optimized",
    "rails_per_leaf": 2,
    "units_per_pod": 1,
    "spines": {"now": 4, "planned": 4},
    "superspines": {"now": 2, "planned": 2},
}


def first(name: str) -> Document:
    """An intent of the inventories; `three-tiers`: the demo's backend with two pods, and no frontend."""
    path = ROOT / "inventories" / ("demo" if name == "three-tiers" else name) / "intent.yaml"
    document: Document = yaml.safe_load(path.read_text())
    if name == "three-tiers":
        backend = document["fabrics"]["backend"]
        backend |= {"topology": PODS, "superspine": dict(backend["spine"])}
        document |= {"fabrics": {"backend": backend}, "tenants": {}}
        document["servers"] = {"train": {"model": "dgx-h100", "slots": "0-3,32-34", "planned": 64}}
    document.setdefault("overrides", {})
    return document


def a_switch(plan: Plan, dice: Random) -> str:
    fabric = dice.choice(list(plan.fabrics.values()))
    return name_of(fabric, dice.choice(list(places(fabric))))


def a_port(plan: Plan, dice: Random, *, up: bool = False) -> str:
    """A port of a switch with a cable, most of the time; `up`: towards another switch."""
    fabric = dice.choice(list(plan.fabrics.values()))
    uplinked = [place for place in places(fabric) if binding_of(fabric, place).up]
    place = dice.choice(uplinked)
    ports = binding_of(fabric, place).up if up else (*binding_of(fabric, place).up, *binding_of(fabric, place).down)
    return f"{name_of(fabric, place)}/{port_text(fabric, place, dice.choice(ports))}"


STATES = ("drained", "dead", "absent")


def state_of_switch(site: Document, plan: Plan, dice: Random) -> None:
    site["overrides"].setdefault(a_switch(plan, dice), {})["state"] = dice.choice(STATES)


def state_of_port(site: Document, plan: Plan, dice: Random) -> None:
    site["overrides"].setdefault(a_port(plan, dice), {})["state"] = dice.choice(STATES)


def state_of_cable(site: Document, plan: Plan, dice: Random) -> None:
    site["overrides"].setdefault(f"link:{a_port(plan, dice, up=True)}", {})["state"] = dice.choice(STATES)


def state_of_slot(site: Document, plan: Plan, dice: Random) -> None:
    group = dice.choice(list(site["servers"]))
    site["overrides"].setdefault(f"{group}[{dice.randrange(4)}]", {})["state"] = dice.choice(STATES)


def settings_of_switch(site: Document, plan: Plan, dice: Random) -> None:
    what = dice.choice(({"mtu": 9100}, {"bgp": {"hold_seconds": 30}}, {"management": {"ntp": ["10.0.0.77"]}}))
    site["overrides"].setdefault(a_switch(plan, dice), {}).update(deepcopy(what))


def settings_of_many(site: Document, plan: Plan, dice: Random) -> None:
    """By a glob: another selector may give the same switches what they had."""
    name = a_switch(plan, dice)
    site["overrides"].setdefault(f"{name[:-1]}*", {}).update({"bgp": {"hold_seconds": dice.choice((12, 30))}})


def release_of_switch(site: Document, plan: Plan, dice: Random) -> None:
    fabric = dice.choice(list(plan.fabrics.values()))
    place = dice.choice(list(places(fabric)))
    system = chassis_of(fabric, place).system
    release = {"eos-4.34": "eos-4.34.1"}.get(system, system)
    site["overrides"].setdefault(name_of(fabric, place), {})["os"] = release


def settings_of_port(site: Document, plan: Plan, dice: Random) -> None:
    what = dice.choice(({"description": "loaner"}, {"description": "spare"}, {"mtu": 9050}))
    site["overrides"].setdefault(a_port(plan, dice), {}).update(what)


def length_of_cable(site: Document, plan: Plan, dice: Random) -> None:
    site["overrides"].setdefault(f"link:{a_port(plan, dice, up=True)}", {})["length_m"] = dice.choice((10, 30, 45))


def take_back(site: Document, plan: Plan, dice: Random) -> None:
    if site["overrides"]:
        del site["overrides"][dice.choice(list(site["overrides"]))]


def raw_lines(site: Document, plan: Plan, dice: Random) -> None:
    line = {"system": "eos", "lines": [f"banner motd of {dice.randrange(9)}"], "device": a_switch(plan, dice)}
    site["raw"] = [line, *site.get("raw", [])][: dice.randrange(3)]


def servers(site: Document, plan: Plan, dice: Random) -> None:
    group = dice.choice(list(site["servers"].values()))
    head, _, tail = str(group["slots"]).rpartition("-")
    if head:
        group["slots"] = f"{head}-{max(int(tail) + dice.choice((-1, 1)), 3)}"


def time_server(site: Document, plan: Plan, dice: Random) -> None:
    site["management"]["ntp"] = [f"10.0.0.{dice.randrange(5, 9)}"]


def lengths(site: Document, plan: Plan, dice: Random) -> None:
    site.setdefault("cables", {}).setdefault("default", {})["leaf_spine"] = dice.choice((20, 30, 40))


def tenants(site: Document, plan: Plan, dice: Random) -> None:
    for tenant in site.get("tenants", {}).values():
        for network in tenant.get("networks", {}).values():
            network["vlan"] += dice.choice((0, 0, 1))


def cable_file(site: Document, plan: Plan, dice: Random) -> None:
    rows = {a_port(plan, dice, up=True): dice.choice(("12", "33")) for _ in range(dice.randrange(3))}
    site["cable_rows"] = "".join(f"{name.replace('/', ',', 1)},{length},\n" for name, length in rows.items())


def placement_file(site: Document, plan: Plan, dice: Random) -> None:
    group = next(iter(site["servers"]))
    slots = range(dice.randrange(4))
    site["placement_rows"] = "".join(f"{group}[{slot}],node-{dice.randrange(9)}{slot},r{slot}\n" for slot in slots)


EDITS: tuple[Edit, ...] = (
    state_of_switch,
    state_of_port,
    state_of_cable,
    state_of_slot,
    settings_of_switch,
    settings_of_many,
    release_of_switch,
    settings_of_port,
    length_of_cable,
    take_back,
    take_back,
    take_back,
    raw_lines,
    servers,
    time_server,
    lengths,
    tenants,
    cable_file,
    placement_file,
)


def write(site: Document, folder: Path) -> Path:
    """The intent and the files beside it."""
    folder.mkdir(exist_ok=True)
    document = deepcopy(site)
    cables, placement = document.pop("cable_rows", ""), document.pop("placement_rows", "")
    if cables:
        (folder / "cables.csv").write_text(f"device,port,length_m,kind\n{cables}")
        document.setdefault("cables", {})["file"] = "cables.csv"
    if placement:
        (folder / "servers.csv").write_text(f"slot,hostname,rack\n{placement}")
        document["placement"] = "servers.csv"
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


def edited(site: Document, plan: Plan, dice: Random) -> Document:
    """A copy with one edit, or two at once."""
    found = deepcopy(site)
    for edit in dice.choices(EDITS, k=dice.choice((1, 1, 2))):
        edit(found, plan, dice)
    return found
