"""Check on a switch that FRR knows every line of a text: `vtysh -C`, judged by its output, not only its exit status."""

import re
from collections.abc import Iterator

from napalm_frr.paths import masked
from napalm_frr.transport import Result

# Progress messages of vtysh.
TALK = re.compile(r"^(Configuration file\[|Waiting for children|\[\d+\|\w+\] (sending|done))")
LINE = re.compile(r"^line (\d+): (.*)")
# FRR prints `router bgp` before the route-maps that it names, so a file in FRR's own order causes this for each.
FORWARD = re.compile(r"^The route-map '\S+' does not exist\.$")
FAILED = re.compile(r"^line \d+: Failure to communicate\[\d+\] to (\w+), line: *(.*)")


def complaints(result: Result, text: str) -> tuple[str, ...]:
    """Errors of vtysh in a text: number of the line, the line, the reason; secrets masked."""
    errors = tuple(_complaints(result.output + "\n" + result.errors, text.splitlines()))
    return errors or ((f"vtysh -C exited with status {result.status}",) if result.status else ())


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
    """Lines that a daemon refused while a text was applied, with their line numbers and the daemon's reason."""
    numbers = {line.strip(): number for number, line in reversed(list(enumerate(text.splitlines(), start=1)))}
    errors, last_message = [], ""
    for raw in output.splitlines():
        failed = FAILED.match(raw)
        if failed:
            line = failed[2].strip()
            location = f"line {numbers[line]}: " if line in numbers else ""
            reason = last_message or f"{failed[1]} refused it"
            errors.append(f"{location}{masked(line)!r}: {reason}")
            last_message = ""
        elif raw.startswith("% "):
            last_message = raw[2:].strip()
    return tuple(dict.fromkeys(errors))
