"""Watchdog times → the settings that end a pause storm, and why a choice of them cannot work."""

from typing import Literal, NamedTuple, get_args

from fabricgen.policy import sources

Action = Literal["drop", "forward", "alert"]


class Watchdog(NamedTuple):
    """PFC watchdog of a port. Times in milliseconds.

    detect    a queue paused this long without sending is in a storm
    restore   a queue unpaused this long is healthy again
    poll      how often the queue is looked at
    """

    detect_ms: int
    restore_ms: int
    poll_ms: int
    action: Action
    source: str


# Fabric and host ports alike; every event is an alarm. Polling is half the shorter time.
WATCHDOG = Watchdog(
    detect_ms=200,
    restore_ms=400,
    poll_ms=100,
    action="drop",
    source=f"200 and 400 with drop: {sources.AMD_GUIDE}; restore twice detect: {sources.COMMUNITY_WATCHDOG}",
)


def poll_limit_ms(watchdog: Watchdog) -> int:
    """Return the longest polling interval: half the shorter time. A switch that is told more takes its own value."""
    return min(watchdog.detect_ms, watchdog.restore_ms) // 2


def watchdog_faults(watchdog: Watchdog) -> tuple[str, ...]:
    """Return why watchdog times cannot work, in words with the numbers compared; empty when they can."""
    limit = poll_limit_ms(watchdog)
    times = (watchdog.detect_ms, watchdog.restore_ms, watchdog.poll_ms)
    rules = (
        (all(time > 0 for time in times), "a watchdog time is not above 0 ms"),
        (
            watchdog.poll_ms <= limit,
            f"polling every {watchdog.poll_ms} ms is slower than half of the shorter of detect and restore, {limit} ms",
        ),
        (watchdog.action in get_args(Action), f"action {watchdog.action} is none of {', '.join(get_args(Action))}"),
    )
    return tuple(why for holds, why in rules if not holds)
