"""Work handed to an executor, and its results in the order of the work, with few of them waiting at any time."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

W = TypeVar("W")
R = TypeVar("R")

AHEAD = 2
"""Runs that are under way or wait to be taken, for each that is done at once: none waits for us, memory is bounded."""


def in_order(executor: Executor, do: Callable[[W], R], works: Iterable[W], jobs: int) -> Iterator[R]:
    """Results one at a time. Left early, what is not begun is not done."""
    rest = iter(works)
    waiting = deque(executor.submit(do, work) for work in islice(rest, AHEAD * jobs))
    try:
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(executor.submit(do, work) for work in islice(rest, 1))
            yield result
    finally:
        for future in waiting:
            future.cancel()
