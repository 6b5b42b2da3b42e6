"""Who does the runs besides this process: others of this machine, or a cluster."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import NamedTuple

from fabricgen.runs.asked import Asked


class Workers(NamedTuple):
    """An executor and how many runs it does at once. here: whether they can write where this process can."""

    executor: Executor
    jobs: int
    here: bool


@contextmanager
def workers(asked: Asked, switches: int) -> Iterator[Workers | None]:
    """Who works on so many switches; None: this process alone. Raises FabricError for a cluster that is none."""
    # Each way brings what the other has no use for.
    if asked.is_alone(switches):
        yield None
    elif asked.cluster is not None:
        from fabricgen.runs.cluster import cluster  # noqa: PLC0415

        with cluster(asked.cluster) as found:
            yield Workers(found.executor, asked.jobs or found.threads, here=False)
    else:
        from fabricgen.runs.processes import processes  # noqa: PLC0415

        jobs = asked.processes(switches)
        with processes(jobs) as executor:
            yield Workers(executor, jobs, here=True)
