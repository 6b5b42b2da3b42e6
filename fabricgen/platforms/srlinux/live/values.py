"""Values of SR Linux's JSON. Any other type than expected raises NotUnderstoodError, never another error.

A member's name has its module as prefix if it is not the parent's (RFC 7951 section 4), and so have identities; the
names after the colon are unique in everything that is read here, so they are used alone.
"""

import re
from collections.abc import Mapping, Sequence

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, is_link_local, whole

_MODULE = re.compile(r"srl_nokia-[\w-]+:(?=[A-Za-z])", re.ASCII)
_ROUTED_PORT = re.compile(r"((?:ethernet|mgmt)[\w/-]*)\.0", re.ASCII)
DEFAULT = "default"
"""Name of the network instance that every switch has."""


def local(name: str) -> str:
    """Return the name of a member, or an identity, without its module."""
    return _MODULE.sub("", name, count=1) if name.startswith("srl_nokia-") else name


def field(value: object, name: str) -> object:
    """Return a member of an object, with or without a module prefix; None if there is none."""
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no object around {name!r}")
    if name in value:
        found: object = value[name]
        return found
    return next((member for key, member in value.items() if isinstance(key, str) and local(key) == name), None)


def table(value: object, *names: str) -> Mapping[str, object]:
    """Return the object under a path of members; {} if absent, since SR Linux leaves out empty objects."""
    for name in names:
        member = field(value, name)
        value = {} if member is None else member
    if not isinstance(value, Mapping):
        raise NotUnderstoodError(f"no table {'/'.join(names)!r}")
    return value


def rows(value: object, name: str) -> Sequence[object]:
    """Return the list under `name`; () if absent."""
    member = field(value, name)
    if member is None:
        return ()
    if not isinstance(member, list | tuple):
        raise NotUnderstoodError(f"no list {name!r}")
    return member


def word(value: object, name: str, default: str | None = None) -> str:
    """Return the text under `name`, an identity without its module; without a default it must exist."""
    member = field(value, name)
    if member is None and default is not None:
        return default
    if not isinstance(member, str):
        raise NotUnderstoodError(f"no text {name!r}")
    return local(member)


def number(value: object, name: str, default: int | None = None) -> int:
    """Return the whole number under `name`, also as text, as JSON has 64-bit numbers (RFC 7951 section 6.1)."""
    member = field(value, name)
    return default if member is None and default is not None else whole(member, name)


def flag(value: object, name: str, default: bool) -> bool:
    """Return the truth value under `name`."""
    member = field(value, name)
    if member is None:
        return default
    if not isinstance(member, bool):
        raise NotUnderstoodError(f"no truth value {name!r}")
    return member


def interface_name(subinterface: str) -> str:
    """Return the plan's name of a subinterface: a routed port is the port alone, as SR Linux routes on its index 0."""
    match = _ROUTED_PORT.fullmatch(subinterface)
    return match[1] if match else subinterface


def peer_name(text: str) -> str:
    """Return the peer of a session: the port for a link-local address (`fe80::2%ethernet-1/1.0`), else the address."""
    remote, _, zone = text.partition("%")
    canonical = address(remote)
    return interface_name(zone) if zone and is_link_local(remote) else canonical


def vrf_name(shown: str) -> str:
    """Return the plan's VRF of a network instance; "" for the default one."""
    return "" if shown == DEFAULT else shown
