"""The JSON Schema in schema/ is the one that the code writes, and takes and refuses what the intent's model does."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fabricgen.intent.json_schema import schema_text
from fabricgen.source.document import read_document

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(schema_text())
DEMO: Any = read_document(ROOT / "inventories" / "demo" / "intent.yaml").value


def test_the_committed_schema_is_current() -> None:
    committed = (ROOT / "schema" / "intent.schema.json").read_text(encoding="utf-8")
    assert committed == schema_text(), "write fabricgen.intent.json_schema.schema_text() to schema/intent.schema.json"


def test_it_is_a_schema_with_title_and_descriptions_and_without_id() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["title"] == "fabricgen intent"
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "$id" not in SCHEMA
    assert all(definition.get("description") for definition in SCHEMA["$defs"].values())
    assert list(SCHEMA) == sorted(SCHEMA)
    assert schema_text() == schema_text()


def test_the_demo_is_valid() -> None:
    jsonschema.validate(DEMO, SCHEMA)


@pytest.mark.parametrize(
    "edit",
    [{"sites": "x"}, {"fabricgen": 2}, {"site": "DC 1"}, {"placement": "../p.csv"}, {"placement": "/p.csv"},
     {"overrides": {"be-spine-01": {"state": "gone"}}}, {"servers": {}}],
)  # fmt: skip
def test_what_the_model_refuses_is_refused(edit: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(DEMO | edit, SCHEMA)
