"""Valid paths of output files, and checks for folders that lead elsewhere."""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from fabricgen.errors import FabricError

_COMPONENT_OCTETS = 255  # NAME_MAX of Linux file systems
_PATH_OCTETS = 1024  # below `out`; PATH_MAX of Linux is 4096 with `out` itself

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,4}")
"""Matches nearly all paths, all of them valid; the checks below are for the rest."""


def refusals(path: str) -> str:
    """Return the reason why `path` cannot be a file below the output directory; empty where it can."""
    return "" if _PLAIN.fullmatch(path) else _refused(path)


def _refused(path: str) -> str:
    if not path:
        return "it is empty"
    if _UNSEEN.search(path):
        return "it has a control character"
    if "\\" in path:
        return "it has a backslash"
    if path.startswith("/"):
        return "it is absolute"
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "it has an empty part, . or .."
    return _too_long(path, parts) or ("it is reserved for fabricgen" if parts[0].lower() == ".fabricgen" else "")


def _too_long(path: str, parts: list[str]) -> str:
    if any(len(part.encode()) > _COMPONENT_OCTETS for part in parts):
        return f"a part has more than {_COMPONENT_OCTETS} octets"
    return f"it has more than {_PATH_OCTETS} octets" if len(path.encode()) > _PATH_OCTETS else ""


def output_folder(out: Path, own_folder: Path | None = None, read: Iterable[Path] = ()) -> Path:
    """Return the folder that `out` leads to, with links and `..` resolved; it need not exist.

    own_folder  folder of the user's own files, which must not be `out`
    read        folders that are read recursively: `out` must not be in one of them

    Raises FabricError for a folder that a tree must not fill.
    """
    try:
        reason = _leads_wrong(out)
        folder_path = out.resolve()
        homes = {Path("/"), Path("~").expanduser().resolve()}
    except (OSError, RuntimeError) as error:  # RuntimeError: a circle of links, up to Python 3.12; no home
        raise _no_folder(out, str(error)) from None
    if reason:
        raise _no_folder(out, reason)
    if folder_path in homes:
        raise _no_folder(out, f"it is {folder_path}, a root or home folder")
    if own_folder is not None and folder_path == own_folder.resolve():
        raise _no_folder(out, f"it is {folder_path}, the intent's own folder")
    for folder in read:
        if folder_path.is_relative_to(folder.resolve()):
            raise _no_folder(out, f"it is in {folder}, and every later run would read it as an input file")
    return folder_path


def _leads_wrong(out: Path) -> str:
    """Reason why the path as written cannot be a folder; empty where it can."""
    current = Path(out.root)
    for part in out.parts[1:] if out.is_absolute() else out.parts:
        if part == ".." and not current.is_dir():
            return f"{current} is not a folder, so it has no parent"
        current /= part
        if current.is_symlink() and not current.exists():
            return f"{current} is a symbolic link to a missing file"
    return ""


def _no_folder(out: Path, reason: str) -> FabricError:
    fix = "use a new or empty folder, or the output folder of an earlier render"
    return FabricError.of(code="output-folder", what=f"cannot write into {out}", why=reason, fix=fix)


class FolderCheck:
    """`check_folder` for a series of files; the folder of the last file is not checked again."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._last: str | None = None

    def above(self, path: str) -> None:
        """Check the folder of a path. Raises as `check_folder` does."""
        folder = path.rpartition("/")[0]
        if folder != self._last:
            check_folder(self._out, folder)
            self._last = folder


def check_folder(out: Path, folder: str) -> None:
    """Raise FabricError when a folder between `out` and `folder` is a link or another file system.

    A missing folder, or a file in its place, is allowed. `folder` is relative, empty for `out`.
    """
    device = out.stat().st_dev
    path = str(out)
    for part in folder.split("/") if folder else ():
        path = f"{path}/{part}"
        try:
            status = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return
        if stat.S_ISLNK(status.st_mode) or (stat.S_ISDIR(status.st_mode) and status.st_dev != device):
            raise FabricError.of(
                    code="output-link",
                    what=f"{path} is a link or on another file system",
                    why="files are moved into place, and must stay inside the output directory",
                    fix=f"remove {path}, or choose another output directory",
                )  # fmt: skip
