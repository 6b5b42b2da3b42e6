"""Readers by platform name: each platform that is rendered is read, too."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.errors import FabricError
from fabricgen.platforms import makers
from fabricgen.platforms.base.live.reader import Reader

MAKERS = makers("live.reader")
READERS: Mapping[str, Reader] = OnDemand(MAKERS)


def reader_of(system: str) -> Reader:
    """Return the reader of a platform. Raises FabricError where it has none."""
    if system not in READERS:
        raise FabricError.of(
            code="no-reader",
            what=f"live switches with {system} are not supported",
            why="fabricgen has no reader of it",
            fix=f"choose one of {', '.join(READERS)}, or add a reader of {system} (docs/adding.md)",
        )
    return READERS[system]
