"""Workers for runs: this process alone, other processes of this machine, or a cluster."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, TypeVar

from fabricgen.errors import FabricError
from fabricgen.workers.request import ParallelOptions

W = TypeVar("W")
R = TypeVar("R")


AHEAD = 2
"""Works submitted per parallel job: no worker waits for us, and memory is bounded."""


class Workers(NamedTuple):
    """An executor and its number of parallel runs.

    executor  None: this process alone does the work
    here      whether they can read and write the files of this machine
    """

    executor: Executor | None
    jobs: int
    here: bool

    def each(self, do: Callable[[W], R], works: Iterable[W], /) -> Iterator[R]:
        """Results one at a time, in the order of the works, with few results waiting.

        If the caller stops early, work that has not begun is cancelled. Raises FabricError where a process of this
        machine has ended.
        """
        if self.executor is None:
            yield from map(do, works)
            return
        remaining, waiting = iter(works), deque[Future[R]]()
        try:
            waiting.extend(self.executor.submit(do, work) for work in islice(remaining, AHEAD * self.jobs))
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(self.executor.submit(do, work) for work in islice(remaining, 1))
                yield result
        except BrokenExecutor:
            raise FabricError.of(
                code="worker-lost",
                what="a worker process ended before its work was done",
                why="it was killed, usually because of too little memory",
                fix="try again, and with --jobs 1 if it happens again",
            ) from None
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def workers(parallel: ParallelOptions, switches: int) -> Iterator[Workers]:
    """Workers for this many switches. Raises FabricError for a missing cluster, and, from within, for lost work."""
    # Import only what the chosen way needs.
    if parallel.is_alone(switches):
        yield Workers(None, 1, here=True)
    elif parallel.cluster is not None:
        from fabricgen.workers.cluster import cluster  # noqa: PLC0415

        with cluster(parallel.cluster) as dask:
            yield Workers(dask.executor, parallel.jobs or dask.threads, here=False)
    else:
        from fabricgen.workers.local import processes  # noqa: PLC0415

        jobs = parallel.processes(switches)
        with processes(jobs) as executor:
            yield Workers(executor, jobs, here=True)
