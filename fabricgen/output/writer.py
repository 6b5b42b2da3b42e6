"""One writer at a time beside an intent, wherever it writes to: who renders reads the lock, adds to it and writes it.

Locked is the folder itself, by flock(2) on the open directory: no file of ours comes or goes, it works where nothing
can be written, and the kernel lets go when the process ends, however it ends. A lock that is a link to another folder's
counts for that folder too. What does not take part (an editor, git, another machine on NFS before Linux knows of its
locks) is seen when the lock is written: it has to be as it was read.
"""

import errno
import fcntl
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from fabricgen.errors import FabricError, Problem

MOST_SECONDS = 300.0
"""How long is waited for another writer."""
_STEP_SECONDS = 0.1
_HOLDERS = Path("/proc/locks")
_HOLDER = re.compile(r"^\d+: FLOCK +ADVISORY +WRITE +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) ", re.MULTILINE)
"""proc_locks(5): process, then device by major and minor number, and inode."""
UNFINISHED = "fabricgen-tmp"
"""Part of the name of a file or a folder that is not written whole yet: no other program makes such a name."""


@contextmanager
def one_writer(lock: Path, waits: Callable[[str], None]) -> Iterator[None]:
    """Hold the folder of a lock. Nothing in it changes by that.

    waits  is told once whom it waits for, where it has to

    Raises FabricError where another writer takes longer, and where the file system has no such locks.
    """
    until = time.monotonic() + MOST_SECONDS
    with ExitStack() as held:
        # One order for all, so that two writers cannot wait for each other.
        folders = {_identity(folder): folder for folder in (lock.parent, _real(lock).parent) if folder.is_dir()}
        for _, folder in sorted(folders.items()):
            held.callback(os.close, _held(folder, waits, until))
        yield


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve ends in a RuntimeError where links go round


def write_lock_file(path: Path, text: str, read: bytes | None) -> None:
    """Replace a lock in one step, or leave it. Its folder is held.

    A link stays one: the file that it leads to is replaced.

    read  what it was when it was read; None where it was not there

    Raises FabricError where it is another file meanwhile, or where the operating system refuses.
    """
    path = _real(path)
    try:
        standing = path.read_bytes() if path.exists() else None
        if standing != read:
            raise _changed(path)
        staged = unfinished(path)
        staged.unlink(missing_ok=True)  # of a writer that was killed: who lives holds the folder
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                _as_before(path, file.fileno())
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(staged, path)  # noqa: PTH105 - one word for the one step that matters
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        problem = Problem(
            code="lock-write",
            what=f"{path} cannot be written",
            why=str(error.strerror),
            fix=_remedy(error, path.parent),
        )
        raise FabricError([problem]) from None


def remove_unfinished(path: Path) -> None:
    """Take away what a killed writer of a lock has left, where its folder lets us. It is held: nobody else writes."""
    with suppress(OSError):
        unfinished(_real(path)).unlink(missing_ok=True)


def _remedy(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free space on the file system of {folder}, and run the same command again; nothing was rendered"
    return f"make {folder} writable; nothing was rendered"


def unfinished(path: Path) -> Path:
    """Where a file is written before it takes its place. Only fabricgen makes such a name, and may remove the file."""
    return path.with_name(f".{path.name}.{UNFINISHED}")


def _as_before(path: Path, handle: int) -> None:
    """Give a new file the owner and the mode of the one that it replaces; 0644 where it is the first."""
    try:
        found = path.stat()
    except FileNotFoundError:
        os.fchmod(handle, 0o644)
        return
    for owner, group in ((found.st_uid, -1), (-1, found.st_gid)):
        with suppress(OSError):  # only root gives files away
            os.fchown(handle, owner, group)
    os.fchmod(handle, stat.S_IMODE(found.st_mode) & 0o777)


def _identity(folder: Path) -> tuple[int, int]:
    found = folder.stat()
    return found.st_dev, found.st_ino


def _held(folder: Path, waits: Callable[[str], None], until: float) -> int:
    """The open and locked folder."""
    told = False
    while True:
        handle = _opened(folder)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It may have been moved away while it was waited for.
            if _identity(folder) == (os.fstat(handle).st_dev, os.fstat(handle).st_ino):
                return handle
        except BlockingIOError:
            holder = _holder(handle)
            if time.monotonic() >= until:
                os.close(handle)
                raise _busy(folder, holder) from None
            if not told:
                waits(f"{holder} writes in {folder}: waiting until it has ended")
                told = True
        except OSError as error:
            os.close(handle)
            raise _unlockable(folder, error) from None
        os.close(handle)
        time.sleep(_STEP_SECONDS)


def _opened(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _unlockable(folder, error) from None


def _holder(handle: int) -> str:
    """Who holds a folder, as far as the kernel tells."""
    own = os.fstat(handle)
    with suppress(OSError):
        for found in _HOLDER.finditer(_HOLDERS.read_text(encoding="ascii", errors="replace")):
            device = os.makedev(int(found[2], 16), int(found[3], 16))
            if (device, int(found[4])) == (own.st_dev, own.st_ino):
                return f"another fabricgen (process {found[1]})"
    return "another fabricgen"


def _busy(folder: Path, holder: str) -> FabricError:
    problem = Problem(
        code="lock-busy",
        what=f"{holder} writes in {folder}",
        why="two writers at once could give one number twice; it was waited for, and has not ended",
        fix="run the same command again when it has ended; a process that is stopped goes on with `kill -CONT`",
    )
    return FabricError([problem])


def _changed(path: Path) -> FabricError:
    problem = Problem(
        code="lock-changed",
        what=f"{path} was changed while it was rendered",
        why="numbers that were written into it meanwhile would be lost; nothing was written",
        fix="run the same command again",
    )
    return FabricError([problem])


def _unlockable(folder: Path, error: OSError) -> FabricError:
    problem = Problem(
        code="lock-unavailable",
        what=f"{folder} cannot be locked against a second writer",
        why=f"{error.strerror or type(error).__name__}: without a lock two renders could give one number twice",
        fix="let the intent's folder be one that you can read, on a file system with flock(2), such as a local disk",
    )
    return FabricError([problem])
