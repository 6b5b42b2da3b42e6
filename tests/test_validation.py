"""Pydantic's complaints become problems in the operator's words: one for each cause, each at its place."""

from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, Strict, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from fabricgen.errors import FabricError, Problem
from fabricgen.source.document import load_document
from fabricgen.source.pydantic_problems import from_pydantic
from fabricgen.source.validate import validate

Number = Annotated[int, Strict(), Field(ge=1, le=4)]


class Model(BaseModel):
    """As the intent's models are: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Leaf(Model):
    """One choice of a tagged union."""

    kind: Literal["leaf"]
    count: Number = Field(description="leaves of one scalable unit")


class Spine(Model):
    """The other choice."""

    kind: Literal["spine"]
    asn: int = 1


class Color(StrEnum):
    """A closed choice."""

    RED = "red"
    BLUE = "blue"


class Block(Model):
    """A part with a required key and one with a default."""

    first: int
    last: int = 0


class Names(RootModel[dict[str, Block]]):
    """A model that is a mapping itself."""


def _no_ratio(_: object) -> object:
    raise ValueError('write down to up, e.g. "3:1"')


class Units(Model):
    """A choice with unions of its own."""

    kind: Literal["leaf"]
    units: Number | dict[str, Number]
    block: Block | None = None
    names: tuple[str, ...] = ()
    ratio: Annotated[str, BeforeValidator(_no_ratio)] = Field(default="", description="capacity down to up")
    spans: tuple[
        Annotated[
            str,
            Field(
                pattern=r"^\[[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\]$",
                description='numbers, e.g. "[0-3]"',
            ),
        ],
        ...,
    ] = ()


class Intent(Model):
    """One field for each kind of complaint."""

    nodes: list[Annotated[Leaf | Spine, Field(discriminator="kind")]] = []
    by_group: Annotated[Units | Spine, Field(discriminator="kind")] | None = None
    leaf_block: Block | None = Field(default=None, alias="leaf-block")
    slots: Annotated[int, Strict()] | Block | list[int] = 0
    auto: Annotated[int, Strict(), Field(ge=1)] | Literal["auto"] = 1
    names: Names = Names({})
    named: dict[Annotated[str, Field(pattern="^[a-z]+$")], Block] = {}
    color: Color = Color.RED
    prefix: IPv4Network | IPv6Network | None = None
    prefixes: tuple[IPv4Network, ...] = ()
    pair: tuple[int, Block] | None = None
    flag: Annotated[bool, Strict()] = False
    items: Annotated[list[int], Field(min_length=2, max_length=3)] = [1, 2]
    row: Annotated[tuple[Number, ...], Field(min_length=2)] = (1, 2)
    word: Annotated[str, Field(pattern="^x")] = "x"
    password: Annotated[str, Field(pattern="^env:")] = Field(default="env:A", repr=False)
    checked: int = 0
    custom: int = 0

    @field_validator("checked")
    @classmethod
    def _not_three(cls, value: int) -> int:
        if value == 3:
            raise ValueError("three is taken by the spines")
        return value

    @field_validator("custom")
    @classmethod
    def _not_four(cls, value: int) -> int:
        if value == 4:
            raise PydanticCustomError("pool_overlap", "four overlaps")
        return value


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        validate(Intent, load_document(text, "i.yaml"))
    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "code", "what", "fix", "line", "column"),
    [
        ("colr: red", "unknown-key", "unknown key colr", "did you mean color?", 1, 1),
        ("nodes:\n- {kind: spine, ans: 3}", "unknown-key", "unknown key nodes[0].ans", "did you mean asn?", 2, 17),
        ("leaf-block: {first: 1, zzz: 2}", "unknown-key", "unknown key leaf-block.zzz", "choose one of first, last",
         1, 24),
        ("leaf-blok: {first: 1}", "unknown-key", "unknown key leaf-blok", "did you mean leaf-block?", 1, 1),
        ("names:\n  a: {fist: 1, first: 2}", "unknown-key", "unknown key names.a.fist", "did you mean first?", 2, 7),
        ("named:\n  a:\n    last: 1", "missing-key", "the key named.a.first is missing",
         "add first: FIRST to named.a", 2, 3),
        ("nodes:\n- count: 1", "missing-key", "the key nodes[0].kind is missing",
         "add kind: leaf or kind: spine to nodes[0]", 2, 3),
        ("pair: [1]", "missing-key", "the key pair[1] is missing", "add [1] to pair", 1, 1),
        ("nodes: [{kind: laef}]", "bad-choice", "nodes[0].kind cannot be 'laef'", "did you mean leaf?", 1, 16),
        ("color: green", "bad-choice", "color cannot be 'green'", "choose one of blue, red", 1, 8),
        ("nodes: [{kind: leaf, count: 9}]", "out-of-range", "nodes[0].count cannot be 9", "write 4 or less", 1, 29),
        ("nodes: [{kind: leaf, count: '3'}]", "wrong-type", "nodes[0].count cannot be '3'", "remove the quotes", 1, 29),
        ("nodes: [{kind: leaf, count: 03}]", "wrong-type", "nodes[0].count cannot be '03'", "write 3", 1, 29),
        ("nodes: [{kind: leaf, count: '03'}]", "wrong-type", "nodes[0].count cannot be '03'", "write 3", 1, 29),
        ("row: [1, x]", "wrong-type", "row[1] cannot be 'x'", "write a whole number", 1, 10),
        ("nodes: [{kind: leaf, count: x}]", "wrong-type", "nodes[0].count cannot be 'x'", "write a whole number",
         1, 29),
        ("flag: off", "wrong-type", "flag cannot be 'off'", "write true or false", 1, 7),
        ("flag:", "wrong-type", "flag cannot be empty", "write true or false", 1, 1),
        ("nodes: {}", "wrong-type", "nodes cannot be a mapping",
         "write a list, e.g. nodes: [{kind: leaf, count: COUNT}]", 1, 8),
        ("nodes: [3]", "wrong-type", "nodes[0] cannot be 3", "write a mapping", 1, 9),
        ("named:\n  A: {first: 1}", "bad-name", "'A' is not a valid name in named", "write a", 2, 3),
        ("- 1", "wrong-type", "the file cannot be a list", "write a mapping", 1, 1),
        ("", "wrong-type", "the file cannot be empty", "write a mapping", 1, 1),
        ("items: [1]", "out-of-range", "items has too few items", "write 2 items or more", 1, 8),
        ("word: abc", "bad-pattern", "word cannot be 'abc'", "write it with the allowed characters only", 1, 7),
        ("password: hunter2", "bad-pattern", "password is not valid (value not shown)",
         "write it with the allowed characters only", 1, 11),
        ("named:\n  A1: {first: 1}", "bad-name", "'A1' is not a valid name in named", "write another name", 2, 3),
        ("prefixes: [10.0.0.5/24]", "bad-address", "prefixes[0] cannot be '10.0.0.5/24'", "write 10.0.0.0/24", 1, 12),
        ("prefix: 10.0.0.999", "bad-address", "prefix cannot be '10.0.0.999'", "correct the address", 1, 9),
        ("checked: 3", "bad-value", "checked cannot be 3", "write another value", 1, 10),
        ("custom: 4", "pool-overlap", "custom cannot be 4", "write another value", 1, 9),
        ("slots: x", "wrong-type", "slots cannot be 'x'",
         "write a whole number, or write a mapping, or write a list", 1, 8),
        ("slots: {frist: 1}", "unknown-key", "unknown key slots.frist", "did you mean first?", 1, 9),
        ("slots: [1, x]", "wrong-type", "slots[1] cannot be 'x'", "write a whole number", 1, 12),
        ("auto: atuo", "wrong-type", "auto cannot be 'atuo'", "write a whole number, or did you mean auto?", 1, 7),
    ],
)  # fmt: skip
def test_one_cause_is_one_problem(text: str, code: str, what: str, fix: str, line: int, column: int) -> None:
    (problem,) = problems_of(text)
    assert (problem.code, problem.what, problem.fix) == (code, what, fix)
    assert problem.at is not None
    assert (problem.at.file, problem.at.line, problem.at.column) == ("i.yaml", line, column)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("color: green", "it is not one of the known values"),
        ("nodes: [{kind: laef}]", "it must be one of leaf, spine"),
        ("auto: 0", "it must be 1 or more or one of auto"),
        ("auto: []", "it must be a whole number or one of auto"),
        ("prefix: x", "it must be a valid IPv4 network or a valid IPv6 network"),
        ("items: [1]", "it must be 2 items or more; it has 1"),
        ("leaf-block: {first: 1, zzz: 2}", "leaf-block has no such key"),
        ("nodes: [{kind: leaf}]", "`count` is required (leaves of one scalable unit)"),
        ("word: abc", "it must match ^x"),
    ],
)
def test_why(text: str, why: str) -> None:
    assert [problem.why for problem in problems_of(text)] == [why]


def test_all_problems_come_at_once_with_their_paths() -> None:
    found = problems_of("nodes:\n- {kind: leaf, count: 0}\n- {kind: spine, x: 1}\nflag: 1\nzzz: 1\n")
    assert [(problem.code, problem.where) for problem in found] == [
        ("out-of-range", ("nodes", 0, "count")),
        ("unknown-key", ("nodes", 1, "x")),
        ("wrong-type", ("flag",)),
        ("unknown-key", ("zzz",)),
    ]


def test_a_misspelt_key_is_not_also_missing_but_another_is() -> None:
    found = problems_of("nodes:\n- {kind: leaf, cuont: 3}\n- {kind: leaf, zzzzz: 3}\n")
    assert [(problem.code, problem.where[1:]) for problem in found] == [
        ("unknown-key", (0, "cuont")),
        ("missing-key", (1, "count")),
        ("unknown-key", (1, "zzzzz")),
    ]


def test_a_secret_is_not_repeated() -> None:
    assert "hunter2" not in repr([(p.what, p.why, p.fix) for p in problems_of("password: hunter2")])


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        # A union within a union: the member whose type the value has speaks alone, or the one that took it.
        ("by_group: {kind: leaf, units: 0}", "by_group.units cannot be 0", "write 1 or more"),
        ("by_group: {kind: leaf, units: {h: 0}}", "by_group.units.h cannot be 0", "write 1 or more"),
        (
            "by_group: {kind: leaf, units: two}",
            "by_group.units cannot be 'two'",
            "write a whole number, or write a mapping",
        ),
        # A lone value where a list is wanted, or a mapping with one required key.
        (
            "by_group: {kind: leaf, units: 1, block: 4}",
            "by_group.block cannot be 4",
            "write block: {first: 4} (the number is checked next)",
        ),
        ("by_group: {kind: leaf, units: 1, names: x}", "by_group.names cannot be 'x'", "write names: [x]"),
        # A key of the other member.
        (
            "by_group: {kind: spine, units: 1}",
            "unknown key by_group.units",
            "remove it: it is a key of leaf, not of spine",
        ),
        ("by_group: {kind: leaf, units: 1, ratio: x}", "by_group.ratio cannot be 'x'", 'write down to up, e.g. "3:1"'),
        ("by_group: {kind: leaf, units: 1, spans: [a]}", "by_group.spans[0] cannot be 'a'", 'write e.g. "[0-3]"'),
    ],
)
def test_what_to_type(text: str, what: str, fix: str) -> None:
    (problem,) = problems_of(text)
    assert (problem.what, problem.fix) == (what, fix)


@pytest.mark.parametrize(
    ("text", "fixes"),
    [
        ("leaf-block: {first: 1-3,5}", ['put the value in quotes: first: "1-3,5"']),
        ("leaf-block: {first: 1-3, 5, 7-9, last: 0}", ['put the value in quotes: first: "1-3,5,7-9"'] * 2),
        ("leaf-block: {first: 1, lst}", ["did you mean last?"]),
    ],
)
def test_a_comma_that_ends_a_value_is_told(text: str, fixes: list[str]) -> None:
    found = [problem for problem in problems_of(text) if problem.code == "unknown-key"]
    assert [problem.fix for problem in found] == fixes


def test_a_long_pattern_is_told_as_what_it_means() -> None:
    (problem,) = problems_of("by_group: {kind: leaf, units: 1, spans: [a]}")
    assert problem.why == 'expected: numbers, e.g. "[0-3]"'


def test_a_long_value_is_cut() -> None:
    assert len(problems_of(f"word: {'a' * 500}")[0].what) < 90


def test_what_is_right_is_returned() -> None:
    intent = validate(Intent, load_document("nodes: [{kind: leaf, count: 2}]\nleaf-block: {first: 3}\n", "i.yaml"))
    assert intent.nodes == [Leaf(kind="leaf", count=2)]
    assert intent.leaf_block == Block(first=3)


def test_errors_without_a_document_keep_their_paths() -> None:
    with pytest.raises(ValidationError) as caught:
        Intent.model_validate({"flag": 3})
    (problem,) = from_pydantic(caught.value.errors(), Intent)
    assert (problem.where, problem.at) == (("flag",), None)
