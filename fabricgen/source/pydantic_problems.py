"""Pydantic's errors to problems in the operator's words. Imported only where there is one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import get_args

from pydantic import BaseModel, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, core_schema

from fabricgen.base.grouping import grouped
from fabricgen.base.text import flow
from fabricgen.errors import Problem, did_you_mean
from fabricgen.source.annotations import PATTERN_RULES, WholeNumber
from fabricgen.source.examples import is_example, is_secret, line, valid_name
from fabricgen.source.pydantic_paths import Walk, keys_of, tags_of, walk
from fabricgen.source.remedies import (
    address_fix,
    elsewhere,
    example,
    for_example,
    message,
    of_union,
    secret_fix,
    typed,
    wanted,
)
from fabricgen.source.yaml_events import path_text

_SHOWN = 60  # characters of a value in a message
_COUNTABLE = 65_535  # the largest upper bound that a message names; larger ones only keep a document small
_HINT = 80  # characters of a description that is appended to a reason

# Similarity from which a key is offered: below it, `hostname` would be `state`, and `oversubscription` `description`.
_NEAR_KEY = 0.75

_BUILT_IN = frozenset(get_args(core_schema.ErrorType))

_CODES: Mapping[str, str] = {
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

# Type of the error → the text of the bound, and the name of its number in the error's context.
_BOUNDS: Mapping[str, tuple[str, str]] = {
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

_SIZES: Mapping[str, str] = {
    "too_short": "has too few items",
    "too_long": "has too many items",
    "string_too_short": "is too short",
    "string_too_long": "is too long",
}

_OF_NUMBERS = frozenset({"greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of"})

# End of a key → the unit of its numbers.
_UNITS = (
    ("_seconds", "seconds"),
    ("_ms", "milliseconds"),
    ("_us", "microseconds"),
    ("_octets", "octets"),
    ("_mtu", "octets"),
    ("_gbps", "Gb/s"),
    ("_m", "metres"),
)

_PLAIN_CODES = frozenset({"out-of-range", "bad-pattern", "wrong-type", "bad-address"})


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of pydantic, where its location leads, and the problem that it is by itself."""

    problem: Problem
    walk: Walk


def from_pydantic(errors: Iterable[ErrorDetails], root: type[BaseModel]) -> tuple[Problem, ...]:
    """Return the problems in `errors` of the model `root`, one per cause, in pydantic's order.

    Of a union only the errors of the member that was meant are kept. A misspelt key is not also reported as missing.
    """
    faults = [_fault(error, walk(root, error["loc"])) for error in _causes(tuple(errors))]
    problems = list(dict.fromkeys(_without_unions(faults)))
    misspelt = {
        (*problem.where[:-1], *near)
        for problem in problems
        if problem.code == "unknown-key"
        for near in [_nearest(problem, faults)]
        if near
    }
    return tuple(problem for problem in problems if not (problem.code == "missing-key" and problem.where in misspelt))


def _causes(errors: tuple[ErrorDetails, ...]) -> Iterator[ErrorDetails]:
    """Yield the errors, but not that a list is too short if that is only because one of its items is wrong."""
    for error in errors:
        where = error["loc"]
        is_long = error["type"] == "too_short" and len(error["input"]) >= error["ctx"]["min_length"]
        if not is_long or not any(other["loc"][: len(where)] == where != other["loc"] for other in errors):
            yield error


def _nearest(problem: Problem, faults: Iterable[_Fault]) -> list[str]:
    """Return the known key that a misspelt one was meant to be, found as `did_you_mean` finds it."""
    models = next(fault.walk.models for fault in faults if fault.problem == problem)
    return get_close_matches(str(problem.where[-1]), sorted(keys_of(models)), n=1)


def _without_unions(faults: list[_Fault], depth: int = 0) -> Iterator[Problem]:
    """Yield the problems; of a union at this depth or deeper, only those of the member that was meant."""
    by_union: dict[object, list[_Fault]] = {}
    for index, fault in enumerate(faults):
        unions = fault.walk.unions
        by_union.setdefault(unions[depth][0] if len(unions) > depth else index, []).append(fault)
    for group in by_union.values():
        if len(group[0].walk.unions) > depth:
            yield from _of_union(group, depth)
        else:
            yield group[0].problem


def _of_union(group: list[_Fault], depth: int) -> Iterator[Problem]:
    """Yield the problems of the member that was meant; one problem if none was."""
    by_tag = grouped((fault.walk.unions[depth][1], fault) for fault in group)
    problems_by_tag = {tag: list(_without_unions(faults, depth + 1)) for tag, faults in by_tag.items()}
    refused = {tag: [each.problem for each in faults if _is_refused(each, depth)] for tag, faults in by_tag.items()}
    # A member that reports parts of the value accepted the value itself: it was meant.
    meant = [problems_by_tag[tag] for tag, problems in refused.items() if not problems] or _of_its_type(refused)
    if len(by_tag) == 1 or meant:
        yield from min(meant or problems_by_tag.values(), key=len)
    else:
        yield _either([problems[0] for problems in problems_by_tag.values()])


def _of_its_type(refused: dict[str, list[Problem]]) -> list[list[Problem]]:
    """Return the problems of the members whose type the value has, if all others want another type."""
    bounds = [problems for problems in refused.values() if {problem.code for problem in problems} == {"out-of-range"}]
    others = [problem.code for problems in refused.values() if problems not in bounds for problem in problems]
    return bounds if set(others) <= {"wrong-type"} else []


def _is_refused(fault: _Fault, depth: int) -> bool:
    """Whether the fault is about the union's value as a whole."""
    return fault.walk.path == fault.walk.unions[depth][0] and not fault.problem.code.endswith("-key")


def _either(problems: list[Problem]) -> Problem:
    """Return one problem for a value that no member of a union accepts."""
    reasons = dict.fromkeys(problem.why.removeprefix("it must be ") for problem in problems)
    return problems[0]._replace(
        what=problems[0].what.partition(", not ")[0],
        why=f"it must be {' or '.join(reasons)}",
        fix=", or ".join(dict.fromkeys(problem.fix for problem in problems)),
    )


def _fault(error: ErrorDetails, place: Walk) -> _Fault:
    name = path_text(place.path) or "the file"
    code = "bad-name" if place.is_key else _code(error["type"])
    is_hidden = place.field is not None and not place.field.repr and not place.is_key
    refused = f"{name} is not valid (value not shown)" if is_hidden else f"{name} cannot be {_shown(error['input'])}"
    what, why, fix = _words(error, place, code, name, refused)
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


def _words(error: ErrorDetails, place: Walk, code: str, name: str, refused: str) -> tuple[str, str, str]:
    """Return what, why and fix of one error. refused: the headline for a wrong value."""
    if code == "unknown-key":
        known = keys_of(place.models)
        fix = elsewhere(place) or _nested(str(place.path[-1]), known) or _nearest_key(str(place.path[-1]), known)
        owner = path_text(place.path[:-1])
        return (
            f"unknown key {name}",
            f"{owner} has no such key" if owner else "no such key exists at the top level",
            fix,
        )
    if code == "missing-key":
        return _missing_words(error, place)
    if code == "bad-choice":
        return _choice_words(error, place, name, refused)
    if place.is_key:
        return _name_words(error, place)
    return _refused_words(error, place, code, name, refused)


def _nested(key: str, known: Mapping[str, FieldInfo]) -> str:
    """How to write a dotted key whose first part is known here: as nested keys. Empty for another key."""
    first, *others = key.split(".")
    if first not in known or not all(others) or not others:
        return ""
    return f"nest the keys: {first}: {'{'}{': {'.join(others)}: ...{'}' * len(others)}"


def _nearest_key(key: str, known: Mapping[str, FieldInfo]) -> str:
    """The nearest key; else all keys but those that exist only to be refused with a reason."""
    if not known:
        return "remove it"
    return did_you_mean(key, [name for name, field in known.items() if not _is_banned(field)] or known, _NEAR_KEY)


def _is_banned(field: FieldInfo) -> bool:
    schemas = [part.json_schema for part in field.metadata if isinstance(part, WithJsonSchema)]
    return any(schema is not None and schema.get("not") == {} for schema in schemas)


def _missing_words(error: ErrorDetails, place: Walk) -> tuple[str, str, str]:
    is_tag = "discriminator" in error.get("ctx", {})
    path = (*place.path, _discriminator(error)) if is_tag else place.path
    owner, key = path_text(path[:-1]), str(path[-1])
    hint = "" if is_tag else (place.field and place.field.description) or ""
    written = "" if is_tag or isinstance(path[-1], int) else line(key, place.field)
    example = "e.g. " * is_example(place.field)
    if is_tag:
        tags = dict.fromkeys(tag for model in place.members for tag in tags_of(model, key))
        written = " or ".join(f"{key}: {tag}" for tag in tags)
    missing = written or (path_text(path[-1:]) if owner else f"{key}:")
    fix = f"add {example}{missing} to {owner}" if owner else f"add {example or 'the line '}{missing}"
    return f"the key {path_text(path)} is missing", f"`{key}` is required" + f" ({hint})" * bool(hint), fix


def _name_words(error: ErrorDetails, place: Walk) -> tuple[str, str, str]:
    """Return what, why and fix of a key that the operator chooses."""
    context = error.get("ctx", {})
    given, pattern, most = str(place.path[-1]), str(context.get("pattern", "")), context.get("max_length")
    hint = (place.field and place.field.description) or ""
    what = f"{_shown(given)} is not a valid name in {path_text(place.path[:-1]) or 'the file'}"
    if most is not None:
        return (
            what,
            f"it has {len(given)} characters; the limit is {most}",
            f"write a name of at most {most} characters",
        )
    nearest = valid_name(given, pattern) if pattern else ""
    why = _pattern_rule(pattern, hint) if pattern else message(error)
    return what, why, f"write {flow(nearest)}" if nearest else "write another name"


def _pattern_rule(pattern: str, hint: str) -> str:
    """What a pattern allows: its rule, else the description of the key, which has the form."""
    rule = PATTERN_RULES.get(pattern)
    return f"allowed are {rule}" if rule else f"expected: {hint}" if hint else f"it must match {pattern}"


def _refused_words(error: ErrorDetails, place: Walk, code: str, name: str, refused: str) -> tuple[str, str, str]:
    """Return what, why and fix of a value that is refused by its type or by the schema's own check."""
    hint = (place.field and place.field.description) or ""
    if is_secret(str(error.get("ctx", {}).get("pattern", ""))):
        return (
            f"{name} must be a reference in the form ${{env:NAME}} or ${{file:PATH}} (value not shown)",
            "an intent has references to secrets, not the secrets themselves; NAME and PATH have letters, digits and "
            ". / _ - only",
            secret_fix(place),
        )
    if code in _PLAIN_CODES:
        why, fix = _value_words(error, place, code, hint)
        size = _SIZES.get(error["type"])
        refused = f"{name} {size}" if size else refused
        return refused, why, (typed(error, place) if code == "wrong-type" else "") or fix
    text = _cut(message(error))
    rule, _, fix = text.rpartition(": ") if ": write " in text else ("", "", text)
    if fix.startswith("write ") and (not rule or rule.startswith("it ")):
        return refused, rule or hint or "it is not in the expected form", fix
    reason = rule or text
    fix = fix if rule else (is_example(place.field) and for_example(place)) or "write another value"
    if isinstance(error["input"], str | int | float):
        return refused, reason, fix
    return f"{name}: {reason}", hint or f"it was {_shown(error['input'])}", fix


def _choice_words(error: ErrorDetails, place: Walk, name: str, refused: str) -> tuple[str, str, str]:
    context = error.get("ctx", {})
    listed = str(context.get("expected_tags", context.get("expected", "")))
    known = [word or number for word, number in re.findall(r"'([^']*)'|(-?\d+)", listed)]
    given = str(context.get("tag", error["input"]))
    if "tag" in context:
        refused = f"{name}.{_discriminator(error)} cannot be {_shown(given)}"
    why = f"it must be one of {', '.join(sorted(known))}"
    if given in known and place.path:
        # The same characters with another type: YAML reads 2 as a number and "2" as text.
        if isinstance(error["input"], str):
            return refused, f"{why}, without quotes", f"write {place.path[-1]}: {given}"
        return refused, f"{why}, as text; without quotes it is not text", f'write {place.path[-1]}: "{given}"'
    fix = did_you_mean(given, known)
    is_joined = of_union(place) and "tag" not in context  # the reasons of the members are
    if not is_joined and not fix.startswith("did you"):  # else the fix lists them
        key, kinds = place.path[-1:], [tag for _, tag in place.unions[-1:]]
        is_only = len(known) == 1 and kinds and isinstance(key[0], str)
        why = f"it is not the {key[0]} of a {kinds[0]}" if is_only else "it is not one of the known values"
    return refused, why, fix


def _value_words(error: ErrorDetails, place: Walk, code: str, hint: str) -> tuple[str, str]:
    """Return why and fix of a value that is refused by its type or bounds."""
    context = error.get("ctx", {})
    if code == "out-of-range":
        return _range_words(error, place, hint)
    if code == "bad-pattern":
        if isinstance(error["input"], str) and not error["input"].isprintable():
            return (
                "it has a line end or another control character",
                "write it on one line, without control characters",
            )
        nearest = valid_name(str(error["input"]), context["pattern"])
        rule = _pattern_rule(context["pattern"], hint)
        if not str(error["input"]).strip():
            return f"it is empty; {rule}", "write at least one character"
        shown = re.search(r"e\.g\. (\"[^\"]+\"|[^\s,;)]+)", hint)
        form = f"write e.g. {shown[1]}" if shown else "write it with the allowed characters only"
        return rule, f"write {flow(nearest)}" if nearest else form
    if code == "wrong-type":
        return _type_words(error, place, hint)
    return message(error).replace("it is not a valid", "it must be a valid"), hint or address_fix(error["input"])


def _range_words(error: ErrorDetails, place: Walk, hint: str) -> tuple[str, str]:
    """Return why and fix of a number, a length or a count that is out of range."""
    pattern, key = _BOUNDS[error["type"]]
    number = f"{_number(error.get('ctx', {}).get(key))}{_unit(error, hint)}"
    bound = re.sub(r"^1 (item|character)s ", r"1 \1 ", pattern.format(number))
    if both := _both_bounds(error, place, hint):
        name = f"`{place.path[-1]}`" if isinstance(place.path[-1], str) and not place.unions else "it"
        return f"{name} must be {both}{f' ({hint})' * (0 < len(hint) <= _HINT)}", f"write {both}"
    return _bound_reason(error, place, hint, number, bound), f"write {bound}"


def _both_bounds(error: ErrorDetails, place: Walk, hint: str) -> str:
    """Return both bounds of a whole number; empty if its upper bound is only a limit of fabricgen."""
    parts = place.field.metadata if place.field else ()
    whole = next((part for part in parts if isinstance(part, WholeNumber)), None)
    if whole is None or error["type"] not in _OF_NUMBERS or whole.most > _COUNTABLE:
        return ""
    return f"{whole.least} to {whole.most}{_unit(error, hint)}"


def _bound_reason(error: ErrorDetails, place: Walk, hint: str, number: str, bound: str) -> str:
    """Return why a number, a length or a count is out of range."""
    kind, length = error["type"], error.get("ctx", {}).get("actual_length")
    is_about = hint and hint != "metres" and len(hint) <= _HINT and not place.unions
    about = f"`{place.path[-1]}` ({hint})" if is_about and isinstance(place.path[-1], str) else ""
    if kind.startswith("string_"):
        count = len(str(error["input"]))
        return f"{about or 'it'} has {count} character{'s' * (count != 1)}"
    if length is not None:
        return f"it must be {bound}; it has {length}"
    word = {"greater_than_equal": "smallest", "less_than_equal": "largest"}.get(kind)
    # For a union, the reasons of its members are joined.
    if word is None or place.unions:
        return f"{about or 'it'} must be {bound}"
    return f"the {word} value{f' of {about}' * bool(about)} is {number}"


def _type_words(error: ErrorDetails, place: Walk, hint: str) -> tuple[str, str]:
    """Return why and fix of a value of the wrong type."""
    expected = wanted(error["type"], message(error))
    written = str(error["input"]) if expected == "a whole number" else ""
    # Such digits are text with quotes or without; so is a number with more digits.
    if re.fullmatch(r"-?0[0-9]{1,17}", written):
        return f"it must be {expected}; with a leading 0 it is text", f"write {int(written)}"
    if re.fullmatch(r"-?[0-9]{1,18}", written):
        return f"it must be {expected}", "remove the quotes"
    why = f"it must be {expected}"
    return f"{why} ({hint})" if hint and expected == "text" else why, f"write {expected}{example(place, expected)}"


def _number(value: object) -> object:
    """Return a bound as written in a document: 0 instead of 0.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _unit(error: ErrorDetails, hint: str) -> str:
    """Return the unit of a number, where its key or its description names one."""
    if error["type"] not in _OF_NUMBERS:
        return ""
    key = next((part for part in reversed(error["loc"]) if isinstance(part, str)), "")
    named_unit = next(
        (unit for end, unit in _UNITS if f"_{key}".endswith(end)), "metres" if hint.startswith("metres") else ""
    )
    return f" {named_unit}" if named_unit else ""


def _discriminator(error: ErrorDetails) -> str:
    return str(error.get("ctx", {}).get("discriminator", "")).strip("'")


def _cut(text: str) -> str:
    """Return a text whose words are no longer than a shown value: a check may repeat what it refused."""
    return re.sub(rf"(\S{{{_SHOWN}}})\S+", r"\1…", text)


def _shown(value: object) -> str:
    """Return a description of a value of a document without its contents."""
    match value:
        case None:
            return "empty"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _cut(str(value))
        case str():
            return f"'{value}'" if len(value) <= _SHOWN else f"'{value[:_SHOWN]}…'"
        case dict():
            return "a mapping"
        case _:
            return "a list"
