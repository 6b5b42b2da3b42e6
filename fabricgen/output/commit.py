"""Write rendered files to the output tree: stage them first, then move them as one commit.

Each file is compared with the tree, and the changed ones are written to a stage in .fabricgen. When all are there, one
rename turns the stage into the commit record; `finish` then moves the files in, the manifest last. If the process is
killed before the rename, the old tree remains; after it, the next command finishes the commit. This does not hold for
a power loss, as files are not synced one by one: `edited` finds what was lost and a render repairs it.

Manual edits do not survive: a file that differs from its manifest is written or removed like any other, and is listed
in the outcome. Files that no render wrote are never touched: a render that needs their place is refused.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from fabricgen.errors import FabricError
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
    """Producer of the files of a commit."""

    @property
    def keys(self) -> Mapping[str, str]:
        """Device → input key, for the manifest; read after all files are made."""

    def files(self, before: Before, /) -> Iterable[File | Staged]:
        """Every file, one by one; none is kept. A file that exists already or is staged comes as its `Staged`."""

    def notes(self) -> RenderNotes:
        """Notes for the `Before` of the next render. Called after the commit."""


class AllFiles(NamedTuple):
    """Files that are made whatever the tree holds, and the input keys of their devices."""

    every: Iterable[File]
    keys: Mapping[str, str] = {}

    def files(self, _: Before, /) -> Iterable[File]:
        """Return all files."""
        return self.every

    def notes(self) -> RenderNotes:
        """Return no notes."""
        return NO_NOTES


def commit(
    out: Path, making: Making, inputs: Mapping[str, bytes], maker: Maker, ready: Callable[[], None] = lambda: None
) -> CommitSummary:
    """Make `out` hold exactly the files of `making`, besides files that are not ours, or leave it unchanged.

    making  paths below `out`, with / between their parts
    inputs  name → content, kept in .fabricgen/inputs
    maker   release that rendered the files, for the manifest
    ready   called when all files are staged and none is refused, right before `out` changes

    An exception of `making` or `ready` is passed on, and nothing has changed. Raises FabricError when `out` is not
    ours, a path is refused, another render is running, or the operating system refuses a write.
    """
    with operator_faults(out):
        out = output_folder(out)
        new_paths = _open(out)
    with locked(out, out / FOLDER), _nothing_left(out, new_paths):
        with operator_faults(out):
            finish_locked(out)
            shutil.rmtree(out / FOLDER / STAGE, ignore_errors=True)
            before = Before(out)
        stage = Stage(out=out, root=f"{out}/{FOLDER}/{STAGE}", before=before)
        staging = Staging(out, before.files, before.known)
        for file in making.files(before):
            stage.take(file if isinstance(file, Staged) else staging.add(*file))
        with operator_faults(out):
            outcome = stage.close(inputs, maker, making.keys, ready)
        notes = making.notes()
        if notes != NO_NOTES:
            stage.remember(notes)
        return outcome


class _Made(NamedTuple):
    """Which of the output folder, our folder in it and the lock in that are new."""

    out: bool
    folder: bool
    lock: bool


def _open(out: Path) -> _Made:
    """Create `out` and our folder in it; return what is new. Raises FabricError when `out` is not ours."""
    new_paths = _Made(*(not path.exists() for path in (out, out / FOLDER, out / FOLDER / LOCK)))
    require_ours(out)
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    check_folder(out, FOLDER)
    return new_paths


def require_ours(out: Path) -> None:
    """Raise FabricError where `out` exists and is neither empty nor a tree of ours."""
    if not out.exists():
        return
    if not out.is_dir():
        fix = "choose another output directory"
        raise FabricError.of(code="output-not-a-directory", what=f"{out} is a file", why="a folder is needed", fix=fix)
    is_ours = (out / FOLDER / NAME).exists() or (out / FOLDER / RECORD).exists()
    foreign = "" if is_ours else min((entry.name for entry in out.iterdir() if entry.name != FOLDER), default="")
    if foreign:
        raise FabricError.of(
                code="output-not-ours",
                what=f"{out} has files that fabricgen did not create, such as {foreign!r}",
                why=f"{out}/{FOLDER}/{NAME} is missing",
                fix="choose an empty or new output directory",
            )  # fmt: skip


@contextmanager
def _nothing_left(out: Path, new_paths: _Made) -> Iterator[None]:
    """Clean up after a render that failed before its record was made. Only what it made itself is removed."""
    try:
        yield
    finally:
        folder = out / FOLDER
        shutil.rmtree(folder / STAGE, ignore_errors=True)
        if not (folder / NAME).exists() and not (folder / RECORD).exists():
            with suppress(OSError):  # a folder stays if someone else has put a file there
                if new_paths.lock:
                    (folder / LOCK).unlink()
                if new_paths.folder:
                    folder.rmdir()
                if new_paths.out:
                    out.rmdir()
