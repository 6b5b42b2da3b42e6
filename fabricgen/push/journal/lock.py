"""One push at a time per journal: a lock file next to it, which the kernel releases when its holder is killed."""

import fcntl
import json
import os
import pwd
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.push.journal.problems import write_faults

SUFFIX = ".lock"
_MOST = 4096  # octets that are read of the holder's entry


@contextmanager
def exclusive(path: Path, now: Callable[[], datetime]) -> Iterator[Callable[[], bool]]:
    """Hold the lock of a journal, `<path>.lock`, in an existing folder; it is removed at the end.

    Yields a function that returns whether it is still held: a person may remove it, and another push take it.

    Raises FabricError `push-running` where another process holds it, `journal-write` where it cannot be made.
    """
    lock = path.with_name(path.name + SUFFIX)
    with write_faults(path):
        number = _acquire(path, lock)
    try:
        # Only for the message that a later push prints: the lock works without it, on a full disk too.
        with suppress(OSError):
            os.ftruncate(number, 0)
            os.pwrite(
                number,
                json.dumps({"pid": os.getpid(), "user": _user(), "at": f"{now():%Y-%m-%d %H:%M:%S} UTC"}).encode(),
                0,
            )
        yield lambda: _is_current(number, lock)
    finally:
        with suppress(OSError):  # unlink while locked: who opened it before checks whether it is still at its path
            if _is_current(number, lock):
                lock.unlink()
        os.close(number)


def _acquire(path: Path, lock: Path) -> int:
    while True:
        number = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_current(number, lock):
                return number
        except BlockingIOError:
            holder = _holder(number)
            os.close(number)
            raise FabricError([_running(path, holder)]) from None
        except BaseException:
            os.close(number)
            raise
        os.close(number)


def _is_current(number: int, lock: Path) -> bool:
    """Whether the lock that was taken is still the file at its path: its holder removes it at the end."""
    try:
        return os.fstat(number).st_ino == lock.stat().st_ino
    except FileNotFoundError:
        return False


def _holder(number: int) -> dict[str, str]:
    """What the holder wrote about itself; empty where it has not written it yet."""
    try:
        entry = json.loads(os.pread(number, _MOST, 0))
        return {key: str(entry[key]) for key in ("pid", "user", "at")}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _running(path: Path, holder: dict[str, str]) -> Problem:
    holder_text = "process {pid} of {user}, since {at}".format(**holder) if holder else "a process that has just begun"
    end = f", or stop it before its next switch: kill -INT {holder['pid']}" if holder else ""
    return Problem(
        code="push-running",
        what=f"another push uses the journal {path}",
        why=f"{holder_text}; two pushes at once would change the same switches",
        fix=f"wait until it has ended{end}",
    )


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"
