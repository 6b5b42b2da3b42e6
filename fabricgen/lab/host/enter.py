"""Run a function of this process in a namespace of a switch or server."""

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

CLONE_FS, CLONE_NEWNS, CLONE_NEWNET = 0x200, 0x20000, 0x40000000
"""Flags of unshare(2) and setns(2), from linux/sched.h."""

T = TypeVar("T")


def in_namespace(file: Path, kind: int, work: Callable[[], T]) -> T:
    """Call a function in a thread of its own, which alone enters the namespace that this file keeps (setns(2)).

    kind  CLONE_NEWNS or CLONE_NEWNET
    """

    def inside() -> T:
        libc = ctypes.CDLL(None, use_errno=True)
        handle = os.open(file, os.O_RDONLY)
        try:
            # setns(2) with CLONE_NEWNS needs a thread that shares no filesystem attributes with others.
            if (kind == CLONE_NEWNS and libc.unshare(CLONE_FS)) or libc.setns(handle, kind):
                raise OSError(ctypes.get_errno(), "setns")
        finally:
            os.close(handle)
        return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(inside).result()
