"""Processes of this machine that do runs: they end with the one that started them, however it ends."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """So many processes. Left by an exception, they end with what they are at."""
    # They have what is imported here already; what they work on is given to them.
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        if sys.version_info < (3, 11, 5):
            _stop_feeding(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _stop_feeding(pool: ProcessPoolExecutor) -> None:
    """End the thread that writes work into a pipe which nobody reads any more, as Python itself does from 3.11.5 on.

    Where a process was lost, `shutdown` waits for that thread for ever (python/cpython issue 94777).
    """
    queue = getattr(pool, "_call_queue", None)
    reader = getattr(queue, "_reader", None)
    if reader is not None:
        reader.close()


def _begin() -> None:
    """Leave Ctrl-C to the process that asked, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(-1)  # a signal to this process is none to the other
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
