"""What may be the path of an output file, and whether a folder on the way leads elsewhere."""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from fabricgen.errors import FabricError, Problem

_COMPONENT_OCTETS = 255  # NAME_MAX of Linux file systems
_PATH_OCTETS = 1024  # below `out`; PATH_MAX of Linux is 4096 with what stands before

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,4}")
"""What nearly all paths are, and nothing below is against."""


def refusals(path: str) -> str:
    """Return why `path` cannot be a file below the output directory; empty where it can."""
    return "" if _PLAIN.fullmatch(path) else _refused(path)


def _refused(path: str) -> str:
    if not path:
        return "it is empty"
    if _UNSEEN.search(path):
        return "it holds a control character"
    if "\\" in path:
        return "it holds a backslash"
    if path.startswith("/"):
        return "it is absolute"
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "it holds an empty part, . or .."
    return _too_long(path, parts) or ("it is fabricgen's own" if parts[0].lower() == ".fabricgen" else "")


def _too_long(path: str, parts: list[str]) -> str:
    if any(len(part.encode()) > _COMPONENT_OCTETS for part in parts):
        return f"a part has more than {_COMPONENT_OCTETS} octets"
    return f"it has more than {_PATH_OCTETS} octets" if len(path.encode()) > _PATH_OCTETS else ""


def output_folder(out: Path, beside: Path | None = None, read: Iterable[Path] = ()) -> Path:
    """The folder that `out` really is, links and `..` followed, whether it is there or not.

    beside  a folder that is somebody's own, and no place for files of ours
    read    folders that are read with all that is in them: nothing may be written anywhere below

    Raises FabricError where it is none that a tree may fill.
    """
    try:
        why = _leads_wrong(out)
        found = out.resolve()
        homes = {Path("/"), Path("~").expanduser().resolve()}
    except (OSError, RuntimeError) as error:  # RuntimeError: a circle of links, up to Python 3.12; no home
        raise _no_folder(out, str(error)) from None
    if why:
        raise _no_folder(out, why)
    if found in homes:
        raise _no_folder(out, f"it is {found}, a root or home folder")
    if beside is not None and found == beside.resolve():
        raise _no_folder(out, f"it is {found}, the intent's own folder")
    for folder in read:
        if found.is_relative_to(folder.resolve()):
            raise _no_folder(out, f"it is in {folder}, where every later run would read it as a file of yours")
    return found


def _leads_wrong(out: Path) -> str:
    """Why no folder can be meant by a path as it is written; empty where one can."""
    at = Path(out.root)
    for part in out.parts[1:] if out.is_absolute() else out.parts:
        if part == ".." and not at.is_dir():
            return f"{at} is not a folder, so it has no parent"
        at /= part
        if at.is_symlink() and not at.exists():
            return f"{at} is a symbolic link to a missing file"
    return ""


def _no_folder(out: Path, why: str) -> FabricError:
    fix = "name a new or an empty folder, or one that was rendered into before"
    return FabricError([Problem(code="output-folder", what=f"cannot write into {out}", why=why, fix=fix)])


class FolderCheck:
    """`check_folder` for files that come one after the other: the next one is mostly beside the last."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._last: str | None = None

    def above(self, path: str) -> None:
        """Check the folder that a path lies in. Raises as `check_folder` does."""
        folder = path.rpartition("/")[0]
        if folder != self._last:
            check_folder(self._out, folder)
            self._last = folder


def check_folder(out: Path, folder: str) -> None:
    """Raise FabricError when a folder on the way from `out` to `folder` is a link or another file system.

    A folder that is missing, or a file in its place, is no fault here. `folder` is relative, empty for `out`.
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
            raise FabricError([
                Problem(
                    code="output-link",
                    what=f"{path} is a link or another file system",
                    why="files are moved into place, and none may land outside the output directory",
                    fix=f"remove {path}, or choose another output directory",
                )
            ])  # fmt: skip
