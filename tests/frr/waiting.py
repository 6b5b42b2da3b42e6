"""Waiting for daemons."""

import time
from collections.abc import Callable

SECONDS = 40


def becomes(wanted: object, read: Callable[..., object], *arguments: object) -> None:
    """Wait until `read` gives what is wanted; at the end say what it gives instead."""
    deadline = time.monotonic() + SECONDS
    while (found := read(*arguments)) != wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found == wanted
