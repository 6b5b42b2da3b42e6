"""Colour on a terminal: heads of errors and warnings, text to type, added and removed lines, risks.

There is no colour in a pipe or a file, nor on a terminal if NO_COLOR is set (no-color.org) or TERM is "dumb".
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
    (rf"{_PLACE}((?:warning|waived)\[[\w-]+\])", partial(_yellow, bold=True)),
    (r"^  (fix:)", _green),
    (r"^(RELOAD|TRAFFIC LOSS|UNKNOWN)  ", partial(_red, bold=True)),
    (r"^(SESSION RESET)  ", partial(_yellow, bold=True)),
    (r"^(HITLESS|NONE)  ", partial(_green, bold=True)),
    (r"^\s+(?:[\w.-]+: )?(\+ .*)", _green),
    (r"^\s+(?:[\w.-]+: )?(- .*)", _red),
    (r"^\s+(?:[\w.-]+: )?(~ .*)", _yellow),
    (r"^  [\w.-]+: (FAILED|REVERTED|OPEN)\b", partial(_red, bold=True)),
)
"""Pattern at the start of a line, and how its group is coloured; the first match counts. Compiled on use."""


def echo_line(line: str, *, err: bool = False) -> None:
    """Print one or several lines of a report, with colour if the terminal shows it."""
    wants = wants_colour(is_terminal=(sys.stderr if err else sys.stdout).isatty())
    click.echo("\n".join(map(painted, line.split("\n"))) if wants else line, err=err)


def wants_colour(*, is_terminal: bool) -> bool:
    """Whether the output supports colour and the user has not disabled it."""
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(line: str) -> str:
    """One line of a report with ANSI colours; the visible characters are the same."""
    for pattern, paint in _RULES:
        if match := re.match(pattern, line):
            return f"{line[: match.start(1)]}{paint(match[1])}{line[match.end(1) :]}"
    return line
