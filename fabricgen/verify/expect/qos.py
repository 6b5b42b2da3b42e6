"""Lossless settings of one switch, and its queues whose counters are judged: those that mark or must not drop."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos, QosProfile
from fabricgen.state.state import EcnState
from fabricgen.verify.expect.model import ExpectedQos, ExpectedQueues

LOSSLESS = "roce"
"""Name of the queue that PFC protects."""

COUNT, COUNTED = "ecn_count", "profile"
"""Key and value of a hardware file: whether queues are configured to count their marks. They are by default."""


def settings(device: Device) -> Iterator[ExpectedQos]:
    """Lossless settings of the ports that have any."""
    if device.qos is None:
        return
    ecn = {profile.name: _ecn(profile) for profile in device.qos.profiles}
    priorities = {profile.name: tuple(sorted(profile.lossless_priorities)) for profile in device.qos.profiles}
    for row in device.interfaces.ethernet:
        if row.profile.qos:
            name = row.profile.qos
            yield ExpectedQos(row.name, priorities[name], bool(priorities[name]), ecn[name])


def _ecn(profile: QosProfile) -> tuple[EcnState, ...]:
    return tuple(
        sorted(
            EcnState(row.queue, row.ecn.minimum_octets, row.ecn.maximum_octets, row.ecn.probability_percent)
            for row in profile.queues
            if row.ecn is not None
        )
    )


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
