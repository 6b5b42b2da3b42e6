"""What a worker of the tests' clusters is given in place of a part of a verify, or beside it."""

import os
import time
from pathlib import Path

from fabricgen.cli.verify.tasks import BatchVerdicts, SwitchBatch, judged
from tests.workers.at_worker import HANGS, SECONDS


def hanging(part: SwitchBatch) -> BatchVerdicts:
    """Judge a part, but at the worker that hangs."""
    flag = os.environ.get(HANGS)
    if flag is not None:
        Path(flag).write_text("here")
        time.sleep(SECONDS)
    return judged(part)
