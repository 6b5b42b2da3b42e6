"""A configuration of EOS as a tree of lines: read from text, changed by one line, printed."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tests.doubles.eos_words import known, whole, words
from tests.eos.modes import entered

Tree = dict[str, "Tree"]
"""Line → lines under it."""

SECRET = re.compile(r"\b(secret sha512|password 0|key 0|auth sha|priv aes) \S+")
SINGLE = (
    "description",
    "mtu",
    "hostname",
    "set community",
    "set local-preference",
    "maximum-paths",
    "banner login",
    "banner motd",
)
"""What a mode has one line of."""


def grown(text: str) -> Tree:
    """A configuration as a tree, of its own."""
    return copied(_grown(text))


@lru_cache(maxsize=64)
def _grown(text: str) -> Tree:
    """The same text is taken apart once."""
    tree: Tree = {}
    headings: tuple[str, ...] = ()
    text = re.sub(r"(?ms)^(banner \w+)\n(.*?)\nEOF$", lambda found: found[0].replace("\n", _END), text)
    for line in (line.strip() for line in text.splitlines()):
        if line and not line.startswith("!") and line != "end":
            headings = put(tree, headings, line.replace(_END, "\n"))
    return tree


def checked(line: str) -> str:
    """A line as tests/eos/modes.py knows it, which wants a reference where a switch has a secret."""
    return SECRET.sub(r"\1 ${env:SECRET}", line)


_END = "\0"
"""Stands for a line end within a banner."""


def put(tree: Tree, headings: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Add a line in the innermost mode that knows it; it takes the place of what it contradicts.

    `no …` and `default …` of a setting take it away; `default interface` empties a port.

    headings  of the line before, and that line
    Return the same for the next. Raises ValueError for a line that no open mode knows.
    """
    line = whole(line)
    path = _path(headings, line)
    if path is None:
        return removed(tree, headings, line)
    for heading in path[:-1]:
        tree = tree.setdefault(heading, {})
    tree.pop(line.removeprefix("no ") if line.startswith("no ") else f"no {line}", None)
    for word in SINGLE:
        if line.startswith((f"{word} ", f"{word}\n")):
            for other in [other for other in tree if other.startswith((f"{word} ", f"{word}\n")) and other != line]:
                del tree[other]
    tree.setdefault(line, {})
    return path


@lru_cache(maxsize=65536)
def _path(headings: tuple[str, ...], line: str) -> tuple[str, ...] | None:
    """Lines that lead to a line, and it; None where no open mode knows it. Candidates say the same again and again."""
    try:
        return entered([*headings, checked(line)], known)[-1]
    except ValueError:
        return None


def removed(tree: Tree, headings: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Take away what a line negates. Raises ValueError where no open mode has such a setting."""
    negation, _, rest = line.partition(" ")
    if negation not in ("no", "default") or not rest:
        raise ValueError(f"no open mode knows: {line}")
    if rest.startswith("interface "):
        name = whole(rest)
        entered([name], known)
        tree.pop(name, None)
        if negation == "default":
            tree[name] = {}
        return ()
    for mode, path in reversed(opened(headings)):
        if rest.split(maxsplit=1)[0] in words(mode):
            below = tree
            for heading in path:
                below = below.setdefault(heading, {})
            for other in [one for one in below if one == rest or one.startswith((f"{rest} ", f"{rest}\n"))]:
                del below[other]
            return path
    raise ValueError(f"no open mode knows: {line}")


def opened(headings: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Modes that are open behind these lines, the outermost first, each with the lines that lead there."""
    found: list[tuple[str, tuple[str, ...]]] = [("", ())]
    for at, heading in enumerate(headings, 1):
        mode = known(found[-1][0], heading)
        if not mode:
            break
        found.append((mode, headings[:at]))
    return found


def copied(tree: Tree) -> Tree:
    """The same tree, of its own."""
    return {line: copied(below) for line, below in tree.items()}


def lines_of(tree: Tree, depth: int = 0) -> Iterator[str]:
    """Lines with three blanks for each mode."""
    for line, below in tree.items():
        yield "   " * depth + line
        yield from lines_of(below, depth + 1)
        if depth == 0 and below:
            yield "!"


HEAD = (
    "! Command: show running-config",
    "! device: localhost (vEOS, EOS-4.31.2F)",
    "! boot system flash:/vEOS-lab.swi",
    "!",
)
ORDER = (
    "transceiver",
    "hostname",
    "spanning-tree",
    "aaa",
    "username",
    "vlan",
    "vrf",
    "interface",
    "ip",
    "router",
    "management",
)
"""First words of sections in the order in which EOS prints them: NAPALM's test/eos/eos/*.conf and *.diff. Others stand
where they were typed, before these."""
ALONE = ("interface", "router", "vlan", "vrf", "management")
"""Each of these is a section by itself; others with one first word stand together."""


def sections(tree: Tree) -> Iterator[str]:
    """Lines as a difference of sessions has them, a `!` behind each section."""
    yield from HEAD
    ordered = sorted(tree, key=_rank)
    for at, line in enumerate(ordered):
        yield line
        yield from _blocks(tree[line])
        following = _kind(ordered[at + 1]) if at + 1 < len(ordered) else ""
        if following != _kind(line) or following in ALONE:
            yield "!"


def _kind(line: str) -> str:
    """First word of a setting, two of one of aaa: accounts of aaa are sections by themselves."""
    words_of = line.removeprefix("no ").split()
    return " ".join(words_of[:2]) if words_of[0] == "aaa" else words_of[0]


def _rank(line: str) -> int:
    word = _kind(line).partition(" ")[0]
    return ORDER.index(word) if word in ORDER else -1


def _blocks(tree: Tree, depth: int = 1) -> Iterator[str]:
    """Lines of a section; a `!` stands between two blocks in it."""
    was_block = False
    for line, below in tree.items():
        if below and was_block:
            yield "   " * depth + "!"
        yield "   " * depth + line
        yield from _blocks(below, depth + 1)
        was_block = bool(below)


def printed(tree: Tree) -> str:
    """A configuration as it is shown."""
    return "\n".join(["! Command: show running-config", "!", *lines_of(tree), "end", ""])
