"""Turn refusals of the operating system into problems."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabricgen.errors import FabricError


@contextmanager
def operator_faults(out: Path) -> Iterator[None]:
    """Turn a refusal of the operating system (full disk, permissions) into a problem."""
    try:
        yield
    except OSError as error:
        raise FabricError.of(
            code="output-write",
            what=f"cannot write to {out}",
            why=f"{error.strerror or type(error).__name__}: {error.filename or out}",
            fix="free disk space, or correct the permissions, then run the same command again",
        ) from error
