"""Contradictions between the keys of telemetry."""

from collections.abc import Iterator

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Fabric, is_lossless
from fabricgen.intent.telemetry import QueueMonitor, monitor_uses
from fabricgen.plan.plan import Plan


def telemetry(plan: Plan) -> Iterator[Problem]:
    """Queue events end below their start, a disabled monitor has no other keys, and ECN is counted only where it marks.

    Source: PyAVD 6.4.0 (`low` requires `default_thresholds.high`); ECN marks only in a lossless class.
    """
    for name, fabric in plan.fabrics.items():
        path: IntentPath = ("fabrics", name, "telemetry")
        yield from _thresholds(name, fabric.fabric.telemetry.queue_monitor, path)
        yield from _off(name, fabric.fabric, path)
        yield from _uncounted(name, fabric.fabric, path)


def _thresholds(name: str, monitor: QueueMonitor, path: IntentPath) -> Iterator[Problem]:
    if monitor.low is None or (monitor.high is not None and monitor.low < monitor.high):
        return
    yield Problem(
        code="monitor-thresholds",
        what=f"queue monitoring of {name}: low is not below high, so an event would end where it starts",
        where=(*path, "queue_monitor", "low"),
        why=f"low is {monitor.low}, high is {monitor.high if monitor.high is not None else 'unset'}",
        fix=f"write high: {monitor.low + 1} or more, or remove low",
    )


def _off(name: str, fabric: Fabric, path: IntentPath) -> Iterator[Problem]:
    uses = monitor_uses(fabric.telemetry)
    if fabric.telemetry.queue_monitor.enabled is False and uses:
        yield Problem(
            code="monitor-off",
            what=f"queue monitoring of {name} is off, and {', '.join(uses)} needs it",
            where=(*path, "queue_monitor", "enabled"),
            why="enabled is false",
            fix=f"remove enabled: false, or remove {', remove '.join(uses)}",
        )


def _uncounted(name: str, fabric: Fabric, path: IntentPath) -> Iterator[Problem]:
    if fabric.telemetry.ecn_counters is True and not is_lossless(fabric):
        yield Problem(
            code="nothing-marked",
            what=f"{name} counts ECN-marked packets, but marks none",
            where=(*path, "ecn_counters"),
            why="ECN marks packets of a lossless class, and this fabric has none",
            fix="remove ecn_counters",
        )
