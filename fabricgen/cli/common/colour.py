"""Colour on a terminal: heads of errors and warnings, what to type, lines that are added and removed, risks.

Text that goes into a pipe or a file has none, and neither has a terminal where NO_COLOR is set (no-color.org) or that
TERM calls dumb.
"""

import os
import re
import sys
from collections.abc import Callable
from functools import partial

import click

Paint = Callable[[str], str]

_red, _yellow, _green = (partial(click.style, fg=colour) for colour in ("red", "yellow", "green"))
_PLACE = r"^(?:\S[^|]*:\d+:\d+: )?"
_RULES: tuple[tuple[str, Paint], ...] = (
    (rf"{_PLACE}(error\[[\w-]+\])", partial(_red, bold=True)),
    (rf"{_PLACE}(warning\[[\w-]+\])", partial(_yellow, bold=True)),
    (r"^  (fix:)", _green),
    (r"^(RELOAD|TRAFFIC LOSS|UNKNOWN)  ", partial(_red, bold=True)),
    (r"^(SESSION RESET)  ", partial(_yellow, bold=True)),
    (r"^(HITLESS|NONE)  ", partial(_green, bold=True)),
    (r"^\s+(?:[\w.-]+: )?(\+ .*)", _green),
    (r"^\s+(?:[\w.-]+: )?(- .*)", _red),
    (r"^\s+(?:[\w.-]+: )?(~ .*)", _yellow),
    (r"^  [\w.-]+: (FAILED|REVERTED|OPEN)\b", partial(_red, bold=True)),
)
"""What a line begins with, and how its group is painted; the first counts. Compiled when it is painted."""


def echo_line(line: str, *, err: bool = False) -> None:
    """Print a line of a report, or several, with colour where the terminal shows it."""
    wants = wants_colour(is_terminal=(sys.stderr if err else sys.stdout).isatty())
    click.echo("\n".join(map(painted, line.split("\n"))) if wants else line, err=err)


def wants_colour(*, is_terminal: bool) -> bool:
    """Whether a reader sees colour, and has not asked for none."""
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(line: str) -> str:
    """One line of a report with ANSI's colours; its characters are the same."""
    for pattern, paint in _RULES:
        if found := re.match(pattern, line):
            return f"{line[: found.start(1)]}{paint(found[1])}{line[found.end(1) :]}"
    return line
