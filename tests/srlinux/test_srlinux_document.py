"""Objects become one document: entries of one key are one, contradictions are told, raw lines reach into entries."""

import json

import pytest

from fabricgen.device.device import RawLines
from fabricgen.errors import FabricError
from fabricgen.platforms.base.json_sections import SectionError
from fabricgen.platforms.srlinux.document import document, lines_fault
from tests.srlinux import sites


def test_entries_of_one_key_are_one() -> None:
    text = '{"a:interface": [{"name": "e1", "mtu": 9}]}\n{"a:interface": [{"name": "e2"}, {"name": "e1", "x": [1]}]}'
    assert json.loads(document(text)) == {"a:interface": [{"name": "e1", "mtu": 9, "x": [1]}, {"name": "e2"}]}


def test_entries_of_two_keys_are_told_apart_by_both() -> None:
    rows = [("10.0.0.0/8", "exact"), ("10.0.0.0/8", "8..32"), ("10.0.0.0/8", "exact")]
    text = "".join(
        json.dumps({"prefix-set": [{"name": "P", "prefix": [{"ip-prefix": at, "mask-length-range": length}]}]})
        for at, length in rows
    )
    (found,) = json.loads(document(text))["prefix-set"]
    assert [row["mask-length-range"] for row in found["prefix"]] == ["exact", "8..32"]


def test_a_leaf_list_keeps_its_order_and_no_value_twice() -> None:
    text = '{"m": ["tacacs"]}{"m": ["local", "tacacs"]}'
    assert json.loads(document(text)) == {"m": ["tacacs", "local"]}


def test_remarks_are_left_out() -> None:
    assert json.loads(document('// raw[0]\n{"a": 1}\n')) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1}{"a": 2}', "/a is 1 and 2"),
        ('{"interface": [{"name": "e1", "mtu": 1}]}{"interface": [{"name": "e1", "mtu": 2}]}', "mtu is 1 and 2"),
        ('{"a": {"b": 1}}{"a": 1}', "/a is"),
        ('{"a": 1}{"a": [1]}', "/a is 1 and [1]"),
        ('{"a": 1, "a": 1}', "twice"),
        ("[1]", "no object"),
        ('{"a": ', "Expecting value"),
    ],
)
def test_contradictions_are_told(text: str, why: str) -> None:
    with pytest.raises(SectionError, match=why.replace("[", r"\[")):
        document(text)


def test_raw_lines_that_contradict_the_intent_are_a_problem() -> None:
    device = next(iter(sites.samples().values()))
    lines = (f'{{"srl_nokia-system:system": {{"srl_nokia-system-name:name": {{"host-name": "not-{device.name}"}}}}}}',)
    with pytest.raises(FabricError) as caught:
        sites.render(device._replace(raw=(RawLines("", lines, "intent.yaml:9"),)))
    (problem,) = caught.value.problems
    assert (problem.code, problem.where) == ("raw-syntax", ("raw",))
    assert f"/host-name is '{device.name}' and 'not-{device.name}'" in problem.why


def test_raw_lines_must_be_objects() -> None:
    assert lines_fault("config.json", ('{"a":', "1}")) == ""
    assert "config.json is JSON" in lines_fault("config.json", ("set / system name host-name x",))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            '{"system": {"banner": {"login-banner": [[]]}}}',
            "/system/banner/login-banner has '[]' where one value belongs",
        ),
        ('{"interface": [{"name": ["a"]}]}', "/interface/name has \"['a']\" where one value belongs"),
        ('{"interface": [{"name": {"a": "b"}}]}', "/interface/name has \"{'a': 'b'}\" where one value belongs"),
    ],
)
def test_what_holds_others_is_no_value_of_a_leaf(line: str, why: str) -> None:
    assert why in lines_fault("config.json", (line,))
