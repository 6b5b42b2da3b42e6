"""Configurations of lines, whose indentation says what belongs to what."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Line:
    """A line by its words, and the lines below it."""

    words: tuple[str, ...]
    below: "list[Line]" = field(default_factory=list)

    def all(self, *words: str) -> "Iterator[Line]":
        """Lines below that begin with these words."""
        return (line for line in self.below if line.words[: len(words)] == words)

    def rests(self, *words: str) -> Iterator[tuple[str, ...]]:
        """What stands behind these words, of each line below that begins with them."""
        return (line.words[len(words) :] for line in self.all(*words))

    def value(self, *words: str, default: str = "") -> str:
        """The first word behind these words."""
        return next((rest[0] for rest in self.rests(*words) if rest), default)

    def has(self, *words: str) -> bool:
        """Whether there is exactly this line below."""
        return any(line.words == words for line in self.below)


def tree(text: str, comment: str = "!") -> Line:
    """All lines under one without words."""
    root = Line(())
    above: list[tuple[int, Line]] = [(-1, root)]
    for raw in text.splitlines():
        words = raw.split()
        if not words or words[0].startswith(comment):
            continue
        depth = len(raw) - len(raw.lstrip())
        while above[-1][0] >= depth:
            above.pop()
        line = Line(tuple(words))
        above[-1][1].below.append(line)
        above.append((depth, line))
    return root
