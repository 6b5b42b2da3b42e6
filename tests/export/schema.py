"""containerlab's own schema of topology files, as a judge; and what the release notes add to it.

The copy is of commit 39ff2b7 (0.79.0 + 2), looked for in ../shared/data beside the checkout, or where FABRICGEN_MODELS
says. Four of its patterns are no regular expressions to Python and are left out. Release notes of 0.80: kind `frr` and
`extras.frr.daemons`; of 0.81: `extras` is gone and `daemons` stands on the node.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FILE = "clab.schema.json"
UNREADABLE = 4
DAEMONS = {"type": "array", "items": {"type": "string"}, "minItems": 1}


def complaints(document: object, release: str) -> list[str]:
    """What the schema of a release says against a topology, one line each."""
    validator = jsonschema.Draft7Validator(schema(release))
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(document)]


def schema(release: str) -> dict[str, Any]:
    """Return the schema, readable to Python; skips where there is no copy."""
    path = Path(os.environ.get("FABRICGEN_MODELS", BESIDE)) / FILE
    if not path.is_file():
        why = f"no {FILE} in ../shared/data beside the checkout nor in FABRICGEN_MODELS"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    found: dict[str, Any] = json.loads(path.read_text())
    assert _readable(found) == UNREADABLE
    _grown(found, release)
    return found


def _readable(value: object) -> int:
    """Drop the patterns that Python cannot compile; how many there were."""
    if isinstance(value, list):
        return sum(_readable(item) for item in value)
    if not isinstance(value, dict):
        return 0
    count = 0
    pattern = value.get("pattern")
    if isinstance(pattern, str):
        try:
            re.compile(pattern)
        except re.error:
            del value["pattern"]
            count = 1
    return count + sum(_readable(item) for item in value.values())


def _grown(found: dict[str, Any], release: str) -> None:
    """Change the schema as the notes of later releases say."""
    if release == "0.79":
        return
    node = found["definitions"]["node-config"]["properties"]
    node["kind"]["enum"] += ["frr", "frrouting"]
    found["properties"]["topology"]["properties"]["kinds"]["properties"]["frr"] = {"$ref": "#/definitions/node-config"}
    if release == "0.80":
        extras = found["definitions"]["extras-config"]["properties"]
        extras["frr"] = {"type": "object", "properties": {"daemons": DAEMONS}, "additionalProperties": False}
    else:
        del node["extras"]
        node["daemons"] = DAEMONS
