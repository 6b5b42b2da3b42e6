"""Our templates compiled once for a user, as Python keeps its modules: compiling them takes longer than a small render.

They lie where Python is told to keep bytecode (PYTHONPYCACHEPREFIX), else below the user's cache folder (XDG Base
Directory Specification: $XDG_CACHE_HOME, or ~/.cache). What is kept is run, so only a folder counts that is the
user's own and that nobody else can write to; without one, and where Python is told to write no bytecode, templates are
compiled each time. Templates of a user's own always are: their folders come and go, and their lines stay with them.
"""

import os
import stat
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import MAGIC_NUMBER
from marshal import dumps, loads
from pathlib import Path
from tempfile import NamedTemporaryFile

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

NOT_KEPT = ""
"""Key of a template that is compiled each time."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
DIGEST = 32
"""Octets of SHA-256."""


class CompiledTemplates(BytecodeCache):
    """Code of templates below `ours`, a file each in `folder`. jinja2 gives a bucket the digest of the source.

    A file is the digest of source and code, then the code. One that is cut short, of another source or unreadable is
    none; a folder that can not be written to keeps nothing.
    """

    def __init__(self, ours: Path, folder: Path) -> None:
        self._ours = ours
        self._folder = folder

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Name of a template's file. The path counts: it is in the code, for tracebacks."""
        is_ours = filename is not None and Path(filename).is_relative_to(self._ours)
        return super().get_cache_key(name, filename) if is_ours else NOT_KEPT

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the bucket its code, where it is kept."""
        if bucket.key == NOT_KEPT:
            return
        with suppress(OSError):
            octets = (self._folder / bucket.key).read_bytes()
            if octets[:DIGEST] == _digest(bucket, octets[DIGEST:]):
                bucket.code = loads(octets[DIGEST:])  # noqa: S302 - of a folder that is the user's alone

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bucket's code: whole or not at all, also where two processes do so at once."""
        if bucket.key == NOT_KEPT or sys.dont_write_bytecode:
            return
        code = dumps(bucket.code)
        with suppress(OSError), NamedTemporaryFile(dir=self._folder, suffix=".tmp", delete=False) as file:
            try:
                file.write(_digest(bucket, code) + code)
                file.flush()
                Path(file.name).replace(self._folder / bucket.key)
            except OSError:
                Path(file.name).unlink()
                raise


def compiled_templates(environment: Environment, ours: Path) -> CompiledTemplates | None:
    """Where the templates of `ours` are kept as `environment` compiles them; None where no folder is safe."""
    reads = (environment.trim_blocks, environment.lstrip_blocks, environment.keep_trailing_newline)
    words = "".join(str(int(each)) for each in reads)
    folder = _base() / "fabricgen" / f"templates-{version('jinja2')}-{MAGIC_NUMBER.hex()}-{words}"
    return CompiledTemplates(ours, folder) if is_safe(folder) else None


def is_safe(folder: Path) -> bool:
    """Whether a folder and the one above it are the user's own, real ones, and written to by nobody else.

    One that is missing is made, but nothing below a folder of another user: as root, in somebody's home.
    """
    try:
        if not sys.dont_write_bytecode and not folder.exists():
            _make(folder)
        return all(_is_own(each.lstat()) for each in (folder.parent, folder))
    except OSError:
        return False


def _make(folder: Path) -> None:
    above = next(parent for parent in folder.parents if parent.exists())
    if above.stat().st_uid == os.getuid():
        folder.parent.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)


def _is_own(found: os.stat_result) -> bool:
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & OTHERS_WRITE


def _base() -> Path:
    """The folder that all of this is below. A relative path in XDG_CACHE_HOME does not count, as that text has it."""
    if sys.pycache_prefix:
        return Path(sys.pycache_prefix)
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111 - raises nothing


def _digest(bucket: Bucket, code: bytes) -> bytes:
    return sha256(bucket.checksum.encode() + code).digest()
