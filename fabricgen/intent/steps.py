"""Intents of older schemas, brought up to this release's: one pure step a version, on the parsed document.

Only what a change is compared with goes through the steps. What is rendered is of this release's own version, and a
person has read it. A step moves keys and keeps their places, so that a problem still names the line in the old file.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from fabricgen.errors import IntentPath, Problem, Source
from fabricgen.source.document import Document

KEY = "fabricgen"
VERSION = 1
"""Version of the schema that `intent.model` is."""

ANY = "*"
"""Part of a pattern that stands for every key and list position."""

Step = Callable[[Document], Document]
"""A document of one version to the same one of the next; the number itself is not its business."""

NO_STEPS: Mapping[int, Step] = MappingProxyType({})
STEPS: Mapping[int, Step] = MappingProxyType({})
"""Version → the step to the next one. Version 1 is the first."""


def version_of(document: Document) -> int | None:
    """Version that a document says it has; None where it says none that is a number."""
    found = document.value.get(KEY) if isinstance(document.value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def upgraded(document: Document, steps: Mapping[int, Step], newest: int = VERSION) -> Document:
    """The document as version `newest`, or as far as the steps lead; as it is where none applies."""
    version = version_of(document)
    while version is not None and version < newest and version in steps:
        document = steps[version](document)
        version += 1
        document = document._replace(value={**_mapping(document.value), KEY: version})
    return document


def version_problem(document: Document) -> Problem | None:
    """What is wrong with the version that a document says; None where it has this one, or none at all."""
    version = version_of(document)
    if version is None or version == VERSION:
        return None
    return Problem(
        code="schema-version",
        what=f"{document.file} is written for version {version} of the schema",
        why=f"this fabricgen reads version {VERSION}",
        fix=f"use a fabricgen that reads version {version}"
        if version > VERSION
        else f"bring its keys up to date (docs/intent.md), then write {KEY}: {VERSION}",
        where=(KEY,),
    )


def renamed(document: Document, pattern: IntentPath, name: str) -> Document:
    """Give each key that matches `pattern` another name. One that has a sibling of that name keeps its own.

    pattern  path of the key, with ANY in it: ("fabrics", "*", "hold") for `hold` of every fabric
    """
    found = {
        path
        for path in document.keys
        if _matches(path, pattern) and (*path[:-1], name) not in document.keys
    }  # fmt: skip
    return document._replace(
        value=_value(document.value, (), found, name),
        places=_moved(document.places, found, name),
        keys=_moved(document.keys, found, name),
    )


def _matches(path: IntentPath, pattern: IntentPath) -> bool:
    return len(path) == len(pattern) and all(want in (ANY, part) for part, want in zip(path, pattern, strict=True))


def _value(value: object, at: IntentPath, found: set[IntentPath], name: str) -> object:
    match value:
        case dict():
            return {
                name if (*at, key) in found else key: _value(below, (*at, key), found, name)
                for key, below in value.items()
            }
        case list():
            return [_value(below, (*at, index), found, name) for index, below in enumerate(value)]
    return value


def _moved(places: Mapping[IntentPath, Source], found: set[IntentPath], name: str) -> dict[IntentPath, Source]:
    depths = {len(path) for path in found}
    moved: dict[IntentPath, Source] = {}
    for path, source in places.items():
        depth = next((depth for depth in depths if path[:depth] in found), 0)
        moved[(*path[: depth - 1], name, *path[depth:]) if depth else path] = source
    return moved


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
