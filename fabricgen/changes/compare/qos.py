"""Facts of the lossless plan and of load balancing."""

from collections.abc import Iterator

from fabricgen.changes.change import Fact
from fabricgen.changes.compare.values import (
    Members,
    Setting,
    Thing,
    Where,
    added,
    members,
    number,
    paired,
    removed,
    settings,
    things,
)
from fabricgen.device.qos import (
    ClassQueue,
    Cluster,
    DscpClass,
    Ecn,
    HeadroomProfile,
    LoadBalancing,
    Qos,
    QosProfile,
    Queue,
    Watchdog,
)


def _octets(value: object) -> str:
    return f"{value} octets" if value else ""


def _headroom(found: HeadroomProfile) -> str:
    return f"{found.octets} octets, {found.cells} cells"


def _scheduling(queue: Queue) -> str:
    weight = f"{queue.weight_percent} %" if queue.weight_percent else "strict priority"
    return f"{weight}, at most {queue.cap_percent} %" if queue.cap_percent else weight


def _ecn(value: object) -> str:
    if not isinstance(value, Ecn):
        return ""
    return f"{value.minimum_octets} to {value.maximum_octets} octets, {value.probability_percent} %"


QOS: tuple[Setting[Qos], ...] = (
    Setting("qos.marking", lambda qos: qos.marking),
    Setting("qos.headroom", lambda qos: qos.headroom_octets, _octets),
    Setting("qos.headroom-pool", lambda qos: qos.headroom_pool_octets, _octets),
    Setting("qos.alpha", lambda qos: qos.alpha),
    Setting("qos.resume", lambda qos: qos.resume_octets, _octets),
)

WATCHDOG: tuple[Setting[Watchdog], ...] = (
    Setting("qos.watchdog", lambda watchdog: watchdog.detect_ms, subject="detect ms"),
    Setting("qos.watchdog", lambda watchdog: watchdog.restore_ms, subject="restore ms"),
    Setting("qos.watchdog", lambda watchdog: watchdog.polling_ms, subject="polling ms"),
    Setting("qos.watchdog", lambda watchdog: watchdog.action, subject="action"),
)

CLASSIFICATION = Thing[DscpClass](
    "qos.classification",
    key=lambda found: found.traffic_class,
    summary=lambda found: found.dscps,
    settings=(Setting("qos.classification", lambda found: found.dscps),),
)

QUEUE_MAP = Thing[ClassQueue](
    "qos.queue-map",
    key=lambda found: found.traffic_class,
    summary=lambda found: f"queue {found.queue}",
    settings=(Setting("qos.queue-map", lambda found: f"queue {found.queue}"),),
)

PROFILE: tuple[Setting[QosProfile], ...] = (
    Setting("qos.profile", lambda profile: profile.speed_gbps, lambda value: f"{value}G"),
)
PROFILE_MEMBERS: tuple[Members[QosProfile], ...] = (Members("qos.pfc", lambda profile: profile.lossless_priorities),)

QUEUE = Thing[Queue](
    "qos.queue",
    key=lambda queue: queue.queue,
    summary=lambda queue: queue.name,
    settings=(
        Setting("qos.queue", lambda queue: queue.name),
        Setting("qos.scheduling", _scheduling),
        Setting("qos.ecn", lambda queue: queue.ecn, _ecn),
    ),
)

HEADROOM = Thing[HeadroomProfile](
    "qos.headroom-row",
    key=lambda found: (found.speed_gbps, found.length_m),
    summary=_headroom,
    settings=(Setting("qos.headroom-row", _headroom),),
)
"""How many ports share a row, and who says it, is told to no switch."""


def _cluster(found: object) -> str:
    if not isinstance(found, Cluster):
        return ""
    grouped = f"destinations by /{found.destination_length}, flows age after {found.aging_seconds} s"
    return f"{grouped}, hosts at {' '.join(found.ports)}"


LOAD_BALANCING: tuple[Setting[LoadBalancing], ...] = (
    Setting("load-balancing.mode", lambda found: found.mode),
    Setting("load-balancing.seed", lambda found: found.seed, number),
    Setting("load-balancing.flowlet-gap", lambda found: found.flowlet_gap_us, lambda us: f"{us} us" if us else ""),
    Setting("load-balancing.cluster", lambda found: found.cluster, _cluster),
)


def load_balancing_facts(before: LoadBalancing, after: LoadBalancing) -> Iterator[Fact]:
    """Everything of load balancing that differs."""
    return settings(LOAD_BALANCING, before, after, Where())


def qos_facts(before: Qos | None, after: Qos | None) -> Iterator[Fact]:
    """Everything of the lossless plan that differs; one fact where all of it comes or goes."""
    if before is None and after is not None:
        yield added("qos", after.marking, Where())
    elif after is None and before is not None:
        yield removed("qos", before.marking, Where())
    elif before is not None and after is not None:
        yield from settings(QOS, before, after, Where())
        yield from settings(WATCHDOG, before.watchdog, after.watchdog, Where())
        yield from things(CLASSIFICATION, before.dscp_classes, after.dscp_classes, _of_class)
        yield from things(QUEUE_MAP, before.class_queues, after.class_queues, _of_class)
        yield from things(
            HEADROOM, before.headroom, after.headroom, lambda found: Where(f"{found.speed_gbps}G {found.length_m} m")
        )
        yield from _profiles(before.profiles, after.profiles)


def _of_class(found: DscpClass | ClassQueue) -> Where:
    return Where(f"traffic class {found.traffic_class}")


def _profiles(before: tuple[QosProfile, ...], after: tuple[QosProfile, ...]) -> Iterator[Fact]:
    for old, new in paired(before, after, lambda profile: profile.name):
        if old is None and new is not None:
            yield added("qos.profile", f"{new.speed_gbps}G", Where(new.name))
        elif new is None and old is not None:
            yield removed("qos.profile", f"{old.speed_gbps}G", Where(old.name))
        elif old is not None and new is not None:
            yield from _profile(old, new)


def _profile(old: QosProfile, new: QosProfile) -> Iterator[Fact]:
    yield from settings(PROFILE, old, new, Where(new.name))
    yield from members(PROFILE_MEMBERS, old, new, Where(new.name))
    yield from things(QUEUE, old.queues, new.queues, lambda queue: Where(f"{new.name} queue {queue.queue}"))
