"""JSON that is printed in pieces, by templates and raw lines: consecutive objects, and how they are merged."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabricgen.errors import FabricError
from fabricgen.platforms.base.platform import Artifact, Sections

REMARK = "//"
"""Start of a remark that says where raw lines come from. JSON has no remarks, so these lines are dropped."""
Join = Callable[[list[Any], list[Any], str], None]
"""Adds the entries of the second list to the first; the path is for errors."""


class SectionError(ValueError):
    """Sections that are no JSON objects or contradict each other, from a template or from raw lines."""


def finished(artifact: Artifact, sections: Sections) -> str:
    """The text of a file after its last step. Only raw lines can contradict there: a SectionError becomes a problem."""
    try:
        return artifact.finish(sections)
    except SectionError as fault:
        raise FabricError.of(
            code="raw-syntax",
            what="raw lines contradict the intent",
            where=("raw",),
            why=f"{fault}; a key of an object has one value",
            fix="remove the key from the raw lines, or set it with keys or overrides of the intent",
        ) from fault


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Consecutive objects of a text, without remarks between and in them. Raises SectionError."""
    text = "\n".join([line for line in text.split("\n") if not line.lstrip().startswith(REMARK)]).strip()
    position = 0
    while position < len(text):
        try:
            part, position = _DECODER.raw_decode(text, position)
        except json.JSONDecodeError as fault:
            raise SectionError(f"{fault.msg} at {text[max(fault.pos - 20, 0) : fault.pos + 20]!r}") from fault
        if not isinstance(part, dict):
            raise SectionError(f"{str(part)[:20]!r} is no object")
        yield part
        while text[position : position + 1].isspace():
            position += 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    once = dict(pairs)
    if len(once) != len(pairs):
        names = [name for name, _ in pairs]
        raise SectionError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return once


def _no_constant(word: str) -> object:
    raise SectionError(f"JSON has no number {word} (RFC 8259, section 6)")


# Python accepts repeated keys and NaN, which RFC 8259 does not define.
_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def merge(into: dict[str, Any], part: Mapping[str, Any], join: Join, path: str = "") -> None:
    """Add an object to another, in place. Raises SectionError if a key gets two values."""
    for key, value in part.items():
        here = f"{path}/{key}"
        if isinstance(value, dict) and isinstance(into.setdefault(key, {}), dict):
            merge(into[key], value, join, here)
        elif isinstance(value, list) and isinstance(into.setdefault(key, []), list):
            join(into[key], value, here)
        elif into.setdefault(key, value) != value:
            raise SectionError(f"{here} is {into[key]!r} and {value!r}")
