"""One file at a time to the stage of a commit: compared with the tree, and written beside it where it differs.

Several processes may stage files of one commit at once, each its own ones.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.finish import FILES
from fabricgen.output.manifest import FOLDER, content_of, digest, digest_of
from fabricgen.output.paths import FolderCheck, refusals
from fabricgen.output.stamps import NO_STAMP, mark_of, stamp_of

STAGE = "fabricgen-tmp-stage"
"""No other program makes such a name: what lies below it is of a render that was killed, and may be removed."""

Content = bytes | Iterable[bytes]
"""Octets of a file: at once, or piece by piece where they are too many to be held."""


class Staged(NamedTuple):
    """What became of one file.

    path     below `out`
    digest   SHA-256 of its content, in hexadecimal
    written  it waits in the stage; else the tree has it as it is
    edited   it was changed or removed by hand since the render before
    problems why it cannot be; then nothing of it is staged
    mark     of `stamps`: a stamp of the file as it was compared, or the mark of the one that waits
    known    the stamp is one that the render before had noted
    """

    path: str
    digest: str
    written: bool
    edited: bool
    problems: tuple[Problem, ...] = ()
    mark: int = NO_STAMP
    known: bool = False


class Staging:
    """Stages files of one commit.

    files  path → digest of the render before
    known  path → digest of what stands there, where that is known without reading it
    """

    def __init__(
        self, out: Path, files: Mapping[str, str], known: Callable[[str], str | None] = lambda _: None
    ) -> None:
        self._out, self._files, self._known = out, files, known
        self._root = f"{out}/{FOLDER}/{STAGE}/{FILES}"
        self._folders = FolderCheck(out)
        self._made: str | None = None
        """Folder of the last file: the next one is mostly beside it."""

    def add(self, path: str, content: Content) -> Staged:
        """Compare one file with the tree and stage it if it differs. Raises FabricError where a write is refused."""
        reason = refusals(path)
        if reason:
            return Staged(path, "", written=False, edited=False, problems=(bad_path(path, reason),))
        with operator_faults(self._out):
            self._folders.above(path)
            return self._whole(path, content) if isinstance(content, bytes) else self._streamed(path, content)

    def _whole(self, path: str, content: bytes) -> Staged:
        stamp = self._stamp(path)
        found, current = digest(content), content_of(f"{self._out}/{path}")
        standing = None if current is None else (found if current == content else digest(current))
        if standing != found:
            self._write(path, (content,))
        return self._staged(path, found, standing, stamp)

    def _streamed(self, path: str, pieces: Iterable[bytes]) -> Staged:
        """Write it first: whether it differs is known when its last piece is."""
        found = hashlib.sha256()

        def hashed() -> Iterator[bytes]:
            for piece in pieces:
                found.update(piece)
                yield piece

        self._write(path, hashed())
        stamp = self._stamp(path)
        standing = self._known(path) or digest_of(f"{self._out}/{path}")
        if standing == found.hexdigest():
            with suppress(FileNotFoundError, NotADirectoryError):
                os.unlink(f"{self._root}/{path}")  # noqa: PTH108
        return self._staged(path, found.hexdigest(), standing, stamp)

    def _stamp(self, path: str) -> int:
        """Stamp of the file in the tree, taken before it is read."""
        try:
            return stamp_of(os.lstat(f"{self._out}/{path}"))
        except (FileNotFoundError, NotADirectoryError):
            return NO_STAMP

    def _mark(self, path: str) -> int:
        """Mark of the file in the stage, if it came to be."""
        try:
            return mark_of(os.lstat(f"{self._root}/{path}"))
        except (FileNotFoundError, NotADirectoryError):
            return NO_STAMP

    def _staged(self, path: str, found: str, standing: str | None, stamp: int) -> Staged:
        was = self._files.get(path)
        is_written = standing != found
        is_new = was is None or standing is None
        return Staged(
            path,
            found,
            written=is_written,
            edited=was is not None and standing != was,
            problems=tuple(self._occupied(path)) if is_written and is_new else (),
            mark=self._mark(path) if is_written else stamp,
        )

    def _write(self, path: str, pieces: Iterable[bytes]) -> None:
        folder = path.rpartition("/")[0]
        # A file and a folder of one name collide here; the commit finds the pair by their paths.
        with suppress(FileExistsError, NotADirectoryError):
            if folder != self._made:
                Path(f"{self._root}/{folder}").mkdir(parents=True, exist_ok=True)
                self._made = folder
            write_new(f"{self._root}/{path}", pieces)

    def _occupied(self, path: str) -> Iterator[Problem]:
        """Yield what stands in the place of `path` and is not ours to remove."""
        for folder in folders_of(path):
            place = self._out / folder
            if place.exists() and not place.is_dir() and folder not in self._files:
                yield _not_ours(place)
                return
        place = self._out / path
        if place.is_dir() and not place.is_symlink():
            below = (item for item in place.rglob("*") if item.is_symlink() or not item.is_dir())
            foreign = min(
                (item for item in below if item.relative_to(self._out).as_posix() not in self._files), default=None
            )
            if foreign:
                yield _not_ours(foreign)
        elif place.is_symlink() or place.exists():
            yield _not_ours(place)


def folders_of(path: str) -> Iterator[str]:
    """Folders above a path, the nearest first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def write_new(path: str, pieces: Iterable[bytes]) -> None:
    """Write a file that must not be there yet. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


DEVICE_NAME = "give the device another host name, of letters, digits, - and ."


def bad_path(path: str, reason: str, fix: str = DEVICE_NAME) -> Problem:
    """A path that no render may write."""
    return Problem(
        code="output-path",
        what=f"{path!r} cannot be the path of an output file",
        why=reason,
        fix=fix,
    )


def _not_ours(place: Path) -> Problem:
    return Problem(
        code="output-not-ours",
        what=f"{place} is in the way of a file of this render",
        why="no render wrote it, or it was replaced by a link or folder since",
        fix="move it out of the output directory",
    )
