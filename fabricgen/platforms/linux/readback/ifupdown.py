"""The file of ifupdown2: stanzas of interfaces with their attributes and lines.

Sources: interfaces(5) and ifupdown-addons-interfaces(5) of ifupdown2. `auto` names what comes up at boot, `allow-...`
what comes up when its class is asked for (ifupdown/networkinterfaces.py, process_allow); an interface may have several
stanzas; a backslash at the end of a line continues it; `_` in an attribute is `-`. Of an attribute that is said twice
most modules take the first value (ifupdown/iface.py, get_attr_value_first); a second gateway of one family is an error
(addons/address.py, syntax_check_multiple_gateway).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricgen.readback.rows import Reading, TextLine

KINDS = frozenset({(), *(("inet", kind) for kind in ("loopback", "static", "manual")), ("inet6", "static")})
"""Where addresses come from: what is said below. By DHCP it would not count (addons/address.py, addr_method)."""

RANGE = "["
"""In a name that stands for several ports (ifupdown/utils.py, parse_iface_range); no file of a plan has one."""
COMMANDS = ("pre-up",)
"""Attributes whose value is a command of several lines: it keeps them, so that each of its parts has its place."""
OTHERS = ("source", "source-directory", "mapping", "template", "vlan")
"""Words that begin what is no stanza of an interface, and is not read."""


@dataclass(slots=True)
class Stanza:
    """An interface. attributes: name → values with their lines; `used`: names of those that have a meaning."""

    name: str
    line: int
    attributes: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def value(self, name: str, default: str = "") -> str:
        """The one value of an attribute, which counts as read; of several that differ the last, and none is read."""
        rows = self.attributes.get(name)
        if not rows:
            return default
        if all(row[0] == rows[0][0] for row in rows):
            self.used.add(name)
        return rows[-1][0]

    def at(self, name: str) -> int:
        """The line of an attribute; that of the interface where it is not there."""
        rows = self.attributes.get(name)
        return rows[-1][1] if rows else self.line

    def values(self, name: str) -> list[tuple[str, int]]:
        """All values of an attribute, which counts as read."""
        self.used.add(name)
        return self.attributes.get(name, [])


@dataclass(slots=True)
class Links:
    """Interfaces by name; `auto` has those that come up."""

    file: str
    stanzas: dict[str, Stanza] = field(default_factory=dict)
    auto: dict[str, int] = field(default_factory=dict)

    def up(self, name: str) -> bool:
        """Whether ifupdown2 brings an interface up (process_auto: `all` stands for every one)."""
        return name in self.auto or "all" in self.auto


def links(text: str, file: str, reading: Reading) -> Links:
    """Read the file. Lines outside a stanza that are not understood go into the reading."""
    found = Links(file)
    here: Stanza | None = None
    for line, whole in _joined(text):
        words = whole.split(None, 1)
        first, rest = words[0], words[1].strip() if len(words) > 1 else ""
        if RANGE in rest and first in ("auto", "iface"):
            here = None
            reading.unread.append(TextLine(file, line, whole.replace("\n", " ").strip()))
        elif first == "auto":
            found.auto.update((name, line) for name in rest.split())
            here = None
        elif first == "iface" and rest:
            name, *kind = rest.split()
            here = found.stanzas.setdefault(name, Stanza(name, line))
            if tuple(kind) not in KINDS:
                here.attributes.setdefault(" ".join(kind), []).append(("", line))
        elif here is not None and first not in OTHERS and not first.startswith("allow-"):
            value = rest if first in COMMANDS else rest.replace("\n", " ")
            here.attributes.setdefault(first.replace("_", "-"), []).append((value, line))
        else:
            here = None
            reading.unread.append(TextLine(file, line, whole.replace("\n", " ").strip()))
    return found


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Lines with a number; those that are continued are one, whose parts stand in lines of their own."""
    begins, parts = 0, list[str]()
    for number, raw in enumerate(text.split("\n"), 1):
        stripped = raw.strip()
        if not parts and (not stripped or stripped[0] == "#"):
            continue
        begins = begins or number
        if stripped.endswith("\\"):
            parts.append(stripped[:-1])
            continue
        whole = "\n".join((*parts, stripped)) if parts else stripped
        if whole.strip():
            yield begins, whole
        begins, parts = 0, []
    if any(part.strip() for part in parts):
        yield begins, "\n".join(parts)


def put_unused(found: Links, reading: Reading) -> None:
    """Attributes that nobody has read."""
    for stanza in found.stanzas.values():
        for name, rows in stanza.attributes.items():
            if name not in stanza.used:
                reading.unread += [
                    TextLine(found.file, line, f"{name} {value}".replace("\n", " ").strip()) for value, line in rows
                ]
