"""Waiting for daemons."""

import os
import time
from collections.abc import Callable

VARIABLE = "FABRICGEN_TEST_WAIT"
"""Of the environment: other seconds. Whoever looks for breaks waits in vain for each that is found."""
SECONDS = float(os.environ.get(VARIABLE, "240"))
"""No test measures it: it ends what hangs, on a host that does much else too."""
PAUSE_SECONDS = 0.1


def becomes(wanted: object, read: Callable[..., object], *arguments: object) -> None:
    """Wait until `read` gives what is wanted; at the end say what it gives instead.

    Twice as long is waited as a look took: whoever looks without pause slows down what he waits for.
    """
    deadline = time.monotonic() + SECONDS
    while True:
        begun = time.monotonic()
        found = read(*arguments)
        ended = time.monotonic()
        if found == wanted or ended > deadline:
            break
        time.sleep(max(PAUSE_SECONDS, 2 * (ended - begun)))
    assert found == wanted
