"""Reading values out of SR Linux's JSON. Whatever has not the expected type is NotUnderstood, never another error.

A member's name has its module in front where that is another one than its parent's (RFC 7951 section 4), and values
that are identities have theirs; the names behind the colon are unique in what is read here, and serve alone.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_interface

from fabricgen.platforms.base.live.values import SHOWN, NotUnderstoodError

_MODULE = re.compile(r"srl_nokia-[\w-]+:(?=[A-Za-z])", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,20}", re.ASCII)
_ROUTED_PORT = re.compile(r"((?:ethernet|mgmt)[\w/-]*)\.0", re.ASCII)
DEFAULT = "default"
"""Name of the network instance that every switch has."""


def local(name: str) -> str:
    """Name of a member, or an identity, without its module."""
    return _MODULE.sub("", name, count=1) if name.startswith("srl_nokia-") else name


def field(value: object, name: str) -> object:
    """Member of an object, with a module in front of its name or without; None where there is none."""
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no object around {name!r}")
    if name in value:
        found: object = value[name]
        return found
    return next((held for key, held in value.items() if isinstance(key, str) and local(key) == name), None)


def table(value: object, *names: str) -> Mapping[str, object]:
    """Object under a path of members; one that is absent is empty, as SR Linux leaves out what holds nothing."""
    for name in names:
        found = field(value, name)
        value = {} if found is None else found
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no table {'/'.join(names)!r}")
    return value


def rows(value: object, name: str) -> Sequence[object]:
    """List under `name`; one that is absent is empty."""
    found = field(value, name)
    if found is None:
        return ()
    if not isinstance(found, list | tuple):
        raise NotUnderstoodError(f"no list {name!r}")
    return found


def word(value: object, name: str, default: str | None = None) -> str:
    """Text under `name`, an identity without its module; without a default it must be there."""
    found = field(value, name)
    if found is None and default is not None:
        return default
    if not isinstance(found, str):
        raise NotUnderstoodError(f"no text {name!r}")
    return local(found)


def number(value: object, name: str, default: int | None = None) -> int:
    """Whole number under `name`, also as text, which JSON has of 64 bits (RFC 7951 section 6.1)."""
    found = field(value, name)
    if found is None and default is not None:
        return default
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    if isinstance(found, str) and _WHOLE.fullmatch(found):
        return int(found)
    raise NotUnderstoodError(f"no number {name!r}")


def flag(value: object, name: str, default: bool) -> bool:
    """Truth value under `name`."""
    found = field(value, name)
    if found is None:
        return default
    if not isinstance(found, bool):
        raise NotUnderstoodError(f"no truth value {name!r}")
    return found


@lru_cache(maxsize=SHOWN)
def address(text: str) -> str:
    """Canonical address without a zone; of an IPv4 address in an IPv6 one, the former."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        raise NotUnderstoodError("an address that is none") from None
    return str(getattr(found, "ipv4_mapped", None) or found)


def with_length(text: str) -> str:
    """Canonical address with its length."""
    try:
        return str(ip_interface(text))
    except ValueError:
        raise NotUnderstoodError("an interface address that is none") from None


def is_link_local(text: str) -> bool:
    """Whether an IPv6 address is of one link only (RFC 4291 section 2.5.6)."""
    found = ip_address(address(text))
    return found.version == 6 and found.is_link_local


def interface_name(subinterface: str) -> str:
    """What the plan calls a subinterface: a routed port by the port alone, as SR Linux routes on its index 0."""
    found = _ROUTED_PORT.fullmatch(subinterface)
    return found[1] if found else subinterface


def peer_name(text: str) -> str:
    """What a session is known by: the port behind which a link-local address is (`fe80::2%ethernet-1/1.0`), else it."""
    far, _, zone = text.partition("%")
    canonical = address(far)
    return interface_name(zone) if zone and is_link_local(far) else canonical


def vrf_name(shown: str) -> str:
    """VRF of the plan for a network instance; the default one is ""."""
    return "" if shown == DEFAULT else shown
