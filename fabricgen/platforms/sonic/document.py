"""config_db.json of SONiC: templates print its tables, and raw lines are merged into those that they name.

A table of ours stands in one template, between `{"NAME": {` and `}}`: rows as the file has them, in the order of their
keys, each with a comma behind it. A field that may be the last of its row has one, too. So tables are put side by side,
and JSON is read only where a user has written some: objects of any form, of which rows of one key become one, sorted.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fabricgen.base.text import natural
from fabricgen.platforms.base.json_sections import merge, objects
from fabricgen.platforms.base.platform import Sections

END = ",\n}}\n"
"""Behind the rows of a table in the form of the file, which is no JSON: so a section that ends so is not read."""
FIELD_LAST = (",\n        }", "\n        }")
"""What is behind the last field of a row, and how the file has it."""
DIGITS = "0123456789"
NAMES_KEPT, SECTIONS_KEPT = 4096, 256
_natural = lru_cache(maxsize=NAMES_KEPT)(natural)


def document(sections: Sections) -> str:
    """The file of all sections, raw lines the last. Raises SectionError for what does not join."""
    *printed, raw = sections
    tables: dict[str, str] = {}
    own = ""
    for text, is_own in printed:
        if is_own:
            own += text.replace(*FIELD_LAST).replace(END, "\n}}\n")
        else:
            tables |= _as_told(text) if text.endswith(END) else _read(text)
    found: dict[str, Any] = {}
    for part in objects(own + raw.text):
        for name in part.keys() & tables:
            found |= json.loads(f"{{{tables.pop(name)}}}")
        merge(found, part, _join)
    return _document(tables | _told(found))


def merged(text: str) -> str:
    """Objects of any form as one."""
    return _document(_read(text))


def _as_told(text: str) -> dict[str, str]:
    tables = (table for table in text.split(END) if table)
    return {table[2 : table.index('":')]: f"{table[1:].replace(*FIELD_LAST)}\n    }}" for table in tables}


@lru_cache(maxsize=SECTIONS_KEPT)  # most are the same on many switches
def _read(text: str) -> dict[str, str]:
    found: dict[str, Any] = {}
    for part in objects(text):
        merge(found, part, _join)
    return _told(found)


def _told(tables: Mapping[str, Any]) -> dict[str, str]:
    """Each table as the file has it."""
    told: dict[str, str] = {}
    for name, rows in tables.items():
        table = {name: _sorted(_singles(rows, name) if isinstance(rows, dict) else rows)}
        told[name] = json.dumps(table, indent=4, ensure_ascii=False)[6:-2]
    return told


def _document(tables: Mapping[str, str]) -> str:
    """All tables, sorted."""
    pieces, before = ["{"], "\n    "
    for name in sorted(tables, key=_natural):
        pieces += (before, tables[name])
        before = ",\n    "
    return "".join((*pieces, "\n}\n"))  # at once: copies of so long a text take their time


def _join(have: list[Any], values: list[Any], path: str) -> None:
    have += [one for one in values if one not in have]


def _singles(rows: Mapping[str, Any], table: str) -> dict[str, Any]:
    """A row for each port, where one stands for several: Ethernet0,Ethernet8|3."""
    found: dict[str, Any] = {}
    for key, row in rows.items():
        for one in _single(key):
            merge(found, {one: row}, _join, f"/{table}")
    return found


def _single(key: str) -> Iterator[str]:
    ports, bar, rest = key.partition("|")
    names = ports.split(",")
    if all(name[-1:] in DIGITS and name.rstrip(DIGITS).isalpha() for name in names):
        yield from (f"{name}{bar}{rest}" for name in names)
    else:
        yield key


def _sorted(value: object) -> object:
    """Keys in natural order: Ethernet8 before Ethernet16. Lists keep theirs, which may mean something."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=_natural)}
    if isinstance(value, list):
        return [_sorted(one) for one in value]
    return value
