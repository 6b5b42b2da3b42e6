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
    """Write what a commit holds below `paths` into a folder, each at its path from the root of the repository.

    paths  from the root, without a link on the way; "" for all. What links below them lead to comes along, as far as
           it is in the commit. Rendered trees below them do not: they are large, and no intent reads them.

    Links that lead out of the repository lead nowhere then. Raises FabricError where git cannot do it, for what cannot
    be unpacked, and for a file that git archive was told to leave out.
    """
    roots, listed = _with_targets(revision, paths)
    trees = tuple(_trees(listed, paths))
    wanted = [entry for entry in listed if entry.mode in FILES and not _is_below(entry.path, trees)]
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
    """Paths, those that links below them lead to, and all files below them."""
    roots, seen = paths, set[str]()
    while True:
        listed = entries(revision, *roots)
        links = [entry for entry in listed if entry.mode == LINK and entry.path not in seen]
        seen |= {link.path for link in links}
        targets = {_target(link.path, link_target(revision, link)) for link in links}
        new = sorted(target for target in targets if target is not None and not _is_below(target, roots))
        if not new:
            return roots, listed
        roots = (*roots, *new)


def _target(link: str, words: str) -> str | None:
    """Path from the root of the repository that a link leads to; "" for the root, None outside of it."""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(link), words))
    if found == ".":
        return ""
    return None if found.startswith(("/", "../")) or found == ".." else found


def _is_below(path: str, roots: Iterable[str]) -> bool:
    return any(not root or path == root or path.startswith(f"{root}/") for root in roots)


def _trees(listed: Iterable[TreeEntry], paths: tuple[str, ...]) -> Iterator[str]:
    """Yield the rendered trees below the paths, other than one that is asked for itself."""
    for entry in listed:
        tree = entry.path.removesuffix(f"/{FOLDER}/{NAME}")
        if tree != entry.path and tree not in paths:
            yield tree


def _left_out(revision: Revision, entry: TreeEntry) -> Problem:
    return Problem(
        code="revision-left-out",
        what=f"git archive leaves {revision.name}:{entry.path} out",
        why="a .gitattributes file marks it export-ignore",
        fix="remove the mark, or name a folder after --against",
    )
