"""What the files of some switches say, leaf by leaf: at least one leaf of every line of the templates.

Values are the intents' own (tests/srlinux/sites.py), the plan's numbers and what Nokia's models call them; a path is
without the modules' names, an entry of a list is told by its keys in brackets, a value of a leaf-list by itself.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from fabricgen.platforms.srlinux.document import KEYS

EXPECTED: Mapping[str, Mapping[str, object]] = json.loads(Path(__file__).with_name("expected.json").read_text())
"""Sample → path → value."""


def leaves(text: str) -> dict[str, object]:
    """Every leaf of a document, by its path."""
    return dict(_flat(json.loads(text), ""))


def _flat(value: object, path: str) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        found = [row for key, below in value.items() for row in _flat(below, f"{path}/{key.rpartition(':')[2]}")]
        return found or [(path, "{}")]
    if isinstance(value, list):
        return [row for entry in value for row in _flat(entry, f"{path}[{_told(path, entry)}]")]
    return [(path, value)]


def _told(path: str, entry: object) -> str:
    if not isinstance(entry, dict):
        return f"={entry}"
    choices = KEYS.get(path.rpartition("/")[2], ())
    keys = next((names for names in choices if all(name in entry for name in names)), tuple(entry))
    return ",".join(_plain(str(entry[name])) for name in keys)


def _plain(text: str) -> str:
    return text.rpartition(":")[2] if text.startswith("srl_nokia-") else text
