"""Limits of time that mean the same on any host: seconds of the one that they were set on.

Hosts differ by factors in what a second of a processor is worth, and one host does beside what else runs on it. So a
test times a fixed piece of work right before and right behind what it judges, and scales by that.

    with limited_to(2): ...

raises AssertionError where the block took longer than two such seconds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

REFERENCE = 0.034
"""Seconds of a processor that `work` takes on the host where the limits were set: 2 cores of a Xeon, Python 3.11."""


def work() -> float:
    """Seconds of a processor that a fixed piece of work takes here: what reading a text is made of."""
    start = time.process_time()
    found: dict[tuple[str, str], list[int]] = {}
    for number in range(60_000):
        found["key", str(number)] = [number, number + 1]
    return time.process_time() - start


@contextmanager
def limited_to(seconds: float) -> Iterator[None]:
    """Raise AssertionError where a block takes longer, in seconds of the host of `REFERENCE`."""
    before, start = work(), time.process_time()
    try:
        yield
    finally:
        spent, behind = time.process_time() - start, work()
        here = (before + behind) / 2 / REFERENCE
        assert spent < seconds * here, f"{spent:.2f} s here, {spent / here:.2f} where the limit was set"
