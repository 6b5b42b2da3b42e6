"""startup.yaml of Cumulus Linux as NVUE's documents say it is read: one tree of what is set, every scalar a text."""

import json
from collections.abc import Iterator
from typing import Any

import yaml

Node = dict[str, Any]


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


def tree(text: str) -> Node:
    """All that is set, as one tree; raises as `document` does."""
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


def at(node: Node, *path: str) -> Node:
    """The part of a tree below a path, empty where there is none."""
    for key in path:
        node = node.get(key, {})
    return node


class Watched(Node):
    """A tree that knows which of its keys somebody has looked at."""

    def __init__(self, found: Node) -> None:
        super().__init__({key: Watched(part) if isinstance(part, dict) else part for key, part in found.items()})
        self.seen: set[str] = set()

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - a node, a text or a list
        self.seen.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401
        """The part below a key, as of any dict."""
        self.seen.add(key)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self.seen.update(self.keys())
        return super().__iter__()

    def items(self) -> Any:  # noqa: ANN401 - typeshed's own class of it has no public name
        """Keys and parts: all are seen."""
        self.seen.update(self.keys())
        return super().items()


def unread(node: Watched, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Words of every command, the value last, that nobody has looked at."""
    for key in tuple(node.keys()):
        part = dict.get(node, key)
        if isinstance(part, Watched) and part.keys():
            yield from unread(part, (*path, key))
        elif key not in node.seen:
            yield (*path, key, *(() if isinstance(part, dict) else (str(part),)))
