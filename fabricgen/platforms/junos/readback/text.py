"""Text of a configuration → a tree of words. Two forms: blocks in braces, and `set` commands.

Source: CLI User Guide (Junos OS): a statement ends with a semicolon, a block is in braces, `[ a b ]` lists values, `#`
and `/* */` are remarks, `inactive:` disables a statement with all below it. Blocks of one name are one block, which is
as if it were not there once one of them is inactive.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Tree = dict[str | None, "Tree | int"]
"""Word → what follows it: more words, or the number of the line where a statement ends.

The key None has the line on which a block begins. A negative number is a line of a group that the statement is
inherited from. A reader takes out what it understands: what is left is unread.
"""

DEEPEST = 100
"""Words from the root to a statement. Junos has none so deep: more is no configuration."""
_SPECIAL = re.compile(r'["\[\]#{};]|/\*')
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"?|(/\*|#|[{};\[\]])|((?:[^\s"{};\[\]#/]|/(?!\*))+)')
_MARKS = {"protect:": True, "inactive:": False}
"""Words in front of a statement, and whether it has an effect (CLI User Guide, protect and deactivate)."""
_COMMANDS = ("set ", "deactivate ", "activate ", "delete ")


LISTED = "]"
"""In place of a list that has been read."""


@dataclass(slots=True)
class Text:
    """A text as it was read.

    tree      what is active
    inactive  what is deactivated, in the same form
    faults    lines that are no part of a configuration
    spans     first line of a statement or header that goes on → its last line
    """

    tree: Tree = field(default_factory=dict)
    inactive: Tree = field(default_factory=dict)
    faults: list[int] = field(default_factory=list)
    spans: dict[int, int] = field(default_factory=dict)


def text_of(text: str) -> Text:
    """Read a text in either form."""
    lines = text.split("\n")
    first = next((line for line in map(str.strip, lines) if line and not line.startswith("#")), "")
    if first.startswith(_COMMANDS) and not first.endswith((";", "{")):
        return _commands(lines)
    reader = _Braces(Text())
    reader.read(lines)
    return reader.found


class _Braces:
    """Reads blocks. `here` is the open block; `above` has those around it with their depth in words."""

    def __init__(self, found: Text) -> None:
        self.found = found
        self.here: Tree = found.tree
        self.depth = 0
        self.above: list[tuple[Tree, int, int]] = []
        self.words: list[str] = []
        self.begun = 0
        self.group: list[str] | None = None
        self.remark = False
        self.inactive: list[tuple[Tree, list[str], int]] = []

    def read(self, lines: list[str]) -> None:
        """Read all lines. Most are whole statements without quotes, and most of those are said often."""
        known: dict[str, list[str]] = {"": []}
        for number, raw in enumerate(lines, 1):
            line = raw.strip()
            words = known.get(line)
            if words is None:
                words = known[line] = _simple(line)
            if self.words or self.remark or self.group is not None:
                self._tokens(line, number)
            elif line == "}":
                self._close(number)
            elif not words:
                self._tokens(line, number)
            else:
                (self._open if line[-1] == "{" else self._end)(words, number)
        if self.words or self.group is not None:
            self.found.faults.append(self.begun)
            self.found.spans[self.begun] = len(lines)
        self.found.faults += [number for _, _, number in self.above]
        self.found.faults += [row[2] for row in self.inactive if _disable(self.found, *row)]

    def _tokens(self, line: str, number: int) -> None:
        at = 0
        while at < len(line):
            if self.remark:
                end = line.find("*/", at)
                if end < 0:
                    return
                self.remark, at = False, end + 2
                continue
            match = _TOKEN.search(line, at)
            if match is None:
                return
            at = match.end()
            sign = match[2]
            if sign == "#":
                return
            if sign == "/*":
                self.remark = True
            elif sign is None:
                self._word(match[1] if match[3] is None else match[3], number)
            else:
                self._sign(sign, number)

    def _word(self, word: str, number: int) -> None:
        self.begun = number if not self.words else self.begun
        (self.words if self.group is None else self.group).append(word)

    def _sign(self, sign: str, number: int) -> None:
        if sign == "[":
            self.begun = number if not self.words else self.begun
            self.group = []
        elif sign == "]":
            self._list(number)
        elif self.group is not None:
            self.group, self.words = None, []
            self.found.faults.append(number)
        else:
            words, self.words = self.words, []
            self._ends(sign, words, number)

    def _list(self, number: int) -> None:
        """A statement of several values. What follows it before the semicolon is no part of it."""
        group, self.group = self.group, None
        if group is None or not self.words:
            self.found.faults.append(number)
            return
        for word in group:
            self._put([*self.words, word], number)
        self.words = [LISTED]

    def _ends(self, sign: str, words: list[str], number: int) -> None:
        """A semicolon or a brace behind some words."""
        if words and self.begun < number:
            self.found.spans[self.begun] = number
        if sign == "}":
            if words:
                self.found.faults.append(self.begun)
            self._close(number)
        elif not words or (words[0] == LISTED and (sign == "{" or len(words) > 1)):
            self.found.faults.append(number)
        elif words[0] != LISTED:
            (self._end if sign == ";" else self._open)(words, self.begun)

    def _end(self, words: list[str], number: int) -> None:
        if words[0] in _MARKS:
            if not _MARKS[words[0]]:
                put(self.found.inactive, [str(number)], number)
                self.inactive.append((self.here, words[1:], number))
                return
            words = words[1:]
        self._put(words, number)

    def _put(self, words: list[str], number: int) -> None:
        if not words or self.depth + len(words) > DEEPEST:
            self.found.faults.append(number)
        elif words[0] == "inactive:":
            put(self.found.inactive, [str(number)], number)
        else:
            put(self.here, words, number)

    def _open(self, words: list[str], number: int) -> None:
        self.above.append((self.here, self.depth, number))
        if words[0] in _MARKS:
            if not _MARKS[words[0]]:
                self.inactive.append((self.here, words[1:], number))
                self.here = {}
                self.found.inactive[str(number)] = self.here
            words = words[1:]
        if self.depth + len(words) > DEEPEST:
            self.here = {None: number}
            put(self.found.tree, ["", str(number)], number)
            self.found.tree[""][str(number)] = self.here  # type: ignore[index]
            return
        self.here = opened(self.here, words, number)
        self.depth += len(words)

    def _close(self, number: int) -> None:
        if self.above:
            self.here, self.depth, _ = self.above.pop()
        else:
            self.found.faults.append(number)


def _simple(line: str) -> list[str]:
    """Words of a line that is one statement or opens one block, without any other sign; none of another line.

    The last value may be in quotes.
    """
    if line.endswith('";') and line.count('"') == 2 and "\\" not in line:
        ahead, _, quoted = line[:-2].partition('"')
        return [*ahead.split(), quoted] if _SPECIAL.search(ahead) is None else []
    return line[:-1].split() if line[-1] in ";{" and _SPECIAL.search(line, 0, len(line) - 1) is None else []


def opened(here: Tree, words: list[str], number: int) -> Tree:
    """The block below some words, with the line on which it begins."""
    for word in words:
        below = here.get(word)
        if type(below) is not dict:
            below = here[word] = {} if below is None else {None: below}
        here = below
    here.setdefault(None, number)
    return here


def put(here: Tree, words: list[str], number: int) -> None:
    """Put a statement below a block; of one that is there already the line is the last one."""
    for word in words[:-1]:
        below = here.get(word)
        if type(below) is not dict:
            below = here[word] = {} if below is None else {None: below}
        here = below
    last = words[-1]
    below = here.get(last)
    if type(below) is dict:
        below[None] = number
    else:
        here[last] = number


def _commands(lines: list[str]) -> Text:
    found = Text()
    for number, raw in enumerate(lines, 1):
        words = list(_words(raw))
        if not words:
            continue
        rest = [word for word in words[1:] if word not in "[]"]
        if not rest or len(rest) > DEEPEST or words[0] not in ("set", "deactivate"):
            found.faults.append(number)
        elif words[0] == "deactivate":
            _deactivate(found, rest, number)
        elif "[" in words:
            at = words.index("[") - 1
            for word in rest[at:]:
                put(found.tree, [*rest[:at], word], number)
        else:
            put(found.tree, rest, number)
    return found


def _words(line: str) -> Iterator[str]:
    for match in _TOKEN.finditer(line):
        if match[2] in ("#", "/*"):
            return
        yield next(part for part in match.groups() if part is not None)


def _deactivate(found: Text, words: list[str], number: int) -> None:
    """Take a statement away: `deactivate` is behind the `set` commands of what it disables."""
    put(found.inactive, [str(number)], number)
    _disable(found, found.tree, words, number)


def _disable(found: Text, tree: Tree, words: list[str], number: int) -> bool:
    """Take what is at some words out of a tree. Whether there was anything."""
    here: Tree | int | None = tree
    for word in words[:-1]:
        here = here.get(word) if isinstance(here, dict) else None
    if not words or not isinstance(here, dict) or words[-1] not in here:
        return False
    found.inactive[f"{number} "] = here.pop(words[-1])
    return True


def numbers(tree: Tree) -> Iterator[int]:
    """Lines of all statements and blocks of a tree."""
    trees = [tree]
    while trees:
        for below in trees.pop().values():
            if type(below) is dict:
                trees.append(below)
            else:
                yield abs(below)  # type: ignore[arg-type]
