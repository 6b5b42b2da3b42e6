"""What a worker of the tests' clusters is given in place of a run, or beside it: a worker imports no test."""

import os
import time
from pathlib import Path

from fabricgen.workers.tasks import TaskResult, WorkerInput, part_of

HANGS = "FABRICGEN_TEST_HANGS"
"""Set for one worker alone: the file by which it says that it hangs in the middle of a run."""
SECONDS = 600


def hanging(work: WorkerInput) -> TaskResult:
    """Do a run, but at the worker that hangs."""
    flag = os.environ.get(HANGS)
    if flag is not None:
        Path(flag).write_text("here")
        time.sleep(SECONDS)
    return part_of(work)


def fails_once(flag: Path) -> str:
    """Fail, as a disk or a network may, and answer the next time."""
    if not flag.exists():
        flag.touch()
        raise OSError("not now")
    return "done"


def where() -> int:
    """Process that does this."""
    return os.getpid()
