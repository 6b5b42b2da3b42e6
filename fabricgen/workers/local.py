"""Worker processes of this machine. They end with the process that started them, however it ends."""

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
    """A pool of `jobs` processes. On an exception they end after their current task."""
    # Forked processes have this process's imports already; their work is passed to them.
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
    """End the thread that writes work into a pipe without readers, as Python itself does from 3.11.5 on.

    Where a process was lost, `shutdown` waits for that thread for ever (python/cpython issue 94777).
    """
    queue = getattr(pool, "_call_queue", None)
    reader = getattr(queue, "_reader", None)
    if reader is not None:
        reader.close()


def _begin() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(-1)  # signals of this process must not wake the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
