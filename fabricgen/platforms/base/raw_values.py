"""Raw lines that are JSON: what no switch can take, or nobody can see, though it parses."""

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite

from fabricgen.platforms.base.json_sections import SectionError

MOST_DEEP = 32  # as of every file of the user's (composer.MAX_DEPTH)
TOO_DEEP = f"they are nested deeper than {MOST_DEEP} levels"


def json_fault(artifact: str, lines: tuple[str, ...], joined: Callable[[str], str]) -> str:
    """Why raw lines for a JSON file cannot be joined with ours; empty where they can. A platform's `raw_fault`.

    joined  the platform's last step, which raises SectionError
    """
    try:
        whole = joined("\n".join(lines))
    except SectionError as fault:
        return f"{artifact} is JSON, and these lines are not whole objects: {fault}"
    except RecursionError:
        return f"{artifact} is JSON, and these lines cannot be read: {TOO_DEEP}"
    why = next(_faults(json.loads(whole)), "")
    return f"{artifact} is JSON, and these lines cannot stand in it: {why}" if why else ""


def _faults(value: object) -> Iterator[str]:
    """What is wrong with a value or anything in it, walked with a stack of our own."""
    left = [(value, 0)]
    while left:
        found, depth = left.pop()
        if depth > MOST_DEEP:
            yield TOO_DEEP
        elif isinstance(found, dict):
            left += ((each, depth + 1) for pair in found.items() for each in pair)
        elif isinstance(found, list):
            left += ((each, depth + 1) for each in found)
        elif isinstance(found, str):
            yield from _sign(found)
        elif isinstance(found, float) and not isfinite(found):
            yield f"JSON has no number {found} (RFC 8259, section 6)"


def _sign(text: str) -> Iterator[str]:
    """A character that an escape stands for: nobody sees it, and one of them marks secrets (base/secret.py)."""
    if text.isascii() and text.isprintable():
        return
    from fabricgen.source.yaml_events import REFUSED_TEXT  # noqa: PLC0415  # the help of export imports platforms, and is quick

    found = re.search(REFUSED_TEXT, text)
    if found is not None:
        yield f"an escape in them is the invisible character U+{ord(found[0]):04X}"
