"""Facts of what is counted and watched."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import ChangeScope, ComparedField, Thing, settings, things
from fabricgen.device.telemetry import QueueMonitor, Telemetry


def _seconds(value: object) -> str:
    return f"{value} s" if value else ""


def _clients(value: object) -> str:
    return f"at most {value} clients" if value else ""


TELEMETRY: tuple[ComparedField[Telemetry], ...] = (
    ComparedField("telemetry.ecn-counters", lambda found: found.ecn_counters),
    ComparedField("telemetry.load-interval", lambda found: found.load_interval_seconds, _seconds),
)

MONITOR = Thing[QueueMonitor](
    "telemetry.queue-monitor",
    key=lambda _: "",
    summary=lambda found: f"from {found.high}" if found.high else "thresholds of the chip",
    settings=(
        ComparedField("telemetry.queue-threshold", lambda found: found.high, subject="high"),
        ComparedField("telemetry.queue-threshold", lambda found: found.low, subject="low"),
        ComparedField("telemetry.queue-latency", lambda found: found.latency),
        ComparedField("telemetry.queue-streaming", lambda found: found.streaming, _clients),
        ComparedField("telemetry.capture", lambda found: found.captures),
    ),
)


def telemetry_facts(before: Telemetry, after: Telemetry) -> Iterator[DeviceChange]:
    """Everything of telemetry that differs."""
    yield from settings(TELEMETRY, before, after, ChangeScope())
    left, right = (() if found is None else (found,) for found in (before.queue_monitor, after.queue_monitor))
    yield from things(MONITOR, left, right, lambda _: ChangeScope())
