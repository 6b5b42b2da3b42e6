"""A JSON document of tables and rows, the quick way: one object a row, as templates write them, and nothing else.

Switches of a tier say most tables alike: a table that was told in the same words before is not spelled again. What is
not as usual (another nesting, an object that a remark stands in, a key that stands twice, a contradiction) is an
UnusualError, and left to json_sections.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, NamedTuple

TABLES_KEPT, ROWS_KEPT = 96, 64
"""Twice as many tables as a switch has: those that are its own drop out, the others are used again. And the most rows
of one that may be alike on two switches: what ports have in common is a row or two."""
NAMES_KEPT = 1024
REMARK = "\n//"
BETWEEN = "}\n{"
"""Between two objects: no text of JSON has a line's end in it."""
PORTS = re.compile(r"([A-Za-z]+\d+(?:,[A-Za-z]+\d+)+)(\|.*)?")
"""A row for several ports."""
PORT = re.compile(r"[A-Za-z]+(?:0|[1-9][0-9]*)")
_WORD = re.compile(r"(\d+)")
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)
_Pairs = tuple[tuple[str, Any], ...]
"""An object with its keys as they stand, also twice."""
_Rows = dict[str, Any]
"""Rows of a table by key: pairs, or a dictionary where a row came in pieces."""


class UnusualError(ValueError):
    """Something that the quick way does not know."""


class Form(NamedTuple):
    """A row with a blank for each value, and which value goes where; None: as they come."""

    text: str
    order: Callable[[list[str]], tuple[str, ...]] | None


def natural(key: str) -> list[str | int]:
    """Sorts numbers by their value and before words: Ethernet8 before Ethernet16."""
    words: list[str | int] = [*_WORD.split(key)]
    words[1::2] = map(int, words[1::2])
    return words


_kept_order = lru_cache(maxsize=NAMES_KEPT)(natural)
"""Of ports, which every switch has: a key that begins with one has more behind a bar."""


def single(key: str) -> Iterator[str]:
    """Keys of the rows that one key stands for: Ethernet0,Ethernet8|3 for Ethernet0|3 and Ethernet8|3."""
    found = PORTS.fullmatch(key) if "," in key else None
    if found is None:
        yield key
        return
    ports, rest = found.groups("")
    yield from (f"{port}{rest}" for port in ports.split(","))


def tables_document(text: str) -> str:
    """The document of all objects, sorted. Raises UnusualError."""
    tables: dict[str, _Rows] = {}
    last: str | None = None
    rows: _Rows = {}
    for found in _objects(text):
        if len(found) != 1:
            raise UnusualError("an object of several tables")
        ((name, pairs),) = found
        if name != last:
            last, rows = name, tables.setdefault(name, {})
        for key, row in pairs if type(pairs) is tuple and len(pairs) == 1 else _once(pairs).items():
            if key in rows:
                _add(rows, key, row)
            else:
                rows[key] = row
    return _document({name: _table_of(tables[name]) for name in sorted(tables, key=_kept_order)})


def _document(tables: Mapping[str, str]) -> str:
    """The whole, joined once: copies of so long a text take their time."""
    told: list[str] = []
    before = "{\n"
    for name, rows in tables.items():
        told += (
            before,
            f"    {encode_basestring(name)}: {{\n" if rows else f"    {encode_basestring(name)}: {{}}",
            rows,
        )
        before = "\n    },\n" if rows else ",\n"
    return "".join((*told, before.replace(",", ""), "}\n")) if told else "{}\n"


def _objects(text: str) -> list[_Pairs]:
    first, *others = f"\n{text}".split(REMARK)
    plain = "\n".join((first, *(other.partition("\n")[2] for other in others))).strip()
    if not plain:
        return []
    try:
        found = _DECODER.decode(f"[{plain.replace(BETWEEN, '},{')}]")
    except ValueError as fault:
        raise UnusualError(str(fault)) from fault
    if len(found) != plain.count(BETWEEN) + 1 or set(map(type, found)) != {tuple}:
        raise UnusualError("objects that do not stand below each other")
    return found  # type: ignore[no-any-return]


def _add(rows: _Rows, key: str, row: object) -> None:
    """Join a row with what stands already."""
    have = rows[key]
    if have == row:
        return
    if type(have) is not dict:
        have = rows[key] = _once(have)
    for name, value in _once(row).items():
        if have.setdefault(name, value) != value:
            raise UnusualError(f"{name} has two values")


def _once(pairs: object) -> dict[str, Any]:
    """An object by its keys. Raises UnusualError for what is none, or has a key twice."""
    if type(pairs) is not tuple:
        raise UnusualError("no object")
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnusualError("a key stands twice")
    return found


def _table_of(rows: _Rows) -> str:
    """Rows of a table as text. One of few rows may be another switch's too: it is looked for among those kept."""
    if len(rows) > ROWS_KEPT:
        return _table(rows)
    pairs = tuple([(key, tuple(row.items()) if type(row) is dict else row) for key, row in rows.items()])
    try:
        return _kept_table(pairs)
    except TypeError:  # a list in it, which nothing can be kept by
        return _table(rows)


@lru_cache(maxsize=TABLES_KEPT)
def _kept_table(pairs: _Pairs) -> str:
    return _table(dict(pairs))


def _table(rows: _Rows) -> str:
    if "," in "".join(rows):
        rows = _singles(rows)
    told = []
    for key in _sorted(rows):
        row = rows[key]
        told.append(f"        {encode_basestring(key)}: {'{}' if row == () else _row(row)}")
    return ",\n".join(told)


def _singles(pairs: _Rows) -> _Rows:
    rows: _Rows = {}
    for key, found in pairs.items():
        row = tuple(found.items()) if type(found) is dict else found  # each port joins with what is its own
        for one in single(key):
            if one in rows:
                _add(rows, one, row)
            else:
                rows[one] = row
    return rows


def _sorted(rows: _Rows) -> Iterable[str]:
    """Keys in natural order. Those of ports are grouped by the port: mostly it tells the whole order."""
    ports: dict[str, list[str]] = {}
    for key in rows:
        ports.setdefault(key.partition("|")[0], []).append(key)
    if len(ports) == 1 or not all(map(_is_port, ports)):
        return sorted(rows, key=natural)
    return chain.from_iterable([_of_port(port, ports[port]) for port in sorted(ports, key=_kept_order)])


def _of_port(port: str, keys: list[str]) -> list[str]:
    """Keys of one port: itself, and with a number and with a word behind the bar; such a number is the first."""
    if len(keys) == 1:
        return keys
    if keys[0] == port and len(keys) == 3:
        at = len(port) + 1
        if keys[1][at : at + 1].isdecimal() and keys[2][at : at + 1].isalpha():
            return keys
    return sorted(keys, key=natural)


@lru_cache(maxsize=NAMES_KEPT)
def _is_port(name: str) -> bool:
    """Whether keys that begin so and with another such name are in the order of the two, whatever is behind a bar."""
    return PORT.fullmatch(name) is not None


def _row(row: _Pairs | dict[str, Any]) -> str:
    pairs = tuple(row.items()) if type(row) is dict else row
    if type(pairs) is not tuple:
        raise UnusualError("no row")
    names, values = zip(*pairs)  # noqa: B905 - each is two
    form = _form(names)
    try:
        texts = [*map(encode_basestring, values)]
    except TypeError:
        texts = [_value(value) for value in values]
    return form.text % (form.order(texts) if form.order else tuple(texts))


@lru_cache(maxsize=NAMES_KEPT)
def _form(names: tuple[str, ...]) -> Form:
    if len(set(names)) != len(names):
        raise UnusualError("a key stands twice")
    order = sorted(range(len(names)), key=lambda at: natural(names[at]))
    blanks = ",\n".join(f"            {encode_basestring(names[at]).replace('%', '%%')}: %s" for at in order)
    return Form(f"{{\n{blanks}\n        }}", None if order == [*range(len(names))] else itemgetter(*order))


def _value(value: object) -> str:
    """A text, or a list of texts."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is list and all(type(one) is str for one in value):
        told = ",\n".join(f"                {encode_basestring(one)}" for one in value)
        return f"[\n{told}\n            ]" if told else "[]"
    raise UnusualError("a value that is no text")
