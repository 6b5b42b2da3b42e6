"""The location of a pydantic error to the path that the operator wrote, by walking the model classes."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo

from fabricgen.errors import IntentPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The result of following a location.

    path    the location without tags of unions
    models  the models that may hold the last key of `path`
    field   the field at `path`, if it is one
    unions  path and tag of each union on the way, the outermost first
    others  models of the last union that were not chosen
    is_key  the error is about the last key itself, not its value
    members  models that the value may be of
    """

    path: IntentPath
    models: tuple[type[BaseModel], ...]
    field: FieldInfo | None
    unions: tuple[tuple[IntentPath, str], ...]
    others: tuple[type[BaseModel], ...]
    is_key: bool
    members: tuple[type[BaseModel], ...] = ()


def walk(root: type[BaseModel], location: Iterable[str | int]) -> Walk:
    """Follow `location` from the class `root`. A part that the classes do not know is kept as written."""
    path: IntentPath = ()
    choices: tuple[object, ...] = (root,)
    models: tuple[type[BaseModel], ...] = (root,)
    field: FieldInfo | None = None
    unions: tuple[tuple[IntentPath, str], ...] = ()
    others: tuple[type[BaseModel], ...] = ()
    owners: tuple[object, ...] = ()
    for part in location:
        choices = tuple(plain for choice in choices for plain in _plain(choice))
        if part == "[key]":
            field = _described(get_args(choice)[0] for choice in owners if get_origin(choice) is dict)
            return Walk(path=path, models=models, field=field, unions=unions, others=others, is_key=True)
        if len(choices) > 1:
            # Pydantic puts the member that it tried into the location for every union except `X | None`.
            unions = (*unions, (path, str(part)))
            named = tuple(choice for choice in choices if _is_named(choice, str(part))) or choices[:1]
            others, choices = _models(choice for choice in choices if choice not in named), named
            continue
        models, owners = _models(choices), choices
        field = keys_of(models).get(str(part))
        choices = (field.annotation,) if field else _items(choices, part)
        field = field or _described(choices)
        path = (*path, part)
    members = _models(plain for choice in choices for plain in _plain(choice))
    return Walk(path=path, models=models, field=field, unions=unions, others=others, is_key=False, members=members)


def _models(choices: Iterable[object]) -> tuple[type[BaseModel], ...]:
    return tuple(choice for choice in choices if isinstance(choice, type) and issubclass(choice, BaseModel))


def _described(choices: Iterable[object]) -> FieldInfo | None:
    """The field description in an item's own type."""
    annotations = (part for choice in choices if get_origin(choice) is Annotated for part in get_args(choice)[1:])
    return next((part for part in annotations if isinstance(part, FieldInfo)), None)


def keys_of(models: Iterable[type[BaseModel]]) -> dict[str, FieldInfo]:
    """Return the keys that may be written in any of `models`."""
    keys: dict[str, FieldInfo] = {}
    for model in models:
        for name, field in model.model_fields.items():
            alias = field.validation_alias
            keys[alias if isinstance(alias, str) else name] = field
    return keys


def models_of(field: FieldInfo) -> tuple[type[BaseModel], ...]:
    """Return the models that the field's value may be."""
    return _models(_plain(field.annotation))


def words_of(field: FieldInfo) -> tuple[str, ...]:
    """Return the words that a field's value is chosen from; none for other values."""
    return tuple(word for plain in _plain(field.annotation) for word in _words(plain))


def tags_of(model: type[BaseModel], key: str = "") -> tuple[str, ...]:
    """Return the values of the field that distinguishes the model from the others of its union.

    key  name of that field, where it is known
    """
    return tuple(
        word
        for name, field in model.model_fields.items()
        if field.is_required() and key in ("", name)
        for word in _words(field.annotation)
    )


def _plain(annotation: object) -> tuple[object, ...]:
    """Return the members of a union without None, or the type itself, each without Annotated."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _plain(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return tuple(plain for member in get_args(annotation) for plain in _plain(member) if plain is not NoneType)
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return _plain(annotation.model_fields["root"].annotation)
    return (annotation,)


def _is_named(choice: object, tag: str) -> bool:
    """Whether `tag`, as pydantic writes it, means this member of a union."""
    if not (isinstance(choice, type) and issubclass(choice, BaseModel)):
        origin = get_origin(choice) or choice
        return tag.startswith(getattr(origin, "__name__", "?"))
    if choice.__name__ in tag:
        return True
    return any(tag in _words(field.annotation) for field in choice.model_fields.values())


def _words(annotation: object) -> tuple[str, ...]:
    """Return the values that a discriminator's field accepts."""
    words: tuple[Any, ...] = ()
    if get_origin(annotation) is Literal:
        words = get_args(annotation)
    return tuple(str(word.value if isinstance(word, Enum) else word) for word in words)


def _items(choices: tuple[object, ...], part: str | int) -> tuple[object, ...]:
    """Return the type of item `part` of a list, tuple or mapping; nothing for other types."""
    for choice in choices:
        arguments = get_args(choice)
        if get_origin(choice) is dict:
            return arguments[1:]
        if get_origin(choice) is tuple and Ellipsis not in arguments and isinstance(part, int):
            return arguments[part : part + 1]
        if arguments and get_origin(choice) is not Literal:
            return arguments[:1]
    return ()
