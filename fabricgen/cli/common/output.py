"""Text that comes in many small pieces, printed some at a time and never held whole."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat

import click

AT_ONCE = 1 << 16
"""Characters that are printed together: each call of click's flushes."""


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """While results are printed: that nobody reads on (`| head`) changes nothing in the exit code.

    The rest goes nowhere, what Python writes when it ends included.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


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
    """Print a value as `json.dumps` writes it with an indent of 1, and a line's end.

    A function in it stands for what it returns: it is called in its turn, and what it returned is printed and let go.
    """
    echo_pieces(_json(value, "\n"))
    click.echo()


def _json(value: object, line: str) -> Iterator[str]:
    """Text of a value whose keys are text. line: a line's end, and how far the line is indented."""
    found = value() if callable(value) else value
    inner = f"{line} "
    if not isinstance(found, dict | list | tuple) or not found:
        yield json.dumps(found)
    elif all(isinstance(each, str | int | float | None) for each in _values(found)):
        # json writes an indent by itself in Python alone, a piece for each value: half of the time of a long report.
        text = json.dumps(found, separators=(f",{inner}", ": "))
        yield f"{text[0]}{inner}{text[1:-1]}{line}{text[-1]}"
    else:
        opening, closing = "{}" if isinstance(found, dict) else "[]"
        heads = (f"{json.dumps(key)}: " for key in found) if isinstance(found, dict) else repeat("", len(found))
        yield opening
        for at, (head, each) in enumerate(zip(heads, _values(found), strict=True)):
            yield f"{',' if at else ''}{inner}{head}"
            yield from _json(each, inner)
        yield f"{line}{closing}"


def _values(found: dict[str, object] | list[object] | tuple[object, ...]) -> Iterable[object]:
    return found.values() if isinstance(found, dict) else found


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
