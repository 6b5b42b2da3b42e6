"""From the Qos of a Device to Junos' class of service: buffer percentages, code points as bits, watchdog periods.

Junos takes percentages where a Device has octets. Each is computed from the memory size in the chip's hardware file,
and rounded to the safe side: headroom up, ECN thresholds down.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos, QosProfile, Queue, Watchdog
from fabricgen.platforms.junos.interfaces import ETHERNET_HEADER

DEDICATED_INGRESS = 15
"""Percentage of the memory dedicated to single ports: Juniper's value for AI fabrics."""
LOSSY_PERCENT = 10
"""Share of the pool for lossy traffic: Juniper's value for AI fabrics."""
LOWEST_ALPHA = 7
"""Steps from the lowest dynamic threshold to 1: step 0 is 1/128, and each one doubles; 10 is 8."""
LOSSLESS = "roce"
"""Name of the lossless queue in a schedule."""


class ForwardingClass(NamedTuple):
    """A class and its queue; `pfc_priority` is empty if it is lossy."""

    name: str
    queue: int
    pfc_priority: str


class Classified(NamedTuple):
    """Code points of a class, as bits."""

    name: str
    code_points: str


class DropProfile(NamedTuple):
    """ECN marking of a queue: two percentages of its limit, and the probability at the higher one."""

    name: str
    low: int
    high: int
    probability: int


class Scheduler(NamedTuple):
    """A queue of the ports of one speed. `share` 0 is strict, `cap` 0 is none; `marks` names a drop profile."""

    name: str
    forwarding_class: str
    share: int
    cap: int
    marks: str


class SchedulerMap(NamedTuple):
    """All queues of the ports of one speed."""

    name: str
    schedulers: tuple[Scheduler, ...]


class Notification(NamedTuple):
    """PFC of the ports with one cable length and one MTU, from which Junos computes their headroom."""

    name: str
    cable_metres: int
    mru: int


class PortClass(NamedTuple):
    """A port, its notification profile and its scheduler map."""

    name: str
    notification: str
    scheduler_map: str


class OwnPackets(NamedTuple):
    """Packets of the switch itself: their forwarding class, and their code point as bits."""

    forwarding_class: str
    code_point: str


class Partitions(NamedTuple):
    """The shared pool in percent; the three ingress partitions add up to 100. `alpha` is Junos' step number."""

    lossless: int
    headroom: int
    lossy: int
    alpha: int


class WatchdogContext(NamedTuple):
    """Times in milliseconds, and periods of `poll` for which a queue is blocked before it counts as a storm."""

    poll: int
    periods: int
    recovery: int
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QosContext:
    """Class of service of one switch. `partitions` is None if the chip's memory size is unknown.

    own     None if the plan has no control queue
    resume  cells below its limit at which a paused peer may send again; 0: Junos' default
    """

    classes: tuple[ForwardingClass, ...]
    classified: tuple[Classified, ...]
    code_points: tuple[str, ...]
    priority_bits: str
    own: OwnPackets | None
    queue: int
    resume: int
    notifications: tuple[Notification, ...]
    partitions: Partitions | None
    drop_profiles: tuple[DropProfile, ...]
    maps: tuple[SchedulerMap, ...]
    ports: tuple[PortClass, ...]
    watchdog: WatchdogContext


def qos_words(device: Device, qos: Qos) -> QosContext:
    """The class of service of one switch in Junos' terms."""
    spellings = device.hardware.spellings
    rows = tuple(row for row in device.interfaces.ethernet if row.profile.qos)
    first = qos.profiles[0]
    lossless = next(queue for queue in first.queues if queue.name == LOSSLESS)
    limit = queue_limit(qos, spellings)
    priority = first.lossless_priorities[0]
    return QosContext(
        classes=tuple(_class(queue, priority) for queue in reversed(first.queues)),
        classified=tuple(_classified(qos, first)),
        code_points=tuple(bits(dscp) for dscp in _dscps(qos, lossless.queue)),
        priority_bits=f"{priority:03b}",
        own=OwnPackets(class_name(qos.control), bits(qos.control_dscp)) if qos.control else None,
        queue=lossless.queue,
        resume=resume_cells(qos, spellings),
        notifications=tuple(sorted({_notification(row) for row in rows})),
        partitions=partitions(qos, spellings),
        drop_profiles=tuple(drop_profiles(qos, limit)),
        maps=tuple(_map(profile, marks=limit > 0) for profile in qos.profiles),
        ports=tuple(PortClass(row.name, _notification(row).name, row.profile.qos) for row in rows),
        watchdog=watchdog_words(qos.watchdog),
    )


def class_name(queue: Queue) -> str:
    """The forwarding class of a queue: ROCE, CNP, CONTROL, BEST-EFFORT."""
    return queue.name.upper().replace("+", "-")


def bits(dscp: int) -> str:
    """A code point as Junos writes it, e.g. 26 → 011010."""
    return f"{dscp:06b}"


def _class(queue: Queue, priority: int) -> ForwardingClass:
    return ForwardingClass(class_name(queue), queue.queue, str(priority) if queue.name == LOSSLESS else "")


def _dscps(qos: Qos, queue: int) -> list[int]:
    """The code points that reach a queue, sorted."""
    queues = {row.traffic_class: row.queue for row in qos.class_queues}
    return sorted(dscp for row in qos.dscp_classes if queues[row.traffic_class] == queue for dscp in row.dscps)


def _classified(qos: Qos, profile: QosProfile) -> Iterator[Classified]:
    for queue in reversed(profile.queues):
        dscps = _dscps(qos, queue.queue)
        if dscps:
            yield Classified(class_name(queue), " ".join(bits(dscp) for dscp in dscps))


def resume_cells(qos: Qos, spellings: Mapping[str, str]) -> int:
    """The resume offset in cells; 0 if the model is not known to accept one."""
    cell = int(spellings.get("cell_octets", "0"))
    return qos.resume_octets // cell if cell and "xon" in spellings else 0


def _notification(row: Ethernet) -> Notification:
    metres = max(int(-(-row.length_m // 1)), 1)  # rounded up
    mru = row.profile.mtu + ETHERNET_HEADER
    return Notification(f"PFC-{metres}M-{mru}", metres, mru)


def partitions(qos: Qos, spellings: Mapping[str, str]) -> Partitions | None:
    """The partitions of the shared pool; its headroom is what the plan reserves. None if a size is unknown."""
    shared = shared_octets(spellings)
    if not shared or not qos.headroom_pool_octets:
        return None
    headroom = -(-qos.headroom_pool_octets * 100 // shared)  # rounded up
    return Partitions(100 - LOSSY_PERCENT - headroom, headroom, LOSSY_PERCENT, alpha_step(qos.alpha))


def shared_octets(spellings: Mapping[str, str]) -> int:
    """The packet memory without what is dedicated to ports; 0 if the chip's size is unknown."""
    return int(spellings.get("chip_octets", "0")) * (100 - DEDICATED_INGRESS) // 100


def alpha_step(alpha: str) -> int:
    """1/128 → 0, 1 → 7, 8 → 10; rounded down between two steps, and limited to 0 and 10."""
    multiple = Fraction(alpha) * 2**LOWEST_ALPHA
    return min(max(int(multiple).bit_length() - 1, 0), 10)


def queue_limit(qos: Qos, spellings: Mapping[str, str]) -> int:
    """The octets to which one congested lossless queue may grow, as the plan counts them; 0 if unknown."""
    buffer = int(spellings.get("buffer_octets", "0"))
    if not buffer or not qos.headroom_pool_octets:
        return 0
    alpha = Fraction(qos.alpha)
    return int(alpha * (buffer - qos.headroom_pool_octets) / (1 + alpha))


def drop_profiles(qos: Qos, limit: int) -> Iterator[DropProfile]:
    """Yield ECN marking of the lossless queue at each speed, in percent of its limit; nothing if that is unknown."""
    for profile in qos.profiles:
        for queue in profile.queues:
            if queue.ecn is not None and limit:
                low = fill_percent(queue.ecn.minimum_octets, limit)
                # Rounding must not make both thresholds equal.
                high = max(fill_percent(queue.ecn.maximum_octets, limit), low + 1)
                yield DropProfile(profile.name, low, high, queue.ecn.probability_percent)


def fill_percent(octets: int, limit: int) -> int:
    """Octets as a percentage of a queue's limit, rounded down; the inverse for octets that were rounded down."""
    return (octets + 1) * 100 // limit


def _map(profile: QosProfile, *, marks: bool) -> SchedulerMap:
    return SchedulerMap(
        profile.name,
        tuple(
            Scheduler(
                name=f"{profile.name}-{class_name(queue)}",
                forwarding_class=class_name(queue),
                share=queue.weight_percent,
                cap=queue.cap_percent,
                marks=profile.name if marks and queue.ecn is not None else "",
            )
            for queue in reversed(profile.queues)
        ),
    )


def watchdog_words(watchdog: Watchdog) -> WatchdogContext:
    """The watchdog's times in milliseconds and whole periods; detection is rounded up."""
    return WatchdogContext(
        poll=watchdog.polling_ms,
        periods=-(-watchdog.detect_ms // watchdog.polling_ms),
        recovery=watchdog.restore_ms,
        action=watchdog.action,
    )
