"""Types of the scalars in documents: annotations that pydantic asks for validation, serialization and JSON Schema.

Pydantic's own annotations (`Strict`, `Field(ge=...)`, `BeforeValidator`) are processed one by one each time a model is
built. One annotation that has everything takes a third of that time, and the models of an intent have five hundred.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

JsonSchema = dict[str, Any]


class WholeNumber(NamedTuple):
    """A whole number from `least` to `most`; text, fractions and booleans are refused."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Return pydantic's schema of an int, with the bounds."""
        return _with(handler(source), strict=True, ge=self.least, le=self.most)


NAME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
WORD = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
PATTERN_RULES: Mapping[str, str] = {
    NAME: "lower-case letters, digits and single hyphens between them, starting with a letter",
    WORD: "letters, digits, dots, hyphens and underscores, starting with a letter or digit",
}
"""Pattern → what it allows, for messages."""


class Pattern(NamedTuple):
    """Text that matches a regular expression. least, most: number of characters."""

    pattern: str
    most: int | None = None
    least: int | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Return pydantic's schema of a str, with the bounds."""
        lengths = {"min_length": self.least, "max_length": self.most}
        bounds = {name: length for name, length in lengths.items() if length is not None}
        return _with(handler(source), strict=True, pattern=self.pattern, **bounds)


def _with(schema: core_schema.CoreSchema, **bounds: object) -> core_schema.CoreSchema:
    return cast(core_schema.CoreSchema, {**schema, **bounds})


class Parsed(NamedTuple):
    """A value parsed from a scalar by `read`, which raises ValueError with the rule. example: as written in a document.

    write  serializes the value to text
    """

    read: Callable[[object], object]
    example: str
    write: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Validate by `read` alone: its result has the right type already."""
        written = core_schema.plain_serializer_function_ser_schema(self.write, return_schema=core_schema.str_schema())
        return core_schema.no_info_plain_validator_function(self.read, serialization=written)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        """Text, with an example."""
        return {"type": "string", "examples": [self.example]}
