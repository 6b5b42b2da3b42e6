"""Templates of a revision: the user's, and fabricgen's own if it runs from a checkout that holds the intent."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from fabricgen.baseline.read import Templates
from fabricgen.render.folder import templates_folder

JOINED = "templates-then"
"""Folder of both, next to the files taken from the revision."""


def templates_then(now: Path | None, own: Path | None, ours: Path | None, folder: Path) -> Templates:
    """Which templates a revision had.

    now     the user's of today
    own     the user's of then; None if they are outside the repository, or there are none
    ours    fabricgen's of then; None if it is installed and not part of the repository
    folder  a temporary one: if both differ from today's they are joined there, with the user's taking precedence
    """
    is_known = now is None or own is not None
    then = own if own is not None and own.is_dir() else None
    changed = tuple(_changed(ours)) if ours is not None else ()
    if ours is None or not changed:
        return Templates(now, then, is_known=is_known)
    joined = folder / JOINED
    for name in changed:
        (joined / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ours / name, joined / name)
    if then is not None:
        shutil.copytree(then, joined, dirs_exist_ok=True)
    return Templates(now, joined, is_known=is_known)


def _changed(ours: Path) -> Iterator[str]:
    """Names of templates that exist today and had another text then. New ones have nothing to be compared with."""
    today = templates_folder()
    for path in sorted(today.rglob("*.j2")):
        name = path.relative_to(today).as_posix()
        if (ours / name).is_file() and (ours / name).read_bytes() != path.read_bytes():
            yield name
