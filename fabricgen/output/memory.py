"""Memory of a render for the next one of the same tree: stamps of its files, and the renderer's notes.

It is kept in the user's cache and not in the tree, because it is trusted and a tree may come from anywhere. Without it,
or if it belongs to another manifest, all files are read and checked: slower, with the same result.
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
"""Includes the version of the format."""
MOST = 64
"""Trees that are remembered per user; the least recently rendered ones are forgotten."""


class RenderNotes(NamedTuple):
    """Notes of the renderer for the next render.

    check_results  digest of what was checked → result, as text
    cabling        pieces of the cabling plan in order: digest of their inputs, and octets
    """

    check_results: Mapping[str, str] = {}
    cabling: tuple[tuple[str, int], ...] = ()


NO_NOTES = RenderNotes()


class Memory(NamedTuple):
    """Memory of the tree whose manifest has this digest. stamps: of its files, sorted by path."""

    manifest: str
    stamps: tuple[int, ...]
    notes: RenderNotes


def recall(out: Path, manifest: str) -> Memory | None:
    """Return the memory of a tree with this manifest, or None."""
    path = _path(out)
    if path is None:
        return None
    with suppress(OSError):
        digest, _, text = path.read_bytes().partition(b"\n")
        if digest == _digest(text):
            remembered, stamps, (check_results, cabling) = json.loads(text)
            return (
                Memory(remembered, tuple(stamps), RenderNotes(check_results, tuple(map(tuple, cabling))))
                if remembered == manifest
                else None
            )
    return None


def remember(out: Path, memory: Memory) -> None:
    """Save the memory atomically. Failures are ignored, as the memory is not needed."""
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
    """First line of the file, which makes an incomplete file invalid."""
    return sha256(text).hexdigest().encode()


def _path(out: Path) -> Path | None:
    folder = cache_folder(FOLDER)
    return folder / sha256(os.fsencode(out.resolve())).hexdigest() if folder is not None else None


def _forget(folder: Path) -> None:
    by_age = sorted((path.stat().st_mtime_ns, path) for path in folder.iterdir())
    for _, path in by_age[: max(0, len(by_age) - MOST)]:
        path.unlink(missing_ok=True)
