"""Qos of a Device → NVUE's terms: RoCE in lossless mode, with every default of that mode written out.

Headroom is configured by cable length: the switch computes the rest from it and the port's speed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import ClassQueue, Ecn, HeadroomProfile, Qos, QosProfile, Watchdog

KILOBITS = 1_000_000
"""Kilobits per second in a gigabit per second."""
POOL_PERCENT = 50
"""Percent of the buffer for lossless traffic and for all other: the mode's default."""


FRR_DSCP = 48
"""CS6, FRR's default mark of BGP."""
SHORTEST_POLLING = 100
"""Milliseconds between two polls of the PFC watchdog: the default, and no source has a shorter one."""


class DscpContext(NamedTuple):
    """A code point and its switch priority."""

    dscp: int
    priority: int


class PauseContext(NamedTuple):
    """A PFC profile: paused priorities, and its cable length in metres."""

    name: str
    priorities: tuple[int, ...]
    metres: int


class MarkContext(NamedTuple):
    """ECN of one queue."""

    queue: int
    ecn: Ecn


class MarkProfile(NamedTuple):
    """ECN of all ports of one speed."""

    name: str
    queues: tuple[MarkContext, ...]


class ShareContext(NamedTuple):
    """Scheduling of one queue; 0 percent is strict."""

    queue: int
    percent: int


class ShareProfile(NamedTuple):
    """Scheduling of all ports of one speed."""

    name: str
    queues: tuple[ShareContext, ...]


class CapContext(NamedTuple):
    """Rate limit of a queue, in kilobits per second."""

    queue: int
    kilobits: int


class CapProfile(NamedTuple):
    """Shaping of all ports of one speed."""

    name: str
    queues: tuple[CapContext, ...]


class WatchdogContext(NamedTuple):
    """PFC watchdog: milliseconds between polls, and how many polls find a queue stuck."""

    polling: int
    robustness: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QosContext:
    """Quality of service in NVUE's terms."""

    dscps: tuple[DscpContext, ...]
    class_queues: tuple[ClassQueue, ...]
    alpha: str
    lossless_percent: int
    lossy_percent: int
    pauses: tuple[PauseContext, ...]
    marks: tuple[MarkProfile, ...]
    shares: tuple[ShareProfile, ...]
    caps: tuple[CapProfile, ...]
    watchdog: WatchdogContext


class PortQosContext(NamedTuple):
    """Profiles of one port; an empty one is not configured. `lossless`: queues that are paused."""

    profile: str
    pause: str
    shaped: bool
    lossless: tuple[int, ...]


def qos_words(device: Device) -> QosContext | None:
    """Quality of service of one switch in NVUE's terms; None if no class is lossless."""
    qos = device.qos
    if qos is None:
        return None
    return QosContext(
        dscps=tuple(sorted(DscpContext(dscp, row.traffic_class) for row in qos.dscp_classes for dscp in row.dscps)),
        class_queues=qos.class_queues,
        alpha="alpha_" + qos.alpha.replace("/", "_"),
        lossless_percent=POOL_PERCENT,
        lossy_percent=POOL_PERCENT,
        pauses=tuple(sorted(set(_pauses(device, qos)))),
        marks=tuple(MarkProfile(row.name, tuple(_marks(row))) for row in qos.profiles),
        shares=tuple(ShareProfile(row.name, tuple(_shares(row))) for row in qos.profiles),
        caps=tuple(caps for row in qos.profiles if (caps := _caps(row)).queues),
        watchdog=watchdog_words(qos.watchdog),
    )


def control_mark(device: Device) -> int:
    """DSCP that puts BGP's packets into the control class; 0 if FRR's default does, or if no class is lossless."""
    dscp = device.qos.control_dscp if device.qos else FRR_DSCP
    return dscp if dscp != FRR_DSCP else 0


def port_qos(device: Device, row: Ethernet) -> PortQosContext | None:
    """Profiles of a port; None if it has none."""
    qos = device.qos
    if qos is None or not row.profile.qos:
        return None
    profile = next(candidate for candidate in qos.profiles if candidate.name == row.profile.qos)
    return PortQosContext(
        profile=profile.name,
        pause=_pause_name(profile, _length(qos, row)) if row.headroom_octets else "",
        shaped=bool(_caps(profile).queues),
        lossless=profile.lossless_priorities,
    )


def _pauses(device: Device, qos: Qos) -> Iterator[PauseContext]:
    profiles = {profile.name: profile for profile in qos.profiles}
    for row in device.interfaces.ethernet:
        if row.profile.qos and row.headroom_octets:
            profile, metres = profiles[row.profile.qos], _length(qos, row)
            yield PauseContext(_pause_name(profile, metres), profile.lossless_priorities, metres)


def _pause_name(profile: QosProfile, metres: int) -> str:
    return f"{profile.name}-{metres}m"


def _length(qos: Qos, row: Ethernet) -> int:
    """Cable length in metres of a port's headroom profile: the shortest profile that covers the cable."""
    speed = row.profile.speed_gbps
    bins = [profile for profile in qos.headroom if _covers(profile, row) and profile.speed_gbps == speed]
    return min((profile.length_m for profile in bins), default=-(-int(row.length_m * 10) // 10))


def _covers(profile: HeadroomProfile, row: Ethernet) -> bool:
    return profile.length_m >= row.length_m and profile.octets >= row.headroom_octets


def _marks(profile: QosProfile) -> Iterator[MarkContext]:
    for queue in reversed(profile.queues):
        if queue.ecn is not None:
            yield MarkContext(queue.queue, queue.ecn)


def _shares(profile: QosProfile) -> Iterator[ShareContext]:
    for queue in reversed(profile.queues):
        yield ShareContext(queue.queue, queue.weight_percent)


def _caps(profile: QosProfile) -> CapProfile:
    rows = [
        CapContext(queue.queue, profile.speed_gbps * KILOBITS * queue.cap_percent // 100)
        for queue in reversed(profile.queues)
        if queue.cap_percent
    ]
    return CapProfile(profile.name, tuple(rows))


def watchdog_words(watchdog: Watchdog) -> WatchdogContext:
    """Polls are rounded up, so that a queue is not reported earlier than configured."""
    polling = max(watchdog.polling_ms, SHORTEST_POLLING)
    return WatchdogContext(polling, max(-(-watchdog.detect_ms // polling), 1))
