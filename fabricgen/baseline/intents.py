"""Which file of a folder is an intent."""

import re
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.intent.steps import KEY
from fabricgen.source.document import read_octets
from fabricgen.source.yaml_events import MAX_OCTETS

SUFFIXES = (".yaml", ".yml")

_KEY = re.compile(rf"""^["']?{KEY}["']?[ ]*:""".encode(), re.MULTILINE)


def looks_like_intent(path: Path) -> bool:
    """Whether a file says the version of an intent's schema at its root. What cannot be read does not."""
    try:
        return bool(_KEY.search(read_octets(path, MAX_OCTETS)))
    except FabricError:
        return False


def only_intent(folder: Path) -> str | None:
    """Name of the one intent in a folder; None where there is none, or more than one."""
    found = [path.name for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES and looks_like_intent(path)]
    return found[0] if len(found) == 1 else None
