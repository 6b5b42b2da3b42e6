"""The render before, as the next one finds it: which of its files still are as it wrote them."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from fabricgen.output.digests import Digests
from fabricgen.output.faults import operator_faults
from fabricgen.output.manifest import FOLDER, NAME, digest_of, read_manifest
from fabricgen.output.memory import NO_NOTES, Notes, recall
from fabricgen.output.paths import check_folder
from fabricgen.output.staging import Staged
from fabricgen.output.stamps import NO_STAMP, stamp_of


class Before:
    """What the render before left in an output folder.

    manifest  of that render, None where there was none; digest: of its own octets
    memory    what that render left for this one; None where it cannot be told that it is of this tree
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self.manifest = read_manifest(out)
        self.digest = (digest_of(f"{out}/{FOLDER}/{NAME}") or "") if self.manifest is not None else ""
        self.memory = recall(out, self.digest) if self.manifest is not None else None
        self.files: Digests = self.manifest.files if self.manifest is not None else Digests()
        """Path → digest."""

    @property
    def notes(self) -> Notes:
        """What that render noted."""
        return self.memory.notes if self.memory is not None else NO_NOTES

    @property
    def keys(self) -> Mapping[str, str]:
        """Device → input key."""
        return self.manifest.devices if self.manifest is not None else {}

    def files_of(self, device: str) -> dict[str, str]:
        """Path → digest of what it wrote of a device."""
        return {path: self.files.digest(number) for number, path in self.files.below(device)}

    def standing(self, device: str) -> tuple[Staged, ...]:
        """Files of a device as they stand, where all of them do; else none."""
        found = [self._kept(number, path) for number, path in self.files.below(device)]
        every = tuple(each for each in found if each is not None)
        return every if len(every) == len(found) else ()

    def kept(self, path: str) -> Staged | None:
        """The file as it stands, where that is as it was written; None where it is not, or was not written."""
        number = self.files.number(path)
        return self._kept(number, path) if number is not None else None

    def known(self, path: str) -> str | None:
        """Digest of a file that its stamp shows to be as it was written; None where it would have to be read."""
        number = self.files.number(path)
        if number is None:
            return None
        with operator_faults(self._out), suppress(FileNotFoundError, NotADirectoryError):
            if self._is_known(number, stamp_of(os.lstat(f"{self._out}/{path}"))):
                return self.files.digest(number)
        return None

    def _is_known(self, number: int, stamp: int) -> bool:
        return stamp != NO_STAMP and self.memory is not None and stamp == self.memory.stamps[number]

    def _kept(self, number: int, path: str) -> Staged | None:
        wanted = self.files.digest(number)
        with operator_faults(self._out):
            try:
                found = stamp_of(os.lstat(f"{self._out}/{path}"))
            except (FileNotFoundError, NotADirectoryError):
                return None
            is_known = self._is_known(number, found)
            if not is_known:
                check_folder(self._out, path.rpartition("/")[0])
                if digest_of(f"{self._out}/{path}") != wanted:
                    return None
        return Staged(path, wanted, written=False, edited=False, mark=found, known=is_known)
