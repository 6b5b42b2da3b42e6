"""Counters and monitoring that one switch offers to collectors."""

from typing import NamedTuple


class QueueMonitor(NamedTuple):
    """Events for queues that get deep.

    high, low  depths at which an event starts and ends, in the unit of the chip; 0 is the chip's default
    latency    report how long packets waited, too
    streaming  clients that may receive events over the network; 0 is none
    captures   copy packets of congested queues to the processor
    """

    high: int
    low: int
    latency: bool
    streaming: int
    captures: bool


class Telemetry(NamedTuple):
    """Counters and monitoring that are off by default. `load_interval_seconds` 0 is the system's default."""

    ecn_counters: bool
    queue_monitor: QueueMonitor | None
    load_interval_seconds: int
