"""A document to a validated model, or pydantic's complaints to problems in the operator's words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from ipaddress import ip_network
from types import MappingProxyType
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, core_schema

from fabricgen.composer import spell
from fabricgen.documents import Document
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.schema_walk import Walk, keys_of, walk

M = TypeVar("M", bound=BaseModel)

_MOST = 200  # complaints of one document that are told; each costs a walk of the model
_SHOWN = 60  # characters of a value in a message

_BUILT_IN = frozenset(get_args(core_schema.ErrorType))

_CODES = MappingProxyType(
    {
        "extra_forbidden": "unknown-key",
        "missing": "missing-key",
        "union_tag_not_found": "missing-key",
        "literal_error": "bad-choice",
        "enum": "bad-choice",
        "union_tag_invalid": "bad-choice",
        "string_pattern_mismatch": "bad-pattern",
        "int_from_float": "wrong-type",
        "none_required": "wrong-type",
        "is_instance_of": "wrong-type",
    }
)

# Type of the error → what is wanted and the name of its number in the error's context.
_BOUNDS = MappingProxyType(
    {
        "greater_than": ("more than {}", "gt"),
        "greater_than_equal": ("{} or more", "ge"),
        "less_than": ("less than {}", "lt"),
        "less_than_equal": ("{} or less", "le"),
        "multiple_of": ("a multiple of {}", "multiple_of"),
        "too_short": ("{} items or more", "min_length"),
        "too_long": ("{} items or fewer", "max_length"),
        "string_too_short": ("{} characters or more", "min_length"),
        "string_too_long": ("{} characters or fewer", "max_length"),
    }
)

_PLAIN_CODES = frozenset({"out-of-range", "bad-pattern", "wrong-type", "bad-address"})

_TYPES = (
    ("int", "a whole number"),
    ("float", "a number"),
    ("bool", "true or false"),
    ("string", "text"),
    ("list", "a list"),
    ("tuple", "a list"),
    ("set", "a list"),
    ("frozen_set", "a list"),
    ("dict", "a mapping"),
    ("mapping", "a mapping"),
    ("model", "a mapping"),
    ("none", "nothing"),
)


@dataclass(frozen=True, slots=True)
class _Fault:
    """One complaint of pydantic, where it leads, and the problem it is by itself."""

    problem: Problem
    walk: Walk


def validate(model: type[M], document: Document) -> M:
    """Return the document's value as `model`. Raises FabricError with all problems, each with its position."""
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        problems = from_pydantic(error.errors(include_url=False)[:_MOST], model)
    raise FabricError(_at_place(problem, document) for problem in problems)


def from_pydantic(errors: Iterable[ErrorDetails], root: type[BaseModel]) -> tuple[Problem, ...]:
    """Return the problems behind `errors` of the model `root`, one for each cause, in pydantic's order.

    Of a union only the member that was meant speaks; a misspelt key is not also a missing one.
    """
    faults = [_fault(error, walk(root, error["loc"])) for error in errors]
    problems = list(dict.fromkeys(_without_unions(faults)))
    misspelt = {
        (*problem.where[:-1], *near)
        for problem in problems
        if problem.code == "unknown-key"
        for near in [_nearest(problem, faults)]
        if near
    }
    return tuple(problem for problem in problems if not (problem.code == "missing-key" and problem.where in misspelt))


def _at_place(problem: Problem, document: Document) -> Problem:
    if problem.code in ("unknown-key", "bad-name") and problem.where in document.keys:
        return replace(problem, at=document.keys[problem.where])
    return replace(problem, at=document.place(problem.where))


def _nearest(problem: Problem, faults: Iterable[_Fault]) -> list[str]:
    """Return the known key that a misspelt one was meant to be, as `did_you_mean` finds it."""
    models = next(fault.walk.models for fault in faults if fault.problem == problem)
    return get_close_matches(str(problem.where[-1]), sorted(keys_of(models)), n=1)


def _without_unions(faults: list[_Fault]) -> Iterator[Problem]:
    """Yield the problems; those of one union shrink to those of the member that was meant."""
    by_union: dict[object, list[_Fault]] = {}
    for index, fault in enumerate(faults):
        by_union.setdefault(fault.walk.union[0] if fault.walk.union else index, []).append(fault)
    for group in by_union.values():
        by_tag: dict[str, list[Problem]] = {}
        for fault in group:
            by_tag.setdefault(fault.walk.union[1] if fault.walk.union else "", []).append(fault.problem)
        # A member that complains of parts of the value took the value itself: it was meant.
        refused = {
            fault.walk.union[1]
            for fault in group
            if fault.walk.union and fault.walk.path == fault.walk.union[0] and not fault.problem.code.endswith("-key")
        }
        meant = [problems for tag, problems in by_tag.items() if tag not in refused]
        if len(by_tag) == 1 or meant:
            yield from min(meant or by_tag.values(), key=len)
        else:
            yield _either([problems[0] for problems in by_tag.values()])


def _either(problems: list[Problem]) -> Problem:
    """Return one problem for a value that no member of a union takes."""
    whys = dict.fromkeys(problem.why.removeprefix("it must be ") for problem in problems)
    return replace(
        problems[0],
        what=problems[0].what.partition(", not ")[0],
        why=f"it must be {' or '.join(whys)}",
        fix=", or ".join(dict.fromkeys(problem.fix for problem in problems)),
    )


def _fault(error: ErrorDetails, place: Walk) -> _Fault:
    name = spell(place.path) or "the document"
    code = "bad-name" if place.is_key else _code(error["type"])
    value = "a value not shown" if place.field is not None and not place.field.repr else _shown(error["input"])
    what, why, fix = _words(error, place, code, name, value)
    is_tag = error["type"].startswith("union_tag_")
    where = (*place.path, _discriminator(error)) if is_tag else place.path
    return _Fault(Problem(code=code, what=what, why=why, fix=fix, where=where), place)


def _code(kind: str) -> str:
    if kind in _CODES:
        return _CODES[kind]
    if kind in _BOUNDS:
        return "out-of-range"
    if kind in _BUILT_IN:
        return "wrong-type" if kind.endswith(("_type", "_parsing")) else "bad-value"
    return "bad-address" if kind.startswith("ip_") else kind.replace("_", "-")


def _words(error: ErrorDetails, place: Walk, code: str, name: str, value: str) -> tuple[str, str, str]:
    """Return what, why and fix of one error."""
    context = error.get("ctx", {})
    hint = (place.field and place.field.description) or ""
    if code == "unknown-key":
        known = keys_of(place.models)
        fix = did_you_mean(str(place.path[-1]), known) if known else "remove it"
        return f"unknown key {name}", f"{spell(place.path[:-1]) or 'the document'} has no such key", fix
    if code == "missing-key":
        path = (*place.path, _discriminator(error)) if "discriminator" in context else place.path
        fix = f"add {spell(path[-1:])} to {spell(path[:-1]) or 'the document'}"
        return f"{spell(path)} is missing", hint or "it is required", fix
    if code == "bad-choice":
        return _choice_words(error, name, value)
    if place.is_key:
        why = f"it must match {context['pattern']}" if "pattern" in context else _message(error)
        return f"the name of {name} is refused", why, "write another name"
    if code not in _PLAIN_CODES:
        return f"{name}: {_message(error)}", f"the value is {value}", hint or "correct the value"
    return f"{name} is {value}", *_value_words(error, code, hint)


def _choice_words(error: ErrorDetails, name: str, value: str) -> tuple[str, str, str]:
    context = error.get("ctx", {})
    listed = str(context.get("expected_tags", context.get("expected", "")))
    known = [word or number for word, number in re.findall(r"'([^']*)'|(-?\d+)", listed)]
    given = str(context.get("tag", error["input"]))
    if "tag" in context:
        name, value = f"{name}.{_discriminator(error)}", _shown(given)
    return f"{name} is {value}", f"it must be one of {', '.join(known)}", did_you_mean(given, known)


def _value_words(error: ErrorDetails, code: str, hint: str) -> tuple[str, str]:
    """Return why and fix of a value that is refused for itself."""
    context = error.get("ctx", {})
    if code == "out-of-range":
        pattern, key = _BOUNDS[error["type"]]
        wanted = pattern.format(context.get(key))
        count = f"; it has {context['actual_length']}" if "actual_length" in context else ""
        return f"it must be {wanted}{count}", f"write {wanted}"
    if code == "bad-pattern":
        return f"it must match {context['pattern']}", hint or "write it in that form"
    if code == "wrong-type":
        wanted = _wanted(error["type"], _message(error))
        is_quoted = wanted == "a whole number" and re.fullmatch(r"-?[0-9]+", str(error["input"]))
        return f"it must be {wanted}", "remove the quotes" if is_quoted else hint or f"write {wanted}"
    return _message(error).replace("it is not a valid", "it must be a valid"), hint or _address_fix(error["input"])


def _address_fix(given: object) -> str:
    """Name the network where an address of a host stands in its place."""
    try:
        return f"write {ip_network(str(given), strict=False)}"
    except ValueError:
        return "correct the address"


def _message(error: ErrorDetails) -> str:
    """Return pydantic's words, or those of the schema's own check."""
    words = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return re.sub(r"^Input (is|should|must)", r"it \1", words)


def _discriminator(error: ErrorDetails) -> str:
    return str(error.get("ctx", {}).get("discriminator", "")).strip("'")


def _wanted(kind: str, message: str) -> str:
    return next((words for name, words in _TYPES if kind.startswith(f"{name}_")), message.removeprefix("it should be "))


def _shown(value: object) -> str:
    """Describe a value of a document without its insides."""
    match value:
        case None:
            return "empty"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return f"'{value}'" if len(value) <= _SHOWN else f"'{value[:_SHOWN]}…'"
        case dict():
            return "a mapping"
        case _:
            return "a list"
