"""A schema → JSON Schema text, for editors that complete and underline while one writes."""

import json

from pydantic import BaseModel

from fabricgen.intent.model import Intent

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """Return the JSON Schema of an intent: keys sorted, the same bytes every time, ending with a line end."""
    return text_of(Intent, "fabricgen intent")


def text_of(model: type[BaseModel], title: str) -> str:
    """Return the JSON Schema of any kind of file, written the same way."""
    schema = {"$schema": DIALECT} | model.model_json_schema() | {"title": title}
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
