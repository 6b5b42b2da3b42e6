"""startup.yaml read as NVUE's documents say, and nothing that knows our templates."""

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml

Node = dict[str, Any]
Leaf = tuple[tuple[str, ...], str | None]


class _Strict(yaml.BaseLoader):
    """Every scalar is text, as NVUE takes it (on is no boolean here), and no key stands twice."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> Node:
    found: Node = {}
    for key_node, value_node in node.value:
        key = str(loader.construct_object(key_node))
        if key in found:
            raise ValueError(f"{key!r} stands twice at line {key_node.start_mark.line + 1}")
        found[key] = loader.construct_object(value_node, deep=True)
    return found


_Strict.add_constructor("tag:yaml.org,2002:map", _mapping)


def document(text: str) -> list[Any]:
    """The list of a file; raises ValueError for a key that stands twice, yaml.YAMLError for what is no YAML."""
    found = json.loads(text) if text.startswith('[{"set"') else _Strict(text).get_single_data()
    if not isinstance(found, list):
        raise ValueError("no list")  # noqa: TRY004
    return found


@lru_cache(maxsize=64)
def tree(text: str) -> Node:
    """All that is set, as one tree, to be looked at only."""
    found: Node = {}
    for item in document(text):
        _join(found, item.get("set") or {})
    return found


def _join(into: Node, part: Node) -> None:
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _join(into[key], value)
        else:
            into[key] = value


def leaves(node: Node, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every `nv set` command that a tree stands for: its words, and the value, None where the last word is a name."""
    for key, value in node.items():
        here = (*path, key)
        if isinstance(value, dict) and value:
            yield from leaves(value, here)
        else:
            yield here, None if isinstance(value, dict) else str(value)


def at(node: Node, *path: str) -> Node:
    """The part of a tree below a path, empty where there is none."""
    for key in path:
        node = node.get(key, {})
    return node


def numbers(text: str) -> list[int]:
    """1,3-5 as its numbers."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def with_path(text: str, path: tuple[str, ...], value: object) -> str:
    """A file, as JSON, in which one path has another value; None takes it away, and parents that hold nothing else."""
    found = copy.deepcopy(tree(text))
    parents = [found]
    for key in path[:-1]:
        parents.append(parents[-1].setdefault(key, {}))
    if value is not None:
        parents[-1][path[-1]] = value
        return json.dumps([{"set": found}])
    for node, key in zip(reversed(parents), reversed(path), strict=True):
        del node[key]
        if node:
            break
    return json.dumps([{"set": found}])
