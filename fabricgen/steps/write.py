"""Write a sequence to a folder: all of it, or nothing."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from tempfile import mkdtemp

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.signals import blocked_signals, ended_by_signals
from fabricgen.output.writer import UNFINISHED
from fabricgen.steps.model import Sequence
from fabricgen.steps.text import CABLES, cables_csv, overlay_file, readme

README = "README.md"
_STAGED = re.compile(r"[a-z0-9_]{8}")
"""Random part that mkdtemp appends to a name."""
BEFORE = "before"


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A temporary folder next to the one to write; it is renamed to that at the end, unless an error is raised.

    Raises FabricError where the folder exists and is not empty, and where it cannot be written.
    """
    with ended_by_signals(), ExitStack() as undo:
        with blocked_signals():
            temporary = _new_folder(folder)
            undo.callback(shutil.rmtree, temporary, ignore_errors=True)
            # Lock the open folder, so that another run can see that it is in use.
            handle = os.open(temporary, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with suppress(OSError):  # a file system without such locks: then nothing is swept
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            undo.callback(os.close, handle)
        try:
            yield temporary
            temporary.chmod(0o755)
            temporary.rename(folder)
        except OSError as error:
            raise FabricError([_refused(folder, error)]) from None


def _new_folder(folder: Path) -> Path:
    """A new folder next to one that does not exist yet, or is empty."""
    try:
        if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
            raise FabricError.of(
                code="steps-folder",
                what=f"{folder} exists and is not an empty folder",
                why="it would have steps of two changes",
                fix="use a new folder with --steps",
            )
        _sweep(folder)
        return Path(mkdtemp(prefix=_prefix(folder), dir=folder.parent))
    except OSError as error:
        raise FabricError([_refused(folder, error)]) from None


def _prefix(folder: Path) -> str:
    """Prefix of the names of temporary folders; only this program makes them, and others must not remove theirs."""
    return f".{folder.name}.{UNFINISHED}-"


def _sweep(folder: Path) -> None:
    """Remove leftovers of killed runs next to a folder: those that are not locked."""
    for leftover in folder.parent.glob(f"{escape(_prefix(folder))}*"):
        if not _STAGED.fullmatch(leftover.name.removeprefix(_prefix(folder))) or leftover.is_symlink():
            continue
        with suppress(OSError):
            handle = os.open(leftover, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(leftover)
            finally:
                os.close(handle)


def keep_inputs(folder: Path, inputs: Mapping[str, bytes]) -> None:
    """Write the input files of an intent below a folder, unchanged. Raises OSError."""
    for name, octets in inputs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)


def write_sequence(sequence: Sequence, folder: Path) -> None:
    """Write the overlays, the list of cables and the README. Raises OSError."""
    files = {step.overlay: overlay_file(sequence, step) for step in sequence.steps if step.overlay}
    if sequence.known.cables:
        files[CABLES] = cables_csv(sequence.known.cables)
    files[README] = readme(sequence)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _refused(folder: Path, error: OSError) -> Problem:
    return Problem(
        code="steps-write",
        what=f"{folder} cannot be written",
        why=error.strerror or type(error).__name__,
        fix=f"make {folder.parent} a folder that can be written",
    )
