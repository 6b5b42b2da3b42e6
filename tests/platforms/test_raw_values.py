"""Raw lines of JSON and YAML: what a switch cannot take, and what hides behind an escape, is refused."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.raw_values import json_fault
from fabricgen.platforms.sonic.document import merged
from fabricgen.platforms.srlinux.document import document

DEEP = ("[" * 390,) * 30


@pytest.mark.parametrize("joined", [merged, document])
def test_lines_are_whole_objects_together(joined: object) -> None:
    assert json_fault("config_db.json", ('{"PORT":', '{"Ethernet0": {"mtu": "9100"}}}'), joined) == ""  # type: ignore[arg-type]
    fault = json_fault("config_db.json", ('{"PORT":', "}"), joined)  # type: ignore[arg-type]
    assert fault.startswith("config_db.json is JSON, and these lines are not whole objects: Expecting value")


JSON = {
    "the mark of a secret": ((r'{"BANNER": {"a": {"login": "x \u00ad${env:TOKEN}"}}}',), "U+00AD"),
    "the same in a key": ((r'{"BANNER": {"\u00AD${env:TOKEN}": {}}}',), "U+00AD"),
    "half a character": ((r'{"BANNER": {"a": {"login": "\ud800"}}}',), "U+D800"),
    "an escape of a terminal": ((r'{"BANNER": {"a": {"login": ["\u001b[2J"]}}}',), "U+001B"),
    "no number": (('{"BANNER": {"a": {"b": NaN}}}',), "no number NaN"),
    "a number beyond all": (('{"BANNER": {"a": {"b": -1e999}}}',), "no number -inf"),
    "lists in lists": (('{"a":', *DEEP, *("]" * 390,) * 30, "}"), "nested deeper than 32"),
    "objects in objects": ((*('{"a":' * 20,) * 2, "1", "}" * 40), "nested deeper than 32"),
}


@pytest.mark.parametrize("system", ["sonic", "srlinux"])
@pytest.mark.parametrize("name", JSON)
def test_json_that_no_file_can_have(system: str, name: str) -> None:
    lines, why = JSON[name]
    platform = PLATFORMS[system]
    assert why in platform.raw_fault(platform.main, lines)


def test_json_that_a_file_can_have() -> None:
    lines = (r'{"A": {"b": {"c": "\u00e9 \n \\u00ad", "d": 1.5, "e": [true, null, "${env:TOKEN}"]}}}',)
    assert PLATFORMS["sonic"].raw_fault("config_db.json", lines) == ""


TENFOLD = ", ".join(f"{chr(at + 1)}: &{chr(at + 1)} [{', '.join([f'*{chr(at)}'] * 10)}]" for at in range(97, 105))
YAML = {
    "the mark of a secret": ((r'- set: {a: "x \u00ad${env:TOKEN}"}',), "U+00AD"),
    "lines that grow when they are read": ((f"- set: {{a: &a [x], {TENFOLD}}}",), "YAML anchors and aliases"),
    "an object of a program": (("- set: !!python/object/apply:os.system [id]",), "YAML tags are not supported"),
    "a second document": (("- set: {a: 1}", "---", "- set: {b: 1}"), "a second YAML document"),
    "lists in lists": (("- set:", "  " + "- " * 40 + "x"), "levels of nesting"),
}


@pytest.mark.parametrize("name", YAML)
def test_yaml_that_no_file_can_have(name: str) -> None:
    lines, why = YAML[name]
    fault = PLATFORMS["cumulus"].raw_fault("startup.yaml", lines)
    assert why in fault
    assert "startup.yaml is YAML, and these lines are not on line" in fault
