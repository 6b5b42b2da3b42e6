"""Qos of a Device → EOS's terms: profiles, maps, seconds and kbytes."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from fabricgen.device.qos import ClassQueue, Qos, Queue

DSCPS_A_LINE = 8
"""Number of code points on the longest line seen in a source."""
RESERVED_CLASS = 7
"""EOS maps it to queue 7, which its own packets use, and does not allow a change."""


KBYTE = 1000
"""Octets."""
WORDS_KEPT = 64
"""Cache size: the switches of a tier have the same Qos."""


class DscpContext(NamedTuple):
    """Code points that map to one traffic class."""

    traffic_class: int
    dscps: str


class EcnContext(NamedTuple):
    """Thresholds in kbytes."""

    minimum: int
    maximum: int
    probability: int


class QueueContext(NamedTuple):
    """One queue of a QoS profile. An empty `share` is strict priority."""

    number: int
    share: int
    cap: int
    ecn: EcnContext | None


class ProfileContext(NamedTuple):
    """A QoS profile with its queues, ascending; queues with EOS's defaults are left out."""

    name: str
    lossless: tuple[int, ...]
    queues: tuple[QueueContext, ...]


class WatchdogContext(NamedTuple):
    """PFC watchdog in seconds."""

    timeout: str
    polling: str
    recovery: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QosContext:
    """Quality of service in EOS's terms."""

    profiles: tuple[ProfileContext, ...]
    dscp_classes: tuple[DscpContext, ...]
    class_queues: tuple[ClassQueue, ...]
    watchdog: WatchdogContext


@lru_cache(WORDS_KEPT)
def qos_words(qos: Qos) -> QosContext:
    """Quality of service of one switch in EOS's terms."""
    watchdog = qos.watchdog
    return QosContext(
        profiles=tuple(
            ProfileContext(
                profile.name,
                profile.lossless_priorities,
                tuple(_queue(queue) for queue in reversed(profile.queues) if not _is_default(queue)),
            )
            for profile in qos.profiles
        ),
        dscp_classes=tuple(
            DscpContext(row.traffic_class, " ".join(map(str, row.dscps[start : start + DSCPS_A_LINE])))
            for row in qos.dscp_classes
            for start in range(0, len(row.dscps), DSCPS_A_LINE)
        ),
        class_queues=tuple(row for row in qos.class_queues if row.traffic_class != RESERVED_CLASS),
        watchdog=WatchdogContext(
            timeout=hundredths(watchdog.detect_ms),
            polling=thousandths(watchdog.polling_ms),
            recovery=hundredths(watchdog.restore_ms),
            action={"drop": "drop", "notify": "notify-only"}[watchdog.action],
        ),
    )


def _is_default(queue: Queue) -> bool:
    """Whether a queue has EOS's defaults: strict priority without a cap."""
    return not queue.weight_percent and not queue.cap_percent and queue.ecn is None


def _queue(queue: Queue) -> QueueContext:
    ecn = queue.ecn
    return QueueContext(
        number=queue.queue,
        share=queue.weight_percent,
        cap=queue.cap_percent,
        ecn=EcnContext(kbytes(ecn.minimum_octets), kbytes(ecn.maximum_octets), ecn.probability_percent)
        if ecn
        else None,
    )


def kbytes(octets: int) -> int:
    """Octets in kbytes of 1000, at least 1. Rounded down: marking early is safe, marking late is not."""
    return max(octets // KBYTE, 1)


def hundredths(milliseconds: int) -> str:
    """Seconds with two digits."""
    return f"{ten_milliseconds(milliseconds) / 1000:.2f}"


def ten_milliseconds(milliseconds: int) -> int:
    """Milliseconds rounded up to EOS's step of 10 ms."""
    return -(-milliseconds // 10) * 10


def thousandths(milliseconds: int) -> str:
    """Seconds with two digits, or three if two are not exact."""
    return f"{milliseconds / 1000:.3f}" if milliseconds % 10 else f"{milliseconds / 1000:.2f}"
