"""Configuration text in braces → its statements, each with the words of all blocks around it.

Written from the CLI user guide of Junos: a statement ends with a semicolon, a block opens with a brace, `[ a b ]` is a
list, `##` starts a remark, quoted text is one word. Blocks of one name are one, wherever they stand.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TOKEN = re.compile(r'\s+|##[^\n]*|"((?:[^"\\]|\\.)*)"|([{};\[\]])|([^\s{};\[\]"]+)')


class UnreadableError(ValueError):
    """A text that is no configuration in braces."""


class Token(NamedTuple):
    """A word, or one of { } ; [ ]."""

    text: str
    sign: bool


Path = tuple[str, ...]
"""Words of a statement, outermost block first; a list is one word, its members apart by blanks."""


def tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UnreadableError(f"{text[at : at + 20]!r} is no word")
        at = found.end()
        quoted, sign, bare = found.groups()
        if quoted is not None or sign or bare:
            yield Token(quoted if quoted is not None else sign or bare, bool(sign))


def paths(text: str) -> list[Path]:
    """Every statement in its order; a block with nothing in it is one itself."""
    reader = _Reader()
    for token in tokens(text):
        reader.take(token)
    if reader.blocks or reader.words:
        raise UnreadableError(f"the text ends inside {' '.join((*_around(reader.blocks), *reader.words))}")
    return reader.found


class _Reader:
    """What has been read so far: statements, blocks that are open, words of the statement at hand, of a list."""

    def __init__(self) -> None:
        self.found: list[Path] = []
        self.blocks: list[tuple[Path, int]] = []
        self.words: list[str] = []
        self.group: list[str] | None = None

    def take(self, token: Token) -> None:
        if not token.sign:
            (self.words if self.group is None else self.group).append(token.text)
        elif token.text == "[":
            self.group = []
        elif token.text == "]":
            self.words.append(" ".join(self.group or ()))
            self.group = None
        else:
            {"{": self._open, "}": self._close, ";": self._end}[token.text]()

    def _open(self) -> None:
        self.blocks.append((tuple(self.words), len(self.found)))
        self.words = []

    def _end(self) -> None:
        if not self.words:
            raise UnreadableError("a semicolon ends nothing")
        self.found.append((*_around(self.blocks), *self.words))
        self.words = []

    def _close(self) -> None:
        if self.words or not self.blocks:
            raise UnreadableError(f"a brace closes {' '.join(self.words) or 'nothing'}")
        if self.blocks[-1][1] == len(self.found):
            self.found.append(_around(self.blocks))
        self.blocks.pop()


def _around(blocks: Iterable[tuple[Path, int]]) -> Path:
    return tuple(word for words, _ in blocks for word in words)


def matches(path: Path, pattern: str) -> Path | None:
    """What `?` stands for, and `*` passes over, where a statement has these words and no more; `...` is any rest."""
    wanted = pattern.split()
    rest = wanted[-1] == "..."
    wanted = wanted[:-1] if rest else wanted
    if len(path) < len(wanted) or (len(path) != len(wanted) and not rest):
        return None
    if any(word not in ("?", "*", own) for word, own in zip(wanted, path, strict=False)):
        return None
    return tuple(own for word, own in zip(wanted, path, strict=False) if word == "?")


def values(found: Iterable[Path], *patterns: str) -> list[str]:
    """What the one `?` of each pattern stands for, in the order of the patterns."""
    rows = list(found)
    return [got[0] for pattern in patterns for row in rows if (got := matches(row, pattern))]


def rows(found: Iterable[Path], pattern: str) -> list[Path]:
    """What the several `?` of a pattern stand for."""
    return [got for row in found if (got := matches(row, pattern)) is not None]


def pairs(found: Iterable[Path], pattern: str) -> dict[str, str]:
    """What the two `?` of a pattern stand for: the first → the second."""
    return {got[0]: got[1] for got in rows(found, pattern)}
