"""NVUE's YAML as it is read from a switch: one tree of what is set, ranges taken apart, secrets known by their keys.

Forms: the examples of `nv config show` and of startup.yaml in NVIDIA's documents (511 NVUE CLI 0bbf81aa, NVUE
reference Config Commands 0defdbf3; 2026-11-22): a list of `set:` and `unset:`, under `nv config show` behind a header;
interfaces with something in common share a key, `bond1-3` or `swp1-2,5-6` (511 NVUE CLI, Command Help), and so may
numbers. Every scalar is a text: `on` is no boolean here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fabricgen.platforms.linux.live.decode import Misread

Path = tuple[str, ...]
Node = dict[str, Any]
"""Key → a Node, or the text of a leaf."""

HIDDEN = "<secret>"
REMOVED = "<removed>"
"""NAPALM's word in sanitized configurations."""
SECRET_KEY = re.compile(r"(?:\S*-)?(?:password|secret|passphrase|md5-key|cak)|auth-(?:md5|sha)|encryption-(?:aes|des)")
"""Leaves that hold a secret, or a hash of one: of users, BGP peers, TACACS+, RADIUS, LDAP, OSPF, SNMP, 802.1X (NVUE
reference, pages of these; 511 NVUE CLI, Encrypted Passwords)."""
CIPHER = re.compile(r"\$(?:nvsec|y|[156]|2[aby])\$[^\s'\"]+")
"""What NVUE enciphered, and hashes, by how they begin."""
SECRET_NAMES = frozenset({"readonly-community", "readonly-community-v6"})
"""Keys under which names are secrets: communities of SNMP (NVUE reference, SNMP Server)."""

_ITEM = re.compile(r"^- (?:set|unset|header):", re.MULTILINE)
_LEAF = re.compile(r"^(\s*(?:- )?(['\"]?)([^\s'\":]+)\2:)[ ]+(?![{|>]\s*$)\S.*$")
_KEY = re.compile(r"^(\s*)(?:- )?(['\"]?)([^\s'\"]+?)\2:(.*)$")
_NUMBERS = re.compile(r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*")
_MEMBER = re.compile(r"(.*?)(\d{1,5})(?:-(\d{1,5}))?")
MOST = 4096
"""Names that a key may stand for; one of more is left as it is."""


class TreeLeaf(NamedTuple):
    """One leaf: keys above it, and `key: value`, or the key alone where it has no value."""

    section: Path
    line: str


def tree(text: str) -> Node:
    """All that is set, as one tree. Raises Misread for what is no such file."""
    found: Node = {}
    for item in document(text):
        for verb, part in item.items():
            if verb == "set" and isinstance(part, dict):
                _join(found, _apart(part, ()))
            elif verb == "unset" and isinstance(part, dict):
                _take(found, _apart(part, ()))
    return found


def document(text: str) -> list[Node]:
    """Items of a file or of `nv config show`. Raises Misread."""
    import yaml  # noqa: PLC0415  # readers are imported by the help of verbs, which is to be quick

    begin = _ITEM.search(text)
    if begin is None:
        if text.strip() in ("[]", "- {}"):
            return []
        raise Misread("no list of what is set")
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        found = yaml.load(text[begin.start() :], loader)  # noqa: S506  # the base loaders make texts alone
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as fault:
        raise Misread(f"no YAML: {getattr(fault, 'problem', None) or type(fault).__name__}") from None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise Misread("no list of what is set")
    return found


def at(node: Node, *path: str) -> Node:
    """The part of a tree below a path, empty where there is none."""
    for key in path:
        below = node.get(key)
        if not isinstance(below, dict):
            return {}
        node = below
    return node


def leaves(node: Mapping[str, Any], path: Path = ()) -> Iterator[TreeLeaf]:
    """Every leaf in the order of the tree; secrets are all alike. A text of several lines is so many leaves."""
    for key, value in node.items():
        if isinstance(value, dict):
            if value:
                yield from leaves({HIDDEN: {}} if key in SECRET_NAMES else value, (*path, key))
            else:
                yield TreeLeaf(path, key)
        elif SECRET_KEY.fullmatch(key):
            yield TreeLeaf(path, f"{key}: {HIDDEN}")
        elif "\n" in str(value):
            yield from (TreeLeaf((*path, key), line.rstrip()) for line in str(value).splitlines() if line.strip())
        else:
            yield TreeLeaf(path, f"{key}: {value}")


def secrets_of(node: Mapping[str, Any]) -> Iterator[str]:
    """Secrets that a tree holds."""
    for key, value in node.items():
        if isinstance(value, dict):
            yield from value if key in SECRET_NAMES else ()
            yield from secrets_of(value)
        elif SECRET_KEY.fullmatch(key) and value:
            yield str(value)


def masked(text: str) -> str:
    """A configuration or a difference as NVUE prints it, without its secrets; the rest is as it was."""
    lines: list[str] = []
    holder = step = -1
    for line in text.split("\n"):
        found = _KEY.match(line)
        depth = len(found[1]) if found else -1
        if found and holder >= 0 and depth > holder:
            step = depth if step < 0 else step
            lines.append(f"{found[1]}{REMOVED}:{found[4]}" if depth == step else _masked_leaf(line))
            continue
        if found:
            holder, step = (depth, -1) if found[3] in SECRET_NAMES else (-1, -1)
        lines.append(_masked_leaf(line))
    return "\n".join(lines)


def _masked_leaf(line: str) -> str:
    found = _LEAF.match(line)
    if found is None or not SECRET_KEY.fullmatch(found[3]):
        return CIPHER.sub(REMOVED, line)
    return f"{found[1]} {REMOVED}"


def _join(into: Node, part: Node) -> None:
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _join(into[key], value)
        elif value or key not in into:
            into[key] = value


def _take(found: Node, part: Node) -> None:
    """Take away what is unset: a leaf of `part` names all below it."""
    for key, value in part.items():
        if isinstance(value, dict) and value and isinstance(found.get(key), dict):
            _take(found[key], value)
        else:
            found.pop(key, None)


def _apart(node: Node, path: Path) -> Node:
    """The same with each key that stands for several taken apart."""
    found: Node = {}
    for key, value in node.items():
        if value and not isinstance(value, dict):
            found[str(key)] = value if isinstance(value, str) else str(value)
            continue
        for name in _names(str(key), path):
            _join(found, {name: _apart(value or {}, (*path, name))})
    return found


def _names(key: str, path: Path) -> tuple[str, ...]:
    """What a key stands for: itself, numbers, or interfaces."""
    if "-" not in key and "," not in key:
        return (key,)
    if path == ("interface",):
        return _interfaces(key) or (key,)
    return _numbers(key) if _NUMBERS.fullmatch(key) else (key,)


def _numbers(key: str) -> tuple[str, ...]:
    return tuple(str(number) for part in key.split(",") for number in _range(*part.split("-")))[: MOST + 1]


def _interfaces(key: str) -> tuple[str, ...]:
    """Interfaces of `swp1-2,5-6`; nothing for what is no such key. A part without a name has that of the one before."""
    found: list[str] = []
    prefix = ""
    for part in key.split(","):
        match = _MEMBER.fullmatch(part)
        if match is None:
            return ()
        prefix = match[1] or prefix
        found += [f"{prefix}{number}" for number in _range(*(end for end in match.groups()[1:] if end))]
    return tuple(found) if len(found) <= MOST else ()


def _range(first: str, last: str = "") -> range:
    """Numbers from one to the other."""
    begin, end = int(first), int(last or first)
    return range(begin, min(end, begin + MOST) + 1)
