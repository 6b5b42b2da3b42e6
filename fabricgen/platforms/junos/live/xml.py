"""Values of Junos' XML. Any other form than expected raises NotUnderstoodError, never another error.

NAPALM's `cli` with encoding `xml` returns the whole `rpc-reply` as text, names without namespaces
(napalm/junos/junos.py of 5.2.0; PyEZ has ncclient remove them). If Junos replies with plain text, PyEZ returns that
text. With encoding `json` NAPALM would return Python's `str` of the parsed output, which is no JSON; pipes such as `|
display json` are cut to their first two words and go to a switch whose NETCONF need not support them (PyEZ 2.8.2,
Device.cli: pipes cannot be used). So neither is used.
"""

import re
from collections.abc import Iterator
from ipaddress import ip_address
from xml.etree import ElementTree as Tree

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, whole, with_length

_DECLARED = ("<!DOCTYPE", "<!ENTITY")
_WHOLE = re.compile(r"\d{1,20}", re.ASCII)


def parsed(shown: object, name: str) -> tuple[Tree.Element, ...]:
    """Return all elements of a name, of one or several routing engines. Raises NotUnderstoodError if there is none."""
    if not isinstance(shown, str):
        raise NotUnderstoodError("no text")
    if not shown.lstrip().startswith("<") or any(word in shown for word in _DECLARED):
        raise NotUnderstoodError(f"no XML: {' '.join(shown.split())[:80] or 'an empty answer'}")
    try:
        # Declarations of entities are refused above, so the text cannot expand while it is parsed.
        root = Tree.fromstring(shown)  # noqa: S314
    except (Tree.ParseError, ValueError, RecursionError) as error:
        raise NotUnderstoodError(f"no whole XML: {error}") from None
    # Names are compared without namespaces, in case the text still has them.
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    elements = tuple(root.iter(name))
    if not elements:
        raise NotUnderstoodError(f"no element {name!r}")
    return elements


def text(element: Tree.Element, path: str, default: str | None = None) -> str:
    """Return the text of the element at a path, on one line; without a default it must exist."""
    child = element.find(path)
    if child is None or not (child.text or "").strip():
        if default is None:
            raise NotUnderstoodError(f"no text {path!r} in {element.tag!r}")
        return default
    return " ".join((child.text or "").split())


def has(element: Tree.Element, path: str) -> bool:
    """Return whether there is an element at a path."""
    return element.find(path) is not None


def number(element: Tree.Element, path: str, default: int | None = None) -> int:
    """Return the whole number at a path."""
    value = text(element, path, None if default is None else str(default))
    return whole(value, path)


def digits(value: str) -> int:
    """Return a whole number, or 0 for any other text, such as `Unlimited` or none."""
    return int(value) if _WHOLE.fullmatch(value) else 0


def texts(element: Tree.Element, path: str) -> Iterator[str]:
    """Return the texts of all elements at a path that have any."""
    return (" ".join(child.text.split()) for child in element.findall(path) if child.text and child.text.strip())


def interface_address(local: str, destination: str) -> str:
    """Return an interface's address with its prefix length; Junos prints 10.0.0/24, or nothing for a host route."""
    host = address(local)
    length = destination.rpartition("/")[2] if "/" in destination else ("128" if ":" in host else "32")
    return with_length(f"{host}/{length}")


def is_link_local(value: str) -> bool:
    """Return whether an address, with or without a zone, is link-local (RFC 3927, RFC 4291)."""
    try:
        return ip_address(value.partition("%")[0]).is_link_local
    except ValueError:
        return False


def port_of(unit: str) -> str:
    """Return the plan's name of a unit: unit 0 is the port itself, as is a port without a unit."""
    return unit.removesuffix(".0")
