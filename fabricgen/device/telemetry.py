"""What one switch counts and watches for whoever asks it."""

from typing import NamedTuple


class QueueMonitor(NamedTuple):
    """Events of queues that get deep.

    high, low  depths that start and end one, in the unit of the chip; 0 is the chip's own
    latency    how long packets waited is told, too
    streaming  clients that may take events over the network; 0 is none
    captures   packets of congested queues are copied to the processor
    """

    high: int
    low: int
    latency: bool
    streaming: int
    captures: bool


class Telemetry(NamedTuple):
    """Counters and watching that are off by themselves. `load_interval_seconds` 0 is the system's own."""

    ecn_counters: bool
    queue_monitor: QueueMonitor | None
    load_interval_seconds: int
