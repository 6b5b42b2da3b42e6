"""Upgrades of intents with older schemas: one pure step per version, on the parsed document.

Only the baseline of a comparison is upgraded. An intent that is rendered has this release's version, so that a person
has read it. A step moves keys and keeps their places, so that a problem still names the line in the old file.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from fabricgen.errors import IntentPath, Problem, Source
from fabricgen.source.document import Document

KEY = "fabricgen"
VERSION = 1
"""Version of the schema in `intent.model`."""

ANY = "*"
"""Part of a pattern that matches every key and list position."""

Step = Callable[[Document], Document]
"""Turns a document of one version into the next; `upgraded` sets the version number itself."""

NO_STEPS: Mapping[int, Step] = MappingProxyType({})
STEPS: Mapping[int, Step] = MappingProxyType({})
"""Version → the step to the next one. Version 1 is the first."""


def version_of(document: Document) -> int | None:
    """Return the version that a document has; None where it has none that is a number."""
    version = document.value.get(KEY) if isinstance(document.value, dict) else None
    return version if isinstance(version, int) and not isinstance(version, bool) else None


def upgraded(document: Document, steps: Mapping[int, Step], newest: int = VERSION) -> Document:
    """Return the document as version `newest`, or as far as the steps go; unchanged where none applies."""
    version = version_of(document)
    while version is not None and version < newest and version in steps:
        document = steps[version](document)
        version += 1
        document = document._replace(value={**_mapping(document.value), KEY: version})
    return document


def version_problem(document: Document) -> Problem | None:
    """Return the problem of a document with another version; None where it has this one, or none at all."""
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
    """Return the document with each key that matches `pattern` renamed, unless it has a sibling of the new name.

    pattern  path of the key, with ANY in it: ("fabrics", "*", "hold") for `hold` of every fabric
    """
    paths = {
        path
        for path in document.keys
        if _matches(path, pattern) and (*path[:-1], name) not in document.keys
    }  # fmt: skip
    return document._replace(
        value=_value(document.value, (), paths, name),
        places=_moved(document.places, paths, name),
        keys=_moved(document.keys, paths, name),
    )


def _matches(path: IntentPath, pattern: IntentPath) -> bool:
    return len(path) == len(pattern) and all(want in (ANY, part) for part, want in zip(path, pattern, strict=True))


def _value(value: object, here: IntentPath, paths: set[IntentPath], name: str) -> object:
    match value:
        case dict():
            return {
                name if (*here, key) in paths else key: _value(child, (*here, key), paths, name)
                for key, child in value.items()
            }
        case list():
            return [_value(child, (*here, index), paths, name) for index, child in enumerate(value)]
    return value


def _moved(places: Mapping[IntentPath, Source], paths: set[IntentPath], name: str) -> dict[IntentPath, Source]:
    depths = {len(path) for path in paths}
    moved: dict[IntentPath, Source] = {}
    for path, source in places.items():
        depth = next((depth for depth in depths if path[:depth] in paths), 0)
        moved[(*path[: depth - 1], name, *path[depth:]) if depth else path] = source
    return moved


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
