"""Trees of a double of SR Linux: what stands at a path, what is merged into one, and how two differ."""

import re
from collections.abc import Iterator
from typing import Any

from fabricgen.platforms.srlinux.document import KEYS

Tree = dict[str, Any]
_STEP = re.compile(r"/([\w.-]+)((?:\[[\w-]+=[^\]]*\])*)")
_KEY = re.compile(r"\[([\w-]+)=([^\]]*)\]")


class RpcError(Exception):
    """A request that draws an error."""


def _plain(name: str) -> str:
    return name.rpartition(":")[2]


def found_at(tree: Tree, path: str) -> Tree:
    """Object at a path. Raises RpcError."""
    here: Any = tree
    steps = _STEP.findall(path)
    assert "".join(name and f"/{name}{keys}" for name, keys in steps) == (path if path != "/" else "")
    for name, keys in steps:
        here = next((held for key, held in here.items() if _plain(key) == name), None)
        if keys and isinstance(here, list):
            wanted = dict(_KEY.findall(keys))
            here = next((one for one in here if wanted.items() <= {k: str(v) for k, v in one.items()}.items()), None)
        if not isinstance(here, dict):
            raise RpcError(f"Path not valid - unknown element '{name}'")
    found: Tree = here
    return found


def merge(into: Tree, part: Tree) -> None:
    """Add a part to a tree, entries of lists by their keys."""
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        elif isinstance(value, list) and key in into:
            _join(_plain(key), into[key], value)
        else:
            into[key] = value


def _join(name: str, have: list[Any], values: list[Any]) -> None:
    for value in values:
        same = next((one for one in have if _identity(name, one) == _identity(name, value)), None)
        if same is None:
            have.append(value)
        elif isinstance(value, dict):
            merge(same, value)


def _identity(name: str, entry: object) -> object:
    if isinstance(entry, dict):
        for keys in KEYS.get(name, ()):
            if all(key in entry for key in keys):
                return [entry[key] for key in keys]
    return entry


def difference(before: Tree, after: Tree) -> str:
    """Leaves that differ, as the CLI's `diff` shows them."""
    old, new = dict.fromkeys(_leaves((), before)), dict.fromkeys(_leaves((), after))
    changed = [("-", *one) for one in old if one not in new] + [("+", *one) for one in new if one not in old]
    blocks: dict[tuple[str, ...], list[str]] = {}
    for sign, path, line in changed:
        blocks.setdefault(path, []).append(f"{sign}{' ' * (5 + 4 * len(path))}{line}")
    return "\n".join(
        text
        for path, lines in blocks.items()
        for text in (
            *(f"{' ' * (6 + 4 * at)}{name} {{" for at, name in enumerate(path)),
            *lines,
            *(f"{' ' * (6 + 4 * at)}}}" for at in reversed(range(len(path)))),
        )
    )


def _leaves(path: tuple[str, ...], tree: Tree) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in tree.items():
        name = _plain(key)
        if name == "_annotate":
            continue
        if isinstance(value, dict) and value:
            yield from _leaves((*path, name), value)
        elif isinstance(value, list):
            for at, one in enumerate(value):
                if isinstance(one, dict):
                    label = _identity(name, one)
                    keys = " ".join(map(str, label)) if isinstance(label, list) else str(at)
                    yield from _leaves((*path, f"{name} {keys}"), one)
                else:
                    yield path, f"{name} {one}"
        else:
            yield path, f"{name} {value}"
