"""What scalars of documents may be: annotations of models that pydantic asks how to validate, write and describe them.

Pydantic's own (`Strict`, `Field(ge=...)`, `BeforeValidator`) are worked out one by one each time a model is built; one
that says all at once takes a third of that, and the models of an intent have five hundred of them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

JsonSchema = dict[str, Any]


class WholeNumber(NamedTuple):
    """A whole number from `least` to `most`; text, fractions and booleans are none."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """What pydantic makes of an int, within the bounds."""
        return _with(handler(source), strict=True, ge=self.least, le=self.most)


class Pattern(NamedTuple):
    """Text that matches a regular expression. least, most: characters that it may have."""

    pattern: str
    most: int | None = None
    least: int | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """What pydantic makes of a str, within the bounds."""
        lengths = {"min_length": self.least, "max_length": self.most}
        bounds = {name: length for name, length in lengths.items() if length is not None}
        return _with(handler(source), strict=True, pattern=self.pattern, **bounds)


def _with(schema: core_schema.CoreSchema, **bounds: object) -> core_schema.CoreSchema:
    return cast(core_schema.CoreSchema, {**schema, **bounds})


class Parsed(NamedTuple):
    """What `read` makes of a scalar, or raises ValueError with the rule. example: as it is written in a document.

    write  makes text of it again
    """

    read: Callable[[object], object]
    example: str
    write: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Validate by `read` alone: the type that it returns needs no second look."""
        written = core_schema.plain_serializer_function_ser_schema(self.write, return_schema=core_schema.str_schema())
        return core_schema.no_info_plain_validator_function(self.read, serialization=written)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        """Text, with an example."""
        return {"type": "string", "examples": [self.example]}
