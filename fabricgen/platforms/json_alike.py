"""Many objects of one row that differ in their texts alone, as the loop of a template writes them, read by one search.

What is around the texts of the first object, its shape, has to be around those of every other. How such a row is
spelled is asked once, of an object with marks for its texts.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

SHAPES_KEPT = 64
BETWEEN = "}\n{"
"""Between two objects: no text of JSON has a line's end in it."""
PLAIN, SINGLE = r'[^"\\\x00-\x1f]*', r'[^"\\\x00-\x1f,]*'
"""A text that is spelled as it stands; and one that is the key of a single row."""
KEY = 3
"""Place of the row's key among the pieces of an object: what stands around a text, the text, what stands around..."""
ROW = '\n        "'
"""Begins a row that is not the first."""
_TEXT = re.compile(f'"({PLAIN})"')
_MARK = re.compile(r"\x7f(\d+)")
_Texts = tuple[str, ...]
Spell = Callable[[Sequence[str]], tuple[str, str]]
"""Objects without their outer braces → name of their table, and its rows as the document has them."""


class Shape(NamedTuple):
    """What objects that are alike have in common.

    texts  finds the texts of one: the key of its row, then its values
    row    as the document has it, with a blank for each text
    order  which text goes into which blank; None: as they come
    """

    texts: re.Pattern[str]
    table: str
    row: str
    order: Callable[[_Texts], _Texts] | None


def rows_alike(parts: Sequence[str], spell: Spell) -> tuple[str, dict[str, str]] | None:
    """Name of a table and its rows by key, of objects without their outer braces; None where they are not alike."""
    pieces = _TEXT.split(parts[0])
    for at in range(1, len(pieces), 2):
        is_name = at != KEY and pieces[at + 1].lstrip().startswith(":")
        pieces[at] = f'"{pieces[at]}"' if is_name else ""
    shape = _shape(tuple(pieces), spell)
    if shape is None:
        return None
    found = shape.texts.findall(BETWEEN.join(("", *parts, "")))
    rows = {texts[0]: shape.row % (shape.order(texts) if shape.order else texts) for texts in found}
    return (shape.table, rows) if len(rows) == len(parts) else None


@lru_cache(maxsize=SHAPES_KEPT)
def _shape(pieces: _Texts, spell: Spell) -> Shape | None:
    """Of an object by its pieces, its texts left out; None where it is no single row of plain texts."""
    blanks = [at for at in range(1, len(pieces), 2) if not pieces[at]]
    if len(blanks) < 2 or "\\" in "".join(pieces):
        return None
    marked, searched = [*pieces], [*map(re.escape, pieces)]
    for number, at in enumerate(blanks):
        marked[at], searched[at] = f'"\x7f{number}"', f'"({SINGLE if at == KEY else PLAIN})"'
    table, text = spell(["".join(marked)])
    order = [*map(int, _MARK.findall(text))]
    if ROW in text or sorted(order) != [*range(len(blanks))]:
        return None
    between = re.escape(BETWEEN)
    return Shape(
        re.compile(f"{between}{''.join(searched)}(?={between})"),
        table,
        _MARK.sub("%s", text.replace("%", "%%")),
        None if order == sorted(order) else itemgetter(*order),
    )
