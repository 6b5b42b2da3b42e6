"""From the Qos of a Device to NX-OS's terms: a group, a queue and a network class share one number."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.qos import Qos, QosProfile, Queue

KILO = 1000
"""Octets in a kbyte. Thresholds are rounded down: marking early is safe, marking late is not."""


IDLE = "0"
"""Share of a queue that gets no packets."""


class MarkedClass(NamedTuple):
    """Packets that go into another group than the default one, by their DSCP."""

    group: int
    dscps: str


class NetworkClass(NamedTuple):
    """A class of the whole switch. `paused` is its PFC priority, empty for a lossy class."""

    name: str
    paused: str


class EcnContext(NamedTuple):
    """Depths in kbytes between which packets are marked."""

    minimum: int
    maximum: int
    probability: int


class QueueContext(NamedTuple):
    """One queue: the priority `level` of a strict one or the `share` of what those leave, and its rate limit."""

    name: str
    level: str
    share: str
    cap: str
    ecn: EcnContext | None


class QueuingPolicy(NamedTuple):
    """Queues of all ports of one speed, the strict ones first."""

    name: str
    queues: tuple[QueueContext, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QosContext:
    """Quality of service in NX-OS's terms."""

    classes: tuple[MarkedClass, ...]
    network: tuple[NetworkClass, ...]
    policies: tuple[QueuingPolicy, ...]


def qos_words(qos: Qos) -> QosContext:
    """Return the quality of service of one switch."""
    # Traffic class → its QoS group, which has the number of its queue.
    groups = {row.traffic_class: row.queue for row in qos.class_queues}
    lossless = sorted({priority for profile in qos.profiles for priority in profile.lossless_priorities})
    return QosContext(
        classes=tuple(
            MarkedClass(groups[row.traffic_class], ",".join(map(str, row.dscps)))
            for row in qos.dscp_classes
            if groups[row.traffic_class] and row.dscps
        ),
        network=tuple(
            NetworkClass(f"c-8q-nq{group or '-default'}", str(number) if number in lossless else "")
            for number, group in sorted(groups.items(), key=lambda row: (not row[1], row[1]))
        ),
        policies=tuple(
            QueuingPolicy(policy_name(profile.name), tuple(_queues(profile, groups.values())))
            for profile in qos.profiles
        ),
    )


def policy_name(profile: str) -> str:
    """Return the name of the queuing policy of a QosProfile."""
    return f"OUT-{profile}" if profile else ""


def _queues(profile: QosProfile, groups: Collection[int]) -> Iterator[QueueContext]:
    """Yield every queue of the switch, highest number first: a queue that a policy leaves out would keep a default."""
    planned = {queue.queue: queue for queue in profile.queues}
    level = 0
    for number in sorted({*planned, *groups}, reverse=True):
        queue = planned.get(number)
        name = f"c-out-8q-q{number or '-default'}"
        if queue is None:
            yield QueueContext(name, level="", share=IDLE, cap="", ecn=None)
            continue
        level += not queue.weight_percent
        yield QueueContext(
            name=name,
            level="" if queue.weight_percent else str(level),
            share=str(queue.weight_percent or ""),
            cap=_rate(profile.speed_gbps * KILO * queue.cap_percent // 100) if queue.cap_percent else "",
            ecn=_ecn(queue),
        )


def _rate(megabits: int) -> str:
    """Return a rate in the largest unit in which it is a whole number."""
    return f"{megabits} mbps" if megabits % KILO else f"{megabits // KILO} gbps"


def _ecn(queue: Queue) -> EcnContext | None:
    ecn = queue.ecn
    if ecn is None:
        return None
    return EcnContext(kbytes(ecn.minimum_octets), kbytes(ecn.maximum_octets), ecn.probability_percent)


def kbytes(octets: int) -> int:
    """Return octets in kbytes of 1000, rounded down; at least 1."""
    return max(octets // KILO, 1)
