"""Rendered files to the output tree: staged first, then moved as one commit.

Files are compared with the tree as they come and the changed ones are written to a stage in .fabricgen. When all are
there, one rename makes the stage the commit record; `finish` then moves the files in, the manifest last. Killed
before the rename, the old tree stands; after it, the next verb finishes. Against the loss of power there is no
promise of that kind, as nothing is synced file by file: `edited` finds what was lost and a render mends it.

A hand edit does not survive: a file that differs from its manifest is written or removed as any other, and named
in the outcome. What was never ours is never touched: a render that would need its place is refused.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from fabricgen.errors import FabricError, Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.finish import RECORD, finish_locked
from fabricgen.output.lock import NAME as LOCK
from fabricgen.output.lock import locked
from fabricgen.output.manifest import FOLDER, NAME, Maker
from fabricgen.output.memory import NO_NOTES, RenderNotes
from fabricgen.output.paths import check_folder, output_folder
from fabricgen.output.previous_render import Before
from fabricgen.output.stage import CommitSummary, Stage
from fabricgen.output.staging import STAGE, Content, Staged, Staging

File = tuple[str, Content]
"""Path and content."""


class Making(Protocol):
    """Who makes the files of a commit."""

    @property
    def keys(self) -> Mapping[str, str]:
        """Device → input key, for the manifest; read when all files are made."""

    def files(self, before: Before, /) -> Iterable[File | Staged]:
        """Every file, one by one; none is kept. Of one that stands already, or is staged, what became of it."""

    def notes(self) -> RenderNotes:
        """What it wants to find in `Before` the next time. Asked for when all is done."""


class AllFiles(NamedTuple):
    """Files that are made whatever stands, and keys of their devices."""

    every: Iterable[File]
    keys: Mapping[str, str] = {}

    def files(self, _: Before, /) -> Iterable[File]:
        """All of them."""
        return self.every

    def notes(self) -> RenderNotes:
        """None."""
        return NO_NOTES


def commit(
    out: Path, making: Making, inputs: Mapping[str, bytes], maker: Maker, ready: Callable[[], None] = lambda: None
) -> CommitSummary:
    """Make `out` hold exactly the files that `making` makes beside what is not ours, or leave it as it was.

    making  paths below `out` have / between their parts
    inputs  name → content, kept in .fabricgen/inputs
    maker   what rendered them, for the manifest
    ready   called when all is staged and nothing is refused, right before `out` changes

    An exception of `making` or `ready` passes, and nothing has changed. Raises FabricError when `out` is not ours, a
    path is refused, another render is at work, or the operating system refuses a write.
    """
    with operator_faults(out):
        out = output_folder(out)
        made = _open(out)
    with locked(out, out / FOLDER), _nothing_left(out, made):
        with operator_faults(out):
            finish_locked(out)
            shutil.rmtree(out / FOLDER / STAGE, ignore_errors=True)
            before = Before(out)
        stage = Stage(out=out, root=f"{out}/{FOLDER}/{STAGE}", before=before)
        staging = Staging(out, before.files, before.known)
        for each in making.files(before):
            stage.take(each if isinstance(each, Staged) else staging.add(*each))
        with operator_faults(out):
            outcome = stage.close(inputs, maker, making.keys, ready)
        notes = making.notes()
        if notes != NO_NOTES:
            stage.remember(notes)
        return outcome


class _Made(NamedTuple):
    """What of the output folder, its folder of ours and the lock in that did not exist yet."""

    out: bool
    folder: bool
    lock: bool


def _open(out: Path) -> _Made:
    """Make `out` and its folder; tell what of it is new. Raises FabricError when `out` is not ours to fill."""
    made = _Made(*(not path.exists() for path in (out, out / FOLDER, out / FOLDER / LOCK)))
    require_ours(out)
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    check_folder(out, FOLDER)
    return made


def require_ours(out: Path) -> None:
    """Raise FabricError where `out` is there, and is neither empty nor a tree of ours."""
    if not out.exists():
        return
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
                what=f"{out} has files that fabricgen did not create, such as {foreign!r}",
                why=f"{out}/{FOLDER}/{NAME} is missing",
                fix="choose an empty or new output directory",
            )
        ])  # fmt: skip


@contextmanager
def _nothing_left(out: Path, made: _Made) -> Iterator[None]:
    """Leave nothing of a render that did not come to its record. Only what it made is removed."""
    try:
        yield
    finally:
        folder = out / FOLDER
        shutil.rmtree(folder / STAGE, ignore_errors=True)
        if not (folder / NAME).exists() and not (folder / RECORD).exists():
            with suppress(OSError):  # a folder stays if someone else has put a file there
                if made.lock:
                    (folder / LOCK).unlink()
                if made.folder:
                    folder.rmdir()
                if made.out:
                    out.rmdir()
