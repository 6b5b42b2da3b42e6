"""Hold one thread of a process still, as a busy host does for a while, with its other threads running: ptrace(2)."""

import ctypes
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
"""Requests of linux/ptrace.h."""
WALL = 0x40000000
"""Flag of waitpid(2) for threads of others, linux/wait.h."""
SECONDS = 60


@contextmanager
def held(thread: int, busy: list[str]) -> Iterator[None]:
    """The thread with this id stands still in the middle of its work; its process is no child of this one.

    busy  a command that gives it work for as long as it runs. What waits in the kernel is not held: it would take what
          comes meanwhile in its usual order
    To be left by the thread that came.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    with subprocess.Popen(busy, stdout=subprocess.DEVNULL) as work:
        try:
            _catch(libc, thread)
            try:
                yield
            finally:
                libc.ptrace(DETACH, thread, None, None)
        finally:
            work.kill()


def _catch(libc: ctypes.CDLL, thread: int) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        for request in (SEIZE, INTERRUPT):
            if libc.ptrace(request, thread, None, None):
                raise OSError(ctypes.get_errno(), "ptrace")
        os.waitpid(thread, WALL)
        if Path(f"/proc/{thread}/syscall").read_text().startswith("-1 "):  # proc(5): in no system call
            return
        libc.ptrace(DETACH, thread, None, None)
        time.sleep(0.001)
    raise TimeoutError(f"thread {thread} was never found at work")
