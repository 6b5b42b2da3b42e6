"""NVUE's YAML as a switch prints it: one tree of what is set, ranges expanded, secrets recognised by their keys.

Forms: the examples of `nv config show` and of startup.yaml in NVIDIA's documents (511 NVUE CLI 0bbf81aa, NVUE reference
Config Commands 0defdbf3; 2026-11-22): a list of `set:` and `unset:`, under `nv config show` after a header; interfaces
with something in common share a key, `bond1-3` or `swp1-2,5-6` (511 NVUE CLI, Command Help), and so may numbers. Every
scalar is a text: `on` is no boolean here.
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
"""Encrypted values of NVUE, and hashes, by their prefixes."""
SECRET_NAMES = frozenset({"readonly-community", "readonly-community-v6"})
"""Keys under which names are secrets: communities of SNMP (NVUE reference, SNMP Server)."""

_ITEM = re.compile(r"^- (?:set|unset|header):", re.MULTILINE)
_LEAF = re.compile(r"^(\s*(?:- )?(['\"]?)([^\s'\":]+)\2:)[ ]+(?![{|>]\s*$)\S.*$")
_KEY = re.compile(r"^(\s*)(?:- )?(['\"]?)([^\s'\"]+?)\2:(.*)$")
_NUMBERS = re.compile(r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*")
_MEMBER = re.compile(r"(.*?)(\d{1,5})(?:-(\d{1,5}))?")
MOST = 4096
"""Largest number of names that a key is expanded to; a key for more is left unchanged."""


class TreeLeaf(NamedTuple):
    """One leaf: keys above it, and `key: value`, or the key alone if it has no value."""

    section: Path
    line: str


def tree(text: str) -> Node:
    """All that is set, as one tree. Raises Misread for another text."""
    root: Node = {}
    for item in document(text):
        for verb, part in item.items():
            if verb == "set" and isinstance(part, dict):
                join(root, _apart(part, ()))
            elif verb == "unset" and isinstance(part, dict):
                _take(root, _apart(part, ()))
    return root


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
        items = yaml.load(text[begin.start() :], loader)  # noqa: S506  # the base loaders make texts alone
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as fault:
        raise Misread(f"no YAML: {getattr(fault, 'problem', None) or type(fault).__name__}") from None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Misread("no list of what is set")
    return items


def at(node: Node, *path: str) -> Node:
    """The part of a tree below a path, empty if there is none."""
    for key in path:
        below = node.get(key)
        if not isinstance(below, dict):
            return {}
        node = below
    return node


def leaves(node: Mapping[str, Any], path: Path = ()) -> Iterator[TreeLeaf]:
    """Every leaf in the order of the tree; all secrets look the same. A text of several lines is a leaf per line."""
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
    """Secrets in a tree."""
    for key, value in node.items():
        if isinstance(value, dict):
            yield from value if key in SECRET_NAMES else ()
            yield from secrets_of(value)
        elif SECRET_KEY.fullmatch(key) and value:
            yield str(value)


def masked(text: str) -> str:
    """A configuration or a difference as NVUE prints it, with its secrets masked and nothing else changed."""
    lines: list[str] = []
    # Depths: of the key under which names are secrets, and of those names; -1 outside such a key.
    holder = step = -1
    for line in text.split("\n"):
        key_match = _KEY.match(line)
        depth = len(key_match[1]) if key_match else -1
        if key_match and holder >= 0 and depth > holder:
            step = depth if step < 0 else step
            lines.append(f"{key_match[1]}{REMOVED}:{key_match[4]}" if depth == step else _masked_leaf(line))
            continue
        if key_match:
            holder, step = (depth, -1) if key_match[3] in SECRET_NAMES else (-1, -1)
        lines.append(_masked_leaf(line))
    return "\n".join(lines)


def _masked_leaf(line: str) -> str:
    match = _LEAF.match(line)
    if match is None or not SECRET_KEY.fullmatch(match[3]):
        return CIPHER.sub(REMOVED, line)
    return f"{match[1]} {REMOVED}"


def join(into: Node, part: Node) -> None:
    """Add a tree to another."""
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            join(into[key], value)
        # An empty value does not replace what an earlier item has set.
        elif value or key not in into:
            into[key] = value


def _take(into: Node, part: Node) -> None:
    """Remove what is unset: a leaf of `part` names all below it."""
    for key, value in part.items():
        if isinstance(value, dict) and value and isinstance(into.get(key), dict):
            _take(into[key], value)
        else:
            into.pop(key, None)


def _apart(node: Node, path: Path) -> Node:
    """The same tree with each key for several names expanded."""
    expanded: Node = {}
    for key, value in node.items():
        if value and not isinstance(value, dict):
            expanded[str(key)] = value if isinstance(value, str) else str(value)
            continue
        for name in _names(str(key), path):
            join(expanded, {name: _apart(value or {}, (*path, name))})
    return expanded


def _names(key: str, path: Path) -> tuple[str, ...]:
    """The names that a key covers: itself, numbers, or interfaces."""
    if "-" not in key and "," not in key:
        return (key,)
    if path == ("interface",):
        return _interfaces(key) or (key,)
    return _numbers(key) if _NUMBERS.fullmatch(key) else (key,)


def _numbers(key: str) -> tuple[str, ...]:
    return tuple(str(number) for part in key.split(",") for number in _range(*part.split("-")))[: MOST + 1]


def _interfaces(key: str) -> tuple[str, ...]:
    """Interfaces of `swp1-2,5-6`; () for any other key. A part without a name has that of the part before."""
    names: list[str] = []
    prefix = ""
    for part in key.split(","):
        match = _MEMBER.fullmatch(part)
        if match is None:
            return ()
        prefix = match[1] or prefix
        names += [f"{prefix}{number}" for number in _range(*(end for end in match.groups()[1:] if end))]
    return tuple(names) if len(names) <= MOST else ()


def _range(first: str, last: str = "") -> range:
    """Numbers from one to the other."""
    begin, end = int(first), int(last or first)
    return range(begin, min(end, begin + MOST) + 1)
