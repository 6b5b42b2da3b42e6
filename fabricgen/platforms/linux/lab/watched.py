"""Trees of texts that record what was read of them: the rest is reported to the author of the text."""

from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]


class Watched(Node):
    """A tree that records which of its keys were read."""

    def __init__(self, node: Node) -> None:
        super().__init__({key: Watched(part) if isinstance(part, dict) else part for key, part in node.items()})
        self.seen: set[str] = set()

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - a node, a text or a list
        self.seen.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401
        """The value of a key, as of any dict; the key counts as read."""
        self.seen.add(key)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self.seen.update(self.keys())
        return super().__iter__()

    def items(self) -> Any:  # noqa: ANN401 - typeshed's own class of it has no public name
        """Keys and values; all keys count as read."""
        self.seen.update(self.keys())
        return super().items()


def unread(node: Watched, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Keys of every value that was not read, with the value as the last word."""
    for key in tuple(node.keys()):
        part = dict.get(node, key)
        if isinstance(part, Watched) and part.keys():
            yield from unread(part, (*path, key))
        elif key not in node.seen:
            yield (*path, key, *(() if isinstance(part, dict) else (str(part),)))
