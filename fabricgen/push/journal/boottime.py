"""Time since this host booted, and the identity of that boot: neither a change of the calendar nor a kill affects it.

CLOCK_BOOTTIME of Linux (clock_gettime(2)), boot_id (random(4)), and the time namespace in which the clock is read
(time_namespaces(7)), as each has its own zero.
"""

import json
import time
from pathlib import Path
from typing import NamedTuple

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
NAMESPACE = Path("/proc/self/ns/time")


class Since(NamedTuple):
    """start: identity of the boot; seconds: since then."""

    start: str
    seconds: float


def since_start() -> Since | None:
    """The time since this host booted; None on a host without such a clock."""
    try:
        start = BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return None
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    if clock is None or not start:
        return None
    try:
        namespace = f" {NAMESPACE.readlink()}"
    except OSError:  # a kernel without such namespaces
        namespace = ""
    return Since(f"{start}{namespace}", time.clock_gettime(clock))


class Stamp(NamedTuple):
    """A moment by both clocks. calendar: seconds of this host's calendar."""

    since: Since
    calendar: float


def write_stamp(path: Path, stamp: Stamp) -> None:
    """Write a moment to a file for a process that resumes what this one began. Raises OSError."""
    path.write_text(json.dumps({**stamp.since._asdict(), "calendar": stamp.calendar}), encoding="utf-8")


def read_stamp(path: Path) -> Stamp | None:
    """The moment in such a file; None where it is missing or not readable."""
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
        since = Since(str(stamp["start"]), float(stamp["seconds"]))
        return Stamp(since, float(stamp["calendar"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
