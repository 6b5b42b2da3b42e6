"""Watchdog times → the settings that end a pause storm."""

from typing import Literal, NamedTuple

from fabricgen.policy import sources

Action = Literal["drop", "forward", "alert"]


class Watchdog(NamedTuple):
    """PFC watchdog of a port. Times in milliseconds.

    detect    a queue paused this long without sending is in a storm
    restore   a queue unpaused this long is healthy again
    """

    detect_ms: int
    restore_ms: int
    action: Action
    source: str


# For fabric and host ports; every event raises an alarm. The polling interval is half the shorter time.
WATCHDOG = Watchdog(
    detect_ms=200,
    restore_ms=400,
    action="drop",
    source=f"200 and 400 with drop: {sources.AMD_GUIDE}; restore twice detect: {sources.COMMUNITY_WATCHDOG}",
)


def poll_limit_ms(watchdog: Watchdog) -> int:
    """Return the longest polling interval: half the shorter time. A switch replaces a longer one by its own value."""
    return min(watchdog.detect_ms, watchdog.restore_ms) // 2
