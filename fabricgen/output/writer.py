"""One writer at a time for the lock file of an intent: a render reads the lock, adds to it and writes it.

The folder itself is locked, by flock(2) on the open directory: no extra file is needed, it works where nothing can be
written, and the kernel releases it when the process ends, however it ends. If the lock file is a link, the folder that
it leads to is locked too. Writers that do not take part (an editor, git, another machine on NFS without locks) are
noticed when the lock is written: it must be as it was read.
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

from fabricgen.errors import FabricError

MOST_SECONDS = 300.0
"""Longest time to wait for another writer."""
_STEP_SECONDS = 0.1
_HOLDERS = Path("/proc/locks")
_HOLDER = re.compile(r"^\d+: FLOCK +ADVISORY +WRITE +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) ", re.MULTILINE)
"""proc_locks(5): process, then device by major and minor number, and inode."""
UNFINISHED = "fabricgen-tmp"
"""Part of the name of an incomplete file or folder; no other program uses it."""


@contextmanager
def one_writer(lock: Path, waits: Callable[[str], None]) -> Iterator[None]:
    """Lock the folder of a lock file. This changes nothing in it.

    waits  called once with a text if it has to wait for another writer

    Raises FabricError where another writer takes longer, and where the file system has no such locks.
    """
    until = time.monotonic() + MOST_SECONDS
    with ExitStack() as locks:
        # All writers lock in the same order, so that two cannot wait for each other.
        folders = {_identity(folder): folder for folder in (lock.parent, _real(lock).parent) if folder.is_dir()}
        for _, folder in sorted(folders.items()):
            locks.callback(os.close, _locked_folder(folder, waits, until))
        yield


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises RuntimeError for a loop of links


def write_lock_file(path: Path, text: str, read: bytes | None) -> None:
    """Replace a lock atomically, or leave it unchanged. The caller holds its folder.

    A link remains: the file that it leads to is replaced.

    read  content when it was read; None if it did not exist

    Raises FabricError if it has changed meanwhile, or if the operating system refuses.
    """
    path = _real(path)
    try:
        current = path.read_bytes() if path.exists() else None
        if current != read:
            raise FabricError.of(
                code="lock-changed",
                what=f"{path} was changed while it was rendered",
                why="addresses and AS numbers that were added to it meanwhile would be lost; nothing was written",
                fix="run the same command again",
            )
        staged = unfinished(path)
        staged.unlink(missing_ok=True)  # left by a writer that was killed: a live one would hold the folder
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                _as_before(path, file.fileno())
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(staged, path)  # noqa: PTH105 - the one atomic step
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        raise FabricError.of(
            code="lock-write",
            what=f"{path} cannot be written",
            why=str(error.strerror),
            fix=_remedy(error, path.parent),
        ) from None


def remove_unfinished(path: Path) -> None:
    """Remove the file that a killed writer of a lock left, if permitted. The caller holds the folder."""
    with suppress(OSError):
        unfinished(_real(path)).unlink(missing_ok=True)


def _remedy(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free space on the file system of {folder}, and run the same command again; nothing was rendered"
    return f"make {folder} writable; nothing was rendered"


def unfinished(path: Path) -> Path:
    """Temporary path of a file that will replace `path`. Only fabricgen uses such a name, and may remove the file."""
    return path.with_name(f".{path.name}.{UNFINISHED}")


def _as_before(path: Path, handle: int) -> None:
    """Give a new file the owner and mode of the file that it replaces; 0644 if there was none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        os.fchmod(handle, 0o644)
        return
    for owner, group in ((status.st_uid, -1), (-1, status.st_gid)):
        with suppress(OSError):  # only root gives files away
            os.fchown(handle, owner, group)
    os.fchmod(handle, stat.S_IMODE(status.st_mode) & 0o777)


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _locked_folder(folder: Path, waits: Callable[[str], None], until: float) -> int:
    """Return the handle of the open, locked folder."""
    has_waited = False
    while True:
        handle = _opened(folder)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The folder may have been moved away while we waited.
            if _identity(folder) == (os.fstat(handle).st_dev, os.fstat(handle).st_ino):
                return handle
        except BlockingIOError:
            holder = _holder(handle)
            if time.monotonic() >= until:
                os.close(handle)
                raise _busy(folder, holder) from None
            if not has_waited:
                waits(f"{holder} is writing to {folder}: waiting until it has ended")
                has_waited = True
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
    """Name of the process that holds a folder, if the kernel reports it."""
    status = os.fstat(handle)
    with suppress(OSError):
        for match in _HOLDER.finditer(_HOLDERS.read_text(encoding="ascii", errors="replace")):
            device = os.makedev(int(match[2], 16), int(match[3], 16))
            if (device, int(match[4])) == (status.st_dev, status.st_ino):
                return f"another fabricgen (process {match[1]})"
    return "another fabricgen"


def _busy(folder: Path, holder: str) -> FabricError:
    return FabricError.of(
        code="lock-busy",
        what=f"{holder} is writing to {folder}",
        why="two writers at once could allocate an address twice; this command waited, but the other one has not ended",
        fix="run the same command again when it has ended; a stopped process continues with `kill -CONT`",
    )


def _unlockable(folder: Path, error: OSError) -> FabricError:
    return FabricError.of(
        code="lock-unavailable",
        what=f"{folder} cannot be locked against a second writer",
        why=f"{error.strerror or type(error).__name__}: without a lock two renders could allocate an address twice",
        fix="put the intent into a folder that you can read, on a file system with flock(2), such as a local disk",
    )
