"""A terminal of a test's own, as the stderr of a command."""

import os
import pty
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def on_terminal(
    command: Sequence[str], *, code: int = 0, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> bytes:
    """What a command writes to its stderr, a terminal. code: the exit code that it must end with."""
    ours, theirs = pty.openpty()
    said = b""
    with subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        try:
            while piece := os.read(ours, 4096):
                said += piece
        except OSError:  # how Linux says that the other end of a terminal is closed
            pass
    os.close(ours)
    assert process.returncode == code, said
    return said
