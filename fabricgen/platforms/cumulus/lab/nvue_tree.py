"""startup.yaml of Cumulus Linux as NVUE's documents define it: one tree of what is set, every scalar a text.

A rendered file has each key once and no ranges, and any other is refused. `live/tree.py` reads what a switch prints,
which has both, and tolerates what it does not know.
"""

import json
from typing import Any

import yaml

from fabricgen.platforms.cumulus.live.tree import join
from fabricgen.platforms.linux.lab.watched import Node

ON = ("on", "enabled")
"""A value that is on, until 5.14 and from 5.15."""


class _Strict(yaml.BaseLoader):
    """Every scalar is text, like in NVUE (on is no boolean here), and duplicate keys are refused."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> Node:
    mapping: Node = {}
    for key_node, value_node in node.value:
        key = str(loader.construct_object(key_node))
        if key in mapping:
            raise ValueError(f"{key!r} stands twice at line {key_node.start_mark.line + 1}")
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_Strict.add_constructor("tag:yaml.org,2002:map", _mapping)


def document(text: str) -> list[Any]:
    """The list of a file; raises ValueError for a duplicate key or another type, yaml.YAMLError for invalid YAML."""
    items = json.loads(text) if text.startswith('[{"set"') else _Strict(text).get_single_data()
    if not isinstance(items, list):
        raise ValueError("no list")  # noqa: TRY004
    return items


def tree(text: str) -> Node:
    """All that is set, as one tree; raises like `document`."""
    root: Node = {}
    for item in document(text):
        join(root, item.get("set") or {})
    return root


def is_on(node: Node, key: str = "") -> bool:
    """Whether a part of a tree is on, or a value in it: `enable: on` until 5.14, `state: enabled` from 5.15."""
    return node.get(key) in ON if key else node.get("enable") == "on" or node.get("state") == "enabled"


def at(node: Node, *path: str) -> Node:
    """The part of a tree below a path, empty if there is none."""
    for key in path:
        node = node.get(key, {})
    return node
