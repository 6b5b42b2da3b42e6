"""Readers by platform name."""

from collections.abc import Mapping

from fabricgen.drivers.eos import EOS
from fabricgen.drivers.frr import FRR
from fabricgen.drivers.reader import Reader
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms import PLATFORMS

READERS: Mapping[str, Reader] = {EOS.system: EOS, FRR.system: FRR}


def reader_of(system: str) -> Reader:
    """How a platform is read. Raises FabricError for one that can be rendered only."""
    found = READERS.get(system)
    if found is None:
        title = PLATFORMS[system].title
        known = ", ".join(PLATFORMS[name].title for name in READERS)
        raise FabricError(
            [
                Problem(
                    code="no-reader",
                    what=f"{title} is rendered, and not read from a switch",
                    why=f"its answers have no reader yet; those of {known} have",
                    fix="install its files by hand, and name the other switches with --devices",
                )
            ]
        )
    return found
