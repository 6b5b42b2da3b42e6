"""Lock of an output directory: one render at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.output.faults import operator_faults

NAME = "lock"


@contextmanager
def locked(out: Path, folder: Path) -> Iterator[None]:
    """Hold the lock of `out`, a file in `folder`, which must exist. The kernel releases it when the process ends.

    Raises FabricError when another process holds it.
    """
    with operator_faults(out):
        handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _busy(out) from None
        # A first render that fails removes its folder with the lock: the file that we locked may be a removed one.
        if not (folder / NAME).exists() or os.fstat(handle).st_ino != (folder / NAME).stat().st_ino:
            raise _busy(out)
        yield
    finally:
        os.close(handle)


def _busy(out: Path) -> FabricError:
    return FabricError.of(
        code="output-busy",
        what=f"another fabricgen is writing to {out}",
        why="two renders at once would mix their files",
        fix="wait until it has ended, or choose another output directory",
    )
