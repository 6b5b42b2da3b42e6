"""A verb as a user starts it: one process, and what the kernel says that it took."""

import os
import subprocess
import sys
import time
from typing import NamedTuple


class Run(NamedTuple):
    """What a process took. megabytes: the most it held at once."""

    cpu: float
    wall: float
    megabytes: float


def run(*words: object, codes: tuple[int, ...] = (0,)) -> Run:
    """Run fabricgen. Raises ValueError with what it told where it ends with another code than these."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "fabricgen", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        told = child.stderr.read() if child.stderr else b""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        raise ValueError(told.decode())
    return Run(used.ru_utime + used.ru_stime, time.monotonic() - begun, used.ru_maxrss / 1024)
