"""The render before, as the next one finds it: which of its files still are as it wrote them."""

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
    """What the render before left in an output folder.

    manifest  of that render, None where there was none; digest: of its own octets, empty where it is no plain file
    memory    what that render left for this one; None where it cannot be told that it is of this tree
    files     path → digest
    begun     when it was looked at, by the clock of the folder's files; 0 where a full disk does not tell
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
        """What that render noted."""
        return self.memory.notes if self.memory is not None else NO_NOTES

    @property
    def keys(self) -> Mapping[str, str]:
        """Device → input key."""
        return self.manifest.devices if self.manifest is not None else {}

    @cached_property
    def _paths(self) -> Mapping[str, list[str]]:
        """Top folder → paths below it."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            folder, _, rest = path.partition("/")
            if rest:
                found.setdefault(folder, []).append(path)
        return found

    def files_of(self, device: str) -> dict[str, str]:
        """Path → digest of what it wrote of a device."""
        return {path: self.files[path] for path in self._paths.get(device, ())}

    def standing(self, device: str) -> tuple[Staged, ...]:
        """Files of a device as they stand, where all of them do; else none."""
        found = [self.kept(path) for path in self._paths.get(device, ())]
        every = tuple(each for each in found if each is not None)
        return every if len(every) == len(found) else ()

    def kept(self, path: str) -> Staged | None:
        """The file as it stands, where that is as it was written; None where it is not, or was not written."""
        wanted = self.files.get(path)
        if wanted is None:
            return None
        with operator_faults(self._out):
            try:
                found = stamp_of(os.lstat(f"{self._out}/{path}"))
            except (FileNotFoundError, NotADirectoryError):
                return None
            # A folder that has moved and left a link leads to the same files: their stamps do not tell it.
            self._folders.above(path)
            is_known = self._is_known(path, found)
            if not is_known and digest_of(f"{self._out}/{path}") != wanted:
                return None
        return Staged(path, wanted, written=False, edited=False, mark=found, known=is_known)

    def known(self, path: str) -> str | None:
        """Digest of a file that its stamp shows to be as it was written; None where it would have to be read."""
        with operator_faults(self._out), suppress(FileNotFoundError, NotADirectoryError):
            if path in self.files and self._is_known(path, stamp_of(os.lstat(f"{self._out}/{path}"))):
                return self.files[path]
        return None

    def _is_known(self, path: str, stamp: int) -> bool:
        return stamp != NO_STAMP and stamp == self._stamps.get(path)
