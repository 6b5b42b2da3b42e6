"""Options for parallel work: number of runs, and local processes or a cluster. Imports almost nothing."""

import os
from typing import NamedTuple

FROM = 500
"""Number of switches from which more than one process pays off."""


class ParallelOptions(NamedTuple):
    """Typed options: number of parallel runs, and address of a cluster's scheduler; None if not typed.

    least  number of switches from which more than one process pays off, for work that takes long for each
    """

    jobs: int | None = None
    cluster: str | None = None
    least: int = FROM

    def is_alone(self, switches: int) -> bool:
        """Whether this process does the work on this many switches by itself."""
        return self.cluster is None and self.processes(switches) == 1

    def processes(self, switches: int) -> int:
        """Number of processes for this many switches; by default one per processor that we may use."""
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if switches >= self.least else 1
