"""Whether a value has the keys and types of one of NAPALM's models. Its own test_model fails on generic fields."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict


def faults(value: object, model: Any, where: str = "") -> Iterator[str]:  # noqa: ANN401  # a type is no object's type
    """What a value lacks, has too much or has of another type; nothing when it fits."""
    if is_typeddict(model):
        yield from _keys(value, model, where)
    elif get_origin(model) is dict:
        yield from _members(value, get_args(model), where)
    elif get_origin(model) is list:
        yield from _items(value, (get_args(model) or (object,))[0], where)
    elif type(value) is not model and model not in (object, Any):
        yield f"{where}: {value!r} is no {getattr(model, '__name__', model)}"


def _members(value: object, kinds: tuple[Any, ...], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: {value!r} is no dict"
        return
    for name, item in value.items():
        yield from faults(name, kinds[0], f"{where} key")
        yield from faults(item, kinds[1], f"{where}[{name!r}]")


def _items(value: object, kind: Any, where: str) -> Iterator[str]:  # noqa: ANN401
    if not isinstance(value, list):
        yield f"{where}: {value!r} is no list"
        return
    for number, item in enumerate(value):
        yield from faults(item, kind, f"{where}[{number}]")


def _keys(value: object, model: Any, where: str) -> Iterator[str]:  # noqa: ANN401
    hints = get_type_hints(model)
    if not isinstance(value, dict):
        yield f"{where}: {value!r} is no dict"
        return
    if unknown := value.keys() - hints.keys():
        yield f"{where}: has {sorted(unknown)}"
    if model.__total__ and (missing := hints.keys() - value.keys()):
        yield f"{where}: lacks {sorted(missing)}"
    for name, item in value.items():
        if name in hints:
            # A bare List in NAPALM's models says nothing of its members.
            kind = list if getattr(hints[name], "_name", "") == "List" and not get_args(hints[name]) else hints[name]
            yield from faults(item, kind, f"{where}.{name}")
