"""Our templates compiled once for a user, as Python keeps its modules: compiling them takes longer than a small render.

They lie in the user's cache (`user_cache.py`); without one, and where Python is told to write no bytecode, templates
are compiled each time. Templates of a user's own always are: their folders come and go, and their lines stay with them.
"""

import sys
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import MAGIC_NUMBER
from inspect import getfile
from marshal import dumps, loads
from pathlib import Path
from tempfile import NamedTemporaryFile

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from fabricgen.user_cache import cache_folder

NOT_KEPT = ""
"""Key of a template that is compiled each time."""
DIGEST = 32
"""Octets of SHA-256."""


class CompiledTemplates(BytecodeCache):
    """Code of templates below `ours`, a file each in `folder`. jinja2 gives a bucket the digest of the source.

    A file is the digest of source, generator and code, then the code. One that is cut short, of another source or
    unreadable is none, and so is one that another state of the generator wrote, of which `generator` is the source; a
    folder that can not be written to keeps nothing.
    """

    def __init__(self, ours: Path, folder: Path, generator: bytes) -> None:
        self._ours = ours
        self._folder = folder
        self._generator = sha256(generator).digest()

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
            if octets[:DIGEST] == self._digest(bucket, octets[DIGEST:]):
                bucket.code = loads(octets[DIGEST:])  # noqa: S302 - of a folder that is the user's alone

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bucket's code: whole or not at all, also where two processes do so at once."""
        if bucket.key == NOT_KEPT or sys.dont_write_bytecode:
            return
        code = dumps(bucket.code)
        with suppress(OSError), NamedTemporaryFile(dir=self._folder, suffix=".tmp", delete=False) as file:
            try:
                file.write(self._digest(bucket, code) + code)
                file.flush()
                Path(file.name).replace(self._folder / bucket.key)
            except OSError:
                Path(file.name).unlink()
                raise

    def _digest(self, bucket: Bucket, code: bytes) -> bytes:
        return sha256(bucket.checksum.encode() + self._generator + code).digest()


def compiled_templates(environment: Environment, ours: Path) -> CompiledTemplates | None:
    """Where the templates of `ours` are kept as `environment` compiles them; None where no folder is safe.

    None, too, where the source of what compiles them is not there to be told from another's.
    """
    generator = environment.code_generator_class
    reads = (environment.trim_blocks, environment.lstrip_blocks, environment.keep_trailing_newline)
    words = "".join(str(int(each)) for each in reads)
    name = f"templates-{version('jinja2')}-{MAGIC_NUMBER.hex()}-{words}-{generator.__name__}"
    folder = cache_folder(name, made=not sys.dont_write_bytecode)
    with suppress(OSError):
        source = Path(getfile(generator)).read_bytes()
        return CompiledTemplates(ours, folder, source) if folder is not None else None
    return None
