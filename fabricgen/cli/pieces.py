"""Text that comes in many small pieces, printed some at a time and never held whole."""

import json
from collections.abc import Iterable, Iterator

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
