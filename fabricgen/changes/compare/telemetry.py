"""Changes of counters and queue monitoring."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import ChangeScope, ComparedField, Thing, only, settings, things
from fabricgen.device.telemetry import QueueMonitor, Telemetry


def _seconds(value: object) -> str:
    return f"{value} s" if value else ""


def _clients(value: object) -> str:
    return f"at most {value} clients" if value else ""


TELEMETRY: tuple[ComparedField[Telemetry], ...] = (
    ComparedField("telemetry.ecn-counters", lambda telemetry: telemetry.ecn_counters),
    ComparedField("telemetry.load-interval", lambda telemetry: telemetry.load_interval_seconds, _seconds),
)

MONITOR = Thing[QueueMonitor](
    "telemetry.queue-monitor",
    key=lambda _: "",
    summary=lambda monitor: f"from {monitor.high}" if monitor.high else "thresholds of the chip",
    settings=(
        ComparedField("telemetry.queue-threshold", lambda monitor: monitor.high, subject="high"),
        ComparedField("telemetry.queue-threshold", lambda monitor: monitor.low, subject="low"),
        ComparedField("telemetry.queue-latency", lambda monitor: monitor.latency),
        ComparedField("telemetry.queue-streaming", lambda monitor: monitor.streaming, _clients),
        ComparedField("telemetry.capture", lambda monitor: monitor.captures),
    ),
)


def telemetry_changes(before: Telemetry, after: Telemetry) -> Iterator[DeviceChange]:
    """All changes of telemetry."""
    yield from settings(TELEMETRY, before, after, ChangeScope())
    yield from things(MONITOR, only(before.queue_monitor), only(after.queue_monitor), lambda _: ChangeScope())
