"""Files that are one JSON document: sections render an object each, and here they become one, sorted."""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.json_parts import UnusualError, natural, single, tables_document
from fabricgen.platforms.platform import Artifact, Sections

REMARK = "//"
"""A line that starts so is a remark of a section (where raw lines come from): JSON has none, and it is left out."""
INDENT = 4
_BLANKS = re.compile(r"\s*")


class SectionError(ValueError):
    """Sections that are no JSON objects, or contradict each other: of a template, or of raw lines."""


def one_document(text: str) -> str:
    """Merge objects that stand behind each other; keys sorted as people count, one newline at the end.

    Objects under one key are merged, lists are joined without what stands already, equal values are one. Raises
    SectionError where two sections give one key different values.
    """
    try:
        return tables_document(text)
    except UnusualError:
        return any_document(text)


def any_document(text: str) -> str:
    """The same of objects of any kind, a tenth as fast."""
    found: dict[str, Any] = {}
    for part in _objects("\n".join(line for line in text.split("\n") if not line.lstrip().startswith(REMARK))):
        _merge(found, part, "")
    return json.dumps(_sorted(_singles(found)), indent=INDENT, ensure_ascii=False) + "\n"


def finished(artifact: Artifact, sections: Sections) -> str:
    """The text of a file by its last step: what contradicts itself there are raw lines, so it is a problem."""
    try:
        return artifact.finish(sections)
    except SectionError as fault:
        problem = Problem(
            code="raw-syntax",
            what="raw lines contradict what the intent says",
            where=("raw",),
            why=f"{fault}; an object's key has one value",
            fix="take the key out of the raw lines, or say it with the intent's own keys or overrides",
        )
        raise FabricError([problem]) from fault


def _objects(text: str) -> list[dict[str, Any]]:
    decoder, at, found = json.JSONDecoder(object_pairs_hook=_once, parse_constant=no_constant), 0, []
    while (start := _after_blanks(text, at)) < len(text):
        try:
            part, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as fault:
            raise SectionError(f"{fault.msg} at {text[max(fault.pos - 20, 0) : fault.pos + 20]!r}") from fault
        if not isinstance(part, dict):
            raise SectionError(f"{str(part)[:20]!r} is no object")
        found.append(part)
    return found


def no_constant(word: str) -> object:
    """What Python reads beside JSON. Raises SectionError."""
    raise SectionError(f"JSON has no number {word} (RFC 8259, section 6)")


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise SectionError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


def _merge(into: dict[str, Any], part: Mapping[str, Any], path: str) -> None:
    for key, value in part.items():
        here = f"{path}/{key}"
        have = into.setdefault(key, value)
        if have is value or have == value:
            continue
        if isinstance(have, dict) and isinstance(value, dict):
            _merge(have, value, here)
        elif isinstance(have, list) and isinstance(value, list):
            have.extend(one for one in value if one not in have)
        else:
            raise SectionError(f"{here} is {have!r} and {value!r}")


def _singles(tables: Mapping[str, Any]) -> dict[str, Any]:
    """The same with a row for each port, where one stands for several."""
    return {name: _single_rows(rows, name) if isinstance(rows, dict) else rows for name, rows in tables.items()}


def _single_rows(rows: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, row in rows.items():
        for one in single(key):
            _merge(found, {one: deepcopy(row)}, f"/{name}")
    return found


def _sorted(value: object) -> object:
    """Keys in natural order: Ethernet8 before Ethernet16. Lists keep theirs, which may mean something."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=natural)}
    if isinstance(value, list):
        return [_sorted(one) for one in value]
    return value
