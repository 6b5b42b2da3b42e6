"""Cache folder of the user, for results that the next process would only compute again.

It is below the folder that Python is configured to keep bytecode in (PYTHONPYCACHEPREFIX), else below the user's cache
folder (XDG Base Directory Specification: $XDG_CACHE_HOME, or ~/.cache). Its content is trusted, so a folder is used
only if it is the user's own and others cannot write to it.
"""

import os
import stat
import sys
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder(name: str) -> Path | None:
    """The folder of this name in the user's cache, created if missing; None where no folder is safe."""
    folder = _base() / "fabricgen" / name
    return folder if _is_safe(folder) else None


def _is_safe(folder: Path) -> bool:
    """Whether a folder and its parent are the user's own, no links, and not writable by others.

    A missing folder is created, but never below a folder of another user, such as by root in somebody's home.
    """
    try:
        if not folder.exists():
            existing = next(parent for parent in folder.parents if parent.exists())
            if existing.stat().st_uid == os.getuid():
                folder.parent.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
                folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
        return all(_is_own(path.lstat()) for path in (folder.parent, folder))
    except OSError:
        return False


def _is_own(status: os.stat_result) -> bool:
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE


def _base() -> Path:
    """Base folder of the cache. A relative path in XDG_CACHE_HOME is ignored, as the specification requires."""
    if sys.pycache_prefix:
        return Path(sys.pycache_prefix)
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111 - raises nothing
