"""Stamps show without reading that a file is unchanged: from its size, times and inode number.

A change sets the time of the change (st_ctime), which no program can set back. Two changes within one tick of the
kernel's clock have the same time, so a file that changed within `TICK` of now cannot be trusted by its stamp; git has
the same rule: https://git-scm.com/docs/racy-git. A file system that counts in milliseconds or coarser gives no stamps.
"""

import os
import stat
from pathlib import Path
from tempfile import TemporaryFile

TICK = 50_000_000
"""Nanoseconds: five ticks of a kernel of 100 Hz, the slowest that Linux is configured with (CONFIG_HZ)."""
COARSE = 1_000_000
NO_STAMP = 0


def stamp_of(status: os.stat_result) -> int:
    """Stamp of a regular file; NO_STAMP of anything else."""
    if not stat.S_ISREG(status.st_mode) or status.st_ctime_ns % COARSE == 0:
        return NO_STAMP
    return hash((status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))


def mark_of(status: os.stat_result) -> int:
    """Stamp without the time of change, which a move changes."""
    return hash((status.st_ino, status.st_size, status.st_mtime_ns))


def now_of(folder: Path) -> int:
    """Current time in nanoseconds, by the clock that sets the times of files in a folder. Raises OSError."""
    with TemporaryFile(dir=folder) as file:
        file.write(b".")
        file.flush()
        return os.fstat(file.fileno()).st_mtime_ns


def is_settled(status: os.stat_result, now: int) -> bool:
    """Whether a change after `now` would show in the stamp."""
    return status.st_ctime_ns < now - TICK
