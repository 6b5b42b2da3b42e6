"""Text → its lines, each with the headings above it and the form of forms.py that it has, if any."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from tests.nxos.forms import BLOCKS, Form
from tests.nxos.values import VALUES

REST = "TEXT"
"""Stands for all that is left of a line."""


class Seen(NamedTuple):
    """A line of a text with the headings above it, its block and its form; no form where the table has none."""

    number: int
    above: tuple[str, ...]
    text: str
    block: str
    form: Form | None


@cache
def walk(text: str) -> tuple[Seen, ...]:
    """Every line with a command, in order. A line below one that takes none, or that is unknown, is unknown too."""
    return tuple(_walk(text))


def _walk(text: str) -> Iterator[Seen]:
    open_blocks: list[tuple[int, str, str | None]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        while open_blocks and open_blocks[-1][0] >= depth:
            open_blocks.pop()
        block = open_blocks[-1][2] if open_blocks else "" if not depth else None
        form = _form(block, line) if block is not None else None
        yield Seen(number, tuple(heading for _, heading, _ in open_blocks), line, block or "", form)
        below = form.below if form and form.below else None
        open_blocks.append((depth, line, below))


def misplaced(text: str) -> list[str]:
    """Lines that the mode of a heading before them would take, though they do not stand below it.

    NX-OS goes by modes and not by indentation: a line is tried in the mode that is open, then in those above.
    """
    found: list[str] = []
    left: tuple[tuple[int, str], ...] = ()
    for seen in walk(text):
        found += [seen.text for depth, mode in left if depth > len(seen.above) and _form(mode, seen.text)]
        below = seen.form.below if seen.form else None
        kept = tuple((depth, mode) for depth, mode in left if depth <= len(seen.above))
        left = (*kept, (len(seen.above) + 1, below)) if below else kept
    return found


def unknown(text: str) -> list[str]:
    """Lines that no form of their block takes."""
    return [" > ".join((*seen.above, seen.text)) for seen in walk(text) if seen.form is None]


@cache
def _form(block: str, line: str) -> Form | None:
    return next((form for form in BLOCKS[block] if _judge(form.words)(line)), None)


@cache
def _judge(words: str) -> Callable[[str], bool]:
    judges = [_word(word) for word in words.split() if word != REST]
    open_ended = words.endswith(REST)

    def judge(line: str) -> bool:
        found = line.split()
        fits = len(found) > len(judges) if open_ended else len(found) == len(judges)
        return fits and all(judge(word) for judge, word in zip(judges, found, strict=False))

    return judge


def _word(word: str) -> Callable[[str], bool]:
    run = re.fullmatch(r"<(\d+)-(\d+)>", word)
    if run:
        low, high = int(run[1]), int(run[2])
        return lambda found: re.fullmatch(r"0|[1-9]\d*", found) is not None and low <= int(found) <= high
    if word in VALUES:
        return VALUES[word]
    return lambda found: found in word.split("|")
