"""Text for people: names in the order in which they count, and values that cannot steer a terminal."""

import re

_DIGITS = re.compile(r"([0-9]+)")
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def natural(word: str) -> tuple[str | int, ...]:
    """Key of an order of names with numbers in them: be-leaf-999 before be-leaf-1000, a word before those it begins."""
    parts: list[str | int] = [*_DIGITS.split(word)]
    parts[1::2] = map(int, parts[1::2])
    return tuple(parts)


def printable(text: str, instead: str = " ") -> str:
    """A text as one line in which nothing moves a cursor, turns the direction or begins a line."""
    return text if text.isprintable() else re.sub(_UNPRINTABLE, instead, text)


def flow(value: object) -> str:
    """A value as it can be typed into a list or mapping on one line: in quotes where it holds a sign of YAML's."""
    text = str(value)
    if re.fullmatch(r"[A-Za-z0-9_.-][A-Za-z0-9_./-]*", text):
        return text
    import json  # noqa: PLC0415  # what is sound is read without it

    return json.dumps(text, ensure_ascii=False)
