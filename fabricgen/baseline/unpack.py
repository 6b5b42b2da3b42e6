"""A tar archive of git to a folder; nothing in it reaches out of the folder.

Python's own protection, the filters of PEP 706, is missing in Python 3.11 before 3.11.4, and Debian 12 has 3.11.2. Only
what git archive writes is accepted: folders, files and symbolic links.
"""

import os
import shutil
import stat
import tarfile
from collections.abc import Iterable
from pathlib import Path

from fabricgen.errors import FabricError, Problem

NOWHERE = "outside-of-the-repository"


def unpack(archive: Path, into: Path) -> None:
    """Unpack an archive into an empty folder. Links that would lead out of it are left dangling.

    Raises FabricError for a member that is no folder, file or symbolic link, whose name is no path inside a folder, or
    whose path another member has already.
    """
    base = into.resolve()
    with tarfile.open(archive) as tar:
        members = list(tar)
        _refuse(member for member in members if not _is_plain(member))
        # Links are written last, so that no path is resolved through a link.
        members.sort(key=tarfile.TarInfo.issym)
        for member in members:
            try:
                _write(tar, member, base / member.name)
            except (FileExistsError, NotADirectoryError):
                _refuse([member])
    for member in members:
        if member.issym():
            # Check where a link really leads: through other links, `..` is another folder than the text says.
            path = base / member.name
            if not Path(os.path.realpath(path)).is_relative_to(base):
                path.unlink()
                path.symlink_to(NOWHERE)


def _is_plain(member: tarfile.TarInfo) -> bool:
    parts = member.name.split("/")
    return (member.isreg() or member.isdir() or member.issym()) and not {"", ".", ".."} & {*parts}


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Write a member; of a file's mode only the owner's execute bit is kept."""
    if member.isdir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        path.symlink_to(member.linkname)
        return
    content = tar.extractfile(member)
    with path.open("xb") as file:
        if content is not None:
            shutil.copyfileobj(content, file)
    if member.mode & stat.S_IXUSR:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _refuse(members: Iterable[tarfile.TarInfo]) -> None:
    problems = [
        Problem(
            code="revision-strange-file",
            what=f"the revision has {member.name!r}, which cannot be unpacked",
            why="only folders, files and symbolic links can be unpacked, each once and below the folder",
            fix="use --against with a folder",
        )
        for member in members
    ]
    if problems:
        raise FabricError(problems)
