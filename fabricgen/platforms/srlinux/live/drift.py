"""Where SR Linux's running configuration is not the artifact: leaves under the path that leads to them.

Both are trees, so order says nothing but that of the lists in ORDERED; members of any list are compared one by one. A
section is a container by its name, or an entry of a list by name and keys (`interface ethernet-1/1`); a line is
`leaf: value`, or the name alone of a container that is there and empty. Modules in front of names and identities are
left away, numbers of 64 bits are numbers, MAC addresses have no case, and a secret equals any other in the same place.

What the box owns and no artifact says is no drift: OWNED. Unsure: SR Linux shows what it was told, defaults too where
they were told (recorded), and so a told default that is not shown counts as missing.
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
"""Lists of values, and of entries, that are gone through in their order.

Source: SR Linux 25.3.1, `ordered-by user` in srl_nokia-aaa, -bgp, -dns and -routing-policy. Of other lists that the
model keeps in order (roles of a user, AS numbers of dynamic neighbors, keys of SSH) any member does alone.
"""

OWNED: tuple[Path, ...] = (("system", "json-rpc-server"), ("system", "tls"))
"""How a push reaches the switch and what it shows for a certificate: kept by the driver, rendered by nobody."""

REMARK = "_annotate"
"""A remark, in a recorded configuration."""
_HIDDEN = "*"
_ADDRESS = re.compile(r"(?:[0-9A-Fa-f]{2}:){5,9}[0-9A-Fa-f]{2}")


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Lines of the artifact that the switch has not (present False) and the other way round, in the order of each.

    A text that is no JSON is compared line by line.
    """
    ours, theirs = dict.fromkeys(_lines(shown(wanted))), dict.fromkeys(_lines(running))
    kept = tuple(owned for owned in OWNED if not any(place[: len(owned)] == owned for place, _ in ours))
    missing = [Drift(*place, present=False) for place in ours if place not in theirs]
    added = [
        Drift(section, line, present=True)
        for section, line in theirs
        if (section, line) not in ours and not any(section[: len(owned)] == owned for owned in kept)
    ]
    return (*missing, *added, *reordered(_ordered(ours), _ordered(theirs)))


def _ordered(lines: Iterable[tuple[Path, str]]) -> dict[Ordered, list[str]]:
    """Members of each list whose order counts."""
    return by_list(one for section, line in lines for one in _members(section, line))


def _members(section: Path, line: str) -> Iterator[tuple[Ordered, str]]:
    name, is_value, value = line.partition(": ")
    if is_value and name in ORDERED:
        yield Ordered(section, name), value
    for at, part in enumerate((*section, *(() if is_value else (line,)))):
        entry, _, keys = part.partition(" ")
        if keys and entry in ORDERED:
            yield Ordered(section[:at], entry), keys


def _lines(text: str) -> Iterator[tuple[Path, str]]:
    try:
        tree = json.loads(text)
        found = tuple(_leaves((), "", tree)) if isinstance(tree, dict) else None
    except (ValueError, RecursionError):
        found = None
    yield from found if found is not None else (((), line.strip()) for line in text.splitlines() if line.strip())


def _leaves(section: Path, above: str, tree: dict[str, object]) -> Iterator[tuple[Path, str]]:
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
            yield from _list(section, above, name, value)
        else:
            yield section, f"{name}: {_spelled(above, name, value)}"


def _list(section: Path, above: str, name: str, values: list[object]) -> Iterator[tuple[Path, str]]:
    for value in values:
        if isinstance(value, dict):
            keys, rest = _entry(name, value)
            here = " ".join((name, *keys))
            if rest:
                yield from _leaves((*section, here), name, rest)
            else:
                yield section, here
        else:
            yield section, f"{name}: {_spelled(above, name, value)}"


def _entry(name: str, value: dict[str, object]) -> tuple[tuple[str, ...], dict[str, object]]:
    """Keys of an entry, and its other members."""
    members = {local(key): held for key, held in value.items()}
    for names in KEYS.get(name, ()):
        if all(key in members for key in names):
            keys = tuple(_spelled("", key, members[key]) for key in names)
            return keys, {key: held for key, held in value.items() if local(key) not in names}
    return (), value


def _spelled(above: str, name: str, value: object) -> str:
    """One spelling for what means the same."""
    if is_secret(above, name, value):
        return _HIDDEN
    if isinstance(value, bool):
        return "true" if value else "false"
    text = local(value) if isinstance(value, str) else str(value)
    return text.lower() if _ADDRESS.fullmatch(text) else text
