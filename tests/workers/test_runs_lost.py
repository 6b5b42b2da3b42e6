"""A process that is lost while work is still being written to it."""

import subprocess
import sys

SECONDS = 60
LOST = """
import os, signal
from fabricgen.workers.local import processes

def lost(work):
    os.kill(os.getpid(), signal.SIGKILL)

try:
    with processes(2) as executor:
        for future in [executor.submit(lost, bytes(1 << 20)) for _ in range(8)]:
            future.result()
except Exception as error:
    print(type(error).__name__)
"""


def test_nothing_waits_for_a_pipe_that_nobody_reads() -> None:
    """More than a pipe holds (pipe(7): 65,536 octets), so that the rest is still to be written."""
    done = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.stdout, done.returncode) == ("BrokenProcessPool\n", 0), done.stderr
