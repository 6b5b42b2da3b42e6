"""Many objects of one row that differ in their texts alone, as the loop of a template writes them, cut at their quotes.

What is around the texts of the first object, its shape, has to be around those of every other. How such a row is
spelled is asked once, of an object with marks for its texts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

SHAPES_KEPT = 64
BETWEEN = "}\n{"
"""Between two objects: no text of JSON has a line's end in it."""
KEY = 3
"""Place of the row's key among the pieces of an object: what stands around a text, the text, what stands around..."""
ROW = '\n        "'
"""Begins a row that is not the first."""
_MARK = re.compile(r"\x7f(\d+)")
_Pieces = tuple[str, ...]
Spell = Callable[[Sequence[str]], tuple[str, str]]
"""Objects without their outer braces → name of their table, and its rows as the document has them."""


class Shape(NamedTuple):
    """What objects that are alike have in common.

    around  place among the pieces of an object → what stands there in each, but for its first and its last piece
    ends    its first and its last piece
    step    pieces from one object to the next
    lines   ends of lines in one object
    row     as the document has it, with a blank for each text
    texts   places of the texts, in the order of the blanks
    """

    around: Mapping[int, str]
    ends: tuple[str, str]
    step: int
    lines: int
    table: str
    row: str
    texts: tuple[int, ...]


def rows_alike(parts: Sequence[str], spell: Spell) -> tuple[str, dict[str, str]] | None:
    """Name of a table and its rows by key, of objects without their outer braces; None where they are not alike."""
    shape = _shape(_blanked(parts[0].split('"')), spell)
    text = BETWEEN.join(parts)
    if shape is None or not _is_plain(text, ends=len(parts) * (shape.lines + 1) - 1):
        return None
    pieces = text.split('"')
    if not _are_alike(pieces, shape, len(parts)):
        return None
    keys, columns = pieces[KEY :: shape.step], [pieces[at :: shape.step] for at in shape.texts]
    rows = dict(zip(keys, map(shape.row.__mod__, zip(*columns, strict=True)), strict=True))
    return (shape.table, rows) if len(rows) == len(parts) and "," not in "".join(keys) else None


def _blanked(pieces: list[str]) -> _Pieces:
    """Pieces of an object, names in quotes, and nothing in the place of a text."""
    for at in range(1, len(pieces) - 1, 2):
        is_name = at != KEY and pieces[at + 1].lstrip().startswith(":")
        pieces[at] = f'"{pieces[at]}"' if is_name else ""
    return tuple(pieces)


def _is_plain(text: str, ends: int) -> bool:
    """Whether no text of JSON in it has an escape or a control character. ends: those of lines outside of them."""
    return "\\" not in text and text.count("\n") == ends and text.replace("\n", "").isprintable()


def _are_alike(pieces: list[str], shape: Shape, count: int) -> bool:
    """Whether so many objects, cut at their quotes, have the same around their texts."""
    (first, last), step = shape.ends, shape.step
    return (
        len(pieces) == count * step + 1
        and (pieces[0], pieces[-1]) == shape.ends
        and pieces[step:-1:step].count(f"{last}{BETWEEN}{first}") == count - 1
        and all(pieces[at::step].count(piece) == count for at, piece in shape.around.items())
    )


@lru_cache(maxsize=SHAPES_KEPT)
def _shape(pieces: _Pieces, spell: Spell) -> Shape | None:
    """Of an object by its pieces, its texts left out; None where it is no single row of plain texts."""
    blanks = [at for at in range(1, len(pieces), 2) if not pieces[at]]
    if len(blanks) < 2 or len(pieces) % 2 == 0 or "\\" in "".join(pieces):
        return None
    marked = [*pieces]
    for number, at in enumerate(blanks):
        marked[at] = f'"\x7f{number}"'
    table, text = spell(["".join(marked)])
    order = [*map(int, _MARK.findall(text))]
    if ROW in text or sorted(order) != [*range(len(blanks))]:
        return None
    return Shape(
        {at: pieces[at].strip('"') for at in range(1, len(pieces) - 1) if at not in blanks},
        (pieces[0], pieces[-1]),
        len(pieces) - 1,
        "".join(pieces).count("\n"),
        table,
        _MARK.sub("%s", text.replace("%", "%%")),
        tuple(blanks[number] for number in order),
    )
