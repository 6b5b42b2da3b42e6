"""Addresses in their one spelling, as `ipaddress` writes them and in a tenth of its time; None for other text."""

from functools import lru_cache
from ipaddress import ip_address
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton

BITS: dict[int, int] = {AF_INET: 32, AF_INET6: 128}
KEPT = 1 << 12
"""Texts of each kind that are remembered: those of one switch, where text and plan have the same."""


def _packed(text: str) -> tuple[int, bytes] | None:
    family = AF_INET6 if ":" in text else AF_INET
    try:
        return family, inet_pton(family, text)
    except (OSError, ValueError):
        return None


def _spelled(family: int, octets: bytes) -> str:
    text = inet_ntop(family, octets)
    return text if family == AF_INET or "." not in text else str(ip_address(octets))


@lru_cache(maxsize=KEPT)
def address(text: str) -> str | None:
    """An address."""
    found = _packed(text)
    return None if found is None else _spelled(*found)


def host(text: str) -> str:
    """An address in its one spelling; another text, such as a name, as it is."""
    return address(text) or text


@lru_cache(maxsize=KEPT)
def interface(text: str) -> str | None:
    """An address with the length of its subnet."""
    plain, sign, length = text.partition("/")
    found = _packed(plain)
    if found is None or not sign or not _is_length(length, found[0]):
        return None
    return f"{_spelled(*found)}/{int(length)}"


def slashed(text: str, mask: str) -> str | None:
    """An IPv4 address with the length that a mask with dots says; None where its ones are not all in front."""
    found = _packed(mask)
    if found is None or found[0] != AF_INET:
        return None
    zeros = ~int.from_bytes(found[1]) & 0xFFFFFFFF
    return None if zeros & (zeros + 1) else f"{text}/{32 - zeros.bit_length()}"


def prefix(text: str) -> str | None:
    """A prefix; bits behind its length are taken off."""
    plain, sign, length = text.partition("/")
    found = _packed(plain)
    if found is None or not sign or not _is_length(length, found[0]):
        return None
    family, octets = found
    bits = int(length)
    rest = BITS[family] - bits
    number = int.from_bytes(octets)
    first = number >> rest << rest
    if first != number:
        octets = first.to_bytes(len(octets))
    return f"{_spelled(family, octets)}/{bits}"


def _is_length(text: str, family: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= BITS[family]


def family_of(text: str) -> str:
    """The family of an address or a prefix."""
    return "ipv6" if ":" in text else "ipv4"
