"""What may be the path of an output file, and whether a folder on the way leads elsewhere."""

import os
import re
import stat
from pathlib import Path

from fabricgen.errors import FabricError, Problem

_COMPONENT_OCTETS = 255  # NAME_MAX of Linux file systems
_PATH_OCTETS = 1024  # below `out`; PATH_MAX of Linux is 4096 with what stands before

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,4}")
"""What nearly all paths are, and nothing below is against."""


def refusals(path: str) -> str:
    """Return why `path` can not be a file below the output directory; empty where it can."""
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
