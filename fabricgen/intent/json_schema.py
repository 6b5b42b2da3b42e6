"""A schema → JSON Schema text, for editors that complete and underline while one writes."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Choices = Mapping[tuple[str, str], Sequence[str]]
"""(Definition, key) → names that are known. Other names that fit the key's pattern are valid, too."""
NO_CHOICES: Choices = MappingProxyType({})


def text_of(model: type[BaseModel], title: str, choices: Choices = NO_CHOICES) -> str:
    """Return the JSON Schema of a kind of file: keys sorted, the same bytes every time, ending with a line end."""
    schema = {"$schema": DIALECT} | model.model_json_schema() | {"title": title}
    for (definition, key), names in choices.items():
        body = schema["$defs"][definition]["properties"]
        body[key] = _with_choices(body[key], names)
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _with_choices(body: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A key whose names an editor offers: a list of them, or what the key takes beside."""
    about = {word: body[word] for word in ("title", "description", "default") if word in body}
    values = {word: value for word, value in body.items() if word not in about}
    return about | {"anyOf": [{"enum": list(names), "type": "string"}, values]}
