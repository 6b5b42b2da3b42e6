"""Stage one file at a time for a commit: compare it with the tree, and write it to the stage if it differs.

Several processes may stage different files of one commit at once.
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
"""Folder name that no other program uses. Its content is left from a killed render and may be removed."""

Content = bytes | Iterable[bytes]
"""Content of a file: as a whole, or in pieces if it is too large to hold."""


class Staged(NamedTuple):
    """Result of staging one file.

    path     below `out`
    digest   SHA-256 of its content, in hexadecimal
    written  the file is in the stage; otherwise the tree has the same bytes
    edited   it was changed or removed by hand since the previous render
    problems reasons for refusal; then nothing of it is staged
    mark     of `stamps`: stamp of the compared file, or mark of the file in the stage
    known    the previous render had noted this stamp
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

    files  path → digest of the previous render
    known  path → digest of the file in the tree, if known without reading it
    """

    def __init__(
        self, out: Path, files: Mapping[str, str], known: Callable[[str], str | None] = lambda _: None
    ) -> None:
        self._out, self._files, self._known = out, files, known
        self._root = f"{out}/{FOLDER}/{STAGE}/{FILES}"
        self._folders = FolderCheck(out)
        self._made: str | None = None
        """Folder of the last file; the next file is mostly in the same one."""

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
        new_digest, current = digest(content), content_of(f"{self._out}/{path}")
        tree_digest = None if current is None else (new_digest if current == content else digest(current))
        if tree_digest != new_digest:
            self._write(path, (content,))
        return self._staged(path, new_digest, tree_digest, stamp)

    def _streamed(self, path: str, pieces: Iterable[bytes]) -> Staged:
        """Write the file first: its digest, and so whether it differs, is known only after the last piece."""
        sha256 = hashlib.sha256()

        def hashed() -> Iterator[bytes]:
            for piece in pieces:
                sha256.update(piece)
                yield piece

        self._write(path, hashed())
        stamp = self._stamp(path)
        tree_digest = self._known(path) or digest_of(f"{self._out}/{path}")
        if tree_digest == sha256.hexdigest():
            with suppress(FileNotFoundError, NotADirectoryError):
                os.unlink(f"{self._root}/{path}")  # noqa: PTH108
        return self._staged(path, sha256.hexdigest(), tree_digest, stamp)

    def _stamp(self, path: str) -> int:
        """Stamp of the file in the tree, taken before it is read."""
        try:
            return stamp_of(os.lstat(f"{self._out}/{path}"))
        except (FileNotFoundError, NotADirectoryError):
            return NO_STAMP

    def _mark(self, path: str) -> int:
        """Mark of the file in the stage, or NO_STAMP."""
        try:
            return mark_of(os.lstat(f"{self._root}/{path}"))
        except (FileNotFoundError, NotADirectoryError):
            return NO_STAMP

    def _staged(self, path: str, new_digest: str, tree_digest: str | None, stamp: int) -> Staged:
        previous_digest = self._files.get(path)
        is_written = tree_digest != new_digest
        is_new = previous_digest is None or tree_digest is None
        return Staged(
            path,
            new_digest,
            written=is_written,
            edited=previous_digest is not None and tree_digest != previous_digest,
            problems=tuple(self._occupied(path)) if is_written and is_new else (),
            mark=self._mark(path) if is_written else stamp,
        )

    def _write(self, path: str, pieces: Iterable[bytes]) -> None:
        folder = path.rpartition("/")[0]
        # A file and a folder of one name collide here; `Stage._check_paths` reports the pair.
        with suppress(FileExistsError, NotADirectoryError):
            if folder != self._made:
                Path(f"{self._root}/{folder}").mkdir(parents=True, exist_ok=True)
                self._made = folder
            write_new(f"{self._root}/{path}", pieces)

    def _occupied(self, path: str) -> Iterator[Problem]:
        """Yield a problem for what is in the place of `path` and is not ours to remove."""
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
    """Write a file that must not exist yet. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


DEVICE_NAME = "give the device another hostname, of letters, digits, - and ."


def bad_path(path: str, reason: str, fix: str = DEVICE_NAME) -> Problem:
    """Return the problem of a path that no render may write."""
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
        why="it was not written by a render, or was replaced by a link or folder since",
        fix="move it out of the output directory",
    )
