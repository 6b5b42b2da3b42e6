"""What tells without reading it that a file is as it was: its size, its times and its number in the file system.

A change sets the time of the change (st_ctime), which nobody can set back. Two changes within one tick of the kernel's
clock have the same time, so what has changed within `TICK` of now is told from nothing by its stamp, as git has it:
https://git-scm.com/docs/racy-git. A file system that counts in milliseconds or coarser gives no stamps.
"""

import os
import stat
from pathlib import Path
from tempfile import TemporaryFile

TICK = 50_000_000
"""Nanoseconds: five ticks of a kernel of 100 Hz, the slowest that Linux is configured with (CONFIG_HZ)."""
COARSE = 1_000_000
NO_STAMP = 0


def stamp_of(found: os.stat_result) -> int:
    """Stamp of a regular file; NO_STAMP of anything else."""
    if not stat.S_ISREG(found.st_mode) or found.st_ctime_ns % COARSE == 0:
        return NO_STAMP
    return hash((found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


def mark_of(found: os.stat_result) -> int:
    """What a stamp has but the time of change, which a move changes."""
    return hash((found.st_ino, found.st_size, found.st_mtime_ns))


def now_of(folder: Path) -> int:
    """Now, in nanoseconds, by the clock that gives files of a folder their times. Raises OSError."""
    with TemporaryFile(dir=folder) as file:
        file.write(b".")
        file.flush()
        return os.fstat(file.fileno()).st_mtime_ns


def is_settled(found: os.stat_result, now: int) -> bool:
    """Whether a change after now would show in the stamp."""
    return found.st_ctime_ns < now - TICK
