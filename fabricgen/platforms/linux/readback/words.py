"""Words of texts as values: numbers, addresses, VLANs. What is none of them is None, never an exception."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_interface, ip_network

from fabricgen.readback import addresses
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Part, Row, Value

LONGEST_NUMBER = 10
VLANS = range(1, 4095)


def number(text: str) -> int | None:
    """A number of 32 bits or so, without a sign."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


@lru_cache(maxsize=1 << 16)
def host(text: str) -> str:
    """An address in its one spelling; empty if it is none."""
    if plain := addresses.address(text):
        return plain
    try:
        return str(ip_address(text))
    except ValueError:
        return ""


@lru_cache(maxsize=1 << 16)
def interface(text: str) -> str:
    """An address with its length in its one spelling; empty if it is none."""
    if plain := addresses.interface(text):
        return plain
    try:
        return str(ip_interface(text))
    except ValueError:
        return ""


@lru_cache(maxsize=1 << 16)
def prefix(text: str) -> str:
    """A prefix in its one spelling; host bits are cleared, as FRR does. Empty if it is none."""
    if plain := addresses.prefix(text):
        return plain
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        return ""


def is_ipv6(text: str) -> bool:
    """Of which family an address or prefix is."""
    return ":" in text


def is_link_local(text: str) -> bool:
    """Whether it is an IPv6 address of the link alone (RFC 4291, fe80::/10)."""
    return text[:3].lower() == "fe8"


def vlans(words: Iterable[str]) -> tuple[int, ...] | None:
    """VLANs of words such as `10`, `20-30` or `10,20-30`, sorted."""
    found: set[int] = set()
    for word in words:
        for part in word.split(","):
            first, _, last = part.partition("-")
            start, end = number(first), number(last or first)
            if start is None or end is None or start not in VLANS or end not in VLANS:
                return None
            found.update(range(start, end + 1))
    return tuple(sorted(found))


def members_row(members: Mapping[str, int], file: str, line: int) -> Row:
    """A row of members, each with its line; `line` is that of nothing."""
    parts: dict[Part, Lines] = dict(members.items())
    return Row(frozenset(members), file, max(members.values(), default=line), parts or None)


def rare_row(values: Iterable[tuple[Value, int]], file: str) -> Row | None:
    """The same as a row; where both are said each has its line."""
    rows = list(values)
    odd = rare(rows)
    if odd is None:
        return None
    if odd[0] in dict(rows):
        return Row(odd[0], file, odd[1])
    return Row(odd[0], file, odd[1], {str(value): line for value, line in rows if line})


def rare(values: Iterable[tuple[Value, int]]) -> tuple[Value, int] | None:
    """Of values that should all be one, the rarest with its line: so that a single wrong one is seen.

    Where two are as frequent, both are said, since either may be the wrong one.
    """
    rows = list(values)
    if not rows:
        return None
    counts = Counter(value for value, _ in rows)
    least = min(counts.values())
    odd = [value for value, found in counts.items() if found == least]
    line = next(line for value, line in reversed(rows) if value == odd[-1])
    return (odd[0] if len(odd) == 1 else " or ".join(map(str, odd))), line
