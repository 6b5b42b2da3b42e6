"""Tallies as JSON: sent from one process to another, and kept by a render for the next one.

The tally of a fabric is a list of its fields in their order; a dictionary is a list of pairs, a set a list of its
members. The types of the fields say how they are read.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from fabricgen.checks.switches.tally import Tally

Reader = Callable[[Any], Any]
"""Converts a value from JSON."""

FIELDS = tuple(each.name for each in fields(Tally) if each.name != "above")
"""All fields except `above`, a cache that is filled again."""


def dumped(tallies: Mapping[str, Tally]) -> str:
    """Return tallies by fabric as one JSON text."""
    rows = [[name, [_listed(getattr(tally, field)) for field in FIELDS]] for name, tally in tallies.items()]
    return json.dumps(rows, default=list)


def loaded(text: str) -> dict[str, Tally]:
    """Return the tallies from the output of `dumped`. Raises ValueError or TypeError for any other text."""
    readers = _fields()
    return {
        name: Tally(**{field: read(value) for (field, read), value in zip(readers, row, strict=True)})
        for name, row in json.loads(text)
    }


def _listed(value: object) -> object:
    return list(value.items()) if isinstance(value, dict) else value


@cache
def _fields() -> tuple[tuple[str, Reader], ...]:
    hints = get_type_hints(Tally)
    return tuple((field, _reader(hints[field])) for field in FIELDS)


def _same(value: object) -> object:
    return value


def _frozen(value: object) -> object:
    """Return lists as tuples, at any depth, for values of unknown type."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def _reader(hint: object) -> Reader:
    """Return the reader for values of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _optional(tuple(_reader(member) for member in arguments if member is not NoneType))
    if origin is dict:
        return _several(dict, _row(tuple, map(_reader, arguments)))
    if origin is tuple and arguments[-1] is not ...:
        return _row(tuple, map(_reader, arguments))
    if origin is not None:
        return _several(origin, _reader(arguments[0]))
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _row(hint._make, map(_reader, get_type_hints(hint).values()))  # type: ignore[attr-defined]
    return _frozen if hint is object else _same


def _optional(readers: tuple[Reader, ...]) -> Reader:
    """Return the reader for the only non-scalar type of a union, which may be None; else values are unchanged."""
    read = next((reader for reader in readers if reader is not _same), _same)
    return read if read is _same else lambda value: None if value is None else read(value)


def _several(make: Callable[[Iterable[Any]], Any], read: Reader) -> Reader:
    return make if read is _same else lambda values: make(map(read, values))


def _row(make: Callable[[Iterable[Any]], Any], columns: Iterable[Reader]) -> Reader:
    readers = tuple(columns)
    if all(read is _same for read in readers):
        return make
    return lambda row: make([read(value) for read, value in zip(readers, row, strict=True)])
