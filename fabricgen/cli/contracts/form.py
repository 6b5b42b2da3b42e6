"""Convert types of documents to JSON Schema without additional keys; all keys are required unless NotRequired.

NamedTuples and dataclasses are objects, as `_asdict` and `summary.page.plain` write them.
"""

import json
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from inspect import cleandoc
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from fabricgen.intent.json_schema import DIALECT

Schema = dict[str, Any]
SCALARS: Mapping[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


class AllowedValues(NamedTuple):
    """Annotation of a type: its allowed values."""

    values: tuple[str, ...]


Named = dict[str, tuple[type, Schema]]
"""Name → its class, and the class's schema."""


def schema_text(title: str, documents: Iterable[type]) -> str:
    """The JSON Schema of a command's documents: keys sorted, reproducible, ending with a line end."""
    named: Named = {}
    alternatives = [_of(document, named) for document in documents]
    schema = {
        "$schema": DIALECT,
        "title": title,
        "anyOf": alternatives,
        "$defs": {name: body for name, (_, body) in named.items()},
    }
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _of(kind: Any, named: Named) -> Schema:  # noqa: ANN401 - type hints have no common type
    """Schema of one type. Adds the classes in it to `named`."""
    if kind is object or kind is Any:
        return {}
    if kind in SCALARS:
        return {"type": SCALARS[kind]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if is_typeddict(kind) or is_dataclass(kind) or hasattr(kind, "_fields"):
        name = kind.__name__
        if name not in named:
            named[name] = kind, _object(kind, named)
        if named[name][0] is not kind:
            raise ValueError(f"{named[name][0]} and {kind} have the same name in a schema")
        return {"$ref": f"#/$defs/{name}"}
    return _COMPOSED[get_origin(kind)](get_args(kind), named)


def _object(kind: type, named: Named) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "description": cleandoc(kind.__doc__ or ""),
        "properties": {name: _of(hint, named) for name, hint in hints.items()},
        "required": sorted(getattr(kind, "__required_keys__", hints)),
        "additionalProperties": False,
    }


def _annotated(parts: tuple[Any, ...], named: Named) -> Schema:
    choices = [part for part in parts[1:] if isinstance(part, AllowedValues)]
    return {"enum": list(choices[0].values)} if choices else _of(parts[0], named)


def _tuple(parts: tuple[Any, ...], named: Named) -> Schema:
    if parts[1:] == (...,):
        return _list(parts, named)
    count = len(parts)
    cells = [_of(part, named) for part in parts]
    return {"type": "array", "prefixItems": cells, "minItems": count, "maxItems": count}


def _list(parts: tuple[Any, ...], named: Named) -> Schema:
    return {"type": "array", "items": _of(parts[0], named)}


def _union(parts: tuple[Any, ...], named: Named) -> Schema:
    return {"anyOf": [_of(part, named) for part in parts]}


def _mapping(parts: tuple[Any, ...], named: Named) -> Schema:
    return {"type": "object", "additionalProperties": _of(parts[1], named)}


_COMPOSED: Mapping[object, Callable[[tuple[Any, ...], Named], Schema]] = {
    Annotated: _annotated,
    Literal: lambda parts, _: {"enum": list(parts)},
    Union: _union,
    types.UnionType: _union,
    tuple: _tuple,
    list: _list,
    dict: _mapping,
    Mapping: _mapping,
    NotRequired: lambda parts, named: _of(parts[0], named),
}
