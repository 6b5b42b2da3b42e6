"""Reading values out of Junos' XML. Whatever has not the expected form is NotUnderstoodError, never another error.

NAPALM's `cli` with encoding `xml` gives the whole `rpc-reply` as text, names without their namespaces (napalm/junos/
junos.py of 5.2.0; PyEZ has ncclient take them away). Where Junos has only words to say, PyEZ gives the words instead.
With encoding `json` NAPALM would give what Python's `str` makes of the parsed answer, which is no JSON; pipes such as
`| display json` are cut to their first two words and go to a switch whose NETCONF need not know them (PyEZ 2.8.2,
Device.cli: pipes cannot be used). So neither is used.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import ip_address, ip_interface, ip_network
from xml.etree import ElementTree as Tree

from fabricgen.platforms.base.live.values import SHOWN, NotUnderstoodError

_DECLARED = ("<!DOCTYPE", "<!ENTITY")
_WHOLE = re.compile(r"\d{1,20}", re.ASCII)


def parsed(shown: object, name: str) -> tuple[Tree.Element, ...]:
    """Return every element of that name, of one routing engine or of several. Raises where there is none."""
    if not isinstance(shown, str):
        raise NotUnderstoodError("no text")
    if not shown.lstrip().startswith("<") or any(word in shown for word in _DECLARED):
        raise NotUnderstoodError(f"no XML: {' '.join(shown.split())[:80] or 'an empty answer'}")
    try:
        # Entities cannot be declared, as is seen to above: nothing grows while it is parsed.
        root = Tree.fromstring(shown)  # noqa: S314
    except (Tree.ParseError, ValueError, RecursionError) as error:
        raise NotUnderstoodError(f"no whole XML: {error}") from None
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    found = tuple(root.iter(name))
    if not found:
        raise NotUnderstoodError(f"no element {name!r}")
    return found


def text(element: Tree.Element, path: str, default: str | None = None) -> str:
    """Text of the element at a path, on one line; without a default it must be there."""
    found = element.find(path)
    if found is None or not (found.text or "").strip():
        if default is None:
            raise NotUnderstoodError(f"no text {path!r} in {element.tag!r}")
        return default
    return " ".join((found.text or "").split())


def has(element: Tree.Element, path: str) -> bool:
    """Whether there is an element at a path."""
    return element.find(path) is not None


def number(element: Tree.Element, path: str, default: int | None = None) -> int:
    """Whole number at a path."""
    found = text(element, path, None if default is None else str(default))
    return whole(found, path)


def whole(found: str, name: str) -> int:
    """A whole number, not below zero (but for a default)."""
    if _WHOLE.fullmatch(found):
        return int(found)
    if found == "-1":
        return -1
    raise NotUnderstoodError(f"no number {name!r}: {found[:20]!r}")


def digits(found: str) -> int:
    """A whole number, or 0 for a text that is none: `Unlimited`, or nothing."""
    return int(found) if _WHOLE.fullmatch(found) else 0


def texts(element: Tree.Element, path: str) -> Iterator[str]:
    """Texts of all elements at a path that have any."""
    return (" ".join(found.text.split()) for found in element.findall(path) if found.text and found.text.strip())


@lru_cache(maxsize=SHOWN)
def address(found: str) -> str:
    """Address in canonical form."""
    try:
        return str(ip_address(found))
    except ValueError:
        raise NotUnderstoodError(f"no address: {found[:60]!r}") from None


def with_length(local: str, destination: str) -> str:
    """An interface's address with the length of its network; Junos writes 10.0.0/24, or nothing for a host's own."""
    host = address(local)
    length = destination.rpartition("/")[2] if "/" in destination else ("128" if ":" in host else "32")
    try:
        return str(ip_interface(f"{host}/{length}"))
    except ValueError:
        raise NotUnderstoodError(f"no length: {destination[:60]!r}") from None


def prefix(found: str) -> str:
    """Network in canonical form."""
    try:
        return str(ip_network(found))
    except ValueError:
        raise NotUnderstoodError(f"no prefix: {found[:60]!r}") from None


def is_link_local(found: str) -> bool:
    """Whether an address, a zone behind it or not, is of one link only (RFC 4291)."""
    try:
        return ip_address(found.partition("%")[0]).is_link_local
    except ValueError:
        return False


def port_of(unit: str) -> str:
    """Name of the plan for a unit: unit 0 is the port itself, as is a port with no unit behind it."""
    return unit.removesuffix(".0")
