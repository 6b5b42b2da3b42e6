"""The lossless class as a switch is configured: every number after the rounding of its operating system.

Each platform has one function: hardware and Qos → `RenderedLossless`. Its templates round with the same helpers; the
plan page and the checks read the result, so that all three use the same numbers. A test reads the numbers back from the
rendered files.
"""

from collections.abc import Callable
from typing import NamedTuple

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Ecn, Qos, QosProfile


class RenderedEcn(NamedTuple):
    """ECN marking of the lossless queue of the ports of one speed. Octets; percent at the maximum."""

    speed_gbps: int
    minimum_octets: int
    maximum_octets: int
    probability_percent: int


class RenderedHeadroom(NamedTuple):
    """Headroom of the ports of one speed and cable length, octets per port.

    octets     None if the switch computes it and its maker publishes no formula
    by_switch  the switch computes it: no file has the number
    source     the formula, if there is one
    private    octets that the switch takes off its buffer for each such port, if ports share no headroom; else 0.
               The plan's estimate if the switch computes it and its maker publishes no formula
    """

    speed_gbps: int
    length_m: int
    octets: int | None
    by_switch: bool = False
    source: str = ""
    private: int = 0


class RenderedWatchdog(NamedTuple):
    """PFC watchdog, milliseconds. None: the system's default, which no file has."""

    detect_ms: int | None
    restore_ms: int | None
    polling_ms: int | None
    action: str


class RenderedLossless(NamedTuple):
    """The lossless class of one switch.

    pool_octets    headroom that all ports share; None if no file has it
    resume_octets  how far below its limit a queue must drain before the peer may send again; None if no file has it
    queue_limit_octets  size limit of a lossless queue, if a file has the number; None: the plan's, by alpha
    pause_octets   fill level at which a port pauses its peer, if that is a fixed number and no share; else None
    """

    ecn: tuple[RenderedEcn, ...]
    headroom: tuple[RenderedHeadroom, ...]
    watchdog: RenderedWatchdog
    pool_octets: int | None
    resume_octets: int | None
    queue_limit_octets: int | None = None
    pause_octets: int | None = None

    def ecn_at(self, speed_gbps: int) -> RenderedEcn | None:
        """Marking of the ports of a speed; None without marking."""
        return next((row for row in self.ecn if row.speed_gbps == speed_gbps), None)


def marked(qos: Qos) -> tuple[tuple[QosProfile, Ecn], ...]:
    """Each profile with the marking of its lossless queue, without profiles that do not mark."""
    return tuple((profile, queue.ecn) for profile in qos.profiles for queue in profile.queues if queue.ecn is not None)


def ecn_rows(qos: Qos, rounded: Callable[[int], int] = int) -> tuple[RenderedEcn, ...]:
    """Marking by speed. rounded: octets of the plan → octets as the switch has them."""
    return tuple(
        RenderedEcn(
            profile.speed_gbps,
            rounded(ecn.minimum_octets),
            rounded(ecn.maximum_octets),
            ecn.probability_percent,
        )
        for profile, ecn in marked(qos)
    )


def by_switch(qos: Qos) -> tuple[RenderedHeadroom, ...]:
    """Headroom that the switch computes by an unpublished formula."""
    return tuple(RenderedHeadroom(row.speed_gbps, row.length_m, None, by_switch=True) for row in qos.headroom)


def as_given(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """The class on a system that takes every number of the plan unchanged. mtu: largest lossless packet, octets."""
    times = qos.watchdog
    return RenderedLossless(
        ecn=ecn_rows(qos),
        headroom=tuple(RenderedHeadroom(row.speed_gbps, row.length_m, row.octets) for row in qos.headroom),
        watchdog=RenderedWatchdog(times.detect_ms, times.restore_ms, times.polling_ms, times.action),
        pool_octets=qos.headroom_pool_octets,
        resume_octets=qos.resume_octets,
    )
