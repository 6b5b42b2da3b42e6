"""How readers take values out of a tree. What nobody takes is left: those lines are unread."""

from collections.abc import Iterable, Iterator
from typing import Any

from fabricgen.platforms.srlinux.readback.document import Leaf, Tree

ENABLE = "enable"
KEYS = ("name", "rolename", "path-reference", "event-type", "facility-name", "buffer-name", "file-name", "route-type")
"""Keys of lists that are read by their paths (YANG)."""


def block(tree: Tree, *keys: str) -> Tree:
    """The object at a path of keys, which count as read; empty where there is none."""
    here = tree
    for key in keys:
        below = here.get(key)
        if type(below) is not dict:
            return {}
        below.pop(None, None)
        here = below
    return here


def rows(tree: Tree, *keys: str) -> Iterator[tuple[Tree, int]]:
    """The objects of a list at a path of keys, each with its line."""
    here = block(tree, *keys[:-1]).get(keys[-1])
    for row in here if type(here) is list else ():
        if type(row) is dict:
            yield row, row.pop(None, 0)


def once(entries: Iterable[tuple[Tree, int]], key: str) -> Iterator[tuple[Tree, str, int]]:
    """Objects of a list, each with its key and the line of that. One with the key of another is left unread."""
    seen: set[str] = set()
    for row, line in entries:
        name, at = text(row, key) or ("", line)
        if name and name in seen:
            row[None] = at
        else:
            seen.add(name)
            yield row, name, at or line


def value(tree: Tree, key: str) -> Leaf | None:
    """The value of a key. Taken, if it is no object and no list."""
    found = tree.get(key)
    if type(found) is not Leaf:
        return None
    del tree[key]
    return found


def text(tree: Tree, key: str) -> tuple[str, int] | None:
    """A text and its line; another value stays."""
    found = tree.get(key)
    if type(found) is not Leaf or type(found.value) is not str:
        return None
    del tree[key]
    return found.value, found.line


def only(tree: Tree, key: str, *allowed: str) -> tuple[str, int] | None:
    """A text that is one of these; another value stays."""
    found = tree.get(key)
    return text(tree, key) if type(found) is Leaf and found.value in allowed else None


def number(tree: Tree, key: str) -> tuple[int, int] | None:
    """A number and its line. Numbers of 64 bits are texts (RFC 7951); another value stays."""
    found = tree.get(key)
    if type(found) is not Leaf:
        return None
    digits = digit(found.value)
    if digits < 0:
        return None
    del tree[key]
    return digits, found.line


def digit(found: Any) -> int:  # noqa: ANN401 - JSON
    """A whole number that is not negative; -1 for another value."""
    if type(found) is int:
        return found if found >= 0 else -1
    if type(found) is str and found.isascii() and found.isdigit() and len(found) < 18:
        return int(found)
    return -1


def flag(tree: Tree, key: str, default: bool = False) -> tuple[bool, int]:
    """A boolean and its line; the default has line 0."""
    found = tree.get(key)
    if type(found) is not Leaf or type(found.value) is not bool:
        return default, 0
    del tree[key]
    return found.value, found.line


def state(tree: Tree, default: bool = True) -> tuple[bool, int]:
    """Whether `admin-state` is enable, and its line; the default has line 0."""
    found = tree.get("admin-state")
    if type(found) is not Leaf or found.value not in (ENABLE, "disable"):
        return default, 0
    del tree["admin-state"]
    return found.value == ENABLE, found.line


def values(tree: Tree, key: str) -> list[Leaf]:
    """The values of a list. Taken; objects stay."""
    found = tree.get(key)
    if type(found) is not list:
        return []
    taken = [one for one in found if type(one) is Leaf]
    tree[key] = [one for one in found if type(one) is not Leaf]
    return taken


def texts(tree: Tree, key: str) -> list[tuple[str, int]]:
    """The values of a list, as texts with their lines."""
    return [(str(one.value), one.line) for one in values(tree, key)]


def flat(tree: Tree) -> Iterator[tuple[str, int]]:
    """All of an object, each value as its path of keys and itself; entries of lists by their first value."""
    for key in [*tree]:
        found = tree.pop(key)
        if key is not None:
            yield from _flat(found, key)


def _flat(found: Any, path: str) -> Iterator[tuple[str, int]]:  # noqa: ANN401 - JSON
    if type(found) is dict:
        for one, line in flat(found):
            yield f"{path} {one}", line
    elif type(found) is list:
        for entry in found:
            yield from _flat(entry, _named(path, entry))
    else:
        shown = str(found.value).lower() if type(found.value) is bool else str(found.value)
        yield f"{path} {shown}", found.line


def _named(path: str, entry: Any) -> str:  # noqa: ANN401 - JSON
    if type(entry) is not dict:
        return path
    entry.pop(None, None)
    name = next((key for key in KEYS if type(entry.get(key)) is Leaf), None)
    return f"{path} {entry.pop(name).value}" if name is not None and len(entry) > 1 else path
