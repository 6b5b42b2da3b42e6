"""Where this user's processes keep what the next one would only compute again.

That is where Python is told to keep bytecode (PYTHONPYCACHEPREFIX), else below the user's cache folder (XDG Base
Directory Specification: $XDG_CACHE_HOME, or ~/.cache). What lies there is believed, so only a folder counts that is
the user's own and that nobody else can write to.
"""

import os
import stat
import sys
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder(name: str) -> Path | None:
    """The folder of this name in the user's cache, made where it is missing; None where no folder is safe."""
    folder = _base() / "fabricgen" / name
    return folder if _is_safe(folder) else None


def _is_safe(folder: Path) -> bool:
    """Whether a folder and the one above it are the user's own, real ones, and written to by nobody else.

    One that is missing is made, but nothing below a folder of another user: as root, in somebody's home.
    """
    try:
        if not folder.exists():
            above = next(parent for parent in folder.parents if parent.exists())
            if above.stat().st_uid == os.getuid():
                folder.parent.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
                folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
        return all(_is_own(each.lstat()) for each in (folder.parent, folder))
    except OSError:
        return False


def _is_own(found: os.stat_result) -> bool:
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & OTHERS_WRITE


def _base() -> Path:
    """The folder that all of this is below. A relative path in XDG_CACHE_HOME does not count, as that text has it."""
    if sys.pycache_prefix:
        return Path(sys.pycache_prefix)
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111 - raises nothing
