"""Text that comes in many small pieces, printed some at a time and never held whole."""

import json
from collections.abc import Iterable, Iterator, Mapping

import click

AT_ONCE = 1 << 16
"""Characters that are printed together: each call of click's flushes."""


def echo_pieces(pieces: Iterable[str]) -> None:
    """Print pieces one behind the other, nothing between or behind them."""
    some: list[str] = []
    size = 0
    for piece in pieces:
        some.append(piece)
        size += len(piece)
        if size >= AT_ONCE:
            click.echo("".join(some), nl=False)
            some, size = [], 0
    click.echo("".join(some), nl=False)


def echo_json(value: object) -> None:
    """Print a value as `json.dumps` writes it with an indent of 1, and a line's end."""
    echo_pieces(json.JSONEncoder(indent=1).iterencode(value))
    click.echo()


def json_list(values: Iterable[object]) -> Iterator[str]:
    """Text of a list as `json.dumps` writes it, one value a piece."""
    between = "["
    for value in values:
        yield between + json.dumps(value)
        between = ", "
    yield "[]" if between == "[" else "]"


def json_object(lists: Mapping[str, Iterable[object]], others: Mapping[str, object]) -> Iterator[str]:
    """Text of an object as `json.dumps` writes it, and a line's end: lists one value a piece, then what is no list."""
    between = "{"
    for name, values in lists.items():
        yield f"{between}{json.dumps(name)}: "
        yield from json_list(values)
        between = ", "
    for name, value in others.items():
        yield f"{between}{json.dumps(name)}: {json.dumps(value)}"
        between = ", "
    yield "{}\n" if between == "{" else "}\n"
