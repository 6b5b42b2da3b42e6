"""Submit work to an executor, and return results in the order of the work, with few results waiting."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

W = TypeVar("W")
R = TypeVar("R")

AHEAD = 2
"""Runs submitted per parallel job: no worker waits for us, and memory is bounded."""


def in_order(executor: Executor, do: Callable[[W], R], works: Iterable[W], jobs: int) -> Iterator[R]:
    """Results one at a time. If the caller stops early, work that has not begun is cancelled."""
    remaining = iter(works)
    waiting = deque(executor.submit(do, work) for work in islice(remaining, AHEAD * jobs))
    try:
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(executor.submit(do, work) for work in islice(remaining, 1))
            yield result
    finally:
        for future in waiting:
            future.cancel()
