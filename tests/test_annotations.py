"""Annotations of scalars: what pydantic makes of each alone, beside `Field`, and in a JSON Schema."""

from contextlib import nullcontext
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from fabricgen.source.annotations import Parsed, Pattern, WholeNumber


def _even(value: object) -> int:
    if not isinstance(value, str) or int(value) % 2:
        raise ValueError("write an even number")
    return int(value)


class Model(BaseModel):
    """One of each."""

    number: Annotated[int, WholeNumber(1, 9)] = 1
    word: Annotated[str, Pattern(r"^[a-z]+$", 5, least=2), Field(description="a word")] = "ab"
    even: Annotated[int, Parsed(_even, "4")]


Letters = Annotated[str, Pattern(r"^[a-z]*$", 5)]


class Named(BaseModel):
    """A field that asks for more than its type."""

    word: Letters = Field(default="", min_length=2)


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ({"number": 9, "word": "abcde", "even": "6"}, []),
        ({"number": 0}, ["greater_than_equal"]),
        ({"number": 10}, ["less_than_equal"]),
        ({"number": "5"}, ["int_type"]),
        ({"number": 5.0}, ["int_type"]),
        ({"number": True}, ["int_type"]),
        ({"word": "a"}, ["string_too_short"]),
        ({"word": "abcdef"}, ["string_too_long"]),
        ({"word": "a1"}, ["string_pattern_mismatch"]),
        ({"word": b"ab"}, ["string_type"]),
        ({"even": "5"}, ["value_error"]),
        ({"even": 4}, ["value_error"]),
    ],
)
def test_a_scalar_is_what_its_annotation_says(values: dict[str, object], kinds: list[str]) -> None:
    with pytest.raises(ValidationError) if kinds else nullcontext() as found:
        Model.model_validate({"even": "4"} | values)
    assert [error["type"] for error in found.value.errors()] == kinds if found else not kinds


def test_a_field_adds_to_what_its_annotation_asks() -> None:
    """`Field` stands behind an annotation in one type, and in front of it where the type has a name."""
    asked = {"minLength": 2, "maxLength": 5, "pattern": "^[a-z]*$", "type": "string"}
    assert TypeAdapter(Annotated[Letters, Field(min_length=2)]).json_schema() == asked
    found = Named.model_json_schema()["properties"]["word"]
    assert {key: found[key] for key in asked} == asked


def test_an_editor_is_told_the_same() -> None:
    assert Model.model_json_schema()["properties"] == {
        "number": {"default": 1, "minimum": 1, "maximum": 9, "title": "Number", "type": "integer"},
        "word": {
            "default": "ab",
            "description": "a word",
            "minLength": 2,
            "maxLength": 5,
            "pattern": "^[a-z]+$",
            "title": "Word",
            "type": "string",
        },
        "even": {"examples": ["4"], "title": "Even", "type": "string"},
    }


def test_what_was_read_is_written_as_text_again() -> None:
    assert Model.model_validate({"even": "4"}).model_dump_json() == '{"number":1,"word":"ab","even":"4"}'
