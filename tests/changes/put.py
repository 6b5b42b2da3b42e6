"""One value of a Device put in place of another, by a dotted path with [n] for places in tuples."""

import re
from dataclasses import replace
from functools import partial
from typing import Any

STEP = re.compile(r"(\w+)|\[(-?\d+)\]")

Value = Any
"""Whatever stands at a path."""


def put(thing: Value, path: str, value: Value) -> Value:
    """The same thing with the value at a path of it."""
    return _put(thing, STEP.findall(path), value)


def at(thing: Value, path: str) -> Value:
    """What stands at a path."""
    for name, place in STEP.findall(path):
        thing = getattr(thing, name) if name else thing[int(place)]
    return thing


def _put(thing: Value, steps: list[tuple[str, str]], value: Value) -> Value:
    if not steps:
        return value
    name, place = steps[0]
    if place:
        found = list(thing)
        found[int(place)] = _put(found[int(place)], steps[1:], value)
        return tuple(found)
    inner = _put(getattr(thing, name), steps[1:], value)
    edit = thing._replace if hasattr(thing, "_replace") else partial(replace, thing)
    return edit(**{name: inner})
