"""Manual changes: lines typed on a switch since a push committed there, and those that a push would undo. Pure.

The journal keeps what a push committed last, as the switch itself printed it. So any difference was made by hand or by
another program.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from fabricgen.platforms.base.live.reader import Drift

ID_DIGITS = 8
DOWN = frozenset(
    {
        "shutdown",
        "disable",
        "admin_status down",
        "admin-state disable",
        "state down",
        "link state down",
        "link-down yes",
    }
)
"""How systems write that a port is shut: the last words of such a line.

The last entry: ifupdown2 3.0.0, addons/link.py.
"""

Drifts = Callable[[str, str], Iterable[Drift]]
Heads = Mapping[str, str]
"""Path of a further file → regular expression of the lines that begin a section in it (CommitProfile.heads)."""
REMARKS = ("#", "!")


class HandLine(NamedTuple):
    """One line. file: path of the file that has it; empty for the main file. present: it was added, not removed."""

    device: str
    file: str
    section: tuple[str, ...]
    line: str
    present: bool

    @property
    def place(self) -> str:
        """`interface Ethernet1/1 / shutdown`."""
        return " / ".join(filter(None, (self.file, *map(_plain, self.section), _plain(self.line))))

    @property
    def id(self) -> str:
        """The id by which it may be named: the same for the same line of the same switch."""
        content = "\0".join((self.device, self.place, str(self.present)))
        return sha256(content.encode()).hexdigest()[:ID_DIGITS]

    @property
    def is_shut(self) -> bool:
        """Whether it shuts something down."""
        return self.present and any(f" {_plain(self.line)}".endswith(f" {words}") for words in DOWN)

    def __str__(self) -> str:
        return f"{self.device}: {self.place}"

    def is_named(self, given: str) -> bool:
        """Whether an option names it, by its id or in full."""
        return given == self.id or " ".join(given.split()) == str(self)


def _plain(text: str) -> str:
    return " ".join(text.split())


def parts(text: str, paths: Iterable[str]) -> dict[str, str]:
    """Split the output of `SwitchConnection.running`: a line with a path begins that file; "" is the main file."""
    known_paths, path = frozenset(paths), ""
    lines_of: dict[str, list[str]] = {"": []}
    for line in text.splitlines(keepends=True):
        if line.rstrip("\n") in known_paths:
            path = line.rstrip("\n")
            lines_of[path] = []
        else:
            lines_of[path].append(line)
    return {name: "".join(lines) for name, lines in lines_of.items()}


def typed(
    device: str, then: Mapping[str, str], now: Mapping[str, str], drifts: Drifts, heads: Heads
) -> tuple[HandLine, ...]:
    """Lines that were added and removed since. then, now: path → text; the main file's path is empty."""
    changed = tuple(dict.fromkeys(_typed(device, then, now, drifts, heads)))
    added = {line.place for line in changed if line.present}
    opened = {(line.present, above) for line in changed for above in _above(line)}
    inner = (
        line for line in changed if (line.present, line.place) not in opened
    )  # a section's own line is implied by the lines in it
    return tuple(line for line in inner if line.present or _opposite(line) not in added)


def _above(line: HandLine) -> Iterator[str]:
    """Places of the sections that contain a line."""
    for depth in range(len(line.section)):
        yield line._replace(section=line.section[:depth], line=line.section[depth]).place


def _opposite(changed: HandLine) -> str:
    """Place of the line that replaces it: `shutdown` for `no shutdown`. Both are one manual change."""
    text = _plain(changed.line)
    opposite = text.removeprefix("no ") if text.startswith("no ") else f"no {text}"
    return changed._replace(line=opposite).place


def _typed(
    device: str, then: Mapping[str, str], now: Mapping[str, str], drifts: Drifts, heads: Heads
) -> Iterator[HandLine]:
    if then.get("", "") != now.get("", ""):
        for drift in drifts(then.get("", ""), now.get("", "")):
            yield HandLine(device, "", drift.section, drift.line, drift.present)
    for path in sorted((then.keys() | now.keys()) - {""}):
        had, has = (dict.fromkeys(_lines(text.get(path, ""), heads.get(path))) for text in (then, now))
        yield from (HandLine(device, path, *drift, present=True) for drift in has if drift not in had)
        yield from (HandLine(device, path, *drift, present=False) for drift in had if drift not in has)


def _lines(text: str, head: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Lines of a file with the sections they are in: below a head, or below a line with less indentation."""
    above: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        plain = _plain(line)
        depth = len(line) - len(line.lstrip()) if head is None else int(not re.match(head, plain))
        # Sections that are indented as much or more have ended.
        inside = [section for section in above if section[0] < depth]
        yield tuple(name for _, name in inside), plain
        if not plain.startswith(REMARKS):
            above = [*inside, (depth, plain)]


def undone(
    by_hand: Iterable[HandLine],
    goal: Mapping[str, str],
    now: Mapping[str, str],
    drifts: Drifts,
    heads: Heads,
) -> tuple[HandLine, ...]:
    """Manual lines that a change from the running configuration to a goal removes, or restores."""
    manual = tuple(by_hand)
    if not manual:
        return ()
    differences = {(line.place, line.present) for line in _typed(manual[0].device, goal, now, drifts, heads)}
    return tuple(line for line in manual if (line.place, line.present) in differences)


def unmerged(changed: Iterable[HandLine], merged: str) -> tuple[HandLine, ...]:
    """The added lines that are not among the merged ones, of lines that appeared while others were merged.

    None where a switch shows no line as it was merged: then they cannot be distinguished.
    """
    merged_lines = {_plain(text) for text in merged.splitlines()}
    added = [line for line in changed if line.present]
    others = tuple(line for line in added if _plain(line.line) not in merged_lines)
    return others if len(others) < len(added) else ()
