"""Tallies as JSON: as a process sends them to another, and as a render leaves them for the next one.

A tally of a fabric is the list of its fields in their order; a dictionary is a list of pairs, and so is a set one of
its members. They are read by the types of the fields.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from fabricgen.checks.switches.tally import Tally

Reader = Callable[[Any], Any]
"""Makes a value of what JSON has of it."""

FIELDS = tuple(each.name for each in fields(Tally) if each.name != "above")
"""All but the table of tuples that are kept once, which is made again."""


def dumped(tallies: Mapping[str, Tally]) -> str:
    """Tallies by fabric as one JSON text."""
    rows = [[name, [_listed(getattr(tally, field)) for field in FIELDS]] for name, tally in tallies.items()]
    return json.dumps(rows, default=list)


def loaded(text: str) -> dict[str, Tally]:
    """The tallies of `dumped` again. Raises ValueError or TypeError for any other text."""
    readers = _fields()
    return {
        name: Tally(**{field: read(value) for (field, read), value in zip(readers, values, strict=True)})
        for name, values in json.loads(text)
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
    """Lists as tuples, at any depth: where a type says no more than that there is a value."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def _reader(hint: object) -> Reader:
    """Reader of values of a type."""
    made, of = get_origin(hint), get_args(hint)
    if made in (Union, UnionType):
        return _optional(tuple(_reader(each) for each in of if each is not NoneType))
    if made is dict:
        return _several(dict, _row(tuple, map(_reader, of)))
    if made is tuple and of[-1] is not ...:
        return _row(tuple, map(_reader, of))
    if made is not None:
        return _several(made, _reader(of[0]))
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _row(hint._make, map(_reader, get_type_hints(hint).values()))  # type: ignore[attr-defined]
    return _frozen if hint is object else _same


def _optional(readers: tuple[Reader, ...]) -> Reader:
    """A value of one of the scalar types, or of the only other type; or none."""
    read = next((each for each in readers if each is not _same), _same)
    return read if read is _same else lambda value: None if value is None else read(value)


def _several(made: Callable[[Iterable[Any]], Any], read: Reader) -> Reader:
    return made if read is _same else lambda values: made(map(read, values))


def _row(made: Callable[[Iterable[Any]], Any], columns: Iterable[Reader]) -> Reader:
    readers = tuple(columns)
    if all(read is _same for read in readers):
        return made
    return lambda row: made([read(value) for read, value in zip(readers, row, strict=True)])
