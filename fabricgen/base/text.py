"""Text for people: natural sort order of names, and values that cannot control a terminal."""

import re
from collections.abc import Iterable

_DIGITS = re.compile(r"([0-9]+)")
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def natural(word: str) -> tuple[str | int, ...]:
    """Sort key of names with numbers: be-leaf-999 before be-leaf-1000, a word before longer ones that begin with it."""
    parts: list[str | int] = [*_DIGITS.split(word)]
    parts[1::2] = map(int, parts[1::2])
    return tuple(parts)


def printable(text: str, instead: str = " ") -> str:
    """A text on one line, without characters that move the cursor, change the text direction or start a line."""
    return text if text.isprintable() else re.sub(_UNPRINTABLE, instead, text)


def listed(names: Iterable[str], nothing: str = "none", *, most: int = 3, separator: str = ", ") -> str:
    """The first few, and the number of the others: `a, b, c and 4 more`."""
    items = list(names)
    others_text = f" and {len(items) - most} more" if len(items) > most else ""
    return separator.join(items[:most]) + others_text if items else nothing


def counted(number: int, noun: str) -> str:
    """`1 route`, `2 routes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def flow(value: object) -> str:
    """A value as it is typed in a list or mapping on one line of YAML: in quotes if it has a special character."""
    text = str(value)
    if re.fullmatch(r"[A-Za-z0-9_.-][A-Za-z0-9_./-]*", text):
        return text
    import json  # noqa: PLC0415  # a sound intent does not need it

    return json.dumps(text, ensure_ascii=False)
