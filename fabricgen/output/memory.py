"""What a render leaves for the next one of the same tree: stamps of its files, and what whoever rendered has noted.

It lies in the user's cache and not in the tree: it is believed, and a tree may come from anywhere. Without it, or where
it is of another manifest than the tree has, files are read and all is looked at again: slower, and the same.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from fabricgen.output.user_cache import cache_folder

FOLDER = "trees-2"
"""With the number of the format."""
MOST = 64
"""Trees that are remembered for a user; the one that was not rendered for longest is forgotten."""


class RenderNotes(NamedTuple):
    """What whoever renders wants to find again.

    looks    digest of what was looked at → what was seen, as text
    cabling  pieces of the cabling plan in order: digest of what they are made of, and octets
    """

    looks: Mapping[str, str] = {}
    cabling: tuple[tuple[str, int], ...] = ()


NO_NOTES = RenderNotes()


class Memory(NamedTuple):
    """Of the tree with this manifest, by its digest. stamps: of its files, sorted by path."""

    manifest: str
    stamps: tuple[int, ...]
    notes: RenderNotes


def recall(out: Path, manifest: str) -> Memory | None:
    """What is remembered of a tree with this manifest, if anything is."""
    path = _path(out)
    if path is None:
        return None
    with suppress(OSError):
        digest, _, text = path.read_bytes().partition(b"\n")
        if digest == _digest(text):
            found, stamps, (looks, cabling) = json.loads(text)
            return (
                Memory(found, tuple(stamps), RenderNotes(looks, tuple(map(tuple, cabling))))
                if found == manifest
                else None
            )
    return None


def remember(out: Path, memory: Memory) -> None:
    """Keep it: whole or not at all. What cannot be kept is not needed."""
    path = _path(out)
    if path is None:
        return
    text = json.dumps(memory).encode()
    with suppress(OSError), NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
        try:
            file.write(_digest(text) + b"\n")
            file.write(text)
            file.flush()
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink()
            raise
        _forget(path.parent)


def _digest(text: bytes) -> bytes:
    """The first line: what is not whole does not count."""
    return sha256(text).hexdigest().encode()


def _path(out: Path) -> Path | None:
    folder = cache_folder(FOLDER)
    return folder / sha256(os.fsencode(out.resolve())).hexdigest() if folder is not None else None


def _forget(folder: Path) -> None:
    found = sorted((path.stat().st_mtime_ns, path) for path in folder.iterdir())
    for _, path in found[: max(0, len(found) - MOST)]:
        path.unlink(missing_ok=True)
