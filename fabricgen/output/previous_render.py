"""The previous render of a tree, as the next render sees it: which of its files are unchanged."""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from fabricgen.output.faults import operator_faults
from fabricgen.output.manifest import FOLDER, NAME, digest_of, read_manifest
from fabricgen.output.memory import NO_NOTES, RenderNotes, recall
from fabricgen.output.paths import FolderCheck
from fabricgen.output.staging import Staged
from fabricgen.output.stamps import NO_STAMP, now_of, stamp_of


class Before:
    """The previous render in an output folder.

    manifest  of that render, None if there was none; digest: of the manifest file, empty if it is no plain file
    memory    what that render remembered; None if it does not belong to this manifest
    files     path → digest
    begun     time of this check by the clock of the folder's files; 0 if a full disk prevents reading it
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self.begun = 0
        with suppress(OSError):
            self.begun = now_of(out / FOLDER)
        self.manifest = read_manifest(out)
        self.digest = (digest_of(f"{out}/{FOLDER}/{NAME}") or "") if self.manifest is not None else ""
        self.memory = recall(out, self.digest) if self.digest else None
        self.files: Mapping[str, str] = self.manifest.files if self.manifest is not None else {}
        stamps = self.memory.stamps if self.memory is not None else ()
        self._stamps = dict(zip(self.files, stamps, strict=False))
        self._folders = FolderCheck(out)

    @property
    def notes(self) -> RenderNotes:
        """Notes of that render."""
        return self.memory.notes if self.memory is not None else NO_NOTES

    @property
    def keys(self) -> Mapping[str, str]:
        """Device → input key."""
        return self.manifest.devices if self.manifest is not None else {}

    @cached_property
    def _paths(self) -> Mapping[str, list[str]]:
        """Top folder → paths below it."""
        paths: dict[str, list[str]] = {}
        for path in self.files:
            folder, _, rest = path.partition("/")
            if rest:
                paths.setdefault(folder, []).append(path)
        return paths

    def files_of(self, device: str) -> dict[str, str]:
        """Path → digest of the files of a device."""
        return {path: self.files[path] for path in self._paths.get(device, ())}

    def unchanged_files(self, device: str) -> tuple[Staged, ...]:
        """Files of a device, if all of them are unchanged; otherwise none."""
        files = [self.unchanged_file(path) for path in self._paths.get(device, ())]
        unchanged = tuple(file for file in files if file is not None)
        return unchanged if len(unchanged) == len(files) else ()

    def unchanged_file(self, path: str) -> Staged | None:
        """The file, if it is unchanged since it was written; None if it changed or was not written."""
        digest = self.files.get(path)
        if digest is None:
            return None
        with operator_faults(self._out):
            try:
                stamp = stamp_of(os.lstat(f"{self._out}/{path}"))
            except (FileNotFoundError, NotADirectoryError):
                return None
            # A folder that was moved and replaced by a link has the same files with the same stamps: check the path.
            self._folders.above(path)
            is_known = self._is_known(path, stamp)
            if not is_known and digest_of(f"{self._out}/{path}") != digest:
                return None
        return Staged(path, digest, written=False, edited=False, mark=stamp, known=is_known)

    def known(self, path: str) -> str | None:
        """Digest of a file whose stamp proves that it is unchanged; None if it would have to be read."""
        with operator_faults(self._out), suppress(FileNotFoundError, NotADirectoryError):
            if path in self.files and self._is_known(path, stamp_of(os.lstat(f"{self._out}/{path}"))):
                return self.files[path]
        return None

    def _is_known(self, path: str, stamp: int) -> bool:
        return stamp != NO_STAMP and stamp == self._stamps.get(path)
