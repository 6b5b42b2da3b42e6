"""Configurations of indented lines → each line with the headings above it, without a word of any system."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

Path = tuple[str, ...]
"""A line, after the headings that it stands below."""


def indented(text: str) -> list[Path]:
    """Every line but separators; blanks at the start of a line tell how deep it is."""
    found: list[Path] = []
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        found.append((*(heading for _, heading in above), line))
        above.append((depth, line))
    return found


def below(paths: Iterable[Path], *headings: str) -> list[Path]:
    """What stands below headings, each given in full or as its first words with a blank behind them."""
    wanted = len(headings)
    return [
        path[wanted:]
        for path in paths
        if len(path) > wanted and all(_is(own, head) for own, head in zip(path, headings, strict=False))
    ]


def _is(line: str, heading: str) -> bool:
    return line.startswith(heading) if heading.endswith(" ") else line == heading


def names(paths: Iterable[Path], start: str) -> list[str]:
    """What follows the first words of the headings of the first level that begin with them, each once."""
    return list(dict.fromkeys(path[0].removeprefix(start) for path in paths if path[0].startswith(start)))


def values(paths: Iterable[Path], start: str) -> list[str]:
    """What follows the first words of lines of the first level."""
    return [path[0].removeprefix(start) for path in paths if len(path) == 1 and path[0].startswith(start)]


def permits_source(paths: Iterable[Path], name: str, source: str) -> bool:
    """Whether a standard list of EOS permits a source; what no entry permits is denied."""
    entries = [path[0].split() for path in below(paths, f"ip access-list standard {name}")]
    at = ip_address(source)
    return any(
        at in ip_network("0.0.0.0/0" if words[2] == "any" else words[2])
        for words in entries
        if words[1] == "permit" and at.version == 4
    )
