"""The override that gives a part its state: the place of a problem of missing capacity, which a waiver can name."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate

from fabricgen.errors import IntentPath
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.overrides import LINK_PREFIX, WILD

OVERRIDES: IntentPath = ("overrides",)


def state_cause(intent: Intent, device: str) -> IntentPath:
    """Return the path of the override that gives a switch its state; `overrides` if none does."""
    return next(_paths(intent, "", (device, "")), OVERRIDES)


def port_cause(intent: Intent, ends: Iterable[PortKey]) -> IntentPath:
    """Return the path of the override that gives a port or its cable its state, by either end; else `overrides`."""
    keys = tuple(ends)
    for prefix in ("", LINK_PREFIX):
        for key in keys:
            path = next(_paths(intent, prefix, key), None)
            if path is not None:
                return path
    return OVERRIDES


def joined(causes: Iterable[IntentPath]) -> IntentPath:
    """Return the place of a problem: its only cause, or `overrides` if several must be fixed or waived together."""
    paths = set(causes)
    return paths.pop() if len(paths) == 1 else OVERRIDES


def _paths(intent: Intent, prefix: str, part: tuple[str, str]) -> Iterator[IntentPath]:
    """Yield the paths of overrides with a state that match a switch, or a port of it, the most specific first."""
    device, port = part
    tail = f"/{port}" if port else ""
    exact = f"{prefix}{device}{tail}"
    stated = [selector for selector, override in intent.overrides.items() if "state" in override.model_fields_set]
    if exact in stated:
        yield (*OVERRIDES, exact)
    for selector in stated:
        if not selector.startswith(prefix) or not selector.endswith(tail):
            continue
        pattern = selector[len(prefix) : len(selector) - len(tail)]
        if WILD.search(pattern) and "/" not in pattern and re.match(translate(pattern), device):
            yield (*OVERRIDES, selector)
