"""A schema → JSON Schema text, for editors that complete and check while one writes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Choices = Mapping[tuple[str, str], Sequence[str]]
"""(Definition, key) → known names. Other names that match the key's pattern are valid, too."""
NO_CHOICES: Choices = {}


def text_of(model: type[BaseModel], title: str, choices: Choices = NO_CHOICES) -> str:
    """Return the JSON Schema of a kind of file: keys sorted, always the same bytes, with a line end at the end."""
    schema = {"$schema": DIALECT} | model.model_json_schema() | {"title": title}
    for (definition, key), names in choices.items():
        body = schema["$defs"][definition]["properties"]
        body[key] = _with_choices(body[key], names)
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _with_choices(body: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a key with names for an editor to offer: one of them, or any other value of the key."""
    annotations = {keyword: body[keyword] for keyword in ("title", "description", "default") if keyword in body}
    values = {keyword: value for keyword, value in body.items() if keyword not in annotations}
    return annotations | {"anyOf": [{"enum": list(names), "type": "string"}, values]}
