"""Telemetry of one switch: what the intent asks for, and by default what monitors a lossless class."""

from collections.abc import Iterator

from fabricgen.device.telemetry import QueueMonitor, Telemetry
from fabricgen.errors import IntentPath
from fabricgen.intent import telemetry as intent
from fabricgen.resolve.context import Context


def resolve_telemetry(context: Context) -> Telemetry:
    """Return the counters and the queue monitoring of a switch."""
    asked = context.settings.telemetry
    lossless = context.lossless is not None
    return Telemetry(
        ecn_counters=lossless and asked.ecn_counters is not False,
        queue_monitor=_monitor(asked) if _watches(asked, lossless=lossless) else None,
        load_interval_seconds=asked.load_interval or 0,
    )


def _watches(asked: intent.Telemetry, *, lossless: bool) -> bool:
    if asked.queue_monitor.enabled is None:
        return lossless or intent.monitor_asked(asked)
    return asked.queue_monitor.enabled


def _monitor(asked: intent.Telemetry) -> QueueMonitor:
    monitor = asked.queue_monitor
    return QueueMonitor(
        high=monitor.high or 0,
        low=monitor.low or 0,
        latency=monitor.latency,
        streaming=monitor.streaming or 0,
        captures=asked.capture == "congestion",
    )


def telemetry_needs(asked: intent.Telemetry, where: IntentPath) -> Iterator[tuple[str, IntentPath]]:
    """Yield the features that the intent asks for explicitly; defaults come with the lossless class, a need itself."""
    monitor = asked.queue_monitor
    rows = (
        ("ecn-counters", asked.ecn_counters is True, ("ecn_counters",)),
        ("queue-monitor", intent.monitor_asked(asked), ("queue_monitor",)),
        ("queue-latency", monitor.latency, ("queue_monitor", "latency")),
        ("queue-streaming", monitor.streaming is not None, ("queue_monitor", "streaming")),
        ("congestion-capture", asked.capture == "congestion", ("capture",)),
        ("drop-capture", asked.capture == "drops", ("capture",)),
        ("load-interval", asked.load_interval is not None, ("load_interval",)),
    )
    for feature, is_asked, key in rows:
        if is_asked:
            yield feature, (*where, *key)
