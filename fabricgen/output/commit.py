"""Rendered files to the output tree: staged first, then moved as one commit.

Files are compared with the tree as they come and the changed ones are written to .fabricgen/stage. When all are
there, one rename makes the stage the commit record; `finish` then moves the files in, the manifest last. Killed
before the rename, the old tree stands; after it, the next verb finishes. Against the loss of power there is no
promise of that kind, as nothing is synced file by file: `edited` finds what was lost and a render mends it.

A hand edit does not survive: a file that differs from its manifest is written or removed as any other, and named
in the outcome. What was never ours is never touched: a render that would need its place is refused.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.finish import INPUTS, RECORD, finish_locked, removed
from fabricgen.output.lock import locked
from fabricgen.output.manifest import (
    FOLDER,
    NAME,
    Maker,
    Manifest,
    content_of,
    digest,
    digest_of,
    dumped,
    read_manifest,
)
from fabricgen.output.paths import check_folder, refusals
from fabricgen.output.staging import STAGE, Content, Staged, Staging, bad_path, folders_of, write_new


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
    files: Iterable[tuple[str, Content] | Staged],
    inputs: Mapping[str, bytes],
    maker: Maker,
    input_keys: Mapping[str, str],
    ready: Callable[[], None] = lambda: None,
) -> Outcome:
    """Make `out` hold exactly `files` beside what is not ours, or leave it as it was.

    files       path below `out` with / between its parts, and content; taken one by one and not kept. Or what became
                of it, where another process has staged it: nothing is taken before the stage is ready
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
        staging = Staging(out, stage.old.files if stage.old else {})
        for each in files:
            stage.take(each if isinstance(each, Staged) else staging.add(*each))
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
    """What became of the files of one render, their digests by path."""

    out: Path
    root: str
    old: Manifest | None
    digests: dict[str, str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, file: Staged) -> None:
        """Keep what became of one file; what is wrong with it is a problem for `close`."""
        self.problems += file.problems
        if not file.digest:
            return
        if file.path in self.digests:
            self.problems.append(bad_path(file.path, "it is rendered twice"))
            return
        self.digests[file.path] = file.digest
        (self.written if file.written else self.unchanged).append(file.path)
        if file.edited:
            self.edited.append(file.path)

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
                write_new(f"{self.root}/{INPUTS}/{name}", (content,))
            write_new(f"{self.root}/{NAME}", dumped(manifest))
        ready()
        if is_changed:
            Path(self.root).rename(self.out / FOLDER / RECORD)
            finish_locked(self.out, gone)
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
                self.problems.append(bad_path(name, reason, fix="rename the file that fabricgen reads"))
        for path in self.digests:
            folder = next((folder for folder in folders_of(path) if folder in self.digests), None)
            if folder:
                self.problems.append(bad_path(path, f"{folder} is a file of the same render"))
        if self.problems:
            raise FabricError(self.problems)

    def _is_edited(self, path: str) -> bool:
        return self.old is not None and digest_of(f"{self.out}/{path}") != self.old.files[path]

    def _is_recorded(self, manifest: Manifest) -> bool:
        """Tell whether the last render wrote this very manifest and kept its inputs."""
        folder = f"{self.out}/{FOLDER}"
        return digest_of(f"{folder}/{NAME}") == _digest_of_all(dumped(manifest)) and all(
            digest(content_of(f"{folder}/{INPUTS}/{name}") or b"") == wanted for name, wanted in manifest.inputs.items()
        )


def _digest_of_all(pieces: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()
