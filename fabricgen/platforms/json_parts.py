"""A JSON document of tables and rows, the quick way: one object a row, as templates write them, and nothing else.

Switches of a tier say most tables alike: a table that was told in the same words before is neither read nor spelled
again. What is not as usual (another nesting, a key that stands twice, a contradiction) is an UnusualError, and left to
json_sections.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, NamedTuple

from fabricgen.platforms.json_alike import BETWEEN, rows_alike

TABLES_KEPT = 96
"""Twice as many tables as a switch has: those that are its own drop out, the others are used again."""
LOOP = 64
"""Objects of a table that a loop may have written; of fewer, most are another switch's too."""
NAMES_KEPT = 1024
REMARK = "//"
PORTS = re.compile(r"([A-Za-z]+\d+(?:,[A-Za-z]+\d+)+)(\|.*)?")
"""A row for several ports."""
PORT = re.compile(r"[A-Za-z]+(?:0|[1-9][0-9]*)")
_REMARK = re.compile(f"\n{REMARK}")
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
"""Of ports, which every switch has: a key that begins with one has more behind a bar. And of what keys begin with."""


def _order(key: str) -> list[str | int]:
    """`natural`, quicker of addresses: many of one switch begin alike, and where that ends no number is cut."""
    at = max(key.rfind("."), key.rfind(":")) + 1
    words, last = _kept_order(key[:at]), key[at:]
    if last.isdecimal():
        return [*words, int(last), ""]
    first, *others = natural(last)
    return [*words[:-1], f"{words[-1]}{first}", *others]


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
    plain = _without_remarks(text).strip()
    if not plain:
        return "{}\n"
    if plain[0] != "{" or plain[-1] != "}":
        raise UnusualError("no objects")
    tables: dict[str, list[str]] = {}
    start, parts = "", []
    for found in plain[1:-1].split(BETWEEN):
        if not (start and found.startswith(start)):
            start = found[: found.find(":") + 1]
            parts = tables.setdefault(start, [])
        parts.append(found)
    told = dict([_table_of(parts) for parts in tables.values()])
    if len(told) != len(tables):
        raise UnusualError("a table that begins in two ways")
    return _document({name: told[name] for name in sorted(told, key=_kept_order)})


def _without_remarks(text: str) -> str:
    """Mostly there is one, of where the file belongs: the first line."""
    if _REMARK.search(text):
        return "\n".join([line for line in text.split("\n") if not line.startswith(REMARK)])
    return text.partition("\n")[2] if text.startswith(REMARK) else text


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
    return "".join((*told, before.replace(",", ""), "}\n"))


def _table_of(parts: list[str]) -> tuple[str, str]:
    """Name and rows of a table. What no loop has written may have been told before, and is looked for among that."""
    found = rows_alike(parts, _table) if len(parts) >= LOOP else None
    if found is None:
        return _kept_table(tuple(parts))
    name, rows = found
    return name, ",\n".join([rows[key] for key in _sorted(rows)])


def _table(parts: Sequence[str]) -> tuple[str, str]:
    """The same of the objects that tell it, each without its outer braces."""
    found = _objects(parts)
    if set(map(len, found)) != {1}:
        raise UnusualError("an object of several tables")
    names, tables = zip(*chain.from_iterable(found))  # noqa: B905 - each is two
    if len(set(names)) != 1 or set(map(type, tables)) != {tuple}:
        raise UnusualError("several tables that begin alike, or one that is no object")
    rows = _rows(tables)
    return names[0], _text(_singles(rows) if "," in "".join(rows) else rows)


_kept_table = lru_cache(maxsize=TABLES_KEPT)(_table)


def _objects(parts: Sequence[str]) -> list[_Pairs]:
    try:
        found = _DECODER.decode(f"[{{{'},{'.join(parts)}}}]")
    except ValueError as fault:
        raise UnusualError(str(fault)) from fault
    if len(found) != len(parts) or set(map(type, found)) != {tuple}:
        raise UnusualError("objects that do not stand below each other")
    return found  # type: ignore[no-any-return]


def _rows(tables: Sequence[_Pairs]) -> _Rows:
    """Rows of all objects that tell a table. Mostly none is told twice."""
    rows = dict(chain.from_iterable(tables))
    if len(rows) == sum(map(len, tables)):
        return rows
    rows.clear()
    for pairs in tables:
        for key, row in _once(pairs).items():
            if key in rows:
                _add(rows, key, row)
            else:
                rows[key] = row
    return rows


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


def _text(rows: _Rows) -> str:
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
    """Keys in natural order. Tables of ports have the same keys on many switches."""
    keys = tuple(rows)
    return _by_port(keys) if keys and _is_port(keys[0].partition("|")[0]) else sorted(keys, key=_order)


@lru_cache(maxsize=TABLES_KEPT)
def _by_port(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Keys in natural order, those of ports grouped by the port: mostly it tells the whole order."""
    ports: dict[str, list[str]] = {}
    for key in keys:
        ports.setdefault(key.partition("|")[0], []).append(key)
    if len(ports) == 1 or not all(map(_is_port, ports)):
        return tuple(sorted(keys, key=_order))
    return tuple(chain.from_iterable([_of_port(port, ports[port]) for port in sorted(ports, key=_kept_order)]))


def _of_port(port: str, keys: list[str]) -> list[str]:
    """Keys of one port: itself, and with a number and with a word behind the bar; such a number is the first."""
    if len(keys) == 1 or (keys[0] == port and len(keys) == 2):
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
