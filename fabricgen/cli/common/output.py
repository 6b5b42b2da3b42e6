"""Print text that comes in many small pieces, in batches, without holding all of it."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # most commands write no folder
    from pathlib import Path

    from fabricgen.output.stage import CommitSummary

AT_ONCE = 1 << 16
"""Characters that are printed together, as each call of `click.echo` flushes."""


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Context for printing results: a reader that stops early (`| head`) does not change the exit code.

    The rest of the output is discarded, including what Python writes at exit.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def echo_pieces(pieces: Iterable[str]) -> None:
    """Print the pieces without separators."""
    batch: list[str] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= AT_ONCE:
            click.echo("".join(batch), nl=False)
            batch, size = [], 0
    click.echo("".join(batch), nl=False)


def echo_json(value: object) -> None:
    """Print a value as `json.dumps` does with an indent of 1, and a line end.

    A function in the value is called when its place is reached; its result is printed and dropped.
    """
    echo_pieces(_json(value, "\n"))
    click.echo()


def _json(value: object, line: str) -> Iterator[str]:
    """JSON text of a value whose keys are strings. line: a line end with the current indentation."""
    data = value() if callable(value) else value
    inner = f"{line} "
    if not isinstance(data, dict | list | tuple) or not data:
        yield json.dumps(data)
    elif all(isinstance(item, str | int | float | None) for item in _values(data)):
        # The json module indents in pure Python, one piece per value, which took half of the time of a long report.
        text = json.dumps(data, separators=(f",{inner}", ": "))
        yield f"{text[0]}{inner}{text[1:-1]}{line}{text[-1]}"
    else:
        opening, closing = "{}" if isinstance(data, dict) else "[]"
        heads = (f"{json.dumps(key)}: " for key in data) if isinstance(data, dict) else repeat("", len(data))
        yield opening
        for position, (head, item) in enumerate(zip(heads, _values(data), strict=True)):
            yield f"{',' if position else ''}{inner}{head}"
            yield from _json(item, inner)
        yield f"{line}{closing}"


def _values(container: dict[str, object] | list[object] | tuple[object, ...]) -> Iterable[object]:
    return container.values() if isinstance(container, dict) else container


def json_list(values: Iterable[object]) -> Iterator[str]:
    """Text of a list as `json.dumps` writes it, one piece per value."""
    separator = "["
    for value in values:
        yield separator + json.dumps(value)
        separator = ", "
    yield "[]" if separator == "[" else "]"


def json_object(lists: Mapping[str, Iterable[object]], others: Mapping[str, object]) -> Iterator[str]:
    """Text of an object as `json.dumps` writes it, and a line end: `lists`, one piece per value, then `others`."""
    separator = "{"
    for name, values in lists.items():
        yield f"{separator}{json.dumps(name)}: "
        yield from json_list(values)
        separator = ", "
    for name, value in others.items():
        yield f"{separator}{json.dumps(name)}: {json.dumps(value)}"
        separator = ", "
    yield "{}\n" if separator == "{" else "}\n"


def print_outcome(outcome: "CommitSummary", out: "Path") -> None:
    """Print what was written to a folder, as text."""
    for path in outcome.edited:
        click.echo(f"{out / path}: manual edit overwritten", err=True)
    counts = (len(outcome.written), len(outcome.unchanged), len(outcome.removed))
    files = "file" if counts[0] == 1 else "files"
    click.echo("{}: {} {} written, {} unchanged, {} removed".format(out, counts[0], files, *counts[1:]), err=True)
