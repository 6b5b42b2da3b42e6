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
    """Whether a file has the schema version of an intent at its root. An unreadable file does not count."""
    try:
        return bool(_KEY.search(read_octets(path, MAX_OCTETS)))
    except FabricError:
        return False


def only_intent(folder: Path) -> str | None:
    """Name of the only intent in a folder; None if there is none, or more than one."""
    intents = [path.name for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES and looks_like_intent(path)]
    return intents[0] if len(intents) == 1 else None
