"""The commands of NVUE as one tree: of several `set` items the later one counts, and `swp1-4` stands for four ports.

Sources: docs.nvidia.com, Cumulus Linux 5.11, NVUE CLI (startup.yaml: a list of `set` and `unset`; `nv config show`
begins with a header) and NVUE reference; interfaces with the same settings share a key, as `bond1-3`.
"""

import re
from collections.abc import Iterator

from fabricgen.readback.fields import Field

ON = frozenset({"on", "true", "enable", "enabled", "yes"})
OFF = frozenset({"off", "false", "disable", "disabled", "no", ""})
_SPAN = re.compile(r"(.*?)(\d+)-(\d+)")
MOST = 1024
"""Names that one key stands for at most."""


class Tree:
    """Fields of one path, in the order in which they were said; empty where nothing was."""

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[Field, ...] = ()) -> None:
        self.fields = fields

    def __bool__(self) -> bool:
        return bool(self.fields)

    @property
    def line(self) -> int:
        """Line of the last one; 0 where there is none."""
        return self.fields[-1].number if self.fields else 0

    @property
    def value(self) -> str:
        """The scalar, as text."""
        value = self.fields[-1].value if self.fields else None
        return "" if value is None else str(value)

    @property
    def is_on(self) -> bool:
        """Whether it says yes. Another word than yes or no is not understood."""
        value = self.value
        if value not in ON and value not in OFF:
            self.refuse()
        return value in ON

    def take(self, *keys: str) -> "Tree":
        """What is below a path; it counts as read."""
        if len(self.fields) == 1:
            found = self.fields[0].take(*keys)
            return Tree((found,)) if found is not None else NOTHING
        if not self.fields:
            return self
        rows = (field.take(*keys) for field in self.fields)
        return Tree(tuple(field for field in rows if field is not None))

    def text(self, *keys: str) -> str:
        """The scalar at a path."""
        return self.take(*keys).value

    def each(self) -> "Iterator[tuple[str, Tree]]":
        """Fields below by key; each counts as read."""
        if len(self.fields) == 1:
            for child in self.fields[0].each():
                yield child.key, Tree((child,))
            return
        rows: dict[str, list[Field]] = {}
        for field in self.fields:
            for child in field.each():
                rows.setdefault(child.key, []).append(child)
        for key, found in rows.items():
            yield key, Tree(tuple(found))

    def refuse(self) -> None:
        """Take it for not understood."""
        for field in self.fields:
            field.used = False


NOTHING = Tree()


def names(key: str) -> tuple[str, ...]:
    """Names that a key stands for: `swp1-3,5` and `swp1s0-3`."""
    found: list[str] = []
    stem = ""
    for part in key.split(","):
        match = _SPAN.fullmatch(part)
        if match is None:
            found.append(part if not part.isdigit() else f"{stem}{part}")
            stem = part.rstrip("0123456789") or stem
            continue
        stem = match[1] or stem
        first, last = match[2], match[3]
        if len(last) > 5 or int(last) - int(first) > MOST:
            return (key,)
        found += [f"{stem}{number}" for number in range(int(first), int(last) + 1)]
    return tuple(found)


def by_name(tree: Tree) -> dict[str, Tree]:
    """Things below by their names, keys that stand for several taken apart."""
    found: dict[str, tuple[Field, ...]] = {}
    for key, row in tree.each():
        for name in names(key) if "-" in key or "," in key else (key,):
            found[name] = (*found.get(name, ()), *row.fields)
    return {name: Tree(fields) for name, fields in found.items()}


def unread(field: Field, path: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Fields that nobody has read, with their paths."""
    for child in field.below:
        here = (*path, child.key)
        if not child.used:
            yield child.number, " ".join(here)
        else:
            yield from unread(child, here)
