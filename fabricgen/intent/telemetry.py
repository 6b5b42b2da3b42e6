"""Schema of counters and monitoring: ECN marks, queue depth, captured packets."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import Flag, IntentModel, Positive

Clients = Annotated[int, Field(ge=1, le=100)]


class QueueMonitor(IntentModel):
    """Events about queue depth: one when a queue passes a threshold, one when it is below again."""

    enabled: Flag | None = Field(
        default=None, description="queue monitoring; default: on where there is a lossless class"
    )
    high: Positive | None = Field(
        default=None,
        description="queue depth at which an event starts, in the unit of the chip; default: the chip's own",
    )
    low: Positive | None = Field(
        default=None, description="queue depth at which the event ends; default: the chip's own"
    )
    latency: Flag = Field(default=False, description="also the queueing delay of packets, where the chip measures it")
    streaming: Clients | None = Field(default=None, description="maximum number of clients that stream the events")


class Telemetry(IntentModel):
    """Counters and monitoring of switches. Those of lossless queues are on by default."""

    ecn_counters: Flag | None = Field(
        default=None,
        description="count of ECN-marked packets per lossless queue; default: on where there is a lossless class",
    )
    queue_monitor: QueueMonitor = Field(
        default_factory=QueueMonitor.model_construct, description="events of queues above a depth"
    )
    capture: Literal["congestion", "drops"] | None = Field(
        default=None, description="packets copied to the switch's own processor: those of congested queues, or dropped"
    )
    load_interval: Annotated[int, Field(ge=5, le=600)] | None = Field(
        default=None, description="seconds over which port rates are averaged; default: the system's own"
    )


def monitor_asked(telemetry: Telemetry) -> bool:
    """Return whether the intent asks for queue monitoring, or for something that needs it."""
    monitor = telemetry.queue_monitor
    return monitor.enabled is True or bool(monitor_uses(telemetry))


def monitor_uses(telemetry: Telemetry) -> tuple[str, ...]:
    """Return the written keys that have no effect without queue monitoring."""
    monitor = telemetry.queue_monitor
    is_written = {
        "queue_monitor.high": monitor.high is not None,
        "queue_monitor.low": monitor.low is not None,
        "queue_monitor.latency": monitor.latency,
        "queue_monitor.streaming": monitor.streaming is not None,
        "capture": telemetry.capture == "congestion",
    }
    return tuple(key for key, is_set in is_written.items() if is_set)
