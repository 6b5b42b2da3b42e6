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

    around  place among the pieces of an object → what stands there in each
    row     as the document has it, with a blank for each text
    texts   places of the texts, in the order of the blanks
    """

    around: Mapping[int, str]
    table: str
    row: str
    texts: tuple[int, ...]


def rows_alike(parts: Sequence[str], spell: Spell) -> tuple[str, dict[str, str]] | None:
    """Name of a table and its rows by key, of objects without their outer braces; None where they are not alike."""
    pieces = [part.split('"') for part in parts]
    shape = _shape(_blanked(pieces[0]), spell)
    if shape is None or any(len(each) != len(pieces[0]) for each in pieces):
        return None
    columns = [*zip(*pieces, strict=True)]
    texts = [columns[at] for at in shape.texts]
    is_alike = all(columns[at].count(piece) == len(parts) for at, piece in shape.around.items())
    if not (is_alike and all(map(_are_plain, texts))):
        return None
    rows = dict(zip(columns[KEY], map(shape.row.__mod__, zip(*texts, strict=True)), strict=True))
    return (shape.table, rows) if len(rows) == len(parts) and "," not in "".join(rows) else None


def _are_plain(texts: tuple[str, ...]) -> bool:
    """Whether each is spelled as it stands: without an escape or a control character."""
    return "\\" not in "".join(texts) and all(map(str.isprintable, texts))


def _blanked(found: Sequence[str]) -> _Pieces:
    """Pieces of an object, names in quotes, and nothing in the place of a text."""
    pieces = [*found]
    for at in range(1, len(pieces) - 1, 2):
        is_name = at != KEY and pieces[at + 1].lstrip().startswith(":")
        pieces[at] = f'"{pieces[at]}"' if is_name else ""
    return tuple(pieces)


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
        {at: pieces[at].strip('"') for at in range(len(pieces)) if at not in blanks},
        table,
        _MARK.sub("%s", text.replace("%", "%%")),
        tuple(blanks[number] for number in order),
    )
