"""Files of a commit to a folder, through `git archive`.

Nothing in the archive reaches out of the folder. Python's own protection, the filters of PEP 706, is missing in Python
3.11 before 3.11.4, and Debian 12 has 3.11.2. Only what git archive writes is accepted: folders, files and symbolic
links.
"""

import os
import posixpath
import shutil
import stat
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.baseline.git import FILES, LINK, Revision, TreeEntry, answer, entries, link_target
from fabricgen.errors import FabricError, Problem
from fabricgen.output.manifest import FOLDER, NAME


def extract(revision: Revision, paths: tuple[str, ...], into: Path) -> None:
    """Write the files of a commit below `paths` into a folder, each at its path from the root of the repository.

    paths  from the root, without a link among their components; "" for all. Targets of links below them are written
           too, as far as the commit has them. Rendered trees below them are not: they are large, and no intent reads
           them.

    Links that lead out of the repository are left dangling. Raises FabricError if git fails, for what cannot be
    unpacked, and for a file that .gitattributes excludes from git archive.
    """
    roots, all_entries = _with_targets(revision, paths)
    trees = tuple(_trees(all_entries, paths))
    wanted = [entry for entry in all_entries if entry.mode in FILES and not _is_below(entry.path, trees)]
    if not wanted:
        return
    archive = into.parent / f"{into.name}.tar"
    inside = [f":(top,literal){root}" for root in roots if any(_is_below(entry.path, (root,)) for entry in wanted)]
    outside = [f":(top,exclude,literal){tree}" for tree in trees]
    answer(revision.top, "archive", "--format=tar", "--output", str(archive), revision.commit, "--", *inside, *outside)
    unpack(archive, into)
    problems = [_left_out(revision, entry) for entry in wanted if not os.path.lexists(into / entry.path)]
    if problems:
        raise FabricError(problems)


def _with_targets(revision: Revision, paths: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[TreeEntry, ...]]:
    """Paths, the targets of links below them, and all files below them."""
    roots, seen = paths, set[str]()
    while True:
        all_entries = entries(revision, *roots)
        links = [entry for entry in all_entries if entry.mode == LINK and entry.path not in seen]
        seen |= {link.path for link in links}
        targets = {_target(link.path, link_target(revision, link)) for link in links}
        new = sorted(target for target in targets if target is not None and not _is_below(target, roots))
        if not new:
            return roots, all_entries
        roots = (*roots, *new)


def _target(link: str, link_text: str) -> str | None:
    """Path from the root of the repository to which a link leads; "" for the root, None outside of it."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(link), link_text))
    if target == ".":
        return ""
    return None if target.startswith(("/", "../")) or target == ".." else target


def _is_below(path: str, roots: Iterable[str]) -> bool:
    return any(not root or path == root or path.startswith(f"{root}/") for root in roots)


def _trees(tree_entries: Iterable[TreeEntry], paths: tuple[str, ...]) -> Iterator[str]:
    """Yield the rendered trees below the paths, except those that are themselves asked for."""
    for entry in tree_entries:
        tree = entry.path.removesuffix(f"/{FOLDER}/{NAME}")
        if tree != entry.path and tree not in paths:
            yield tree


def _left_out(revision: Revision, entry: TreeEntry) -> Problem:
    return Problem(
        code="revision-left-out",
        what=f"git archive omits {revision.name}:{entry.path}",
        why="a .gitattributes file marks it export-ignore",
        fix="remove the mark, or use --against with a folder",
    )


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
