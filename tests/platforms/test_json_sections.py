"""Objects become one JSON document: what joins, what contradicts, and whose mistake it is."""

import json

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.base.json_sections import SectionError, finished
from fabricgen.platforms.base.platform import Artifact, Section
from fabricgen.platforms.sonic.document import merged
from fabricgen.platforms.sonic.platform import FILES


def test_objects_become_one_with_keys_as_people_count() -> None:
    text = '// a remark\n{"PORT": {"Ethernet16": {"mtu": "9100"}}}\n{"PORT": {"Ethernet8": {}}, "A": {"x": "1"}}'
    assert merged(text) == (
        "{\n"
        '    "A": {\n        "x": "1"\n    },\n'
        '    "PORT": {\n        "Ethernet8": {},\n        "Ethernet16": {\n            "mtu": "9100"\n'
        "        }\n    }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("", {}),
        ('{"a": {"b": 1}} {"a": {"b": 1}}', {"a": {"b": 1}}),
        ('{"a": ["x"]} {"a": ["y", "x"]}', {"a": ["x", "y"]}),
        ('  // {"a": 1}\n{"b": "// stays"}', {"b": "// stays"}),
        ('{"a": {"b": "é"}}', {"a": {"b": "é"}}),
    ],
)
def test_what_joins(text: str, document: object) -> None:
    assert json.loads(merged(text)) == document


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1} {"a": 2}', "/a is 1 and 2"),
        ('{"a": {"b": "x"}} {"a": {"b": "y"}}', "/a/b is 'x' and 'y'"),
        ('{"a": {}} {"a": []}', "/a is {} and []"),
        ('{"a": 1, "a": 1}', "'a' stands twice"),
        ('{"a": ', "Expecting value"),
        ('{"a": 1},', "Expecting value"),
        ("[1]", "is no object"),
    ],
)
def test_what_does_not(text: str, why: str) -> None:
    with pytest.raises(SectionError, match=why.replace("[", r"\[").replace("]", r"\]").replace("{", r"\{")):
        merged(text)


@pytest.mark.parametrize(
    ("key", "rows"),
    [
        ("Ethernet0,Ethernet8", ["Ethernet0", "Ethernet8"]),
        ("Ethernet0,PortChannel16|3", ["Ethernet0|3", "PortChannel16|3"]),
        ("Ethernet0|a,b", ["Ethernet0|a,b"]),
        ("a,b", ["a,b"]),
        ("Ethernet0,b8|", ["Ethernet0|", "b8|"]),
        ("1,2", ["1,2"]),
        ("Ethernet0,", ["Ethernet0,"]),
        ("", [""]),
    ],
)
def test_a_key_of_several_ports_is_a_row_for_each(key: str, rows: list[str]) -> None:
    assert list(json.loads(merged(json.dumps({"QUEUE": {key: {"x": "y"}}})))["QUEUE"]) == rows


def test_a_row_of_several_ports_joins_with_what_is_one_s_own() -> None:
    text = '{"QUEUE": {"Ethernet8,Ethernet16|3": {"a": "1"}}}\n{"QUEUE": {"Ethernet16|3": {"b": "2"}}}'
    assert json.loads(merged(text)) == {"QUEUE": {"Ethernet8|3": {"a": "1"}, "Ethernet16|3": {"a": "1", "b": "2"}}}
    with pytest.raises(SectionError, match=r"/QUEUE/Ethernet16\|3/a is '1' and '2'"):
        merged(text.replace('"b"', '"a"'))


def test_a_contradiction_of_raw_lines_is_a_problem_and_no_traceback() -> None:
    assert finished(Artifact("x", ()), (Section("a"), Section("b"))) == "ab"
    sections = (Section('{"PORT": {"mtu": "9100"}}\n'), Section('// raw[0]\n{"PORT": {"mtu": "1500"}}\n'))
    with pytest.raises(FabricError) as caught:
        finished(FILES[0], sections)
    (problem,) = caught.value.problems
    assert (problem.code, problem.where) == ("raw-syntax", ("raw",))
    assert "/PORT/mtu is '9100' and '1500'" in problem.why
