"""What was asked of the runs: so many at once, by processes of this machine or a cluster. Brings next to nothing."""

import os
from typing import NamedTuple

FROM = 500
"""Switches from which more than one process is worth its start."""


class ParallelOptions(NamedTuple):
    """What was typed: how many runs at once, and the address of a cluster's scheduler; None where nothing was."""

    jobs: int | None = None
    cluster: str | None = None

    def is_alone(self, switches: int) -> bool:
        """Whether this process does the work on so many switches, by itself."""
        return self.cluster is None and self.processes(switches) == 1

    def processes(self, switches: int) -> int:
        """Processes for so many switches; where nobody has said how many, one a processor that we may use."""
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if switches >= FROM else 1
