"""Paths of keys that differ between two intents; values are never printed, as they may lead to a secret."""

from collections.abc import Iterator, Mapping

from fabricgen.errors import IntentPath
from fabricgen.intent.model import Intent


def differing(before: Intent, after: Intent) -> tuple[IntentPath, ...]:
    """Every key whose value differs, as deep as both sides have mappings, sorted. Defaults count as written."""
    return tuple(sorted(_paths((), before.model_dump(), after.model_dump()), key=lambda path: [*map(str, path)]))


def _paths(path: IntentPath, before: object, after: object) -> Iterator[IntentPath]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            if key in before and key in after:
                yield from _paths((*path, key), before[key], after[key])
            else:
                yield (*path, key)
    elif before != after:
        yield path
