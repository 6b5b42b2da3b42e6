"""Progress of long work, on a terminal only: switches done, switches per second, and remaining time."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

FROM = 200
"""Number of switches from which progress is shown."""


class OnProgress(Protocol):
    """Callback for switches that are done."""

    def __call__(self, switches: int = 1) -> None:
        """Count this many more."""


@contextmanager
def shown(switches: int, label: str, least: int | None = None) -> Iterator[OnProgress]:
    """Yield a callback, to be called once per switch, or once for several. least: number from which it shows them."""
    if switches < (FROM if least is None else least) or not sys.stderr.isatty():
        yield _silent
        return
    begun, done = time.monotonic(), 0

    def rate(_: object) -> str:
        return f"{done / max(time.monotonic() - begun, 0.001):.0f} a second"

    with click.progressbar(
        length=switches, label=label, file=sys.stderr, show_pos=True, show_percent=True, item_show_func=rate
    ) as bar:

        def step(switches: int = 1) -> None:
            nonlocal done
            done += switches
            bar.update(switches, done)

        yield step


def _silent(switches: int = 1) -> None:
    """Show nothing."""
