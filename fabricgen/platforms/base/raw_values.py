"""Raw lines that are JSON: values that parse, but that no switch accepts or that are invisible."""

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite

from fabricgen.platforms.base.json_sections import SectionError

MOST_DEEP = 32  # the limit for every file of a user (source/yaml_events.py, MAX_DEPTH)
TOO_DEEP = f"they are nested deeper than {MOST_DEEP} levels"


def json_fault(artifact: str, lines: tuple[str, ...], joined: Callable[[str], str]) -> str:
    """Why raw lines cannot be joined with our JSON file; empty if they can. Used as a platform's `raw_fault`.

    joined  the platform's last step, which raises SectionError
    """
    try:
        whole = joined("\n".join(lines))
    except SectionError as fault:
        return f"{artifact} is JSON, and these lines are not whole objects: {fault}"
    except RecursionError:
        return f"{artifact} is JSON, and these lines cannot be read: {TOO_DEEP}"
    reason = next(_faults(json.loads(whole)), "")
    return f"{artifact} is JSON, and these lines are not valid in it: {reason}" if reason else ""


def _faults(value: object) -> Iterator[str]:
    """Faults of a value and all that it contains."""
    # An explicit stack: deep nesting must not raise RecursionError.
    stack = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        if depth > MOST_DEEP:
            yield TOO_DEEP
        elif isinstance(item, dict):
            stack += ((child, depth + 1) for pair in item.items() for child in pair)
        elif isinstance(item, list):
            stack += ((child, depth + 1) for child in item)
        elif isinstance(item, str):
            yield from _sign(item)
        elif isinstance(item, float) and not isfinite(item):
            yield f"JSON has no number {item} (RFC 8259, section 6)"


def _sign(text: str) -> Iterator[str]:
    """Report an invisible character written as an escape: one of them marks secrets (base/secret.py)."""
    if text.isascii() and text.isprintable():
        return
    from fabricgen.source.yaml_events import REFUSED_TEXT  # noqa: PLC0415  # the help of export imports platforms, and is quick

    match = re.search(REFUSED_TEXT, text)
    if match is not None:
        yield f"an escape in them is the invisible character U+{ord(match[0]):04X}"
