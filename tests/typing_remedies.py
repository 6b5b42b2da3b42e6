"""A remedy as an operator types it: the first thing to write of a fix, put where the problem stands."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import yaml

from fabricgen.errors import IntentPath, Problem

WRITE = re.compile(r"(?:^|\b)(?:write|accept it with|add) ([a-z_]+(?:\.[a-z_0-9-]+)*): (?!for |or )(.+)", re.DOTALL)
ENDS = (", or ", " or ", "; ", " and ", ", ", " where ", " for ", " on ", " in ", " there")
"""Where the value of a remedy may end and prose goes on, or another choice."""


class Typed(NamedTuple):
    """A key, from where the problem stands or from the root, and its value."""

    key: tuple[str, ...]
    value: object


def typed(fix: str) -> Typed | None:
    """What a fix says to write first; None for a fix in prose. Raises ValueError for what is no YAML."""
    found = WRITE.search(fix)
    if found is None:
        return None
    return Typed(tuple(found[1].split(".")), _value(found[2]))


def _value(text: str) -> object:
    """The shortest beginning that is a whole value."""
    for end in sorted({*_ends(text), len(text)}):
        piece = text[:end]
        if piece.count("[") != piece.count("]") or piece.count("{") != piece.count("}") or piece.count('"') % 2:
            continue
        try:
            return yaml.safe_load(piece)
        except yaml.YAMLError as error:
            raise ValueError(f"{piece} can not be typed") from error
    raise ValueError(f"{text} does not end")


def _ends(text: str) -> Iterator[int]:
    for end in ENDS:
        yield from (found.start() for found in re.finditer(re.escape(end), text))


def apply(document: dict[str, Any], problem: Problem, remedy: Typed) -> dict[str, Any]:
    """The document with the remedy in it."""
    changed = deepcopy(document)
    inside: Any = changed
    *ahead, last = _path(document, problem.where, remedy.key)
    for part in ahead:
        if isinstance(inside, dict) and part not in inside:
            inside[part] = {}
        inside = inside[part]
    inside[last] = remedy.value
    return changed


def _path(document: dict[str, Any], where: IntentPath, key: tuple[str, ...]) -> IntentPath:
    """Where a key is typed: at the root, in the block of that name above the problem, beside the value, or in it."""
    if len(key) > 1 and key[0] in document and key[1] in document[key[0]]:
        return key
    if key[0] in where and not (key[0] in document and len(key) == 1):
        at = len(where) - 1 - where[::-1].index(key[0])
        return (*where[:at], *key)
    return (*_block(document, where, key), *key)


def _block(document: dict[str, Any], where: IntentPath, key: tuple[str, ...]) -> IntentPath:
    """The block that a key is a part of, of those that hold the problem."""
    if key in (("relay_sources",), ("fabrics",)):
        return where[:2] if key == ("relay_sources",) else where[:4]
    if key[0] in document or key[0] == "waivers":
        return ()
    fabric = where[:2]
    own = document["fabrics"][fabric[1]] if fabric[:1] == ("fabrics",) and len(fabric) > 1 else {}
    return fabric if key[0] in own or key[0] == "roce" or fabric == where else where[:-1]
