"""Colour: which words have it on a terminal, and where there is none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.cli.common.colour import painted, wants_colour
from tests.cli.terminals import on_terminal

RED, YELLOW, GREEN, BOLD, END = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[1m", "\x1b[0m"  # ECMA-48, SGR
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("line", "colour", "word"),
    [
        ("site/intent.yaml:26:3: error[few-ports]: spines are short", RED + BOLD, "error[few-ports]"),
        ("error[no-file]: none.yaml does not exist", RED + BOLD, "error[no-file]"),
        ("intent.yaml:26:3: warning[pair-short]: one link", YELLOW + BOLD, "warning[pair-short]"),
        ("  fix: write spines: 4", GREEN, "fix:"),
        ("TRAFFIC LOSS  4 spines of backend: be-spine-00…003", RED + BOLD, "TRAFFIC LOSS"),
        ("SESSION RESET  4 spines of backend", YELLOW + BOLD, "SESSION RESET"),
        ("HITLESS  6 leaves of frontend", GREEN + BOLD, "HITLESS"),
        ("  + 1 NTP server each: 10.0.0.3", GREEN, "+ 1 NTP server each: 10.0.0.3"),
        ("    fe-leaf-000: - NTP server 10.0.0.6", RED, "- NTP server 10.0.0.6"),
        ("  ~ 1 MTU each: 9000 → 9100", YELLOW, "~ 1 MTU each: 9000 → 9100"),
        ("  fe-leaf-001: REVERTED, changed 01:08:13", RED + BOLD, "REVERTED"),
    ],
)
def test_words_that_matter_are_painted_and_nothing_else(line: str, colour: str, word: str) -> None:
    before, after = line.split(word, 1)
    assert painted(line) == f"{before}{colour}{word}{END}{after}"


@pytest.mark.parametrize(
    "line",
    ["  26 |     error[x]: in a line of the intent", "  why: error[x] is a code", "no problems", "", "UNKNOWN model"],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert painted(line) == line


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_who_asks_for_no_colour_gets_none(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], *, expected: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(is_terminal=True) is expected
    assert not wants_colour(is_terminal=False)


def shown(folder: Path, *, terminal: bool, **variables: str) -> str:
    """What validate says of a broken intent on stderr, which is a terminal or a pipe."""
    (folder / "intent.yaml").write_text("fabricgen: 1\nsite: dc1\nsit: dc1\n")
    command = [sys.executable, "-m", "fabricgen", "validate", "intent.yaml"]
    environment = (
        {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | variables
    )
    if not terminal:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stderr
    return on_terminal(command, code=1, cwd=folder, env=environment).decode().replace("\r\n", "\n")


def test_a_terminal_has_colour_a_pipe_and_no_color_have_none(tmp_path: Path) -> None:
    plain = shown(tmp_path, terminal=False)
    coloured = shown(tmp_path, terminal=True)
    assert "error[unknown-key]" in plain
    assert "\x1b" not in plain
    assert f"{RED}{BOLD}error[unknown-key]{END}" in coloured
    assert f"  {GREEN}fix:{END}" in coloured
    assert ANSI.sub("", coloured) == plain
    assert shown(tmp_path, terminal=True, NO_COLOR="1") == plain
