"""The intent's schema → JSON Schema text, for editors that complete and underline while one writes."""

import json

from fabricgen.intent.model import Intent

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """Return the JSON Schema of an intent: keys sorted, the same bytes every time, ending with a line end."""
    schema = {"$schema": DIALECT} | Intent.model_json_schema() | {"title": "fabricgen intent"}
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
