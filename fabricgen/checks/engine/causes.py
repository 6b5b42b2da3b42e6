"""Which override gives a part its state: where a problem of missing capacity points, and what a waiver names."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate

from fabricgen.errors import IntentPath
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.overrides import LINK_PREFIX, WILD

OVERRIDES: IntentPath = ("overrides",)


def state_cause(intent: Intent, device: str) -> IntentPath:
    """Path of the override that gives a switch its state; `overrides` where none does by itself."""
    return next(_paths(intent, "", (device, "")), OVERRIDES)


def port_cause(intent: Intent, ends: Iterable[PortKey]) -> IntentPath:
    """Path of the override that gives a port or its cable its state, by either end; `overrides` where none does."""
    keys = tuple(ends)
    for prefix in ("", LINK_PREFIX):
        for key in keys:
            found = next(_paths(intent, prefix, key), None)
            if found is not None:
                return found
    return OVERRIDES


def joined(causes: Iterable[IntentPath]) -> IntentPath:
    """Where a problem points: at its only cause. Of several none is the one to mend, or to be waived for the rest."""
    found = set(causes)
    return found.pop() if len(found) == 1 else OVERRIDES


def _paths(intent: Intent, prefix: str, part: tuple[str, str]) -> Iterator[IntentPath]:
    """Overrides with a state that name a switch, or a port of it, the most specific first."""
    device, port = part
    tail = f"/{port}" if port else ""
    exact = f"{prefix}{device}{tail}"
    stated = [selector for selector, own in intent.overrides.items() if "state" in own.model_fields_set]
    if exact in stated:
        yield (*OVERRIDES, exact)
    for selector in stated:
        if not selector.startswith(prefix) or not selector.endswith(tail):
            continue
        pattern = selector[len(prefix) : len(selector) - len(tail)]
        if WILD.search(pattern) and "/" not in pattern and re.match(translate(pattern), device):
            yield (*OVERRIDES, selector)
