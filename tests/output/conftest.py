"""Trees that a render leaves, as plain values."""

from collections.abc import Callable
from pathlib import Path

import pytest

Tree = dict[str, bytes]


@pytest.fixture
def tree() -> Callable[[Path], Tree]:
    """Read the files of `out` that are not fabricgen's own."""

    def read(out: Path) -> Tree:
        files = (path for path in out.rglob("*") if path.is_file())
        return {
            name: path.read_bytes()
            for path in files
            if not (name := path.relative_to(out).as_posix()).startswith(".fabricgen/")
        }

    return read
