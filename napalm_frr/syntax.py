"""Whether FRR on a switch knows every line of a text: `vtysh -C`, judged by its words, not its exit status alone."""

import re
from collections.abc import Iterator

from napalm_frr.paths import masked
from napalm_frr.transport import Result

# Talk of vtysh with itself.
TALK = re.compile(r"^(Configuration file\[|Waiting for children|\[\d+\|\w+\] (sending|done))")
LINE = re.compile(r"^line (\d+): (.*)")
# FRR prints `router bgp` before the route-maps that it names, so a file in FRR's own order draws this for each.
FORWARD = re.compile(r"^The route-map '\S+' does not exist\.$")
FAILED = re.compile(r"^line \d+: Failure to communicate\[\d+\] to (\w+), line: *(.*)")


def complaints(found: Result, text: str) -> tuple[str, ...]:
    """What vtysh has against a text: number of the line, the line, the reason; secrets masked."""
    told = tuple(_complaints(found.output + "\n" + found.errors, text.splitlines()))
    return told or ((f"vtysh -C exited with status {found.status}",) if found.status else ())


def _complaints(output: str, lines: list[str]) -> Iterator[str]:
    for raw in output.splitlines():
        line = raw.strip()
        numbered = LINE.match(line)
        if numbered and 0 < int(numbered[1]) <= len(lines):
            text = lines[int(numbered[1]) - 1].strip()
            reason = numbered[2].strip().removesuffix(text).strip(" :")
            yield f"line {numbered[1]}: {masked(text)!r}: {reason}"
        elif line and not TALK.match(line) and not FORWARD.match(line):
            yield masked(line)


def failures(output: str, text: str) -> tuple[str, ...]:
    """Lines that a daemon refused while a text was applied, with their numbers in it and what the daemon said."""
    numbers = {line.strip(): number for number, line in reversed(list(enumerate(text.splitlines(), start=1)))}
    told, said = [], ""
    for raw in output.splitlines():
        failed = FAILED.match(raw)
        if failed:
            line = failed[2].strip()
            at = f"line {numbers[line]}: " if line in numbers else ""
            reason = said or f"{failed[1]} refused it"
            told.append(f"{at}{masked(line)!r}: {reason}")
            said = ""
        elif raw.startswith("% "):
            said = raw[2:].strip()
    return tuple(dict.fromkeys(told))
