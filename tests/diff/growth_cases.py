"""Edits of inventories/ that let a site grow, shrink or be called otherwise, each as replacements of its text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

Edit = tuple[str, str]
Change = Edit | Callable[[str], str]
Kind = Literal["grows", "shrinks", "renames", "stays"]


def reordered(text: str) -> str:
    """The same intent with every mapping in the opposite order."""

    def turned(value: Any) -> Any:  # noqa: ANN401 - what YAML may hold
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(list(value))}
        return [turned(each) for each in value] if isinstance(value, list) else value

    return yaml.safe_dump(turned(yaml.safe_load(text)), sort_keys=False)


@dataclass(frozen=True, kw_only=True)
class Case:
    """An edit of an inventory.

    first     edits before the first render: what the site stands as
    edits     the change
    recabled  cables that end elsewhere, counted by hand from the formula of the cabling
    names     names after → names before, of what the edit renames
    lock      whether the lock of the inventory stands beside it; else it is a site that was planned so at first
    """

    site: str
    lock: bool = True
    edits: tuple[Change, ...]
    first: tuple[Change, ...] = ()
    kind: Kind = "grows"
    recabled: int = 0
    names: Mapping[str, str] = field(default_factory=dict)


TRAIN = "train: {model: dgx-h100, slots: 0-31, planned: 192}"
STORE = "store: {model: storage-2x200, slots: 0-7, planned: 24}"
SPINES = "spines: {now: 4, planned: 16}"
FRONTEND = 'oversubscription: "3:1", border_leaves: 2}'
CONNECTS = "connects: {train: frontend, store: data}"
FRR_TRAIN = "train: {model: dgx-h100, slots: 0-7}"
FRR_STORE = "store: {model: storage-2x200, slots: 0-3}"
FRR_SPINES = "spines: {now: 2, planned: 2}"
TENANT = """
  batch:
    servers: ["train[32-39]"]
    networks: {hosts: {vlan: 130, subnets: [172.20.0.0/20]}, more: {vlan: 131, subnets: [172.20.16.0/20]}}
"""


def train(slots: str, planned: int = 192) -> Edit:
    return (TRAIN, f"train: {{model: dgx-h100, slots: {slots!r}, planned: {planned}}}")


def store(slots: str, planned: int = 24) -> Edit:
    return (STORE, f"store: {{model: storage-2x200, slots: {slots!r}, planned: {planned}}}")


def spines(now: int, planned: int = 16) -> Edit:
    return (SPINES, f"spines: {{now: {now}, planned: {planned}}}")


def frontend_spines(now: int, planned: int = 8) -> Edit:
    return (FRONTEND, f'oversubscription: "3:1", border_leaves: 2, spines: {{now: {now}, planned: {planned}}}}}')


def group(text: str, name: str, slots: str) -> tuple[Edit, Edit]:
    """One more group of storage servers on the frontend. `text`: the store's line."""
    return (
        (text, f"{text}\n  {name}: {{model: storage-2x200, slots: {slots}}}"),
        (CONNECTS, f"connects: {{train: frontend, store: data, {name}: data}}"),
    )


def without_tenant(name: str) -> Callable[[str], str]:
    """The intent with a tenant taken out, and out of the imports of the others."""

    def cut(text: str) -> str:
        found = re.sub(rf"(?ms)^  {name}:\n.*?(?=^  \w+:\n|\Z)", "", text)
        assert found != text
        return found

    return cut


def more(text: str) -> Callable[[str], str]:
    return lambda intent: f"{intent.rstrip()}\n{text.strip(chr(10))}\n"


RENAMED_GROUP: tuple[Change, ...] = (
    ("  store: {model", "  disks: {was: store, model"),
    (CONNECTS, "connects: {train: frontend, disks: data}"),
    lambda text: text.replace('"store[', '"disks['),
)

# Counts of `recabled` by hand. Leaves of the demo's backend have 64 uplinks, uplink u on spine u mod S: of S -> 2 S
# those with u mod 2S < S and an even... (u div S) stay, which is a half: 32 of 64 a leaf.
CASES: dict[str, Case] = {
    "a scalable unit more": Case(site="demo", edits=(train("0-63"),)),
    "two units more, and the 8 spines that they need": Case(
        site="demo", edits=(train("0-95"), spines(8)), recabled=4 * 32
    ),
    "spines 4 to 8 of 16 planned": Case(site="demo", edits=(spines(8),), recabled=4 * 32),
    "spines 8 to 16": Case(site="demo", first=(spines(8),), edits=((spines(8)[1], spines(16)[1]),), recabled=4 * 32),
    "spines 8 back to 4": Case(
        site="demo", first=(spines(8),), edits=((spines(8)[1], spines(4)[1]),), kind="shrinks", recabled=4 * 32
    ),
    "a spine more on an m = 1 frontend": Case(
        site="demo", lock=False, first=(frontend_spines(4),), edits=((frontend_spines(4)[1], frontend_spines(5)[1]),)
    ),
    "four spines more on an m = 1 frontend": Case(
        site="demo", lock=False, first=(frontend_spines(4),), edits=((frontend_spines(4)[1], frontend_spines(8)[1]),)
    ),
    "spines planned later, where the blocks have room": Case(
        site="demo",
        lock=False,
        # At 2:1 six uplinks have blocks of 16 addresses, in which there is room for eight.
        first=((FRONTEND, 'oversubscription: "2:1", border_leaves: 2, spines: {now: 6}}'),),
        edits=(("spines: {now: 6}", "spines: {now: 7, planned: 8}"),),
    ),
    "the spines that stand, written out": Case(site="demo", edits=(frontend_spines(4, 4),), kind="stays"),
    "a tenant more": Case(site="demo", first=(train("0-39"),), edits=(more(TENANT),)),
    "a tenant more that sorts first": Case(
        site="demo", first=(train("0-39"),), edits=(more(TENANT.replace("batch", "a-first")),)
    ),
    "a network more": Case(
        site="demo",
        edits=(("networks: {data: {", "networks: {a-first: {vlan: 19, subnets: [172.21.0.0/20]}, data: {"),),
    ),
    "storage servers more": Case(
        site="demo", edits=(store("0-15"), ('servers: ["store[0-7]"]', 'servers: ["store[0-15]"]'))
    ),
    "a storage group more": Case(site="demo", edits=group(STORE, "tapes", "0-11")),
    "a leaf pair inserted third: a group that sorts first": Case(site="demo", edits=group(STORE, "archive", "0-11")),
    "a unit inserted in the middle": Case(
        site="demo", first=(train("0-31,64-95"), spines(8)), edits=((train("0-31,64-95")[1], train("0-95")[1]),)
    ),
    "past the plan: a new segment": Case(site="demo", edits=(train("0-31", 256), store("0-7", 48))),
    "past the plan, and standing there": Case(
        site="demo", first=(spines(16),), edits=((TRAIN, train("0-31,192-223", 256)[1]), store("0-7,24-31", 48))
    ),
    "a unit removed from the middle": Case(
        site="demo",
        first=(train("0-95"), spines(8)),
        edits=((train("0-95")[1], train("0-31,64-95")[1]),),
        kind="shrinks",
    ),
    "the first servers removed": Case(
        site="demo",
        first=(
            train("0-95"),
            spines(8),
            ('servers: ["train[0-15]"]', 'servers: ["train[32-47]"]'),
            ('servers: ["train[16-31]"]', 'servers: ["train[48-63]"]'),
        ),
        kind="shrinks",
        edits=((train("0-95")[1], train("32-95")[1]),),
    ),
    "a tenant removed": Case(site="demo", edits=(without_tenant("research"),), kind="shrinks"),
    "a fabric renamed": Case(
        site="demo", edits=(("  backend:\n", "  gpus:\n    was: backend\n"),), kind="renames", names={"gpus": "backend"}
    ),
    "the other fabric renamed": Case(
        site="demo",
        edits=(("  frontend:\n", "  users:\n    was: frontend\n"),),
        kind="renames",
        names={"users": "frontend"},
    ),
    "a server group renamed": Case(site="demo", edits=RENAMED_GROUP, kind="renames", names={"disks": "store"}),
    "a tenant renamed": Case(
        site="demo",
        edits=(("  research:\n", "  science:\n    was: research\n"),),
        kind="renames",
        names={"science": "research", "SCIENCE": "RESEARCH"},
    ),
    "every mapping in the opposite order": Case(site="demo", edits=(reordered,), kind="stays"),
    "frr: servers more": Case(site="frr", edits=((FRR_TRAIN, FRR_TRAIN.replace("0-7", "0-15")),)),
    "frr: past the plan, with the 4 spines that it needs": Case(
        site="frr",
        # 4 leaves of 64 uplinks; 2 -> 4 spines leaves a half.
        edits=((FRR_TRAIN, FRR_TRAIN.replace("0-7", "0-39")), (FRR_SPINES, "spines: {now: 4, planned: 4}")),
        recabled=4 * 32,
    ),
    "frr: storage servers more": Case(site="frr", edits=((FRR_STORE, FRR_STORE.replace("0-3", "0-15")),)),
    "frr: a storage group that sorts first": Case(site="frr", edits=group(FRR_STORE, "archive", "0-3")),
    "frr: a spine more on an m = 1 frontend": Case(
        site="frr", lock=False, first=(frontend_spines(4),), edits=((frontend_spines(4)[1], frontend_spines(5)[1]),)
    ),
    "frr: a tenant more that sorts first": Case(
        site="frr",
        first=((FRR_TRAIN, FRR_TRAIN.replace("0-7", "0-15")),),
        edits=(more(TENANT.replace("32-39", "8-15").replace("batch", "a-first")),),
    ),
    "frr: a tenant removed": Case(site="frr", edits=(without_tenant("serving"),), kind="shrinks"),
    "frr: a server group renamed": Case(site="frr", edits=RENAMED_GROUP, kind="renames", names={"disks": "store"}),
    "frr: every mapping in the opposite order": Case(site="frr", edits=(reordered,), kind="stays"),
}

RESTORED = {
    "a unit removed from the middle, restored": "a unit removed from the middle",
    "the first servers removed, restored": "the first servers removed",
    "a tenant removed, restored": "a tenant removed",
    "spines 8 back to 4, and 8 again": "spines 8 back to 4",
    "a unit more, taken back": "a scalable unit more",
    "a group more, taken back": "a leaf pair inserted third: a group that sorts first",
    "a tenant more, taken back": "a tenant more that sorts first",
    "a spine more, taken back": "a spine more on an m = 1 frontend",
    "a fabric renamed, taken back": "a fabric renamed",
    "frr: a tenant removed, restored": "frr: a tenant removed",
    "frr: a storage group more, taken back": "frr: a storage group that sorts first",
}
