"""Read a folder with a Nornir inventory into Nornir's own objects, and report each mistake with its position.

The files are those of Nornir's SimpleInventory: hosts.yaml, and optionally groups.yaml and defaults.yaml. A secret is a
reference, "${env:NAME}" or "${file:PATH}" (below the folder), and is read when a switch is connected to.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nornir.core.inventory import ConnectionOptions, Defaults, Group, Groups, Host, Hosts, Inventory, ParentGroups
from pydantic import BaseModel, ConfigDict, RootModel

from fabricgen.base.secret import WRITTEN
from fabricgen.errors import FabricError, IntentPath, Problem, did_you_mean
from fabricgen.source.document import Document, read_document
from fabricgen.source.validate import validate
from fabricgen.verify.collect.connection import SECRETS

HOSTS, GROUPS, DEFAULTS = "hosts.yaml", "groups.yaml", "defaults.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    hostname: str | None = None
    port: int | None = None
    username: str | None = None
    password: str | None = None
    platform: str | None = None


class _Options(_Strict):
    extras: dict[str, object] | None = None


class _Defaults(_Strict):
    data: dict[str, object] | None = None
    connection_options: dict[str, _Options] | None = None


class _Element(_Defaults):
    groups: list[str] | None = None


class _Elements(RootModel[dict[str, _Element | None]]):
    pass


class InventoryError(FabricError):
    """Problems of an inventory, and its documents with all secrets removed."""

    def __init__(self, problems: Iterable[Problem], documents: tuple[Document, ...]) -> None:
        super().__init__(problems)
        self.documents = documents


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteInventory:
    """An inventory that was read.

    lab  value of `data: {lab: …}` in defaults.yaml; None for real switches
    """

    folder: Path
    nornir: Inventory
    documents: tuple[Document, ...]

    @property
    def lab(self) -> Mapping[str, object] | None:
        """The lab's description of itself."""
        lab_data = self.nornir.defaults.data.get("lab")
        return lab_data if isinstance(lab_data, dict) else None


def read_inventory(folder: Path) -> SiteInventory:
    """Read an inventory. Raises InventoryError with all mistakes of one file, or of all files together."""
    documents: list[Document] = []
    _require_target(folder / HOSTS)
    try:
        hosts = _elements(folder / HOSTS, documents)
        groups = _elements(folder / GROUPS, documents) if _exists(folder / GROUPS) else {}
        defaults = _defaults(folder / DEFAULTS, documents)
        problems = [*_written_secrets(documents), *_group_problems(hosts, groups, documents)]
    except FabricError as error:
        problems = list(error.problems)
    if problems:
        raise InventoryError(problems, tuple(_hidden(document) for document in documents))
    shared = Defaults(**_own(defaults))
    nornir_groups = Groups({name: Group(name=name, **_own(group), defaults=shared) for name, group in groups.items()})
    for name, group in groups.items():
        nornir_groups[name].groups = ParentGroups(nornir_groups[parent] for parent in group.groups or ())
    switches = Hosts({name: Host(name=name, **_own(host), defaults=shared) for name, host in hosts.items()})
    for name, host in hosts.items():
        switches[name].groups = ParentGroups(nornir_groups[parent] for parent in host.groups or ())
    nornir = Inventory(hosts=switches, groups=nornir_groups, defaults=shared)
    return SiteInventory(folder=folder, nornir=nornir, documents=tuple(documents))


def _exists(path: Path) -> bool:
    """Whether a path exists, even as a dangling link. False for a name that no file can have."""
    return os.path.lexists(path)


def _require_target(hosts: Path) -> None:
    """Raise InventoryError for a link to a missing inventory: a lab's inventory is written when it starts."""
    if _exists(hosts) and hosts.is_symlink() and not hosts.exists():
        problem = Problem(
            code="inventory-gone",
            what=f"{hosts} is a link to {hosts.readlink()}, which does not exist",
            why="it is the inventory of a lab, and exists only while the lab is running",
            fix=f"fabricgen lab up {hosts.parent / 'intent.yaml'}",
        )
        raise InventoryError([problem], ())


def _elements(path: Path, documents: list[Document]) -> dict[str, _Element]:
    documents.append(read_document(path))
    if documents[-1].value is None:
        return {}
    return {name: element or _Element() for name, element in validate(_Elements, documents[-1]).root.items()}


def _defaults(path: Path, documents: list[Document]) -> _Defaults:
    if not _exists(path):
        return _Defaults()
    documents.append(read_document(path))
    return validate(_Defaults, documents[-1]) if documents[-1].value is not None else _Defaults()


def _own(element: _Defaults) -> dict[str, Any]:
    """Arguments of a Nornir object, except its groups."""
    arguments = {name: getattr(element, name) for name in _Strict.model_fields}
    options = element.connection_options or {}
    connection_options = {name: ConnectionOptions(**option.model_dump()) for name, option in options.items()}
    return arguments | {"data": dict(element.data or {}), "connection_options": connection_options}


def _written_secrets(documents: Iterable[Document]) -> Iterator[Problem]:
    for document in documents:
        for path in _secret_paths(document):
            yield Problem(
                code="inventory-secret",
                what=f"{document.file} has a secret in clear text",
                why="an inventory is kept in git and has many readers",
                fix='write a reference such as "${env:SWITCH_PASSWORD}" and set that variable before you run verify',
                at=document.place(path),
            )


def _secret_paths(document: Document) -> Iterator[IntentPath]:
    named = 0 if Path(document.file).name == DEFAULTS else 1  # before it is a host's or group's name
    for path in document.places:
        if path[named:] and path[-1] in SECRETS and path[named] != "data":
            value = value_at(document, path)
            if value is not None and not (isinstance(value, str) and WRITTEN.fullmatch(value)):
                yield path


def value_at(document: Document, path: IntentPath) -> object:
    """Return the value at a path that has a position."""
    value = document.value
    for part in path:
        value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
    return value


def _hidden(document: Document) -> Document:
    """A document without the lines from which a secret could be read."""
    lines = list(document.lines)
    for path in _secret_paths(document):
        # A secret may continue over several lines.
        first, last = document.keys.get(path, document.places[path]).line, document.places[path].line
        for number in range(first, last + str(value_at(document, path)).count("\n") + 1):
            if number <= len(lines):
                lines[number - 1] = ""
    return document._replace(lines=tuple(lines))


def _group_problems(
    hosts: Mapping[str, _Element], groups: Mapping[str, _Element], documents: list[Document]
) -> Iterator[Problem]:
    for document, elements in zip(documents, (hosts, groups), strict=False):
        for name, element in elements.items():
            for number, parent in enumerate(element.groups or ()):
                if parent not in groups:
                    yield Problem(
                        code="inventory-group",
                        what=f"{name} is in the unknown group {parent}",
                        why=f"groups.yaml has {', '.join(groups) or 'none'}",
                        fix=did_you_mean(parent, groups) if groups else "add the group to groups.yaml",
                        at=document.place((name, "groups", number)),
                    )
    for name in groups:
        if _is_above(name, name, groups, set()):
            yield Problem(
                code="inventory-circle",
                what=f"the group {name} contains itself",
                why="a group inherits from its own groups, and these form a circle",
                fix="remove one group from the circle",
                at=documents[1].keys[name,],
            )


def _is_above(name: str, group: str, groups: Mapping[str, _Element], visited: set[str]) -> bool:
    """Whether group `name` is among the groups that `group` belongs to, directly or not."""
    if group in visited or group not in groups:
        return False
    visited.add(group)
    parents = groups[group].groups or ()
    return name in parents or any(_is_above(name, parent, groups, visited) for parent in parents)
