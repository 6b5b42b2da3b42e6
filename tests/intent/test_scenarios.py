"""Scenarios: ranges taken apart, whose servers are in a scenario, at which line, and what is refused."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Spans, parse_spans, spans_text
from fabricgen.intent.scenario_rules import require_scenario, scenarios
from fabricgen.intent.scenarios import in_scenario
from fabricgen.intent.slot_ranges import Range, both, common, minus, parse_range, without
from fabricgen.source.document import Document, load_document
from fabricgen.source.validate import validate

DEMO = (Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml").read_text()
SERVERS = """tenants:
  storage: {servers: ["store[0-7]"]}
  research:
    servers: ["train[0-15]"]
    nics: ["train[20]/0-3"]
  serving: {servers: ["train[16-25]", "train[26-31]"]}
  spare: {}
"""
HEAD = DEMO.partition("tenants:\n")[0]

numbers = st.frozensets(st.integers(0, 12), max_size=8)


def spans(found: frozenset[int]) -> Spans:
    return parse_spans(",".join(map(str, sorted(found)))) if found else ()


def held(text: str) -> set[tuple[int, int]]:
    """Slot and rail, -1 for a whole server, that a range names: the slow way."""
    found = parse_range(text)
    rails = [rail for span in found.rails for rail in range(span.first, span.last + 1)] or [-1]
    return set(product((slot for span in found.slots for slot in range(span.first, span.last + 1)), rails))


def document(moves: str = "") -> Document:
    return load_document(f"{HEAD}{SERVERS}scenarios:\n  night:{moves or ' {}'}\n", "site.yaml")


def told(moves: str) -> list[Problem]:
    return list(scenarios(validate(Intent, document(moves))))


def owners(moved: Document) -> dict[str, tuple[list[str], list[str]]]:
    intent = validate(Intent, moved)
    return {name: (list(body.servers), list(body.nics)) for name, body in intent.tenants.items()}


@settings(deadline=None)
@given(numbers, numbers)
def test_spans_are_sets(one: frozenset[int], other: frozenset[int]) -> None:
    assert {n for s in minus(spans(one), spans(other)) for n in range(s.first, s.last + 1)} == one - other
    assert {n for s in both(spans(one), spans(other)) for n in range(s.first, s.last + 1)} == one & other


@settings(max_examples=60, deadline=None)
@given(*(numbers.filter(bool) for _ in range(4)))
def test_nics_are_taken_like_sets(
    slots: frozenset[int], rails: frozenset[int], gone: frozenset[int], gone_rails: frozenset[int]
) -> None:
    one, taken = Range("train", spans(slots), spans(rails)), Range("train", spans(gone), spans(gone_rails))
    left = without(one, taken)
    assert set().union(*(held(each.text) for each in left)) == held(one.text) - held(taken.text)
    shared = common(one, taken)
    assert (held(shared.text) if shared else set()) == held(one.text) & held(taken.text)


def test_a_whole_server_gives_its_nics_and_no_nic_takes_a_server() -> None:
    nic, server = parse_range("train[3]/0-1"), parse_range("train[3-4]")
    assert without(nic, server) == ()
    assert without(server, nic) == (server,)
    assert without(server, parse_range("store[3]")) == (server,)
    assert parse_range("train[0-3,7]/1").text == "train[0-3,7]/1"
    assert spans_text(parse_range("train[0-3,7]").slots) == "0-3,7"


@pytest.mark.parametrize(
    ("moves", "changed"),
    [
        ("", {}),
        ('\n    serving: {add: ["train[8-15]"]}',
         {"research": (["train[0-7]"], ["train[20]/0-3"]),
          "serving": (["train[16-25]", "train[26-31]", "train[8-15]"], [])}),
        ('\n    serving: {remove: ["train[20,26-31]"]}', {"serving": (["train[16-19,21-25]"], [])}),
        ('\n    spare: {add: ["train[2]", "train[30-31]"]}',
         {"research": (["train[0-1,3-15]"], ["train[20]/0-3"]), "serving": (["train[16-25]", "train[26-29]"], []),
          "spare": (["train[2]", "train[30-31]"], [])}),
        # a single NIC leaves its server where it is, and is taken from whoever has it as a NIC
        ('\n    spare: {add: ["train[20]/2-5"]}',
         {"research": (["train[0-15]"], ["train[20]/0-1"]), "spare": ([], ["train[20]/2-5"])}),
        # a whole server comes with its NICs
        ('\n    spare: {add: ["train[20]"]}',
         {"research": (["train[0-15]"], []), "serving": (["train[16-19,21-25]", "train[26-31]"], []),
          "spare": (["train[20]"], [])}),
        ('\n    research: {remove: ["train[20]/1"]}', {"research": (["train[0-15]"], ["train[20]/0,2-3"])}),
        # two tenants swap
        ('\n    serving: {add: ["train[0]"]}\n    research: {add: ["train[31]"]}',
         {"research": (["train[1-15]", "train[31]"], ["train[20]/0-3"]),
          "serving": (["train[16-25]", "train[26-30]", "train[0]"], [])}),
    ],
)  # fmt: skip
def test_whose_servers_are(moves: str, changed: dict[str, tuple[list[str], list[str]]]) -> None:
    assert told(moves) == []
    before = owners(document())
    assert owners(in_scenario(document(moves), "night")) == before | changed


def test_each_range_keeps_its_line() -> None:
    moves = '\n    serving:\n      remove: ["train[31]"]\n      add: ["train[8-9]", "train[14]"]'
    written = document(moves)
    moved = in_scenario(written, "night")
    assert owners(moved)["serving"] == (["train[16-25]", "train[26-30]", "train[8-9]", "train[14]"], [])
    places = [moved.place(("tenants", "serving", "servers", at)) for at in range(4)]
    assert places[:2] == [written.place(("tenants", "serving", "servers", at)) for at in range(2)]
    assert places[2:] == [written.place(("scenarios", "night", "serving", "add", at)) for at in range(2)]
    assert moved.lines == written.lines
    assert "scenarios" not in dict.fromkeys(path[0] for path in moved.places if path)


def test_a_tenant_that_had_none_gets_a_line() -> None:
    moved = in_scenario(document('\n    spare: {add: ["train[2]"]}'), "night")
    line = next(number for number, text in enumerate(moved.lines, 1) if "spare: {add" in text)
    assert {moved.place(("tenants", "spare", *rest)).line for rest in (("servers",), ("servers", 0))} == {line}


@pytest.mark.parametrize(
    ("moves", "code", "what", "where"),
    [
        ('\n    servng: {add: ["train[0]"]}', "unknown-name", "unknown tenant servng", ("servng",)),
        ('\n    serving: {add: ["train[0-3]"]}\n    spare: {add: ["train[3]"]}', "scenario-twice",
         "scenario night adds train[3] to serving and to spare", ("spare", "add", 0)),
        ('\n    serving: {add: ["train[0-3]", "train[2]"]}', "scenario-twice",
         "scenario night adds train[2] to serving twice", ("serving", "add", 1)),
        ('\n    serving: {add: ["train[15-16]"]}', "scenario-holds",
         "scenario night adds train[16] to serving, which has it already", ("serving", "add", 0)),
        ('\n    serving: {remove: ["train[15-16]"]}', "scenario-lacks",
         "scenario night removes train[15] from serving, which does not have it", ("serving", "remove", 0)),
        ('\n    serving: {remove: ["train[16]/0"]}', "scenario-lacks",
         "scenario night removes train[16]/0 from serving, which does not have it", ("serving", "remove", 0)),
        ('\n    serving: {add: ["train[9-8]"]}', "bad-slots", "invalid slots in train[9-8]",
         ("serving", "add", 0)),
    ],
)  # fmt: skip
def test_what_is_refused(moves: str, code: str, what: str, where: tuple[str | int, ...]) -> None:
    (problem,) = told(moves)
    assert (problem.code, problem.what, problem.where) == (code, what, ("scenarios", "night", *where))
    with pytest.raises(FabricError):
        require_scenario(validate(Intent, document(moves)), "night")


def test_a_server_and_one_nic_of_it_may_go_two_ways() -> None:
    assert told('\n    serving: {add: ["train[3]"]}\n    spare: {add: ["train[3]/0"]}') == []


def test_base_is_taken() -> None:
    text = f"{HEAD}{SERVERS}scenarios: {{base: {{}}}}\n"
    (problem,) = scenarios(validate(Intent, load_document(text, "site.yaml")))
    assert (problem.code, problem.where) == ("reserved-name", ("scenarios", "base"))


@pytest.mark.parametrize("moves", [" {serving: {servers: [x]}}", " {serving: {add: [train]}}", " {serving: [x]}"])
def test_a_scenario_can_say_nothing_else(moves: str) -> None:
    with pytest.raises(FabricError):
        validate(Intent, document(moves))
