"""What to type in place of a value that pydantic refused, and its message in plain words."""

import re
from ipaddress import ip_network

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from fabricgen.base.text import flow
from fabricgen.source.examples import block, default_line, line
from fabricgen.source.pydantic_paths import Walk, keys_of, models_of, tags_of
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
    """Return what to write if one number or word was given for a list, or for a mapping with one required key."""
    value = error["input"]
    if place.field is None or not isinstance(value, str | int | float):
        return ""
    if _holds_secrets(place):
        return secret_fix(place) if wanted(error["type"], message(error)) == "text" else ""
    if place.unions and place.unions[-1][0] == place.path:
        return ""
    expected = wanted(error["type"], message(error))
    key = str(place.path[-1])
    if expected == "text" and not isinstance(value, str):
        return f'write {key}: "{flow(value)}"'
    if expected == "a list":
        return f"write {key}: [{flow(value)}]"
    required = [name for name, field in keys_of(models_of(place.field)).items() if field.is_required()]
    return f"write {key}: {{{required[0]}: {flow(value)}}}" if expected == "a mapping" and len(required) == 1 else ""


def example(place: Walk, want: str) -> str:
    """Return a line with a value of the wanted type, to add to a remedy; empty where the type says enough."""
    if want == "a mapping" and not (place.path and isinstance(place.path[-1], str)):
        return _of_models(place)
    key = str(place.path[-1]) if place.path else ""
    if not key or isinstance(place.path[-1], int) or place.unions or place.field is None or _holds_secrets(place):
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
    if key == "password" and "users" in place.path:
        name = f"{name.removesuffix('PASSWORD')}HASH"  # what it holds is a hash
    return f'write {key}: "${{env:{name}}}" or {key}: "${{file:PATH}}"'


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
