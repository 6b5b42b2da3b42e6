"""From the Qos of a Device to SR Linux's: classes, queues, PFC queues with their buffers, settings of each port.

Buffers of SR Linux: a percentage of the chip's packet memory is reserved for what arrives after a pause
(`pfc-buffer-reservation`); each PFC queue of a port may use a limited part of it (`maximum-pfc-reserved-share-bytes`:
its headroom). Before that, the queue may fill a part of the rest (`maximum-burst-size`), in octets: there is no alpha.
All queues that may be paused share the unreserved memory in equal parts, so that every pause is in time even if all of
them fill at once.
"""

from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import ClassQueue, Qos, QosProfile
from fabricgen.errors import FabricError
from fabricgen.platforms.srlinux.releases import is_newer

BUFFER = "buffer_octets"
"""Key of spellings: packet memory that lossless and lossy traffic share, the reserve included."""
NAME = "ROCE"
DETECT_MS = (10, 1500)
RESTORE_MS = (100, 1500)
"""Bounds of the deadlock timers (models of 25.3.1)."""
PERCENT = 100


class DscpContext(NamedTuple):
    """One code point and its forwarding class."""

    value: int
    number: int


class LosslessContext(NamedTuple):
    """A PFC queue: the priority of its pause frames, also as JSON text; its forwarding class; the queue they pause."""

    priority: int
    pause: str
    number: int
    queue: int


class EcnProfileContext(NamedTuple):
    """A queue-management profile: marks between two depths in octets."""

    name: str
    minimum: int
    maximum: int
    probability: int


class Input(NamedTuple):
    """A queue at a scheduler: 0 is strict, 1 weighted. `cap` is in percent of the port, 100 is none."""

    scheduler: int
    queue: int
    weight: int
    cap: int


class PortQosContext(NamedTuple):
    """A lossless port: its speed profile, the buffer profile of its headroom, and the queues that mark."""

    name: str
    profile: str
    buffers: str
    marked: tuple[int, ...]


class BufferContext(NamedTuple):
    """A buffer profile of ingress traffic: the headroom of its ports."""

    name: str
    headroom: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QosContext:
    """Quality of service of one switch.

    reservation  percent of the packet memory reserved for headroom
    limit        octets that one PFC queue may fill before it pauses
    shared       unreserved octets: the limit of a lossless egress queue, so that no packet is dropped there before the
                 ingress queue pauses
    """

    queues: tuple[int, ...]
    classes: tuple[ClassQueue, ...]
    dscps: tuple[DscpContext, ...]
    lossless: tuple[LosslessContext, ...]
    marks: tuple[EcnProfileContext, ...]
    inputs: tuple[Input, ...]
    buffers: tuple[BufferContext, ...]
    ports: tuple[PortQosContext, ...]
    reservation: int
    limit: int
    shared: int
    watched: bool
    detect: int
    restore: int


def qos_words(device: Device) -> QosContext | None:
    """Return the quality of service in SR Linux's terms; None if the switch has no lossless class.

    Raises FabricError if a queue would pause before it marks: SR Linux's limit differs from that of the alpha.
    """
    qos = device.qos
    if qos is None or not qos.profiles:
        return None
    ports = tuple(row for row in device.interfaces.ethernet if row.profile.qos)
    reservation, shared = reserve(device)
    # All PFC queues may fill at once, so each gets an equal part.
    limit = shared // max(len(ports), 1)
    if any(queue.ecn and queue.ecn.maximum_octets > limit for profile in qos.profiles for queue in profile.queues):
        raise FabricError.of(
            code="ecn-after-pfc",
            what=f"{device.name} would send PFC pauses before it marks ECN",
            where=("fabrics", device.fabric, "roce", "ecn"),
            why=f"on SR Linux the limit of a PFC queue of this switch is {limit} octets, and the ECN thresholds are "
            "above it",
            fix=f"write ecn: {{minimum_octets: {limit // 4}, maximum_octets: {limit}, probability_percent: 100}}",
        )
    return QosContext(
        queues=tuple(sorted({row.queue for row in qos.class_queues})),
        classes=qos.class_queues,
        dscps=tuple(sorted(DscpContext(dscp, row.traffic_class) for row in qos.dscp_classes for dscp in row.dscps)),
        lossless=tuple(_lossless(qos, newer=is_newer(device.version))),
        marks=tuple(_marks(qos)),
        inputs=tuple(_inputs(qos.profiles[0])),
        buffers=tuple(
            BufferContext(_buffers(octets), octets) for octets in sorted({row.headroom_octets for row in ports})
        ),
        ports=tuple(_port(qos, row) for row in ports),
        reservation=reservation,
        limit=limit,
        shared=shared,
        watched=qos.watchdog.action == "drop",
        detect=qos.watchdog.detect_ms,
        restore=qos.watchdog.restore_ms,
    )


def reserve(device: Device) -> tuple[int, int]:
    """Return the percentage of the packet memory reserved for headroom, rounded up, and the octets that are left.

    Both are 0 if the hardware file has no size: then the platform refuses a lossless class.
    """
    total_octets = int(device.hardware.spellings.get(BUFFER, "0"))
    if device.qos is None or not total_octets:
        return 0, 0
    return reserved_percent(device.qos, total_octets), unreserved(device.qos, total_octets)


def reserved_percent(qos: Qos, total_octets: int) -> int:
    """Return the percentage of the packet memory that holds the headroom pool, rounded up."""
    return min(-(-qos.headroom_pool_octets * PERCENT // total_octets), PERCENT)


def unreserved(qos: Qos, total_octets: int) -> int:
    """Return the octets of the packet memory that are left when the headroom is reserved."""
    return total_octets * (PERCENT - reserved_percent(qos, total_octets)) // PERCENT if total_octets else 0


def _buffers(octets: int) -> str:
    return f"{NAME}-HEADROOM-{octets}"


def _lossless(qos: Qos, *, newer: bool) -> list[LosslessContext]:
    """Return the lossless class; its queue has the name that the plan gives it."""
    queues = {row.queue: row.traffic_class for row in qos.class_queues}
    profile = qos.profiles[0]
    lossless = [queue.queue for queue in profile.queues if queue.name == "roce"]
    return [
        LosslessContext(priority, f"{priority}" if newer else f"[{priority}]", queues[queue], queue)
        for priority, queue in zip(profile.lossless_priorities, lossless, strict=True)
    ]


def _marks(qos: Qos) -> list[EcnProfileContext]:
    return [
        EcnProfileContext(
            name=f"{profile.name}-{queue.queue}",
            minimum=queue.ecn.minimum_octets,
            maximum=queue.ecn.maximum_octets,
            probability=queue.ecn.probability_percent,
        )
        for profile in qos.profiles
        for queue in profile.queues
        if queue.ecn
    ]


def _inputs(profile: QosProfile) -> list[Input]:
    """Return queues from the highest down. Those that the plan does not use are strict and empty."""
    return [
        Input(
            scheduler=1 if queue.weight_percent else 0,
            queue=queue.queue,
            weight=queue.weight_percent,
            cap=queue.cap_percent or PERCENT,
        )
        for queue in profile.queues
    ]


def _port(qos: Qos, row: Ethernet) -> PortQosContext:
    profile = next(candidate for candidate in qos.profiles if candidate.name == row.profile.qos)
    return PortQosContext(
        name=row.name,
        profile=profile.name,
        buffers=_buffers(row.headroom_octets),
        marked=tuple(queue.queue for queue in profile.queues if queue.ecn),
    )
