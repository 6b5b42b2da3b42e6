"""Parts of a fabric: switches that something joins, directly or over others."""

from collections.abc import Iterable, Mapping


def parts_of(neighbors: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Switch → the first switch of its part, in the order of the mapping. neighbors: both ways, of every switch."""
    parts: dict[str, str] = {}
    for first in neighbors:
        todo = [first]
        while todo:
            name = todo.pop()
            if name not in parts:
                parts[name] = first
                todo += neighbors[name]
    return parts
