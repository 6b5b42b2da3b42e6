"""Schema of counters and monitoring: ECN marks, queue depth, captured packets."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import Flag, IntentModel, Positive

Clients = Annotated[int, Field(ge=1, le=100)]


class QueueMonitor(IntentModel):
    """Events about queue depth: one when a queue passes a threshold, one when it is below again."""

    enabled: Flag | None = Field(default=None, description="where there is a lossless class, if left out")
    high: Positive | None = Field(
        default=None, description="depth at which an event starts, in the unit of the chip; its own where left out"
    )
    low: Positive | None = Field(default=None, description="depth at which it ends; the chip's own where left out")
    latency: Flag = Field(default=False, description="how long packets waited, too, where the chip can tell")
    streaming: Clients | None = Field(default=None, description="clients that may take the events as they come")


class Telemetry(IntentModel):
    """Counters and monitoring of switches. Those of lossless queues are on by default."""

    ecn_counters: Flag | None = Field(
        default=None, description="packets that each lossless queue marked; if left out, wherever there is one"
    )
    queue_monitor: QueueMonitor = Field(
        default_factory=QueueMonitor.model_construct, description="events of queues that are deep"
    )
    capture: Literal["congestion", "drops"] | None = Field(
        default=None, description="packets copied to the switch's own processor: those of congested queues, or dropped"
    )
    load_interval: Annotated[int, Field(ge=5, le=600)] | None = Field(
        default=None, description="seconds over which rates of ports are averaged; the system's own where left out"
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
