"""What a render leaves for the next one of the same tree: stamps of its files, and what whoever rendered has noted.

It lies in the user's cache and not in the tree: it is believed, and a tree may come from anywhere. Without it, or where
it is of another manifest than the tree has, files are read and all is looked at again: slower, and the same.
"""

import os
import pickle
from array import array
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple

from fabricgen.output.user_cache import cache_folder

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

FOLDER = "trees-1"
"""With the number of the format."""
MOST = 64
"""Trees that are remembered for a user; the one that was not rendered for longest is forgotten."""
DIGEST = 32


class Notes(NamedTuple):
    """What whoever renders wants to find again.

    looks    digest of what was looked at → what was seen, as whoever rendered has packed it
    cabling  pieces of the cabling plan in order: digest of what they are made of, and octets
    """

    looks: Mapping[str, bytes] = {}
    cabling: tuple[tuple[str, int], ...] = ()


NO_NOTES = Notes()


class Memory(NamedTuple):
    """Of the tree with this manifest, by its digest. stamps: of its files, sorted by path."""

    manifest: str
    stamps: "array[int]"
    notes: Notes


def recall(out: Path, manifest: str) -> Memory | None:
    """What is remembered of a tree with this manifest, if anything is."""
    path = _path(out)
    if path is None:
        return None
    with suppress(OSError):
        content = memoryview(path.read_bytes())
        if content[:DIGEST] == sha256(content[DIGEST:]).digest():
            found: Memory = pickle.loads(content[DIGEST:])  # noqa: S301 - of a folder that is the user's alone
            return found if found.manifest == manifest else None
    return None


def remember(out: Path, memory: Memory) -> None:
    """Keep it: whole or not at all. What cannot be kept is not needed."""
    path = _path(out)
    if path is None:
        return
    with suppress(OSError), NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
        try:
            file.write(bytes(DIGEST))
            hashed = _Hashed(file)
            # Piece by piece: as one it is as large again as all that is remembered.
            pickle.Pickler(hashed, protocol=5).dump(memory)
            file.seek(0)
            file.write(hashed.digest())
            file.flush()
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink()
            raise
        _forget(path.parent)


class _Hashed:
    """A file that is written, and the SHA-256 of what was."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._found = file, sha256()

    def write(self, octets: "ReadableBuffer", /) -> int:
        self._found.update(octets)
        return self._file.write(octets)

    def digest(self) -> bytes:
        return self._found.digest()


def _path(out: Path) -> Path | None:
    folder = cache_folder(FOLDER)
    return folder / sha256(os.fsencode(out.resolve())).hexdigest() if folder is not None else None


def _forget(folder: Path) -> None:
    found = sorted((path.stat().st_mtime_ns, path) for path in folder.iterdir())
    for _, path in found[: max(0, len(found) - MOST)]:
        path.unlink(missing_ok=True)
