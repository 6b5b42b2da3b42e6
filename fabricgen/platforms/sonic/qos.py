"""Quality of service in SONiC's tables: maps, schedulers, WRED profiles, buffers and PFC watchdog."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos, QosProfile, Queue, Watchdog
from fabricgen.platforms.sonic.ports import number

LOSSY_GROUP = 0
"""Priority group of all lossy classes, control included. SONiC's own map has group 7 for class 7, but its buffers have
no row for that group."""
PRIORITIES = 8
LOSSLESS = "roce"
"""Name of the lossless queue in every profile (policy/scheduling.py)."""
LEAST_MS = 100
"""Shortest detection, restoration and polling time of the watchdog (sonic-pfcwd.yang)."""
POLLING_MS = 1000
"""Longest polling time that every release accepts: 3000 in 202505, 1000 from 202511 on. Polling more often still meets
the intent."""
DYNAMIC = "dynamic"
"""Buffer model of switches that compute headroom themselves, from the cable length."""
ACTIONS = {"drop": "drop", "notify": "alert"}
SMALL_PACKET_PERCENT = 100
"""Share of the smallest packets that a switch with dynamic buffers assumes: the vendor's value, and the worst case."""


class SchedulerContext(NamedTuple):
    """A scheduler: weight 0 is strict priority; `pir` is in octets per second, 0 for no cap."""

    name: str
    weight: int
    pir: int


class WredContext(NamedTuple):
    """Marking thresholds in octets, the same for all colours; percentage marked at the maximum."""

    name: str
    minimum: int
    maximum: int
    probability: int


class QueueContext(NamedTuple):
    """A queue of a port, its scheduler and, if it marks, its WRED profile; `buffer` is its buffer profile."""

    queue: int
    scheduler: str
    wred: str
    buffer: str


class LosslessProfile(NamedTuple):
    """Headroom of a priority group in octets, if the switch does not compute it."""

    name: str
    octets: int


class LosslessClass(NamedTuple):
    """The lossless traffic: its PFC priority, which is also its priority group, its class and its queue."""

    priority: int
    traffic_class: int
    queue: int


class QosPort(NamedTuple):
    """A port with a lossless class: the profile of its lossless priority group, its queues, and its cable length."""

    name: str
    profile: str
    queues: tuple[QueueContext, ...]
    metres: int


class BufferPools(NamedTuple):
    """Buffers as the vendor ships them, in octets. `dynamic`: the switch computes the rest from cable lengths."""

    dynamic: bool
    pool: str
    headroom: int
    pg_size: str
    pg_xon: str
    xon_offset: int
    alpha: int
    lossy_size: str
    lossy_alpha: str
    mtu: int
    small_packets: int


class WatchdogContext(NamedTuple):
    """Times of the PFC watchdog in milliseconds."""

    detect: int
    restore: int
    polling: int
    action: str


class QosContext(NamedTuple):
    """Quality of service in SONiC's terms. Maps are JSON objects, "" for none. `priority`: the lossless one."""

    priority: int
    dscps: str
    queues: str
    groups: str
    pauses: str
    pause_groups: str
    schedulers: tuple[SchedulerContext, ...]
    wreds: tuple[WredContext, ...]
    profiles: tuple[LosslessProfile, ...]
    ports: tuple[QosPort, ...]
    pools: BufferPools
    watchdog: WatchdogContext


def qos_words(device: Device, qos: Qos) -> QosContext:
    """Return the quality of service of one switch; the spellings of its hardware name its buffer model."""
    rows = _lossless_rows(device)
    pools = _pools(device, qos, rows)
    # The path of lossless traffic through the switch; it is the same in all profiles.
    profile = qos.profiles[0]
    queue = next(row.queue for row in profile.queues if row.name == LOSSLESS)
    traffic_class = next(row.traffic_class for row in qos.class_queues if row.queue == queue)
    lossless = LosslessClass(profile.lossless_priorities[0], traffic_class, queue)
    return QosContext(
        priority=lossless.priority,
        dscps=_map(sorted((dscp, row.traffic_class) for row in qos.dscp_classes for dscp in row.dscps)),
        queues=_map(qos.class_queues),
        groups=_map((row.traffic_class, _group(row.traffic_class, lossless)) for row in qos.class_queues),
        pauses=_map(
            (number, lossless.queue if number == lossless.priority else number) for number in range(PRIORITIES)
        ),
        pause_groups=_map(((lossless.priority, lossless.priority),)) if pools.dynamic else "",
        schedulers=tuple(row for profile in qos.profiles for row in _schedulers(profile)),
        wreds=tuple(row for profile in qos.profiles for row in _wreds(profile)),
        profiles=() if pools.dynamic else tuple(sorted({_profile(row) for row in rows})),
        ports=tuple(_ports(rows, qos, lossless, dynamic=pools.dynamic)),
        pools=pools,
        watchdog=watchdog_words(qos.watchdog),
    )


def watchdog_words(watchdog: Watchdog) -> WatchdogContext:
    """Return the watchdog's times within the limits of SONiC."""
    return WatchdogContext(
        detect=max(watchdog.detect_ms, LEAST_MS),
        restore=max(watchdog.restore_ms, LEAST_MS),
        polling=min(max(watchdog.polling_ms, LEAST_MS), POLLING_MS),
        action=ACTIONS[watchdog.action],
    )


def alpha_exponent(alpha: str) -> int:
    """Return the share of the free buffer as SONiC writes it, a power of two: 1/8 is -3, 1 is 0, 8 is 3."""
    share = Fraction(alpha)
    return share.numerator.bit_length() - share.denominator.bit_length()


def _group(traffic_class: int, lossless: LosslessClass) -> int:
    """Return the priority group of a class.

    A group pauses the priority of the same number: that is the lossless one.
    """
    if traffic_class == lossless.traffic_class:
        return lossless.priority
    return LOSSY_GROUP


def _map(rows: Iterable[tuple[object, object]]) -> str:
    """Return an object of short words, none of which needs escaping."""
    fields = ", ".join([f'"{key}": "{value}"' for key, value in rows])
    return f"{{{fields}}}"


def _schedulers(profile: QosProfile) -> Iterator[SchedulerContext]:
    octets = profile.speed_gbps * 10**9 // 8
    for row in sorted(profile.queues):
        yield SchedulerContext(_scheduler(profile, row), row.weight_percent, octets * row.cap_percent // 100)


def _scheduler(profile: QosProfile, row: Queue) -> str:
    return f"{profile.name}-{row.queue}"


def _wreds(profile: QosProfile) -> Iterator[WredContext]:
    for row in profile.queues:
        if row.ecn:
            yield WredContext(profile.name, row.ecn.minimum_octets, row.ecn.maximum_octets, row.ecn.probability_percent)


def _lossless_rows(device: Device) -> list[Ethernet]:
    return sorted([row for row in device.interfaces.ethernet if row.profile.qos], key=lambda row: number(row.name))


def _profile(row: Ethernet) -> LosslessProfile:
    return LosslessProfile(f"lossless_{row.profile.speed_gbps}g_{row.headroom_octets}", row.headroom_octets)


def _ports(rows: Iterable[Ethernet], qos: Qos, lossless: LosslessClass, *, dynamic: bool) -> Iterator[QosPort]:
    lossy = "q_lossy_profile" if dynamic else "egress_lossy_profile"
    queues = {profile.name: tuple(_queues(profile, lossless, lossy)) for profile in qos.profiles}
    for row in rows:
        profile = "NULL" if dynamic else _profile(row).name
        yield QosPort(row.name, profile, queues[row.profile.qos], metres(row.length_m))


def metres(length_m: float) -> int:
    """Return the length of a cable in whole metres, rounded up."""
    return max(ceil(length_m), 1)


def _queues(profile: QosProfile, lossless: LosslessClass, lossy: str) -> Iterator[QueueContext]:
    for row in sorted(profile.queues):
        yield QueueContext(
            queue=row.queue,
            scheduler=_scheduler(profile, row),
            wred=profile.name if row.ecn else "",
            buffer="egress_lossless_profile" if row.queue == lossless.queue else lossy,
        )


def _pools(device: Device, qos: Qos, rows: Iterable[Ethernet]) -> BufferPools:
    spellings = device.hardware.spellings
    return BufferPools(
        dynamic=spellings["buffers"] == DYNAMIC,
        pool=spellings["pool"],
        headroom=qos.headroom_pool_octets,
        pg_size=spellings.get("pg_size", ""),
        pg_xon=spellings.get("pg_xon", ""),
        xon_offset=qos.resume_octets,
        alpha=alpha_exponent(qos.alpha),
        lossy_size=spellings.get("lossy_size", ""),
        lossy_alpha=spellings.get("lossy_alpha", ""),
        mtu=max([row.profile.mtu for row in rows], default=0),
        small_packets=SMALL_PACKET_PERCENT,
    )


def largest_packet(device: Device) -> int:
    """Return the largest MTU of the lossless ports, the one number from which a switch computes headroom."""
    return max([row.profile.mtu for row in _lossless_rows(device)], default=0)
