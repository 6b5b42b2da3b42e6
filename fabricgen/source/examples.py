"""A line to type for a key: its example, or a word in capitals for what belongs there."""

import re
from collections.abc import Iterable, Iterator
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from fabricgen.base.text import flow
from fabricgen.source.annotations import Parsed, Pattern, WholeNumber
from fabricgen.source.pydantic_paths import keys_of

_LONGEST = 90  # characters of a line that a person still types
_REFERENCE = r"^\$\{"  # how the pattern of a reference to a secret begins
_SCALARS = (str, int, float)


def line(key: str, field: FieldInfo | None) -> str:
    """Return `KEY: VALUE` for a key of the schema; the value is in capitals where the reader has to fill it in."""
    value = _of_field(key, field) if field is not None else ""
    written = f"{key}: {value or key.upper()}"
    return written if len(written) <= _LONGEST and "{}" not in written else ""


def default_line(key: str, field: FieldInfo | None) -> str:
    """Return `KEY: VALUE` with the default of a key, where that is one number or word."""
    default = field.default if field is not None else None
    return f"{key}: {flow(default)}" if isinstance(default, _SCALARS) and not isinstance(default, bool) else ""


def is_secret(pattern: str) -> bool:
    """Whether a pattern matches references to secrets."""
    return pattern.startswith(_REFERENCE)


def valid_name(given: str, pattern: str) -> str:
    """Return the nearest text that the pattern matches; empty where no simple change makes one."""
    text = given.strip()
    candidates = (
        re.sub(r"\s+", "/", text),
        re.sub(r"-?\b([0-9]+)$|(?<=[a-z])([0-9]+)$", r"[\1\2]", text),
        re.sub(r"\s+", "-", text),
        re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-"),
        re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"),
    )
    return next((candidate for candidate in candidates if candidate != given and re.fullmatch(pattern, candidate)), "")


def is_example(field: FieldInfo | None) -> bool:
    """Whether the value of `line` is an example: others are as good."""
    return field is not None and bool(field.examples or any(isinstance(part, Parsed) for part in field.metadata))


def block(models: Iterable[type[BaseModel]]) -> str:
    """Return a mapping with the required keys of the first of these models that has an example for each, else empty."""
    for model in models:
        required = [(key, field) for key, field in keys_of((model,)).items() if field.is_required()]
        if required and all(field.examples for _, field in required):
            return "{" + ", ".join(f"{key}: {_of_field(key, field)}" for key, field in required) + "}"
    return ""


def _of_field(key: str, field: FieldInfo) -> str:
    return _written(field.examples[0]) if field.examples else _value(key, field.annotation, field.metadata)


def _written(value: object) -> str:
    """Return an example as it is typed on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {_written(item)}" for key, item in value.items()) + "}"
    return f"[{', '.join(map(_written, value))}]" if isinstance(value, list) else flow(value)


def _value(key: str, annotation: object, metadata: Iterable[object]) -> str:
    for part in metadata:
        if isinstance(part, Parsed):
            return flow(part.example)
        if isinstance(part, Pattern) and is_secret(part.pattern):
            return f'"${{env:{key.upper()}}}"'
        if isinstance(part, WholeNumber) and part.least == part.most:
            return str(part.least)
    least, most = (next((getattr(part, end) for part in metadata if hasattr(part, end)), None) for end in ("ge", "le"))
    return str(least) if least is not None and least == most else _of_type(key, annotation)


def _of_type(key: str, annotation: object) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _value(key, arguments[0], arguments[1:])
    if origin in (Union, UnionType):
        return _of_type(key, next(member for member in arguments if member is not NoneType))
    if origin is Literal and len(arguments) == 1:
        return flow(arguments[0])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "{" + ", ".join(_required(annotation)) + "}"
    return _of_items(key, origin, arguments)


def _of_items(key: str, origin: object, arguments: tuple[object, ...]) -> str:
    if origin is dict:
        return f"{{NAME: {_of_type(key, arguments[1])}}}"
    return f"[{_of_type(key, arguments[0])}]" if origin in (list, tuple) and arguments else key.upper()


def _required(model: type[BaseModel]) -> Iterator[str]:
    for key, field in keys_of((model,)).items():
        if field.is_required():
            # Examples of two keys need not fit together, e.g. a prefix and an address in it.
            parsed = any(isinstance(part, Parsed) for part in field.metadata)
            yield f"{key}: {key.upper() if parsed else _of_field(key, field)}"
