"""Lines that somebody has typed on a switch since a push committed there, and those that a push would undo. Pure.

What a push committed last is kept in its journal as the switch itself printed it then, so that nothing but a hand, or
another program, makes it differ.
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

Of the last one: ifupdown2 3.0.0, addons/link.py.
"""

Drifts = Callable[[str, str], Iterable[Drift]]
Heads = Mapping[str, str]
"""Path of a file beside the main one → regular expression of lines there that begin a section (CommitProfile.heads)."""
REMARKS = ("#", "!")


class HandLine(NamedTuple):
    """One line. file: path of the file beside the main one; empty for that. present: it was added, and not removed."""

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
        """By which it may be named: the same for the same line of the same switch."""
        said = "\0".join((self.device, self.place, str(self.present)))
        return sha256(said.encode()).hexdigest()[:ID_DIGITS]

    @property
    def is_shut(self) -> bool:
        """Whether it shuts something down."""
        return self.present and any(f" {_plain(self.line)}".endswith(f" {words}") for words in DOWN)

    def __str__(self) -> str:
        return f"{self.device}: {self.place}"

    def is_named(self, given: str) -> bool:
        """Whether somebody has named it, by its id or in words."""
        return given == self.id or " ".join(given.split()) == str(self)


def _plain(text: str) -> str:
    return " ".join(text.split())


def parts(text: str, paths: Iterable[str]) -> dict[str, str]:
    """The main file and those beside it, of what `Box.running` gives: a line with a path begins the file there."""
    known, name = frozenset(paths), ""
    found: dict[str, list[str]] = {"": []}
    for line in text.splitlines(keepends=True):
        if line.rstrip("\n") in known:
            name = line.rstrip("\n")
            found[name] = []
        else:
            found[name].append(line)
    return {path: "".join(lines) for path, lines in found.items()}


def typed(
    device: str, then: Mapping[str, str], now: Mapping[str, str], drifts: Drifts, heads: Heads
) -> tuple[HandLine, ...]:
    """Lines that were added and removed since. then, now: path → text; the main file's path is empty."""
    found = tuple(dict.fromkeys(_typed(device, then, now, drifts, heads)))
    added = {one.place for one in found if one.present}
    opened = {(one.present, above) for one in found for above in _above(one)}
    own = (one for one in found if (one.present, one.place) not in opened)  # a section comes with what stands in it
    return tuple(one for one in own if one.present or _opposite(one) not in added)


def _above(one: HandLine) -> Iterator[str]:
    """Places of the sections that a line stands in."""
    for depth in range(len(one.section)):
        yield one._replace(section=one.section[:depth], line=one.section[depth]).place


def _opposite(one: HandLine) -> str:
    """Where the line stands that takes its place: `shutdown` of `no shutdown`. Both are one stroke of a hand."""
    line = _plain(one.line)
    other = line.removeprefix("no ") if line.startswith("no ") else f"no {line}"
    return one._replace(line=other).place


def _typed(
    device: str, then: Mapping[str, str], now: Mapping[str, str], drifts: Drifts, heads: Heads
) -> Iterator[HandLine]:
    if then.get("", "") != now.get("", ""):
        for one in drifts(then.get("", ""), now.get("", "")):
            yield HandLine(device, "", one.section, one.line, one.present)
    for path in sorted((then.keys() | now.keys()) - {""}):
        had, has = (dict.fromkeys(_lines(text.get(path, ""), heads.get(path))) for text in (then, now))
        yield from (HandLine(device, path, *one, present=True) for one in has if one not in had)
        yield from (HandLine(device, path, *one, present=False) for one in had if one not in has)


def _lines(text: str, head: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Lines of a file with the sections they are in: below a head, or below what is indented less."""
    above: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        plain = _plain(line)
        depth = len(line) - len(line.lstrip()) if head is None else int(not re.match(head, plain))
        inside = [one for one in above if one[0] < depth]
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
    """Those that bringing a switch from what runs now to a goal takes away, or brings back."""
    wanted = tuple(by_hand)
    if not wanted:
        return ()
    differ = {(one.place, one.present) for one in _typed(wanted[0].device, goal, now, drifts, heads)}
    return tuple(one for one in wanted if (one.place, one.present) in differ)


def beside(found: Iterable[HandLine], merged: str) -> tuple[HandLine, ...]:
    """Of lines that came while others were merged those that are none of them.

    None where a switch shows no line as it was merged: then nobody can tell them apart.
    """
    own = {_plain(line) for line in merged.splitlines()}
    came = [one for one in found if one.present]
    others = tuple(one for one in came if _plain(one.line) not in own)
    return others if len(others) < len(came) else ()
