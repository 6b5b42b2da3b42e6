"""config_db.json of SONiC: templates print its tables, and raw lines are merged into the tables that they name.

Each rendered table is printed by one template, between `{"NAME": {` and `}}`: rows as in the file, in the order of
their keys, each followed by a comma. So is each field that may be the last one of its row. Tables can thus be joined as
text; JSON is parsed only for raw lines: objects of any form, whose rows of equal keys are merged and sorted.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fabricgen.base.text import natural
from fabricgen.platforms.base.json_sections import merge, objects
from fabricgen.platforms.base.platform import Sections

END = ",\n}}\n"
"""End of a table as templates print it. It is not valid JSON, so a section that ends with it is not parsed."""
FIELD_LAST = (",\n        }", "\n        }")
"""End of a row as templates print it, with a comma after the last field, and as the file has it."""
DIGITS = "0123456789"
NAMES_KEPT, SECTIONS_KEPT = 4096, 256
_natural = lru_cache(maxsize=NAMES_KEPT)(natural)


def document(sections: Sections) -> str:
    """Return the file made of all sections, of which the last has raw lines.

    Raises SectionError if they do not merge.
    """
    *printed, raw = sections
    tables: dict[str, str] = {}
    own_text = ""
    for text, is_own in printed:
        if is_own:
            own_text += text.replace(*FIELD_LAST).replace(END, "\n}}\n")
        else:
            tables |= _printed_tables(text) if text.endswith(END) else _read(text)
    merged_tables: dict[str, Any] = {}
    for part in objects(own_text + raw.text):
        # A printed table is parsed only if raw lines change it.
        for name in part.keys() & tables:
            merged_tables |= json.loads(f"{{{tables.pop(name)}}}")
        merge(merged_tables, part, _join)
    return _document(tables | _table_texts(merged_tables))


def merged(text: str) -> str:
    """Return objects of any form as one object."""
    return _document(_read(text))


def _printed_tables(text: str) -> dict[str, str]:
    tables = (table for table in text.split(END) if table)
    return {table[2 : table.index('":')]: f"{table[1:].replace(*FIELD_LAST)}\n    }}" for table in tables}


@lru_cache(maxsize=SECTIONS_KEPT)  # most are the same on many switches
def _read(text: str) -> dict[str, str]:
    tables: dict[str, Any] = {}
    for part in objects(text):
        merge(tables, part, _join)
    return _table_texts(tables)


def _table_texts(tables: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each table as the file has it."""
    texts: dict[str, str] = {}
    for name, rows in tables.items():
        table = {name: _sorted(_singles(rows, name) if isinstance(rows, dict) else rows)}
        texts[name] = json.dumps(table, indent=4, ensure_ascii=False)[6:-2]
    return texts


def _document(tables: Mapping[str, str]) -> str:
    """Return the file with all tables, sorted by name."""
    pieces, separator = ["{"], "\n    "
    for name in sorted(tables, key=_natural):
        pieces += (separator, tables[name])
        separator = ",\n    "
    return "".join((*pieces, "\n}\n"))  # one join: repeated copies of a text this long are slow


def _join(existing: list[Any], values: list[Any], path: str) -> None:
    existing += [value for value in values if value not in existing]


def _singles(rows: Mapping[str, Any], table: str) -> dict[str, Any]:
    """Return rows with one key per port, from rows whose key lists several: `Ethernet0,Ethernet8|3`."""
    single_rows: dict[str, Any] = {}
    for key, row in rows.items():
        for single_key in _single(key):
            merge(single_rows, {single_key: row}, _join, f"/{table}")
    return single_rows


def _single(key: str) -> Iterator[str]:
    ports, bar, rest = key.partition("|")
    names = ports.split(",")
    if all(name[-1:] in DIGITS and name.rstrip(DIGITS).isalpha() for name in names):
        yield from (f"{name}{bar}{rest}" for name in names)
    else:
        yield key


def _sorted(value: object) -> object:
    """Return a value with keys in natural order: Ethernet8 before Ethernet16. Lists keep their order: it may matter."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=_natural)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value
