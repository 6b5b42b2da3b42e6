"""From the Qos of a Device to EOS's words for it: profiles, maps, seconds and kbytes."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from fabricgen.device.qos import ClassQueue, Qos, Queue

DSCPS_A_LINE = 8
"""As many code points as the longest line seen in a source."""
RESERVED_CLASS = 7
"""EOS maps it to queue 7, by which its own packets leave, and lets nobody change that."""


KBYTE = 1000
"""Octets."""
WORDS_KEPT = 64
"""Of what was spelled last: a tier of a fabric has one Qos."""


class DscpContext(NamedTuple):
    """Code points that go into one traffic class."""

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
    """A QoS profile with its queues, ascending; a queue that EOS's defaults describe is left out."""

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
    """Quality of service as EOS is told of it."""

    profiles: tuple[ProfileContext, ...]
    dscp_classes: tuple[DscpContext, ...]
    class_queues: tuple[ClassQueue, ...]
    watchdog: WatchdogContext


@lru_cache(WORDS_KEPT)
def qos_words(qos: Qos) -> QosContext:
    """Quality of service of one switch as EOS spells it."""
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
            DscpContext(row.traffic_class, " ".join(map(str, row.dscps[at : at + DSCPS_A_LINE])))
            for row in qos.dscp_classes
            for at in range(0, len(row.dscps), DSCPS_A_LINE)
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
    """Strict without a cap is what every queue of EOS is when told nothing."""
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
    """Octets in kbytes of 1000, rounded down: marking early is safe, marking late is not; at least 1."""
    return max(octets // KBYTE, 1)


def hundredths(milliseconds: int) -> str:
    """Seconds with two digits."""
    return f"{ten_milliseconds(milliseconds) / 1000:.2f}"


def ten_milliseconds(milliseconds: int) -> int:
    """Milliseconds rounded up to the 10 ms that EOS can say."""
    return -(-milliseconds // 10) * 10


def thousandths(milliseconds: int) -> str:
    """Seconds with two digits, or three where two cannot say it."""
    return f"{milliseconds / 1000:.3f}" if milliseconds % 10 else f"{milliseconds / 1000:.2f}"
