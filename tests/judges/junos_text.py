"""Statements of a Junos configuration text: lines of `set`, or the form with braces.

The forms (`[ a b ]`, the mark `inactive:`, comments with `#` and `/* */`, `deactivate` among lines of `set`) are as the
configurations of Juniper/jvd have them, at 005ab344aea79475ef81c1880430a2f99808c28b, read 2026-11-22.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

# A comment, quoted text, a sign of its own, or a bare word.
_TOKEN = re.compile(r'(#[^\n]*|/\*.*?\*/)|("(?:\\.|[^"\\])*")|([{};\[\]])|([^\s{};\[\]"]+)|(\S)', re.DOTALL)
_SET = re.compile(r"(?:\s*(?:#[^\n]*)?\n)*\s*(?:set|delete|deactivate|activate)\s")
_MARK = "inactive:"
# Lines among those of `show | display set` that add no statement.
_SILENT = ("activate", "deactivate")

Word = str | tuple[str, ...]
"""A word of a statement; `[ a b ]` is one word of several."""


class Statement(NamedTuple):
    """A statement with the words of all blocks around it, outermost first, and the line that it ends in."""

    line: int
    words: tuple[Word, ...]


class Unreadable(ValueError):  # noqa: N818  # what a text is
    """A text that is no configuration, with the line."""


class _Token(NamedTuple):
    line: int
    text: str
    sign: bool  # one of { } ; [ ]


class _Block(NamedTuple):
    words: list[Word]
    inside: list[int]  # lines of the statements found in it


def statements(text: str) -> list[Statement]:
    """Every statement in its order. Raises Unreadable."""
    return list(_lines(text) if _SET.match(text) else _braces(text))


def _lines(text: str) -> Iterator[Statement]:
    for number, line in enumerate(text.splitlines(), 1):
        tokens = list(_tokens(line, number))
        if not tokens or tokens[0].text in _SILENT:
            continue
        if tokens[0].text != "set":
            raise Unreadable(f"line {number}: {tokens[0].text} where a whole configuration has set")
        yield Statement(number, _grouped(tokens[1:]))


def _braces(text: str) -> Iterator[Statement]:
    blocks: list[_Block] = []
    gathered: list[_Token] = []
    line = 0
    for token in _tokens(text, 1):
        line = token.line
        if not token.sign or token.text in "[]":
            _beside(gathered, token)
            gathered.append(token)
            continue
        words, gathered = list(_grouped(gathered)), []
        around = [word for block in blocks for word in block.words]
        if token.text == "{":
            blocks.append(_Block(words, []))
        elif token.text == ";":
            if blocks:
                blocks[-1].inside.append(line)
            yield Statement(line, (*around, *words))
        else:
            yield from _closed(blocks, line, words)
    if blocks or gathered:
        raise Unreadable(f"line {line}: the text ends inside a statement")


def _beside(gathered: list[_Token], token: _Token) -> None:
    """Junos prints a statement on one line, but for `[ a b ]`; words of two lines are two statements without a `;`."""
    if gathered and gathered[-1].line != token.line and "[" not in [one.text for one in gathered if one.sign]:
        raise Unreadable(f"line {gathered[-1].line}: no ; behind {gathered[-1].text}")


def _closed(blocks: list[_Block], line: int, words: list[Word]) -> Iterator[Statement]:
    """Close a block; one with nothing in it is itself the statement."""
    if words or not blocks:
        raise Unreadable(f"line {line}: }} {'after a statement without ;' if words else 'closes nothing'}")
    empty = not blocks[-1].inside
    statement = Statement(line, tuple(word for block in blocks for word in block.words))
    blocks.pop()
    if blocks:
        blocks[-1].inside.append(line)
    if empty:
        yield statement


def _tokens(text: str, line: int) -> Iterator[_Token]:
    place = 0
    for match in _TOKEN.finditer(text):
        line, place = line + text.count("\n", place, match.start()), match.start()
        comment, quoted, sign, word, stray = match.groups()
        if stray:
            raise Unreadable(f"line {line}: a quotation mark without its end")
        if quoted:
            yield _Token(line, quoted[1:-1].replace('\\"', '"'), False)
        elif not comment and word != _MARK:
            yield _Token(line, sign or word, bool(sign))


def _grouped(tokens: list[_Token]) -> tuple[Word, ...]:
    """Words of a statement: `[ a b ]` as one, and so a policy expression `( a && b )`."""
    words: list[Word] = []
    left = iter(tokens)
    for token in left:
        if token.sign and token.text == "[":
            words.append(tuple(_until("]", token, left)))
        elif token.text == "(":
            words.append(" ".join(["(", *_until(")", token, left), ")"]))
        elif token.sign:
            raise Unreadable(f"line {token.line}: {token.text} where a word is to be")
        else:
            words.append(token.text)
    return tuple(words)


def _until(end: str, start: _Token, tokens: Iterator[_Token]) -> Iterator[str]:
    for token in tokens:
        if token.text == end:
            return
        yield token.text
    raise Unreadable(f"line {start.line}: {start.text} without {end}")
