"""startup.yaml read as NVUE's documents say, and nothing that knows our templates."""

import copy
import json
from collections.abc import Iterator
from functools import lru_cache

from fabricgen.platforms.cumulus.lab import nvue_tree
from fabricgen.platforms.cumulus.lab.nvue_tree import at, document
from fabricgen.platforms.linux.lab.watched import Node

__all__ = ["Leaf", "Node", "at", "document", "leaves", "numbers", "tree", "with_path"]

Leaf = tuple[tuple[str, ...], str | None]


@lru_cache(maxsize=64)
def tree(text: str) -> Node:
    """All that is set, as one tree, to be looked at only."""
    return nvue_tree.tree(text)


def leaves(node: Node, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every `nv set` command that a tree stands for: its words, and the value, None where the last word is a name."""
    for key, value in node.items():
        here = (*path, key)
        if isinstance(value, dict) and value:
            yield from leaves(value, here)
        else:
            yield here, None if isinstance(value, dict) else str(value)


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
