"""A Junos configuration in braces as statements, for comparison and for draining.

Junos prints a block with one statement on one line if its grammar says so, drops unneeded quotation marks, and writes a
list of one without brackets. So a statement here is the sequence of words that leads to it, including its blocks, as in
`display set`. Comments are ignored. Words after the keyword of a secret are hidden; whatever hid them before may have
removed the semicolon too, so the end of a line ends a statement with a hidden word.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

HIDDEN = "<removed>"
"""As written by verify/collect/redact_config.py."""
ORDERED = (
    "import",
    "export",
    "authentication-order",
    "vrf-import",
    "vrf-export",
    "fill-level",
    "drop-probability",
)
"""Statements whose list has an order, or pairs its values with those of another list (fill levels and probabilities of
a drop profile, class-of-service, `interpolate`); any other list is a set."""
_MARKS = re.compile(
    r"""(?P<remark> /\*[\s\S]*?\*/ | ^[ \t]*\#[^\n]* | \#\#[ ]SECRET-DATA[ \t]*$ )
    | "(?:[^"\\\n]|\\.)*(?:"|$) | [{};\[\]\n] | [^\s{};\[\]"]+""",
    re.MULTILINE | re.VERBOSE,
)
"""A comment, a quoted text, a sign or a word. Comment characters inside a quoted text do not begin a comment."""
_SECRETS = frozenset({
    "encrypted-password",
    "plain-text-password",
    "secret",
    "authentication-key",
    "authentication-password",
    "privacy-password",
    "md5",
})  # fmt: skip
"""Words that a secret follows (junos-qfx 24.4R1: those whose values Junos marks SECRET-DATA, as far as rendered)."""


class JunosStatement(NamedTuple):
    """One statement. `words` include its blocks; `section` has its blocks, outermost first; `line` is as printed."""

    words: tuple[str, ...]
    section: tuple[str, ...]
    line: str


def statements(text: str) -> Iterator[JunosStatement]:
    """Yield every statement in its order. A block without statements is one itself; an extra brace closes nothing."""
    blocks: list[tuple[str, ...]] = []
    pending: list[str] = []
    is_empty = False
    for mark in _marks(text):
        if mark == "{":
            blocks.append(_words(pending))
            pending, is_empty = [], True
        # Hiding a secret may have removed the semicolon, so the line end counts too.
        elif mark in ("}", ";") or (mark == "\n" and any(HIDDEN in word for word in pending)):
            yield from _ended(blocks, pending, is_empty=is_empty and mark == "}")
            if mark == "}":
                blocks = blocks[:-1]
            pending, is_empty = [], False
        elif mark != "\n":
            pending.append(mark.strip('"') if mark.startswith('"') else mark)
    yield from _ended(blocks, pending, is_empty=False)


def is_whole(text: str) -> bool:
    """Return whether every block is closed, which is not so in a truncated text."""
    depth = 0
    for mark in _marks(text):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            return False
    return depth == 0


def _marks(text: str) -> Iterator[str]:
    return (match.group() for match in _MARKS.finditer(text) if match["remark"] is None)


def _ended(blocks: list[tuple[str, ...]], pending: list[str], *, is_empty: bool) -> Iterator[JunosStatement]:
    """Yield what ends here: a statement, or a block without statements."""
    if pending:
        yield _statement(blocks, pending)
    elif is_empty and blocks:
        yield _statement(blocks[:-1], list(blocks[-1]))


def _statement(blocks: list[tuple[str, ...]], pending: list[str]) -> JunosStatement:
    words = _words(pending)
    section = tuple(" ".join(block) for block in blocks)
    return JunosStatement((*(word for block in blocks for word in block), *words), section, " ".join(words))


def _words(pending: list[str]) -> tuple[str, ...]:
    """Return words with lists in a defined order and without secrets."""
    words: list[str] = []
    index = 0
    while index < len(pending):
        word = pending[index]
        if HIDDEN in word:
            return (*words, HIDDEN)
        if word == "[":
            end = pending.index("]", index) if "]" in pending[index:] else len(pending)
            members = pending[index + 1 : end]
            words += members if words and words[-1] in ORDERED else sorted(members)
            index = end
        elif word != "]":
            words.append(word)
            if word in _SECRETS and index + 1 < len(pending):
                return (*words, HIDDEN)
        index += 1
    return tuple(words)


def under(all_statements: tuple[JunosStatement, ...], *words: str) -> tuple[tuple[str, ...], ...]:
    """Return the words after these, of each statement that begins with them, in the order of the text."""
    length = len(words)
    return tuple(statement.words[length:] for statement in all_statements if statement.words[:length] == words)
