"""The corpus of labelled changes: what each is, the facts it makes, and the risk that its source gives it.

corpus/<platform>.yaml holds the labels, corpus/<platform>/intent.yaml what they change. An entry edits the intent
(`set`: dotted key → value, null deletes; `rename`: dotted key → new name, with `was`) or one switch (`device`: name,
path, and `to` or `drop`).
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.compare.device import changes_between
from fabricgen.device.device import Device
from fabricgen.diff.classes import risk_of
from fabricgen.diff.derived import derived_changes
from fabricgen.diff.pairs import pairs, renamed, without_renamed_ends
from fabricgen.plan.lock import write_lock
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Risk
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import devices, resolve
from fabricgen.site.workspace import LOCK, open_workspace
from fabricgen.source.document import read_document

FOLDER = Path(__file__).parent / "corpus"
SYSTEMS = ("eos", "frr")
RISKS = {risk.words: risk for risk in Risk}
_PART = re.compile(r"(?P<name>[a-z0-9_]+)|\[(?P<index>\d+)\]")


class Labelled(NamedTuple):
    """One change of the corpus."""

    system: str
    name: str
    edit: Mapping[str, object]
    rename: Mapping[str, str]
    device: Mapping[str, object]
    is_reverse: bool
    facts: tuple[str, ...]
    risk: Risk
    source: str


class Never(NamedTuple):
    """A kind of fact that a platform cannot have."""

    kind: str
    why: str


def read(system: str) -> tuple[tuple[Labelled, ...], tuple[Never, ...]]:
    """Labels of one platform, and the kinds that it never has."""
    rows: Any = yaml.safe_load((FOLDER / f"{system}.yaml").read_text())
    never = tuple(Never(**row) for row in rows if "kind" in row)
    return tuple(_labelled(system, row) for row in rows if "name" in row), never


def _labelled(system: str, row: Mapping[str, Any]) -> Labelled:
    unknown = set(row) - {"name", "set", "rename", "device", "reverse", "facts", "risk", "source"}
    assert not unknown, f"{row['name']}: {unknown}"
    return Labelled(
        system=system,
        name=row["name"],
        edit=row.get("set", {}),
        rename=row.get("rename", {}),
        device=row.get("device", {}),
        is_reverse=row.get("reverse", False),
        facts=tuple(row["facts"]),
        risk=RISKS[row["risk"]],
        source=row["source"],
    )


def facts_of(labelled: Labelled, folder: Path) -> tuple[DeviceChange, ...]:
    """Every fact that the change makes, on whatever switch. folder: empty, for the edited intent."""
    if labelled.device:
        before, after = edited_device(labelled)
        old, new = (after, before) if labelled.is_reverse else (before, after)
        return (*changes_between(old, new), *derived_changes(old, new))
    base, changed = base_plan(labelled.system), _edited_plan(labelled, folder)
    return tuple(between(changed, base) if labelled.is_reverse else between(base, changed))


def predicted(labelled: Labelled, found: tuple[DeviceChange, ...]) -> Risk:
    """What a diff says of a change: the worst of its facts by the platform's table."""
    costs = PLATFORMS[labelled.system].costs
    return max((*(risk_of(costs.get(fact.kind), fact) for fact in found), Risk.NONE))


def between(before: Plan, after: Plan) -> Iterator[DeviceChange]:
    """Facts of all switches of two plans; a switch on one side only is one fact."""
    found = pairs(before, after)
    names = renamed(found)
    for pair in found:
        if pair.before is None or pair.after is None:
            name = pair.name_after or pair.name_before
            change = ChangeOp.ADDED if pair.before is None else ChangeOp.REMOVED
            yield DeviceChange("device", change, "", *(("", name) if pair.before is None else (name, "")))
            continue
        old = _device(before, pair.name_before, pair.before)
        new = _device(after, pair.name_after, pair.after)
        yield from without_renamed_ends(changes_between(old, new), names)
        yield from derived_changes(old, new)


def _device(plan: Plan, name: str, place: Place) -> Device:
    """A switch of a plan; those that the changes start from are resolved once."""
    for system in SYSTEMS:
        if plan is base_plan(system):
            return base_devices(system)[name]
    return resolve(make_site(plan, place.fabric), place)


@cache
def base_plan(system: str) -> Plan:
    """What the changes start from."""
    return open_workspace(FOLDER / system / "intent.yaml").plan


@cache
def base_devices(system: str) -> Mapping[str, Device]:
    """Its switches by name."""
    return {device.name: device for device in devices(base_plan(system))}


def _edited_plan(labelled: Labelled, folder: Path) -> Plan:
    source = FOLDER / labelled.system
    shutil.copytree(source, folder, dirs_exist_ok=True)
    (folder / LOCK).write_text(write_lock(base_plan(labelled.system).lock))
    intent: Any = read_document(source / "intent.yaml").value
    for key, value in labelled.edit.items():
        _set(intent, key, value)
    for key, name in labelled.rename.items():
        section, was = key.split(".")
        intent[section][name] = {**intent[section].pop(was), "was": was}
    (folder / "intent.yaml").write_text(json.dumps(intent))  # JSON is YAML, without its surprises
    return open_workspace(folder / "intent.yaml").plan


def _set(intent: dict[str, Any], key: str, value: object) -> None:
    """Change one value. A key of an override may hold dots nowhere, and slashes."""
    *above, last = key.split(".")
    found = intent
    for part in above:
        found = found.setdefault(part, {}) if isinstance(found, dict) else found[int(part)]
    if isinstance(found, list):
        found[int(last)] = value
    elif value is None:
        del found[last]
    else:
        found[last] = value


def edited_device(labelled: Labelled) -> tuple[Device, Device]:
    """A switch before and after an edit of its own."""
    before = base_devices(labelled.system)[str(labelled.device["name"])]
    parts = [match["name"] or int(match["index"]) for match in _PART.finditer(str(labelled.device["path"]))]
    after = _replaced(before, parts, labelled.device)
    assert after != before, f"{labelled.name}: nothing is edited"
    return before, after


def _replaced(value: Any, parts: list[str | int], edit: Mapping[str, object]) -> Any:  # noqa: ANN401 - any field
    if not parts:
        return _typed(value, edit["to"])
    first, *rest = parts
    if isinstance(first, int):
        if not rest and edit.get("drop"):
            return (*value[:first], *value[first + 1 :])
        return (*value[:first], _replaced(value[first], rest, edit), *value[first + 1 :])
    inner = _replaced(getattr(value, first), rest, edit)
    if is_dataclass(value):
        assert first in {field.name for field in fields(value)}, first
        return replace(value, **{first: inner})  # type: ignore[type-var]
    return value._replace(**{first: inner})


def _typed(old: object, new: object) -> object:
    """The new value in the type of the old one: lists of YAML are tuples here, and rows keep their type."""
    if not isinstance(new, list):
        return new
    row = type(old[0]) if isinstance(old, tuple) and old and hasattr(old[0], "_fields") else None
    return tuple(row(*one) if row is not None and isinstance(one, list) else one for one in new)
