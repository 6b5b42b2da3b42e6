"""What to type in place of a value that pydantic refused, and its message in plain words."""

import re
from collections.abc import Iterable
from ipaddress import ip_network
from typing import Annotated, get_args, get_origin

from pydantic import AfterValidator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from fabricgen.base.text import flow
from fabricgen.source.annotations import Pattern
from fabricgen.source.examples import block, default_line, line
from fabricgen.source.pydantic_paths import Walk, keys_of, models_of, tags_of, words_of
from fabricgen.source.report import SECRET_KEYS

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


def elsewhere(place: Walk) -> str:
    """Return the remedy for a key that only other members of the union have; empty where none has it."""
    key = str(place.path[-1])
    if not place.unions or place.path[:-1] != place.unions[-1][0] or key not in keys_of(place.others):
        return ""
    tags = sorted(tag for model in place.others if key in keys_of((model,)) for tag in tags_of(model))
    return f"remove it: it is a key of {' and '.join(tags)}, not of {place.unions[-1][1]}"


def _holds_secrets(place: Walk) -> bool:
    """Whether a value of this place is never shown: it may be a secret that was typed in place of its reference."""
    return not set(SECRET_KEYS).isdisjoint(map(str, place.path))


def typed(error: ErrorDetails, place: Walk) -> str:
    """Return what to write in place of a value of the wrong type, made of this value where it can be."""
    value, expected = error["input"], wanted(error["type"], message(error))
    if value is None or of_union(place):
        return ""
    if place.field is None:
        return _chosen_key(value, place) if expected == "a mapping" and isinstance(value, str) else ""
    if _holds_secrets(place):
        return secret_fix(place) if expected == "text" else ""
    if expected == "text":
        return _as_text(value, place, place.field)
    return _within(value, expected, place, place.field) if isinstance(value, str | int | float) else ""


def _as_text(value: object, place: Walk, field: FieldInfo) -> str:
    """Return the line of a key that has one text, not a number, a list or a mapping."""
    only = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(place.path[-1], int):
        return ""
    if isinstance(only, list | dict) or not _fits(_word(only), field):
        return for_example(place)
    word = f'"{_word(only)}"' if not isinstance(only, str) else flow(only)
    return f"write {flow(place.path[-1])}: {word}"


def _within(value: object, expected: str, place: Walk, field: FieldInfo) -> str:
    """Return the line with one number or word in the list that is wanted, or in a mapping with one required key."""
    key = flow(place.path[-1])
    if expected == "a list":
        return f"write {key}: [{flow(value)}]" if _matches(_word(value), _of_items(field)) else for_example(place)
    if expected == "a mapping" and isinstance(value, bool):
        return for_example(place)
    required = [name for name, part in keys_of(models_of(field)).items() if part.is_required()]
    if expected != "a mapping" or len(required) != 1:
        return ""
    unchecked = " (the number is checked next)" if isinstance(value, int | float) else ""
    return f"write {key}: {{{required[0]}: {flow(value)}}}{unchecked}"


def of_union(place: Walk) -> bool:
    """Whether the value itself may be of several types."""
    return bool(place.unions) and place.unions[-1][0] == place.path


def _chosen_key(value: str, place: Walk) -> str:
    """Return the mapping for a word that is a choice of one of its keys: `drained` → `{state: drained}`."""
    for key, field in keys_of(place.members).items():
        if value in words_of(field):
            return f"write {flow(place.path[-1])}: {{{key}: {flow(value)}}}"
    return ""


def for_example(place: Walk) -> str:
    """Return what to write, where the key has a default or an example; empty where it has neither."""
    key, field = str(place.path[-1]), place.field
    written = default_line(key, field) or line(key, field)
    if not written.endswith(key.upper()):
        return f"write e.g. {written}" if written else ""
    return f"write {written}" if key in keys_of(place.models) else ""


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fits(text: str, field: FieldInfo) -> bool:
    """Whether a text is accepted where it is written in quotes."""
    return _matches(text, field.metadata)


def _of_items(field: FieldInfo) -> tuple[object, ...]:
    """Annotations of the items of a list."""
    items = (item for item in get_args(field.annotation) if get_origin(item) is Annotated)
    return next((get_args(item)[1:] for item in items), ())


def _matches(text: str, metadata: Iterable[object]) -> bool:
    for part in metadata:
        if isinstance(part, Pattern) and not re.search(part.pattern, text):
            return False
        if isinstance(part, AfterValidator):
            try:
                part.func(text)  # type: ignore[call-arg]  # of a scalar it takes the value alone
            except ValueError:
                return False
    return True


def example(place: Walk, want: str) -> str:
    """Return a line with a value of the wanted type, to add to a remedy; empty where the type says enough."""
    if want == "a mapping" and not (place.path and isinstance(place.path[-1], str)):
        return _of_models(place)
    key = str(place.path[-1]) if place.path else ""
    if not key or isinstance(place.path[-1], int) or of_union(place) or place.field is None or _holds_secrets(place):
        return ""
    if want in ("a list", "a mapping"):
        written = line(key, place.field)
    else:
        written = _number_line(key, place.field) if want in ("a whole number", "a number") else ""
    return f", e.g. {written}" if written else ""


def _of_models(place: Walk) -> str:
    """Return an example of an item of a list; for the whole file the keys that it must have."""
    if place.path:
        written = block(place.members)
        return f", e.g. {written}" if written else ""
    required = [key for key, field in keys_of(place.models).items() if field.is_required()]
    keys = f"key{'s' * (len(required) > 1)} {', '.join(required)}"
    return f" with at least the {keys}" if required else ""


def _number_line(key: str, field: FieldInfo) -> str:
    """Return a line with the default of a number, or with its only value; empty where it has neither."""
    written = default_line(key, field) or line(key, field)
    return written if not written.endswith(key.upper()) else ""


def secret_fix(place: Walk) -> str:
    """Return the two forms of a reference to a secret, with the place's own name."""
    key = place.path[-1]
    if isinstance(key, int):
        return 'write "${env:NAME}" or "${file:PATH}"'
    name = "_".join(part for part in map(str, place.path[-2:]) if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", part)).upper()
    hashed = ""
    if key == "password" and "users" in place.path:
        name, hashed = f"{name.removesuffix('PASSWORD')}HASH", " (its value is the hash of the password)"
    return f'write {key}: "${{env:{name}}}" or {key}: "${{file:PATH}}"{hashed}'


def address_fix(given: object) -> str:
    """Return the remedy with the network, where an address with host bits was given."""
    try:
        return f"write {ip_network(str(given), strict=False)}"
    except ValueError:
        return "correct the address"


def message(error: ErrorDetails) -> str:
    """Return pydantic's message, or that of the schema's own check."""
    text = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return re.sub(r"^Input (is|should|must)", r"it \1", text)


def wanted(kind: str, words: str) -> str:
    """Return the wanted type, by the error's own type, else by its message."""
    return next(
        (description for name, description in _TYPES if kind.startswith(f"{name}_")),
        words.removeprefix("it should be "),
    )
