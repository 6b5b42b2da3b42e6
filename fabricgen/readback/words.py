"""Words that several systems write alike: lists of numbers, AS numbers, route targets; None for other text."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

MOST = 4096


@lru_cache(maxsize=256)
def numbers(text: str) -> tuple[int, ...] | None:
    """Numbers of a list with ranges: 1,3-5 or 1 3 5. None for anything else, and for more than any list has."""
    found: list[int] = []
    for part in text.replace(",", " ").split():
        first, sign, last = part.partition("-")
        ends = (first, last) if sign else (first, first)
        if not all(end.isascii() and end.isdigit() and len(end) <= 8 for end in ends):
            return None
        found += range(int(ends[0]), min(int(ends[1]), int(ends[0]) + MOST) + 1)
        if len(found) > MOST:
            return None
    return tuple(found) if found else None


def asn(text: str) -> int | None:
    """An AS number, plain or with a dot (RFC 5396)."""
    high, sign, low = text.partition(".")
    parts = (high, low) if sign else ("0", high)
    if not all(part.isascii() and part.isdigit() and len(part) <= 10 for part in parts):
        return None
    return (int(parts[0]) << 16) + int(parts[1])


def target(text: str) -> str | None:
    """A route target: AS number or address, and a number."""
    admin, sign, number = text.rpartition(":")
    if not sign or not (number.isascii() and number.isdigit()) or len(number) > 10:
        return None
    plain = asn(admin)
    if plain is not None:
        return f"{plain}:{int(number)}"
    return text if admin.count(".") == 3 else None


def rarest(rows: Iterable[tuple[tuple[int, ...], int]]) -> tuple[tuple[int, ...], int]:
    """What several lines must say alike, with a line: where they differ, what the fewest say."""
    said = list(rows)
    times = Counter(value for value, _ in said)
    return min(said, key=lambda row: times[row[0]])


def odd_one(rows: Iterable[tuple[int, int]]) -> tuple[int | tuple[int, ...], int]:
    """A number that several lines must say alike, with a line: all numbers where they differ, and the rarest's line."""
    said = list(rows)
    times = Counter(number for number, _ in said)
    line = min(said, key=lambda row: times[row[0]])[1]
    return (said[0][0] if len(times) == 1 else tuple(sorted(times))), line
