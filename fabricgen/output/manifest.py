"""The manifest of an output tree: its files, their inputs, and the release that wrote them."""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeGuard

from fabricgen.errors import FabricError, Problem
from fabricgen.output.paths import refusals

FOLDER = ".fabricgen"
NAME = "manifest.json"
FORMAT = 1


class Maker(NamedTuple):
    """Renderer of a tree: `release` of fabricgen, and a digest of its sources and templates."""

    release: str
    made_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the last render wrote.

    release  of fabricgen
    made_by  digests of the release's sources and of all templates, `render.keys.made_by`; equal ones render the same
             Device the same. Empty in a tree of a release that did not record it: releases read each other's
             manifests, and a key that a release does not know is dropped by its next render
    devices  device name → input key: equal keys mean equal files
    inputs   name → SHA-256 of the file in .fabricgen/inputs, in hexadecimal
    files    path below `out` → SHA-256 of its bytes, in hexadecimal; sorted by path
    """

    release: str
    made_by: str
    devices: Mapping[str, str]
    inputs: Mapping[str, str]
    files: Mapping[str, str]


def digest(content: bytes) -> str:
    """Return the SHA-256 of `content` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def dump(manifest: Manifest) -> bytes:
    """Write a manifest as sorted JSON, one entry per line, without timestamps: equal manifests have equal bytes."""
    values = {
        "devices": dict(manifest.devices),
        "files": dict(manifest.files),
        "format": FORMAT,
        "inputs": dict(manifest.inputs),
        "made_by": manifest.made_by,
        "release": manifest.release,
    }
    return (json.dumps(values, indent=1, sort_keys=True) + "\n").encode()


def read_manifest(out: Path) -> Manifest | None:
    """Read the manifest of `out`; None where there is none.

    Raises FabricError when it is damaged, of another format, or names files outside `out`.
    """
    return load_manifest(out / FOLDER / NAME)


def load_manifest(path: Path) -> Manifest | None:
    """Do the same for a manifest at `path`."""
    try:
        values = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FabricError([_damaged(path, error.strerror or "it cannot be read")]) from None
    except (ValueError, RecursionError):
        raise FabricError([_damaged(path, "it is not JSON")]) from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise FabricError([_damaged(path, f"it is not of format {FORMAT}")])
    manifest = _manifest(values)
    if manifest is None:
        raise FabricError([_damaged(path, "a part is missing or of the wrong type")])
    if any(refusals(name) for name in chain(manifest.files, manifest.inputs)):
        raise FabricError([_damaged(path, "it lists a file that no render writes")])
    return manifest


def _manifest(values: Mapping[str, object]) -> Manifest | None:
    release, made_by = values.get("release"), values.get("made_by", "")
    devices, inputs, files = (values.get(name) for name in ("devices", "inputs", "files"))
    if not (isinstance(release, str) and isinstance(made_by, str)):
        return None
    if not (_is_text_map(devices) and _is_text_map(inputs) and _is_text_map(files)):
        return None
    return Manifest(
        release=release,
        made_by=made_by,
        devices=devices,
        inputs=inputs,
        files=dict(sorted(files.items())),
    )


def content_of(path: str) -> bytes | None:
    """Return the bytes of a regular file; None if there is none, or if it is a link. Raises OSError."""
    handle = _opened(path)
    if handle is None:
        return None
    try:
        return b"".join(_chunks(handle))
    finally:
        os.close(handle)


def digest_of(path: str) -> str | None:
    """Return the SHA-256 of a regular file, read in chunks; None if there is none. Raises OSError."""
    handle = _opened(path)
    if handle is None:
        return None
    sha256 = hashlib.sha256()
    try:
        for chunk in _chunks(handle, PIECE):
            sha256.update(chunk)
    finally:
        os.close(handle)
    return sha256.hexdigest()


PIECE = 1 << 20
"""Octets per read of a file that may be large."""


def _opened(path: str) -> int | None:
    """Return the handle of a regular file; None if there is none, or if it is a link."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if Path(path).is_symlink():
            return None
        raise error from None
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    return None


def _chunks(handle: int, octets: int = 0) -> Iterator[bytes]:
    """Content of a file in chunks of `octets`; 0: in one chunk, if the file does not grow."""
    size = octets or max(os.fstat(handle).st_size, 4096)
    while chunk := os.read(handle, size):
        yield chunk


def _is_text_map(part: object) -> TypeGuard[dict[str, str]]:
    return isinstance(part, dict) and all(isinstance(value, str) for value in part.values())


def _damaged(path: Path, reason: str) -> Problem:
    return Problem(
        code="output-manifest",
        what=f"{path} cannot be used",
        why=reason,
        fix="remove the output directory and render again",
    )
