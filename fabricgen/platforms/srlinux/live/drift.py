"""Differences between SR Linux's running configuration and the artifact: leaves under their path.

Both are trees, so order does not matter except in the lists of ORDERED; members of any list are compared one by one. A
section is a container by its name, or a list entry by name and keys (`interface ethernet-1/1`); a line is `leaf:
value`, or only the name of an empty container. Module prefixes of names and identities are removed, 64-bit numbers are
numbers, MAC addresses are case-insensitive, and secrets in the same place are equal.

What the switch owns and no artifact contains is no drift: OWNED. Unsure: SR Linux prints what was configured, including
configured defaults (recorded), so a configured default that is not printed counts as missing.
"""

import json
import re
from collections.abc import Iterable, Iterator

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.order import Ordered, by_list, reordered
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.srlinux.document import KEYS
from fabricgen.platforms.srlinux.live.secrets import is_secret
from fabricgen.platforms.srlinux.live.values import local

Path = tuple[str, ...]

ORDERED = frozenset(
    (
        "accounting-method",
        "authentication-method",
        "authorization-method",
        "export-policy",
        "import-policy",
        "search-list",
        "server-list",
        "statement",
    )
)
"""Lists of values, and of entries, that are evaluated in order.

Source: SR Linux 25.3.1, `ordered-by user` in srl_nokia-aaa, -bgp, -dns and -routing-policy. In other lists that the
model keeps in order (roles of a user, AS numbers of dynamic neighbors, keys of SSH) the order has no effect."""

OWNED: tuple[Path, ...] = (("system", "json-rpc-server"), ("system", "tls"))
"""The server that a push connects to, and its certificate: the driver keeps them, and nothing renders them."""

REMARK = "_annotate"
"""An annotation, in a recorded configuration."""
_HIDDEN = "*"
_ADDRESS = re.compile(r"(?:[0-9A-Fa-f]{2}:){5,9}[0-9A-Fa-f]{2}")


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Return lines of the artifact that do not run (present False), and the reverse, each in their order.

    A text that is not JSON is compared line by line.
    """
    ours, theirs = dict.fromkeys(_lines(shown(wanted))), dict.fromkeys(_lines(running))
    kept_owned = tuple(owned for owned in OWNED if not any(entry[: len(owned)] == owned for entry, _ in ours))
    missing = [Drift(*entry, present=False) for entry in ours if entry not in theirs]
    added = [
        Drift(section, line, present=True)
        for section, line in theirs
        if (section, line) not in ours and not any(section[: len(owned)] == owned for owned in kept_owned)
    ]
    return (*missing, *added, *reordered(_ordered(ours), _ordered(theirs)))


def _ordered(lines: Iterable[tuple[Path, str]]) -> dict[Ordered, list[str]]:
    """Return the members of each list whose order matters."""
    return by_list(member for section, line in lines for member in _members(section, line))


def _members(section: Path, line: str) -> Iterator[tuple[Ordered, str]]:
    name, is_value, value = line.partition(": ")
    if is_value and name in ORDERED:
        yield Ordered(section, name), value
    for depth, part in enumerate((*section, *(() if is_value else (line,)))):
        entry, _, keys = part.partition(" ")
        if keys and entry in ORDERED:
            yield Ordered(section[:depth], entry), keys


def _lines(text: str) -> Iterator[tuple[Path, str]]:
    try:
        tree = json.loads(text)
        leaves = tuple(_leaves((), "", tree)) if isinstance(tree, dict) else None
    except (ValueError, RecursionError):
        leaves = None
    yield from leaves if leaves is not None else (((), line.strip()) for line in text.splitlines() if line.strip())


def _leaves(section: Path, parent: str, tree: dict[str, object]) -> Iterator[tuple[Path, str]]:
    for key, value in tree.items():
        name = local(key)
        if name == REMARK:
            continue
        if isinstance(value, dict):
            if value:
                yield from _leaves((*section, name), name, value)
            else:
                yield section, name
        elif isinstance(value, list):
            yield from _list(section, parent, name, value)
        else:
            yield section, f"{name}: {_spelled(parent, name, value)}"


def _list(section: Path, parent: str, name: str, values: list[object]) -> Iterator[tuple[Path, str]]:
    for value in values:
        if isinstance(value, dict):
            keys, rest = _entry(name, value)
            entry_name = " ".join((name, *keys))
            if rest:
                yield from _leaves((*section, entry_name), name, rest)
            else:
                yield section, entry_name
        else:
            yield section, f"{name}: {_spelled(parent, name, value)}"


def _entry(name: str, value: dict[str, object]) -> tuple[tuple[str, ...], dict[str, object]]:
    """Return the keys of an entry, and its other members."""
    members = {local(key): member_value for key, member_value in value.items()}
    for names in KEYS.get(name, ()):
        if all(key in members for key in names):
            keys = tuple(_spelled("", key, members[key]) for key in names)
            return keys, {key: member_value for key, member_value in value.items() if local(key) not in names}
    return (), value


def _spelled(parent: str, name: str, value: object) -> str:
    """Return one form for values with the same meaning."""
    if is_secret(parent, name, value):
        return _HIDDEN
    if isinstance(value, bool):
        return "true" if value else "false"
    text = local(value) if isinstance(value, str) else str(value)
    return text.lower() if _ADDRESS.fullmatch(text) else text
