"""Rendered files to the output tree: staged first, then moved as one commit.

Files are compared with the tree as they come and the changed ones are written to .fabricgen/stage. When all are
there, one rename makes the stage the commit record; `finish` then moves the files in, the manifest last. Killed
before the rename, the old tree stands; after it, the next verb finishes. Against the loss of power there is no
promise of that kind, as nothing is synced file by file: `edited` finds what was lost and a render mends it.

A hand edit does not survive: a file that differs from its manifest is written or removed as any other, and named
in the outcome. What was never ours is never touched: a render that would need its place is refused.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.finish import FILES, INPUTS, RECORD, finish_locked, removed
from fabricgen.output.lock import locked
from fabricgen.output.manifest import FOLDER, NAME, Maker, Manifest, content_of, digest, dump, read_manifest
from fabricgen.output.paths import check_folder, refusals

STAGE = "stage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a commit did, as paths below `out`, each tuple sorted.

    written    new, or with other bytes than before
    unchanged  with the same bytes; not touched
    removed    of the render before and no longer rendered
    edited     changed or removed by hand since the render before, and now written, removed or found equal
    """

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]


def commit(
    out: Path,
    files: Iterable[tuple[str, bytes]],
    inputs: Mapping[str, bytes],
    maker: Maker,
    input_keys: Mapping[str, str],
    ready: Callable[[], None] = lambda: None,
) -> Outcome:
    """Make `out` hold exactly `files` beside what is not ours, or leave it as it was.

    files       path below `out` with / between its parts, and content; taken one by one and not kept
    inputs      name → content, kept in .fabricgen/inputs
    maker       what rendered them, for the manifest
    input_keys  device → key for the manifest; read when `files` is exhausted
    ready       called when all is staged and nothing is refused, right before `out` changes

    An exception of `files` or `ready` passes, and nothing has changed. Raises FabricError when `out` is not ours, a
    path is refused, another render is at work, or the operating system refuses a write.
    """
    with operator_faults(out):
        is_new = _open(out)
    with locked(out, out / FOLDER), _nothing_left(out, is_new=is_new):
        with operator_faults(out):
            finish_locked(out)
            shutil.rmtree(out / FOLDER / STAGE, ignore_errors=True)
            stage = _Stage(out=out, root=f"{out}/{FOLDER}/{STAGE}", old=read_manifest(out))
        for path, content in files:
            with operator_faults(out):
                stage.add(path, content)
        with operator_faults(out):
            return stage.close(inputs, maker, input_keys, ready)


def _open(out: Path) -> bool:
    """Make `out` and its folder; tell whether `out` is new. Raises FabricError when `out` is not ours to fill."""
    is_new = not out.exists()
    if not is_new or out.is_symlink():
        _refuse_foreign(out)
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    check_folder(out, FOLDER)
    return is_new


def _refuse_foreign(out: Path) -> None:
    if not out.is_dir():
        fix = "choose another output directory"
        raise FabricError(
            [Problem(code="output-not-a-directory", what=f"{out} is a file", why="it can hold no files", fix=fix)]
        )
    is_ours = (out / FOLDER / NAME).exists() or (out / FOLDER / RECORD).exists()
    foreign = "" if is_ours else min((entry.name for entry in out.iterdir() if entry.name != FOLDER), default="")
    if foreign:
        raise FabricError([
            Problem(
                code="output-not-ours",
                what=f"{out} holds files that no render wrote, such as {foreign!r}",
                why=f"{out}/{FOLDER}/{NAME} is missing",
                fix="choose an empty or new output directory",
            )
        ])  # fmt: skip


@contextmanager
def _nothing_left(out: Path, *, is_new: bool) -> Iterator[None]:
    """Leave nothing of a render that did not come to its record."""
    try:
        yield
    finally:
        folder = out / FOLDER
        shutil.rmtree(folder / STAGE, ignore_errors=True)
        if not (folder / NAME).exists() and not (folder / RECORD).exists():
            shutil.rmtree(folder, ignore_errors=True)
            if is_new:
                with suppress(OSError):  # it stays if someone else has put a file there
                    out.rmdir()


@dataclass(slots=True, kw_only=True)
class _Stage:
    """The files of one render on their way: `digests` of all, bytes on disk of the changed ones."""

    out: Path
    root: str
    old: Manifest | None
    digests: dict[str, str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _folder: str | None = None  # of the last file: the next one is mostly beside it
    _staged: str | None = None

    def add(self, path: str, content: bytes) -> None:
        """Compare one file with the tree and stage it if it differs. A refused path is a problem for `close`."""
        reason = refusals(path) or ("it is rendered twice" if path in self.digests else "")
        if reason:
            self.problems.append(_bad_path(path, reason))
            return
        self.digests[path] = digest(content)
        folder = path.rpartition("/")[0]
        if folder != self._folder:
            check_folder(self.out, folder)
            self._folder = folder
        current = content_of(f"{self.out}/{path}")
        was = self.old.files.get(path) if self.old else None
        if was is not None and (current is None or digest(current) != was):
            self.edited.append(path)
        if current == content:
            self.unchanged.append(path)
            return
        if was is None or current is None:
            self.problems.extend(self._occupied(path))
        self.written.append(path)
        # A file and a folder of one name collide here; `close` finds the pair by their paths.
        with suppress(FileExistsError, NotADirectoryError):
            if folder != self._staged:
                Path(f"{self.root}/{FILES}/{folder}").mkdir(parents=True, exist_ok=True)
                self._staged = folder
            _write(f"{self.root}/{FILES}/{path}", content)

    def close(
        self, inputs: Mapping[str, bytes], maker: Maker, input_keys: Mapping[str, str], ready: Callable[[], None]
    ) -> Outcome:
        """Record the commit and move the files in. Raises FabricError for what `add` found, and nothing changes."""
        self._check_paths(inputs)
        manifest = Manifest(
            release=maker.release,
            made_by=maker.made_by,
            devices=input_keys,
            inputs={name: digest(content) for name, content in inputs.items()},
            files=self.digests,
        )
        gone = removed(self.old, manifest)
        for path in gone:
            check_folder(self.out, path.rpartition("/")[0])
        self.edited.extend(path for path in gone if self._is_edited(path))
        is_changed = bool(self.written or gone) or not self._is_recorded(manifest)
        if is_changed:
            Path(f"{self.root}/{INPUTS}").mkdir(parents=True, exist_ok=True)
            for name, content in inputs.items():
                Path(f"{self.root}/{INPUTS}/{name}").parent.mkdir(parents=True, exist_ok=True)
                _write(f"{self.root}/{INPUTS}/{name}", content)
            _write(f"{self.root}/{NAME}", dump(manifest))
        ready()
        if is_changed:
            Path(self.root).rename(self.out / FOLDER / RECORD)
            finish_locked(self.out)
        return Outcome(
            written=tuple(sorted(self.written)),
            unchanged=tuple(sorted(self.unchanged)),
            removed=gone,
            edited=tuple(sorted(self.edited)),
        )

    def _check_paths(self, inputs: Mapping[str, bytes]) -> None:
        for name in inputs:
            reason = refusals(name)
            if reason:
                self.problems.append(_bad_path(name, reason, fix="rename the file that fabricgen reads"))
        for path in self.digests:
            folder = next((folder for folder in _folders(path) if folder in self.digests), None)
            if folder:
                self.problems.append(_bad_path(path, f"{folder} is a file of the same render"))
        if self.problems:
            raise FabricError(self.problems)

    def _occupied(self, path: str) -> Iterator[Problem]:
        """Yield what stands in the place of `path` and is not ours to remove."""
        ours = self.old.files if self.old else {}
        for folder in _folders(path):
            place = self.out / folder
            if place.exists() and not place.is_dir() and folder not in ours:
                yield _not_ours(place)
                return
        place = self.out / path
        if place.is_dir() and not place.is_symlink():
            below = (item for item in place.rglob("*") if item.is_symlink() or not item.is_dir())
            foreign = min((item for item in below if item.relative_to(self.out).as_posix() not in ours), default=None)
            if foreign:
                yield _not_ours(foreign)
        elif place.is_symlink() or place.exists():
            yield _not_ours(place)

    def _is_edited(self, path: str) -> bool:
        content = content_of(f"{self.out}/{path}")
        return self.old is not None and (content is None or digest(content) != self.old.files[path])

    def _is_recorded(self, manifest: Manifest) -> bool:
        """Tell whether the last render wrote this very manifest and kept its inputs."""
        folder = f"{self.out}/{FOLDER}"
        return content_of(f"{folder}/{NAME}") == dump(manifest) and all(
            digest(content_of(f"{folder}/{INPUTS}/{name}") or b"") == wanted for name, wanted in manifest.inputs.items()
        )


def _folders(path: str) -> Iterator[str]:
    """Yield the folders above a path, the nearest first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _write(path: str, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


DEVICE_NAME = "give the device another host name, of letters, digits, - and ."


def _bad_path(path: str, reason: str, fix: str = DEVICE_NAME) -> Problem:
    return Problem(
        code="output-path",
        what=f"{path!r} can not be the path of an output file",
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
