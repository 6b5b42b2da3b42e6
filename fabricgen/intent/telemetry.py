"""What the intent says of counting and watching: marks of ECN, depth of queues, captured packets."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import Flag, IntentModel, Positive

Clients = Annotated[int, Field(ge=1, le=100)]


class QueueMonitor(IntentModel):
    """Watching how deep queues get, as events: when one passes a threshold, and when it is below again."""

    enabled: Flag | None = Field(default=None, description="where there is a lossless class, if left out")
    high: Positive | None = Field(
        default=None, description="depth at which an event starts, in the unit of the chip; its own where left out"
    )
    low: Positive | None = Field(default=None, description="depth at which it ends; the chip's own where left out")
    latency: Flag = Field(default=False, description="how long packets waited, too, where the chip can tell")
    streaming: Clients | None = Field(default=None, description="clients that may take the events as they come")


class Telemetry(IntentModel):
    """What switches count and watch. What is left out is on where there is a lossless class that it proves."""

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
    """Whether somebody wrote that queues are watched, or something that needs it."""
    monitor = telemetry.queue_monitor
    return monitor.enabled is True or bool(monitor_uses(telemetry))


def monitor_uses(telemetry: Telemetry) -> tuple[str, ...]:
    """Keys that are written and mean nothing unless queues are watched."""
    monitor = telemetry.queue_monitor
    found = {
        "queue_monitor.high": monitor.high is not None,
        "queue_monitor.low": monitor.low is not None,
        "queue_monitor.latency": monitor.latency,
        "queue_monitor.streaming": monitor.streaming is not None,
        "capture": telemetry.capture == "congestion",
    }
    return tuple(key for key, written in found.items() if written)
