"""Typed access to values of switches' outputs: a value of another type raises NotUnderstoodError and nothing else."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_interface, ip_network

_MAC = re.compile(r"(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}|(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", re.IGNORECASE)
_DOTTED_ASN = re.compile(r"(\d{1,5})\.(\d{1,5})", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,20}", re.ASCII)


class NotUnderstoodError(ValueError):
    """An output does not have the documented form. The text says what was looked for."""


def whole_text(value: object) -> str:
    """An output that is text."""
    if not isinstance(value, str):
        raise NotUnderstoodError("no text")
    return value


def table(value: object, name: str, *, optional: bool = False) -> Mapping[str, object]:
    """Object under `name`; an optional one that is absent or null is empty."""
    member = _field(value, name)
    if member is None and optional:
        return {}
    if not isinstance(member, Mapping):
        raise NotUnderstoodError(f"no table {name!r}")
    return member


def rows(value: object, name: str, *, optional: bool = False) -> Sequence[object]:
    """List under `name`; an optional one that is absent or null is empty."""
    member = _field(value, name)
    if member is None and optional:
        return ()
    if not isinstance(member, list | tuple):
        raise NotUnderstoodError(f"no list {name!r}")
    return member


def word(value: object, name: str, default: str | None = None) -> str:
    """Text under `name`; without a default it must be there."""
    member = _field(value, name)
    if member is None and default is not None:
        return default
    if not isinstance(member, str):
        raise NotUnderstoodError(f"no text {name!r}")
    return member


def number(value: object, name: str, default: int | None = None) -> int:
    """Whole number under `name`, also where a switch writes it as text."""
    member = _field(value, name)
    if member is None and default is not None:
        return default
    return whole(member, name)


def whole(value: object, name: str) -> int:
    """Value as a whole number; `name` is for the error."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    raise NotUnderstoodError(f"no number {name!r}: {value!r:.40}")


def count(value: object, name: str) -> int:
    """Value as a number of packets or frames; a negative one is no count."""
    amount = whole(value, name)
    if amount < 0:
        raise NotUnderstoodError(f"no count {name!r}")
    return amount


def flag(value: object, name: str, default: bool | None = None) -> bool:
    """Truth value under `name`."""
    member = _field(value, name)
    if member is None and default is not None:
        return default
    if not isinstance(member, bool):
        raise NotUnderstoodError(f"no truth value {name!r}")
    return member


def asn(value: object, name: str, default: int | None = None) -> int:
    """AS number under `name`; asdot too (`65001.1028`), which `bgp asn notation asdot` causes (NAPALM #1759)."""
    member = _field(value, name)
    dotted = _DOTTED_ASN.fullmatch(member) if isinstance(member, str) else None
    if dotted:
        return int(dotted[1]) * 65536 + int(dotted[2])
    return number(value, name, default)


SHOWN = 4096
"""Cache size: each of ten thousand routes has the same sixty-four next hops."""


@lru_cache(maxsize=SHOWN)
def address(text: str) -> str:
    """Canonical address; a zone (`%eth1`) is dropped, and an IPv4-mapped IPv6 address becomes IPv4."""
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        raise NotUnderstoodError(f"no address: {text[:60]!r}") from None
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


@lru_cache(maxsize=SHOWN)
def is_link_local(text: str) -> bool:
    """Whether an IPv6 address is link-local (RFC 4291 section 2.5.6)."""
    parsed = ip_address(address(text))
    return parsed.version == 6 and parsed.is_link_local


def prefix(text: str) -> str:
    """Canonical prefix."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise NotUnderstoodError(f"no prefix: {text[:60]!r}") from None


def with_length(text: str) -> str:
    """Canonical address with its prefix length."""
    try:
        return str(ip_interface(text))
    except ValueError:
        raise NotUnderstoodError(f"no address of an interface: {text[:60]!r}") from None


def is_mac(text: str) -> bool:
    """Whether a text is a MAC address, in groups of two digits or of four."""
    return _MAC.fullmatch(text) is not None


def mac(text: str) -> str:
    """MAC address with colons, also from groups of four digits."""
    digits = text.replace(".", "").replace(":", "").lower()
    return ":".join(digits[start : start + 2] for start in range(0, 12, 2))


def _field(value: object, name: str) -> object:
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no object around {name!r}")
    return value.get(name)
