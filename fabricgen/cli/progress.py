"""Progress of long work, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

FROM = 200
"""Switches from which a terminal is shown progress."""


@contextmanager
def shown(switches: int, label: str) -> Iterator[Callable[[], None]]:
    """Yield what is to be called once a switch."""
    if switches < FROM or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=switches, label=label, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
