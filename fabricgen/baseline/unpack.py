"""A tar archive of git to a folder; nothing in it reaches out of the folder.

Python's own guard for this, the filters of PEP 706, is missing in Python 3.11 before 3.11.4, and Debian 12 has 3.11.2.
Only what git archive writes is taken: folders, files and symbolic links.
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
    """Unpack an archive into an empty folder. Links that would lead out of it lead nowhere then.

    Raises FabricError for a member that is no folder, file or symbolic link, whose name is no path inside a folder, or
    whose place another member has.
    """
    base = into.resolve()
    with tarfile.open(archive) as opened:
        members = list(opened)
        _refuse(member for member in members if not _is_plain(member))
        # No name is looked up through a link: there is none until all else is written.
        members.sort(key=tarfile.TarInfo.issym)
        for member in members:
            try:
                _write(opened, member, base / member.name)
            except (FileExistsError, NotADirectoryError):
                _refuse([member])
    for member in members:
        if member.issym():
            # Judge a link by where it really leads: through other links, `..` is another folder than the words say.
            path = base / member.name
            if not Path(os.path.realpath(path)).is_relative_to(base):
                path.unlink()
                path.symlink_to(NOWHERE)


def _is_plain(member: tarfile.TarInfo) -> bool:
    parts = member.name.split("/")
    return (member.isreg() or member.isdir() or member.issym()) and not {"", ".", ".."} & {*parts}


def _write(opened: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Write what a member is; of a file's mode only the right to run it is kept."""
    if member.isdir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        path.symlink_to(member.linkname)
        return
    content = opened.extractfile(member)
    with path.open("xb") as file:
        if content is not None:
            shutil.copyfileobj(content, file)
    if member.mode & stat.S_IXUSR:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _refuse(members: Iterable[tarfile.TarInfo]) -> None:
    problems = [
        Problem(
            code="revision-strange-file",
            what=f"the revision holds {member.name!r}, which cannot be unpacked",
            why="only folders, files and symbolic links are, each once and below the folder",
            fix="name a folder after --against",
        )
        for member in members
    ]
    if problems:
        raise FabricError(problems)
