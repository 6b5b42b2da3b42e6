"""Turn a commit record into a finished tree: the part of a render that can be repeated until it succeeds.

The record is the folder .fabricgen/commit: `files` that changed, `inputs`, and the new `manifest.json`. One rename
creates it complete. From then on the new tree is valid, and every step below can be repeated.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.lock import locked
from fabricgen.output.manifest import FOLDER, NAME, Manifest, load_manifest, read_manifest
from fabricgen.output.paths import check_folder

RECORD = "commit"
FILES = "files"
INPUTS = "inputs"


def finish(out: Path) -> bool:
    """Finish a render that was killed while its files moved into place; return whether there was one.

    Every command that reads `out` calls it first. Writes nothing where there is nothing to finish. Raises FabricError
    when another render is running or a file cannot be moved; the record then remains for the next call.
    """
    folder = out / FOLDER
    with operator_faults(out):
        is_left = (folder / RECORD).exists()
    if not is_left:
        return False
    check_folder(out, FOLDER)
    with operator_faults(out), locked(out, folder):
        return finish_locked(out)


def finish_locked(out: Path, removed_paths: Iterable[str] | None = None, unread: Iterable[str] = ()) -> bool:
    """Do the same under a lock that the caller holds. Raises OSError.

    removed_paths  files that the new render no longer has, if the caller knows them; otherwise both manifests are read
    unread         paths of inputs that it no longer has, if the caller knows `removed_paths`
    """
    folder = out / FOLDER
    record = folder / RECORD
    if not record.exists():
        return False
    # The manifest is moved last: without it, a killed call has moved everything already.
    if (record / NAME).exists():
        if removed_paths is None:
            old, new = read_manifest(out), load_manifest(record / NAME)
            removed_paths, unread = removed(old, new), removed_inputs(old, new)
        for path in removed_paths:
            _remove(out, path)
        _move(out, record / FILES)
        if (record / INPUTS).exists():
            for path in unread:
                _remove(out, path)
            (folder / INPUTS).mkdir(exist_ok=True)
            check_folder(out, f"{FOLDER}/{INPUTS}")
            _move(folder / INPUTS, record / INPUTS)
        (record / NAME).replace(folder / NAME)
    _remove_empty(record)
    return True


def _remove_empty(record: Path) -> None:
    """Remove a record that holds only empty folders. Raises FabricError for a file in it, which is not ours."""
    for top, _, names in os.walk(record, topdown=False):
        if names:
            raise FabricError([_not_ours(Path(top) / min(names))])
        os.rmdir(top)  # noqa: PTH106


def _not_ours(place: Path) -> Problem:
    return Problem(
        code="output-not-ours",
        what=f"{place} was not written by a render",
        why="a render keeps its files in that folder before they move into place",
        fix=f"move {place} elsewhere",
    )


def removed(old: Manifest | None, new: Manifest | None) -> tuple[str, ...]:
    """Return the files of the old render that the new one no longer has, sorted."""
    if old is None:
        return ()
    return tuple(path for path in old.files if new is None or path not in new.files)


def removed_inputs(old: Manifest | None, new: Manifest | None) -> tuple[str, ...]:
    """Return the paths below `out` of inputs that the old render kept and the new one does not have."""
    names = old.inputs.keys() - (new.inputs.keys() if new is not None else set()) if old is not None else ()
    return tuple(f"{FOLDER}/{INPUTS}/{name}" for name in sorted(names))


def _remove(out: Path, path: str) -> None:
    """Remove one plain file of the old render, and the folders that become empty. Links and others are not ours."""
    folder = path.rpartition("/")[0]
    check_folder(out, folder)
    if _is_plain_file(out / path):
        (out / path).unlink()
    while folder:
        # A killed call may have removed this folder already; its parent may still be there and empty.
        if (out / folder).is_dir() and next((out / folder).iterdir(), None) is None:
            (out / folder).rmdir()
        folder = folder.rpartition("/")[0]


def _is_plain_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _move(out: Path, staged: Path) -> None:
    """Move every staged file to its place. A missing one was moved by the call that was killed."""
    for top, _, names in os.walk(staged):
        folder = "" if top == str(staged) else top[len(str(staged)) + 1 :]
        check_folder(out, folder)
        (out / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            os.replace(f"{top}/{name}", f"{out}/{folder}/{name}")  # noqa: PTH105  # once per file: no Path objects
        # A folder that is not empty remains; `_remove_empty` reports what it holds.
        with suppress(OSError):
            os.rmdir(top)  # noqa: PTH106
