"""A model to what validates it; the schema in between is kept for the user, as Python keeps bytecode.

Pydantic takes longer to work out the schema of an intent than a small site takes to be read and checked, and each time
comes to the same: it follows from our source and from pydantic's release. Schemas lie in the user's cache
(`user_cache.py`); without one, and where Python is told to write no bytecode, they are worked out each time.
"""

import os
import pickle
import sys
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from pydantic import VERSION, BaseModel
from pydantic_core import CoreSchema, SchemaValidator

from fabricgen.user_cache import cache_folder

OURS = __name__.partition(".")[0]
FOLDER = f"schemas-1-pydantic-{VERSION}-{sys.implementation.cache_tag}"
"""With the number of the format."""
DIGEST = 32
"""Octets of SHA-256."""
SETTLED_SECONDS = 2
"""A source that was written less long ago may be another than the one that was imported."""
TO_WRITE = frozenset({"metadata", "serialization"})
"""Parts of a schema that only JSON Schema and the writing of a model need."""

Sources = dict[str, tuple[int, int]]
"""Files of ours → when each was written, in nanoseconds, and its octets: what Python tells stale bytecode by."""


@cache
def validator_of(model: type[BaseModel]) -> SchemaValidator:
    """Return what validates plain values as the model's own `model_validate` does."""
    path = _path(model)
    kept = _kept(path) if path is not None else None
    if kept is not None:
        return SchemaValidator(kept)
    model.model_rebuild()
    schema: CoreSchema = _to_read(model.__pydantic_core_schema__)
    if path is not None and not sys.dont_write_bytecode:
        _keep(path, schema)
    return SchemaValidator(schema)


def _path(model: type[BaseModel]) -> Path | None:
    """Where the schema of a model is kept, one of ours; None where no folder is safe. Each tree has its own."""
    folder = cache_folder(FOLDER, made=not sys.dont_write_bytecode) if model.__module__.startswith(f"{OURS}.") else None
    name = f"{model.__module__}.{model.__qualname__} of {__file__}"
    return folder / sha256(name.encode()).hexdigest() if folder is not None else None


def _kept(path: Path) -> CoreSchema | None:
    """Return what is kept there; None where it is cut short, or a source that stood behind it has changed.

    The sources come first: names in a schema are looked up in them.
    """
    with suppress(OSError):
        octets = path.read_bytes()
        if octets[:DIGEST] == sha256(octets[DIGEST:]).digest():
            file = BytesIO(octets[DIGEST:])
            sources: Sources = pickle.load(file)  # noqa: S301 - of a folder that is the user's alone
            if all(_stamp(name) == stamp for name, stamp in sources.items()):
                schema: CoreSchema = pickle.load(file)  # noqa: S301
                return schema
    return None


def _keep(path: Path, schema: CoreSchema) -> None:
    """Keep a schema, and of what it was made: whole or not at all, also where two processes do so at once."""
    from tempfile import NamedTemporaryFile  # noqa: PLC0415 - once for a release

    with suppress(OSError):
        sources = _sources()
        if time.time_ns() - max(written for written, _ in sources.values()) < SETTLED_SECONDS * 10**9:
            return
        content = pickle.dumps(sources) + pickle.dumps(schema)
        with NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            try:
                file.write(sha256(content).digest() + content)
                file.flush()
                Path(file.name).replace(path)
            except OSError:
                Path(file.name).unlink()
                raise


def _sources() -> Sources:
    """All modules of ours that are imported: those of the model, and of whatever it is made of, are among them."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == OURS]
    return {module.__file__: _stamp(module.__file__) for module in modules if module.__file__ is not None}


@cache
def _stamp(file: str) -> tuple[int, int]:
    found = os.stat(file)  # noqa: PTH116 - a path object for each of a hundred would take longer
    return found.st_mtime_ns, found.st_size


def _to_read(schema: Any) -> Any:  # noqa: ANN401 - dicts in dicts, of a hundred shapes
    """Return a schema without what only writing needs, in which there are functions that can not be kept."""
    if isinstance(schema, dict):
        # A dict without a word for its type has names of a model's fields as its keys.
        left_out = TO_WRITE if isinstance(schema.get("type"), str) else frozenset()
        return {key: _to_read(value) for key, value in schema.items() if key not in left_out}
    if isinstance(schema, list):
        return [_to_read(value) for value in schema]
    return tuple(map(_to_read, schema)) if type(schema) is tuple else schema
