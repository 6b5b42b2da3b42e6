"""Fields have the number of the line that they begin on, and know whether somebody has read them."""

import json
from ipaddress import ip_network
from pathlib import Path

import pytest

from fabricgen.platforms.linux.readback.words import members_row
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.addresses import host, prefix, slashed
from fabricgen.readback.fields import Field, NotADocumentError, document
from fabricgen.readback.policy import PERMIT_ALL, Policy, PrefixRange, Term, of_family, policy
from fabricgen.readback.rows import A_VALUE, Row, reference

ROOT = Path(__file__).parents[2]


def _plain(field: Field) -> object:
    if field.is_list:
        return [_plain(child) for child in field.below]
    if field.is_object:
        return {child.key: _plain(child) for child in field.below}
    return field.value


def test_a_document_is_the_one_that_json_reads() -> None:
    text = next((ROOT / "tests/golden/stages/sonic/expected").glob("*/config_db.json")).read_text()
    root = document(text)
    assert _plain(root) == json.loads(text)
    lines = text.splitlines()
    for table in root.below:
        assert json.dumps(table.key) in lines[table.number - 1]
        for row in table.below:
            assert json.dumps(row.key) in lines[row.number - 1]


def test_what_nobody_read_of_a_document_is_its_highest_field() -> None:
    root = document('{\n "a": {"b": 1},\n "c": {"d": [1, {"e": 2}],\n "f": null}\n}')
    assert root.text("c", "f") == ""
    assert root.take("c", "d", "1", "e") is not None
    assert [(field.key, field.number) for field in root.unused()] == [("a", 2), ("0", 3)]


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', "{]", "\x00", "[1,,2]"])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(NotADocumentError, match=r"line \d+ column \d+"):
        document(text)


A, B = PrefixRange("10.0.0.0/8", 8, 32), PrefixRange("fd00::/8", 8, 128)


GOLDEN = ROOT / "tests/golden/stages"
NO_CONFIGURATION = "this is not a configuration\n" * 50


def _own(system: str) -> str:
    return (GOLDEN / system / "expected/be-leaf-000" / READBACKS[system].main).read_text()


def _cut(system: str) -> str:
    return _own(system)[: len(_own(system)) // 2]


@pytest.mark.parametrize(
    ("system", "text"),
    [
        *((system, NO_CONFIGURATION) for system in READBACKS),
        *((system, _cut(system)) for system in ("sonic", "cumulus", "srlinux")),
        *((system, _own("eos")) for system in ("junos", "sonic", "cumulus", "srlinux")),
    ],
)
def test_no_line_of_what_cannot_be_parsed_is_understood(system: str, text: str) -> None:
    reading = READBACKS[system].read({READBACKS[system].main: text})
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    assert sorted(line.line for line in reading.unread) == lines
    assert reading.lines == len(lines)


def test_a_statement_of_junos_that_is_not_understood_is_all_of_its_lines() -> None:
    text = "hostname x\nmtu 3\ninterface {\n    y\n    z;\n}\nsystem {\n    host-name a;\n}\nno\nend\n"
    unread = READBACKS["junos"].read({"juniper.conf": text}).unread
    assert [line.line for line in unread] == [1, 2, 3, 4, 5, 10, 11]


def test_a_policy_ends_where_every_route_is_decided() -> None:
    first, last = Term(permit=False, communities=frozenset({"1:1"})), Term(permit=False)
    assert policy([(first, 1), (PERMIT_ALL, 2), (first, 3)]) == Policy((first, PERMIT_ALL), (1, 2))
    allowed = policy([(Term(permit=True, local_preference=0), 1), (first, 2), (last, 3)])
    assert (len(allowed.terms), allowed.lines) == (1, (1, 2, 3)), "the lines of what only denies are kept"
    assert policy([(last, 1)]) == Policy(())
    assert policy([(PERMIT_ALL, 1), (first, 2)]).lines == (1, 2), "and of what no route comes to"


@pytest.mark.parametrize(
    ("mask", "whole"),
    [
        ("255.255.255.254", "10.0.0.6/31"),
        ("255.255.255.255", "10.0.0.6/32"),
        ("128.0.0.0", "10.0.0.6/1"),
        ("255.0.255.0", None),
        ("0.0.0.255", None),
        ("255.255.255", None),
        ("ffff::", None),
    ],
)
def test_a_mask_with_dots_is_a_length(mask: str, whole: str | None) -> None:
    assert slashed("10.0.0.6", mask) == whole


def test_terms_of_another_family_match_no_route() -> None:
    whole = policy(
        [(Term(permit=True, prefixes_ipv4=frozenset({A})), 1), (Term(permit=True, prefixes_ipv6=frozenset({B})), 2)]
    )
    assert of_family(whole, "ipv4").lines == (1,)
    assert of_family(whole, "ipv6") == Policy((Term(permit=True, prefixes_ipv6=frozenset({B})),))
    assert of_family(whole, "evpn") == Policy(())


@pytest.mark.parametrize("text", ["10.1.2.3/8", "10.1.2.3/32", "10.1.2.3/0", "fd00:1::5/17", "fd00:1::5/128", "::1/0"])
def test_a_prefix_is_the_one_of_ipaddress(text: str) -> None:
    assert prefix(text) == str(ip_network(text, strict=False))


@pytest.mark.parametrize("text", ["${env:A}x", "x${env:A}", "${env:A} more", "${env:A}${env:A}", "a", ""])
def test_a_reference_with_something_beside_it_is_another_value(text: str) -> None:
    assert reference(text) == A_VALUE
    assert reference("${env:A}") == reference('"${env:A}"') == "${env:A}"


@pytest.mark.parametrize(
    ("text", "spelled"), [("FD00:0:0::1", "fd00::1"), ("10.0.0.1", "10.0.0.1"), ("10.0.0.01", "10.0.0.01"), ("b", "b")]
)
def test_an_address_has_one_spelling_and_a_name_stays(text: str, spelled: str) -> None:
    assert host(text) == spelled


def test_a_row_of_members_is_on_the_last_of_their_lines() -> None:
    assert members_row({"a": 7, "b": 4}, "f", 2) == Row(frozenset("ab"), "f", 7, {"a": 7, "b": 4})
    assert members_row({}, "f", 2) == Row(frozenset(), "f", 2)
