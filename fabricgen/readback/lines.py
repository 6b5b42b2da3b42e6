"""Texts of lines, as a tree in which each line has its number and knows whether somebody has read it.

Two forms: indentation says what belongs to what (EOS, NX-OS, FRR), or braces do (Junos).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Line:
    """A line by its words.

    number  from 1; 0 is the root
    text    without its indentation
    used    a parser has understood it, or knows it to have no meaning
    """

    words: tuple[str, ...]
    number: int = 0
    text: str = ""
    below: "list[Line]" = field(default_factory=list)
    used: bool = False

    def each(self, *words: str) -> "Iterator[Line]":
        """Lines below that begin with these words; each counts as read."""
        count = len(words)
        for line in self.below:
            if line.words[:count] == words:
                line.used = True
                yield line

    def take(self, *words: str) -> "Line | None":
        """The last line below that begins with these words, and it counts as read; None where there is none."""
        lines = list(self.each(*words))
        return lines[-1] if lines else None

    def rest(self, count: int) -> str:
        """The text behind so many words."""
        return self.text.split(maxsplit=count)[count] if len(self.words) > count else ""

    def use_all(self) -> None:
        """Count as read with all below."""
        self.used = True
        for line in self.below:
            line.use_all()

    def unused(self) -> "Iterator[Line]":
        """Lines at and below this one that nobody has read; the root has no text."""
        if not self.used and self.number:
            yield self
        for line in self.below:
            yield from line.unused()


def indented(text: str, comments: tuple[str, ...] = ("!",)) -> Line:
    """Lines under one without words; those that begin with a comment sign are left out."""
    root = Line((), used=True)
    above: list[tuple[int, Line]] = [(-1, root)]
    for number, raw in enumerate(text.splitlines(), 1):
        stripped = raw.strip()
        if not stripped or stripped.startswith(comments):
            continue
        depth = len(raw) - len(raw.lstrip())
        while above[-1][0] >= depth:
            above.pop()
        line = Line(tuple(stripped.split()), number, stripped)
        above[-1][1].below.append(line)
        above.append((depth, line))
    return root


_PART = re.compile(r'/\*.*?\*/|#[^\n]*|"(?:[^"\\]|\\.)*"|[{};]|[^\s{};]+', re.DOTALL)


def braced(text: str) -> Line:
    """Statements as lines: what ends in a semicolon has nothing below, what opens a brace has. Quotes are taken off."""
    root = Line((), used=True)
    above, words, first, number, at = [root], list[str](), 0, 1, 0
    for match in _PART.finditer(text):
        number += text.count("\n", at, match.start())
        at, part = match.start(), match[0]
        if part.startswith(("/*", "#")):
            continue
        if part == "}":
            if len(above) > 1:
                above.pop()
        elif part in "{;":
            line = Line(tuple(words), first or number, " ".join(words))
            above[-1].below.append(line)
            if part == "{":
                above.append(line)
            words, first = [], 0
        else:
            words.append(part[1:-1] if part.startswith('"') else part)
            first = first or number
    return root


def written(text: str) -> int:
    """How many lines of a text have something on them."""
    return sum(1 for line in text.splitlines() if line.strip())
