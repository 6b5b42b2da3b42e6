"""Queues of one switch whose counters are judged: those that mark, and classes that must not drop."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos, QosProfile
from fabricgen.verify.expect.model import ExpectedQueues

LOSSLESS = "roce"
"""Name of the queue that PFC protects."""

COUNT, COUNTED = "ecn_count", "profile"
"""Key and value of a hardware file: whether queues are configured to count their marks. They are by default."""


def queues(device: Device) -> Iterator[ExpectedQueues]:
    """One row per port that has such a queue."""
    if device.qos is None:
        return
    counts = device.hardware.spellings.get(COUNT, COUNTED) == COUNTED
    marking = {profile.name: _marking(profile) if counts else () for profile in device.qos.profiles}
    lossless = {profile.name: _lossless(profile, device.qos) for profile in device.qos.profiles}
    for row in device.interfaces.ethernet:
        name = row.profile.qos
        if name and (marking[name] or lossless[name]):
            yield ExpectedQueues(row.name, marking[name], lossless[name])


def _marking(profile: QosProfile) -> tuple[int, ...]:
    return tuple(sorted(queue.queue for queue in profile.queues if queue.ecn is not None))


def _lossless(profile: QosProfile, qos: Qos) -> tuple[int, ...]:
    """Traffic classes of the lossless queue. A class, its queue and its priority may have three different numbers."""
    if not profile.lossless_priorities:
        return ()
    protected = {queue.queue for queue in profile.queues if queue.name == LOSSLESS}
    return tuple(sorted(row.traffic_class for row in qos.class_queues if row.queue in protected))
