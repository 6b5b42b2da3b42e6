"""Trees of texts that know what was read of them: whatever was not is reported to whoever made the text."""

from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]


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
