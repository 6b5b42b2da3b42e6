"""Upgrades of intents with older schemas: one pure step per version, on the parsed document.

Only the baseline of a comparison is upgraded. An intent that is rendered has this release's version, so that a person
has read it. A step moves keys and keeps their places, so that a problem still names the line in the old file.
"""

from collections.abc import Callable, Mapping

from fabricgen.errors import IntentPath, Problem, Source
from fabricgen.intent.scenarios import SCENARIOS
from fabricgen.source.document import Document, mapping

KEY = "fabricgen"
VERSION = 1
"""Version of the schema in `intent.model`."""

Step = Callable[[Document], Document]
"""Turns a document of one version into the next; `upgraded` sets the version number itself."""


def renamed(document: Document, key: str, name: str) -> Document:
    """Return the document with a key of its top level renamed, unless it has one of the new name."""
    if (key,) not in document.keys or (name,) in document.keys:
        return document

    def moved(places: Mapping[IntentPath, Source]) -> dict[IntentPath, Source]:
        return {(name, *path[1:]) if path[:1] == (key,) else path: source for path, source in places.items()}

    value = {name if old == key else old: child for old, child in mapping(document.value).items()}
    return document._replace(value=value, places=moved(document.places), keys=moved(document.keys))


NO_STEPS: Mapping[int, Step] = {}
STEPS: Mapping[int, Step] = {1: lambda document: renamed(document, "postures", SCENARIOS)}
"""Version → the step to the next one; of the newest version: keys that were renamed without a new version."""


def version_of(document: Document) -> int | None:
    """Return the version that a document has; None where it has none that is a number."""
    version = mapping(document.value).get(KEY)
    return version if isinstance(version, int) and not isinstance(version, bool) else None


def upgraded(document: Document, steps: Mapping[int, Step], newest: int = VERSION) -> Document:
    """Return the document as version `newest`, or as far as the steps go; unchanged where none applies."""
    first = version_of(document)
    for version in range(first, newest + 1) if first is not None else ():
        if version not in steps:
            break
        document = steps[version](document)
        if version < newest:
            document = document._replace(value={**mapping(document.value), KEY: version + 1})
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
        fix=f"write {KEY}: {VERSION}, or use a newer fabricgen if the file was written for version {version}"
        if version > VERSION
        else f"bring its keys up to date (docs/intent.md), then write {KEY}: {VERSION}",
        where=(KEY,),
    )
