"""Time since this host was started, and which start that was: no change of the calendar moves it, nor does a kill.

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
    """start: which start of this host; seconds: since then."""

    start: str
    seconds: float


def since_start() -> Since | None:
    """None on a host that has no such clock."""
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


def keep(path: Path, stamp: Stamp) -> None:
    """Write a moment down for a process that goes on with what this one began. Raises OSError."""
    path.write_text(json.dumps({**stamp.since._asdict(), "calendar": stamp.calendar}), encoding="utf-8")


def kept(path: Path) -> Stamp | None:
    """A moment that was written down; None where there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        since = Since(str(found["start"]), float(found["seconds"]))
        return Stamp(since, float(found["calendar"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
