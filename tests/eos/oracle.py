"""Two EOS configurations → what one has and the other lacks, line by line with the headings above each line."""

from typing import NamedTuple

Path = tuple[str, ...]
"""Headings from the outermost in, then the line."""

BANNER_END = "EOF"
LEAVES_A_MODE = frozenset({"exit", "end"})


class Difference(NamedTuple):
    """Lines of one text that the other lacks, sorted."""

    missing: tuple[Path, ...]
    extra: tuple[Path, ...]


def paths(text: str) -> list[Path]:
    """Return every line with its headings, in the order of the text.

    Left out: blank lines, lines that start with `!`, `exit` and `end`. Depth comes from indentation of any width.
    The lines of a banner stay as they are, up to EOF. Raises ValueError on a tab in the indentation, on an indented
    line without a heading above it, and on a step back to a depth that was never opened.
    """
    found: list[Path] = []
    open_lines: list[tuple[int, str]] = []
    banner = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if banner:
            found.append((banner, raw))
            banner = "" if raw == BANNER_END else banner
        elif line and not line.startswith("!") and line not in LEAVES_A_MODE:
            _open(open_lines, raw, number)
            found.append(tuple(heading for _, heading in open_lines))
            banner = line if line.startswith("banner ") else ""
    return found


def _open(open_lines: list[tuple[int, str]], raw: str, number: int) -> None:
    """Leave every heading that is as deep as this line or deeper; the line must then continue an open level."""
    blank = raw[: len(raw) - len(raw.lstrip())]
    if "\t" in blank:
        raise ValueError(f"line {number}: tab in the indentation")
    depth = len(blank)
    closed: int | None = None
    while open_lines and open_lines[-1][0] >= depth:
        closed = open_lines.pop()[0]
    if closed not in (None, depth):
        raise ValueError(f"line {number}: indentation {depth} was never opened")
    if closed is None and depth and not open_lines:
        raise ValueError(f"line {number}: indented line without a heading")
    open_lines.append((depth, raw.strip()))


def compare(ours: str, theirs: str) -> Difference:
    """Return what `theirs` has and `ours` lacks (missing), and the reverse (extra)."""
    left, right = set(paths(ours)), set(paths(theirs))
    return Difference(missing=tuple(sorted(right - left)), extra=tuple(sorted(left - right)))


def repeated(text: str) -> list[Path]:
    """Return the lines that stand twice under the same headings: a set would hide them."""
    seen: set[Path] = set()
    again: list[Path] = []
    for path in paths(text):
        if path in seen:
            again.append(path)
        seen.add(path)
    return again


def headings(text: str) -> list[str]:
    """Return the lines without indentation, in order."""
    return [path[0] for path in paths(text) if len(path) == 1]
