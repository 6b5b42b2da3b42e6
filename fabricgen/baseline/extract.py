"""Files of a commit to a folder, through `git archive`."""

import os
import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.baseline.git import FILES, LINK, Revision, TreeEntry, answer, entries, link_target
from fabricgen.baseline.unpack import unpack
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
