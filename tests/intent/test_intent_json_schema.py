"""The JSON Schema in schema/ is the one that the code writes, and takes and refuses what the intent's model does."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fabricgen.cli.schema.command import INTENT, file_schema
from fabricgen.source.document import read_document

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(file_schema(INTENT))
DEMO: Any = read_document(ROOT / "inventories" / "demo" / "intent.yaml").value


def test_the_committed_schema_is_current() -> None:
    committed = (ROOT / "schema" / "intent.schema.json").read_text(encoding="utf-8")
    assert committed == file_schema(INTENT), "make schema writes it"


def test_it_is_a_schema_with_title_and_descriptions_and_without_id() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["title"] == "fabricgen intent"
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "$id" not in SCHEMA
    assert all(definition.get("description") for definition in SCHEMA["$defs"].values())
    assert list(SCHEMA) == sorted(SCHEMA)
    assert file_schema(INTENT) == file_schema(INTENT)


def keys(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key of an intent, with what its schema says."""
    for name, definition in {"Intent": schema, **schema["$defs"]}.items():
        yield from ((f"{name}.{key}", body) for key, body in definition.get("properties", {}).items())


def test_every_key_has_a_description() -> None:
    found = dict(keys(SCHEMA))
    assert len(found) > 200
    assert [name for name, body in found.items() if not body.get("description")] == []


def test_an_editor_offers_models_and_systems_and_takes_those_of_a_site() -> None:
    leaf = SCHEMA["$defs"]["Switch"]["properties"]
    offered = {key: leaf[key]["anyOf"][0]["enum"] for key in leaf}
    assert "arista-7060x6-64pe" in offered["model"]
    assert "eos-4.34" in offered["os"]
    ours = json.loads(json.dumps(DEMO))
    for system in ("eos-4.34.1F", "nxos-10.4(3)F", "nxos-9.3(7a)", "junos-23.4R2-S5.8-EVO", "srlinux-25.3.2"):
        ours["fabrics"]["backend"]["leaf"] = {"model": "a-box-of-ours", "os": system}
        jsonschema.validate(ours, SCHEMA)
    for wrong in ({"model": "two words", "os": "eos-4.34"}, {"model": "a-box", "os": "EOS 4.34"}):
        ours["fabrics"]["backend"]["leaf"] = wrong
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(ours, SCHEMA)


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
