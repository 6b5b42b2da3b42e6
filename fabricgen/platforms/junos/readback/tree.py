"""How readers take words out of a tree. What nobody takes is left: those lines are unread."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.readback.addresses import family_of, interface
from fabricgen.readback.intended import octets
from fabricgen.readback.policy import HOST

OCTETS = re.compile(r"[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}")
LONGEST = 18
"""Digits of the longest number that is read: no value of Junos has more."""


class Word(NamedTuple):
    """A word and its line."""

    text: str
    line: int


def line_of(tree: Tree | int | None) -> int:
    """The line of a statement or block; 0 where there is none."""
    while isinstance(tree, dict):
        tree = tree[None] if None in tree else next(iter(tree.values()), 0)
    return abs(tree or 0)


def block(tree: Tree, *words: str) -> Tree:
    """The block below some words, which count as read; empty where there is none."""
    here = tree
    for word in words:
        below = here.get(word)
        if below is None:
            return {}
        if type(below) is not dict:
            del here[word]
            return {}
        below.pop(None, None)
        here = below
    return here


def blocks(tree: Tree, *words: str) -> Iterator[tuple[str, Tree, int]]:
    """Each block below some words: its name, what it has, its line. A name without a block has nothing."""
    here = block(tree, *words)
    for name, below in list(here.items()):
        if name is None:
            continue
        if type(below) is dict:
            line = line_of(below)
            below.pop(None, None)
            yield name, below, line
        else:
            del here[name]
            yield name, {}, abs(below)  # type: ignore[arg-type]


def value(tree: Tree, name: str) -> Word | None:
    """The one value of a statement: the last one written, or the first one inherited. Taken, if it is no block."""
    found = tree.get(name)
    if type(found) is not dict:
        return None
    if len(found) == 1:
        ((word, line),) = found.items()
        if type(line) is not int or word is None:
            return None
        del tree[name]
        return Word(word, abs(line))
    best: tuple[str, int] | None = None
    for word, line in found.items():
        if type(line) is not int:
            return None
        if word is not None and (best is None or line >= max(best[1], 1)):
            best = word, line
    if best is None:
        return None
    del tree[name]
    return Word(best[0], abs(best[1]))


def number(tree: Tree, name: str) -> tuple[int, int] | None:
    """The number and the line of a statement; not taken if it is no number."""
    kept = tree.get(name)
    found = value(tree, name)
    if found is None:
        return None
    digits = digit(found.text)
    if digits < 0:
        tree[name] = kept  # type: ignore[assignment]
        return None
    return digits, found.line


def interface_address(text: str) -> str | None:
    """An address with its length, which is that of a host where nothing is said; None for another text."""
    return interface(text if "/" in text else f"{text}/{HOST[family_of(text)]}")


def mac(text: str) -> str:
    """Six octets in their one spelling; another text as it is."""
    return octets(text) if OCTETS.fullmatch(text) else text


def digit(text: str) -> int:
    """A number; -1 for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else -1


def flag(tree: Tree, name: str) -> int:
    """The line of a statement without a value; 0 where there is none, or where it has a value."""
    found = tree.get(name)
    if type(found) is int:
        del tree[name]
        return abs(found)
    if type(found) is dict and len(found) == 1 and None in found:
        del tree[name]
        return line_of(found)
    return 0


def values(tree: Tree, name: str) -> list[Word]:
    """The values of a statement that may have several, in their order; those that are blocks stay."""
    found = tree.get(name)
    if type(found) is not dict:
        return []
    words = leaves(found)
    if not found or list(found) == [None]:
        del tree[name]
    return words


def leaves(tree: Tree) -> list[Word]:
    """The words of a block that end there. Taken; blocks stay."""
    words = [Word(word, abs(line)) for word, line in tree.items() if word is not None and type(line) is int]
    for word in words:
        del tree[word.text]
    return words


def only(tree: Tree, name: str, *allowed: str) -> Word | None:
    """The value of a statement, if it is one of these; else it stays."""
    kept = tree.get(name)
    found = value(tree, name)
    if found is not None and found.text not in allowed:
        tree[name] = kept  # type: ignore[assignment]
        return None
    return found


def flat(tree: Tree | int) -> list[str]:
    """All words below, as they follow each other: statements of one line that a block may have, too."""
    if type(tree) is not dict:
        return []
    words: list[str] = []
    for word, below in tree.items():
        if word is not None:
            words.append(word)
            words += flat(below)
    return words
