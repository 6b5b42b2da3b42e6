"""A configuration of Junos in braces as statements, for what compares it and for what drains by it.

Junos shows a block with one statement on one line where its grammar has it so, drops quotation marks that nothing
needs, and writes a list of one without brackets; so a statement here is the words that lead to it, block or not, as
`display set` has them. A comment says nothing. What stands after a secret's word is hidden; what hid it before may have
taken the semicolon, too, which is why the end of a line ends a statement that hides something.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

HIDDEN = "<removed>"
"""As verify/collect/redact_config.py writes it."""
ORDERED = (
    "import",
    "export",
    "authentication-order",
    "vrf-import",
    "vrf-export",
    "fill-level",
    "drop-probability",
)
"""Statements whose list is gone through in its order, or pairs its values with those of another list (a drop profile's
fill levels and probabilities, class-of-service, `interpolate`); any other list is a set."""
_MARKS = re.compile(
    r"""(?P<remark> /\*[\s\S]*?\*/ | ^[ \t]*\#[^\n]* | \#\#[ ]SECRET-DATA[ \t]*$ )
    | "(?:[^"\\\n]|\\.)*(?:"|$) | [{};\[\]\n] | [^\s{};\[\]"]+""",
    re.MULTILINE | re.VERBOSE,
)
"""A remark, a text, a sign or a word. What looks like a remark inside of a text is none."""
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
    """One statement. words: with those of its blocks; section: its blocks, outermost first, and line as shown."""

    words: tuple[str, ...]
    section: tuple[str, ...]
    line: str


def statements(text: str) -> Iterator[JunosStatement]:
    """Every statement in its order. A block without any is one itself; a brace too many closes nothing."""
    blocks: list[tuple[str, ...]] = []
    pending: list[str] = []
    is_empty = False
    for mark in _marks(text):
        if mark == "{":
            blocks.append(_words(pending))
            pending, is_empty = [], True
        elif mark in ("}", ";") or (mark == "\n" and any(HIDDEN in word for word in pending)):
            yield from _ended(blocks, pending, is_empty=is_empty and mark == "}")
            if mark == "}":
                blocks = blocks[:-1]
            pending, is_empty = [], False
        elif mark != "\n":
            pending.append(mark.strip('"') if mark.startswith('"') else mark)
    yield from _ended(blocks, pending, is_empty=False)


def is_whole(text: str) -> bool:
    """Whether every block is closed: a text that was cut has one that is not."""
    depth = 0
    for mark in _marks(text):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            return False
    return depth == 0


def _marks(text: str) -> Iterator[str]:
    return (found.group() for found in _MARKS.finditer(text) if found["remark"] is None)


def _ended(blocks: list[tuple[str, ...]], pending: list[str], *, is_empty: bool) -> Iterator[JunosStatement]:
    """What ends here: a statement, or a block that has none."""
    if pending:
        yield _statement(blocks, pending)
    elif is_empty and blocks:
        yield _statement(blocks[:-1], list(blocks[-1]))


def _statement(blocks: list[tuple[str, ...]], pending: list[str]) -> JunosStatement:
    words = _words(pending)
    section = tuple(" ".join(block) for block in blocks)
    return JunosStatement((*(word for block in blocks for word in block), *words), section, " ".join(words))


def _words(pending: list[str]) -> tuple[str, ...]:
    """Words with lists in one order and without what is secret."""
    found: list[str] = []
    at = 0
    while at < len(pending):
        word = pending[at]
        if HIDDEN in word:
            return (*found, HIDDEN)
        if word == "[":
            end = pending.index("]", at) if "]" in pending[at:] else len(pending)
            members = pending[at + 1 : end]
            found += members if found and found[-1] in ORDERED else sorted(members)
            at = end
        elif word != "]":
            found.append(word)
            if word in _SECRETS and at + 1 < len(pending):
                return (*found, HIDDEN)
        at += 1
    return tuple(found)


def under(found: tuple[JunosStatement, ...], *words: str) -> tuple[tuple[str, ...], ...]:
    """What follows these words, in the order of the text."""
    length = len(words)
    return tuple(one.words[length:] for one in found if one.words[:length] == words)
